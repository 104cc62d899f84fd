"""What can be proved of the curves: their limits at 0 and 1 (properties P1 and P2) and their shape (P3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np

from thresher._core.values import value
from thresher.exceptions import InvalidInputError
from thresher.population._distributions import Distribution, plain
from thresher.population._families import BetaDistribution, ScipyDistribution
from thresher.population._maps import cross, jumps
from thresher.population._tails import power, tail_ratio
from thresher.typing import FloatArray


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
        evidence, not a bound: nothing is said of smaller recalls. None where the limit is proved, or where the
        distribution cannot be evaluated there.
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


def find_limits(pos: Distribution, neg: Distribution, skew: float) -> Limits:
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


def _beyond(distribution: Distribution, end: float) -> float:
    if math.isinf(end):
        return 1.0 if end < 0 else 0.0
    return float(distribution.sf_at(plain(end))[0])


def _start(held: Distribution, other: Distribution) -> float:
    """Return the limit, as x falls to 0, of P(other > t) where the held distribution exceeds t with probability x."""
    # The paper writes P(other > M) throughout. Thresholds come up to M from below, so what other has exactly at M still
    # counts, unless the held distribution has an atom there and t is M itself for all small x.
    if math.isinf(held.upper):
        return 0.0
    end = plain(held.upper)
    if held.end_mass(upper=True) > 0:
        return float(other.sf_at(end)[0])
    return float(other.ge_at(end)[0])


def _fpr_per_recall(pos: Distribution, neg: Distribution) -> tuple[float | None, str]:
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


def _by_tails(pos: Distribution, neg: Distribution) -> tuple[float | None, str]:
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


def _near_zero(pos: Distribution, neg: Distribution, skew: float) -> tuple[float, float] | None:
    """Return the range of precision at small recalls, or None where the distributions cannot be evaluated there."""
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


Family = BetaDistribution | ScipyDistribution
RocShape = Literal["concave", "convex", "linear", "neither"]
PrShape = Literal["nonincreasing", "nondecreasing", "constant", "neither"]
# Location families with a log-concave density: shifting one up makes the likelihood ratio increase.
_LOG_CONCAVE = ("norm", "logistic", "gumbel_r", "gumbel_l", "laplace", "expon", "rayleigh", "halfnorm")
# Families whose likelihood ratio increases when only the scale does.
_SCALE_ORDERED = ("expon", "rayleigh", "halfnorm", "weibull_min", "gamma", "erlang", "chi2", "lomax")
_PARAMETERS = ("shapes", "loc", "scale")
_GRID = np.sort(np.concatenate([10.0 ** -np.linspace(0.35, 7, 150), 1 - 10.0 ** -np.linspace(0.3, 7, 150)]))
_MARGIN = 1e-9


@value
class Shape:
    """What is known about the shape of the curves on the open interval (0, 1).

    Attributes
    ----------
    roc : {"concave", "convex", "linear", "neither"} or None
        Shape of the ROC curve; "linear" is both. None when nothing could be proved.
    pr : {"nonincreasing", "nondecreasing", "constant", "neither"} or None
        Course of precision as recall grows; "constant" is both. None when nothing could be proved.
    roc_reason, pr_reason : str
        The proof, or why there is none.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> population = CASES["A"].with_prevalence(0.2)
    >>> shape = population.shape()
    >>> shape.roc, shape.pr
    ('concave', 'nonincreasing')
    """

    roc: RocShape | None
    pr: PrShape | None
    roc_reason: str
    pr_reason: str


def find_shape(pos: Distribution, neg: Distribution, limits: Limits) -> Shape:
    """Return the shapes of both curves."""
    roc, roc_reason = _roc_shape(pos, neg)
    pr, pr_reason = _pr_shape(pos, neg, roc, limits)
    return Shape(roc, pr, roc_reason, pr_reason)


def _roc_shape(pos: Distribution, neg: Distribution) -> tuple[RocShape | None, str]:
    if pos.lower > neg.upper or pos.upper < neg.lower:
        return "linear", "the supports do not overlap, so the curve is constant"
    if neg.discrete:
        if jumps(neg, pos).x.size == 0:
            return "linear", "the curve is constant"
        return "neither", "the scores of the negatives are discrete, so the curve is a step function"
    if pos.continuous and neg.continuous:
        trend, why = _ratio_trend(pos, neg)
        if trend is not None:
            return ("linear" if trend == 0 else "concave" if trend > 0 else "convex"), why
    try:
        return _witness_roc(cross(neg, pos, _GRID))
    except InvalidInputError as error:
        return None, f"not proved, and not computable everywhere: {error}"


def _witness_roc(y: FloatArray) -> tuple[RocShape | None, str]:
    """Look for three points above, and three below, their chord."""
    x = _GRID
    bends = np.zeros((2,), dtype=bool)
    places = [0.0, 0.0]
    for gap in (1, 3, 10, 30, 90):
        a, b, c = slice(None, -2 * gap), slice(gap, -gap), slice(2 * gap, None)
        chord = y[a] + (y[c] - y[a]) * ((x[b] - x[a]) / (x[c] - x[a]))
        margin = _MARGIN * np.maximum(y[c], 1e-290)
        for side, found in enumerate((y[b] > chord + margin, y[b] < chord - margin)):
            if found.any() and not bends[side]:
                bends[side], places[side] = True, float(x[b][np.flatnonzero(found)[0]])
    if bends.all():
        return "neither", f"it bends down around {places[0]:.3g} and up around {places[1]:.3g}"
    if bends.any():
        kind, lost = ("concave", "convex") if bends[0] else ("convex", "concave")
        return None, f"it is not {lost}; that it is {kind} everywhere is not proved, only seen on {x.size} points"
    return None, f"no bend was seen on {x.size} points, which proves nothing"


def _pr_shape(pos: Distribution, neg: Distribution, roc: RocShape | None, limits: Limits) -> tuple[PrShape | None, str]:
    if limits.fpr_at_1 == 0:
        return "constant", "no negative reaches the positives: precision is 1"
    if pos.discrete:
        if jumps(pos, neg).x.size:
            return "neither", "the scores of the positives are discrete: precision rises between its downward jumps"
        return "nondecreasing", "the false positive rate is constant"
    down = roc in ("concave", "linear") and limits.roc_at_1 == 1 and (cross(neg, pos, _GRID) != 0).any()
    up = roc in ("convex", "linear") and limits.roc_at_0 == 0
    if down and up:
        return "constant", "the ROC curve is the diagonal"
    if down:
        return "nonincreasing", "the ROC curve is concave and ends at 1 (P3(a), corrected)"
    if up:
        return "nondecreasing", "the ROC curve is convex and starts at 0 (P3(b), corrected)"
    try:
        return _witness_pr(cross(pos, neg, _GRID) / _GRID)
    except InvalidInputError as error:
        return None, f"not proved, and not computable everywhere: {error}"


def _witness_pr(ratio: FloatArray) -> tuple[PrShape | None, str]:
    """Look for a rise and a fall of the false positive rate per recall."""
    highest, lowest = np.maximum.accumulate(ratio), np.minimum.accumulate(ratio)
    falls = ratio < highest * (1 - _MARGIN)
    rises = ratio > lowest * (1 + _MARGIN)
    if falls.any() and rises.any():
        up, down = _GRID[np.flatnonzero(falls)[0]], _GRID[np.flatnonzero(rises)[0]]
        return (
            "neither",
            f"precision is higher before recall {down:.3g} than there, and lower before {up:.3g} than there",
        )
    if falls.any() or rises.any():
        seen = "nondecreasing" if falls.any() else "nonincreasing"
        return None, f"{seen} on {_GRID.size} points of recall, but not proved"
    return None, f"no change was seen on {_GRID.size} points, which proves nothing"


def _ratio_trend(pos: Distribution, neg: Distribution) -> tuple[int | None, str]:
    """Return 1, -1 or 0 when the likelihood ratio rises, falls or stays over the support of the negatives."""
    if not isinstance(pos, Family) or not isinstance(neg, Family):
        return None, ""
    (name, shapes, loc, scale), (other, shapes_n, loc_n, scale_n) = pos.family, neg.family
    one, two = _as_gamma(name, shapes, scale), _as_gamma(other, shapes_n, scale_n)
    if one and two and loc == loc_n:
        return _agree(
            [_sign(one[0] - two[0]), _sign(one[1] - two[1])],
            "the two gamma distributions are ordered in shape and scale",
        )
    if name != other:
        return None, ""
    if name == "beta" and loc == loc_n and scale == scale_n:
        signs = [_sign(shapes[0] - shapes_n[0]), _sign(shapes_n[1] - shapes[1])]
        return _agree(signs, "the two beta distributions are ordered in both shapes")
    if name == "beta" and shapes == shapes_n == (1.0, 1.0):
        return _uniform_trend(pos, neg)
    return _same_family_trend(pos, neg)


def _uniform_trend(pos: Family, neg: Family) -> tuple[int | None, str]:
    """Return the same for two uniform distributions."""
    low, high = pos.lower <= neg.lower, pos.upper >= neg.upper
    if low and high:
        return 0, "the positives are uniform over the whole support of the negatives"
    if high:
        return 1, "of two uniform distributions that of the positives ends higher"
    return (-1, "of two uniform distributions that of the positives starts lower") if low else (None, "")


def _same_family_trend(pos: Family, neg: Family) -> tuple[int | None, str]:
    """Return the same for two distributions of one family, by the parameter in which they differ."""
    (name, shapes, loc, scale), (_, shapes_n, loc_n, scale_n) = pos.family, neg.family
    ours, theirs = (shapes, loc, scale), (shapes_n, loc_n, scale_n)
    differ = [part for part, mine, other in zip(_PARAMETERS, ours, theirs, strict=True) if mine != other]
    if name == "lognorm" and differ in ([], ["scale"]):
        return _sign(scale - scale_n), "the two lognormal distributions differ in scale only"
    if name in ("pareto", "lomax") and differ in ([], ["shapes"]):
        return _sign(shapes_n[0] - shapes[0]), "the two distributions differ in tail exponent only"
    if not differ or (differ == ["scale"] and name in _SCALE_ORDERED):
        return _sign(scale - scale_n), "the two distributions differ in scale only"
    if differ == ["loc"] and _log_concave(name, shapes):
        return _sign(loc - loc_n), "the two distributions are shifts of one log-concave density"
    return None, ""


def _log_concave(name: str, shapes: tuple[float, ...]) -> bool:
    return name in _LOG_CONCAVE or (name in ("gamma", "erlang", "weibull_min", "beta") and min(shapes) >= 1)


def _as_gamma(name: str, shapes: tuple[float, ...], scale: float) -> tuple[float, float] | None:
    match name:
        case "gamma" | "erlang":
            return shapes[0], scale
        case "chi2":
            return shapes[0] / 2, 2 * scale
        case "expon":
            return 1.0, scale
    return None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _agree(signs: list[int], why: str) -> tuple[int | None, str]:
    if min(signs) < 0 < max(signs):
        return None, ""
    return sum(signs) and (1 if max(signs) > 0 else -1), why
