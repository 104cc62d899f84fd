"""Standard errors and intervals of areas under the precision-recall curve, of one table or of many at once.

An area is a sum over pieces of the curve. A piece goes from (t0, f0) to (t1, f1) true and false positives, and its
derivatives by those four numbers are closed integrals; a case at a score moves all points from there on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._core import native
from thresher._core.checks import check_choice, check_confidence_level, check_prevalence, check_range, show, warn
from thresher._core.hull import upper_hull
from thresher._core.sums import cumulative, dot
from thresher._curves import hull_counts
from thresher._inference.bands.curve_band import pr_band
from thresher._inference.delong.delong import rows_of
from thresher._inference.interval import ConfidenceInterval, clipped, normal_quantile
from thresher._inference.sampling import (
    Influence,
    Spread,
    centred,
    check_weights,
    quantile,
    refuse_dependent,
    sampling_of,
    warn_of_balance,
)
from thresher._table import Counts, ManyTables, check_two_classes, kernels_take, padded_counts, running_counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import FloatArray

# Beyond this growth of the calls within a piece its integrals are taken in closed form, below by quadrature.
_GROWTH = 2.0
# Points of Gauss and Legendre on [0, 1] by the growth up to which they are right to 13 digits.
_RULES = [
    (most, (x := 0.5 + nodes[:, None] / 2.0, weights[:, None] / 2.0, np.stack((x, 1.0 - x), axis=1)))
    for most, (nodes, weights) in (
        (bound, np.polynomial.legendre.leggauss(n)) for bound, n in ((1e-3, 3), (0.05, 6), (_GROWTH, 12))
    )
]
_BLOCK = 1 << 15
# Of so few pieces all points are taken at once.
_AT_ONCE = 1 << 9
Span = tuple[float, float]
_ALL: Span = (0.0, 1.0)


class Gradient(NamedTuple):
    """Derivatives of (positives × area): element i belongs to one more case at score i (not centred)."""

    positive: FloatArray
    negative: FloatArray


class _Corner(NamedTuple):
    """Derivatives of one piece by where it starts and where it ends."""

    start_tp: FloatArray
    start_fp: FloatArray
    end_tp: FloatArray
    end_fp: FloatArray


def area_gradient(tp: FloatArray, fp: FloatArray, estimator: str, recall: Span) -> Gradient:
    """Return the derivatives of the integral of precision over true positives."""
    by_tp, by_fp = np.zeros(tp.size), np.zeros(tp.size)
    rising = np.flatnonzero(tp[1:] > tp[:-1])
    low, high = recall[0] * tp[-1], recall[1] * tp[-1]
    # In blocks, so that what is computed on the way stays in the cache and memory in bounds.
    for first in range(0, rising.size, _BLOCK):
        before = rising[first : first + _BLOCK]
        t0, t1, f0, f1 = tp[before], tp[before + 1], fp[before], fp[before + 1]
        if estimator == "functional":
            f1 = f0
        a, b = t0, t1
        if recall != _ALL:
            a, b = np.maximum(t0, low), np.minimum(t1, high)
            inside = b > a
            before, t0, t1, f0, f1, a, b = (column[inside] for column in (before, t0, t1, f0, f1, a, b))
        corner = _corner(t0, t1, f0, f1, a, b, estimator)
        by_tp[before] += corner.start_tp
        by_fp[before] += corner.start_fp
        by_tp[before + 1] += corner.end_tp
        by_fp[before + 1] += corner.end_fp
    # A case moves all points from its score on; point 0 never moves.
    return Gradient(np.cumsum(by_tp[:0:-1])[::-1], np.cumsum(by_fp[:0:-1])[::-1])


def _corner(
    t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray, estimator: str
) -> _Corner:
    if estimator == "average_precision":
        return _held(t0, t1, f1, a, b)
    if estimator == "trapezoid":
        return _linear(t0, t1, f0, f1, a, b)
    corner = _hyperbola(t0, t1, f0, f1, a, b)
    if estimator == "functional":
        return corner._replace(start_fp=corner.start_fp + corner.end_fp, end_fp=np.zeros(t0.size))
    return corner


def _hyperbola(t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of the integral from a to b of u / (u + f(u)), f linear from f0 at t0 to f1 at t1."""
    p = t1 - t0
    slope = (f1 - f0) / p
    if a is t0 and b is t1:
        rising, falling = _weighted(t0, f0, p, slope * p)
        by_f0 = (rising + falling) - rising
        return _Corner(slope * by_f0 - _precision(t0, f0, p, f1), -by_f0, slope * rising + t1 / (t1 + f1), -rising)
    lam_a, lam_b = (a - t0) / p, (b - t0) / p
    # The part from a to b is a piece of its own; weights that grow along it are combined from its two ends.
    rising, falling = _weighted(a, f0 + slope * (a - t0), b - a, slope * (b - a))
    by_f1 = lam_a * (rising + falling) + (lam_b - lam_a) * rising
    by_f0 = (1.0 - lam_a) * (rising + falling) - (lam_b - lam_a) * rising
    return _Corner(
        slope * by_f0 - np.where(a == t0, _precision(t0, f0, p, f1), 0.0),
        -by_f0,
        slope * by_f1 + np.where(b == t1, t1 / (t1 + f1), 0.0),
        -by_f1,
    )


