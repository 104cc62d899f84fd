from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.confusion import ROWS, all_metrics, metric, number
from thresher._cells.best import at_thresholds, best_thresholds
from thresher._cells.cell_metric import from_function
from thresher._cells.matrix import Matrix

METRICS = all_metrics()


def cumulative(rows):
    """Return the thresholds from +inf down, and the cumulative weights of both classes there."""
    y = np.array(rows["y"])
    score, weight = (np.array([number(str(one)) for one in rows[name]]) for name in ("score", "weight"))
    thresholds = np.concatenate([[np.inf], np.unique(score)[::-1]])
    sums = [[(weight * (y == k))[score >= t].sum() for t in thresholds] for k in (1, 0)]
    whole = all(float(one).is_integer() for one in weight)
    return thresholds, *(np.array(side, dtype=np.int64 if whole else np.float64) for side in sums)


@pytest.mark.parametrize("name", ROWS)
def test_best_thresholds_are_those_of_the_reference(name):
    thresholds, tp, fp = cumulative(ROWS[name])
    for key, entry in ROWS[name]["best"].items():
        one = metric(key)
        found = best_thresholds(one, tp, fp, maximize=one.better != "lower")
        assert thresholds[found].tolist() == [number(str(t)) for t in entry["thresholds"]], key
        value = one.value(tp[found[0]], fp[found[0]], tp[-1] - tp[found[0]], fp[-1] - fp[found[0]])
        assert value == pytest.approx(number(entry["value"]), rel=1e-14), key


@pytest.mark.parametrize("prevalence", [None, 0.03])
def test_all_thresholds_at_once_are_each_by_itself(prevalence):
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    tp, fp = np.append(0, np.cumsum(y)), np.append(0, np.cumsum(~y))
    own = from_function(lambda tp, fp, fn, tn: np.log1p(tp) - fp)
    found = at_thresholds([*METRICS, own], tp, fp, prevalence=prevalence)
    for one, row in zip([*METRICS, own], found, strict=True):
        expected = one.value(tp, fp, tp[-1] - tp, fp[-1] - fp, prevalence=prevalence, exact=False)
        assert np.allclose(row, expected, rtol=1e-12, atol=1e-13, equal_nan=True), one.name


@given(
    counts=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9),
    key=st.sampled_from(["mcc", "f1", "kappa", "g_mean", "closest_corner", "fowlkes_mallows", "p4", "iba", "jaccard"]),
)
def test_ties_are_exactly_the_equal_ones(counts, key):
    tp, fp = (np.append(0, np.cumsum(side)) for side in np.array(counts).T)
    if tp[-1] == 0 or fp[-1] == 0:
        return
    one = metric(key)
    sign = -1 if one.better == "lower" else 1
    exact = []
    for a, b in zip(tp.tolist(), fp.tolist(), strict=True):
        above, below = one.ratio(
            Matrix(*(np.array([c], dtype=object) for c in (a, b, int(tp[-1]) - a, int(fp[-1]) - b)))
        )
        exact.append(sign * Fraction(int(above[0]), int(below[0])) if below[0] else Fraction(0))
    found = best_thresholds(one, tp, fp, maximize=sign > 0)
    assert found.tolist() == [k for k, value in enumerate(exact) if value == max(exact)]


def test_ties_at_zero_are_ties():
    # 1/6 - 2/12 is -3e-17 in some orders of the operations.
    tp, fp = np.array([0, 1, 2, 6]), np.array([0, 2, 4, 12])
    for key in ("youden", "mcc", "kappa"):
        assert best_thresholds(metric(key), tp, fp).tolist() == [0, 1, 2, 3], key


def test_doubles_cannot_tell_what_integers_can():
    # Two thresholds whose F1 differ in the 24th digit: the first is better.
    n = 10**12
    tp, fp = np.array([0, n, 2 * n + 2]), np.array([0, n - 1, 2 * n])
    values = at_thresholds([metric("precision")], tp, fp)[0]
    assert values[1] == pytest.approx(values[2], rel=1e-11)
    assert best_thresholds(metric("precision"), tp, fp).tolist() == [
        2 if n / (2 * n - 1) < (2 * n + 2) / (4 * n + 2) else 1
    ]


def test_constraints_and_prevalence_and_what_is_undefined():
    tp, fp = np.array([0, 3, 5, 8, 10]), np.array([0, 0, 2, 8, 20])
    assert best_thresholds(metric("f1"), tp, fp).tolist() == [3]
    assert best_thresholds(metric("f1"), tp, fp, allowed=fp <= 2).tolist() == [2]
    assert best_thresholds(metric("f1"), tp, fp, prevalence=0.001).tolist() == [1]
    assert best_thresholds(metric("f1"), tp, fp, maximize=False).tolist() == [0]
    assert best_thresholds(metric("precision"), tp, fp, allowed=tp == 0).size == 0
    own = from_function(lambda tp, fp, fn, tn: -np.abs(tp / (tp + fn) - 0.5))
    assert best_thresholds(own, tp, fp).tolist() == [2]


def test_p4_is_0_if_nothing_is_right():
    assert metric("p4").value(0, 5, 3, 0) == 0.0
    assert best_thresholds(metric("p4"), np.array([0, 0, 1]), np.array([0, 1, 1])).tolist() == [0, 1, 2]
