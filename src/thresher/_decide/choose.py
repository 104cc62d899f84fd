"""One threshold out of all: the best by a rule, within limits, with ties settled in integers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.device_points import rows_near_best
from thresher._core.device_ranks import has_doubles
from thresher._curves import OperatingPoint, PrCurve
from thresher._decide.guarantee import attach, promised
from thresher._decide.hull_mix import mixed_point
from thresher._decide.promise import Promise
from thresher._decide.target import Target, as_written, exact_portion
from thresher._table import Counts, check_two_classes, padded_counts, with_infinity
from thresher.exceptions import InvalidInputError, UndefinedMetricError

__all__ = ["best_points", "choose"]

# Points whose value as a float is this close to the best are compared again as fractions.
_NEAR = 1e-9
_SAFE = 2**62


def choose(counts: Counts, target: Target, *, mix: bool = False, promise: Promise | None = None) -> OperatingPoint:
    """Return the operating point that is best by the target's rule among those that keep its limits.

    Comparisons are made in integers: two points tie only if they are equally good. Of tied points the one with the
    highest threshold is returned, which calls the fewest cases positive; only for "precision" the lowest, which finds
    more positives at the same precision. Sums of float weights are compared as they are.
    """
    check_two_classes(counts, "Choosing a threshold")
    if mix and promise is not None:
        raise InvalidInputError(
            "`mix=True` meets a limit with equality, which no `confidence` allows; got both. Hint: leave out one."
        )
    if mix:
        return mixed_point(counts, target)
    if promise is None:
        counts = near_best(counts, target) or counts
        best = _best(counts, target)
        return _curve(counts, target)._point(int(best[-1] if target.objective == "precision" else best[0]))
    tp, fp = padded_counts(counts)
    kept, terms = promised(counts, tp, fp, target, promise)
    best = _best(counts, target, kept)
    # For one recall the order statistic itself, whose law is known, and not a lower score that looks more precise.
    index = int(best[0] if target.limits.keys() != {"min_recall"} or target.rule else np.flatnonzero(kept)[0])
    if target.rule == "precision":
        index = int(best[-1])
    return attach(_curve(counts, target)._point(index), index, target, promise, terms)


def best_points(counts: Counts, target: Target) -> tuple[OperatingPoint, ...]:
    """Return every point that is as good as the one `choose` returns, highest threshold first.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher._decide import Target, best_points
    >>> scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    >>> [point.threshold for point in best_points(scores, Target("youden"))]
    [4.0, 2.0]
    """
    check_two_classes(counts, "Choosing a threshold")
    counts = near_best(counts, target) or counts
    curve = _curve(counts, target)
    return tuple(curve._point(int(index)) for index in _best(counts, target))


def near_best(counts: Counts, target: Target) -> Counts | None:
    """Return the rows of a table on a device that may be best, and the next lower score of each.

    Values are compared there in doubles, which is enough to tell which rows cannot win; None where all are needed.
    """
    ranks = counts._ranks
    if ranks is None or not has_doubles(ranks.pos):
        return None
    n_pos, n_neg = int(counts.n_pos), int(counts.n_neg)
    limits = [_common(*limit) for limit in limits_of(target, n_pos, n_neg)]
    if any(abs(a) * n_pos + abs(b) * n_neg >= _SAFE or abs(c) >= _SAFE for a, b, c in limits):
        return None
    rows = rows_near_best(ranks, limits, lambda tp, fp: _value(tp, fp, n_pos, n_neg, target))
    if rows is None:
        return None
    scores, tp, fp = rows
    return Counts._from_table((scores, np.diff(tp, prepend=0), np.diff(fp, prepend=0)))


def _value(tp: Any, fp: Any, n_pos: int, n_neg: int, target: Target) -> Any:
    """Return what shall be largest, between -2 and 1, as doubles of any library."""
    found, called, skew = tp / n_pos, fp / n_neg, float(target.skew(n_pos, n_neg))
    kind = target.objective
    if kind in ("recall", "youden"):
        return found if kind == "recall" else found - called
    if kind == "closest_corner":
        return -((1.0 - found) ** 2 + called**2)
    if kind == "cost":
        gain, loss = target.fn_cost * n_pos, target.fp_cost * skew * n_neg
        both = max(gain + loss, math.ulp(0.0))
        return gain / both * found - loss / both * called
    return tp / ((0.0 if kind == "precision" else target.beta**2 * n_pos) + tp + skew * fp)


def _curve(counts: Counts, target: Target) -> PrCurve:
    return PrCurve(
        with_infinity(counts.thresholds),
        *padded_counts(counts),
        prevalence=target.prevalence,
        sample=counts,
        every_score=counts.complete,
    )


def _best(counts: Counts, target: Target, kept: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """Return the indices of the best points, counted from the empty call at threshold +inf.

    With `kept`, the points at which the limits are promised, only a limit of these data is looked at besides.
    """
    tp, fp = padded_counts(counts)
    allowed = _within(tp, fp, target if kept is None else Target(max_alerts=target.max_alerts))
    if kept is not None:
        allowed &= kept
    if target.objective == "precision":
        allowed &= tp + fp > 0
    index = np.flatnonzero(allowed)
    if index.size == 0:
        raise UndefinedMetricError(
            f"Some threshold must keep {_limits_text(target)}; none of {tp.size - 1:,} does. "
            f"Hint: {_remedy(tp, fp, target)}."
        )
    return index[_argmax(*_quality(tp[index], fp[index], tp[-1], fp[-1], target))]


def _limits_text(target: Target) -> str:
    return " and ".join(f"`{name}={value!r}`" for name, value in target.limits.items())


def _remedy(tp: NDArray[Any], fp: NDArray[Any], target: Target) -> str:
    if target.limits.keys() == {"min_precision"}:
        skew = float(target.skew(tp[-1].item(), fp[-1].item()))
        return f"the highest precision is {float((tp[1:] / (tp[1:] + skew * fp[1:])).max()):.6g}"
    return "loosen one of the limits"


def _within(tp: NDArray[Any], fp: NDArray[Any], target: Target) -> NDArray[np.bool_]:
    """Return which points keep the limits: exact where the counts are integers."""
    inside = np.ones(tp.size, dtype=np.bool_) if target.min_precision is None else tp + fp > 0
    for limit in limits_of(target, tp[-1].item(), fp[-1].item()):
        inside &= _linear_at_least(tp, fp, *limit)
    return inside


def limits_of(target: Target, n_pos: float, n_neg: float) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Yield the limits of a target as a, b and c of a tp + b fp >= c."""
    skew, none, one = target.skew(n_pos, n_neg), Fraction(0), Fraction(1)
    if target.min_recall is not None:
        yield one, none, exact_portion(target.min_recall, n_pos)
    if target.max_fpr is not None:
        yield none, -one, -exact_portion(target.max_fpr, n_neg)
    if target.min_precision is not None:
        share = as_written(target.min_precision)
        yield 1 - share, -share * skew, none
    if target.max_alert_rate is not None:
        yield -one, -skew, -as_written(target.max_alert_rate) * (_exact(n_pos) + skew * _exact(n_neg))
    if target.max_alerts is not None:
        yield -one, -one, Fraction(-target.max_alerts)


