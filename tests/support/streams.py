"""Streams that are hard on a sketch, each as labels and scores in the order in which they arrive."""

from __future__ import annotations

import numpy as np

Stream = tuple[np.ndarray, np.ndarray]


def streams(n: int, rng: np.random.Generator) -> dict[str, Stream]:
    """The streams by name; `n` rows each."""

    def labels(share: float) -> np.ndarray:
        y = rng.random(n) < share
        y[:2] = [True, False]
        return y

    out: dict[str, Stream] = {}
    y = labels(0.3)
    s = rng.normal(size=n) + y
    order = np.argsort(s, kind="stable")
    out["shuffled"] = (y, s)
    out["sorted"] = (y[order], s[order])
    out["reversed"] = (y[order[::-1]], s[order[::-1]])
    y = np.zeros(n, dtype=bool)
    y[rng.choice(n, max(round(n * 1e-5), 3), replace=False)] = True
    out["rare positives"] = (y, rng.normal(size=n) + 2 * y)
    out["all tied"] = (labels(0.2), np.full(n, 0.5))
    y = labels(0.01)
    out["scores below 1e-6"] = (y, 1e-6 * np.where(y, rng.beta(2, 3, n), rng.beta(1, 5, n)))
    y = labels(0.5)
    out["two clusters"] = (y, np.where(rng.random(n) < 0.5, 0.2, 0.8) + 1e-5 * (rng.normal(size=n) + y))
    y = labels(0.1)
    out["drifting"] = (y, rng.normal(size=n) + y + np.linspace(0, 20, n))
    y = labels(0.1)
    out["narrowing"] = (y, (rng.normal(size=n) + y) * np.exp(-np.linspace(0, 12, n)))
    y = labels(0.1)
    out["heavy tails"] = (y, rng.standard_cauchy(n) ** 3 + 5 * y)
    y = labels(0.2)
    s, place = rng.normal(size=n) + y, rng.random(n)
    out["infinities"] = (y, np.where(place < 0.1, np.inf, np.where(place > 0.9, -np.inf, s)))
    return out


def against(n: int, rng: np.random.Generator, period: float) -> Stream:
    """A stream whose labels alternate with a bit of the score: in half of every period all are positive."""
    s = 1.0 + rng.random(n)
    return (s / period) % 1.0 >= 0.5, s
