"""How short an interval of an area can be on average if it covers other laws too; for docs/validation/areas.md.

    python -m benchmarks.width_table docs/validation/areas.md

writes the bounds anew into the table of that page. They hold for intervals that are monotone (limits of a ranking that
is nowhere better are nowhere higher) and cover every law in at least 93% of the samples of each pair of class totals.

The width is the length of all areas a that the interval covers: its mean is the integral over a of how often it covers
a. It misses a where its lower limit is above a, a set of samples that holds every better ranking with each of its own,
or where its upper limit is below a, a set that holds every worse one. Under a law whose area is a both together have at
most 7%. What that leaves them under the law of the cell, for a below its area (above: all turned around):

- Above. Let F be the law of the cell, and G that of the best of k of its cases: the highest of k positives, the lowest
  of k negatives. Let a share q of m positives stand below everything (or of the negatives above), as many as it takes
  for G's area to fall to a. Samples do not show them with probability h = (1 - q)^m, so the set has at most 7% / h of
  G's samples. One of G is nowhere worse than k independent ones of F, hence a set that has a share s of F's holds at
  least 1 - (1 - s)^k of G's: s is at most 1 - (1 - 7% / h)^(1 / k). With k without end G is a perfect ranking.
- Below. A sample of the worst of k cases is nowhere better than k samples of F. Where that law's area is a or more, the
  set has at most 1 - 93%^(1 / k) of F's samples.
- Both together, by the lemma of Neyman and Pearson: at most what the most powerful test of a law with the area a has.
  Such laws are F with hidden cases (at most 7% / h), and F tilted in the direction in which the area changes fastest,
  with hidden cases for the rest: simulated. Of what simulation adds a twentieth is taken off again, for chance.

The second column of bounds is that of intervals whose limits each err in at most 3.5%.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.unkind_laws import LAWS, Distribution
from benchmarks.width_laws import Measure, Points

Floats = NDArray[np.float64]
Masses = tuple[Floats | None, Floats | None]
LEVEL = 0.93
SEVERAL = (1, 2, 3, 5, 10, 30)
STEPS, SHARES = 1600, 30
_COARSE = 20
DRAWS, TILTS = 6_000, np.concatenate(([0.0, 0.1], np.linspace(0.2, 3.4, 17)))
_TAIL = np.geomspace(1e-3, 0.1, 8)
_EDGES = np.concatenate(([0.0], _TAIL, np.linspace(0.1, 0.9, 17)[1:-1], 1.0 - _TAIL[::-1], [1.0]))
SEED = 20261116
HIDDEN = {-1: ("hopeless", "loud"), 1: ("easy", "quiet")}
"""Which cases a sample does not show, of positives and of negatives, where the other law's area is lower or higher."""


def highest_low(kind: str, at: float, n_pos: int, n_neg: int, prevalence: float, miss: float = 1.0 - LEVEL) -> float:
    """Return what the lower limit of a perfect ranking cannot exceed."""
    q, s = 1.0 - miss ** (1.0 / n_pos), 1.0 - miss ** (1.0 / n_neg)
    if kind == "roc":
        return 1.0 - max(q, s)
    if kind == "fpr":
        return min(1.0 - q, max(1.0 - s / at, 0.0))
    if kind == "tpr":
        return min(max(1.0 - q / (1.0 - at), 0.0), 1.0 - s)
    odds = (1.0 - prevalence) / prevalence
    hopeless = 1.0 - odds * math.log((1.0 + odds) / (1.0 - q + odds))
    return min(hopeless, 1.0 - s * odds * math.log((1.0 + s * odds) / (s * odds)))


def lowest_high(kind: str, at: float, n_pos: int, n_neg: int, prevalence: float, miss: float = 1.0 - LEVEL) -> float:
    """Return what the upper limit of a reversed ranking cannot fall below."""
    q, s = 1.0 - miss ** (1.0 / n_pos), 1.0 - miss ** (1.0 / n_neg)
    if kind == "roc":
        return max(q, s)
    if kind == "fpr":
        return max(q, (s - 1.0 + at) / at)
    if kind == "tpr":
        return max((q - at) / (1.0 - at), s)
    # Positives that stand above everything; the others below all negatives.
    odds = (1.0 - prevalence) / prevalence
    return 1.0 - odds * math.log((1.0 + odds) / (q + odds))


class Promise(NamedTuple):
    """How often an interval may miss: all in all, or (`each`) either of its limits."""

    miss: float
    each: bool


TOGETHER, ALONE = Promise(1.0 - LEVEL, False), Promise((1.0 - LEVEL) / 2.0, True)


