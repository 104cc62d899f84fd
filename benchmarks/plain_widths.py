"""The default intervals of whole areas in plain data, beside the logit scale's: a section of docs/validation/areas.md.

    python -m benchmarks.plain_widths [replicates]

Normal scores of equal spread and fixed class totals. For areas under the PR curve also the least mean width of monotone
intervals that cover every distribution in 93% of samples (`width_bound`, of a random sample of the same size).
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

import thresher as th
from benchmarks.unkind_laws import Distribution, binormal
from benchmarks.width_bound import TOGETHER, Cell, least_width

AREAS, SIZES = (0.7, 0.8, 0.9, 0.95), ((50, 50), (100, 100), (100, 400), (500, 500), (5000, 5000))
MEASURES = (("ROC", th.measures.RocAuc(), "delong-logit"), ("PR", th.measures.PrAuc(), "logit"))
MOST_BOUNDED, POINTS = 1000, 200_000
HEAD = (
    "metric",
    "ROC AUC",
    "positives + negatives",
    "covers",
    "too low / too high",
    "width",
    "logit covers",
    "width : logit's",
    "least : logit's",
)


def rows(auc: float, n_pos: int, n_neg: int, replicates: int) -> list[str]:
    """Return the lines of one distribution and size."""
    law, rng = binormal(auc), np.random.default_rng([round(100 * auc), n_pos, n_neg])
    truths = _truths(law, n_pos / (n_pos + n_neg))
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name, *_ in MEASURES}
    for _ in range(replicates):
        scores = th.Scores.from_pos_neg(law.draw(True, (n_pos,), rng), law.draw(False, (n_neg,), rng))
        for name, measure, plain in MEASURES:
            estimate = measure.estimate(scores)
            found[name].append((*estimate.confidence_interval(), *estimate.confidence_interval(method=plain)))
    out = []
    for name, _, _ in MEASURES:
        low, high, plain_low, plain_high = np.array(found[name]).T
        truth, plain_width = truths[name], float(np.mean(plain_high - plain_low))
        below, above = 100 * np.mean(high < truth), 100 * np.mean(low > truth)
        plain_cover = 100 * np.mean((plain_low <= truth) & (truth <= plain_high))
        least = ""
        if n_pos + n_neg <= MOST_BOUNDED:
            measure = ("roc" if name == "ROC" else "pr", 0.0)
            least = f"{least_width(Cell(law, measure, n_pos, n_pos / (n_pos + n_neg)), TOGETHER) / plain_width:.2f}"
        width = float(np.mean(high - low))
        out.append(
            f"| {name} | {auc:g} | {n_pos} + {n_neg} | {100 - below - above:.1f} | {below:.1f} / {above:.1f} | "
            f"{width:.4f} | {plain_cover:.1f} | {width / plain_width:.2f} | {least} |"
        )
    return out


def _truths(law: Distribution, prevalence: float) -> dict[str, float]:
    """Return the areas of the population."""
    fine = th.Scores.from_pos_neg(law.truth_sample(True, POINTS), law.truth_sample(False, POINTS))
    return {"ROC": fine.roc_auc().value, "PR": fine.pr_auc(prevalence=prevalence).value}


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    warnings.simplefilter("ignore", th.ThresherWarning)
    print(f"Normal scores of equal spread, fixed class totals, {replicates} samples a row.\n")
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for auc in AREAS:
        for n_pos, n_neg in SIZES:
            print(*rows(auc, n_pos, n_neg, replicates), sep="\n", flush=True)


if __name__ == "__main__":
    main()
