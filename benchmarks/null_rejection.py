"""How often tests between scorers of equal quality reject; makes docs/validation/small-tests.md.

    python -m benchmarks.null_rejection [replicates] > docs/validation/small-tests.md

Every cell compares scorers with the same population value, at 5 %. "delong" is the classical test, which pROC computes;
"default" is what `compare` and `compare_unpaired` do unless asked otherwise. Bootstrap and permutation cells use a
tenth of the replicates.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import numpy as np

import thresher as th

SEED = 20261116
warnings.simplefilter("ignore")


def paired(rng: np.random.Generator, n_pos: int, n_neg: int, models: int, shift: float, spread: float = 1.0):  # type: ignore[no-untyped-def]
    """Return labels and scorers with equal areas; the last one has another spread among positives."""
    y = np.arange(n_pos + n_neg) < n_pos
    common = rng.normal(size=y.size)
    scores = {}
    for i in range(models):
        own = np.sqrt(0.5) * (common + rng.normal(size=y.size))
        wide = spread if i == models - 1 else 1.0
        # Areas are equal when the shift grows with the root of the summed variances.
        moved = shift * np.sqrt((1.0 + wide**2) / 2.0)
        scores[f"m{i}"] = np.where(y, moved + wide * own, own)
    return y, scores


def unpaired(rng: np.random.Generator, sizes: tuple[int, int, int, int], shift: float) -> tuple[th.Scores, th.Scores]:
    """Return two samples of one population: positives and negatives of each."""
    a, b, c, d = sizes
    return (
        th.Scores.from_pos_neg(rng.normal(shift, 1, a), rng.normal(0, 1, b)),
        th.Scores.from_pos_neg(rng.normal(shift, 1, c), rng.normal(0, 1, d)),
    )


def share(draw: Callable[[np.random.Generator], float], replicates: int, seed: int) -> float:
    """Return how often the p value is below 5 %."""
    rng = np.random.default_rng([SEED, seed])
    return float(np.mean([draw(rng) < 0.05 for _ in range(replicates)]))


def cells() -> list[tuple[str, str, int, Callable[[np.random.Generator], float]]]:
    """Return (what, method, divisor of the replicates, one p value)."""
    out: list[tuple[str, str, int, Callable[[np.random.Generator], float]]] = []
    for method in (None, "delong"):
        name = method or "default"
        for n_pos, n_neg, shift in ((6, 300, 1.0), (10, 300, 1.0), (15, 15, 1.0), (30, 300, 2.0), (60, 60, 1.0)):

            def one(rng, n_pos=n_pos, n_neg=n_neg, shift=shift, method=method):  # type: ignore[no-untyped-def]
                return th.compare(*paired(rng, n_pos, n_neg, 2, shift), method=method).pvalue

            out.append((f"ROC area, paired, {n_pos} + {n_neg}, shift {shift:g}", name, 1, one))
        for n_pos, n_neg, models in ((15, 300, 6), (30, 300, 10), (12, 60, 10), (60, 300, 10)):

            def many(rng, n_pos=n_pos, n_neg=n_neg, models=models, method=method):  # type: ignore[no-untyped-def]
                return th.compare(*paired(rng, n_pos, n_neg, models, 1.0), method=method).omnibus.pvalue

            out.append((f"omnibus of ROC areas, {models} scorers, {n_pos} + {n_neg}", name, 1, many))
        for sizes in ((6, 300, 150, 150), (10, 300, 10, 300), (15, 15, 200, 200)):

            def two(rng, sizes=sizes, method=method):  # type: ignore[no-untyped-def]
                return th.compare_unpaired(*unpaired(rng, sizes, 1.0), method=method).pvalue

            out.append(("ROC area, unpaired, {} + {} against {} + {}".format(*sizes), name, 1, two))
    for metric, options in (("pr_auc", {}), ("precision_at_recall", {"recall": 0.5})):
        for n_pos, n_neg, spread in ((6, 300, 1.0), (15, 150, 1.0), (40, 200, 2.0)):

            def drawn(rng, n_pos=n_pos, n_neg=n_neg, spread=spread, metric=metric, options=options):  # type: ignore[no-untyped-def]
                y, scores = paired(rng, n_pos, n_neg, 2, 1.0, spread if metric == "pr_auc" else 1.0)
                return th.compare(y, scores, metric=metric, n_resamples=400, rng=rng, **options).pvalue

            if spread == 1.0:
                out.append((f"{metric}, paired, {n_pos} + {n_neg}", "default", 10, drawn))
    return out


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    found = [
        (share(draw, max(replicates // divisor, 1), i), what, method, max(replicates // divisor, 1))
        for i, (what, method, divisor, draw) in enumerate(cells())
    ]
    default = sorted((row for row in found if row[2] == "default"), reverse=True)
    others = sorted((row for row in found if row[2] != "default"), reverse=True)
    print("# Tests with few cases\n")
    print(
        f"Rejections at 5 % between scorers of equal quality, in percent, most first. Written by\n"
        f"`python -m benchmarks.null_rejection {replicates}`; the standard error of 5 % is "
        f"{100 * (0.05 * 0.95 / replicates) ** 0.5:.1f} with {replicates} replicates.\n"
    )
    for title, rows in (("Defaults", default), ('By name: `method="delong"`, the classical test', others)):
        print(f"## {title}\n\n| what | rejects | replicates |\n|---|---|---|")
        for rate, what, _, count in rows:
            print(f"| {what} | {100 * rate:.1f} | {count} |")
        print()


if __name__ == "__main__":
    main()
