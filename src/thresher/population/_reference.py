"""Perfect and reverse separation (properties P5 and P6)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from thresher._core.values import value
from thresher._curves import PrCurve, RocCurve
from thresher.population._laws import Law

__all__ = ["Separation", "find_separation"]


@value
class Separation:
    """Whether a threshold tells the classes apart, and the extreme curves at this prevalence.

    Attributes
    ----------
    kind : {"perfect", "reverse"} or None
        "perfect" when almost surely every positive scores above every negative, "reverse" when below.
    perfect_roc, perfect_pr, reverse_roc, reverse_pr : RocCurve or PrCurve
        The curves of the two extremes, whatever the population: the upper and lower bounds of all curves.

    Examples
    --------
    >>> from scipy import stats
    >>> import thresher as th
    >>> population = th.Population(stats.uniform(2, 1), stats.uniform(0, 1), prevalence=0.3)
    >>> population.separation().kind
    'perfect'
    """

    kind: Literal["perfect", "reverse"] | None
    perfect_roc: RocCurve
    perfect_pr: PrCurve
    reverse_roc: RocCurve
    reverse_pr: PrCurve


def find_separation(pos: Law, neg: Law, prevalence: float) -> Separation:
    """Return the separation of two laws."""
    kind: Literal["perfect", "reverse"] | None = None
    if _above(pos, neg):
        kind = "perfect"
    elif _above(neg, pos):
        kind = "reverse"
    thresholds = np.array([np.inf, np.nan, -np.inf])
    total = 1.0 - prevalence
    first, last = np.array([0.0, prevalence, prevalence]), np.array([0.0, 0.0, total])
    late, early = np.array([0.0, 0.0, prevalence]), np.array([0.0, total, total])
    return Separation(
        kind,
        RocCurve(thresholds, first, last),
        PrCurve(thresholds, first, last),
        RocCurve(thresholds, late, early),
        PrCurve(thresholds, late, early),
    )


def _above(high: Law, low: Law) -> bool:
    """Tell whether one law lies above the other; touching ends do unless both have an atom there."""
    if low.upper < high.lower:
        return True
    touching = low.upper == high.lower
    return touching and not (low.end_mass(upper=True) > 0 and high.end_mass(upper=False) > 0)
