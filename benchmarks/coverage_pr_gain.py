"""Coverage of the interval of the precision-recall-gain area, on populations whose area is known.

Run `python benchmarks/coverage_pr_gain.py [replicates]`. Each class keeps its size, as the interval assumes. With g the
recall, precision gain is 1 - FPR(g) / g, so that the true area is one integral.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from scipy import integrate

import thresher as th
from thresher.population import CASES


def true_area(case: th.Population, share: float) -> float:
    """Return the area over recall gain 0 to 1."""

    def height(recall: float) -> float:
        return (1.0 - float(case.fpr_at(recall)) / recall) * share / ((1.0 - share) * recall**2)

    return float(integrate.quad(height, share, 1.0 - 1e-12, limit=400)[0])


def main(replicates: int = 300) -> None:
    print(
        "| case | positives + negatives | area | log: coverage (low, high) | length | percentile: coverage | length |"
    )
    print("|---|---|---|---|---|---|---|")
    for name in "ABCD":
        for n_pos, n_neg in ((20, 20), (20, 200), (100, 100), (100, 1000)):
            case = CASES[name]
            truth = true_area(case, n_pos / (n_pos + n_neg))
            rng = np.random.default_rng(9)
            found = np.zeros((2, 4))
            for _ in range(replicates):
                pos, neg = (law.isf(rng.random(size)) for law, size in ((case.pos, n_pos), (case.neg, n_neg)))
                scores = th.Scores.from_pos_neg(pos, neg)
                seed = int(rng.integers(2**31))
                for row, method in enumerate(("log", "percentile")):
                    with warnings.catch_warnings():
                        # Separated samples: a point, counted as what it is.
                        warnings.simplefilter("ignore", th.ThresherWarning)
                        low, high = scores.pr_gain_interval(method=method, n_resamples=300, rng=seed)
                    found[row] += (low <= truth <= high, high < truth, low > truth, high - low)
            log, percentile = found / replicates
            print(
                f"| {name} | {n_pos} + {n_neg} | {truth:.4f} | {log[0]:.3f} ({log[1]:.3f}, {log[2]:.3f}) "
                f"| {log[3]:.3f} | {percentile[0]:.3f} | {percentile[3]:.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