def _precision(t: FloatArray, f: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return t / (t + f), or that of the piece where nothing is called yet."""
    called = t + f
    return np.where(called > 0.0, t / np.where(called > 0.0, called, 1.0), p / (p + q))


def _weighted(t: FloatArray, f: FloatArray, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the integrals of w(u) u / (u + f(u))^2 over a piece, for w rising from 0 to 1 and falling to 0.

    The falling one diverges for a piece from the origin; it belongs to a point that cannot move and is set to 0.
    """
    called, added = t + f, p + q
    growth = added / np.where(called > 0.0, called, 1.0)
    origin = called == 0.0
    steep = (growth > _GROWTH) & ~origin

    rising = np.zeros(t.size)
    falling = np.zeros(t.size)
    flat = ~steep & ~origin
    t_, c_, p_, a_ = t[flat], called[flat], p[flat], added[flat]
    most = float(growth[flat].max(initial=0.0))
    node, weight, both = next(rule for bound, rule in _RULES if most <= bound)
    if t_.size <= _AT_ONCE:
        height = weight * (t_ + node * p_) / np.square(c_ + node * a_)
        # Never one column alone, whose numbers would be added in another order.
        up, down = (both * height[:, None]).sum(axis=0)
    else:
        up, down = np.zeros(t_.size), np.zeros(t_.size)
        for at, share in zip(node[:, 0].tolist(), weight[:, 0].tolist(), strict=True):
            height = share * (t_ + at * p_) / np.square(c_ + at * a_)
            up += at * height
            down += (1.0 - at) * height
    rising[flat], falling[flat] = up * p_, down * p_

    rising[origin] = np.square(p[origin] / added[origin])
    if not steep.any():
        return rising, falling
    t_, c_, p_, a_ = t[steep], called[steep], p[steep], added[steep]
    share = p_ / a_
    extra = t_ - share * c_
    log = np.log1p(a_ / c_)
    whole = share * log / a_ + extra / (c_ * (c_ + a_))
    up = (share + (extra - share * c_) * log / a_ - extra / (c_ + a_)) / a_
    rising[steep], falling[steep] = up * p_, (whole - up) * p_
    return rising, falling


def _held(t0: FloatArray, t1: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of (b - a) · t1 / (t1 + f1), the precision of the next point held."""
    called = t1 + f1
    precision = t1 / called
    return _Corner(
        np.where(a == t0, -precision, 0.0),
        np.zeros(t0.size),
        np.where(b == t1, precision, 0.0) + (b - a) * f1 / np.square(called),
        -(b - a) * t1 / np.square(called),
    )


def _linear(t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of the area under the line between two precisions; the first point has precision 1."""
    p = t1 - t0
    start, end = t0 + f0, t1 + f1
    from_nothing = start == 0.0
    start = np.where(from_nothing, 1.0, start)
    first, last = np.where(from_nothing, 1.0, t0 / start), t1 / end
    slope = (last - first) / p
    width, middle = b - a, (a + b) / 2.0 - t0
    # The line is first + (u - t0) slope; its integral from a to b is width (first + middle slope).
    by_first, by_last = width * (1.0 - middle / p), width * middle / p
    start_tp = by_first * np.where(from_nothing, 0.0, f0 / np.square(start)) - by_first * slope
    end_tp = by_last * f1 / np.square(end) - by_last * slope
    return _Corner(
        start_tp - np.where(a == t0, first, 0.0),
        np.where(from_nothing, 0.0, -by_first * t0 / np.square(start)),
        end_tp + np.where(b == t1, last, 0.0),
        -by_last * t1 / np.square(end),
    )


PR_INTERVAL_METHODS = ("logit", "logit-boyd", "binomial", "asymptotic")
BOYD_METHODS = ("logit-boyd", "binomial")
_ESTIMATORS = ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "achievable")
_DESIGNS = ("random", "fixed", "class")
# Recalls at which a band stands in for the interval of a perfect or reversed ranking.
_BAND_POINTS = 200


class _Request(NamedTuple):
    """What area is asked for."""

    estimator: str
    prevalence: float | None
    recall: Span
    design: str


def pr_auc_standard_error(
    counts: Counts,
    *,
    estimator: str = "interpolated",
    prevalence: float | None = None,
    recall: object = None,
    design: str = "random",
) -> float:
    """Estimate the standard error of the area under the PR curve, from its influence function.

    The derivatives by the masses at each score need no density. With d the derivatives centred within each class, the
    variance is the sum of n / (n - 1) times the sum of d^2 over the rows of each class, and for a random number of
    positives (integral of p(1 - p))^2 (1/n_pos + 1/n_neg) more, where p is precision along recall.
    """
    request = _check_request(counts, estimator, prevalence, recall, design)
    if min(rows_of(counts)) <= 1:
        warn(_too_few(counts, "The standard error of the area"))
        return math.nan
    return math.sqrt(_area_spread(counts, request).variance)


def pr_auc_interval(
    counts: Counts,
    area: float,
    *,
    confidence_level: float = 0.95,
    method: str = "logit",
    estimator: str = "interpolated",
    prevalence: float | None = None,
    recall: object = None,
    design: str = "random",
) -> ConfidenceInterval:
    """Confidence interval of the area under the PR curve (Boyd, Eng and Page 2013, doi:10.1007/978-3-642-40994-3_29).

    All methods cover too little near an area of 1 and with few positives, where the default of `Scores.pr_auc` holds.
    """
    request = _check_request(counts, estimator, prevalence, recall, design)
    level = check_confidence_level(confidence_level)
    how = check_choice(method, "method", PR_INTERVAL_METHODS)
    width = request.recall[1] - request.recall[0]
    mean = _check_area(area, width) / width
    z = normal_quantile(level)
    if how in BOYD_METHODS:
        check_weights(counts)
        refuse_dependent(counts, how)
        found = _boyd(mean, counts.effective_pos, z, how)
    elif min(rows_of(counts)) <= 1:
        warn(_too_few(counts, "An interval of the area") + " The interval is the whole range.")
        found = (0.0, 1.0)
    elif _separated(counts):
        warn(
            "Positives and negatives are separated by their scores, so the data show no variation of the area; the "
            "interval is the area under the pointwise band instead."
        )
        found = _band_areas(counts, request, level, mean)
    else:
        spread = _area_spread(counts, request)
        reach = quantile(level, spread.df)
        found = _normal(mean, math.sqrt(spread.variance) / width, reach, on_logit=how != "asymptotic")
    inside = clipped(found[0], found[1], level, how)
    return ConfidenceInterval(inside.low * width, inside.high * width, level, how)


def _check_request(counts: Counts, estimator: str, prevalence: float | None, recall: object, design: str) -> _Request:
    check_two_classes(counts, "The area under the precision-recall curve")
    return _Request(
        check_choice(estimator, "estimator", _ESTIMATORS),
        None if prevalence is None else check_prevalence(prevalence),
        _ALL if recall is None else check_range(recall, "recall"),
        check_choice(design, "design", _DESIGNS),
    )


def _check_area(area: float, width: float) -> float:
    try:
        value = float(area)
    except (TypeError, ValueError):
        raise InvalidTypeError(f"`area` must be a number; got {show(area)}.") from None
    if not 0.0 <= value <= width * (1.0 + 1e-12):
        raise InvalidInputError(
            f"`area` must be between 0 and {width:g}, the width of the range of recall; got {value!r}. "
            "Hint: pass the area as it is, not normalised."
        )
    return min(value, width)


def _too_few(counts: Counts, what: str) -> str:
    n_pos, n_neg = rows_of(counts)
    return f"{what} needs more than one row in each class; got {n_pos:g} positives and {n_neg:g} negatives."


def _area_spread(counts: Counts, request: _Request) -> Spread:
    """Return the variance of the area; arguments are trusted and both classes have more than one row."""
    check_weights(counts)
    known = request.prevalence is not None
    warn_of_balance(
        counts, _scale(request, float(counts.n_pos), float(counts.n_neg)), None if known else request.design
    )
    if counts._independent:
        return Spread(_counted_variance(counts, request))
    found = _influence(counts, request)
    if known:
        return sampling_of(counts).spread(Influence(found.pos, found.neg))
    return sampling_of(counts).spread(found, design=request.design)


def _scale(request: _Request, n_pos: float, n_neg: float) -> float:
    """Return by how much a negative counts more, where precision refers to another prevalence."""
    return 1.0 if request.prevalence is None else (1.0 - request.prevalence) / request.prevalence * n_pos / n_neg


def _influence(counts: Counts, request: _Request) -> Influence:
    """Return the influence of the area at each score of the table."""
    n_pos, n_neg = float(counts.n_pos), float(counts.n_neg)
    scale = _scale(request, n_pos, n_neg)
    kind = "interpolated" if request.estimator in ("unit_steps", "achievable") else request.estimator
    tp, fp = (column.astype(np.float64) for column in padded_counts(counts))
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    rho = scale * n_neg / n_pos
    if request.estimator != "achievable":
        return _of_gradient(area_gradient(tp, scale * fp, kind, request.recall), pos, neg, rho, n_neg)
    # Between two vertices of the hull all cases of a class have the same influence.
    vertices = upper_hull(fp, tp)
    of_row = np.searchsorted(vertices, np.arange(1, tp.size)) - 1
    gradient = area_gradient(tp[vertices], scale * fp[vertices], kind, request.recall)
    return _of_gradient(Gradient(gradient.positive[of_row], gradient.negative[of_row]), pos, neg, rho, n_neg)


def influence_of_cells(pos: FloatArray, neg: FloatArray, *, estimator: str) -> Influence:
    """Return the influence of a whole area, no hull, for weights of cells that have both classes."""
    tp, fp = np.zeros(pos.size + 1), np.zeros(neg.size + 1)
    tp[1:], fp[1:] = cumulative(pos), cumulative(neg)
    n_neg = float(fp[-1])
    return _of_gradient(area_gradient(tp, fp, estimator, _ALL), pos, neg, n_neg / float(tp[-1]), n_neg)


def _of_gradient(by: Gradient, pos: FloatArray, neg: FloatArray, rho: float, n_neg: float) -> Influence:
    """Return influence values from derivatives by cases; `rho` is what the negatives are worth for each positive."""
    by_pos, by_neg = (np.ascontiguousarray(column) for column in by)
    whole = dot(neg, by_neg)
    return Influence(centred(by_pos, pos), rho * (by_neg - whole / float(neg.sum())), rho * whole / n_neg)


def _counted_variance(counts: Counts, request: _Request) -> float:
    """Return the variance of the area of independent rows without weights."""
    n_pos, n_neg = float(counts.n_pos), float(counts.n_neg)
    scale = _scale(request, n_pos, n_neg)
    random = request.prevalence is None and request.design == "random"
    return float(counted_variance(_spread(counts, request, scale), n_pos, n_neg, scale, random=random))


def counted_variance(spread: native.PrSpread, n_pos: Any, n_neg: Any, scale: Any, *, random: bool) -> Any:
    """Return the variance of the area (of one table or many) from how its derivatives by scaled negatives vary."""
    variance = spread.positive_squares / n_pos / (n_pos - 1.0)
    variance = variance + scale * scale * spread.negative_squares / n_pos * (n_neg / n_pos) / (n_neg - 1.0)
    if random:
        # Doubling all negatives lowers the area as halving all positives does: both are the integral of p(1 - p).
        by_odds = scale * spread.negative_mean * n_neg / n_pos
        variance = variance + by_odds * by_odds * (1.0 / n_pos + 1.0 / n_neg)
    return variance


def pr_auc_spread(
    counts: Counts,
    *,
    estimator: str = "interpolated",
    prevalence: float | None = None,
    recall: object = None,
    design: str = "random",
) -> Spread:
    """Return the variance of the area with its degrees of freedom; both classes have more than one row."""
    return _area_spread(counts, _check_request(counts, estimator, prevalence, recall, design))


def pr_auc_influence(
    counts: Counts, *, estimator: str = "interpolated", prevalence: float | None = None, recall: object = None
) -> Influence:
    """Return how the area answers to more weight of either class at each score."""
    request = _check_request(counts, estimator, prevalence, recall, "random")
    found = _influence(counts, request)
    return found if prevalence is None else Influence(found.pos, found.neg)


def _spread(counts: Counts, request: _Request, scale: float) -> native.PrSpread:
    """Return how the derivatives of the area vary within each class."""
    kind = "interpolated" if request.estimator in ("unit_steps", "achievable") else request.estimator
    tp, fp = hull_counts(counts) if request.estimator == "achievable" else (None, None)
    if kernels_take(counts) and request.recall == _ALL:
        return native.pr_spread(
            *(running_counts(counts) if tp is None or fp is None else (tp[1:], fp[1:])), kind, scale
        )
    if tp is None or fp is None:
        tp, fp = padded_counts(counts)
    return spread_numpy(tp.astype(np.float64), fp.astype(np.float64), kind, scale, request.recall)


def spread_numpy(tp: FloatArray, fp: FloatArray, estimator: str, scale: float, recall: Span) -> native.PrSpread:
    """Return the same with NumPy alone: for parts of the curve and sums of weights; `tp` and `fp` run from (0, 0)."""
    gradient = area_gradient(tp, scale * fp, estimator, recall)
    return native.PrSpread(*_within(gradient.positive, np.diff(tp)), *_within(gradient.negative, np.diff(fp)))


def _within(derivative: FloatArray, rows: FloatArray) -> tuple[float, float]:
    """Return the mean over the members of one class, and their sum of squares around it."""
    mean = dot(rows, derivative) / float(rows.sum())
    return mean, dot(rows, np.square(derivative - mean))


def _separated(counts: Counts) -> bool:
    """Return whether all of one class score strictly above all of the other."""
    if counts._whole and counts._counted:
        return counts._twice_u in (0, 2 * int(counts.n_pos) * int(counts.n_neg))
    last_pos, last_neg = np.flatnonzero(counts.pos)[-1], np.flatnonzero(counts.neg)[-1]
    return bool(counts.fp[last_pos] == 0 or counts.tp[last_neg] == 0)


def _normal(area: float, se: float, z: float, *, on_logit: bool) -> Span:
    if not on_logit or not 0.0 < area < 1.0:
        return area - z * se, area + z * se
    centre, reach = float(scipy.special.logit(area)), z * se / (area * (1.0 - area))
    return float(scipy.special.expit(centre - reach)), float(scipy.special.expit(centre + reach))


def boyd_standard_error(area: float, n_pos: float, width: float = 1.0) -> float:
    """Return the standard error of an area over a width of recall that is taken for a proportion of `n_pos` trials."""
    mean = area / width
    return math.sqrt(mean * (1.0 - mean) / n_pos) * width


def _boyd(area: float, n_pos: float, z: float, method: str) -> Span:
    spread = boyd_standard_error(area, n_pos)
    if spread == 0.0:
        answer = "the single point" if method == "binomial" else "the whole range"
        warn(
            f"The interval {method!r} of an area of {area:g} is {answer} and says nothing. Hint: 'logit' then falls "
            "back on the band of the curve."
        )
        return (area, area) if method == "binomial" else (0.0, 1.0)
    return _normal(area, spread, z, on_logit=method != "binomial")


def _band_areas(counts: Counts, request: _Request, level: float, area: float) -> Span:
    """Return the areas under the ends of the pointwise band, over the width of the range."""
    low, high = request.recall
    x = low + (high - low) * (np.arange(_BAND_POINTS) + 0.5) / _BAND_POINTS
    design = "fixed" if request.design == "fixed" else "random"
    band = pr_band(counts, x, confidence_level=level, prevalence=request.prevalence, design=design)
    return min(float(band.low.mean()), area), max(float(band.high.mean()), area)


def many_pr_areas(
    tables: ManyTables, estimator: str = "interpolated", prevalence: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the area of each table and its standard error, by the compiled kernels, which must be there."""
    n_pos, n_neg = (column.astype(np.float64) for column in tables.totals)
    columns = tables.pos, tables.neg, tables.ends
    with np.errstate(divide="ignore", invalid="ignore"):
        if prevalence is None:
            scale = np.ones(n_pos.size)
            area, spread = native.many_pr(*columns, estimator, scale)
        else:  # the value and its error are rounded as those of a single table, which multiply in another order
            odds = (1.0 - prevalence) / prevalence
            area, _ = native.many_pr(*columns, estimator, odds * (n_pos / n_neg))
            scale = odds * n_pos / n_neg
            _, spread = native.many_pr(*columns, estimator, scale)
        variance = counted_variance(spread, n_pos, n_neg, scale, random=prevalence is None)
        values = np.where((n_pos > 0) & (n_neg > 0), area / n_pos, np.nan)
        return values, np.where((n_pos > 1) & (n_neg > 1), np.sqrt(variance), np.nan)
