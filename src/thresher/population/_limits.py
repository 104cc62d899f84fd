"""One-sided limits of the population curves (properties P1 and P2), proved or withheld."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from thresher._core.values import value
from thresher.exceptions import InvalidInputError
from thresher.population._laws import Law
from thresher.population._maps import cross
from thresher.population._points import plain
from thresher.population._tails import power, tail_ratio

__all__ = ["Limits", "find_limits"]


@value
class Limits:
    """One-sided limits of the curves at the ends of (0, 1).

    Attributes
    ----------
    roc_at_0, roc_at_1 : float
        Limits of the ROC curve as the false positive rate falls to 0 and rises to 1.
    fpr_at_0, fpr_at_1 : float
        Limits of the false positive rate as recall falls to 0 and rises to 1.
    fpr_per_recall_at_0 : float or None
        Limit of false positive rate over recall as recall falls to 0; may be infinite. None when it does not exist or
        could not be proved; `reasons` says why.
    pr_at_0 : float or None
        Limit of precision as recall falls to 0; None exactly when `fpr_per_recall_at_0` is.
    pr_near_0 : tuple of float or None
        Where `pr_at_0` is None: the smallest and largest precision at 41 recalls from 1e-10 to 1e-6. Numerical
        evidence, not a bound: nothing is said of smaller recalls. None where the limit is proved, or where the law
        cannot be evaluated there.
    pr_at_1 : float
        Limit of precision as recall rises to 1. The value at recall 1 is the prevalence, whatever the limit.
    reasons : mapping of str to str
        For each of the names above, how it was found or why it is withheld.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> population = CASES["A"].with_prevalence(0.2)
    >>> limits = population.limits()
    >>> limits.roc_at_0, limits.roc_at_1, limits.pr_at_0
    (0.0, 1.0, 1.0)
    """

    roc_at_0: float
    roc_at_1: float
    fpr_at_0: float
    fpr_at_1: float
    fpr_per_recall_at_0: float | None
    pr_at_0: float | None
    pr_at_1: float
    pr_near_0: tuple[float, float] | None
    reasons: Mapping[str, str]


def find_limits(pos: Law, neg: Law, skew: float) -> Limits:
    """Return the limits of both curves."""
    roc_0, fpr_0 = _start(neg, pos), _start(pos, neg)
    roc_1, fpr_1 = _beyond(pos, neg.lower), _beyond(neg, pos.lower)
    kappa, why = _fpr_per_recall(pos, neg)
    near = None
    if kappa is None:
        near = _near_zero(pos, neg, skew)
        why += _evidence(near)
    pr_0 = None if kappa is None else (0.0 if math.isinf(kappa) else 1.0 / (1.0 + skew * kappa))
    sign, article = (">", "an") if neg.end_mass(upper=True) > 0 else (">=", "no")
    reasons = {
        "roc_at_0": f"P(S+ {sign} {neg.upper:g}), the negatives having {article} atom at their maximum",
        "roc_at_1": f"P(S+ > {neg.lower:g}), the minimum of the negatives",
        "fpr_at_0": f"the negatives at or beyond {pos.upper:g}, the maximum of the positives",
        "fpr_at_1": f"P(S- > {pos.lower:g}), the minimum of the positives",
        "fpr_per_recall_at_0": why,
        "pr_at_0": why,
        "pr_at_1": "from the false positive rate at the minimum of the positives",
    }
    return Limits(roc_0, roc_1, fpr_0, fpr_1, kappa, pr_0, 1.0 / (1.0 + skew * fpr_1), near, reasons)


def _beyond(law: Law, end: float) -> float:
    if math.isinf(end):
        return 1.0 if end < 0 else 0.0
    return float(law.sf_at(plain(end))[0])


def _start(held: Law, other: Law) -> float:
    """Return the limit, as x falls to 0, of P(other > t) where the held law exceeds t with probability x."""
    # The paper writes P(other > M) throughout. Thresholds come up to M from below, so what other has exactly at M still
    # counts, unless the held law has an atom there and t is M itself for all small x.
    if math.isinf(held.upper):
        return 0.0
    end = plain(held.upper)
    if held.end_mass(upper=True) > 0:
        return float(other.sf_at(end)[0])
    return float(other.ge_at(end)[0])


def _fpr_per_recall(pos: Law, neg: Law) -> tuple[float | None, str]:
    top = pos.upper
    if top < neg.upper:
        return math.inf, f"negatives exceed {top:g}, the maximum of the positives"
    if pos.end_mass(upper=True) > 0:
        return 0.0, f"the positives have an atom at their maximum {top:g}, which no negative exceeds"
    if neg.upper < top:
        return 0.0, f"positives exceed {neg.upper:g}, the maximum of the negatives"
    if neg.end_mass(upper=True) > 0:
        return math.inf, f"the negatives have an atom at the common maximum {top:g} and the positives have none"
    return _by_tails(pos, neg)


def _by_tails(pos: Law, neg: Law) -> tuple[float | None, str]:
    first, second = neg.tail(upper=True), pos.tail(upper=True)
    if first is None or second is None:
        whose = "positives" if second is None else "negatives"
        return None, f"the tail of the {whose} has no closed form here, so the limit is not proved"
    ratio, decided = tail_ratio(first, second)
    if ratio is None:
        return None, "the two tails differ by no more than rounding"
    # Between two atoms recall moves and the false positive rate does not: only a ratio that runs away faster than one
    # step of the atoms has a limit.
    if not (pos.continuous and neg.continuous) and (decided is None or decided < power(1)):
        return None, "the score has atoms without end, and the ratio does not settle between two of them"
    return ratio, "from the closed forms of the two upper tails"


def _near_zero(pos: Law, neg: Law, skew: float) -> tuple[float, float] | None:
    """Return the range of precision at small recalls, or None where the laws cannot be evaluated there."""
    x = np.geomspace(1e-10, 1e-6, 41)
    try:
        precision = x / (x + skew * cross(pos, neg, x))
    except InvalidInputError:
        return None
    return (float(precision.min()), float(precision.max())) if np.isfinite(precision).all() else None


def _evidence(near: tuple[float, float] | None) -> str:
    if near is None:
        return "; nor can it be computed near recall 0"
    return (
        f"; from recall 1e-10 to 1e-6 precision lies between {near[0]:.6g} and {near[1]:.6g}, computed and not proved"
    )
