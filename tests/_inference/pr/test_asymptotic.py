"""Standard errors of the PR area against derivatives by differences and by simulation; intervals and their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cases import CASES
from thresher._inference.pr import PR_INTERVAL_METHODS, pr_auc_interval, pr_auc_standard_error
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning, UndefinedMetricError
from thresher.measures._pr_estimators import pr_auc_value

ESTIMATORS = ("interpolated", "average_precision", "trapezoid", "functional", "achievable")


def by_differences(
    counts: Counts, estimator: str, prevalence: float | None, recall: tuple[float, float], design: str
) -> float:
    """The same variance from numerical derivatives of the area by each count."""
    pos, neg, step = counts.pos.astype(float), counts.neg.astype(float), 1e-5

    def slopes(mine: np.ndarray, value: object) -> np.ndarray:
        out = np.zeros(mine.size)
        for i in np.flatnonzero(mine):
            ends = []
            for sign in (1, -1):
                moved = mine.copy()
                moved[i] += sign * step
                ends.append(value(moved))  # type: ignore[operator]
            out[i] = (ends[0] - ends[1]) / (2 * step)
        return out

    def area(p: np.ndarray, q: np.ndarray) -> float:
        return pr_auc_value(Counts.from_counts(counts.thresholds, p, q), estimator, prevalence, recall)

    variance = 0.0
    for rows, slope in ((pos, slopes(pos, lambda p: area(p, neg))), (neg, slopes(neg, lambda q: area(pos, q)))):
        n = rows.sum()
        mean = (rows * slope).sum() / n
        # Rows of unequal weight: squares for rows, n^2 - sum of squares for n (n - 1), and a random number of
        # positives moves each row by its slope as it is.
        squares = (
            rows if counts._weight_squares is None else counts._pos_squares if rows is pos else counts._neg_squares
        )
        variance += (squares * (slope - mean) ** 2).sum() * n**2 / (n**2 - squares.sum())
        if prevalence is None and design == "random":
            variance += (squares * slope**2).sum() - (squares * (slope - mean) ** 2).sum()
    return math.sqrt(variance)


@pytest.mark.some(40)
@pytest.mark.filterwarnings("ignore:One negative at the top")
@pytest.mark.filterwarnings("ignore:design=.fixed. takes the odds")  # the hull alone has weights here
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("prevalence", [None, 0.05])
@pytest.mark.parametrize("recall", [(0.0, 1.0), (0.23, 0.81)])
@pytest.mark.parametrize("design", ["random", "fixed"])
@pytest.mark.parametrize("decimals", [9, 1, 0])
def test_influence_function_by_differences(
    estimator: str, prevalence: float | None, recall: tuple[float, float], design: str, decimals: int
) -> None:
    rng = np.random.default_rng(8)
    y = rng.random(35) < 0.4
    score = (rng.normal(size=35) + 1.2 * y).round(decimals)
    # Weights off the integers keep the hull free of points on an edge, where it has two derivatives.
    weight = rng.uniform(0.8, 1.2, 35) if estimator == "achievable" else None
    counts = Counts(y, score, sample_weight=weight)
    got = pr_auc_standard_error(counts, estimator=estimator, prevalence=prevalence, recall=recall, design=design)
    want = by_differences(counts, estimator, prevalence, recall, design)
    assert got == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize("estimator", ["interpolated", "average_precision"])
def test_close_to_the_jackknife(estimator: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.3
    counts = Counts(y, rng.normal(size=400) + 1.4 * y)
    left_out = []
    for i in range(len(counts)):
        pos, neg = counts.pos.copy(), counts.neg.copy()
        (pos if pos[i] else neg)[i] -= 1
        left_out.append(pr_auc_value(Counts.from_counts(counts.thresholds, pos, neg), estimator))
    n = len(left_out)
    jackknife = math.sqrt((n - 1) / n * np.square(left_out - np.mean(left_out)).sum())
    assert pr_auc_standard_error(counts, estimator=estimator) == pytest.approx(jackknife, rel=0.03)


@pytest.mark.some(4)
@pytest.mark.parametrize("case, skew", [("A", 1), ("A", 10), ("B", 4), ("C", 4), ("D", 4)])
@pytest.mark.parametrize("design", ["random", "fixed"])
def test_mean_standard_error_is_the_spread_of_the_area(case: str, skew: int, design: str) -> None:
    rng = np.random.default_rng(6)
    areas, errors = [], []
    for _ in range(400):
        counts = CASES[case].draw(rng, 1500, skew, fixed=design == "fixed")
        areas.append(pr_auc_value(counts, "interpolated"))
        errors.append(pr_auc_standard_error(counts, design=design))
    # The standard error of a standard deviation of 400 values is 3.5% of it.
    assert np.mean(errors) == pytest.approx(np.std(areas, ddof=1), rel=0.13)


def test_unit_steps_has_the_error_of_its_limit() -> None:
    counts = Counts([1, 0, 1, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    assert pr_auc_standard_error(counts, estimator="unit_steps") == pr_auc_standard_error(counts)


def test_frequencies_are_repetitions() -> None:
    rng = np.random.default_rng(2)
    y, s, w = rng.random(60) < 0.4, rng.normal(size=60).round(1), rng.integers(1, 4, 60)
    once = pr_auc_standard_error(Counts(np.repeat(y, w), np.repeat(s, w)))
    assert pr_auc_standard_error(Counts(y, s, frequency=w)) == once
    assert pr_auc_standard_error(Counts(y, s, frequency=w.astype(float))) == once


def test_all_tied_leaves_only_the_chance_in_the_prevalence() -> None:
    counts = Counts.from_counts([0.5], pos=[20], neg=[80])
    # The area is the prevalence itself, whose standard error is that of a binomial share.
    assert pr_auc_standard_error(counts) == pytest.approx(math.sqrt(0.2 * 0.8 / 100), rel=1e-12)
    assert pr_auc_standard_error(counts, design="fixed") == 0.0
    assert pr_auc_standard_error(counts, prevalence=0.2) == 0.0


SAMPLES = st.lists(st.integers(0, 9), min_size=2, max_size=20)


@given(
    SAMPLES,
    SAMPLES,
    st.sampled_from(ESTIMATORS),
    st.sampled_from([None, 0.02]),
    st.sampled_from([None, (0.2, 0.7)]),
    st.sampled_from(PR_INTERVAL_METHODS),
)
@pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")
def test_intervals_are_ordered_and_hold_the_area(
    pos: list[int],
    neg: list[int],
    estimator: str,
    prevalence: float | None,
    recall: tuple[float, float] | None,
    method: str,
) -> None:
    counts = Counts.from_pos_neg(pos, neg)
    area = pr_auc_value(counts, estimator, prevalence, recall or (0.0, 1.0))
    found = pr_auc_interval(counts, area, estimator=estimator, prevalence=prevalence, recall=recall, method=method)
    width = 1.0 if recall is None else recall[1] - recall[0]
    assert 0.0 <= found.low <= area + 1e-12
    assert area - 1e-12 <= found.high <= width + 1e-12
    assert (found.method, found.confidence_level) == (method, 0.95)


def test_formulas_of_boyd() -> None:
    counts = Counts.from_counts([2, 1], pos=[60, 40], neg=[40, 60])
    z = 1.959963984540054
    low, high = pr_auc_interval(counts, 0.7, method="binomial")
    assert (low, high) == pytest.approx((0.7 - z * math.sqrt(0.21 / 100), 0.7 + z * math.sqrt(0.21 / 100)), rel=1e-12)
    low, high = pr_auc_interval(counts, 0.7, method="logit-boyd")
    for end, sign in ((low, -1), (high, 1)):
        assert math.log(end / (1 - end)) == pytest.approx(math.log(0.7 / 0.3) + sign * z / math.sqrt(100 * 0.21))


def test_formulas_of_the_influence_function() -> None:
    counts = Counts([1, 1, 0, 1, 0, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.6, 0.3, 0.2, 0.1])
    area, z = pr_auc_value(counts, "interpolated"), 1.959963984540054
    se = pr_auc_standard_error(counts)
    low, _high = pr_auc_interval(counts, area)
    assert math.log(low / (1 - low)) == pytest.approx(math.log(area / (1 - area)) - z * se / (area * (1 - area)))
    assert pr_auc_interval(counts, area, method="asymptotic").low == pytest.approx(area - z * se)
    assert pr_auc_interval(counts, area, method="asymptotic").high == 1.0


def test_perfect_and_reversed_rankings_take_the_band() -> None:
    message = (
        "Positives and negatives are separated by their scores, so the data show no variation of the area; the "
        "interval is the area under the pointwise band instead."
    )
    perfect = Counts.from_pos_neg(np.arange(100.0, 150.0), np.arange(50.0))
    with pytest.warns(ThresherWarning) as caught:
        low, high = pr_auc_interval(perfect, 1.0)
    assert [str(w.message) for w in caught] == [message]
    # Up to 7% of the negatives could stand above all positives: an area of 1 - 0.072 log(1 + 1/0.072) = 0.81.
    assert 0.75 < low < 0.97
    assert high == 1.0
    reversed_ = Counts.from_pos_neg(np.arange(50.0), np.arange(100.0, 150.0))
    with pytest.warns(ThresherWarning) as caught:
        low, high = pr_auc_interval(reversed_, pr_auc_value(reversed_, "interpolated"), design="fixed")
    assert [str(w.message) for w in caught] == [message]
    # No ranking has a smaller area; the largest that such data leave possible is well above it.
    assert low == pr_auc_value(reversed_, "interpolated") < high < 0.5
    assert pr_auc_standard_error(perfect, design="fixed") == 0.0


def test_one_row_in_a_class() -> None:
    counts = Counts([1, 0, 0, 0], [3, 4, 2, 1])
    message = "needs more than one row in each class; got 1 positives and 3 negatives."
    with pytest.warns(ThresherWarning) as caught:
        assert math.isnan(pr_auc_standard_error(counts))
    assert [str(w.message) for w in caught] == [f"The standard error of the area {message}"]
    for method in ("logit", "asymptotic"):
        with pytest.warns(ThresherWarning) as caught:
            assert tuple(pr_auc_interval(counts, 0.5, method=method)) == (0.0, 1.0)
        assert [str(w.message) for w in caught] == [
            f"An interval of the area {message} The interval is the whole range."
        ]
    low, high = pr_auc_interval(counts, 0.5, method="logit-boyd")
    assert 0.0 < low < 0.5 < high < 1.0


@pytest.mark.parametrize(
    "method, ends, answer",
    [("binomial", (1.0, 1.0), "the single point"), ("logit-boyd", (0.0, 1.0), "the whole range")],
)
def test_boyd_at_an_area_of_one(method: str, ends: tuple[float, float], answer: str) -> None:
    perfect = Counts.from_pos_neg([3.0, 4.0], [1.0, 2.0])
    with pytest.warns(ThresherWarning) as caught:
        assert tuple(pr_auc_interval(perfect, 1.0, method=method)) == ends
    assert [str(w.message) for w in caught] == [
        (
            f"The interval {method!r} of an area of 1 is {answer} and says nothing. Hint: 'logit' then falls back on "
            "the band of the curve."
        )
    ]


BAD = [
    (
        {"confidence_level": 95},
        "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
    ),
    (
        {"method": "delong"},
        "`method` must be one of 'logit', 'logit-boyd', 'binomial', 'asymptotic'; got 'delong'.",
    ),
    (
        {"estimator": "ap"},
        (
            "`estimator` must be one of 'interpolated', 'average_precision', 'unit_steps', 'trapezoid', 'functional', "
            "'achievable'; got 'ap'."
        ),
    ),
    ({"design": 1}, "`design` must be one of 'random', 'fixed', 'class'; got 1."),
    ({"prevalence": 20}, "`prevalence` must be in (0, 1); got 20. Hint: pass 0.2, not a percentage."),
    (
        {"recall": (0.5, 0.2)},
        "`recall` must be a pair with 0 <= low < high <= 1; got (0.5, 0.2). Hint: give fractions, lowest first.",
    ),
    (
        {"area": 0.9, "recall": (0.5, 1.0)},
        (
            "`area` must be between 0 and 0.5, the width of the range of recall; got 0.9. Hint: pass the area as it "
            "is, not normalised."
        ),
    ),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    counts = Counts([1, 0, 1, 0], [4, 3, 2, 1])
    with pytest.raises(InvalidInputError) as caught:
        pr_auc_interval(counts, **({"area": 0.4} | arguments))  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_bad_area_and_missing_class() -> None:
    with pytest.raises(InvalidTypeError) as caught:
        pr_auc_interval(Counts([1, 0], [1, 2]), "half")  # type: ignore[arg-type]
    assert str(caught.value) == "`area` must be a number; got 'half'."
    with pytest.raises(UndefinedMetricError):
        pr_auc_interval(Counts([0, 0], [1, 2]), 0.5)
