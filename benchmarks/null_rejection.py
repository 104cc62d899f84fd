"""How often tests between scorers of equal quality reject; makes docs/validation/small-tests.md.

    python -m benchmarks.null_rejection [replicates] > docs/validation/small-tests.md

Every cell compares scorers with the same population value, at 5 %. "delong" is the classical test, which pROC computes;
"default" is what `compare` and `compare_unpaired` do unless asked otherwise. Figures that are
resampled have 400 resamples.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy import stats
from scipy.optimize import brentq

import thresher as th

SEED = 20261116
Z90 = 1.2815515655446004
warnings.simplefilter("ignore")


ABOUT_FEW = """\
The area under the PR curve of a sample with few positives is biased, and by how much depends on the law: where curves
cross, equal areas of the population are not equal on average in samples. And two or three positives at the top carry
the area of the wider scorer, so that six of them do not tell the spread of the difference. Below ten cases of a class
`compare` warns; in the rows with 15 it does not.
"""

Draw = Callable[[np.random.Generator], float]
Noise = Callable[[np.random.Generator, int], np.ndarray]


def normal(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return noise of unit spread."""
    return rng.normal(size=size)


def heavy(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return noise with heavy tails."""
    return rng.standard_t(3, size=size)


def paired(
    rng: np.random.Generator, n_pos: int, n_neg: int, moved: Sequence[tuple[float, float]], noise: Noise = normal
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels and a scorer for each shift and spread of the positives, on rows that share half their noise."""
    y = np.arange(n_pos + n_neg) < n_pos
    common = noise(rng, y.size)
    scores = {}
    for i, (shift, spread) in enumerate(moved):
        own = np.sqrt(0.5) * (common + noise(rng, y.size))
        scores[f"m{i}"] = np.where(y, shift + spread * own, own)
    return y, scores


def equal_areas(shift: float, spread: float) -> list[tuple[float, float]]:
    """Return two scorers whose curves cross and whose areas are equal: the shift grows as the summed variances."""
    return [(shift, 1.0), (shift * float(np.sqrt((1.0 + spread**2) / 2.0)), spread)]


def equal_pr_areas(shift: float, spread: float, prevalence: float) -> list[tuple[float, float]]:
    """Return two scorers with crossing curves and the same area under the PR curve."""

    def area(at: float, wide: float) -> float:
        return float(th.Population(stats.norm(at, wide), stats.norm(0, 1), prevalence=prevalence).pr_auc())

    wanted = area(shift, 1.0)
    return [(shift, 1.0), (brentq(lambda at: area(at, spread) - wanted, -5.0, 5.0, xtol=1e-6), spread)]


def unpaired(rng: np.random.Generator, sizes: tuple[int, int, int, int], shift: float) -> tuple[th.Scores, th.Scores]:
    """Return two samples of one population: positives and negatives of each."""
    a, b, c, d = sizes
    return (
        th.Scores.from_pos_neg(rng.normal(shift, 1, a), rng.normal(0, 1, b)),
        th.Scores.from_pos_neg(rng.normal(shift, 1, c), rng.normal(0, 1, d)),
    )


def rated(scores: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return scores as five ratings."""
    return {name: np.digitize(values, [-0.5, 0.5, 1.5, 2.5]) for name, values in scores.items()}


def share(draw: Draw, replicates: int, seed: int) -> float:
    """Return how often the p value is below 5 %."""
    rng = np.random.default_rng([SEED, seed])
    return float(np.mean([draw(rng) < 0.05 for _ in range(replicates)]))


def cells() -> Iterator[tuple[str, str, Draw]]:
    """Yield (what, method, one p value)."""
    for method in (None, "delong"):
        yield from _areas(method)
    yield from _resampled()


def _areas(method: str | None) -> Iterator[tuple[str, str, Draw]]:
    name = method or "default"
    for n_pos, n_neg, shift in (
        (6, 300, 1.0),
        (10, 300, 1.0),
        (15, 15, 1.0),
        (30, 300, 2.0),
        (60, 60, 1.0),
        (15, 150, 3.0),
    ):
        what = f"ROC area, paired, {n_pos} + {n_neg}, shift {shift:g}"
        yield what, name, partial(_paired_p, n_pos, n_neg, [(shift, 1.0)] * 2, method)
    for n_pos, n_neg in ((10, 100), (30, 300), (100, 30)):
        for shift, spread in ((1.0, 3.0), (2.0, 0.33)):
            what = f"ROC area, paired, curves that cross (spread {spread:g}), {n_pos} + {n_neg}, shift {shift:g}"
            yield what, name, partial(_paired_p, n_pos, n_neg, equal_areas(shift, spread), method)
        what = f"ROC area, paired, heavy tails, {n_pos} + {n_neg}"
        yield what, name, partial(_paired_p, n_pos, n_neg, [(1.5, 1.0)] * 2, method, noise=heavy)
        what = f"ROC area, paired, five ratings, {n_pos} + {n_neg}"
        yield what, name, partial(_paired_p, n_pos, n_neg, [(1.0, 1.0)] * 2, method, ratings=True)
    for n_pos, n_neg, models in ((15, 300, 6), (30, 300, 10), (12, 60, 10), (60, 300, 10)):
        what = f"omnibus of ROC areas, {models} scorers, {n_pos} + {n_neg}"
        yield what, name, partial(_omnibus_p, n_pos, n_neg, models, method)
    for *sizes, shift in ((6, 300, 150, 150, 1), (10, 300, 10, 300, 1), (15, 15, 200, 200, 1), (20, 500, 200, 50, 2)):
        what = "ROC area, unpaired, {} + {} against {} + {}, shift {}".format(*sizes, shift)
        yield what, name, partial(_unpaired_p, tuple(sizes), float(shift), method)


def _resampled() -> Iterator[tuple[str, str, Draw]]:
    at_half = {"recall": 0.5}  # where the threshold is the median of the positives, whatever their spread
    for n_pos, n_neg in ((6, 300), (15, 150), (40, 200)):
        for spread in (1.0, 2.0):
            crossing = "" if spread == 1.0 else ", curves that cross"
            pr = equal_pr_areas(1.0, spread, n_pos / (n_pos + n_neg))
            yield (
                f"pr_auc, paired{crossing}, {n_pos} + {n_neg}",
                "default",
                partial(_paired_p, n_pos, n_neg, pr, None, metric="pr_auc"),
            )
            yield (
                f"precision_at_recall 0.5, paired{crossing}, {n_pos} + {n_neg}",
                "default",
                partial(
                    _paired_p, n_pos, n_neg, [(1.0, 1.0), (1.0, spread)], None, metric="precision_at_recall", **at_half
                ),
            )
            yield (
                f"recall_at_fpr 0.1, paired{crossing}, {n_pos} + {n_neg}",
                "default",
                partial(_paired_p, n_pos, n_neg, [(Z90, 1.0), (Z90, spread)], None, metric="recall_at_fpr", fpr=0.1),
            )
        yield (
            f"partial_roc_auc to FPR 0.2, paired, {n_pos} + {n_neg}",
            "default",
            partial(_paired_p, n_pos, n_neg, [(1.0, 1.0)] * 2, None, metric="partial_roc_auc", fpr=(0, 0.2)),
        )


def _paired_p(  # type: ignore[no-untyped-def]
    n_pos: int,
    n_neg: int,
    moved: Sequence[tuple[float, float]],
    method: str | None,
    rng: np.random.Generator,
    *,
    noise: Noise = normal,
    ratings: bool = False,
    **options,
) -> float:
    y, scores = paired(rng, n_pos, n_neg, moved, noise)
    if "metric" in options and options["metric"] != "partial_roc_auc":
        options |= {"n_resamples": 400, "rng": rng}
    return float(th.compare(y, rated(scores) if ratings else scores, method=method, **options).pvalue)


def _omnibus_p(n_pos: int, n_neg: int, models: int, method: str | None, rng: np.random.Generator) -> float:
    return float(th.compare(*paired(rng, n_pos, n_neg, [(1.0, 1.0)] * models), method=method).omnibus.pvalue)


def _unpaired_p(sizes: tuple[int, int, int, int], shift: float, method: str | None, rng: np.random.Generator) -> float:
    return float(th.compare_unpaired(*unpaired(rng, sizes, shift), method=method).pvalue)


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    found = [(share(draw, replicates, i), what, method) for i, (what, method, draw) in enumerate(cells())]
    default = sorted((row for row in found if row[2] == "default"), reverse=True)
    others = sorted((row for row in found if row[2] != "default"), reverse=True)
    print("# Tests with few cases\n")
    print(
        f"Rejections at 5 % between scorers of equal quality, in percent, most first. Written by\n"
        f"`python -m benchmarks.null_rejection {replicates}`; the standard error of 5 % is "
        f"{100 * (0.05 * 0.95 / replicates) ** 0.5:.1f} with {replicates} replicates.\n"
    )
    print(ABOUT_FEW)
    for title, rows in (("Defaults", default), ('By name: `method="delong"`, the classical test', others)):
        print(f"## {title}\n\n| what | rejects |\n|---|---|")
        for rate, what, _ in rows:
            print(f"| {what} | {100 * rate:.1f} |")
        print()


if __name__ == "__main__":
    main()
