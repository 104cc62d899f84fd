"""Which interval belongs to which area: choices checked here, numbers computed by the inference layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher._core.checks import check_choice, check_confidence_level
from thresher.curves import roc_curve
from thresher.exceptions import InvalidInputError
from thresher.inference import ConfidenceInterval, cortes_mohri
from thresher.inference._partial_delong import partial_delong
from thresher.inference._roc_auc_methods import (
    COUNT_METHODS,
    interval_from_counts,
    partial_interval_from_counts,
    se_from_counts,
)

if TYPE_CHECKING:
    from thresher.areas._estimate import AreaEstimate

__all__ = ["METHODS", "area_interval", "area_standard_error"]

METHODS = {
    "roc_auc": ("delong-logit", *(name for name in COUNT_METHODS if name != "delong-logit"), "cortes-mohri"),
    "partial_roc_auc": ("delong-logit", "delong"),
}
"""The methods of each metric, its default first."""


def area_interval(
    area: AreaEstimate, confidence_level: float, method: str | None, threshold: float | None
) -> ConfidenceInterval:
    """Return the interval of an area, widened by the error bound of a compressed table."""
    level = check_confidence_level(confidence_level)
    chosen = METHODS[area.metric][0] if method is None else check_choice(method, "method", METHODS[area.metric])
    if chosen == "cortes-mohri":
        return _by_errors(area, level, threshold)
    if threshold is not None:
        raise InvalidInputError(
            f"`threshold` belongs to method='cortes-mohri'; got it with {chosen!r}. Hint: leave it out."
        )
    counts = area.counts
    if area.metric == "roc_auc":
        found = interval_from_counts(counts.pos, counts.neg, auc=area.value, method=chosen, confidence_level=level)
    else:
        found = partial_interval_from_counts(
            counts.pos, counts.neg, span=area.span, axis=area.along, method=chosen, confidence_level=level
        )
    bound = area.error_bound or 0.0
    low, high = (area.from_raw(end) for end in found)
    return ConfidenceInterval(max(low - bound, area.least), min(high + bound, area.most), level, chosen)


def _by_errors(area: AreaEstimate, level: float, threshold: float | None) -> ConfidenceInterval:
    if threshold is None:
        raise InvalidInputError(
            "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
            "Hint: for example `threshold=0.5`."
        )
    if area.counts.weighted:
        raise InvalidInputError("method='cortes-mohri' must have whole counts; got weights. Hint: use 'delong-logit'.")
    point = roc_curve(area.counts).at(threshold=threshold)
    n_pos, n_neg, errors = int(point.n_pos), int(point.n_neg), int(point.fp + point.fn)
    return cortes_mohri(n_pos, n_neg, errors, confidence_level=level, observed=area.value)


def area_standard_error(area: AreaEstimate, method: str | None) -> float:
    """Return the standard error of an area."""
    known = tuple(name for name in METHODS[area.metric] if name not in ("newcombe", "cortes-mohri"))
    chosen = known[0] if method is None else check_choice(method, "method", known)
    counts = area.counts
    if area.metric == "roc_auc":
        return se_from_counts(counts.pos, counts.neg, auc=area.value, method=chosen)
    variance = partial_delong(counts.pos, counts.neg, span=area.span, axis=area.along).variance
    return float(variance**0.5) * area.scale
