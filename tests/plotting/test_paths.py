"""Vertices of drawn curves, against the curves themselves on fine grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.plotting._paths import COLUMNS, SMALLEST_RATE, TOLERANCE, log_roc_path, pr_path, roc_path, thinned

tables = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 400)), min_size=1, max_size=12).filter(
    lambda rows: sum(pos for pos, _ in rows) > 0 and sum(neg for _, neg in rows) > 0
)


def scores_of(rows: list[tuple[int, int]]) -> th.Scores:
    pos, neg = zip(*rows, strict=True)
    return th.Scores.from_counts(np.arange(len(rows), 0, -1), pos, neg)


def precision_between(curve: th.PrCurve, segment: int, share: np.ndarray) -> np.ndarray:
    """Precision where counts are mixed: the definition that the drawing must follow."""
    tp = curve.tp[segment] + share * (curve.tp[segment + 1] - curve.tp[segment])
    fp = curve.fp[segment] + share * (curve.fp[segment + 1] - curve.fp[segment])
    return tp / (tp + curve.skew * fp)


@given(tables, st.sampled_from([None, 0.003, 0.7]))
def test_drawn_pr_curve_stays_within_tolerance_of_mixed_counts(rows: list[tuple[int, int]], prevalence: float) -> None:
    curve = scores_of(rows).pr(prevalence=prevalence)
    x, y = pr_path(curve)
    share = np.linspace(0.0, 1.0, 201)[1:-1]
    for segment in range(len(curve) - 1):
        if curve.tp[segment + 1] == curve.tp[segment]:
            continue
        recall = (curve.tp[segment] + share * (curve.tp[segment + 1] - curve.tp[segment])) / curve.n_pos
        drawn = np.interp(recall, x, y)
        assert np.abs(drawn - precision_between(curve, segment, share)).max() <= TOLERANCE * (1 + 1e-6)


@given(tables)
def test_drawn_pr_curve_holds_every_point_of_the_curve(rows: list[tuple[int, int]]) -> None:
    curve = scores_of(rows).pr()
    drawn = set(zip(*(column.tolist() for column in pr_path(curve)), strict=True))
    assert set(zip(curve.recall.tolist(), curve.precision.tolist(), strict=True)) <= drawn
    assert np.all(np.diff(pr_path(curve)[0]) >= 0)


def test_a_straight_line_would_be_far_off_where_vertices_are_added() -> None:
    curve = th.PrCurve.from_points([0.02], [1.0], n_pos=100, n_neg=10_000)
    straight = np.interp(0.1, curve.recall, curve.precision)
    assert straight - curve.interpolate(0.1) > 0.8
    assert np.interp(0.1, *pr_path(curve)) == pytest.approx(float(curve.interpolate(0.1)), abs=TOLERANCE)


def test_leading_negatives_start_the_pr_curve_at_precision_0() -> None:
    x, y = pr_path(th.Scores([0, 0, 1, 1], [4, 3, 2, 1]).pr())
    assert (x[0], y[0]) == (0.0, 0.0)
    assert (x[-1], y[-1]) == (1.0, 0.5)
    assert np.all(np.diff(y) >= 0)


def test_start_at_one_is_drawn_as_an_upright_line_at_recall_0() -> None:
    tied = th.Scores.from_counts([2, 1], pos=[3, 1], neg=[1, 5])
    x, y = pr_path(tied.pr(start="one"))
    assert x[:3].tolist() == [0.0, 0.0, 0.75]
    assert y[:3].tolist() == [1.0, 0.75, 0.75]
    group_x, group_y = pr_path(tied.pr())
    assert (group_x.tolist(), group_y.tolist()) == (x[1:].tolist(), y[1:].tolist())


def test_one_group_is_a_level_line() -> None:
    x, y = pr_path(th.Scores([0, 1, 0, 0], [1, 1, 1, 1]).pr())
    assert (x.tolist(), y.tolist()) == ([0.0, 1.0], [0.25, 0.25])


def test_short_roc_curves_are_drawn_as_they_are() -> None:
    curve = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
    x, y = roc_path(curve)
    assert (x.tolist(), y.tolist()) == (curve.fpr.tolist(), curve.tpr.tolist())


@given(tables)
def test_logarithmic_roc_path_follows_the_straight_segments(rows: list[tuple[int, int]]) -> None:
    curve = scores_of(rows).roc()
    x, y = log_roc_path(curve)
    assert x[0] == SMALLEST_RATE
    assert (x[-1], y[-1]) == (1.0, 1.0)
    assert np.all(np.diff(x) >= 0)
    assert np.all(np.diff(y) >= 0)
    grid = np.geomspace(1e-4, 1.0, 999)[:-1]
    grid = grid[~np.isclose(grid[:, None], curve.fpr[None, :], rtol=1e-9).any(axis=1)]
    drawn = np.interp(np.log(grid), np.log(x), y)
    assert np.abs(drawn - curve.interpolate(grid)).max(initial=0.0) <= 1.001 * TOLERANCE


def test_thinning_moves_no_line_by_more_than_a_column() -> None:
    rng = np.random.default_rng(5)
    x = np.sort(rng.random(60_000))
    y = np.cumsum(rng.normal(size=x.size))
    columns = 500
    thin_x, thin_y = thinned(x, y, x, columns=columns)
    assert thin_x.size <= 4 * columns
    assert set(zip(thin_x.tolist(), thin_y.tolist(), strict=True)) <= set(zip(x.tolist(), y.tolist(), strict=True))
    # Every column shows the same range of heights, which is all that a column of pixels can show.
    column = np.minimum(((x - x[0]) / (x[-1] - x[0]) * columns).astype(int), columns - 1)
    thin_column = np.minimum(((thin_x - x[0]) / (x[-1] - x[0]) * columns).astype(int), columns - 1)
    for j in range(columns):
        full, thin = y[column == j], thin_y[thin_column == j]
        assert (full.min(), full.max(), full[0], full[-1]) == (thin.min(), thin.max(), thin[0], thin[-1])


def test_long_curves_are_thinned_and_keep_their_ends() -> None:
    rng = np.random.default_rng(6)
    labels = rng.random(200_000) < 0.1
    scores = th.Scores(labels, rng.normal(size=labels.size) + labels)
    for x, y in (roc_path(scores.roc()), pr_path(scores.pr())):
        assert x.size <= 4 * COLUMNS
        assert (x[0], x[-1]) == (0.0, 1.0)
        assert y.size == x.size
    roc_x, roc_y = roc_path(scores.roc())
    grid = np.linspace(0.01, 1.0, 500)
    slack = 1.0 / COLUMNS
    lower, upper = (
        scores.roc().interpolate(np.maximum(grid - slack, 0)),
        scores.roc().interpolate(np.minimum(grid + slack, 1)),
    )
    drawn = np.interp(grid, roc_x, roc_y)
    assert np.all((drawn >= lower - 1e-12) & (drawn <= upper + 1e-12))


def test_thinning_leaves_short_paths_alone() -> None:
    x, y = np.array([0.0, 0.5, 1.0]), np.array([0.0, 2.0, 1.0])
    assert all(a is b for a, b in zip(thinned(x, y, x), (x, y), strict=True))
