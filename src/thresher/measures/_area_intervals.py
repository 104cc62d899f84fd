"""Which interval belongs to which area: choices checked here, numbers computed by the inference layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from thresher._core.checks import check_choice, check_confidence_level, check_resamples
from thresher._core.random_streams import Progress, Rng
from thresher._curves import roc_curve
from thresher._inference import ConfidenceInterval, auc_moments, cortes_mohri
from thresher._inference.bootstrap.distribution import BootstrapDistribution, bootstrap_table
from thresher._inference.bootstrap.statistic import make_statistic
from thresher._inference.delong.interval_methods import (
    COUNT_METHODS,
    interval_from_counts,
    partial_interval_from_counts,
    se_from_counts,
)
from thresher._inference.delong.partial import partial_spread
from thresher._inference.influence.checks import check_weights
from thresher._inference.pr.asymptotic import (
    BOYD_METHODS,
    PR_INTERVAL_METHODS,
    boyd_standard_error,
    pr_auc_interval,
    pr_auc_standard_error,
)
from thresher.exceptions import InvalidInputError

if TYPE_CHECKING:
    from thresher.measures._estimate import AreaEstimate

__all__ = ["METHODS", "Options", "area_interval", "area_standard_error"]

METHODS = {
    "roc_auc": (
        "delong-logit",
        *(name for name in COUNT_METHODS if name != "delong-logit"),
        "cortes-mohri",
        "bootstrap",
    ),
    "partial_roc_auc": ("delong-logit", "delong", "bootstrap"),
    "pr_auc": (*PR_INTERVAL_METHODS, "bootstrap"),
}
"""The methods of each metric, its default first."""


@dataclass(frozen=True, slots=True)
class Options:
    """What single methods need."""

    threshold: float | None = None
    n_resamples: int = 2000
    rng: Rng = None
    bootstrap: str = "bca"
    stratified: bool = True
    design: str = "random"
    progress: Progress | None = None


def area_interval(
    area: AreaEstimate, confidence_level: float, method: str | None, options: Options
) -> ConfidenceInterval:
    """Return the interval of an area, widened by the error bound of a compressed table."""
    level = check_confidence_level(confidence_level)
    chosen = _chosen(area, method, options)
    if chosen == "cortes-mohri":
        return cortes_mohri(*_errors(area, options.threshold), confidence_level=level, observed=area.value)
    counts = area.counts
    if chosen == "bootstrap":
        resampled = _resampled(area, options)
        low, high = resampled.confidence_interval(level, method=options.bootstrap)
        if counts.figures is not None and area.error_bound == 0.0:
            # Resampled were the scores that are kept; the area is that of all of them.
            moved = area.value - resampled.value
            low, high = low + moved, high + moved
    elif area.metric == "roc_auc":
        low, high = interval_from_counts(counts, auc=area.value, method=chosen, confidence_level=level)
    elif area.metric == "pr_auc":
        found = pr_auc_interval(
            counts,
            area.raw,
            confidence_level=level,
            method=chosen,
            estimator=area.estimator,
            prevalence=area.prevalence,
            recall=area.recall,
            design=options.design,
        )
        low, high = (area.from_raw(end) for end in found)
    else:
        found = partial_interval_from_counts(
            counts, value=area.raw, span=area.span, axis=area.along, method=chosen, confidence_level=level
        )
        low, high = (area.from_raw(end) for end in found)
    bound = area.error_bound
    return ConfidenceInterval(max(low - bound, area.least), min(high + bound, area.most), level, chosen)


def area_standard_error(area: AreaEstimate, method: str | None, options: Options) -> float:
    """Return the standard error of an area."""
    chosen = _chosen(area, method, options)
    counts = area.counts
    if chosen == "cortes-mohri":
        return float(auc_moments(*_errors(area, options.threshold)).sd)
    if chosen == "bootstrap":
        return _resampled(area, options).standard_error
    if area.metric == "roc_auc":
        return se_from_counts(counts, auc=area.value, method=chosen)
    if area.metric == "pr_auc":
        if chosen in BOYD_METHODS:
            low, high = (0.0, 1.0) if area.recall is None else area.recall
            check_weights(counts)
            return boyd_standard_error(area.raw, counts.effective_pos, high - low) * area.scale
        error = pr_auc_standard_error(
            counts,
            estimator=area.estimator,
            prevalence=area.prevalence,
            recall=area.recall,
            design=options.design,
        )
        return error * area.scale
    variance = partial_spread(counts, span=area.span, axis=area.along).variance
    return float(variance**0.5) * area.scale


def _chosen(area: AreaEstimate, method: str | None, options: Options) -> str:
    chosen = METHODS[area.metric][0] if method is None else check_choice(method, "method", METHODS[area.metric])
    if options.threshold is not None and chosen != "cortes-mohri":
        raise InvalidInputError(
            f"`threshold` belongs to method='cortes-mohri'; got it with {chosen!r}. Hint: leave it out."
        )
    return chosen


def _errors(area: AreaEstimate, threshold: float | None) -> tuple[int, int, int]:
    """Return positives, negatives and errors at a threshold."""
    if threshold is None:
        raise InvalidInputError(
            "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
            "Hint: for example `threshold=0.5`."
        )
    if area.counts.weighted:
        raise InvalidInputError(
            "method='cortes-mohri' must have numbers of rows; got weights. Hint: use 'delong-logit'."
        )
    point = roc_curve(area.counts).at(threshold=threshold)
    return int(point.n_pos), int(point.n_neg), int(point.fp + point.fn)


def _resampled(area: AreaEstimate, options: Options) -> BootstrapDistribution:
    statistic = make_statistic(
        area.metric,
        estimator=area.estimator if area.metric == "pr_auc" else None,
        prevalence=area.prevalence,
        fpr=area.fpr,
        tpr=area.tpr,
        recall=area.recall,
        standardize=area.standardized,
    )
    return bootstrap_table(
        area.counts,
        statistic,
        stratified=options.stratified,
        n_resamples=check_resamples(options.n_resamples),
        rng=options.rng,
        progress=options.progress,
    )
