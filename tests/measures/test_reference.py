"""Areas, curves and hulls against the exact reference values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import thresher as th
from support import golden
from thresher._curves import min_average_precision
from thresher.measures._pr_estimators import pr_auc_value_numpy


def close(got: float, want: float, ulps: float = 4) -> bool:
    return abs(got - want) <= ulps * math.ulp(want) if want else got == 0


def each(figure: str) -> pytest.MarkDecorator:
    cases = golden.figures(figure)
    return pytest.mark.parametrize(
        ("dataset", "column", "want"), cases, ids=[f"{dataset}-{column}" for dataset, column, _ in cases]
    )


@each("auc_roc")
def test_roc_auc(dataset, column, want):
    scores = golden.scores(dataset, column)
    assert close(scores.roc_auc().value, want, 1 if scores._weighted else 0)


@each("auc_roc_fraction")
def test_roc_auc_is_the_correctly_rounded_fraction(dataset, column, want):
    assert golden.scores(dataset, column).roc_auc().value == float(Fraction(want))


@pytest.mark.parametrize(
    ("estimator", "figure"),
    [
        ("interpolated", "aucpr_dg_integral"),
        ("average_precision", "aucpr_average_precision"),
        ("trapezoid", "aucpr_trapezoid"),
        ("unit_steps", "aucpr_dg_unit_tp"),
        ("achievable", "aucpr_hull_integral"),
    ],
)
def test_pr_auc(estimator, figure):
    for dataset, column, want in golden.figures(figure):
        scores = golden.scores(dataset, column)
        got = scores.pr_auc(estimator=estimator).value
        assert close(got, want), (dataset, column, got, want)
        by_numpy = pr_auc_value_numpy(scores, estimator, 1.0, (0.0, 1.0))
        assert close(by_numpy, want), (dataset, column, by_numpy, want)


def test_normalised_pr_auc():
    for dataset, column, want in golden.figures("aucpr_dg_integral_normalised_boyd"):
        assert golden.scores(dataset, column).pr_auc(normalize=True).value == pytest.approx(want, rel=0, abs=1e-15)


@each("aucpr_min_boyd")
def test_min_pr_auc(dataset, column, want):
    assert close(th.min_pr_auc(golden.scores(dataset, column).prevalence), want)


@each("ap_min_boyd")
def test_min_average_precision(dataset, column, want):
    scores = golden.scores(dataset, column)
    assert close(min_average_precision(scores.n_pos, scores.n_neg), want)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize(
    ("along", "span"),
    [("fpr", s) for s in ("0_0.1", "0_0.2", "0_0.5", "0.1_0.2", "0.2_0.5")]
    + [("tpr", s) for s in ("0.9_1", "0.8_1", "0.5_1", "0.8_0.9")],
)
def test_partial_roc_auc(along, span, standardize):
    low, high = (float(end) for end in span.split("_"))
    for dataset, column, want in golden.figures(f"pauc_{along}_{span}" + "_mcclish" * standardize):
        got = golden.scores(dataset, column).partial_roc_auc(**{along: (low, high)}, standardize=standardize).value
        assert close(got, want), (dataset, column, got, want)


@each("counts_thr_tp_fp")
def test_counts(dataset, column, want):
    scores = golden.scores(dataset, column)
    got = [[t.item(), tp.item(), fp.item()] for t, tp, fp in zip(scores.thresholds, scores.tp, scores.fp, strict=True)]
    assert got == want


@each("curve_thr_tp_fp")
def test_weighted_counts(dataset, column, want):
    scores = golden.scores(dataset, column)
    got = np.column_stack((scores.thresholds, scores.tp, scores.fp))
    np.testing.assert_allclose(got, np.array(want), rtol=3e-16, atol=0)


@each("roc_hull_fp_tp")
def test_hull(dataset, column, want):
    hull = golden.scores(dataset, column).roc().hull()
    assert np.column_stack((hull.fp, hull.tp)).tolist() == want


@each("roc_hull_auc")
def test_area_of_the_hull(dataset, column, want):
    hull = golden.scores(dataset, column).roc().hull()
    steps = th.Scores.from_counts(hull.thresholds[1:], pos=np.diff(hull.tp), neg=np.diff(hull.fp))
    assert steps.roc_auc().value == want


@pytest.mark.parametrize("x", ["0.01", "0.05", "0.1", "0.2"])
def test_interpolated_tpr(x):
    for dataset, column, want in golden.figures(f"tpr_at_fpr_{x}_interp"):
        curve = golden.scores(dataset, column).roc()
        assert close(curve.at(fpr=float(x)).tpr, want), (dataset, column)
        assert close(float(curve.interpolate(float(x))), want), (dataset, column)


@pytest.mark.parametrize("x", [0.01, 0.05, 0.1, 0.2])
def test_best_tpr_among_thresholds(x):
    for dataset, column, want in golden.figures(f"tpr_at_fpr_le_{x}"):
        curve = golden.scores(dataset, column).roc()
        assert close(float(curve.tpr[curve.fpr <= x].max()), want), (dataset, column)


@pytest.mark.parametrize("dataset", ["edge_only_pos", "edge_only_neg"])
def test_one_class_only(dataset):
    scores = golden.scores(dataset, "score")
    for ask in (scores.roc, scores.pr, scores.achievable_pr, scores.roc_auc, scores.pr_auc, scores.det):
        with pytest.raises(th.UndefinedMetricError, match="needs both classes"):
            ask()


# The vectors of the peers' comparison: seven small lists, five decimals.
E5 = ([1] * 10 + [0] * 990, [1.0] * 5 + [0.0] * 995)
VECTORS = {
    "E1": ([1, 1, 0, 1, 1, 1, 0, 0, 1, 0], list(range(10, 0, -1))),
    "E2": ([1, 0, 0, 0], [0.5] * 4),
    "E3": ([0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6]),
    "E4": ([0, 0, 1, 1, 0], [0.8, 0.8, 0.8, 0.2, 0.2]),
    "E5": E5,
    "E6": ([1, 0, 1, 0, 0, 1], [0.9, 0.9, 0.8, 0.7, 0.7, 0.7]),
    "E7": ([0, 0, 0, 0, 1], [5, 4, 3, 2, 1]),
}
EXPECTED = {
    "average_precision": (0.84167, 0.25, 0.58333, 0.36667, 0.505, 0.55556, 0.2),
    "trapezoid": (0.82431, 0.625, 0.41667, 0.51667, 0.7525, 0.63889, 0.1),
    "interpolated": (0.82558, 0.25, 0.45069, 0.35281, 0.51576, 0.55297, 0.10743),
    "unit_steps": (0.82431, 0.25, 0.41667, 0.35, 0.55763, 0.55556, 0.1),
    "achievable": (0.90013, 0.25, 0.66667, 0.4, 0.51576, 0.63257, 0.2),
    "roc_auc": (0.75, 0.5, 0.5, 0.41667, 0.75, 0.61111, 0.0),
}


@pytest.mark.parametrize("figure", EXPECTED)
def test_peer_vectors(figure):
    for (labels, values), want in zip(VECTORS.values(), EXPECTED[figure], strict=True):
        scores = th.Scores(labels, values)
        got = scores.roc_auc() if figure == "roc_auc" else scores.pr_auc(estimator=figure)
        assert round(got.value, 5) == want


PRCBENCH = {
    "C1": ([3, 2, 2, 1], [1, 0, 1, 0], [(0, 1), (0.25, 1), (0.5, 1), (0.75, 0.75), (1, 2 / 3)], 0.88733),
    "C2": ([3, 3, 2, 1], [1, 0, 0, 1], [(0, 0.5), (0.25, 0.5), (0.5, 0.5), (0.75, 3 / 7), (1, 0.5)], 0.46232),
    "C3": ([4, 3, 2, 1], [0, 0, 1, 1], [(0, 0), (0.25, 0.2), (0.5, 1 / 3), (0.75, 3 / 7), (1, 0.5)], 0.30685),
    "C4": ([8, 7, 6, 5, 4, 3, 1, 1], [1, 1, 1, 0, 0, 0, 1, 0], [(0, 1), (0.75, 1), (0.875, 0.5), (1, 0.5)], 0.875),
}


@pytest.mark.parametrize("name", PRCBENCH)
def test_truth_points_of_prcbench(name):
    values, labels, points, area = PRCBENCH[name]
    scores = th.Scores(labels, values)
    recall, precision = zip(*points, strict=True)
    np.testing.assert_allclose(scores.pr().interpolate(recall), precision, rtol=1e-15)
    assert round(scores.pr_auc().value, 5) == area


def test_precrec_example():
    values = [20, 19, 18, 17, 16, 15] + [14] * 6 + [8, 7, 6] + [5] * 5
    labels = [c == "+" for c in "++-+++++----+-+-+---"]
    scores = th.Scores(labels, values)
    assert scores.roc_auc().value == 0.72
    assert scores.pr_auc().value == pytest.approx(0.73977144, abs=5e-9)
    assert scores.pr_auc(estimator="unit_steps").value == pytest.approx(0.74100733, abs=5e-9)
