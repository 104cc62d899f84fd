"""Theorem 1: its limiting process, and when its normal distribution is not to be trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.population import Distribution, Population
from thresher.typing import FloatArray

__all__ = ["TheoremCheck", "asymptotic_process", "check_theorem"]

# Below these expected counts the estimate is Poisson or degenerate rather than normal.
_FEWEST_FALSE_POSITIVES = 10.0
_FEWEST_POSITIVES = 5.0
_LARGEST_CURVATURE = 0.25


@dataclass(frozen=True, slots=True)
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
    >>> check = check_theorem(CASES["A"].with_prevalence(0.2), 0.5, 1000)
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


def asymptotic_process(
    population: Population,
    recall: FloatArray,
    n_draws: int,
    *,
    design: Literal["random", "fixed"] = "random",
    prevalence: float,
    rng: int,
) -> FloatArray:
    """Return draws of the process (8), the limit of sqrt(n) (PR-hat - PR); row i is one draw, column j a recall."""
    generator, size, pi = np.random.default_rng(rng), n_draws, prevalence
    order = np.argsort(recall, kind="stable")
    grid = recall[order]
    alpha, slope = population.fpr_at(grid), _slope(population, grid)
    factor = population.pr(grid, prevalence=pi) ** 2 / grid
    label = generator.standard_normal((size, 1)) if design == "random" else np.zeros((size, 1))
    total = factor * math.sqrt(1 - pi) / pi**1.5 * alpha * label
    total = total + factor * (1 - pi) / pi**1.5 * slope * _bridge(grid, size, generator)
    total = total + factor * math.sqrt(1 - pi) / pi * _bridge(alpha, size, generator)
    out: FloatArray = np.empty((size, recall.size))
    out[:, order] = total
    return out


def _slope(population: Population, x: FloatArray) -> FloatArray:
    """Return the slope where it exists, which is where Theorem 1 gives a standard deviation, and NaN elsewhere."""
    spread = population.asymptotic_sd(x, 1, prevalence=0.5)
    return np.where(np.isnan(spread), np.nan, population.slope(x))


def _bridge(times: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
    """Return Brownian bridges at nondecreasing times in [0, 1]."""
    steps = np.diff(np.concatenate([[0.0], times, [1.0]]))
    walk = np.cumsum(rng.standard_normal((size, steps.size)) * np.sqrt(np.maximum(steps, 0.0)), axis=1)
    return np.asarray(walk[:, :-1] - times * walk[:, -1:])


def gamma_at(pos: Distribution, x: FloatArray) -> FloatArray:
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
    points = np.where(below > 0.5, pos.ppf(above), pos.isf(below))
    with np.errstate(divide="ignore"):
        heights = np.log(pos.pdf(points)).reshape(grid.shape)
    return np.asarray(np.abs(heights @ weights))


def linearisation_share(population: Population, x: FloatArray, skew: float, n: int) -> FloatArray:
    """Return the sd of what the linearisation by the sample's own empirical processes leaves, over the sd (9).

    It is the increment of both processes over the error of the estimated threshold (Bahadur and Kiefer).
    """
    pi = 1.0 / (1.0 + skew)
    n_pos, n_neg = n * pi, n * (1 - pi)
    alpha, r = population.fpr_at(x), _slope(population, x)
    miss = np.sqrt(2 * x * (1 - x) / (math.pi * n_pos))
    left = n * miss * (r / n_neg + r**2 / n_pos)
    factor = skew * x / (x + skew * alpha) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(factor * np.sqrt(left) / population.asymptotic_sd(x, 1, prevalence=pi))


def curvature_share(population: Population, x: FloatArray, skew: float, n: int) -> FloatArray:
    """Return how far the false positive rate bends over the error of the threshold, in units of its own sd."""
    pi = 1.0 / (1.0 + skew)
    n_pos, n_neg = n * pi, n * (1 - pi)
    step = np.minimum(np.sqrt(x * (1 - x) / n_pos), 0.999 * np.minimum(x, 1 - x))
    low, here, high = (population.fpr_at(x + sign * step) for sign in (-1.0, 0.0, 1.0))
    sd = np.sqrt(here * (1 - here) / n_neg + (0.5 * (high - low)) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sd > 0, np.abs(0.5 * (low + high) - here) / sd, 0.0)


def check_theorem(
    population: Population, recall: float, n: int, *, epsilon: float = 0.05, prevalence: float | None = None
) -> TheoremCheck:
    """Return what speaks against the normal approximation at one recall.

    The theorem says that Brownian bridges exist from which the estimate differs by order log n / sqrt(n), and they do.
    The linear part in the sample's own empirical distributions is another approximation, off by order n ** (-1/4);
    `linearisation_share` gives its size. The conditions on slope and tails are checked over [epsilon, 1 - epsilon].
    """
    if not 0.0 < epsilon < 0.5:
        raise ValueError(f"`epsilon` must be in (0, 0.5); got {epsilon}.")
    pi = population.prevalence if prevalence is None else prevalence
    if pi is None:
        raise ValueError("`prevalence` must be given here or to the population.")
    x, skew = np.array([recall]), (1.0 - pi) / pi
    jumps = [jump for jump in population.pr_jumps(prevalence=pi) if abs(jump.recall - recall) <= 1e-12]
    alpha, slope = float(population.fpr_at(recall)), float(_slope(population, x)[0])
    share = float(linearisation_share(population, x, skew, n)[0])
    bend = float(curvature_share(population, x, skew, n)[0])
    odds = np.linspace(math.log(epsilon) - math.log1p(-epsilon), math.log1p(-epsilon) - math.log(epsilon), 401)
    grid = 1.0 / (1.0 + np.exp(-odds))
    slopes = _slope(population, grid)
    bound = float(np.nanmax(slopes)) if np.isfinite(slopes).any() else math.nan
    tails = gamma_at(population.pos, grid)
    gamma = float(np.nanmax(tails)) if np.isfinite(tails).any() else math.nan
    n_pos, false = n * pi, n * (1 - pi) * alpha
    reasons = []
    if jumps:
        reasons.append("precision jumps at this recall: the estimate has two limits, each half of the time")
    elif not population.pos.continuous or not population.neg.continuous:
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
