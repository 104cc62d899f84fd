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
from scipy.stats import binom

import thresher as th
from thresher._inference.rates import proportion_interval

METHODS = ("wilson", "jeffreys", "clopper-pearson")
SIZES = (10, 15, 20, 30, 50, 100, 200)
RATES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
SEED = 20261116

HEAD = """\
# Rates at a threshold, and thresholds

Coverage in percent of nominal 95 % intervals, worst first. Made by `python -m benchmarks.coverage_rates {replicates}`.

## Rates at a threshold

Recall, specificity and every other share of the cases of a class at a given threshold, which was not chosen on the same
data; `pytest -m slow tests/statistical/test_rate_coverage.py` repeats the worst cells with the library. Exact sums over
binomial counts. *Random* is a class of binomial size with mean n, a tenth of the cases; *fixed* has just n.
A rate and one minus it have the same coverage.

The default is Wilson's interval, which keeps its level on average. A count of few cases moves in steps, and so does the
coverage of every short interval: where the true rate is so near 0 or 1 that less than one case in all is expected on
the other side, one such case puts Wilson's limit beyond it. {below} of {cells} random cells are below 93 %, all with
less than one case expected on the other side; of the fixed ones {fixed} of {cells}. `method="clopper-pearson"` covers
at least its level everywhere, by construction, and is {wider:.0f} % longer (median).
"""


@cache
def limits(n: int, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of every count out of n."""
    ends = [tuple(proportion_interval(k, n, method=method)) for k in range(n + 1)]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


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
                low, high = th.threshold_interval(scores, **limit)
                held += low <= truth <= high
            ((name, value),) = limit.items()
            yield f"{name}={value:g}", f"{n_pos} + {n_neg}", held / replicates


def main() -> None:
    warnings.simplefilter("ignore", th.ThresherWarning)
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    found = list(rates())
    low = {
        design: [(n, rate) for name, n, rate, by in found if name == design and by["wilson"][0] < 0.93]
        for design in ("random", "fixed")
    }
    longer = [by["clopper-pearson"][1] / by["wilson"][1] for *_, by in found]
    print(
        HEAD.format(
            replicates=replicates,
            below=len(low["random"]),
            fixed=len(low["fixed"]),
            cells=len(SIZES) * len(RATES),
            wider=100 * (float(np.median(longer)) - 1.0),
        )
    )
    assert all(n * (1.0 - rate) < 1.0 for n, rate in low["random"])  # as the page says
    for design in ("random", "fixed"):
        own = sorted((row for row in found if row[0] == design), key=lambda row: row[3]["wilson"][0])
        print(f"{design.capitalize()}, the twelve worst of {len(own)} cells:\n")
        print("| n | rate | " + " | ".join(METHODS) + " | length of wilson |\n|---|---|---|---|---|---|")
        for _, n, rate, by in own[:12]:
            shares = " | ".join(f"{100 * by[method][0]:.1f}" for method in METHODS)
            print(f"| {n} | {rate:g} | {shares} | {by['wilson'][1]:.3f} |")
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
