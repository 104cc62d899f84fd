"""The area under the ROC curve, whole or in part, and the Gini coefficient."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_range
from thresher._core.device_path import twice_area_to
from thresher._core.device_ranks import DeviceRanks
from thresher._core.many_sums import table_sums
from thresher._core.resampling import Requested
from thresher._core.sums import accurate_sum, exact_dot
from thresher._core.values import value
from thresher._curves import mcclish, roc_curve
from thresher._inference import ConfidenceInterval, auc_moments, cortes_mohri
from thresher._inference.bootstrap import Figure, replicate_areas
from thresher._inference.delong import (
    COUNT_METHODS,
    areas_of_sums,
    influence_of_cells,
    interval_from_counts,
    partial_influence,
    partial_interval_from_counts,
    partial_spread,
    roc_influence,
    roc_spread,
    se_from_counts,
)
from thresher._inference.sampling import Influence, Kernel, Spread
from thresher._table import Batch, Counts, ManyTables, hard_calls, padded_counts, running_counts, shared_ties
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span, between_extremes
from thresher.measures._registry import measure
from thresher.typing import FloatArray


@measure()
@value
class RocAuc(Measure):
    """The area under the ROC curve; tied pairs count one half.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> th.measures.RocAuc().of(scores)
    0.75
    >>> scores.measure("auc") == scores.roc_auc()
    True
    """

    name = "roc_auc"
    needs = "path"
    monotone = True
    smooth = True
    test = "delong"
    own_tests = ("delong", "venkatraman")
    exact_spread = True
    aliases = ("auc", "auroc", "roc_auc_score")
    label = "The area under the ROC curve"
    intervals = ("bayes", *COUNT_METHODS, "cortes-mohri", "bootstrap")
    weighted_interval = "delong-logit"
    where_resampling_fails = "`scores.roc_auc().confidence_interval()` has length."

    def of(self, table: Counts) -> float:
        """Return the area of a table."""
        return between_extremes(table, roc_auc_value)

    def influence(self, table: Counts) -> Influence:
        """Return placements minus their mean: the proportion of the other class that a case beats."""
        return roc_influence(table)

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return DeLong's variance, with clusters Obuchowski's, or that of a method; class totals play no part."""
        del design
        if method in (None, "bayes", "delong", "delong-logit"):  # "bayes" is not made from a standard error
            return roc_spread(table)
        if method == "cortes-mohri":
            error = float(auc_moments(*_errors(table, at["threshold"])).sd)
        else:
            error = se_from_counts(table, auc=self.of(table), method=str(method))
        return Spread(error * error)

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return how much ties leave open, and whether the scores point the wrong way."""
        pairs = shared_ties(table).pairs if table._figures is None else table._figures.tied_pairs
        tied = float(pairs) / (table.n_pos * table.n_neg)
        lines = []
        if tied > 0:
            lines.append(
                f"{tied:.2%} of the pairs are tied; "
                f"breaking ties could give {found - tied / 2:.3g} to {found + tied / 2:.3g}"
            )
        if found < 0.5:
            lines.append("below one half: larger scores go with negatives; check `pos_label` and the sign of the score")
        note = hard_calls(table)
        return lines if note is None else [*lines, note]

    def interval(
        self, estimate: Estimate, level: float, method: str, options: IntervalOptions
    ) -> Span | ConfidenceInterval:
        """Return the interval by a method that needs no resampling."""
        if method == "cortes-mohri":
            errors = _errors(estimate.counts, options.threshold)
            return cortes_mohri(*errors, confidence_level=level, observed=estimate.value)
        if method == "bayes":
            return self.adverse_ends(estimate, level)
        low, high = interval_from_counts(estimate.counts, auc=estimate.value, method=method, confidence_level=level)
        return low, high

    def values(self, batch: Batch) -> FloatArray:
        """Return the area of each table."""
        return replicate_areas.roc_auc(batch.pos, batch.neg, batch.at)

    @property
    def figure(self) -> Figure:
        """The area of cells, straight from their weights."""
        return Figure(replicate_areas.roc_auc, influence_of_cells, smooth=True)

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the area and DeLong's variance."""
        return Kernel(
            Requested(roc_auc=True),
            lambda found: np.asarray(found.roc_auc),
            Requested(delong=True),
            many=many_roc_areas,
        )


def many_roc_areas(tables: ManyTables) -> tuple[FloatArray, FloatArray]:
    """Return areas and DeLong's errors from exact sums."""
    return areas_of_sums(table_sums(tables.pos, tables.neg, tables.ends))


def roc_auc_value(counts: Counts) -> float:
    """Return U / (n_pos * n_neg): the correctly rounded quotient of integers unless the counts are weights."""
    if counts._figures is not None:
        return float(min(counts._figures.twice_u / (2 * counts.n_pos * counts.n_neg), 1.0))
    if counts._plain is not None:
        counts = counts._plain
    if not counts._whole:
        return float(min(counts._wins / (counts.n_pos * counts.n_neg), 1.0))
    return counts._twice_u / (2 * counts.n_pos * counts.n_neg)


