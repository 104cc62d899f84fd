from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._table.compress import _mass

FIGURES = {
    "roc_auc": lambda s: s.roc_auc(),
    "interpolated": lambda s: s.pr_auc(),
    "average_precision": lambda s: s.pr_auc(estimator="average_precision"),
    "functional": lambda s: s.pr_auc(estimator="functional"),
    "achievable": lambda s: s.pr_auc(estimator="achievable"),
    "trapezoid": lambda s: s.pr_auc(estimator="trapezoid"),
    "trapezoid of a part": lambda s: s.pr_auc(estimator="trapezoid", recall=(0.1, 0.6), prevalence=0.01),
    "prevalence": lambda s: s.pr_auc(prevalence=0.01),
    "recall": lambda s: s.pr_auc(recall=(0.1, 0.6)),
    "normalized": lambda s: s.pr_auc(normalize=True),
    "partial": lambda s: s.partial_roc_auc(fpr=(0.0, 0.3)),
    "partial tpr": lambda s: s.partial_roc_auc(tpr=(0.6, 1.0), standardize=True),
}


def sample(seed: int, n: int = 400, decimals: int | None = None, share: float = 0.2) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = [True, False]
    s = rng.normal(size=n) + 1.2 * y
    return th.Scores(y, s if decimals is None else s.round(decimals))


@given(
    seed=st.integers(0, 10_000),
    points=st.integers(30, 200),
    decimals=st.sampled_from([None, 1, 2]),
    share=st.sampled_from([0.02, 0.2, 0.7]),
)
def test_bounds_hold(seed, points, decimals, share):
    full = sample(seed, decimals=decimals, share=share)
    small = full.compress(points)
    assert len(small) <= points
    for name, figure in FIGURES.items():
        estimate = figure(small)
        assert abs(estimate.value - figure(full).value) <= estimate.error_bound + 1e-15, name
    steps = small.pr_auc(estimator="unit_steps")
    assert abs(steps.value - full.pr_auc(estimator="unit_steps").value) <= steps.error_bound + 1e-15


@given(seed=st.integers(0, 10_000), points=st.integers(30, 80), cut=st.integers(50, 350), twice=st.booleans())
def test_bounds_hold_after_adding_and_compressing_again(seed, points, cut, twice):
    rng = np.random.default_rng(seed)
    y = rng.random(400) < 0.3
    y[[0, 1, -2, -1]] = [True, False, True, False]
    s = (rng.normal(size=400) + y).round(2)
    full = th.Scores(y, s)
    small = th.Scores(y[:cut], s[:cut]).compress(points) + th.Scores(y[cut:], s[cut:]).compress(points)
    if twice:
        small = small.compress(points)
    for name, figure in FIGURES.items():
        estimate = figure(small)
        assert abs(estimate.value - figure(full).value) <= estimate.error_bound + 1e-15, name


def test_kept_points_are_exact_and_hull_vertices_survive():
    full = sample(3, n=5000)
    small = full.compress(300)
    assert len(small) == 300
    place = np.searchsorted(-full.thresholds, -small.thresholds)
    np.testing.assert_array_equal(full.thresholds[place], small.thresholds)
    np.testing.assert_array_equal(full.tp[place], small.tp)
    np.testing.assert_array_equal(full.fp[place], small.fp)
    assert set(full.roc().hull().thresholds) <= set(small.roc().thresholds)
    assert (small.n_pos, small.n_neg) == (full.n_pos, full.n_neg)
    assert not small._exact
    assert small.roc_auc().error_bound < 2e-3
    assert "± " in repr(small.roc_auc())


def test_bound_shrinks_with_more_points():
    full = sample(4, n=20_000, share=0.05)
    bounds = [full.compress(k).pr_auc().error_bound for k in (100, 400, 1600)]
    assert bounds[0] > bounds[1] > bounds[2] > 0
    assert full.pr_auc().error_bound == 0.0


def test_straight_runs_are_merged_without_loss():
    full = th.Scores([1] * 50 + [0] * 50, range(100, 0, -1))
    small = full.compress(2)
    assert len(small) == 2
    for figure in FIGURES.values():
        assert figure(small).value == pytest.approx(figure(full).value, rel=1e-15)
        assert figure(small).error_bound == pytest.approx(0.0, abs=1e-15)


def test_what_fits_is_returned_as_it_is():
    full = sample(5)
    assert full.compress(10_000) is full
    assert full.compress(len(full))._exact


def test_weighted():
    rng = np.random.default_rng(6)
    y = rng.random(800) < 0.3
    full = th.Scores(y, rng.normal(size=800) + y, sample_weight=rng.random(800))
    small = full.compress(120)
    for figure in FIGURES.values():
        assert abs(figure(small).value - figure(full).value) <= figure(small).error_bound + 1e-14


def test_messages():
    full = sample(8)
    vertices = len(full.roc().hull()) - 1
    with pytest.raises(th.InvalidInputError) as caught:
        full.compress(vertices - 1)
    assert str(caught.value) == (
        f"`max_points` must be at least {vertices}, the number of vertices of the convex hull; got {vertices - 1}. "
        "Hint: they are kept so that the best thresholds survive."
    )
    with pytest.raises(th.InvalidInputError, match=r"`max_points` must be at least 2; got 1\."):
        full.compress(1)
    with pytest.raises(th.InvalidTypeError, match=r"`max_points` must be an integer; got 10\.5 of type float\."):
        full.compress(10.5)


@pytest.mark.parametrize("unit", [1.0, 0.5])
def test_how_far_along_the_curve(unit):
    """Both rates, and log(1 + calls) on the scale from nothing to all; by the formula, point by point."""
    tp, fp = np.array([1, 3, 3, 4]) * unit, np.array([0, 1, 5, 16]) * unit
    want = [p / 4 + n / 16 + math.log(1 + p + n) / math.log(21) for p, n in ((1, 0), (3, 1), (3, 5), (4, 16))]
    assert _mass(tp, fp, unit) == pytest.approx(want, rel=1e-14)


def test_a_class_without_rows_has_no_rate():
    counts, none = np.array([1, 2, 5]), np.zeros(3, dtype=np.int64)
    want = np.array([1, 2, 5]) / 5 + np.log1p([1, 2, 5]) / math.log(6)
    assert _mass(counts, none, 1.0) == pytest.approx(want, rel=1e-14)
    assert _mass(none, counts, 1.0) == pytest.approx(want, rel=1e-14)
