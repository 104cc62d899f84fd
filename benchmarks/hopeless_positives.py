"""What the default interval of the ROC area covers where a share of the positives is hopeless and all else perfect.

    python -m benchmarks.hopeless_positives

The area then is a binomial share of the positives, and the default has the quantiles of Beta(x, m - x + 1/2) and
Beta(x + 1/2, m - x): coverage is a sum over counts, without simulation. Makes a table of docs/validation/areas.md.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, binom

Floats = NDArray[np.float64]
SHARES = np.linspace(0.0005, 0.5, 1000)
FIXED = (10, 15, 20, 30, 50, 100, 200)
RANDOM = ((10, 0.5), (10, 0.1), (10, 0.01), (30, 0.5), (30, 0.1), (30, 0.01), (100, 0.5), (100, 0.1))


@cache
def missed(m: int, part: float) -> tuple[Floats, Floats]:
    """Return how often the area is missed, for each share of hopeless ones, and how often by a perfect sample."""
    count = np.arange(m + 1)
    low, high = np.zeros(m + 1), np.ones(m + 1)
    low[1:] = beta.ppf(0.025, count[1:], m - count[1:] + part)
    high[:-1] = beta.ppf(0.975, count[:-1] + part, m - count[:-1])
    out = (low[:, None] > 1.0 - SHARES) | (high[:, None] < 1.0 - SHARES)
    chance = binom.pmf(count[:, None], m, 1.0 - SHARES) * out
    return chance.sum(axis=0), chance[-1]


def missed_at_random(m: int, p: float, part: float) -> tuple[Floats, Floats]:
    """Return the same for a random sample of m / p cases of a population with prevalence p."""
    total = round(m / p)
    sizes = np.arange(1, total)
    chance = binom.pmf(sizes, total, p)
    kept = chance > 1e-6
    both = np.array([missed(int(size), part) for size in sizes[kept]])
    mean = np.tensordot(chance[kept] / chance[kept].sum(), both, 1)
    return mean[0], mean[1]


def least(found: tuple[Floats, Floats]) -> tuple[float, float, float]:
    """Return the least coverage over all shares, the share, and the least not counting perfect samples."""
    every, perfect = found
    worst = int(every.argmax())
    return 1.0 - float(every[worst]), float(SHARES[worst]), 1.0 - float((every - perfect).max())


def table() -> str:
    """Return the table of the page."""
    head = (
        "positives",
        "least",
        "at a share of hopeless ones",
        "not counting samples without an error",
        "with a quarter of a case",
        "with three",
    )
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    cells = [(f"{m}", lambda part, m=m: missed(m, part)) for m in FIXED]
    cells += [(f"{m}@{p:g}", lambda part, m=m, p=p: missed_at_random(m, p, part)) for m, p in RANDOM]
    for name, found in cells:
        cover, share, others = least(found(0.5))
        parts = " | ".join(f"{100 * least(found(part))[0]:.1f}" for part in (0.25, 0.75))
        lines.append(f"| {name} | {100 * cover:.1f} | {share:.3f} | {100 * others:.1f} | {parts} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
