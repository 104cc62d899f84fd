"""What a comparison is asked for, checked, and the figures that every method shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher._compare.paired_replicates import Effort
from thresher._core.checks import check_choice, check_confidence_level, show
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import Resampling
from thresher._inference.delong import ALTERNATIVES
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, measures_with
from thresher.typing import FloatArray

__all__ = ["COMPARE_METHODS", "Figures", "Question", "ask", "one_case", "percentile_ends", "spread"]

COMPARE_METHODS = ("delong", "normal", "bootstrap", "permutation", "venkatraman")


@dataclass(frozen=True, slots=True)
class Question:
    """The metric, the test and its options."""

    measure: Measure
    method: str
    alternative: str
    confidence_level: float
    margin: float | None
    effort: Effort
    stratified: bool

    @property
    def null(self) -> float:
        """The difference under the null hypothesis."""
        if self.margin is None:
            return 0.0
        return -self.margin if self.alternative == "greater" else self.margin


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one pair before adjustment."""

    difference: float
    low: float
    high: float
    statistic: float
    df: float
    standard_error: float
    pvalue: float


def ask(
    measure: Measure,
    how: Resampling,
    *,
    method: object,
    alternative: object,
    confidence_level: object,
    margin: object,
    analytic: bool = True,
) -> Question:
    """Check the options against each other; `analytic` says whether DeLong's test can serve these data."""
    if method is None:
        method = _usual_method(measure, analytic=analytic, margin=margin)
    kind = check_choice(method, "method", COMPARE_METHODS)
    side = check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_confidence_level(confidence_level)
    if kind not in measure.tests:
        known = " or ".join(map(repr, measures_with(kind)))
        others = " and ".join(map(repr, measure.tests)) or "none"
        raise InvalidInputError(
            f"`method={kind!r}` must have metric {known}; got {measure.title!r}. Hint: {measure.title!r} has {others}."
        )
    if kind == "venkatraman" and side != "two-sided":
        raise InvalidInputError(
            f"`method='venkatraman'` must have the alternative 'two-sided'; got {side!r}. "
            "Hint: curves that differ have no direction."
        )
    gap = None if margin is None else _check_margin(margin, kind, side)
    effort = Effort(how.n_resamples, stream_key(how.rng), how.batch_size, how.workers, how.progress)
    return Question(measure, kind, side, level, gap, effort, how.stratified)


def one_case(question: Question, *, weighted: bool = False) -> str:
    """Return what to do where a class has one case only, which DeLong's test cannot take."""
    other = "permutation" if question.margin is None and not weighted else "bootstrap"
    return f"method={other!r} answers with one case of a class."


def _usual_method(measure: Measure, *, analytic: bool, margin: object) -> str:
    """Return the first of the measure's tests that these data and this question allow."""
    for kind in measure.tests:
        rows_fit = analytic or kind not in ("delong", "normal")
        if rows_fit and (margin is None or kind not in ("permutation", "venkatraman")):
            return kind
    raise InvalidInputError(
        f"{measure.title!r} has no test between scorers"
        f"{'' if margin is None else ' with a margin'}. Hint: `thresher.measures.names()` lists other measures."
    )


def _check_margin(margin: object, method: str, alternative: str) -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0.0 <= margin < 1.0:
        raise InvalidInputError(
            f"`margin` must be a number in [0, 1); got {show(margin)}. "
            "Hint: it is the largest loss that is still acceptable."
        )
    if alternative == "two-sided":
        raise InvalidInputError(
            "`margin` must have a one-sided alternative; got 'two-sided'. "
            "Hint: alternative='greater' asks whether the first scorer is not worse by more than the margin."
        )
    if method in ("permutation", "venkatraman"):
        raise InvalidInputError(
            f"`margin` must not be given with method {method!r}, which tests equality only. "
            "Hint: use 'bootstrap', or 'delong' for the area under the ROC curve."
        )
    return float(margin)


def percentile_ends(differences: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Return the percentile interval of a difference."""
    tail = (1.0 - confidence_level) / 2.0
    low, high = np.quantile(differences, (tail, 1.0 - tail))
    return max(float(low), -1.0), min(float(high), 1.0)


def spread(differences: FloatArray) -> float:
    """Return the standard deviation of replicates."""
    return float(differences.std(ddof=1))
