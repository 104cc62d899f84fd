"""What a comparison is asked for, checked, and the figures that every method shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher._compare.paired_replicates import Effort
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_resamples, show
from thresher._core.random_streams import Progress, Rng, stream_key
from thresher._curves import pr_curve
from thresher._inference.bootstrap.statistic import Statistic
from thresher._inference.delong.difference import ALTERNATIVES
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import partial_roc_auc, pr_auc, roc_auc
from thresher.typing import FloatArray

__all__ = ["COMPARE_METHODS", "Figures", "Question", "ask", "metric_value", "one_case", "percentile_ends", "spread"]

COMPARE_METHODS = ("delong", "bootstrap", "permutation", "venkatraman")


@dataclass(frozen=True, slots=True)
class Question:
    """The metric, the test and its options."""

    statistic: Statistic
    method: str
    alternative: str
    confidence_level: float
    margin: float | None
    effort: Effort

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
    statistic: Statistic,
    *,
    metric: str,
    method: object,
    alternative: object,
    confidence_level: object,
    margin: object,
    n_resamples: object,
    rng: Rng,
    batch_size: object,
    workers: object,
    progress: Progress | None,
) -> Question:
    """Check the options against each other."""
    plain = statistic.metric == "roc_auc"
    if method is None:
        method = _usual_method(statistic, margin=margin)
    kind = check_choice(method, "method", COMPARE_METHODS)
    side = check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_confidence_level(confidence_level)
    if kind in ("delong", "venkatraman") and not plain and (kind, statistic.metric) != ("delong", "partial_roc_auc"):
        known = "'roc_auc' or 'partial_roc_auc'" if kind == "delong" else "'roc_auc'"
        raise InvalidInputError(
            f"`method={kind!r}` must have metric {known}; got {metric!r}. "
            "Hint: 'bootstrap' and 'permutation' work for every metric."
        )
    if kind == "venkatraman" and side != "two-sided":
        raise InvalidInputError(
            f"`method='venkatraman'` must have the alternative 'two-sided'; got {side!r}. "
            "Hint: curves that differ have no direction."
        )
    gap = None if margin is None else _check_margin(margin, kind, side)
    effort = Effort(
        check_count(n_resamples, "n_resamples", minimum=2) if kind == "delong" else check_resamples(n_resamples),
        stream_key(rng),
        None if batch_size is None else check_count(batch_size, "batch_size", minimum=1),
        check_count(workers, "workers", minimum=1),
        progress,
    )
    return Question(statistic, kind, side, level, gap, effort)


def one_case(question: Question, *, weighted: bool = False) -> str:
    """Return what to do where a class has one case only, which DeLong's test cannot take."""
    other = "permutation" if question.margin is None and not weighted else "bootstrap"
    return f"method={other!r} answers with one case of a class."


def _usual_method(statistic: Statistic, *, margin: object) -> str:
    if statistic.metric == "roc_auc":
        return "delong"
    # The precision at a recall hangs on a quantile, which resampling makes rougher than it is.
    return "permutation" if statistic.metric == "precision_at_recall" and margin is None else "bootstrap"


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


def metric_value(counts: Counts, statistic: Statistic) -> float:
    """Return the metric of a count table, by the exact functions of areas and curves."""
    if statistic.metric == "roc_auc":
        return roc_auc(counts).value
    if statistic.metric == "partial_roc_auc":
        span = {"fpr": None, "tpr": None, statistic.along: statistic.span}
        return partial_roc_auc(counts, fpr=span["fpr"], tpr=span["tpr"], standardize=statistic.standardize).value
    if statistic.metric == "pr_auc":
        return pr_auc(
            counts,
            estimator=statistic.estimator,
            prevalence=statistic.prevalence,
            recall=None if statistic.span == (0.0, 1.0) else statistic.span,
            normalize=statistic.standardize,
        ).value
    return pr_curve(counts, prevalence=statistic.prevalence).at(recall=statistic.recall).precision


def percentile_ends(differences: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Return the percentile interval of a difference."""
    tail = (1.0 - confidence_level) / 2.0
    low, high = np.quantile(differences, (tail, 1.0 - tail))
    return max(float(low), -1.0), min(float(high), 1.0)


def spread(differences: FloatArray) -> float:
    """Return the standard deviation of replicates."""
    return float(differences.std(ddof=1))
