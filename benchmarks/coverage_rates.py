"""Coverage of rates at a threshold and of intervals for thresholds; makes docs/validation/rates.md.

    python -m benchmarks.coverage_rates [replicates] > docs/validation/rates.md

Rates at a given threshold are shares of a class, so their coverage is a sum over binomial counts, without simulation.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import cache

import numpy as np
from scipy.special import ndtri
from scipy.stats import beta, binom

import thresher as th
from thresher._inference.rates import proportion_interval

METHODS = ("bayes", "wilson", "jeffreys", "clopper-pearson")
SIZES = (10, 15, 20, 30, 50, 100, 200, 1000)
RATES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
# Every size up to a hundred, then further ones.
ALL_SIZES = (*range(1, 101), 110, 125, 150, 175, 200, 250, 300, 400, 500, 700, 1000, 2000, 5000)
LEVELS = (0.8, 0.9, 0.95, 0.99)
PARTS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 1.0)
SEED = 20261116

HEAD = """\
# Rates at a threshold, and thresholds

Coverage in percent of nominal 95% intervals, worst first. Made by `python -m benchmarks.coverage_rates {replicates}`.

## Rates at a threshold

Recall, specificity and every other share of the cases of a class at a given threshold, which was not chosen on the same
data. Exact sums over binomial counts, no simulation; `pytest -m slow tests/statistical/test_rate_coverage.py` repeats
the worst cells with the library.

### Least coverage over all rates

A count moves in steps, and so does the coverage of every interval: it is least just outside one of the limits, so that
the least over all rates is found without a grid. Over every class of 1 to 100 cases and thirteen larger ones up to
5,000, so that a class of random size has no less:

{least}

The default, "bayes", covers at least {default:.1f}% of every rate in every class: {cells_below} of the {cells} cells
below is under 93%. Wilson's interval, by name, keeps its level on average, and where the true rate is so near 0 or 1
that few cases are expected on the other side it falls to {wilson:.1f}%: of the cells below {wilson_random} with random
and {wilson_fixed} with fixed class sizes are under 93%. `method="clopper-pearson"` covers at least its level by
construction. The default takes three quarters of a case at the adverse end, the least in steps of a twentieth that
covers 93% everywhere; a whole one is Clopper and Pearson's:

{parts}

In the cells below the default is {wider:.0f}% longer than Wilson's (median; {widest:.0f}% at most), and
Clopper-Pearson's {longest:.0f}%.

### Cells

*Random* is a class of binomial size with mean n, a tenth of the cases; *fixed* has just n. A rate and one minus it
have the same coverage.
"""


def part_table() -> str:
    """Return the least coverage with other parts of a case at the adverse end."""
    found = [min((least_with_part(n, part), n) for n in ALL_SIZES) for part in PARTS]
    return (
        "| part of a case | " + " | ".join(f"{part:g}" for part in PARTS) + " |\n" + "|---" * (len(PARTS) + 1) + "|\n"
        "| least | " + " | ".join(f"{100 * one:.1f} (n = {n})" for one, n in found) + " |"
    )


@cache
def limits(n: int, method: str, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of every count out of n."""
    low, high = proportion_interval(np.arange(n + 1), n, method=method, confidence_level=level)
    return low, high


def least_coverage(n: int, method: str, level: float = 0.95) -> float:
    """Return the least coverage over all rates with a class of n cases."""
    return _least(n, *limits(n, method, level))


def least_with_part(n: int, part: float) -> float:
    """Return the same at 95% of the default's kind, with another part of a case at the adverse end."""
    count = np.arange(n + 1.0)
    low, high = np.zeros(n + 1), np.ones(n + 1)
    low[1:] = beta.ppf(0.025, count[1:], n - count[1:] + part)
    high[:-1] = beta.isf(0.025, count[:-1] + part, n - count[:-1])
    return _least(n, low, high)


def _least(n: int, low: np.ndarray, high: np.ndarray) -> float:
    """Return the least coverage over all rates: just outside one of the limits."""
    rates = np.concatenate((low[1:] - 1e-10, high[:-1] + 1e-10))
    rates = rates[(rates > 0.0) & (rates < 1.0)]
    first, last = np.searchsorted(high, rates), np.searchsorted(low, rates, side="right") - 1
    return float((binom.cdf(last, n, rates) - binom.cdf(first - 1, n, rates)).min())


def least_table() -> str:
    """Return the least coverage of each method at each level, with the size of the class."""
    lines = ["| level | " + " | ".join(METHODS) + " |", "|---" * (len(METHODS) + 1) + "|"]
    for level in LEVELS:
        found = [min((least_coverage(n, method, level), n) for n in ALL_SIZES) for method in METHODS]
        lines.append(f"| {100 * level:g}% | " + " | ".join(f"{100 * one:.1f} (n = {n})" for one, n in found) + " |")
    return "\n".join(lines)


