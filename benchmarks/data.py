"""The scores every contestant gets."""

from __future__ import annotations

import numpy as np


def labels(n, prevalence, rng):
    y = rng.random(n) < prevalence
    y[:2] = [True, False]
    return y


def scores(kind, n, rng, y=None):
    """Scores of one shape; the continuous ones separate the classes."""
    x = rng.normal(size=n)
    if y is not None:
        x += y
    with np.errstate(all="ignore"):
        return {
            "continuous": lambda: x,
            "rounded": lambda: np.round(1 / (1 + np.exp(-x)), 3),
            "uniform": lambda: rng.random(n),
            "sigmoid": lambda: 1 / (1 + np.exp(-30 * x)),
            "sorted": lambda: np.sort(x),
            "reversed": lambda: np.sort(x)[::-1].copy(),
            "constant": lambda: np.full(n, 0.25),
            "zeros": lambda: np.where(rng.random(n) < 0.9, 0.0, x),
            "five decimals": lambda: np.round(1 / (1 + np.exp(-x)), 5),
            "denormal": lambda: rng.random(n) * 1e-310,
            "heavy tails": lambda: rng.standard_cauchy(n),
            "two clusters": lambda: np.where(rng.random(n) < 0.5, x * 1e-9, 1e9 + x),
            "outliers": lambda: np.where(rng.random(n) < 0.01, x * 1e300, 1 + rng.random(n) * 1e-6),
            "exponents": lambda: np.exp(rng.uniform(-700, 700, n)) * rng.choice([-1.0, 1.0], n),
            "any bits": lambda: np.nan_to_num(rng.integers(0, 2**64, n, dtype=np.uint64).view(np.float64)),
        }[kind]()


ADVERSARIAL = [
    "uniform", "sigmoid", "sorted", "reversed", "constant", "zeros", "five decimals", "denormal", "heavy tails",
    "two clusters", "outliers", "exponents", "any bits",
]  # fmt: skip
