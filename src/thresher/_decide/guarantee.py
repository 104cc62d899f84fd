"""Thresholds whose limits hold beyond the sample: order statistics, and sequences of tests where those do not reach.

The rule, its proof and what it costs are in `docs/explanations/guaranteed-thresholds.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import check_confidence_level, check_count, check_fractions, show
from thresher._core.decimals import as_written
from thresher._curves import Guarantee, OperatingPoint
from thresher._decide.guarantee_cases import GuaranteeCases, cases_of
from thresher._decide.guarantee_terms import GuaranteeTerms, apart, nothing_called, precision_error
from thresher._decide.target import Target
from thresher._inference.rates import trials_needed
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

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


@dataclass
class Guaranteed:
    """Which points keep all limits with the guarantee, and what it rests on."""

    target: Target
    cases: GuaranteeCases
    kept: NDArray[np.bool_]
    pvalues: list[NDArray[Any]] = field(default_factory=list)
    most: dict[str, int | None] = field(default_factory=dict)
    exact: bool = True

    def limit(self, name: str) -> NDArray[np.bool_]:
        """Return which points keep one limit, and note what it rests on."""
        kept, chance, self.most[name] = self.cases.points(
            name, as_written(self.target.limits[name]), self.target.prevalence
        )
        if chance is None:
            self.exact = False
        else:
            self.pvalues.append(chance)
        return kept

    def attached(self, point: OperatingPoint, index: int) -> OperatingPoint:
        """Return the point with its guarantee."""
        terms = self.cases.terms
        found, total = self.cases.size("positives", index)
        misses = total - found
        # Continuous scores: the recall at the (misses + 1)-th lowest positive has this distribution.
        ends = scipy.special.betaincinv(total - misses, misses + 1.0, (0.025, 0.975)) if misses < total else (0.0, 1.0)
        values = [float(column[index]) for column in self.pvalues]
        method = "order-statistic" if "min_precision" not in self.target.limits else "fixed-sequence"
        given = Guarantee(
            terms.confidence,
            terms.kind,
            {name: limit for name, limit in self.target.limits.items() if name != "max_alerts"},
            method if self.exact and self.cases.exact else "approximate",
            self.most.get("min_recall"),
            self.most.get("max_fpr"),
            max(values) if values and terms.kind == "population" else None,
            1.0 - (misses + 1.0) / (total + 1.0),
            (float(ends[0]), float(ends[1])),
            terms.n_next,
        )
        return replace(point, guarantee=given)


def guaranteed(counts: Counts, target: Target, terms: GuaranteeTerms) -> Guaranteed:
    """Return which points keep all limits with the guarantee, counted from the empty prediction.

    Limits that are about these data only (`max_alerts`) are not looked at.
    """
    _check_request(counts, target, terms)
    alike = counts._rows_alike
    if alike is not None and alike is not counts:
        # Weights that are equal within each class only say how frequent the classes are.
        own = target.prevalence is None and not target.limits.keys().isdisjoint(("min_precision", "max_alert_rate"))
        return guaranteed(alike, target.at(counts.prevalence) if own else target, terms)
    upward = "min_recall" in target.limits
    downward = [name for name in ("max_fpr", "max_alert_rate", "min_precision") if name in target.limits]
    # Limits that grow stricter in the same direction are tested in one sequence, at the full level.
    parts = int(upward) + bool(downward)
    cases = cases_of(counts, terms, parts)
    found = Guaranteed(target, cases, np.ones(cases.tp.size, dtype=np.bool_))
    high = found.limit("min_recall") if upward else found.kept
    low = _call_points(downward, found)
    found.kept = high & low
    if not found.kept.any():
        raise apart(counts, high, low, target, downward)
    return found


def _call_points(limits: list[str], found: Guaranteed) -> NDArray[np.bool_]:
    """Return which points keep the limits that more calls break; precision is tested where the others hold."""
    kept, cases = np.ones_like(found.kept), found.cases
    for name in limits:
        if name != "min_precision":
            kept &= found.limit(name)
    kept[0] = True  # calling nothing breaks no limit on calls
    if limits and not kept[1:].any():
        alone = found.target.limits.keys().isdisjoint(("min_recall", "min_precision"))
        worth = cases.worth_at("negatives" if "max_fpr" in limits else "cases", 1)
        nothing_called(int(worth), found.target, cases.terms, cases.parts, alone=alone)
    return _precision_points(found, kept) if "min_precision" in limits else kept


def _check_request(counts: Counts, target: Target, terms: GuaranteeTerms) -> None:
    if not counts._complete:
        raise InvalidInputError(
            "`confidence` needs every score; got a compressed table, whose rows stand for ranges of scores. "
            "Hint: choose the threshold on the full table."
        )
    if not any(name != "max_alerts" for name in target.limits):
        raise InvalidInputError(
            "`confidence` must come with a constraint to guarantee; got none. "
            "Hint: one of `min_recall`, `min_precision`, `max_fpr`, `max_alert_rate`."
        )
    sequence = "min_precision" in target.limits or ("max_alert_rate" in target.limits and target.prevalence is not None)
    if sequence and terms.kind != "population":
        raise InvalidInputError(
            f"`guarantee` must be 'population' with a precision, or an alert rate at another prevalence; "
            f"got {terms.kind!r}."
        )


def _precision_points(found: Guaranteed, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Walk down a sequence of alert counts fixed beforehand, and stop where precision cannot be guaranteed.

    The walk starts anew at a few further counts, each with a part of the level. A walk that arrives at such a count
    adds its own part (the fallback procedure of Wiens, Pharmaceutical Statistics 2 (2003), doi:10.1002/pst.64).
    """
    target, cases, terms = found.target, found.cases, found.cases.terms
    limit, delta = as_written(target.limits["min_precision"]), terms.delta / cases.parts
    if limit == 0:
        return inside
    if limit == 1:
        raise UndefinedMetricError("`min_precision=1` cannot be guaranteed: no number of true positives proves it.")
    fewest = trials_needed(1 - limit, delta)
    calls = cases.calls()
    walk = _sequence(calls, fewest)
    if walk.size == 0:
        raise UndefinedMetricError(
            f"`min_precision={float(limit):g}` with confidence {terms.confidence:g} needs at least "
            f"{fewest:,} predicted positives; "
            f"got {int(cases.tp[-1] + cases.fp[-1]):,} cases."
        )
    found.exact &= target.prevalence is None
    chance = np.full(inside.size, np.nan)
    chance[walk] = cases.precision_chances(walk, float(limit), target.prevalence)
    kept = walk[_passed(np.where(inside[walk], chance[walk], 1.0), float(delta), _shares(calls[walk], fewest))]
    if kept.size == 0:
        raise precision_error(*cases.size("calls", int(walk[0])), target, terms, float(delta))
    found.pvalues.append(chance)
    mask = np.zeros_like(inside)
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
