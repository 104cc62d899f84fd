"""Part of the area under the ROC curve, for a range of FPR or of TPR."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_range
from thresher._core.sums import accurate_sum, exact_dot
from thresher._curves.area_floors import mcclish
from thresher._curves.curve import check_two_classes, padded_counts
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import AreaEstimate, bounded, centred

__all__ = ["partial_roc_auc", "partial_roc_auc_value"]

Span = tuple[float, float]


def partial_roc_auc(
    counts: Counts, *, fpr: object = None, tpr: object = None, standardize: bool = False
) -> AreaEstimate:
    """Return the area over a range of FPR (of sensitivity) or of TPR (of specificity)."""
    check_two_classes(counts, "The partial area under the ROC curve")
    if (fpr is None) == (tpr is None):
        given = "neither" if fpr is None else "both"
        raise InvalidInputError(
            f"`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got {given}. Hint: for example `fpr=(0, 0.1)`."
        )
    along = "fpr" if fpr is not None else "tpr"
    span = check_range(fpr if fpr is not None else tpr, along)

    def value_of(table: Counts) -> float:
        return partial_roc_auc_value(table, along, span, standardize=standardize)

    value = centred(counts, value_of)
    return AreaEstimate(
        value,
        "partial_roc_auc",
        "partial_roc_auc",
        bounded(counts, value, value_of, value_of),
        counts,
        fpr=span if along == "fpr" else None,
        tpr=span if along == "tpr" else None,
        standardized=standardize,
        most=1.0 if standardize else span[1] - span[0],
        least=mcclish(0.0, along, span) if standardize else 0.0,
        offset=mcclish(0.0, along, span) if standardize else 0.0,
        scale=mcclish(1.0, along, span) - mcclish(0.0, along, span) if standardize else 1.0,
    )


def partial_roc_auc_value(counts: Counts, along: str, span: Span, *, standardize: bool) -> float:
    """Return the area, in rational arithmetic until the last division unless the counts are weights."""
    if counts.squares is not None and counts.plain is not None:
        counts = counts.plain
    tp, fp = padded_counts(counts)
    ends: tuple[Any, Any] = span
    area_to: Callable[[NDArray[Any], NDArray[Any], Any], Any] = _float_area_to
    if counts.whole:
        # 0.9 means nine tenths, not the double next to it: the shortest decimal is taken at its word.
        ends = (Fraction(repr(span[0])), Fraction(repr(span[1])))
        area_to = _exact_area_to
    x, y = (fp, tp) if along == "fpr" else (tp, fp)
    x_total, y_total = x[-1].item(), y[-1].item()
    twice = area_to(x, y, ends[1] * x_total) - area_to(x, y, ends[0] * x_total)
    area = twice / (2 * x_total * y_total)
    if along == "tpr":
        area = (ends[1] - ends[0]) - area
    return float(mcclish(area, along, ends) if standardize else area)


def _exact_area_to(x: NDArray[Any], y: NDArray[Any], end: Fraction) -> Fraction:
    """Return twice the area under integer points from 0 to `end`."""
    last = int(np.searchsorted(x, math.floor(end), side="right")) - 1
    whole = exact_dot(np.diff(x[: last + 1]), y[:last] + y[1 : last + 1])
    if last == x.size - 1:
        return Fraction(whole)
    into = end - int(x[last])
    rise = Fraction(int(y[last + 1] - y[last]), int(x[last + 1] - x[last]))
    return whole + into * (2 * int(y[last]) + rise * into)


def _float_area_to(x: NDArray[Any], y: NDArray[Any], end: float) -> float:
    """Return twice the area under float points from 0 to `end`."""
    last = int(np.searchsorted(x, end, side="right")) - 1
    whole = accurate_sum(np.diff(x[: last + 1]) * (y[:last] + y[1 : last + 1]))
    if last == x.size - 1:
        return whole
    into = end - float(x[last])
    rise = float(y[last + 1] - y[last]) / float(x[last + 1] - x[last])
    return whole + into * (2 * float(y[last]) + rise * into)
