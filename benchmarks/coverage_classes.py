"""How often intervals of averages over classes hold the truth, and how often tests reject classifiers of equal quality.

Column k scores class k: normal, with mean `lift` and a spread of its own for cases of that class, mean 0 and spread 1
for the others. Every ROC area, and so every average of them, then is Phi(lift / sqrt(1 + spread^2)); average precision
is that of the population with the proportion of each class. Two classifiers differ by independent noise only.

Run ``python -m benchmarks.coverage_classes > docs/validation/classes.md``; ``--replicates`` sets the number of samples.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy.special
from scipy import stats

import thresher as th
from thresher.exceptions import ThresherWarning, UndefinedMetricError

HEAD = """\
# Averages over classes

Made by `python -m benchmarks.coverage_classes`: {replicates:,} samples a cell, nominal 95% intervals and 5% tests. The
standard error of 95% is {error:.1f}. Scores are normal; *spread* is that of a class's own scores where the rest have 1,
and *near 1* are ROC areas above 0.999. Class sizes are fixed.

Averages of ROC AUC cover at least 95% in every cell. Average precision of few positives is too high on average: its
averages undercover in small classes and near 1, with a warning. No cell below 92% is without one.

## Intervals, worst first

*Unwarned* are samples whose interval misses the truth with no warning given. *Refused*: no interval, with a message.

| average | classes | covers % | truth below % | above % | unwarned misses % | warned % | refused % | mean width |
|---|---|---|---|---|---|---|---|---|"""
AVERAGES = ("macro ROC AUC", "Hand-Till", "weighted ROC AUC", "micro ROC AUC", "macro AP", "weighted AP", "micro AP")


class Cell(NamedTuple):
    """A population: how many cases each class has, how far they stand apart, and their own spread."""

    name: str
    sizes: tuple[int, ...]
    lift: float
    spread: float = 1.0

    @property
    def area(self) -> float:
        return float(scipy.special.ndtr(self.lift / math.hypot(1.0, self.spread)))


CELLS = (
    Cell("3 classes: 8, 64, 128", (8, 64, 128), 1.6),
    Cell("3 classes: 8, 64, 128, spread 2", (8, 64, 128), 2.4, 2.0),
    Cell("3 classes: 8, 64, 128, spread 0.4", (8, 64, 128), 1.4, 0.4),
    Cell("3 classes: 8, 64, 128, near 1", (8, 64, 128), 4.6),
    Cell("3 classes: 60, 60, 80", (60, 60, 80), 1.6),
    Cell("3 classes: 60, 60, 80, near 1", (60, 60, 80), 5.0),
    Cell("3 classes: 60, 60, 80, spread 2", (60, 60, 80), 2.4, 2.0),
    Cell("3 classes: 20, 40, 40, below one half", (20, 40, 40), -0.5),
    Cell("10 classes: 8, then 21 or 22 each", (8, *(21, 22, 21) * 3), 1.6),
    Cell("10 classes: 8, then 21 or 22 each, near 1", (8, *(21, 22, 21) * 3), 4.6),
    Cell("5 classes of 100", (100,) * 5, 1.6),
)


def drawn(cell: Cell, rng: np.random.Generator, models: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return classes and the scores of some classifiers of equal quality."""
    y = np.repeat(np.arange(len(cell.sizes)), cell.sizes)
    own = np.eye(len(cell.sizes), dtype=bool)[y]
    out = []
    shared = rng.normal(size=own.shape)
    for _ in range(models):
        noise = math.sqrt(0.5) * (shared + rng.normal(size=own.shape))
        out.append(np.where(own, cell.lift + cell.spread * noise, noise))
    return y, out


def truths(cell: Cell) -> dict[str, float]:
    """Return the population's value of each average."""
    pos, neg = stats.norm(cell.lift, cell.spread), stats.norm()
    shares = np.array(cell.sizes) / sum(cell.sizes)
    precision = [th.Population(pos, neg, prevalence=float(p)).pr_auc() for p in shares]
    micro = th.Population(pos, neg, prevalence=1 / len(cell.sizes)).pr_auc()
    areas = dict.fromkeys(AVERAGES[:4], cell.area)
    return areas | {
        "macro AP": float(np.mean(precision)),
        "weighted AP": float(shares @ precision),
        "micro AP": micro,
    }


