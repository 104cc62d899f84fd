"""Coverage of 95% intervals for the area under the ROC curve, by simulation.

    python -m benchmarks.coverage_roc_intervals [replicates]

Binormal scores of equal spread. Prints the table of docs/validation/roc-intervals.md.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from scipy.special import ndtri

import thresher as th

METHODS = ("delong", "delong-logit", "bamber", "hanley-mcneil", "newcombe", "max-variance")
CELLS = ((0.7, 50, 50), (0.9, 50, 50), (0.7, 20, 80), (0.9, 20, 80), (0.7, 200, 200), (0.9, 200, 200), (0.95, 10, 200))


def coverage(auc: float, n_pos: int, n_neg: int, replicates: int, seed: int) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    shift = ndtri(auc) * np.sqrt(2.0)
    hits = dict.fromkeys(METHODS, 0)
    width = dict.fromkeys(METHODS, 0.0)
    for _ in range(replicates):
        scores = th.Scores.from_pos_neg(rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg))
        area = scores.roc_auc()
        for method in METHODS:
            interval = area.confidence_interval(method=method)
            hits[method] += auc in interval
            width[method] += interval.width
    return {method: (hits[method] / replicates, width[method] / replicates) for method in METHODS}


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    warnings.simplefilter("ignore", th.ThresherWarning)  # a perfect sample now and then is part of the experiment
    print(f"{replicates} replicates a row; coverage (mean width)\n")
    print("| AUC | positives | negatives | " + " | ".join(METHODS) + " |")
    print("|---|---|---|" + "---|" * len(METHODS))
    for seed, (auc, n_pos, n_neg) in enumerate(CELLS):
        found = coverage(auc, n_pos, n_neg, replicates, seed)
        cells = " | ".join(f"{share:.3f} ({width:.3f})" for share, width in found.values())
        print(f"| {auc} | {n_pos} | {n_neg} | {cells} |")


if __name__ == "__main__":
    main()
