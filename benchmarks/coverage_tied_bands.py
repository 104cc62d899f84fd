"""Coverage of the default pointwise bands with ties and without; makes docs/validation/tied-bands.md.

python -m benchmarks.coverage_tied_bands [replicates] > docs/validation/tied-bands.md
"""

from __future__ import annotations

import sys

import numpy as np

import thresher as th
from benchmarks.unkind_laws import LAWS, Distribution

NAMES = (
    "normal 0.7",
    "normal 0.98",
    "five ratings 1.2",
    "five ratings 3",
    "binary test 1.5",
    "exponential x3, floor 0.5",
)
SIZES = ((20, 20), (100, 100), (50, 500))
AT = np.array([0.05, 0.3, 0.7])
BENDS = ((43, 79), (30, 300), (100, 400))
SEED = 20261116


def cell(law: Distribution, n_pos: int, n_neg: int, replicates: int, curve: str) -> tuple[np.ndarray, np.ndarray]:
    """Return coverage and mean width at each abscissa."""
    rng = np.random.default_rng([SEED, NAMES.index(law.name), n_pos, n_neg])
    whole = th.Scores.from_pos_neg(*(law.truth_sample(side, 200_000) for side in (True, False)))
    share = n_pos / (n_pos + n_neg)
    if curve == "roc":
        truth = np.array([whole.roc().at(fpr=x).tpr for x in AT])
    else:
        truth = np.array([whole.pr(prevalence=share).at(recall=x).precision for x in AT])
    hits, width = np.zeros(AT.size), np.zeros(AT.size)
    for _ in range(replicates):
        drawn = th.Scores.from_pos_neg(law.draw(True, (n_pos,), rng), law.draw(False, (n_neg,), rng))
        band = drawn.roc_band(AT) if curve == "roc" else drawn.pr_band(AT, design="fixed")
        hits += band.contains(truth)
        width += band.high - band.low
    return hits / replicates, width / replicates


def bends(replicates: int) -> list[tuple[float, str, str, str, float, float]]:
    """Return the same of a test with two results at its bend: false positive rate 0.1, recall 0.9."""
    rows = []
    for n_pos, n_neg in BENDS:
        rng = np.random.default_rng([SEED, n_pos, n_neg])
        share = n_pos / (n_pos + n_neg)
        truths = (0.9, 0.9 * share / (0.9 * share + 0.1 * (1.0 - share)))
        hits, width = np.zeros(2), np.zeros(2)
        for _ in range(replicates):
            drawn = th.Scores.from_pos_neg(*((rng.random(n) < p) * 1.0 for n, p in ((n_pos, 0.9), (n_neg, 0.1))))
            bands = drawn.roc_band([0.1]), drawn.pr_band([0.9], design="fixed")
            hits += [band.contains(truth)[0] for band, truth in zip(bands, truths, strict=True)]
            width += [(band.high - band.low)[0] for band in bands]
        for k, (curve, x) in enumerate((("roc", 0.1), ("pr", 0.9))):
            rows.append((hits[k] / replicates, curve, "two results, at the bend", f"{n_pos} + {n_neg}", x, width[k]))
    return [(*row[:-1], row[-1] / replicates) for row in rows]


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rows = []
    for law in LAWS:
        if law.name in NAMES:
            for n_pos, n_neg in SIZES:
                for curve in ("roc", "pr"):
                    hits, width = cell(law, n_pos, n_neg, replicates, curve)
                    rows += [
                        (hit, curve, law.name, f"{n_pos} + {n_neg}", x, wide)
                        for hit, x, wide in zip(hits, AT, width, strict=True)
                    ]
    rows += bends(5 * replicates)
    cover = np.array([row[0] for row in rows])
    print("# Pointwise bands, with ties and without\n")
    print(
        f"Coverage in percent of nominal 95% bands, default method, class totals fixed, {replicates} samples a cell,\n"
        f"at bends five times as many (standard error {100 * (0.05 * 0.95 / replicates) ** 0.5:.1f}). Made by\n"
        f"`python -m benchmarks.coverage_tied_bands {replicates}`. Between thresholds the curve is what a randomised\n"
        f"mixture of them attains. Least {100 * cover.min():.1f}, mean {100 * cover.mean():.1f} over "
        f"{cover.size} cells; worst first.\n"
    )
    print("| curve | law | sizes | at | covers | width |\n|---|---|---|---|---|---|")
    for hit, curve, law_name, sizes, x, wide in sorted(rows):
        print(f"| {curve} | {law_name} | {sizes} | {x:g} | {100 * hit:.1f} | {wide:.3f} |")


if __name__ == "__main__":
    main()
