from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher._core.hull import upper_hull
from thresher._curves.roc import hull_counts


@given(data=labelled())
def test_hull_by_definition(data):
    hull = th.Scores(*data).roc().hull()
    assert list(zip(hull.fp.tolist(), hull.tp.tolist(), strict=True)) == oracle.hull(oracle.counts(*data))


@given(data=labelled(max_size=40))
def test_hull_dominates_and_keeps_points_and_thresholds(data):
    curve = th.Scores(*data).roc()
    hull = curve.hull()
    assert th.dominates(hull, curve)
    rows = {(t, x, y) for t, x, y in zip(curve.thresholds.tolist(), curve.fp.tolist(), curve.tp.tolist(), strict=True)}
    assert rows.issuperset(zip(hull.thresholds.tolist(), hull.fp.tolist(), hull.tp.tolist(), strict=True))
    again = hull.hull()
    assert (again.fp.tolist(), again.tp.tolist()) == (hull.fp.tolist(), hull.tp.tolist())


@given(data=labelled(max_size=60, values=st.integers(0, 30).map(float)))
def test_hull_is_isotonic_regression(data):
    """The hull's slopes are the calibrated probabilities of pool-adjacent-violators."""
    labels, values = data
    scores = th.Scores(labels, values)
    fitted = IsotonicRegression().fit(values, labels).predict(scores.thresholds)
    hull = scores.roc().hull()
    step_tp, step_fp = np.diff(hull.tp), np.diff(hull.fp)
    place = np.searchsorted(-hull.thresholds[1:], -scores.thresholds)
    np.testing.assert_allclose((step_tp / (step_tp + step_fp))[place], fitted, atol=1e-12)


@pytest.mark.parametrize("shape", ["random", "convex", "concave", "staircase"])
def test_vectorised_pruning_equals_the_chain(shape):
    rng = np.random.default_rng(7)
    n = 3000
    if shape == "random":
        x, y = np.cumsum(rng.integers(0, 3, n)), np.cumsum(rng.integers(0, 3, n))
    elif shape == "convex":
        x, y = np.cumsum(np.arange(n, 0, -1)), np.cumsum(np.arange(1, n + 1))
    elif shape == "concave":
        x, y = np.cumsum(np.arange(1, n + 1)), np.cumsum(np.arange(n, 0, -1))
    else:
        x, y = np.repeat(np.arange(n), 2)[1:], np.repeat(np.arange(n), 2)[:-1]
    moved = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))
    x, y = np.append(0, x[moved] + 1), np.append(0, y[moved] + 1)
    kept: list[int] = []
    for i in range(x.size):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (int(x[i]) - int(x[a])) * (int(y[b]) - int(y[a])) > (int(y[i]) - int(y[a])) * (int(x[b]) - int(x[a])):
                break
            kept.pop()
        kept.append(i)
    assert upper_hull(x, y).tolist() == kept


def test_integer_arithmetic_decides_near_ties():
    """Points a hair above and below a chord whose slope floats cannot tell apart."""
    n = 3_000_000_019
    above = th.RocCurve(np.array([np.inf, 3, 2, 1]), np.array([0, 1, n + 1, n + 1]), np.array([0, 1, n - 1, n + 5]))
    assert above.hull().tp.tolist() == [0, n + 1, n + 1]
    on_chord = th.RocCurve(np.array([np.inf, 3, 2]), np.array([0, n, 2 * n]), np.array([0, n, 2 * n]))
    assert on_chord.hull().tp.tolist() == [0, 2 * n]
    just_above = th.RocCurve(np.array([np.inf, 3, 2]), np.array([0, n + 1, 2 * n + 1]), np.array([0, n, 2 * n]))
    assert just_above.hull().tp.tolist() == [0, n + 1, 2 * n + 1]


@given(data=labelled(max_size=30, values=st.integers(-9, 9).map(float)), recall=st.floats(0, 1))
def test_achievable_curve_dominates_and_mixes(data, recall):
    scores = th.Scores(*data)
    best = scores.achievable_pr()
    curve = scores.pr()
    if recall > 0:
        assert best.interpolate(recall) >= curve.interpolate(recall) - 1e-15
    mix = best.mix(recall=recall)
    assert 0 <= mix.probability <= 1
    tp = [curve.at(threshold=threshold).tp for threshold in mix.thresholds]
    assert (1 - mix.probability) * tp[0] + mix.probability * tp[1] == pytest.approx(recall * scores.n_pos, abs=1e-9)


def test_achievable_curve_at_another_prevalence():
    scores = th.Scores([1, 0, 1, 1, 0, 0, 1, 0], range(8, 0, -1))
    shifted = scores.achievable_pr(prevalence=0.01)
    assert shifted.at(recall=0.75).prevalence == pytest.approx(0.01)
    assert shifted.mix(recall=0.6) == scores.achievable_pr().mix(recall=0.6)


@given(data=labelled(values=st.integers(0, 6).map(float)), weighted=st.booleans())
def test_hull_of_counts_without_the_curve(data, weighted):
    weights = np.arange(1, len(data[0]) + 1) / 4 if weighted else None
    counts = th.Scores(*data, sample_weight=weights)
    hull = counts.roc().hull()
    for column, expected in zip(hull_counts(counts), (hull.tp, hull.fp), strict=True):
        assert column.tolist() == expected.tolist()
        assert column.dtype == expected.dtype
