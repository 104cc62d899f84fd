"""One threshold out of all: the best by any metric, under any constraints, with ties settled exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells import at_thresholds, best_thresholds, find, orders, quotients
from thresher._core.decimals import as_written
from thresher._curves import OperatingPoint, PrCurve
from thresher._decide.chosen import Choice
from thresher._decide.guarantee import guaranteed
from thresher._decide.guarantee_terms import GuaranteeTerms, guarantee_terms
from thresher._decide.hull_mix import mixed_point
from thresher._decide.target import Goal, Target, out_of_reach, target_of
from thresher._inference.sampling import check_whole
from thresher._table import Counts, check_two_classes, padded_counts, with_empty
from thresher.exceptions import InvalidInputError, UndefinedMetricError

_NEAR = 1e-9
_ROUNDING = 1e-12


def choose_threshold(
    counts: Counts,
    maximize: Goal | None = None,
    *,
    minimize: Goal | None = None,
    prevalence: float | None = None,
    mix: bool = False,
    confidence: float | None = None,
    guarantee: str = "population",
    n_next: int | None = None,
    **constraints: Any,
) -> OperatingPoint:
    """Return the operating point that is best by a metric among those that satisfy all constraints.

    Choose on tuning data: a threshold evaluated on the data used to choose it looks better than it is (see `tune`,
    and `OperatingPoint.optimism`).

    Parameters
    ----------
    maximize, minimize : str or callable, optional
        The metric: any of the confusion matrix, such as "f1", "mcc", "youden", "cost" or "closest_corner", or a
        function of four arrays ``(tp, fp, fn, tn)``. Without it: the highest precision if `min_recall` is the only
        constraint, the highest recall under others, else the highest Youden index.
    prevalence : float, optional
        The prevalence at which the threshold will be used.
    mix : bool, default=False
        Meet one constraint with equality, by a randomised mixture of two vertices of the convex hull.
    confidence : float, optional
        The proportion of tuning samples in which the constraints are to hold in the population, not only in these
        data; the point's `guarantee` says what is guaranteed. Exact for recall, false positive rate and alert rate.
    guarantee : {"population", "next", "expected"}
        What is to keep the constraints: the population, the next `n_next` rows, or the mean over tuning samples.
    n_next : int, optional
        For guarantee="next": how many rows of the constraint's class will come.
    **constraints : float
        ``min_<metric>`` and ``max_<metric>`` for any metric, such as ``min_recall=0.9`` or ``max_fdr=0.1``, meant
        as written: ``max_fpr=1 - 0.9`` is one tenth. ``max_alerts``: the most rows of these data that are predicted
        positive. And the options of the metric, such as `beta`, `cost_fp` and `cost_fn`.

    Returns
    -------
    OperatingPoint
        Ties are decided exactly: of equally good points the one with the highest threshold, except for precision,
        of which it is the lowest. It prints its threshold in as few digits as make the same predictions when they
        are typed back, and its ``predict(y_score)`` makes them. With `mix`, ``mix`` may hold two thresholds and a
        probability; ``threshold`` then is the one of the two that keeps the constraint alone.

    References
    ----------
    W. J. Youden (1950), "Index for rating diagnostic tests", Cancer 3(1), 32-35.
    C. E. Metz (1978), "Basic principles of ROC analysis", doi:10.1016/S0001-2998(78)80014-2, for costs.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> scores.choose_threshold(min_recall=0.75).threshold
    5.0
    >>> scores.choose_threshold("mcc", max_fdr=0.4).threshold
    7.0
    >>> scores.choose_threshold(minimize="cost", cost_fn=5, cost_fp=1).threshold
    2.0
    >>> scores.choose_threshold(min_specificity=0.75).predict([6.5, 5.5])
    array([ True,  True])

    A recall of 0.9 that 95 of 100 tuning samples keep in the population:

    >>> data = th.datasets.load_digits_eight()
    >>> th.Scores(data.y_true, data.logistic).choose_threshold(min_recall=0.9, confidence=0.95).guarantee
    Guarantee(min_recall=0.9 in the population, confidence 0.95, order-statistic; ...)
    """
    target = target_of(maximize, minimize=minimize, prevalence=prevalence, **constraints)
    return choose(counts, target, mix=mix, terms=guarantee_terms(confidence, guarantee, n_next))


def choose(counts: Counts, target: Target, *, mix: bool = False, terms: GuaranteeTerms | None = None) -> OperatingPoint:
    """Return the operating point that is best by the target's metric among those that keep its constraints.

    Comparisons are made in integers, or in fractions of the weights: two points tie only if they are equally good. Of
    tied points the one with the highest threshold is returned, which predicts the fewest cases positive; only for
    precision the lowest, which finds more positives at the same precision.
    """
    check_two_classes(counts, "Choosing a threshold")
    counts = _in_rows(counts, target)
    if mix and terms is not None:
        raise InvalidInputError(
            "`mix=True` meets a constraint with equality, which no `confidence` allows; got both. Hint: leave out one."
        )
    if mix:
        return replace(mixed_point(counts, target), choice=Choice(target))
    if terms is None:
        best = _best(counts, target)
        point = _curve(counts, target)._point(int(best[-1] if target.objective == "precision" else best[0]))
        return replace(point, choice=Choice(target, point.threshold, counts._even, allowed_points))
    found = guaranteed(counts, target, terms)
    best = _best(counts, target, found.kept)
    # For one recall the order statistic itself, whose distribution is known, and not a lower score that looks more
    # precise.
    plain = target.limits.keys() != {"min_recall"} or target.named
    index = int(best[0] if plain else np.flatnonzero(found.kept)[0])
    if target.named and target.objective == "precision":
        index = int(best[-1])
    point = found.attached(_curve(counts, target)._point(index), index)
    return replace(point, choice=Choice(target))


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
        return f"{target.objective!r} is not defined at any threshold that satisfies the constraints."
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
        "Hint: relax one of the constraints."
    )
