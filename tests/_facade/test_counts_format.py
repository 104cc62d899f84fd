"""The format of counts as its page describes it: files that other tools wrote, with their metadata."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th


def by_hand(path, columns, metadata=None):
    """Write a file by DuckDB, which knows nothing of thresher."""
    table = pa.table(columns)
    said = "" if metadata is None else f", KV_METADATA {{thresher: '{json.dumps(metadata)}'}}"
    connection = duckdb.connect()
    connection.register("lines", table)
    connection.execute(f"COPY lines TO '{path}' (FORMAT parquet{said})")
    connection.close()


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    y = rng.random(600) < 0.3
    return y, (rng.normal(size=600) + y).round(2)


def test_lines_in_any_order_that_add_up(tmp_path, rows):
    y, s = rows
    by_hand(tmp_path / "a.parquet", {"score": s, "pos": y.astype(int), "neg": (~y).astype(int)})
    assert th.load_counts(tmp_path / "a.parquet") == {None: th.Scores(y, s)}


def hexadecimal(*numbers):
    return [float(number).hex() for number in numbers]


def written_figures(y, s):
    """Return the sums over all scores, by the definitions of the page."""
    out = dict.fromkeys(("n_scores", "twice_u", "pos_placement_squares", "neg_placement_squares", "tied_pairs"), 0)
    out |= {"shared_scores": 0, "shared_pos": 0}
    n_neg = int((~y).sum())
    average = 0.0
    tp = fp = 0
    for score in np.unique(s)[::-1]:
        pos, neg = int((y & (s == score)).sum()), int((~y & (s == score)).sum())
        tp0, fp0, tp, fp = tp, fp, tp + pos, fp + neg
        won = 2 * n_neg - fp0 - fp
        out["n_scores"] += 1
        out["twice_u"] += pos * won
        out["pos_placement_squares"] += pos * won**2
        out["neg_placement_squares"] += neg * (tp0 + tp) ** 2
        out["tied_pairs"] += pos * neg
        out["shared_scores"] += pos > 0 < neg
        out["shared_pos"] += pos if neg else 0
        average += pos * tp / (tp + fp)
    area = float(th.Scores(y, s).pr_auc()) * int(y.sum())
    texts = {name: str(int(number)) for name, number in out.items()}
    return texts | {"average_precision": average.hex(), "interpolated": area.hex()}


@pytest.mark.parametrize("version", [1, 2])
def test_metadata_by_hand(tmp_path, rows, version):
    y, s = rows
    edges = np.unique(s)[::40]
    cell = np.searchsorted(edges, s, side="right") - 1
    cells = [cell == k for k in range(edges.size)]
    columns = {
        "score": [s[own].min() for own in cells],
        "highest": [s[own].max() for own in cells],
        "pos": [int(y[own].sum()) for own in cells],
        "neg": [int((~y[own]).sum()) for own in cells],
    }
    about = {
        "group": "null",
        "rows": edges.size,
        "totals": hexadecimal(y.sum(), (~y).sum()),
        "figures": written_figures(y, s),
        "something new": 7,
    }
    by_hand(tmp_path / "a.parquet", columns, {"version": version, "tables": [about]})
    (found,) = th.load_counts(tmp_path / "a.parquet").values()
    exact = th.Scores(y, s)
    assert (found.n_pos, found.n_neg, len(found)) == (exact.n_pos, exact.n_neg, edges.size)
    if version == 1:
        assert found.roc_auc().value == exact.roc_auc().value
        assert found.roc_auc().standard_error() == pytest.approx(exact.roc_auc().standard_error())
        assert found.measure("average_precision").value == pytest.approx(exact.measure("average_precision").value)
        assert found.roc_auc().error_bound == 0.0
    else:  # of a version that is not known the lines hold
        assert found.roc_auc().error_bound > 0.0


def test_metadata_is_passed_over_where_lines_changed(tmp_path, rows):
    y, s = rows
    kept = th.scan(pa.table({"y_true": y, "y_score": s}), max_points=20)
    th.save_counts(kept, tmp_path / "a.parquet")
    pq.write_table(pq.read_table(tmp_path / "a.parquet").slice(1), tmp_path / "b.parquet")
    assert th.load_counts(tmp_path / "a.parquet")[None]._figures is not None
    assert th.load_counts(tmp_path / "b.parquet")[None]._figures is None


def test_weights_by_hand(tmp_path, rows):
    y, s = rows
    w = np.random.default_rng(1).random(600) + 0.5
    columns = {"score": s, "pos": w * y, "neg": w * ~y, "pos_squares": w**2 * y, "neg_squares": w**2 * ~y}
    by_hand(tmp_path / "a.parquet", columns)
    (found,) = th.load_counts(tmp_path / "a.parquet").values()
    exact = th.Scores(y, s, sample_weight=w)
    assert found.roc_auc().value == pytest.approx(exact.roc_auc().value)
    assert found.roc_auc().standard_error("delong") == pytest.approx(exact.roc_auc().standard_error("delong"))
