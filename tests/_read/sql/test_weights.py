"""Squares, rows, spans and clusters of weights, counted in an engine as in memory."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._read.sql.session import SendRowsError
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(9)
    y = (rng.random(600) < 0.4).astype(int)
    return {
        "y": y,
        "s": (rng.normal(size=600) + y).round(1),
        "w": rng.integers(1, 9, 600) / 8,  # exact in binary
        "n": rng.integers(0, 4, 600),
        "c": rng.integers(0, 50, 600),
    }


def scan(table, **options):
    return scan_table(th.Scores, table, y_true="y", y_score="s", **options)


def same(found, expected):
    for name in ("thresholds", "pos", "neg"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist(), name
    for name in ("pos", "neg", "rows", "spans", "integers"):
        ours, theirs = getattr(found._weight_squares, name), getattr(expected._weight_squares, name)
        assert np.array_equal(ours, theirs) if name in ("pos", "neg") else ours == theirs, name


def test_squares_of_every_score(duck, data):
    same(scan(duck(**data), sample_weight="w"), th.Scores(data["y"], data["s"], sample_weight=data["w"]))
    both = th.Scores(data["y"], data["s"], sample_weight=data["w"], frequency=data["n"])
    same(scan(duck(**data), sample_weight="w", frequency="n"), both)


def test_squares_of_each_group(duck, data):
    part = np.where(np.arange(600) % 3 == 0, "a", "b")
    found = scan(duck(**data, g=part), sample_weight="w", by="g")
    for name in ("a", "b"):
        mine = part == name
        same(found[name], th.Scores(data["y"][mine], data["s"][mine], sample_weight=data["w"][mine]))


def test_weights_of_one_are_no_weights(duck, data):
    ones = data | {"w": np.ones(600)}
    found = scan(duck(**ones), sample_weight="w")
    assert found == th.Scores(data["y"], data["s"])
    assert found._weight_squares is None
    assert found.pos.dtype == np.int64


def test_clusters(duck, data):
    found = scan(duck(**data), sample_weight="w", cluster="c")
    expected = th.Scores(data["y"], data["s"], sample_weight=data["w"], cluster=data["c"])
    assert found.roc_auc().standard_error() == expected.roc_auc().standard_error()
    alone = scan(duck(**data), cluster="c")
    assert (
        alone.roc_auc().standard_error()
        == th.Scores(data["y"], data["s"], cluster=data["c"]).roc_auc().standard_error()
    )


def test_more_scores_than_are_kept_are_sent(duck, data, python_tasks):
    many = {**data, "s": np.random.default_rng(1).normal(size=600) + data["y"]}
    for words in ({"sample_weight": "w"}, {"frequency": "n"}, {"cluster": "c"}):
        with pytest.raises(SendRowsError):
            scan(duck(**many), **words, max_points=40)
    assert python_tasks == []
