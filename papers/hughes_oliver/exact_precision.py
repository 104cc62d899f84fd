"""The exact distribution of the empirical precision at a recall."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import special

from thresher.population import Population
from thresher.typing import ArrayLike, FloatArray, IntArray

__all__ = ["PrecisionDistribution", "precision_distribution"]

_PANELS, _NODES_PER_PANEL = 24, 12
_LARGEST_RANDOM_N = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionDistribution:
    """The exact distribution of the empirical precision at one recall.

    Attributes
    ----------
    recall : float
        The recall at which precision is estimated.
    n : int
        Number of cases in a sample.
    design : {"random", "fixed"}
        Whether the number of positives varies from sample to sample.
    values : ndarray
        The possible estimates, increasing.
    probabilities : ndarray
        Element i is the probability of `values[i]`, given that the sample holds a positive.
    undefined : float
        Probability that the sample holds no positive, so that there is no estimate.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> distribution = precision_distribution(CASES["A"].with_prevalence(0.2), 0.5, 100)
    >>> round(distribution.mean, 4), round(distribution.sd, 4), distribution.undefined < 1e-9
    (0.6021, 0.1588, True)
    """

    recall: float
    n: int
    design: str
    values: FloatArray
    probabilities: FloatArray
    undefined: float
    _cumulative: FloatArray = field(repr=False, compare=False)

    @property
    def mean(self) -> float:
        """Expectation of the estimate."""
        return float(self.probabilities @ self.values)

    @property
    def sd(self) -> float:
        """Standard deviation of the estimate."""
        return math.sqrt(max(float(self.probabilities @ (self.values - self.mean) ** 2), 0.0))

    def pmf(self, value: ArrayLike) -> FloatArray:
        """Return the probability of each value, matched to within 1e-12.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> distribution = precision_distribution(CASES["A"].with_prevalence(0.2), 0.5, 100)
        >>> distribution.pmf([0.5, 1.0]).round(4)
        array([0.0291, 0.0125])
        """
        v = np.asarray(value, dtype=np.float64)
        low = np.searchsorted(self.values, v - 1e-12)
        high = np.searchsorted(self.values, v + 1e-12, side="right")
        table = np.append(0.0, self._cumulative)
        return np.asarray(table[high] - table[low])

    def cdf(self, value: ArrayLike) -> FloatArray:
        """Return the probability of an estimate at or below each value.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> distribution = precision_distribution(CASES["A"].with_prevalence(0.2), 0.5, 100)
        >>> distribution.cdf([0.4, 0.6, 0.8]).round(4)
        array([0.107 , 0.5177, 0.8894])
        """
        index = np.searchsorted(self.values, np.asarray(value, dtype=np.float64) + 1e-12, side="right")
        return np.asarray(np.append(0.0, self._cumulative)[index])

    def quantile(self, probability: ArrayLike) -> FloatArray:
        """Return, for each probability, the smallest estimate that is reached with at least that probability.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> distribution = precision_distribution(CASES["A"].with_prevalence(0.2), 0.5, 100)
        >>> distribution.quantile([0.025, 0.975]).round(4)
        array([0.3043, 0.913 ])
        """
        p = np.asarray(probability, dtype=np.float64)
        if not ((p >= 0) & (p <= 1)).all():
            raise ValueError(f"`probability` must be in [0, 1]; got {probability!r}.")
        index = np.searchsorted(self._cumulative, p * (1 - 1e-13))
        return np.asarray(self.values[np.minimum(index, self.values.size - 1)])


def order_index(n_pos: IntArray | int, recall: float) -> IntArray:
    """Return floor(n_pos * recall), an integer up to rounding being taken as that integer."""
    product = np.asarray(n_pos, dtype=np.float64) * recall
    nearest = np.rint(product)
    snapped = np.abs(product - nearest) <= 8 * np.spacing(np.maximum(product, 1.0))
    return np.where(snapped, nearest, np.floor(product)).astype(np.int64)


def _nodes(population: Population, low: float, high: float, n_neg: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return latent recalls between two bounds, their quadrature weights and their false positive rates."""
    distributions = (population.pos, population.neg)
    spots = np.unique(
        np.concatenate(
            [part for distribution in distributions for part in (distribution.breaks(), distribution.atoms()[0])]
        )
    )
    beside = [population.pos.sf(spots), 1.0 - population.pos.cdf(np.nextafter(spots, -np.inf))]
    kinks = np.concatenate([[jump.recall for jump in population.pr_jumps(prevalence=0.5)], *beside])
    edges = np.unique(np.concatenate([np.linspace(low, high, _PANELS + 1), kinks]))
    edges = edges[(edges >= low) & (edges <= high)]
    # Where the false positive rate is steep, split until the binomial distribution moves by few standard deviations per
    # panel.
    for _ in range(2):
        place = 2 * np.sqrt(n_neg) * np.arcsin(np.sqrt(np.clip(population.fpr_at(edges), 0.0, 1.0)))
        parts = np.clip(np.ceil(np.abs(np.diff(place)) / 3.0), 1, 32).astype(np.int64)
        fill = [np.linspace(a, b, k, endpoint=False) for a, b, k in zip(edges[:-1], edges[1:], parts, strict=True)]
        edges = np.append(np.concatenate(fill), edges[-1])
    x, w = np.polynomial.legendre.leggauss(_NODES_PER_PANEL)
    half = 0.5 * np.diff(edges)
    u = ((edges[:-1] + half)[:, None] + half[:, None] * x).ravel()
    return u, (half[:, None] * w).ravel(), population.fpr_at(u)


