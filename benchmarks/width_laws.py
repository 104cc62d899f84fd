"""Distributions near a given one: reweighted, with cases at an end of the range, the best or worst of several.

What `width_bound` compares a law with. A law is held as points of each class in cells of equal scores; another law has
other masses on these points, and a share of a class that stands beyond all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.unkind_laws import Distribution

Floats = NDArray[np.float64]
Measure = tuple[str, float]
_TAIL = np.geomspace(1e-5, 0.02, 150)
_NODES = np.concatenate(([0.0], _TAIL, np.linspace(0.02, 0.98, 501)[1:-1], 1.0 - _TAIL[::-1], [1.0]))


def figure(measure: Measure, prevalence: float, pos: Floats, neg: Floats) -> float:
    """Return an area of unit range from the shares of positives and of negatives in each cell, the highest first."""
    kind, at = measure
    tp, fp = np.cumsum(pos) - pos, np.cumsum(neg) - neg
    if kind == "roc":
        return float(pos @ (1.0 - fp - neg / 2.0))
    if kind == "fpr":
        first, last = (np.clip(at - end, 0.0, None) for end in (fp, fp + neg))
        mean = np.where(neg > 0, (first**2 - last**2) / (2.0 * np.where(neg > 0, neg, 1.0)), first)
        return float(pos @ mean) / at
    if kind == "tpr":
        first, last = np.maximum(tp, at), np.maximum(tp + pos, at)
        middle = fp + neg * ((first + last) / 2.0 - tp) / np.where(pos > 0, pos, 1.0)
        return float((last - first) @ (1.0 - middle)) / (1.0 - at)
    odds = (1.0 - prevalence) / prevalence
    some = pos > 0
    p, q, tp, fp = pos[some], odds * neg[some], tp[some], odds * fp[some]
    # Within a cell true positives grow evenly with false ones: the mean of (tp + t p) / (tp + fp + t (p + q)).
    before, added = tp + fp, p + q
    z = added / np.where(before > 0, before, 1.0)
    outer = np.where(z > 1e-4, np.log1p(z) / np.where(z > 1e-4, z, 1.0), 1.0 - z / 2.0 + z * z / 3.0)
    mean = np.where(before > 0, outer * tp / np.where(before > 0, before, 1.0) + (1.0 - outer) * p / added, p / added)
    return float(p @ mean)


@dataclass(frozen=True)
class Class:
    """A class as points, best case first: the cell and the mass of each."""

    cells: NDArray[np.intp]
    masses: Floats

    @property
    def upto(self) -> Floats:
        """The mass of the best so many points."""
        return np.minimum(np.concatenate(([0.0], np.cumsum(self.masses))), 1.0)


@dataclass(frozen=True)
class Points:
    """A law as points of both classes in `cells` cells of equal scores, the highest first."""

    pos: Class
    neg: Class
    cells: int

    @classmethod
    def of(cls, law: Distribution) -> Points:
        """Return the law at probabilities that are close together near the ends of each of its parts."""
        found = []
        for parts in (law.pos, law.neg):
            scores = np.concatenate([part.ppf((_NODES[1:] + _NODES[:-1]) / 2.0) for part in parts])
            found.append((scores, np.concatenate([part.share * np.diff(_NODES) for part in parts])))
        scores = np.unique(np.concatenate([side[0] for side in found]))
        sides = []
        for sign, (values, masses) in zip((-1, 1), found, strict=True):
            order = np.argsort(sign * values, kind="stable")
            sides.append(Class(scores.size - 1 - np.searchsorted(scores, values[order]), masses[order]))
        return cls(sides[0], sides[1], scores.size)

    def value(
        self,
        measure: Measure,
        prevalence: float,
        weights: tuple[Floats | None, Floats | None] = (None, None),
        *,
        hopeless: float = 0.0,
        loud: float = 0.0,
        easy: float = 0.0,
        quiet: float = 0.0,
    ) -> float:
        """Return the figure with these masses on the points of each class and shares of a class beyond all points."""
        sides = []
        for side, weight, share in ((self.pos, weights[0], hopeless + easy), (self.neg, weights[1], loud + quiet)):
            masses = side.masses if weight is None else weight
            sides.append((1.0 - share) * np.bincount(side.cells, masses, self.cells))
        pos = np.concatenate(([easy], sides[0], [hopeless]))
        neg = np.concatenate(([loud], sides[1], [quiet]))
        return figure(measure, prevalence, pos, neg)

    def of_several(self, k: int, *, best: bool) -> tuple[Floats, Floats]:
        """Return the masses of the best or worst of k cases: the highest of k positives, the lowest of k negatives."""
        pos, neg = (np.diff(1.0 - (1.0 - side.upto) ** k if best else side.upto**k) for side in (self.pos, self.neg))
        return pos, neg
