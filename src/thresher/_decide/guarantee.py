"""Thresholds whose limits hold beyond the sample: order statistics, and sequences of tests where those do not reach.

The rule, its proof and what it costs are in `docs/explanations/guaranteed-thresholds.md`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import check_confidence_level, check_count, check_fractions, show
from thresher._curves import Guarantee, OperatingPoint
from thresher._decide.effective_promise import EffectivePromise
from thresher._decide.promise import Promise, apart, nothing_called, precision_error, too_few
from thresher._decide.target import Target, as_written
from thresher._inference.rates import binomial_cdf, mover_sum, score_statistic, trials_needed
from thresher._table import Counts, padded_counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

__all__ = ["attach", "negatives_needed", "positives_needed", "promised"]

# Alert counts at which precision is tested: the first is so many times the fewest that can pass at all.
# Where the walk for precision starts anew, as parts of the cases, with their parts of the level; and how many times as
# many alerts as the fewest a start needs.
_STARTS, _APART = {0.01: 0.05, 0.05: 0.1, 0.2: 0.2}, 6.0
_START, _STEP = 4.0, 1.15


def positives_needed(min_recall: float, *, confidence: float = 0.95, misses: int = 0) -> int:
    """Return the fewest positives with which a recall can be guaranteed.

    Parameters
    ----------
    min_recall : float
        The recall to be kept in the population, strictly between 0 and 1.
    confidence : float, default=0.95
        The proportion of tuning samples in which the guarantee holds.
    misses : int, default=0
        How many positives of the tuning data may lie below the threshold.

    Returns
    -------
    int
        The least n with P(Bin(n, 1 - min_recall) <= misses) <= 1 - confidence, decided exactly.

    See Also
    --------
    negatives_needed : The same for a false positive rate.

    Examples
    --------
    >>> import thresher as th
    >>> th.planning.positives_needed(0.95)
    59
    >>> [th.planning.positives_needed(0.95, misses=k) for k in (0, 1, 2)]
    [59, 93, 124]
    """
    return _needed(min_recall, "min_recall", confidence, misses, mirrored=True)


def negatives_needed(max_fpr: float, *, confidence: float = 0.95, false_positives: int = 0) -> int:
    """Return the fewest negatives with which a false positive rate can be guaranteed.

    Parameters
    ----------
    max_fpr : float
        The false positive rate to be kept in the population, strictly between 0 and 1.
    confidence : float, default=0.95
        The proportion of tuning samples in which the guarantee holds.
    false_positives : int, default=0
        How many negatives of the tuning data may be predicted positive.

    Returns
    -------
    int

    See Also
    --------
    positives_needed : The same for a recall.

    Examples
    --------
    >>> import thresher as th
    >>> th.planning.negatives_needed(0.01), th.planning.negatives_needed(0.01, false_positives=1)
    (299, 473)
    """
    return _needed(max_fpr, "max_fpr", confidence, false_positives, mirrored=False)


def _needed(limit: float, name: str, confidence: float, errors: int, *, mirrored: bool) -> int:
    share = check_fractions(limit, name)
    if share.ndim or not 0.0 < float(share) < 1.0:
        raise InvalidInputError(f"`{name}` must be one number in (0, 1); got {show(limit)}.")
    level = check_confidence_level(confidence, "confidence")
    rate = 1 - as_written(limit) if mirrored else as_written(limit)
    return trials_needed(rate, 1 - as_written(level), check_count(errors, "misses" if mirrored else "false_positives"))


def promised(
    counts: Counts, tp: NDArray[Any], fp: NDArray[Any], target: Target, promise: Promise
) -> tuple[NDArray[np.bool_], dict[str, Any]]:
    """Return which points keep all limits with the guarantee, and what `attach` needs to say so.

    `tp` and `fp` start with the empty call; limits that speak of these data only (`max_alerts`) are not looked at.
    """
    _check_request(counts, target, promise)
    plain = _cases(counts)
    if plain is not None:
        kept, found = promised(plain, *padded_counts(plain), _as_frequent(target, counts.prevalence), promise)
        return kept, {**found, "rows": plain}
    upward = "min_recall" in target.limits
    downward = [name for name in ("max_fpr", "max_alert_rate", "min_precision") if name in target.limits]
    # Limits that grow stricter in the same direction are tested in one sequence, at the full level.
    parts = int(upward) + bool(downward)
    weighed = counts._weighted or not counts._independent
    worth = EffectivePromise(counts, tp, fp, promise, parts) if weighed else None
    terms: dict[str, Any] = {
        "pvalues": [],
        "most_misses": None,
        "most_false_positives": None,
        "exact": worth is None,
        "worth": worth,
        "rows": counts,
    }
    high = _recall_points(tp, target, promise, parts, terms) if upward else np.ones(tp.size, dtype=np.bool_)
    low = _call_points(downward, tp, fp, target, promise, parts, terms)
    if not (high & low).any():
        raise apart(counts, high, low, target, downward)
    return high & low, terms


def _cases(counts: Counts) -> Counts | None:
    """Return the cases behind weights that are equal within each class: they say but how frequent the classes are."""
    return None if counts._rows_alike is counts else counts._rows_alike


def _as_frequent(target: Target, prevalence: float) -> Target:
    """Return the target with the prevalence that weights say, if a limit depends on one and none is given."""
    own = target.prevalence is None and not target.limits.keys().isdisjoint(("min_precision", "max_alert_rate"))
    return target.at(prevalence) if own else target


def _call_points(
    limits: list[str],
    tp: NDArray[Any],
    fp: NDArray[Any],
    target: Target,
    promise: Promise,
    parts: int,
    terms: dict[str, Any],
) -> NDArray[np.bool_]:
    """Return which points keep the limits that more calls break; precision is tested where the others hold."""
    kept = np.ones(tp.size, dtype=np.bool_)
    for name in limits:
        if name != "min_precision":
            kept &= _rate_points(name, tp, fp, target, promise, parts, terms)
    kept[0] = True  # calling nothing breaks no limit on calls
    alone = "min_recall" not in target.limits and "min_precision" not in target.limits
    if limits and not kept[1:].any():
        nothing_called(_worth(tp, fp, target, terms), target, promise, parts, alone=alone)
    return (
        kept if "min_precision" not in target.limits else _precision_points(tp, fp, target, promise, parts, kept, terms)
    )


def _worth(tp: NDArray[Any], fp: NDArray[Any], target: Target, terms: dict[str, Any]) -> int:
    """Return how many negatives, or cases, there are: rows, or what weighted ones are worth."""
    kind = "negatives" if "max_fpr" in target.limits else "cases"
    if terms["worth"] is not None:
        return int(terms["worth"].worth_at(kind, 1))
    return int(fp[-1] if kind == "negatives" else tp[-1] + fp[-1])


def attach(
    point: OperatingPoint, index: int, target: Target, promise: Promise, terms: dict[str, Any]
) -> OperatingPoint:
    """Return the point with its guarantee."""
    misses, total = _missed(index, terms)
    # Continuous scores: the recall at the (misses + 1)-th lowest positive has this distribution.
    ends = scipy.special.betaincinv(total - misses, misses + 1.0, (0.025, 0.975)) if misses < total else (0.0, 1.0)
    values = [float(column[index]) for column in terms["pvalues"]]
    method = "order-statistic" if "min_precision" not in target.limits else "fixed-sequence"
    given = Guarantee(
        promise.confidence,
        promise.kind,
        {name: limit for name, limit in target.limits.items() if name != "max_alerts"},
        method if terms["exact"] else "approximate",
        terms["most_misses"],
        terms["most_false_positives"],
        max(values) if values and promise.kind == "population" else None,
        1.0 - (misses + 1.0) / (total + 1.0),
        (float(ends[0]), float(ends[1])),
        promise.n_next,
    )
    return replace(point, guarantee=given)


def _missed(index: int, terms: dict[str, Any]) -> tuple[float, float]:
    """Return how many positives are missed at a point, of how many: cases, or what the rows are worth."""
    tp, _ = padded_counts(terms["rows"])
    if terms["worth"] is None:
        return float(tp[-1] - tp[index]), float(tp[-1])
    found, total = terms["worth"].size("positives", index)
    return total - found, total


def _check_request(counts: Counts, target: Target, promise: Promise) -> None:
    if not counts._complete:
        raise InvalidInputError(
            "`confidence` needs every score; got a compressed table, whose rows stand for ranges of scores. "
            "Hint: choose the threshold on the full table."
        )
    if not any(name != "max_alerts" for name in target.limits):
        raise InvalidInputError(
            "`confidence` must come with a limit to guarantee; got none. "
            "Hint: one of `min_recall`, `min_precision`, `max_fpr`, `max_alert_rate`."
        )
    sequence = "min_precision" in target.limits or ("max_alert_rate" in target.limits and target.prevalence is not None)
    if sequence and promise.kind != "population":
        raise InvalidInputError(
            f"`guarantee` must be 'population' with a precision, or an alert rate at another prevalence; "
            f"got {promise.kind!r}."
        )


def _recall_points(
    tp: NDArray[Any], target: Target, promise: Promise, parts: int, terms: dict[str, Any]
) -> NDArray[np.bool_]:
    worth: EffectivePromise | None = terms["worth"]
    if worth is not None:
        kept, chance = worth.recall_points(target.limits["min_recall"])
        terms["pvalues"].append(chance)
        return kept
    n_pos, limit = int(tp[-1]), as_written(target.limits["min_recall"])
    most = promise.most(n_pos, 1 - limit, parts)
    terms["most_misses"] = most
    if most < 0:
        raise UndefinedMetricError(too_few("min_recall", float(limit), n_pos, "positives", limit, promise, parts))
    terms["pvalues"].append(binomial_cdf(n_pos - tp, n_pos, float(1 - limit)))
    return np.asarray(n_pos - tp <= most)


def _rate_points(
    name: str, tp: NDArray[Any], fp: NDArray[Any], target: Target, promise: Promise, parts: int, terms: dict[str, Any]
) -> NDArray[np.bool_]:
    limit = as_written(target.limits[name])
    worth: EffectivePromise | None = terms["worth"]
    if worth is not None:
        kept, chances = worth.rate_points(name, float(limit), target.prevalence)
        if chances is not None:
            terms["pvalues"].append(chances)
        return kept
    if name == "max_alert_rate" and target.prevalence is not None:
        return _shifted_alerts(tp, fp, target.prevalence, float(limit), promise, parts, terms)
    errors = fp if name == "max_fpr" else tp + fp
    total = int(errors[-1])
    most = promise.most(total, limit, parts)
    if name == "max_fpr":
        terms["most_false_positives"] = most
    terms["pvalues"].append(binomial_cdf(errors, total, float(limit)))
    return np.asarray(errors <= most)


def _shifted_alerts(
    tp: NDArray[Any],
    fp: NDArray[Any],
    prevalence: float,
    limit: float,
    promise: Promise,
    parts: int,
    terms: dict[str, Any],
) -> NDArray[np.bool_]:
    """Return the points from the top whose upper limit of the alert rate stays below the one asked for."""
    terms["exact"] = False
    n_pos, n_neg = float(tp[-1]), float(fp[-1])
    two_sided = 1.0 - 2.0 * float(promise.delta / parts)
    upper = mover_sum(tp, n_pos, fp, n_neg, prevalence, 1.0 - prevalence, two_sided)[1]
    broken = np.flatnonzero(upper > limit)
    inside = np.ones(tp.size, dtype=np.bool_)
    if broken.size:
        inside[max(int(broken[0]), 1) :] = False
    return inside


def _precision_points(
    tp: NDArray[Any],
    fp: NDArray[Any],
    target: Target,
    promise: Promise,
    parts: int,
    inside: NDArray[np.bool_],
    terms: dict[str, Any],
) -> NDArray[np.bool_]:
    """Walk down a sequence of alert counts fixed beforehand, and stop where precision cannot be guaranteed.

    The walk starts anew at a few further counts, each with a part of the level. A walk that arrives at such a count
    adds its own part (the fallback procedure).

    References
    ----------
    .. [1] B. L. Wiens, "A fixed sequence Bonferroni procedure for testing multiple endpoints", Pharmaceutical
       Statistics 2 (2003), 211-215. https://doi.org/10.1002/pst.64
    """
    limit, delta = as_written(target.limits["min_precision"]), promise.delta / parts
    if limit == 0:
        return inside
    if limit == 1:
        raise UndefinedMetricError("`min_precision=1` cannot be guaranteed: no number of right calls proves it.")
    fewest = trials_needed(1 - limit, delta)
    worth: EffectivePromise | None = terms["worth"]
    walk = _sequence(tp + fp if worth is None else worth.alerts(), fewest)
    if walk.size == 0:
        raise UndefinedMetricError(
            f"`min_precision={float(limit):g}` with confidence {promise.confidence:g} needs at least {fewest:,} calls; "
            f"got {int(tp[-1] + fp[-1]):,} cases."
        )
    chance = np.full(tp.size, np.nan)
    if worth is not None:
        chance[walk] = worth.precision_chances(walk, float(limit), target.prevalence)
    elif target.prevalence is None:
        calls, right = _own_case_left_out(tp, fp, walk)
        chance[walk] = 1.0 - binomial_cdf(right - 1.0, calls, float(limit))
    else:
        terms["exact"] = False
        odds = target.prevalence / (1.0 - target.prevalence)
        ratio = odds * (1.0 - float(limit)) / float(limit)
        chance[walk] = scipy.special.ndtr(score_statistic(fp[walk], float(fp[-1]), tp[walk], float(tp[-1]), ratio))
    counts = (tp + fp if worth is None else worth.alerts())[walk]
    kept = walk[_passed(np.where(inside[walk], chance[walk], 1.0), float(delta), _shares(counts, fewest))]
    if kept.size == 0:
        first = int(walk[0])
        found = (float(tp[first]), float(tp[first] + fp[first])) if worth is None else worth.size("calls", first)
        raise precision_error(*found, target, promise, float(delta))
    terms["pvalues"].append(chance)
    mask = np.zeros(tp.size, dtype=np.bool_)
    mask[kept] = True
    return mask


def _shares(counts: NDArray[Any], fewest: int) -> FloatArray:
    """Return which part of the level belongs to each point of a walk: most to its start, the rest to later starts.

    They depend on the number of cases alone. Few cases have one start, for which no part of the level is spent.
    """
    shares = np.zeros(counts.size)
    total = float(counts[-1])
    for part, share in _STARTS.items():
        if total * part >= _APART * fewest:
            shares[int(np.searchsorted(counts, total * part, side="left"))] += share
    shares[0] += 1.0 - shares.sum()
    return shares


def _passed(chance: NDArray[Any], level: float, shares: FloatArray) -> NDArray[np.bool_]:
    """Return which hypotheses the fallback procedure rejects: a rejected one hands its level to the next."""
    passed = np.zeros(chance.size, dtype=np.bool_)
    carried = 0.0
    for i, (p, share) in enumerate(zip(chance.tolist(), (level * shares).tolist(), strict=True)):
        carried += share
        passed[i] = p <= min(carried, level) and carried > 0.0
        if not passed[i]:
            carried = 0.0
    return passed


def _sequence(alerts: NDArray[Any], fewest: int) -> NDArray[np.intp]:
    """Return the points whose alert counts are the first at or above each of a growing sequence."""
    total = int(alerts[-1])
    counts = [min(math.ceil(_START * fewest), total)]
    while counts[-1] < total:
        counts.append(min(max(math.ceil(counts[-1] * _STEP), counts[-1] + 1), total))
    if total < fewest:
        return np.array([], dtype=np.intp)
    return np.unique(np.searchsorted(alerts, counts, side="left"))


def _own_case_left_out(tp: NDArray[Any], fp: NDArray[Any], walk: NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
    """Return calls and right calls; the case whose own score is the threshold does not count where it stands alone."""
    calls, right = (tp + fp)[walk], tp[walk]
    alone = calls - (tp + fp)[walk - 1] == 1
    own = right - tp[walk - 1]
    return np.asarray(calls - alone, dtype=np.float64), np.asarray(right - np.where(alone, own, 0), dtype=np.float64)
