"""Quantiles of a figure of weighted tables, with little of the noise that simulated quantiles have.

A figure of weighted tables is nearly a polynomial in two numbers whose distributions are known: the mean influence of
the positives and that of the negatives, and the odds of the classes where they play a part. The simulated tables only
serve to fit the polynomial; the quantile is computed from the known distributions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.arrays import frozen
from thresher.typing import FloatArray

# Up to this part of the variance that is left, the polynomial counts alone; from the other one on, only simulation.
_FITS, _FAILS = 0.05, 0.1
_POINTS = 199
_EDGE = 0.02
_ROUNDING = 1e-14
_HEIGHTS = np.linspace(-4.6, 4.6, 47)
_MOST_STEPS, _CLOSE = 30, 1e-3


class ClassMean(NamedTuple):
    """A mean of `values` with gamma weights of these `shapes`, divided by their sum; the values average 0."""

    values: FloatArray
    shapes: FloatArray

    @property
    def sd(self) -> float:
        """The standard deviation of the mean."""
        total = float(self.shapes.sum())
        return float(np.sqrt(np.dot(self.shapes, self.values**2) / total / (total + 1.0)))

    def quantiles(self, scores: FloatArray) -> FloatArray:
        """Return the quantiles of the mean that belong to normal scores, by a saddlepoint approximation.

        The mean is below c as often as the sum of weight times (value - c) is below 0.
        """
        total, a, shapes = float(self.shapes.sum()), self.values, self.shapes
        if not self.sd > 0.0:
            return np.zeros_like(scores)
        x = _TILTS / (self.sd * total)
        u = x / (1.0 + x * np.where(x > 0.0, float(a.max()), float(a.min())))
        room = 1.0 - np.outer(u, a)
        tilted = shapes / room
        c = (tilted @ a) / tilted.sum(axis=1)
        stretch = 1.0 / (1.0 - c * u)
        cumulant = -(total * np.log(stretch) + np.log(room) @ shapes)
        second = (np.square((a - c[:, None]) / room) @ shapes) / stretch**2
        w = np.sign(u) * np.sqrt(np.maximum(-2.0 * cumulant, 0.0))
        v = u * stretch * np.sqrt(second)
        found = (w != 0.0) & (v != 0.0)  # next to the middle of a class that hardly varies nothing is left of them
        w, v = w[found], v[found]
        return np.asarray(np.interp(scores, np.maximum.accumulate(w + np.log(v / w) / w), c[found]))


# Without 0, where the approximation is a limit.
_TILTS = np.sinh(np.linspace(-6.0, 6.0, 64))


class LogOdds(NamedTuple):
    """The logarithm of the ratio of two gamma weights less its expectation, times a factor."""

    positives: float
    negatives: float
    factor: float

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return abs(self.factor) * math.sqrt(_trigamma(self.positives) + _trigamma(self.negatives))

    @property
    def expected(self) -> float:
        """The expectation of the logarithm of the odds of a negative."""
        return float(scipy.special.digamma(self.negatives) - scipy.special.digamma(self.positives))

    def quantiles(self, scores: FloatArray) -> FloatArray:
        """Return the quantiles that belong to normal scores."""
        share = scipy.special.ndtr(scores if self.factor > 0.0 else -scores)
        # The smaller part is computed, so that neither is rounded to 1.
        small, large = (scipy.special.betaincinv(one, other, at) for one, other, at in self._sides(share))
        return np.asarray(self.factor * (np.log(small) - np.log(large) - self.expected))

    def _sides(self, share: FloatArray) -> tuple[tuple[float, float, FloatArray], ...]:
        return (self.negatives, self.positives, share), (self.positives, self.negatives, 1.0 - share)


class Simulated(NamedTuple):
    """Simulated tables: the figure of each, and its linear parts with their distributions.

    The parts are the mean influence of the positives, that of the negatives, and the odds where they play a part.
    """

    figures: FloatArray
    parts: list[FloatArray]
    laws: list[ClassMean | LogOdds]


def order_statistic(replicates: FloatArray, share: float) -> float:
    """Return the order statistic below which a new replicate falls with this probability."""
    place = float(np.clip(share * (replicates.size + 1), 1.0, replicates.size)) - 1.0
    under = int(place)
    over = min(under + 1, replicates.size - 1)
    ends = np.partition(replicates, (under, over))[[under, over]]
    return float(ends[0] + (place - under) * (ends[1] - ends[0]))


def tilts_of(
    pulls: tuple[FloatArray, FloatArray], laws: list[ClassMean | LogOdds], share: float
) -> tuple[FloatArray, FloatArray]:
    """Return factors of the weights of each class with which a figure varies about this quantile of it.

    `pulls` are the influence values of the cells. Exponential weights that are tilted are exponential weights times a
    factor; the proportion of each class, and of the odds, in the way to the quantile is its part of the variance.
    """
    scale = math.hypot(*(law.sd for law in laws))
    goal = float(scipy.special.ndtri(share)) / scale if scale > 0.0 else 0.0
    out: list[FloatArray] = []
    balance = 1.0
    for law in laws:
        if isinstance(law, LogOdds):
            balance = math.exp(goal * law.sd**2 / law.factor)
            continue
        least, most = float(law.values.min()), float(law.values.max())
        x = goal / float(law.shapes.sum())
        u = x / (1.0 + x * (most if x > 0.0 else least))
        out.append(1.0 / (1.0 - u * np.clip(pulls[len(out)], least, most)))
    return out[0], out[1] * balance


def smooth_quantile(drawn: Simulated, share: float) -> tuple[float, float]:
    """Return a quantile of the figure from tables about it, and how much of it a simulated quantile should be.

    The latter is 0 where the polynomial leaves next to nothing of the variance, and 1 where it leaves 10% or more.
    """
    # The part that varies most is integrated over; the others and what is left run over few points.
    order = sorted(range(len(drawn.laws)), key=lambda i: -drawn.laws[i].sd)
    laws = [drawn.laws[i] for i in order]
    scale = math.hypot(*(law.sd for law in laws))
    if not (scale > 0.0 and np.isfinite(drawn.figures).all()):
        return math.nan, 1.0
    # About their means, so that the terms of the polynomial are hardly collinear.
    parts = [drawn.parts[i] / scale for i in order]
    centres = [float(part.mean()) for part in parts]
    columns = _terms([part - centre for part, centre in zip(parts, centres, strict=True)])
    gram = columns.T @ columns
    gram[np.diag_indices_from(gram)] += 1e-12 * float(np.trace(gram))
    fitted = np.linalg.solve(gram, columns.T @ drawn.figures)
    left = drawn.figures - columns @ fitted
    doubt = min(max((float(left.var()) / scale**2 - _FITS) / (_FAILS - _FITS), 0.0), 1.0)
    if doubt == 1.0:
        return math.nan, 1.0
    points = _lattice()
    others = [
        law.quantiles(row) / scale - centre for law, row, centre in zip(laws[1:], points, centres[1:], strict=False)
    ]
    rest = np.sort(left)[(scipy.special.ndtr(points[2]) * left.size).astype(np.intp)]
    own = np.asarray(laws[0].quantiles(_HEIGHTS) / scale - centres[0], dtype=np.float64)
    figure = rest + _along(fitted.astype(np.float64), own[:, None], others)
    found = _quantile(figure, share, float(np.median(drawn.figures)), scale)
    # The tables lie about the quantile: if it is not among them, the polynomial was extrapolated.
    least, most = np.quantile(drawn.figures, (_EDGE, 1.0 - _EDGE))
    return found, doubt if least <= found <= most else 1.0


def _terms(parts: list[FloatArray]) -> FloatArray:
    """Return the terms of the polynomial: all squares and products, and the cube of the sum."""
    terms = [sum(parts) ** 3, np.ones_like(parts[0])]
    for i, part in enumerate(parts):
        terms += [part, *(part * other for other in parts[: i + 1])]
    return np.stack(terms, axis=1)


def _along(fitted: FloatArray, p: FloatArray, others: list[FloatArray]) -> FloatArray:
    """Return the polynomial: a row for each value of the first part, a column for each point of the others."""
    cube, zeroth, first, second, *rest = fitted.tolist()
    base, slope = np.full(_POINTS, zeroth), np.full(_POINTS, first)
    for i, part in enumerate(others):
        single, by_first, *products = rest[: i + 3]
        rest = rest[i + 3 :]
        base += (single + sum(by * other for by, other in zip(products, others, strict=False))) * part
        slope += by_first * part
    shift = np.sum(others, axis=0)
    return np.asarray(base + (slope + second * p) * p + cube * (p + shift) ** 3)


def _quantile(figure: FloatArray, share: float, about: float, scale: float, heights: FloatArray = _HEIGHTS) -> float:
    """Return the quantile of the figure; rows are as probable as normal scores, columns equally probable."""
    within = np.diff(scipy.special.ndtr(heights))
    within /= within.sum()
    # Between two rows the figure is taken as straight, and its probability as spread evenly.
    start, rise = figure[:-1], np.diff(figure, axis=0)
    rise[rise == 0.0] = 1e-300
    goal = float(scipy.special.ndtri(share))

    def score(aim: float) -> float:
        below = float(within @ _part_below(start, rise, aim).mean(axis=1))
        return float(scipy.special.ndtri(min(max(below, 1e-12), 1.0 - 1e-12)))

    return _crossing(score, goal, about, scale, (float(figure.min()), float(figure.max())))


def _crossing(
    score: Callable[[float], float], goal: float, at: float, scale: float, within: tuple[float, float]
) -> float:
    """Return where a rising function reaches a height: by secants, and by halves where they leave the bracket."""
    low, high = within
    before: tuple[float, float] | None = None
    for _ in range(_MOST_STEPS):
        height = score(at)
        if abs(height - goal) < _CLOSE:
            break
        low, high = (at, high) if height < goal else (low, at)
        if before is not None and height != before[1]:
            scale = (at - before[0]) / (height - before[1])
        before = at, height
        at += (goal - height) * scale
        if not low < at < high:
            at = (low + high) / 2.0
    return at


def _part_below(start: FloatArray, rise: FloatArray, aim: float) -> FloatArray:
    """Return which part of straight pieces lies below a value."""
    part = np.clip((aim - start) / rise, 0.0, 1.0)
    return np.where(rise > 0.0, part, 1.0 - part)


@lru_cache(maxsize=1)
def _lattice() -> FloatArray:
    """Return normal scores of points spread evenly over the unit cube and symmetric about its middle."""
    ratio = 1.2207440846057596  # solves x^4 = x + 1
    uniform = (0.5 + np.outer(ratio ** -np.arange(1.0, 4.0), np.arange(_POINTS) - _POINTS // 2)) % 1.0
    return frozen(scipy.special.ndtri(uniform))


def _trigamma(x: float) -> float:
    """Return the variance of the logarithm of a gamma weight."""
    return float(scipy.special.polygamma(1, x))


def class_mean(values: FloatArray, cumulative: FloatArray, nodes: FloatArray, end: float, mass: float) -> ClassMean:
    """Return the distribution of the mean influence of a class, whose weights are drawn between nodes.

    `values` are those of its cells, `end` that of the mass at its adverse end.
    """
    steps = np.diff(nodes)
    counts = np.diff(cumulative, prepend=0.0)
    sums = np.interp(nodes, np.append(0.0, cumulative), np.append(0.0, np.cumsum(values * counts)))
    shapes = np.append(steps, mass)
    each = np.append(np.diff(sums) / steps, end)
    return _centred(each, shapes)[1]


def _centred(values: FloatArray, shapes: FloatArray) -> tuple[float, ClassMean]:
    """Return the expectation of a mean with gamma weights, and its distribution about that."""
    centre = float(values @ shapes) / float(shapes.sum())
    apart = values - centre
    return centre, ClassMean(np.where(np.abs(apart) > _ROUNDING, apart, 0.0), shapes)


def mean_quantile(values: FloatArray, shapes: FloatArray, extreme: float, mass: float, share: float) -> float:
    """Return a quantile of a mean with gamma weights, of which one of shape `mass` belongs to another value."""
    centre, law = _centred(values, shapes)
    means = centre + law.quantiles(scipy.special.ndtri((np.arange(_POINTS) + 0.5) / _POINTS))
    # A weight of shape 1/2 is far from straight in its probability, so the rows are close together.
    heights = np.linspace(_HEIGHTS[0], _HEIGHTS[-1], 4 * _HEIGHTS.size)
    part = scipy.special.betaincinv(mass, float(shapes.sum()), scipy.special.ndtr(heights))[:, None]
    figure = (1.0 - part) * means + part * extreme
    scale = float(figure.std())
    return _quantile(figure, share, float(np.median(figure)), scale, heights) if scale > _ROUNDING else centre
