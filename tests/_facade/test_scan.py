"""`th.scan` of batches: the same table as counting in memory, by groups, with weights, and what it refuses."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import thresher as th
from thresher._read.scan import lives_elsewhere

RNG = np.random.default_rng(0)
Y = RNG.random(300) < 0.3
X = RNG.integers(0, 40, 300) / 40
W = RNG.choice([0.5, 1.0, 2.0], 300)
TIMES = RNG.integers(1, 4, 300)
G = RNG.integers(0, 50, 300)
SITE = np.where(np.arange(300) % 3 == 0, "a", "b")


def batches(*columns, size=70):
    for start in range(0, 300, size):
        yield tuple(column[start : start + size] for column in columns)


def test_batches_of_arrays():
    assert th.scan(batches(Y, X)) == th.Scores(Y, X)
    assert th.scan(batches(Y, X, TIMES), frequency="n") == th.Scores(Y, X, frequency=TIMES)
    assert th.scan(batches(Y, X, W), sample_weight="w") == th.Scores(Y, X, sample_weight=W)
    assert th.scan(batches(Y, X, G), cluster="patient") == th.Scores(Y, X, cluster=G)


def test_tables_by_group():
    table = pa.table({"label": Y, "risk": X, "site": SITE})
    found = th.scan(table, y_true="label", y_score="risk", by="site")
    assert sorted(found) == ["a", "b"]
    for name, scores in found.items():
        assert scores == th.Scores(Y[name == SITE], X[name == SITE])


def test_few_points_keep_the_exact_area():
    fine = RNG.normal(size=300)
    found = th.scan(batches(Y, fine), max_points=50)
    assert len(found) <= 50
    assert found.roc_auc().value == th.Scores(Y, fine).roc_auc().value
    assert found._exact
    assert not found._complete


def test_progress_is_told():
    seen = []
    th.scan(batches(Y, X), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == 300


@pytest.mark.parametrize("name", ["y_true", "y_score", "sample_weight", "by"])
def test_names_are_text(name):
    with pytest.raises(th.InvalidTypeError, match=f"`{name}` must be the name of a column.*; got 3"):
        th.scan(batches(Y, X), **{name: 3})


def test_labels_and_scores_are_two_columns():
    with pytest.raises(
        th.InvalidInputError, match="`y_true` and `y_score` must be different columns; got 'a' for both"
    ):
        th.scan(pa.table({"a": X}), y_true="a", y_score="a")


def test_what_lives_elsewhere_is_known_by_its_name():
    def made(module, name, base=object):
        return type(name, (base,), {"__module__": module})()

    assert lives_elsewhere(made("ibis.expr.types.relations", "Table"))
    assert lives_elsewhere(made("pyspark.sql.connect.dataframe", "DataFrame"))
    parent = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe"})
    assert lives_elsewhere(made("mine", "Own", parent))
    for module, name in (("pandas", "DataFrame"), ("pyspark.sql", "Column"), ("ibisx", "Table")):
        assert not lives_elsewhere(made(module, name))