def _exact(total: float) -> Fraction:
    return Fraction(total)


def _linear_at_least(
    tp: NDArray[Any], fp: NDArray[Any], a: Fraction, b: Fraction, bound: Fraction
) -> NDArray[np.bool_]:
    """Return where a tp + b fp >= bound."""
    if tp.dtype.kind == "f":
        slack = 1e-12 * (abs(float(a)) * abs(tp).max() + abs(float(b)) * abs(fp).max())
        return np.asarray(float(a) * tp + float(b) * fp >= float(bound) - slack)
    a_int, b_int, bound_int = _common(a, b, bound)
    return np.asarray(_combine(tp, fp, a_int, b_int) >= bound_int, dtype=np.bool_)


def _common(*parts: Fraction) -> list[int]:
    """Return the numerators over one denominator."""
    denominator = int(np.lcm.reduce(np.array([part.denominator for part in parts], dtype=object)))
    return [int(part * denominator) for part in parts]


def _combine(tp: NDArray[Any], fp: NDArray[Any], a: int, b: int) -> NDArray[Any]:
    """Return a tp + b fp, in int64 where it fits and in Python's integers where not."""
    if abs(a) * int(np.abs(tp).max()) + abs(b) * int(np.abs(fp).max()) >= _SAFE or max(abs(a), abs(b)) >= _SAFE:
        tp, fp = tp.astype(object), fp.astype(object)
    total: NDArray[Any] = a * tp + b * fp
    return total


