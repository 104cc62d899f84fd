"""Concavity of the ROC curve and monotonicity of the PR curve (property P3, corrected), proved or withheld."""

from __future__ import annotations

from typing import Literal

import numpy as np

from thresher._core.values import value
from thresher.exceptions import InvalidInputError
from thresher.population._families import BetaLaw, ScipyLaw
from thresher.population._laws import Law
from thresher.population._limits import Limits
from thresher.population._maps import cross, jumps
from thresher.typing import FloatArray

__all__ = ["Shape", "find_shape"]

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


def find_shape(pos: Law, neg: Law, limits: Limits) -> Shape:
    """Return the shapes of both curves."""
    roc, roc_reason = _roc_shape(pos, neg)
    pr, pr_reason = _pr_shape(pos, neg, roc, limits)
    return Shape(roc, pr, roc_reason, pr_reason)


def _roc_shape(pos: Law, neg: Law) -> tuple[RocShape | None, str]:
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


def _pr_shape(pos: Law, neg: Law, roc: RocShape | None, limits: Limits) -> tuple[PrShape | None, str]:
    if limits.fpr_at_1 == 0:
        return "constant", "no negative reaches the positives: precision is 1"
    if pos.discrete:
        if jumps(pos, neg).x.size:
            return "neither", "the scores of the positives are discrete: precision rises between its downward jumps"
        return "nondecreasing", "the false positive rate is constant"
    down = roc in ("concave", "linear") and limits.roc_at_1 == 1 and not _vanishes(pos, neg)
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


def _vanishes(pos: Law, neg: Law) -> bool:
    return bool((cross(neg, pos, _GRID) == 0).all())


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


def _ratio_trend(pos: Law, neg: Law) -> tuple[int | None, str]:
    """Return 1, -1 or 0 when the likelihood ratio rises, falls or stays over the support of the negatives."""
    if not isinstance(pos, BetaLaw | ScipyLaw) or not isinstance(neg, BetaLaw | ScipyLaw):
        return None, ""
    (name, shapes, loc, scale), (other, shapes_n, loc_n, scale_n) = pos.family, neg.family
    one, two = _as_gamma(name, shapes, scale), _as_gamma(other, shapes_n, scale_n)
    if one and two and loc == loc_n:
        return _agree(
            [_sign(one[0] - two[0]), _sign(one[1] - two[1])], "the two gamma laws are ordered in shape and scale"
        )
    if name != other:
        return None, ""
    if name == "beta" and loc == loc_n and scale == scale_n:
        signs = [_sign(shapes[0] - shapes_n[0]), _sign(shapes_n[1] - shapes[1])]
        return _agree(signs, "the two beta laws are ordered in both shapes")
    if name == "beta" and shapes == shapes_n == (1.0, 1.0):
        return _uniform_trend(pos, neg)
    return _same_family_trend(pos, neg)


def _uniform_trend(pos: BetaLaw | ScipyLaw, neg: BetaLaw | ScipyLaw) -> tuple[int | None, str]:
    """Return the same for two uniform laws."""
    low, high = pos.lower <= neg.lower, pos.upper >= neg.upper
    if low and high:
        return 0, "the positives are uniform over the whole support of the negatives"
    if high:
        return 1, "of two uniform laws that of the positives ends higher"
    return (-1, "of two uniform laws that of the positives starts lower") if low else (None, "")


def _same_family_trend(pos: BetaLaw | ScipyLaw, neg: BetaLaw | ScipyLaw) -> tuple[int | None, str]:
    """Return the same for two laws of one family, by the parameter in which they differ."""
    (name, shapes, loc, scale), (_, shapes_n, loc_n, scale_n) = pos.family, neg.family
    ours, theirs = (shapes, loc, scale), (shapes_n, loc_n, scale_n)
    differ = [part for part, mine, other in zip(_PARAMETERS, ours, theirs, strict=True) if mine != other]
    if name == "lognorm" and differ in ([], ["scale"]):
        return _sign(scale - scale_n), "the two lognormal laws differ in scale only"
    if name in ("pareto", "lomax") and differ in ([], ["shapes"]):
        return _sign(shapes_n[0] - shapes[0]), "the two laws differ in tail exponent only"
    if not differ or (differ == ["scale"] and name in _SCALE_ORDERED):
        return _sign(scale - scale_n), "the two laws differ in scale only"
    if differ == ["loc"] and _log_concave(name, shapes):
        return _sign(loc - loc_n), "the two laws are shifts of one log-concave density"
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
