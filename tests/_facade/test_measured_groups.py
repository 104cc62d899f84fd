"""Measures of many groups in one table: the figures of each group's own Scores."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import thresher as th


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    y = (rng.random(2000) < 0.3).astype(np.int8)
    g = rng.choice(["a", "b", "c"], 2000)
    y[g == "c"] = 1
    return pa.table({"y_true": y, "y_score": (rng.normal(size=2000) + y).round(2), "g": g})


def test_each_group_is_measured_by_itself(table):
    found = th.scan(table, group="g", measures=("roc_auc", "average_precision"))
    groups = th.scan(table, group="g")
    assert found["group"].to_pylist() == ["a", "b", "c"]
    assert found["n_pos"].to_pylist() == [scores.n_pos for scores in groups.values()]
    assert found["n_neg"].to_pylist() == [scores.n_neg for scores in groups.values()]
    for name in ("roc_auc", "average_precision"):
        for row, key in enumerate(("a", "b")):
            estimate = groups[key].measure(name)
            assert found[name][row].as_py() == estimate.value
            assert found[f"{name}_se"][row].as_py() == estimate.standard_error()
    assert found["roc_auc"][2].as_py() is None  # one class only
    assert found["roc_auc_se"][2].as_py() is None


def test_measures_with_options(table):
    measure = th.measures.RecallAtFpr(0.1)
    found = th.scan(table, group="g", measures=measure)
    assert found[measure.name][0].as_py() == th.scan(table, group="g")["a"].measure(measure).value


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": "roc_auc"}, "`measures` must come with `group`; got none"),
        ({"measures": (), "group": "g"}, "`measures` must be names of measures"),
        (
            {"measures": ("roc_auc", "roc_auc"), "group": "g"},
            "must have different names, which become columns; got 'roc",
        ),
        ({"measures": "roc_acu", "group": "g"}, "roc_auc"),
    ],
)
def test_messages(table, options, said):
    with pytest.raises(th.ThresherError, match=said):
        th.scan(table, **options)