def averaged(found: th.results.Multiclass, name: str) -> th.results.CombinedEstimate:
    """Return one of the averages."""
    if name == "Hand-Till":
        return found.hand_till()
    average, metric = name.split(" ", 1)
    return getattr(found, average)("roc_auc" if metric == "ROC AUC" else "average_precision")


class Count(NamedTuple):
    """Samples whose interval misses the truth, below and above, those of them without a warning, and the width."""

    missed_low: int = 0
    missed_high: int = 0
    unwarned: int = 0
    warned: int = 0
    refused: int = 0
    width: float = 0.0


def coverage(cell: Cell, replicates: int, seed: int) -> dict[str, Count]:
    """Return how often each interval misses."""
    truth = truths(cell)
    out = dict.fromkeys(AVERAGES, Count())
    for i in range(replicates):
        y, (scores,) = drawn(cell, np.random.default_rng((seed, i)), 1)
        problem = th.multiclass(y, scores)
        for name in AVERAGES:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                one = averaged(problem, name)
                try:
                    low, high = one.confidence_interval()
                except UndefinedMetricError:
                    out[name] = out[name]._replace(refused=out[name].refused + 1)
                    continue
            warned = any(issubclass(line.category, ThresherWarning) for line in said)
            below, above = truth[name] < low, truth[name] > high
            old = out[name]
            out[name] = Count(
                old.missed_low + below,
                old.missed_high + above,
                old.unwarned + ((below or above) and not warned),
                old.warned + warned,
                old.refused,
                old.width + (high - low),
            )
    return out


def sizes(cell: Cell, replicates: int, seed: int) -> dict[str, tuple[int, int]]:
    """Return how often tests of two equal classifiers reject at the 5% level, and how often without a warning."""
    kinds = (("macro", "roc_auc"), ("hand_till", "roc_auc"), ("micro", "roc_auc"), ("macro", "average_precision"))
    out = {f"{average} {metric}": [0, 0] for average, metric in kinds} | {"no class differs": [0, 0]}
    for i in range(replicates):
        y, (a, b) = drawn(cell, np.random.default_rng((seed, i, 1)), 2)
        first, second = th.multiclass(y, a), th.multiclass(y, b)
        for average, metric in kinds:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found = first.compare(second, metric, average=average)
            warned = any(issubclass(line.category, ThresherWarning) for line in said)
            rejected = found.pvalue < 0.05
            out[f"{average} {metric}"][0] += rejected
            out[f"{average} {metric}"][1] += rejected and not warned
            if (average, metric) == kinds[0]:
                out["no class differs"][0] += found.omnibus.pvalue < 0.05
                out["no class differs"][1] += found.omnibus.pvalue < 0.05 and not warned
    return {name: (one[0], one[1]) for name, one in out.items()}


def lines(replicates: int, seed: int) -> Iterator[str]:
    """Yield the page."""
    yield HEAD.format(replicates=replicates, error=100 * math.sqrt(0.95 * 0.05 / replicates))
    rows = []
    for cell in CELLS:
        for name, one in coverage(cell, replicates, seed).items():
            given = replicates - one.refused
            if not given:
                rows.append((101.0, f"| {name} | {cell.name} | | | | | | 100 | |"))
                continue
            covers = 100 * (1 - (one.missed_low + one.missed_high) / given)
            parts = [covers, *(100 * x / given for x in (one.missed_low, one.missed_high, one.unwarned))]
            shown = " | ".join(f"{x:.1f}" for x in parts)
            extra = f"{100 * one.warned / given:.0f} | {100 * one.refused / replicates:.0f} | {one.width / given:.3f}"
            rows.append((covers, f"| {name} | {cell.name} | {shown} | {extra} |"))
    yield from (text for _, text in sorted(rows, key=lambda row: row[0]))
    yield ""
    yield "## Tests of two classifiers of equal quality, worst first"
    yield ""
    yield "| test | classes | rejects % | unwarned % |"
    yield "|---|---|---|---|"
    rows = []
    for cell in CELLS:
        for name, (rejected, unwarned) in sizes(cell, replicates, seed).items():
            shown = f"{100 * rejected / replicates:.1f} | {100 * unwarned / replicates:.1f}"
            rows.append((-rejected, f"| {name} | {cell.name} | {shown} |"))
    yield from (text for _, text in sorted(rows, key=lambda row: row[0]))


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("\n".join(lines(given.replicates, given.seed)))


if __name__ == "__main__":
    main()
