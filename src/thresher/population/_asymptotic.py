"""Theorem 1: the limiting normal law of the empirical precision, its process, and when not to trust it."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.sums import dots
from thresher._core.values import value
from thresher.population._laws import Law
from thresher.population._maps import cross, one_sided, thresholds_at
from thresher.population._points import Points, plain
from thresher.typing import BoolArray, FloatArray

__all__ = ["TheoremCheck", "check_theorem", "gamma_at", "linearisation_share", "process", "sigma", "slope_at"]

# Below these expected counts the estimate is Poisson or degenerate rather than normal.
_FEWEST_FALSE_POSITIVES = 10.0
_FEWEST_POSITIVES = 5.0
_LARGEST_CURVATURE = 0.25


@value
class TheoremCheck:
    """Whether the normal approximation of Theorem 1 can be trusted at one recall and sample size.

    Attributes
    ----------
    recall : float
        The recall asked about.
    n : int
        The sample size.
    trusted : bool
        True when no reason speaks against the approximation.
    reasons : tuple of str
        What speaks against it; empty when it is trusted.
    slope : float
        Derivative of the false positive rate with respect to recall, condition (6); NaN where there is none.
    slope_bound : float
        Largest slope over [epsilon, 1 - epsilon].
    gamma : float
        Largest value of the tail condition (7) over [epsilon, 1 - epsilon]; NaN without a density.
    expected_false_positives : float
        Expected number of negatives above the threshold.
    linearisation_share : float
        Predicted standard deviation of what is left when the estimate is made linear in the sample's own two empirical
        distributions, as a share of the standard deviation by (9). It falls as n ** (-1/4). It belongs to that one
        proof, not to the theorem: some Brownian bridges come much closer, as (8) says.
    curvature_share : float
        How far the false positive rate bends over the sampling error of the threshold, in units of its own standard
        deviation; (8) takes it for straight.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> population = CASES["A"].with_prevalence(0.2)
    >>> check = population.theorem(0.5, 1000)
    >>> check.trusted, round(check.slope, 3)
    (True, 0.375)
    """

    recall: float
    n: int
    trusted: bool
    reasons: tuple[str, ...]
    slope: float
    slope_bound: float
    gamma: float
    expected_false_positives: float
    linearisation_share: float
    curvature_share: float


def slope_at(pos: Law, neg: Law, x: FloatArray, *, kinks: bool = False) -> FloatArray:
    """Return f-(t) / f+(t) at the threshold of each recall in (0, 1); NaN where the slope does not exist.

    With `kinks` the ratio of the densities at the threshold itself is given even where it jumps there.
    """
    points = thresholds_at(pos, neg, x)
    if not (pos.has_density and neg.has_density):
        return _slope_by_difference(pos, neg, x)
    above, below = pos.pdf_at(points), neg.pdf_at(points)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = below / above
    spoiled = (pos.mass_at(points) > 0) | (neg.mass_at(points) > 0) | ~(above > 0)
    if not kinks:
        spoiled |= _at_a_break(pos, neg, points)
    return np.where(spoiled, np.nan, slope)


def _at_a_break(pos: Law, neg: Law, points: Points) -> BoolArray:
    """Tell where the ratio of the densities jumps: at the ends of supports and of mixture components."""
    broken = np.zeros(points.offset.shape, dtype=bool)
    t = points.value
    width = pos.spread or 1.0
    for spot in np.unique(np.concatenate([pos.breaks(), neg.breaks()])):
        near = np.abs(t - spot) <= 1e-12 * max(abs(spot), width)
        if near.any():
            sides = plain(np.array([spot - 1e-9 * width, spot + 1e-9 * width]))
            with np.errstate(divide="ignore", invalid="ignore"):
                left, right = neg.pdf_at(sides) / pos.pdf_at(sides)
            broken |= near & ~np.isclose(left, right, rtol=1e-6, atol=1e-12)
    return broken


def _slope_by_difference(pos: Law, neg: Law, x: FloatArray) -> FloatArray:
    h = 1e-3
    steps = np.array([-2.0, -1.0, 1.0, 2.0]) * h
    weights = np.array([1.0, -8.0, 8.0, -1.0]) / (12 * h)
    odds = np.log(x) - np.log1p(-x)
    grid = 1.0 / (1.0 + np.exp(-(odds[:, None] + steps)))
    values = cross(pos, neg, grid.ravel()).reshape(grid.shape)
    return dots(values, weights) / (x * (1 - x))


def sigma(pos: Law, neg: Law, x: FloatArray, skew: float, *, random: bool) -> FloatArray:
    """Return the standard deviation (9) of sqrt(n) (PR-hat - PR)."""
    points = thresholds_at(pos, neg, x)
    alpha, beta = neg.sf_at(points), neg.cdf_at(points)  # 1 - alpha would lose its digits near alpha = 1
    slope = slope_at(pos, neg, x)
    pr = x / (x + skew * alpha)
    inside = alpha**2 * (1 + skew) * random + slope**2 * x * (1 - x) * skew + alpha * beta
    return pr**2 / x * np.sqrt(skew * (1 + skew) * inside)


def process(
    pos: Law, neg: Law, x: FloatArray, skew: float, *, random: bool, size: int, rng: np.random.Generator
) -> FloatArray:
    """Return draws of the limiting process (8) on a grid; row i is one draw, column j belongs to recall j."""
    order = np.argsort(x, kind="stable")
    grid = x[order]
    alpha, slope = cross(pos, neg, grid), slope_at(pos, neg, grid)
    pi = 1.0 / (1.0 + skew)
    factor = (grid / (grid + skew * alpha)) ** 2 / grid
    label = rng.standard_normal((size, 1)) if random else np.zeros((size, 1))
    total = factor * math.sqrt(1 - pi) / pi**1.5 * alpha * label
    total = total + factor * (1 - pi) / pi**1.5 * slope * _bridge(grid, size, rng)
    total = total + factor * math.sqrt(1 - pi) / pi * _bridge(alpha, size, rng)
    out: FloatArray = np.empty((size, x.size))
    out[:, order] = total
    return out


def _bridge(times: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
    """Return Brownian bridges at nondecreasing times in [0, 1]."""
    steps = np.diff(np.concatenate([[0.0], times, [1.0]]))
    walk = np.cumsum(rng.standard_normal((size, steps.size)) * np.sqrt(np.maximum(steps, 0.0)), axis=1)
    return np.asarray(walk[:, :-1] - times * walk[:, -1:])


def gamma_at(pos: Law, x: FloatArray) -> FloatArray:
    """Return x (1 - x) |d/dx log f+(Q+(1 - x))|, the quantity bounded in (7); NaN where there is no density."""
    if not pos.has_density or not pos.continuous:
        return np.full(x.shape, np.nan)
    # x (1 - x) d/dx is the derivative with respect to logit x.
    h = 2e-3
    steps = np.array([-2.0, -1.0, 1.0, 2.0]) * h
    weights = np.array([1.0, -8.0, 8.0, -1.0]) / (12 * h)
    grid = (np.log(x) - np.log1p(-x))[:, None] + steps
    flat = grid.ravel()
    below, above = 1.0 / (1.0 + np.exp(-flat)), 1.0 / (1.0 + np.exp(flat))
    points = pos.isf_points(below)
    lower = pos.ppf_points(above)
    use = below > 0.5
    points = Points(np.where(use, lower.anchor, points.anchor), np.where(use, lower.offset, points.offset))
    with np.errstate(divide="ignore"):
        heights = np.log(pos.pdf_at(points)).reshape(grid.shape)
    return np.abs(dots(heights, weights))


def linearisation_share(pos: Law, neg: Law, x: FloatArray, skew: float, n: int) -> FloatArray:
    """Return the sd of what the linearisation by the sample's own empirical processes leaves, over the sd (9).

    It is the increment of both processes over the error of the estimated threshold (Bahadur and Kiefer).
    """
    pi = 1.0 / (1.0 + skew)
    n_pos, n_neg = n * pi, n * (1 - pi)
    alpha, r = cross(pos, neg, x), slope_at(pos, neg, x)
    miss = np.sqrt(2 * x * (1 - x) / (math.pi * n_pos))
    left = n * miss * (r / n_neg + r**2 / n_pos)
    factor = skew * x / (x + skew * alpha) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return factor * np.sqrt(left) / sigma(pos, neg, x, skew, random=True)


def curvature_share(pos: Law, neg: Law, x: FloatArray, skew: float, n: int) -> FloatArray:
    """Return how far the false positive rate bends over the error of the threshold, in units of its own sd."""
    pi = 1.0 / (1.0 + skew)
    n_pos, n_neg = n * pi, n * (1 - pi)
    step = np.minimum(np.sqrt(x * (1 - x) / n_pos), 0.999 * np.minimum(x, 1 - x))
    low, here, high = (cross(pos, neg, x + sign * step) for sign in (-1.0, 0.0, 1.0))
    sd = np.sqrt(here * (1 - here) / n_neg + (0.5 * (high - low)) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sd > 0, np.abs(0.5 * (low + high) - here) / sd, 0.0)


def check_theorem(pos: Law, neg: Law, recall: float, skew: float, n: int, epsilon: float) -> TheoremCheck:
    """Return what speaks against the normal approximation at one recall."""
    x = np.array([recall])
    pi = 1.0 / (1.0 + skew)
    sides = one_sided(pos, neg, x)
    alpha, slope = float(sides.value[0]), float(slope_at(pos, neg, x)[0])
    share = float(linearisation_share(pos, neg, x, skew, n)[0])
    bend = float(curvature_share(pos, neg, x, skew, n)[0])
    odds = np.linspace(math.log(epsilon) - math.log1p(-epsilon), math.log1p(-epsilon) - math.log(epsilon), 401)
    grid = 1.0 / (1.0 + np.exp(-odds))
    slopes = slope_at(pos, neg, grid)
    bound = float(np.nanmax(slopes)) if np.isfinite(slopes).any() else math.nan
    tails = gamma_at(pos, grid)
    gamma = float(np.nanmax(tails)) if np.isfinite(tails).any() else math.nan
    n_pos, false = n * pi, n * (1 - pi) * alpha
    reasons = []
    if sides.right[0] - sides.left[0] > 1e-9 * sides.right[0]:
        reasons.append("precision jumps at this recall: the estimate has two limits, each half of the time")
    elif not pos.continuous or not neg.continuous:
        reasons.append("the scores have atoms, so there is no density ratio")
    elif math.isnan(slope):
        reasons.append("the density ratio jumps at this recall: the limit is not normal")
    if alpha == 0:
        reasons.append("no negative can lie above the threshold: the limit is degenerate")
    elif false < _FEWEST_FALSE_POSITIVES:
        reasons.append(f"only {false:.3g} negatives are expected above the threshold: the count is Poisson")
    if n_pos * recall < _FEWEST_POSITIVES or n_pos * (1 - recall) < _FEWEST_POSITIVES:
        reasons.append(
            f"recall {recall:g} lies within {_FEWEST_POSITIVES:g} of the {n_pos:.3g} expected positives from an end"
        )
    if bend > _LARGEST_CURVATURE:
        reasons.append(
            f"the false positive rate bends by {bend:.0%} of its standard deviation over the error of the threshold"
        )
    return TheoremCheck(recall, n, not reasons, tuple(reasons), slope, bound, gamma, false, share, bend)
