"""How short an interval of an area can be on average if it covers other laws too; for docs/validation/areas.md.

    python -m benchmarks.width_bound

Two lower bounds, `least_width` for the ROC area without further assumptions, `least_monotone_width` for all areas of
intervals that are monotone: limits of a ranking that is nowhere better are nowhere higher.

The first. An interval that covers every law in at least 93 % of the samples is a family of tests: that of the area a
rejects a law with that area in at most 7 %. So among samples of a law with another area it cannot reject a more often
than the most powerful test of the two laws does (Neyman and Pearson), and it covers a in the rest. Its width is the
length of all a that it covers: the mean width is at least the integral of those shares over a.

For each a the other law is chosen, among these, to be as hard to tell apart as possible: a share q of the positives
stands below all negatives (for areas above that of the law: above them), where the sample does not show them in
(1 - q)^m of the cases, and both classes are tilted in the direction in which the area changes fastest.

The second, for given class totals. Where a share q of m positives is hopeless and all else is perfect, the sample is
perfect with probability (1 - q)^m. If that is more than 7 %, the interval of the perfect ranking must hold the area of
this law, and the lower limit of no other ranking is higher. The same holds where a share of the negatives stands above
everything; and turned around, where a share of the positives stands above everything and all else is reversed, no
upper limit is lower than the area of that law. In 93 % of the samples the interval holds its own law's area as well.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.unkind_laws import LAWS, Law

Floats = NDArray[np.float64]
LEVEL = 0.93
BINS, POINTS = 60, 12_000
TILTS = np.linspace(0.0, 3.5, 15)
SEED = 20261116


def pair_shares(law: Law) -> Floats:
    """Return for bins of equal mass of positives (rows) and negatives how often the positive is above."""
    pos, neg = (np.sort(law.truth_sample(side, POINTS))[:POINTS] for side in (True, False))
    size = POINTS // BINS
    out = np.empty((BINS, BINS))
    for j in range(BINS):
        mine = neg[j * size : (j + 1) * size]
        won = (np.searchsorted(mine, pos, side="left") + np.searchsorted(mine, pos, side="right")) / (2.0 * size)
        out[:, j] = won[: BINS * size].reshape(BINS, size).mean(axis=1)
    return out


class Side:
    """Laws whose area is lower (`sign` -1) or higher (1) than that of `law`, and how well samples tell them apart."""

    def __init__(self, law: Law, m: int, p: float, sign: int, draws: int) -> None:
        shares = pair_shares(law)
        self.area, self.sign = float(shares.mean()), sign
        rng = np.random.default_rng([SEED, LAWS.index(law), m, round(1000 * p), sign + 1])
        total = round(m / p)
        n_pos = rng.binomial(total, p, size=draws)
        self.n_pos = n_pos[(n_pos > 0) & (n_pos < total)]
        sizes = self.n_pos, total - self.n_pos
        pulls = shares.mean(axis=1), shares.mean(axis=0)
        spread = sum(pull.var() / size.mean() for pull, size in zip(pulls, sizes, strict=True)) ** 0.5
        even = np.full(BINS, 1.0 / BINS)
        seen = [rng.multinomial(size, even) for size in sizes]
        self.tilted = []
        for tilt in TILTS:
            weights = [
                np.exp(sign * tilt * (pull - self.area) / (size.mean() * spread))
                for pull, size in zip(pulls, sizes, strict=True)
            ]
            weights = [weight / weight.sum() for weight in weights]
            logs = [np.log(weight * BINS) for weight in weights]
            own = [rng.multinomial(size, weight) for size, weight in zip(sizes, weights, strict=True)]
            ratio_own, ratio_seen = (
                sum(counts @ log for counts, log in zip(both, logs, strict=True)) for both in (own, seen)
            )
            self.tilted.append((float(weights[0] @ shares @ weights[1]), ratio_own, ratio_seen))

    def covered(self, a: float) -> float:
        """Return in how many samples of the law, at least, an interval that keeps its promise covers the area `a`."""
        best = 0.0
        for area, own, seen in self.tilted:
            share = 1.0 - a / area if self.sign < 0 else (a - area) / (1.0 - area)
            if not 0.0 <= share < 1.0:
                continue
            hidden = self.n_pos * np.log1p(-share)
            # Rejected is the other law where the sample speaks for the first: the largest ratios, 7 % of its samples.
            against = -own - hidden
            order = np.argsort(-against)
            spent = np.cumsum(np.exp(hidden[order])) / against.size
            last = int(np.searchsorted(spent, 1.0 - LEVEL))
            if last < against.size:
                best = max(best, float(np.mean(-seen - hidden <= against[order[last]])))
        return best

    def reach(self, steps: int = 160) -> float:
        """Return how far on average the interval reaches to this side."""
        end = 0.0 if self.sign < 0 else 1.0
        # Areas are tried until none is covered any more; first coarsely.
        room = end - self.area
        far = next((s for s in np.linspace(0.02, 1.0, 50) if self.covered(self.area + s * room) < 1e-3), 1.0)
        grid = np.linspace(0.0, far, steps + 1)[1:]
        return float(np.mean([self.covered(self.area + s * room) for s in grid])) * far * abs(room)


def least_width(law: Law, m: int, p: float, draws: int = 4_000) -> float:
    """Return a lower bound of the mean width of intervals that cover every law in 93 % of the samples or more."""
    return sum(Side(law, m, p, sign, draws).reach() for sign in (-1, 1))


def highest_low(kind: str, at: float, n_pos: int, n_neg: int, prevalence: float) -> float:
    """Return what the lower limit of a perfect ranking cannot exceed."""
    q, s = 1.0 - (1.0 - LEVEL) ** (1.0 / n_pos), 1.0 - (1.0 - LEVEL) ** (1.0 / n_neg)
    if kind == "roc":
        return 1.0 - max(q, s)
    if kind == "fpr":
        return min(1.0 - q, max(1.0 - s / at, 0.0))
    if kind == "tpr":
        return min(max(1.0 - q / (1.0 - at), 0.0), 1.0 - s)
    odds = (1.0 - prevalence) / prevalence
    hopeless = 1.0 - odds * math.log((1.0 + odds) / (1.0 - q + odds))
    return min(hopeless, 1.0 - s * odds * math.log((1.0 + s * odds) / (s * odds)))


def lowest_high(kind: str, at: float, n_pos: int, n_neg: int, prevalence: float) -> float:
    """Return what the upper limit of a reversed ranking cannot fall below."""
    q, s = 1.0 - (1.0 - LEVEL) ** (1.0 / n_pos), 1.0 - (1.0 - LEVEL) ** (1.0 / n_neg)
    if kind == "roc":
        return max(q, s)
    if kind == "fpr":
        return max(q, (s - 1.0 + at) / at)
    if kind == "tpr":
        return max((q - at) / (1.0 - at), s)
    # Positives that stand above everything; the others below all negatives.
    odds = (1.0 - prevalence) / prevalence
    return 1.0 - odds * math.log((1.0 + odds) / (q + odds))


def least_monotone_width(kind: str, at: float, truth: float, m: int, p: float) -> float:
    """Return a lower bound of the mean width of monotone intervals that cover every law in 93 % of the samples.

    `kind` and `at` name the figure as in `bulk_intervals`; the bound holds for each pair of class totals, and is
    averaged over them.
    """
    total = round(m / p)
    n_pos = np.arange(1, total)
    chance = binom.pmf(n_pos, total, p)
    kept = chance > 1e-8
    prevalence = at if kind == "pr" and at else p
    reach = [
        max(
            truth - highest_low(kind, at, size, total - size, prevalence),
            lowest_high(kind, at, size, total - size, prevalence) - truth,
            0.0,
        )
        for size in n_pos[kept].tolist()
    ]
    return LEVEL * float(chance[kept] @ reach / chance[kept].sum())


def main() -> None:
    for name, m, p in (
        ("normal 0.98, sd ratio 0.333", 30, 0.01),
        ("five ratings 3", 10, 0.1),
        ("normal 0.98, sd ratio 0.333", 30, 0.1),
        ("normal 0.9, sd ratio 0.333", 30, 0.01),
        ("normal 0.9, sd ratio 0.333", 10, 0.1),
        ("normal 0.98, sd ratio 0.333", 100, 0.1),
    ):
        law = next(law for law in LAWS if law.name == name)
        print(f"{name} {m}@{p:g}: {least_width(law, m, p):.4f}", flush=True)


if __name__ == "__main__":
    main()