def fixed(n: int, rate: float, method: str) -> tuple[float, float]:
    """Return coverage and mean length with a class of n cases."""
    low, high = limits(n, method)
    chance = binom.pmf(np.arange(n + 1), n, rate)
    inside = (low <= rate + 1e-12) & (rate <= high + 1e-12)
    return float(chance @ inside), float(chance @ (high - low))


def random(n: int, rate: float, method: str) -> tuple[float, float]:
    """Return the same with a class of binomial size with mean n."""
    sizes = np.arange(1, 10 * n + 1)
    chance = binom.pmf(sizes, 10 * n, 0.1)
    kept = chance > 1e-7
    found = np.array([fixed(int(size), rate, method) for size in sizes[kept]])
    cover, width = chance[kept] @ found / chance[kept].sum()
    return float(cover), float(width)


def rates() -> Iterator[tuple[str, int, float, dict[str, tuple[float, float]]]]:
    """Yield design, size, rate, and coverage and length by method."""
    for name, how in (("random", random), ("fixed", fixed)):
        for n in SIZES:
            for rate in RATES:
                yield name, n, rate, {method: how(n, rate, method) for method in METHODS}


def thresholds(replicates: int) -> Iterator[tuple[str, str, float]]:
    """Yield what is asked for, sizes, and how often the population's threshold is in the interval."""
    for n_pos, n_neg in ((10, 100), (20, 200), (50, 50), (100, 300)):
        for limit, truth in (
            ({"min_recall": 0.8}, 1.0 + ndtri(0.2)),
            ({"min_recall": 0.9}, 1.0 + ndtri(0.1)),
            ({"min_recall": 0.95}, 1.0 + ndtri(0.05)),
            ({"max_fpr": 0.1}, ndtri(0.9)),
            ({"max_fpr": 0.05}, ndtri(0.95)),
        ):
            rng = np.random.default_rng([SEED, n_pos, n_neg])
            held = 0
            for _ in range(replicates):
                scores = th.Scores.from_pos_neg(rng.normal(1, 1, n_pos), rng.normal(0, 1, n_neg))
                low, high = scores.threshold_interval(**limit)
                held += low <= truth <= high
            ((name, value),) = limit.items()
            yield f"{name}={value:g}", f"{n_pos} + {n_neg}", held / replicates


def main() -> None:
    warnings.simplefilter("ignore", th.ThresherWarning)
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    found = list(rates())
    below = {
        (method, design): sum(name == design and by[method][0] < 0.93 for name, _, _, by in found)
        for method in METHODS
        for design in ("random", "fixed")
    }
    longer = {
        method: 100.0 * np.array([by[method][1] / by["wilson"][1] - 1.0 for *_, by in found]) for method in METHODS
    }
    least = {method: 100.0 * min(least_coverage(n, method) for n in ALL_SIZES) for method in METHODS}
    print(
        HEAD.format(
            replicates=replicates,
            least=least_table(),
            parts=part_table(),
            default=least["bayes"],
            wilson=least["wilson"],
            cells=len(found),
            cells_below=sum(below["bayes", design] for design in ("random", "fixed")) or "none",
            wilson_random=below["wilson", "random"],
            wilson_fixed=below["wilson", "fixed"],
            wider=float(np.median(longer["bayes"])),
            widest=float(longer["bayes"].max()),
            longest=float(np.median(longer["clopper-pearson"])),
        )
    )
    for design in ("random", "fixed"):
        own = [row for row in found if row[0] == design]
        for method in ("bayes", "wilson"):
            print(f'{design.capitalize()}, the eight worst of {len(own)} cells by "{method}":\n')
            print("| n | rate | " + " | ".join(METHODS) + " | length of bayes | of wilson |\n" + "|---" * 8 + "|")
            for _, n, rate, by in sorted(own, key=lambda row: row[3][method][0])[:8]:
                shares = " | ".join(f"{100 * by[each][0]:.1f}" for each in METHODS)
                print(f"| {n} | {rate:g} | {shares} | {by['bayes'][1]:.3f} | {by['wilson'][1]:.3f} |")
            print()
    print("## Thresholds\n")
    print(
        "How often `threshold_interval` with one limit holds the threshold of the population, normal scores shifted by "
        f"1,\n{replicates} samples a row (standard error {100 * (0.05 * 0.95 / replicates) ** 0.5:.1f}). These "
        "intervals lie between two cases and are exact for\nevery law; with few cases an end may be infinite.\n"
    )
    print("| limit | sizes | covers |\n|---|---|---|")
    for share, limit, sizes in sorted((share, limit, sizes) for limit, sizes, share in thresholds(replicates)):
        print(f"| {limit} | {sizes} | {100 * share:.1f} |")


if __name__ == "__main__":
    main()