def _errors(table: Counts, threshold: float | None) -> tuple[int, int, int]:
    """Return positives, negatives and errors at a threshold."""
    if threshold is None:
        raise InvalidInputError(
            "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
            "Hint: for example `threshold=0.5`."
        )
    if table._weighted:
        raise InvalidInputError("method='cortes-mohri' must have row counts; got weights. Hint: use 'delong-logit'.")
    point = roc_curve(table).at(threshold=threshold)
    return int(point.n_pos), int(point.n_neg), int(point.fp + point.fn)


_AREA = RocAuc()


@measure()
@value
class Gini(Measure):
    """Somers' D of the labels: 2 AUC - 1; 0 for a useless ranking.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).measure("gini").value
    0.5
    """

    name = "gini"
    aliases = ("somers_d",)
    label = "The Gini coefficient"
    intervals = tuple(name for name in RocAuc.intervals if name != "cortes-mohri")
    weighted_interval = "delong-logit"
    needs = "path"
    exact_spread = True
    monotone = True
    bounds = (-1.0, 1.0)

    def of(self, table: Counts) -> float:
        """Return the coefficient of a table."""
        return 2.0 * _AREA.of(table) - 1.0

    def influence(self, table: Counts) -> Influence:
        """Return twice that of the area."""
        return _AREA.influence(table).scaled(2.0)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return that of the area, stretched."""
        found: Any = _AREA.interval(_AREA.estimate(estimate.counts), level, method, options)
        low, high = (found.low, found.high) if isinstance(found, ConfidenceInterval) else found
        return 2.0 * low - 1.0, 2.0 * high - 1.0

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return four times that of the area."""
        if method is None:
            return Measure.spread(self, table, design)
        error = 2.0 * math.sqrt(_AREA.spread(table, design, method, **at).variance)
        return Spread(error * error)

    def values(self, batch: Batch) -> FloatArray:
        """Return the coefficient of each table."""
        return 2.0 * _AREA.values(batch) - 1.0

    @property
    def kernel(self) -> Kernel:
        """That of the area."""
        return Kernel(Requested(roc_auc=True), lambda found: 2.0 * np.asarray(found.roc_auc) - 1.0, many=_many)


def _many(tables: ManyTables) -> tuple[FloatArray, FloatArray]:
    area, error = many_roc_areas(tables)
    return 2.0 * area - 1.0, 2.0 * error


