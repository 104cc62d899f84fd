"""Points that are drawn, points that are left out, and the histogram."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._report.drawn_points import drawn_points, histogram_of, plain


def many(n: int, seed: int = 0) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    return th.Scores(y, rng.normal(size=n) + y)


def test_small_curves_are_drawn_whole():
    scores = many(300)
    drawn = drawn_points(scores, 1000)
    roc = scores.roc()
    assert not drawn.thinned
    assert drawn.thresholds == roc.thresholds.tolist()
    assert (drawn.tp, drawn.fp) == (roc.tp.tolist(), roc.fp.tolist())
    assert (drawn.area_bound, drawn.deviation) == (0.0, 0.0)
    assert [drawn.thresholds[i] for i in drawn.hull] == roc.hull().thresholds.tolist()


def test_thinned_curves_keep_exact_points_and_every_hull_vertex():
    scores = many(20_000)
    drawn = drawn_points(scores, 300)
    roc = scores.roc()
    assert drawn.thinned
    assert len(drawn.tp) <= 301
    for t, tp, fp in zip(drawn.thresholds, drawn.tp, drawn.fp, strict=True):
        point = roc.at(threshold=t)
        assert (point.tp, point.fp) == (tp, fp)
    assert [drawn.thresholds[i] for i in drawn.hull] == roc.hull().thresholds.tolist()


@pytest.mark.parametrize("prevalence", [0.5, 0.02])
def test_counts_at_any_threshold_are_known_closely(prevalence):
    rng = np.random.default_rng(4)
    y = rng.random(60_000) < prevalence
    scores = th.Scores(y, rng.normal(size=y.size) + 1.5 * y)
    drawn = drawn_points(scores, 1000)
    assert len(drawn.tp) == 1001
    tp, fp = np.array(drawn.tp), np.array(drawn.fp)
    # Between two drawn points lies what is not known: little of each class, and little of what is called.
    assert np.diff(tp).max() <= 0.006 * scores.n_pos
    assert np.diff(fp).max() <= 0.006 * scores.n_neg
    called = tp + fp
    assert (np.diff(called)[1:] <= np.maximum(2, 0.08 * called[1:-1])).all()
    assert drawn.thresholds[1] == scores.thresholds[0]


def test_whole_scores_have_bins_around_them():
    scores = th.Scores([0, 1, 0, 1, 1], [0, 3, 1, 7, 3])
    histogram = histogram_of(scores)
    assert histogram.whole
    assert histogram.edges == [i - 0.5 for i in range(9)]
    assert histogram.pos == [0, 0, 0, 2, 0, 0, 0, 1]
    wide = histogram_of(th.Scores([0, 1, 1], [0, 100, 500]))
    assert set(np.diff(wide.edges)) == {11.0}
    assert not histogram_of(th.Scores([0, 1], [0.5, 1.0])).whole


def test_what_thinning_costs_is_bounded_and_measured():
    scores = many(20_000)
    drawn = drawn_points(scores, 300)
    area = float(np.trapezoid(np.array(drawn.tp) / scores.n_pos, np.array(drawn.fp) / scores.n_neg))
    assert 0 < abs(area - scores.roc_auc().value) <= drawn.area_bound < 0.01
    # The slow way: every point left out against every piece that is drawn.
    x, y = np.array(drawn.fp) / scores.n_neg, np.array(drawn.tp) / scores.n_pos
    roc = scores.roc()
    px, py = roc.fpr[::7, None], roc.tpr[::7, None]
    dx, dy = np.diff(x), np.diff(y)
    share = np.clip(((px - x[:-1]) * dx + (py - y[:-1]) * dy) / (dx**2 + dy**2), 0, 1)
    far = np.hypot(px - x[:-1] - share * dx, py - y[:-1] - share * dy).min(axis=1).max()
    assert 0 < far <= drawn.deviation + 1e-12
    assert drawn.deviation < 0.02


def test_more_vertices_than_points_are_kept_all_the_same():
    steps = np.arange(200)
    scores = th.Scores.from_counts(-steps.astype(float), pos=400 - 2 * steps, neg=1 + 2 * steps)
    assert len(scores.roc().hull()) == 201
    assert len(drawn_points(scores, 50).hull) == 201


def test_smooth_weighted_curves_are_thinned_too():
    steps = np.arange(30_000)
    pos, neg = 1.0 - steps / 30_001, 1e-5 + steps / 30_001
    scores = th.Scores.from_counts(-steps.astype(float), pos=pos, neg=neg)
    drawn = drawn_points(scores, 500)
    assert len(drawn.tp) <= 501
    assert drawn.deviation < 1e-4


def test_the_page_opens_at_the_largest_f1():
    scores = many(500, seed=3)
    drawn = drawn_points(scores, 1000)
    best = max(scores.roc().at(threshold=t).f1 for t in scores.thresholds.tolist())
    assert scores.roc().at(threshold=drawn.thresholds[drawn.start]).f1 == pytest.approx(best)


def test_float32_scores_are_written_as_people_write_them():
    assert plain(np.array([0.1, 1e-7, 3.0], dtype=np.float32)) == [0.1, 1e-7, 3.0]
    assert plain(np.array([1, 2])) == [1, 2]


@given(labelled())
def test_histograms_hold_every_case(data):
    y, score = data
    scores = th.Scores(y, score)
    histogram = histogram_of(scores)
    assert sum(histogram.pos) == scores.n_pos
    assert sum(histogram.neg) == scores.n_neg
    assert len(histogram.edges) == len(histogram.pos) + 1
    assert np.all(np.diff(histogram.edges) > 0)


@given(
    st.sampled_from(
        [
            [np.inf, -np.inf],
            [1e308, -1e308],
            [5.0, 5.0],
            [np.inf, 2.0],
            [0.0, 5e-324],
            [1.7976931348623157e308] * 2,
            [-1.7e308, -1.7e308],
        ]
    )
)
def test_histograms_of_extreme_scores(values):
    histogram = histogram_of(th.Scores([1, 0], values))
    assert np.all(np.isfinite(histogram.edges))
    assert (sum(histogram.pos), sum(histogram.neg)) == (1, 1)


def test_bins_are_half_open():
    histogram = histogram_of(th.Scores([0, 1, 0, 1], [0.0, 0.5, 0.499999, 1.0]))
    place = histogram.pos.index(1)
    assert histogram.edges[place] == 0.5
    assert histogram.neg[place - 1] == 1


@given(labelled(), st.sampled_from([2, 3, 1000]))
def test_short_thresholds_make_the_same_calls(data, most):
    scores = th.Scores(*data)
    drawn = drawn_points(scores, max(most, len(scores.roc().hull())))
    roc = scores.roc()
    for label, t in zip(drawn.labels, drawn.thresholds, strict=True):
        short, full = roc.at(threshold=label), roc.at(threshold=t)
        assert (short.tp, short.fp) == (full.tp, full.fp)


def test_short_thresholds_are_short():
    scores = th.Scores([1, 0, 1], [0.123456789, 0.1231, -7.654321])
    assert drawn_points(scores, 100).labels == [np.inf, 0.1234, 0.123, -7.66]
