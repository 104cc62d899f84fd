"""The curves of cases A to F written out by hand: what the library is compared with, and shares nothing with it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy import integrate, special

from thresher.typing import FloatArray

__all__ = ["FPR_AT", "ROC", "pr", "pr_area", "roc_area"]

Curve = Callable[[FloatArray], FloatArray]

_POSITIVES = [Fraction(i, 20) for i in (4, 7, 10, 15, 18)]
_NEGATIVES = [Fraction(i, 20) for i in (1, 2, 3, 4, 5, 6, 8, 10, 12, 14)]


def _beta_upper(a: float, b: float, t: FloatArray) -> FloatArray:
    return np.asarray(special.betainc(b, a, 1.0 - t))


def _beta_threshold(a: float, b: float, x: FloatArray) -> FloatArray:
    return np.asarray(1.0 - special.betaincinv(b, a, x))


def _counted(held: list[Fraction], other: list[Fraction], x: FloatArray) -> FloatArray:
    """Return Pr(other > t), t the smallest value with Pr(held <= t) >= 1 - x, by counting in fractions."""
    out = []
    for share in x.tolist():
        wanted = 1 - Fraction(share).limit_denominator(10**6)
        place = bisect_left([Fraction(i + 1, len(held)) for i in range(len(held))], wanted)
        out.append(sum(value > held[place] for value in other) / len(other))
    return np.array(out)


ROC: dict[str, Curve] = {
    "A": lambda x: np.asarray(special.ndtr(1.4 + special.ndtri(x))),
    "B": lambda x: np.asarray(special.ndtr(np.log(8.0 + special.ndtri(x)) - 1.4)),
    "C": lambda x: _beta_upper(5, 2, _beta_threshold(2, 5, x)),
    "D": lambda x: np.minimum(1.0, x + 0.5),
    "E": lambda x: np.maximum(0.0, x - 0.5),
    "F": lambda x: _counted(_NEGATIVES, _POSITIVES, x),
}
"""True positive rate at a false positive rate, equation (3)."""

FPR_AT: dict[str, Curve] = {
    "A": lambda x: np.asarray(special.ndtr(special.ndtri(x) - 1.4)),
    "B": lambda x: np.asarray(special.ndtr(np.exp(1.4 + special.ndtri(x)) - 8.0)),
    "C": lambda x: _beta_upper(2, 5, _beta_threshold(5, 2, x)),
    "D": lambda x: np.maximum(0.0, x - 0.5),
    "E": lambda x: np.minimum(1.0, x + 0.5),
    "F": lambda x: _counted(_POSITIVES, _NEGATIVES, x),
}
"""False positive rate at a recall: what stands in the brackets of equation (5)."""

_BREAKS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def pr(name: str, x: FloatArray, prevalence: float) -> FloatArray:
    """Return precision at a recall by equation (5)."""
    return prevalence / (prevalence + (1.0 - prevalence) * FPR_AT[name](x) / x)


def roc_area(name: str) -> float:
    """Return the area under (3) by adaptive quadrature."""
    return _area(ROC[name])


def pr_area(name: str, prevalence: float) -> float:
    """Return the area under (5) by adaptive quadrature."""
    return _area(lambda x: pr(name, x, prevalence))


def _area(curve: Curve) -> float:
    # The ends are approached evenly in log x and log(1 - x), where steep curves are tame.
    total = 0.0
    for low, high in zip([1e-12, *_BREAKS], [*_BREAKS, 1.0 - 1e-12], strict=True):
        total += integrate.quad(lambda x: float(curve(np.array([x]))[0]), low, high, limit=200, epsabs=1e-11)[0]
    return total
