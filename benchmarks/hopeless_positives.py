"""What the default interval of the ROC area covers where a share of the positives is hopeless and all else perfect.

    python -m benchmarks.hopeless_positives

The area then is a binomial share of the positives: coverage is a sum over counts, without simulation. Makes a table of
docs/validation/areas.md.
"""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

import thresher as th

Floats = NDArray[np.float64]
SHARES = np.linspace(0.0005, 0.5, 1000)
FIXED = ((10, 10), (15, 15), (20, 20), (30, 30), (50, 50), (100, 100), (10, 90), (20, 180), (30, 270), (100, 900))
RANDOM = ((10, 0.5), (10, 0.1), (10, 0.01), (30, 0.5), (30, 0.1), (30, 0.01), (100, 0.5), (100, 0.1))


@cache
def missed(m: int, n: int) -> tuple[Floats, Floats]:
    """Return how often the area is missed, for each share of hopeless ones, and how often by a perfect sample."""
    ends = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        for found in range(m + 1):
            scores = th.Scores.from_counts([2, 1, 0], pos=[found, 0, m - found], neg=[0, n, 0])
            ends.append(tuple(scores.roc_auc().confidence_interval()))
    low, high = np.array(ends).T
    out = (low[:, None] > 1.0 - SHARES) | (high[:, None] < 1.0 - SHARES)
    chance = binom.pmf(np.arange(m + 1)[:, None], m, 1.0 - SHARES) * out
    return chance.sum(axis=0), chance[-1]


def missed_at_random(m: int, p: float) -> tuple[Floats, Floats]:
    """Return the same for a random sample of m / p cases of a population with prevalence p."""
    total = round(m / p)
    sizes = np.arange(1, total)
    chance = binom.pmf(sizes, total, p)
    kept = chance > 1e-4
    both = np.array([missed(int(size), total - int(size)) for size in sizes[kept]])
    mean = np.tensordot(chance[kept] / chance[kept].sum(), both, 1)
    return mean[0], mean[1]


def least(found: tuple[Floats, Floats]) -> tuple[float, float, float]:
    """Return the least coverage over all shares, the share, and the least not counting perfect samples."""
    every, perfect = found
    worst = int(every.argmax())
    return 1.0 - float(every[worst]), float(SHARES[worst]), 1.0 - float((every - perfect).max())


def table() -> str:
    """Return the table of the page."""
    head = "positives + negatives", "least", "at a proportion of hopeless ones", "not counting samples without an error"
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    cells = [(f"{m} + {n}", missed(m, n)) for m, n in FIXED]
    cells += [(f"{m}@{p:g}", missed_at_random(m, p)) for m, p in RANDOM]
    for name, found in cells:
        cover, share, others = least(found)
        lines.append(f"| {name} | {100 * cover:.1f} | {share:.3f} | {100 * others:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