def precision_distribution(
    population: Population,
    recall: float,
    n: int,
    *,
    design: Literal["random", "fixed"] = "random",
    prevalence: float | None = None,
) -> PrecisionDistribution:
    """Return the exact distribution of the empirical precision at a recall in (0, 1].

    Given n+ positives and k = floor(n+ x) + 1, the k-th highest positive sits at latent recall U ~ Beta(k, n+ - k + 1),
    and the negatives above it are Binomial(n-, alpha(U)); precision is n+ x / (n+ x + that count). This holds for
    continuous, discrete and mixed scores alike. With `design="fixed"` the number of positives is round(n * prevalence).
    """
    prevalence = population.prevalence if prevalence is None else prevalence
    if prevalence is None:
        raise ValueError("`prevalence` must be given here or to the population.")
    if design == "fixed":
        counts, weights, undefined = np.array([round(n * prevalence)]), np.ones(1), 0.0
        if counts[0] < 1:
            raise ValueError(
                f"`n` must give at least one positive; got n={n} at prevalence {prevalence:g}. Hint: take a larger n."
            )
    else:
        counts, weights, undefined = _binomial_window(n, prevalence)
    if recall == 1.0:
        return _collect(counts / n, weights, recall, n, design, undefined)
    if design == "random" and n > _LARGEST_RANDOM_N:
        raise ValueError(
            f'`n` must be at most {_LARGEST_RANDOM_N} for the exact distribution with design="random"; got {n}. '
            'Hint: use design="fixed", or `Population.simulate`, whose cost does not grow with n.'
        )
    k = order_index(counts, recall) + 1
    low = float(special.betaincinv(k, counts - k + 1, 1e-16).min())
    high = min(float((1.0 - special.betaincinv(counts - k + 1, k, 1e-16)).max()), 1.0 - 1e-16)
    u, w, alpha = _nodes(population, max(low, 1e-300), high, n - int(counts[0]))
    false = _false_positive_window(n - counts, alpha)
    table = None
    values, probabilities = [], []
    for count, weight, index in zip(counts[::-1], weights[::-1], k[::-1], strict=True):  # fewest negatives first
        table = _binomial_table(n - int(count), alpha, false) if table is None else _one_more(table, alpha)
        density = _beta_weights(int(index), int(count) - int(index) + 1, u, w)
        values.append(count * recall / (count * recall + false))
        probabilities.append(weight * (density @ table))
    return _collect(np.concatenate(values), np.concatenate(probabilities), recall, n, design, undefined)


def _false_positive_window(n_neg: IntArray, alpha: FloatArray) -> IntArray:
    """Return the numbers of false positives that matter for some number of negatives and some rate."""
    fewest, most = int(n_neg.min()), int(n_neg.max())
    low, high = float(alpha.min()), float(alpha.max())
    # Bernstein's bound on the deviation of a binomial count that has probability below 1e-20.
    reach = [math.sqrt(92 * most * p * (1 - p)) + 32 for p in (low, high)]
    return np.arange(max(math.floor(fewest * low - reach[0]), 0), min(math.ceil(most * high + reach[1]), most) + 1)


def _binomial_window(n: int, prevalence: float) -> tuple[IntArray, FloatArray, float]:
    """Return the numbers of positives that matter, their probabilities given at least one, and that of none."""
    counts = np.arange(1, n + 1)
    weights = np.exp(_log_binomial(n, counts, math.log(prevalence), math.log1p(-prevalence)))
    keep = weights > 1e-17
    none = math.exp(n * math.log1p(-prevalence))
    return counts[keep], weights[keep] / weights[keep].sum(), none


def _log_binomial(n: int, k: IntArray, log_p: FloatArray | float, log_q: FloatArray | float) -> FloatArray:
    choose = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    with np.errstate(invalid="ignore"):
        up, down = k * log_p, (n - k) * log_q
    # 0 * log 0 is 0: an event of probability zero that did not happen.
    return np.asarray(choose + np.where(k == 0, 0.0, up) + np.where(k == n, 0.0, down))


def _binomial_table(n: int, p: FloatArray, k: IntArray) -> FloatArray:
    """Return the Binomial(n, p[i]) probabilities of the counts k in row i."""
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p)[:, None], np.log1p(-np.minimum(p, 1.0))[:, None]
    inside = k <= n
    table = np.zeros((p.size, k.size))
    table[:, inside] = np.exp(_log_binomial(n, k[None, inside], log_p, log_q))
    return table


def _one_more(table: FloatArray, p: FloatArray) -> FloatArray:
    """Return the table for one more trial; what would come from below the first column is negligible."""
    out = table * (1.0 - p)[:, None]
    out[:, 1:] += table[:, :-1] * p[:, None]
    return out


def _beta_weights(a: int, b: int, u: FloatArray, w: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(w * np.exp(special.xlogy(a - 1, u) + special.xlog1py(b - 1, -u) - special.betaln(a, b)))


def _collect(
    values: FloatArray, probabilities: FloatArray, recall: float, n: int, design: str, undefined: float
) -> PrecisionDistribution:
    unique, inverse = np.unique(values, return_inverse=True)
    mass = np.bincount(inverse, weights=probabilities).astype(np.float64)
    total = math.fsum(mass)
    if not abs(total - 1.0) < 1e-7:
        raise ValueError(
            f"the false positive rate must be smooth between its known jumps; got a total probability of {total!r}. "
            "Hint: give the distribution of the positives with its atoms (thresher.population.Discrete or Mixture)."
        )
    keep = mass > 0
    unique, mass = unique[keep], mass[keep] / total
    return PrecisionDistribution(recall, n, design, unique, mass, undefined, np.cumsum(mass))
