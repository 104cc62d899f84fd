"""Counts of many groups in one Parquet file, read back by us and added up by DuckDB."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th


@pytest.fixture
def days():
    rng = np.random.default_rng(5)
    out = {}
    for day in ("mon", "tue", None):
        y = rng.random(500) < 0.3
        out[day] = th.Scores(y, (rng.normal(size=500) + y).round(2))
    return out


def test_there_and_back(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    assert th.load_counts(tmp_path / "days.parquet") == days
    for day, scores in days.items():
        assert th.load_counts(tmp_path / "days.parquet", group=day) == scores
    th.save_counts(days["mon"], tmp_path / "one.parquet")
    assert th.load_counts(tmp_path / "one.parquet") == {None: days["mon"]}
    numbers = dict(enumerate(days.values()))
    th.save_counts(numbers, tmp_path / "numbers.parquet")
    assert th.load_counts(tmp_path / "numbers.parquet") == numbers


def test_figures_and_weights_are_kept(tmp_path, days):
    rng = np.random.default_rng(6)
    y = rng.random(3000) < 0.3
    s = rng.normal(size=3000) + y
    tables = {"few": th.scan(iter([(y, s)]), max_points=50), "all": days["mon"]}
    tables["weighted"] = th.Scores(y[:100], s[:100], sample_weight=rng.random(100))
    th.save_counts(tables, tmp_path / "a.parquet")
    again = th.load_counts(tmp_path / "a.parquet")
    assert again == tables
    assert again["few"].roc_auc().value == th.Scores(y, s).roc_auc().value
    assert again["all"].squares is None
    assert th.load_counts(tmp_path / "a.parquet", group="few").figures == tables["few"].figures


def test_an_engine_adds_them_up(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    found = duckdb.read_parquet(str(tmp_path / "days.parquet")).filter('"group" IS NOT NULL')
    summed = found.aggregate("score, max(highest) AS highest, sum(pos) AS pos, sum(neg) AS neg", "score")
    summed.write_parquet(str(tmp_path / "week.parquet"))
    (week,) = th.load_counts(tmp_path / "week.parquet").values()
    assert week == days["mon"] + days["tue"]


def test_smaller_than_the_rows(tmp_path):
    rng = np.random.default_rng(7)
    y = (rng.random(100_000) < 0.3).astype(np.int8)
    s = rng.normal(size=y.size) + y
    pq.write_table(pa.table({"y": y, "s": s}), tmp_path / "rows.parquet")
    th.save_counts(th.Scores(y, s), tmp_path / "counts.parquet")
    sizes = [(tmp_path / f"{name}.parquet").stat().st_size for name in ("counts", "rows")]
    assert sizes[0] < 1.6 * sizes[1]  # `highest` repeats `score`


def test_messages(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    with pytest.raises(th.InvalidInputError, match="`group` must be one of the file's groups; got 'sun', which has no"):
        th.load_counts(tmp_path / "days.parquet", group="sun")
    days["mon"].save(tmp_path / "a.scores")
    with pytest.raises(th.InvalidInputError, match=r"Cannot read .*`\.scores` files are read by `th\.Scores\.load`"):
        th.load_counts(tmp_path / "a.scores")
    with pytest.raises(
        th.InvalidTypeError, match="`tables` must be Scores, or a mapping of groups to Scores; got a list"
    ):
        th.save_counts([days["mon"]], tmp_path / "b.parquet")
    with pytest.raises(th.InvalidInputError, match="at least one group; got none"):
        th.save_counts({}, tmp_path / "b.parquet")
