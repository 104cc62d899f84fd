"""How short an interval of the ROC area can be on average if it covers other laws too; for docs/validation/areas.md.

    python -m benchmarks.width_bound

An interval that covers every law in at least 93 % of the samples is a family of tests: that of the area a rejects a law
with that area in at most 7 %. So among samples of a law with another area it cannot reject a more often than the most
powerful test of the two laws does (Neyman and Pearson), and it covers a in the rest. Its width is the length of all a
that it covers: the mean width is at least the integral of those shares over a.

For each a the other law is chosen, among these, to be as hard to tell apart as possible: a share q of the positives
stands below all negatives (for areas above that of the law: above them), where the sample does not show them in
(1 - q)^m of the cases, and both classes are tilted in the direction in which the area changes fastest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