@measure()
@value
class PartialRocAuc(Measure):
    """The area over a range of FPR (of sensitivity) or of TPR (of specificity); exactly one of them.

    Parameters
    ----------
    fpr, tpr : (low, high), optional
        The range.
    standardize : bool, default=False
        McClish's correction: chance becomes 1/2, perfection 1.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    >>> round(th.measures.PartialRocAuc(fpr=(0, 0.5)).of(scores), 4)
    0.3333
    """

    fpr: Span | None = None
    tpr: Span | None = None
    standardize: bool = False

    name = "partial_roc_auc"
    needs = "path"
    monotone = True
    aliases = ("pauc", "partial_auc")
    label = "The partial area under the ROC curve"
    intervals = ("bayes", "delong-logit", "delong", "bootstrap")
    weighted_interval = "delong-logit"

    def __post_init__(self) -> None:
        if (self.fpr is None) == (self.tpr is None):
            given = "neither" if self.fpr is None else "both"
            raise InvalidInputError(
                f"`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got {given}. "
                "Hint: for example `fpr=(0, 0.1)`."
            )
        object.__setattr__(self, self._along, check_range(self._span, self._along))

    @property
    def _along(self) -> str:
        return "fpr" if self.fpr is not None else "tpr"

    @property
    def _span(self) -> Span:
        span = self.tpr if self.fpr is None else self.fpr
        return (0.0, 1.0) if span is None else span

    @property
    def bounds(self) -> Span:
        """The least and the greatest area."""
        width = self._span[1] - self._span[0]
        return (self._corrected(0.0), 1.0) if self.standardize else (0.0, width)

    def _corrected(self, area: Any) -> Any:
        return mcclish(area, self._along, self._span) if self.standardize else area

    @property
    def _scale(self) -> float:
        """How much the measure grows with the area."""
        return float(self._corrected(1.0) - self._corrected(0.0)) if self.standardize else 1.0

    def of(self, table: Counts) -> float:
        """Return the area of a table."""
        return between_extremes(table, self._value)

    def _value(self, table: Counts) -> float:
        return partial_roc_auc_value(table, self._along, self._span, standardize=self.standardize)

    def influence(self, table: Counts) -> Influence:
        """Return cut placements minus their mean."""
        return partial_influence(table, span=self._span, axis=self._along).scaled(self._scale)

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return DeLong's variance of cut placements, with clusters Obuchowski's; class totals play no part."""
        del design, method, at
        variance, df = partial_spread(table, span=self._span, axis=self._along)
        return Spread(variance * self._scale**2, df)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the interval from weighted tables, or from DeLong's variance of cut placements."""
        del options
        if method == "bayes":
            return self.adverse_ends(estimate, level)
        table = estimate.counts
        raw = between_extremes(
            table, lambda one: partial_roc_auc_value(one, self._along, self._span, standardize=False)
        )
        low, high = partial_interval_from_counts(
            table, value=raw, span=self._span, axis=self._along, method=method, confidence_level=level
        )
        return self._corrected(low), self._corrected(high)

    def values(self, batch: Batch) -> FloatArray:
        """Return the area of each table."""
        found = replicate_areas.partial_area(batch.pos, batch.neg, batch.at, along=self._along, span=self._span)
        return np.asarray(self._corrected(self._of_range(found)))

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows parts of the area."""
        asks = Requested(spans=(self._span,), along_tp=self._along == "tpr")
        return Kernel(asks, lambda found: np.asarray(self._corrected(found.partial[:, 0])))

    def _of_range(self, area: FloatArray) -> FloatArray:
        """Return the partial area from the area between the curve and the axis of the range."""
        return area if self._along == "fpr" else (self._span[1] - self._span[0]) - area


def partial_roc_auc_value(counts: Counts, along: str, span: Span, *, standardize: bool) -> float:
    """Return the area, in rational arithmetic until the last division unless the counts are weights."""
    if counts._plain is not None:
        counts = counts._plain
    if counts._ranks is not None and counts.n_pos + counts.n_neg < 2**31:
        return _device_area(counts, counts._ranks, along, span, standardize=standardize)
    if counts._whole:
        return _exact_area(counts, along, span, standardize=standardize)
    tp, fp = padded_counts(counts)
    x, y = (fp, tp) if along == "fpr" else (tp, fp)
    x_total, y_total = x[-1].item(), y[-1].item()
    twice = _float_area_to(x, y, span[1] * x_total) - _float_area_to(x, y, span[0] * x_total)
    return _area(twice / (2 * x_total * y_total), along, span, standardize=standardize)


def _exact_area(counts: Counts, along: str, span: Span, *, standardize: bool) -> float:
    """Return the area of whole counts: a quotient of integers, rounded once."""
    tp, fp = running_counts(counts)
    x, y = (fp, tp) if along == "fpr" else (tp, fp)
    ends = _as_written(span)
    total, pairs = int(x[-1]), 2 * int(x[-1]) * int(y[-1])
    (low, of_low), (high, of_high) = (_exact_area_to(x, y, end, total) for end in ends)
    part, whole = high * of_low - low * of_high, of_high * of_low * pairs
    if along == "fpr" and not standardize:
        return part / whole
    return _area(Fraction(part, whole), along, ends, standardize=standardize)


def _device_area(counts: Counts, ranks: DeviceRanks, along: str, span: Span, *, standardize: bool) -> float:
    """Return the area of rows on a device, from the same whole numbers."""
    ends, n_pos, n_neg = _as_written(span), int(counts.n_pos), int(counts.n_neg)
    total = n_neg if along == "fpr" else n_pos
    low, high = (twice_area_to(ranks, along, end * total) for end in ends)
    return _area((high - low) / (2 * n_pos * n_neg), along, ends, standardize=standardize)


@lru_cache(maxsize=64)
def _as_written(span: Span) -> tuple[Fraction, Fraction]:
    """Return the ends at their word: 0.9 means nine tenths, not the double next to it."""
    return Fraction(repr(span[0])), Fraction(repr(span[1]))


def _area(area: Any, along: str, ends: tuple[Any, Any], *, standardize: bool) -> float:
    """Return the partial area from the one between the curve and the axis of the range."""
    if along == "tpr":
        area = (ends[1] - ends[0]) - area
    return float(mcclish(area, along, ends) if standardize else area)


def _exact_area_to(x: NDArray[Any], y: NDArray[Any], share: Fraction, total: int) -> tuple[int, int]:
    """Return twice the area under integer points, from (0, 0) to a proportion of the total of `x`: part and whole.

    The points do not begin with (0, 0).
    """
    if not share:
        return 0, 1
    along, of = share.numerator * total, share.denominator
    after = int(x.searchsorted(x.dtype.type(along // of), side="right"))
    left, up = x[:after].astype(np.int64), y[:after].astype(np.int64)
    area, at, height = 0, 0, 0
    if after:
        at, height = int(left[-1]), int(up[-1])
        steps, sums = left[1:] - left[:-1], up[1:] + up[:-1]
        fits = 2 * at * height < 2**62
        area = int(left[0]) * int(up[0]) + (int(np.dot(steps, sums)) if fits else exact_dot(steps, sums))
    if after == x.size:
        return area, 1
    into, run, rise = along - at * of, int(x[after]) - at, int(y[after]) - height
    return area * run * of * of + into * (2 * height * run * of + rise * into), run * of * of


def _float_area_to(x: NDArray[Any], y: NDArray[Any], end: float) -> float:
    """Return twice the area under float points from 0 to `end`."""
    last = int(np.searchsorted(x, end, side="right")) - 1
    whole = accurate_sum(np.diff(x[: last + 1]) * (y[:last] + y[1 : last + 1]))
    if last == x.size - 1:
        return whole
    into = end - float(x[last])
    rise = float(y[last + 1] - y[last]) / float(x[last + 1] - x[last])
    return whole + into * (2 * float(y[last]) + rise * into)