def _quality(
    tp: NDArray[Any], fp: NDArray[Any], n_pos: Any, n_neg: Any, target: Target
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return numerators and, for ratios, denominators of what shall be largest."""
    skew = target.skew(n_pos.item(), n_neg.item())
    kind = target.objective
    if kind == "recall":
        return tp, None
    if kind == "youden":
        return _weighted_sum(tp, fp, _exact(n_neg.item()), -_exact(n_pos.item())), None
    if kind == "cost":
        return _weighted_sum(tp, fp, as_written(target.fn_cost), -as_written(target.fp_cost) * skew), None
    if kind == "closest_corner":
        return _minus_squared_distance(tp, fp, n_pos.item(), n_neg.item()), None
    if kind == "precision":
        plus = Fraction(0)
        one = Fraction(1)
    else:
        # F-beta grows with tp / (beta^2 n_pos + tp + skew fp).
        one = Fraction(1)
        plus = as_written(target.beta) ** 2 * _exact(n_pos.item())
    if tp.dtype.kind == "f":
        return tp, float(plus) + tp + float(skew) * fp
    a, b, constant = _common(one, skew, plus)
    over = _combine(tp, fp, a, b)
    return tp, over + constant if constant < _SAFE // 2 else over.astype(object) + constant


def _weighted_sum(tp: NDArray[Any], fp: NDArray[Any], a: Fraction, b: Fraction) -> NDArray[Any]:
    if tp.dtype.kind == "f":
        return np.asarray(float(a) * tp + float(b) * fp)
    return _combine(tp, fp, *_common(a, b))


def _minus_squared_distance(tp: NDArray[Any], fp: NDArray[Any], n_pos: float, n_neg: float) -> NDArray[Any]:
    missed, called = (n_pos - tp), fp
    if tp.dtype.kind == "f":
        return np.asarray(-((missed / n_pos) ** 2 + (called / n_neg) ** 2))
    if 2 * (n_pos * n_neg) ** 2 < _SAFE:
        return np.asarray(-((missed * n_neg) ** 2 + (called * n_pos) ** 2))
    approximate = (missed / n_pos) ** 2 + (called / n_neg) ** 2
    # Only those that can be nearest are squared in full; the others are put behind them.
    near = np.flatnonzero(approximate <= approximate.min() + _NEAR)
    exact = -((missed[near].astype(object) * n_neg) ** 2 + (called[near].astype(object) * n_pos) ** 2)
    out = np.full(tp.size, exact.min() - 1, dtype=object)
    out[near] = exact
    return out


def _argmax(numerator: NDArray[Any], denominator: NDArray[Any] | None) -> NDArray[np.intp]:
    """Return where the quotient is largest; all of the ties."""
    if denominator is None:
        return np.flatnonzero(numerator == numerator.max())
    ratio = np.asarray(numerator / denominator, dtype=np.float64)
    if numerator.dtype.kind == "f":
        return np.flatnonzero(ratio == ratio.max())
    near = np.flatnonzero(ratio >= ratio.max() * (1 - _NEAR))
    over, under = numerator[near].tolist(), denominator[near].tolist()
    top, bottom = over[0], under[0]
    for a, b in zip(over, under, strict=True):
        if a * bottom > top * b:
            top, bottom = a, b
    ties = [a * bottom == top * b for a, b in zip(over, under, strict=True)]
    return near[np.array(ties, dtype=np.bool_)]