@dataclass(frozen=True)
class Cell:
    """A law, a figure and a size."""

    law: Distribution
    measure: Measure
    m: int
    p: float

    @cached_property
    def points(self) -> Points:
        return Points.of(self.law)

    @cached_property
    def prevalence(self) -> float:
        return self.measure[1] if self.measure[0] == "pr" and self.measure[1] else self.p

    @cached_property
    def truth(self) -> float:
        return min(max(self.value((None, None)), 0.0), 1.0)

    @cached_property
    def totals(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """The totals of positives and of negatives, and their chance."""
        total = round(self.m / self.p)
        n_pos = np.arange(1, total)
        chance = binom.pmf(n_pos, total, self.p)
        kept = chance > 1e-8
        return n_pos[kept], total - n_pos[kept], chance[kept] / chance[kept].sum()

    def value(self, masses: Masses, **shares: float) -> float:
        """Return the figure with these masses and shares of hidden cases."""
        return self.points.value(self.measure, self.prevalence, masses, **shares)

    def areas(self, sign: int) -> Floats:
        """Return areas from next to the truth to the end of the scale."""
        return self.truth + sign * self.room(sign) * np.arange(1, STEPS + 1) / STEPS

    def room(self, sign: int) -> float:
        """Return how far the scale reaches to one side."""
        return self.truth if sign < 0 else 1.0 - self.truth

    def end(self, sign: int, miss: float) -> Floats:
        """Return what no lower limit exceeds (`sign` -1), or no upper one falls below, for each pair of totals."""
        end = highest_low if sign < 0 else lowest_high
        pairs = zip(*(side.tolist() for side in self.totals[:2]), strict=True)
        return np.array([end(*self.measure, *pair, self.prevalence, miss) for pair in pairs])[:, None]

    def shares(self, sign: int, masses: Masses, name: str) -> Floats:
        """Return what share of hidden cases a law needs to have each area; NaN where none does."""
        least = int(self.totals[0 if name in ("hopeless", "easy") else 1].min())
        tried = (1.0 - ALONE.miss ** (1.0 / least)) * np.linspace(0.0, 1.0, SHARES) ** 2
        found = np.array([self.value(masses, **{name: share}) for share in tried])
        return np.interp(self.areas(sign), found[::sign], tried[::sign], left=np.nan, right=np.nan)

    @cached_property
    def apart(self) -> dict[int, list[tuple[int, Floats]]]:
        """For each side and number of cases of which one is the best: the log of the chance to show no hidden case."""
        out: dict[int, list[tuple[int, Floats]]] = {-1: [], 1: []}
        for sign, kept in out.items():
            for k in SEVERAL:
                masses = self.points.of_several(k, best=sign < 0)
                logs = [
                    size[:, None] * np.log1p(-self.shares(sign, masses, name))
                    for name, size in zip(HIDDEN[sign], self.totals[:2], strict=True)
                ]
                kept.append((k, np.fmax(*logs)))
        return out

    @cached_property
    def others(self) -> dict[int, Floats]:
        """For each side the areas of the laws of the worst (best) of k cases, k from 2 on."""
        return {
            sign: np.array([self.value(self.points.of_several(k, best=sign > 0)) for k in range(2, 31)])
            for sign in (-1, 1)
        }

    @cached_property
    def tests(self) -> dict[int, Tests]:
        """For each side the laws that are simulated."""
        return {sign: Tests(self, sign) for sign in (-1, 1)}


def least_width(cell: Cell, promise: Promise = TOGETHER, *, simulated: bool = True) -> float:
    """Return a lower bound of the mean width of monotone intervals that keep a promise."""
    return sum(_reach(cell, sign, promise, simulated) for sign in (-1, 1))


def _reach(cell: Cell, sign: int, promise: Promise, simulated: bool) -> float:
    """Return how far on average the interval reaches to one side of the truth."""
    areas, miss, chance = cell.areas(sign), promise.miss, cell.totals[2]
    by_several = [
        np.where(np.isnan(log), 1.0, 1.0 - (1.0 - np.minimum(miss * np.exp(-np.fmax(log, -99.0)), 1.0)) ** (1.0 / k))
        for k, log in cell.apart[sign]
    ]
    never = sign * (areas - cell.end(sign, miss)) <= 0.0
    near = np.where(never, 0.0, np.minimum.reduce(by_several))
    beyond = _beyond(cell, sign, miss)
    # Areas further off are covered less often: each step counts with its far end.
    missed = np.minimum(by_several[0] + (beyond if promise.each else 0.0), near + beyond)
    plain = chance @ np.minimum(missed, 1.0)
    found = float(1.0 - plain.mean()) * cell.room(sign)
    if not simulated:
        return found
    own, further = cell.tests[sign].missed(miss)
    beyond = chance @ beyond
    tested = np.minimum(own + (beyond if promise.each else 0.0), further + beyond)
    more = float(1.0 - np.minimum(plain, tested).mean()) * cell.room(sign)
    return found + 0.95 * (more - found)


def _beyond(cell: Cell, sign: int, miss: float) -> Floats:
    """Return how often limits can be beyond an area on its far side, for each pair of totals."""
    areas = cell.areas(sign)
    out = np.full(areas.size, miss)
    for k, area in enumerate(cell.others[sign], start=2):
        out = np.where(sign * (areas - area) >= 0.0, 1.0 - (1.0 - miss) ** (1.0 / k), out)
    return np.where(sign * (areas - cell.end(-sign, miss)) >= 0.0, 0.0, out)


class Tests:
    """Tilted laws with hidden cases on one side, and what the most powerful tests of them do."""

    def __init__(self, cell: Cell, sign: int) -> None:
        known = [law.name for law in LAWS]
        place = known.index(cell.law.name) if cell.law.name in known else len(known)
        rng = np.random.default_rng([SEED, place, cell.m, round(1000 * cell.p), sign + 1])
        total = round(cell.m / cell.p)
        n_pos = rng.binomial(total, cell.p, size=DRAWS)
        n_pos = n_pos[(n_pos > 0) & (n_pos < total)]
        sizes = n_pos, total - n_pos
        sides = cell.points.pos, cell.points.neg
        bins = [np.searchsorted(_EDGES, np.clip(side.upto[1:], 0.0, 1.0 - 1e-9), side="right") - 1 for side in sides]
        masses = [np.bincount(place, side.masses, _EDGES.size - 1) for place, side in zip(bins, sides, strict=True)]
        pulls = _pulls(cell, bins, masses, (None, None))
        if max(np.abs(pull).max() for pull in pulls) < 1e-9:
            # The figure stands at an end of its scale and does not move at first: what moves it further on.
            pulls = _pulls(cell, bins, masses, cell.points.of_several(2, best=sign > 0))
        spread = sum(mass @ pull**2 / size.mean() for mass, pull, size in zip(masses, pulls, sizes, strict=True)) ** 0.5
        seen = [rng.multinomial(size, mass / mass.sum()) for size, mass in zip(sizes, masses, strict=True)]
        self._half = np.arange(n_pos.size) < n_pos.size // 2
        self._laws: list[tuple[Floats, Floats, Floats, Floats]] = []
        self._further: list[tuple[NDArray[np.bool_], Floats, Floats]] = []
        areas = cell.areas(sign)[_COARSE - 1 :: _COARSE]
        for tilt in TILTS:
            factors = []
            for mass, pull, size in zip(masses, pulls, sizes, strict=True):
                factor = np.exp(sign * tilt * pull / (size.mean() * spread))
                factors.append(factor / (mass @ factor))
            own = [
                rng.multinomial(size, mass * factor / (mass @ factor))
                for size, mass, factor in zip(sizes, masses, factors, strict=True)
            ]
            ratios = [
                sum(counts @ np.log(factor) for counts, factor in zip(both, factors, strict=True))
                for both in (own, seen)
            ]
            tilted = [side.masses * factor[place] for side, factor, place in zip(sides, factors, bins, strict=True)]
            passed = sign * (cell.value((tilted[0], tilted[1])) - areas) >= 0.0
            self._further.append((passed, ratios[0], ratios[1]))
            for name, size in zip(HIDDEN[sign], sizes, strict=True):
                shares = cell.shares(sign, (tilted[0], tilted[1]), name)[_COARSE - 1 :: _COARSE]
                self._laws.append((shares, size.astype(np.float64), ratios[0], ratios[1]))

    def missed(self, miss: float) -> tuple[Floats, Floats]:
        """Return how often, at most, each area is missed: by laws with this area, and by limits short of a further one.

        A limit that is short of an area is short of every further one, so a law further off bounds the second.
        """
        best, found, further = (np.ones(STEPS // _COARSE) for _ in range(3))
        for shares, size, own, seen in self._laws:
            for i in np.flatnonzero(~np.isnan(shares)).tolist():
                hidden = size * math.log1p(-shares[i])
                # One half of the draws chooses the law, the other says what its test does.
                first = _power(own, seen, hidden, self._half, miss)
                if first < best[i]:
                    best[i], found[i] = first, _power(own, seen, hidden, ~self._half, miss)
        # The tilts grow: the first that has passed an area is the nearest to it.
        for passed, own, seen in reversed(self._further):
            further[passed] = _power(own, seen, np.zeros(own.size), ~self._half, miss)
        # Between two areas the further one counts.
        return np.repeat(found, _COARSE), np.repeat(further, _COARSE)


def _power(own: Floats, seen: Floats, hidden: Floats, half: NDArray[np.bool_], miss: float) -> float:
    """Return how often the most powerful test rejects the other law under that of the cell."""
    against, hidden = (-own - hidden)[half], hidden[half]
    order = np.argsort(-against)
    spent = np.cumsum(np.exp(hidden[order])) / against.size
    last = int(np.searchsorted(spent, miss))
    return float(np.mean(-seen[half] - hidden > against[order[last]])) if last < against.size else 1.0


def _pulls(cell: Cell, bins: list[NDArray[np.intp]], masses: list[Floats], start: Masses) -> list[Floats]:
    """Return how the figure of a law changes with the mass of each bin, 0 on average of that of the cell."""
    out, small, value = [], 1e-3, cell.value(start)
    for side, (points, place, mass) in enumerate(zip((cell.points.pos, cell.points.neg), bins, masses, strict=True)):
        pull = np.zeros(mass.size)
        own = start[side]
        before = points.masses if own is None else own
        for i in np.flatnonzero(mass > 0.0).tolist():
            inside = place == i
            both = list(start)
            both[side] = (1.0 - small) * before + np.where(inside, small * points.masses / mass[i], 0.0)
            pull[i] = (cell.value((both[0], both[1])) - value) / small
        out.append(pull - mass @ pull)
    return out
