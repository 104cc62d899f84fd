"""Empirical precision of many samples, drawn exactly and without any scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from papers.hughes_oliver.exact_precision import order_index
from thresher.population import Population
from thresher.typing import FloatArray

__all__ = ["simulate"]


def simulate(
    population: Population,
    n: int,
    size: int,
    recalls: Sequence[float] | FloatArray,
    rng: np.random.Generator | int,
    *,
    design: Literal["random", "fixed"] = "random",
) -> FloatArray:
    """Return empirical precisions of `size` samples of n cases; row i is a sample, column j belongs to `recalls[j]`.

    The positives' order statistics are drawn as Beta spacings and the negatives above them as binomial increments, so
    the cost does not depend on n. A row without positives is NaN.

    >>> from thresher.population import CASES
    >>> precision = simulate(CASES["A"].with_prevalence(0.2), 1000, 200, [0.25, 0.5], rng=0)
    >>> precision.shape, precision.mean(axis=0).round(2)
    ((200, 2), array([0.77, 0.61]))
    """
    rng = np.random.default_rng(rng)
    prevalence = float(population.prevalence or 0.5)
    wanted = np.asarray(recalls, dtype=np.float64)
    n_pos = rng.binomial(n, prevalence, size) if design == "random" else np.full(size, round(n * prevalence))
    out = np.full((size, wanted.size), np.nan)
    some = n_pos > 0
    positives, negatives = n_pos[some], (n - n_pos)[some]
    latent, false, rate = np.zeros(positives.size), np.zeros(positives.size, dtype=np.int64), np.zeros(positives.size)
    reached = np.zeros(positives.size, dtype=np.int64)
    for column in np.argsort(wanted, kind="stable"):
        recall = float(wanted[column])
        k = order_index(positives, recall) + 1
        done = k > positives
        move = (k > reached) & ~done
        step = rng.beta(k[move] - reached[move], positives[move] - k[move] + 1)
        latent[move] += (1.0 - latent[move]) * step
        reached[move] = k[move]
        new = rate.copy()
        new[move] = population.fpr_at(np.clip(latent[move], np.finfo(float).tiny, 1.0 - 1e-16))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(rate < 1, (new - rate) / (1.0 - rate), 0.0)
        false = false + rng.binomial(negatives - false, np.clip(share, 0.0, 1.0))
        rate = np.maximum(rate, new)
        called = positives * recall + np.where(done, negatives, false)
        with np.errstate(invalid="ignore"):
            out[some, column] = np.where(called > 0, positives * recall / np.where(called > 0, called, 1.0), np.nan)
    return out
