"""One threshold out of all: the best by any metric, under any constraints, with ties settled exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells import at_thresholds, best_thresholds, find, orders, quotients
from thresher._curves import OperatingPoint, PrCurve
from thresher._decide.chosen import Choice, ChosenRows
from thresher._decide.guarantee import attach, promised
from thresher._decide.hull_mix import mixed_point
from thresher._decide.promise import Promise
from thresher._decide.target import Target, as_written, out_of_reach
from thresher._inference.sampling import check_whole
from thresher._table import Counts, check_two_classes, padded_counts, with_empty
from thresher.exceptions import InvalidInputError, UndefinedMetricError

__all__ = ["allowed_points", "best_points", "choose"]

_NEAR = 1e-9
_ROUNDING = 1e-12


def choose(counts: Counts, target: Target, *, mix: bool = False, promise: Promise | None = None) -> OperatingPoint:
    """Return the operating point that is best by the target's metric among those that keep its constraints.

    Comparisons are made in integers, or in fractions of the weights: two points tie only if they are equally good. Of
    tied points the one with the highest threshold is returned, which predicts the fewest cases positive; only for
    precision the lowest, which finds more positives at the same precision.
    """
    check_two_classes(counts, "Choosing a threshold")
    counts = _in_rows(counts, target)
    if mix and promise is not None:
        raise InvalidInputError(
            "`mix=True` meets a constraint with equality, which no `confidence` allows; got both. Hint: leave out one."
        )
    if mix:
        return replace(mixed_point(counts, target), choice=Choice(target))
    if promise is None:
        best = _best(counts, target)
        point = _curve(counts, target)._point(int(best[-1] if target.objective == "precision" else best[0]))
        return replace(point, choice=Choice(target, ChosenRows(counts._even, point.threshold, allowed_points)))
    tp, fp = padded_counts(counts)
    kept, terms = promised(counts, tp, fp, target, promise)
    best = _best(counts, target, kept)
    # For one recall the order statistic itself, whose distribution is known, and not a lower score that looks more
    # precise.
    plain = target.limits.keys() != {"min_recall"} or target.named
    index = int(best[0] if plain else np.flatnonzero(kept)[0])
    if target.named and target.objective == "precision":
        index = int(best[-1])
    point = attach(_curve(counts, target)._point(index), index, target, promise, terms)
    return replace(point, choice=Choice(target))


def best_points(counts: Counts, target: Target) -> tuple[OperatingPoint, ...]:
    """Return every point that is as good as the one `choose` returns, highest threshold first."""
    check_two_classes(counts, "Choosing a threshold")
    counts = _in_rows(counts, target)
    curve = _curve(counts, target)
    return tuple(curve._point(int(index)) for index in _best(counts, target))


def _in_rows(counts: Counts, target: Target) -> Counts:
    """Return the table of rows if the target counts rows, which sampling weights are not; else the table."""
    if "max_alerts" in target.limits:
        counts = check_whole(counts, "`max_alerts`", instead="give `max_alert_rate`")
    metrics = [target.goal, *(find(name[4:]) for name in target.limits if name != "max_alerts")]
    for metric in metrics:
        if metric.degree and target.prevalence is None:
            counts = check_whole(counts, metric.label, instead="use 'phi_square'")
    return counts


def _curve(counts: Counts, target: Target) -> PrCurve:
    return PrCurve(
        with_empty(counts.thresholds, counts._highest_scores[0]),
        *padded_counts(counts),
        prevalence=target.prevalence,
        sample=counts,
        every_score=counts._complete,
    )


def _best(counts: Counts, target: Target, kept: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """Return the indices of the best points, counted from the empty prediction; rows of one weight are counted.

    With `kept`, the points at which constraints are guaranteed, only a limit of these data is looked at besides.
    """
    tp, fp = padded_counts(counts._even)
    own = target
    if kept is not None:
        own = target.with_limits(**{name: one for name, one in target.limits.items() if name == "max_alerts"})
    allowed = allowed_points(tp, fp, own)
    if kept is not None:
        allowed &= kept
    best = best_thresholds(target.goal, tp, fp, maximize=target.maximize, allowed=allowed, prevalence=target.prevalence)
    if not best.size:
        raise UndefinedMetricError(_none_keeps(tp, fp, target, allowed))
    return best


def allowed_points(tp: NDArray[Any], fp: NDArray[Any], target: Target) -> NDArray[np.bool_]:
    """Return which points keep the constraints, compared exactly; a metric that is not defined keeps none."""
    inside = np.ones(tp.size, dtype=np.bool_)
    for name, limit in target.limits.items():
        if name == "max_alerts":
            inside &= np.asarray(tp + fp <= limit)
            continue
        metric, larger = find(name[4:]), name.startswith("min")
        values = at_thresholds([metric], tp, fp, prevalence=target.prevalence)[0]
        slack = _NEAR * max(abs(limit), 1.0)
        kept = values >= limit if larger else values <= limit
        values -= limit
        distance = np.abs(values)
        near = np.flatnonzero(distance <= slack)
        if tp.dtype.kind == "f":  # sums of weights are known to rounding
            kept[distance <= _ROUNDING * max(abs(limit), 1.0)] = True
        elif near.size and metric.ratio is not None:
            # The metric is the quotient, its root, or ordered as the quotient is: so is its limit.
            bound = orders(metric, as_written(limit))
            above, below = quotients(metric, tp, fp, near, target.prevalence)
            gap = np.array([a - bound * b for a, b in zip(above.tolist(), below.tolist(), strict=True)], dtype=object)
            kept[near] = np.asarray(gap >= 0 if larger else gap <= 0, dtype=np.bool_)
        inside &= kept  # NaN is on neither side
    return inside


def _none_keeps(tp: NDArray[Any], fp: NDArray[Any], target: Target, allowed: NDArray[np.bool_]) -> str:
    if allowed.any():
        return f"{target.objective!r} is not defined at any threshold that keeps the constraints."
    lines = []
    for name, limit in target.limits.items():
        if name == "max_alerts":
            continue
        values = at_thresholds([find(name[4:])], tp, fp, prevalence=target.prevalence)[0]
        known = values[~np.isnan(values)]
        if not known.size:
            return f"{name[4:]!r} of `{name}` is not defined at any threshold. Hint: leave out the constraint."
        best = float(known.max() if name.startswith("min") else known.min())
        if best < limit if name.startswith("min") else best > limit:
            return out_of_reach(name, limit, tp.size - 1, best)
        lines.append(f"`{name}={limit!r}`")
    return (
        f"No threshold of {tp.size - 1:,} keeps {' and '.join(lines) or '`max_alerts`'} together. "
        "Hint: loosen one of the constraints."
    )
