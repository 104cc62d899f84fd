"""Coverage of intervals at a cut-off, of net benefit and of calibration figures, and levels of calibration tests.

    python -m benchmarks.coverage_calibration [replicates] [--jobs 16] > docs/validation/calibration.md

About half an hour of one core with 2,000 replicates. A replicate is a seed, so that the number of jobs changes nothing.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

import thresher as th
from benchmarks import coverage_ratios
from thresher._inference.rates import net_benefit_bounds

Counting = Callable[[range], np.ndarray]
"""How often each of several things happens in the replicates with these seeds."""


class Shares:
    """Shares of the replicates, counted by several processes."""

    def __init__(self, pool: ProcessPoolExecutor, replicates: int) -> None:
        self.pool, self.replicates = pool, replicates

    def __call__(self, work: Counting) -> np.ndarray:
        chunks = [range(first, min(first + 20, self.replicates)) for first in range(0, self.replicates, 20)]
        return np.sum(list(self.pool.map(work, chunks)), axis=0) / self.replicates

    def spread(self, share: float) -> float:
        """Return the standard error of such a share."""
        return float(np.sqrt(share * (1.0 - share) / self.replicates))


def row(label: str, shares: Iterable[float]) -> None:
    print(f"| {label} | " + " | ".join(f"{share:.3f}" for share in shares) + " |", flush=True)


def benefits(replicates: int) -> None:
    print(
        f"## Net benefit\n\nMultinomial samples with TPR 0.8 and FPR 0.15, {replicates:,} a row: standard error "
        f'{(0.95 * 0.05 / replicates) ** 0.5:.4f}. "normal" is the delta method, which most programs give.'
    )
    print("\n| n | prevalence | p | score | normal |\n|---|---|---|---|---|")
    rng = np.random.default_rng(1)
    for n in (50, 200, 1000):
        for share in (0.05, 0.3):
            for p in (0.05, 0.2, 0.5):
                cells = rng.multinomial(
                    n, (share * 0.8, share * 0.2, (1 - share) * 0.15, (1 - share) * 0.85), replicates
                )
                w = p / (1 - p)
                truth = share * 0.8 - w * (1 - share) * 0.15
                out = []
                for method in ("score", "normal"):
                    # The class totals do not matter where classes are left to chance.
                    low, high = net_benefit_bounds(
                        cells[:, 0], cells[:, 2], n * share, n * (1 - share), w, None, 0.95, method
                    )
                    out.append(float(((low <= truth) & (truth <= high)).mean()))
                print(f"| {n} | {share} | {p} | " + " | ".join(f"{x:.3f}" for x in out) + " |", flush=True)


TRUTHS = {
    "calibrated": lambda x: x,
    "slope 0.7": lambda x: expit(0.7 * np.log(x / (1 - x))),
    "slope 1.4": lambda x: expit(1.4 * np.log(x / (1 - x))),
    "intercept +0.3": lambda x: expit(np.log(x / (1 - x)) + 0.3),
}

TESTS = ("mcb", "cox", "cumulative", "spiegelhalter", "hosmer-lemeshow")


def _rejections(name: str, seeds: range) -> np.ndarray:
    rejected = np.zeros(len(TESTS))
    for seed in seeds:
        rng = np.random.default_rng(seed)
        x = expit(rng.normal(-0.5, 1.5, 300))
        found = th.Scores(rng.random(300) < TRUTHS[name](x), x).calibration()
        rejected += [found.test(kind, n_resamples=99, rng=seed).pvalue <= 0.05 for kind in TESTS]
    return rejected


def tests(shares: Shares) -> None:
    print(
        f"\n## Tests of calibration\n\nShare of rejections at 5%, {shares.replicates:,} samples a row (standard error "
        f'{shares.spread(0.05):.4f} at 0.05, {shares.spread(0.5):.3f} at one half); 99 resamples for "mcb". Scores are '
        "expit(N(-0.5, 1.5)).\n"
    )
    print("| n = 300 | " + " | ".join(TESTS) + " |\n|---|" + "---|" * len(TESTS))
    for name in TRUTHS:
        row(name, shares(partial(_rejections, name)))
    print(
        "\nNone wins everywhere: Spiegelhalter's and Cox's tests are the strongest where scores are too extreme or too "
        "timid, the cumulative one against a shift, to which Spiegelhalter's is nearly blind. The Hosmer-Lemeshow\n"
        'test hardly sees scores that are too timid. The default, "mcb", has no blind spot among departures that rise.'
    )


VALUES = np.arange(1, 22) / 22
PARTS = ("mean", "discrimination", "miscalibration")


def _parts_held(n: int, seeds: range) -> np.ndarray:
    law = TRUTHS["slope 0.7"](VALUES)
    share = float(law.mean())
    truth = {
        "mean": float(np.mean(law * (1 - VALUES) ** 2 + (1 - law) * VALUES**2)),
        "miscalibration": float(np.mean((law - VALUES) ** 2)),
        "discrimination": share * (1 - share) - float(np.mean(law * (1 - law))),
    }
    hits = np.zeros(4)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        at = rng.integers(21, size=n)
        calibration = th.Scores(rng.random(n) < law[at], VALUES[at]).calibration()
        found = calibration.decomposition()
        for k, part in enumerate(PARTS):
            hits[k] += truth[part] in found.confidence_interval(part, n_resamples=200, rng=seed)
        band = calibration.band()
        seen = law[np.searchsorted(VALUES, band.x)]
        hits[3] += bool(((band.low <= seen) & (seen <= band.high)).all())
    return hits


def parts(shares: Shares) -> None:
    print(
        f"\n## Parts of the Brier score\n\nScores on 21 values whose truth has slope 0.7; {shares.replicates:,} "
        f"samples a row (standard error {shares.spread(0.95):.4f} at 0.95). The honest "
        "band must hold the whole curve.\n"
    )
    print("| Brier, 21 values | mean, normal | discrimination, basic | miscalibration, band | honest band |")
    print("|---|---|---|---|---|")
    for n in (300, 1000):
        row(f"n = {n}", shares(partial(_parts_held, n)))


ROWS = ("independent", "weights", "clusters")
LAWS = TRUTHS | {"slope 2": lambda x: expit(2.0 * np.log(x / (1 - x)))}


def _sampled(kind: str, name: str, n: int, rng: np.random.Generator) -> th.Scores:
    """Draw rows of one kind; the four rows of a cluster resemble each other in score and label."""
    if kind != "clusters":
        x = expit(rng.normal(-0.5, 1.2, n))
        weight = {"sample_weight": rng.choice([0.5, 1.0, 2.0, 4.0], n)} if kind == "weights" else {}
        return th.Scores(rng.random(n) < LAWS[name](x), x, **weight)
    cluster = np.arange(n) // 4
    latent = [0.7 * rng.normal(size=n // 4)[cluster] + np.sqrt(0.51) * rng.normal(size=n) for _ in range(2)]
    x = expit(1.2 * latent[0] - 0.5)
    return th.Scores(norm.cdf(latent[1]) < LAWS[name](x), x, cluster=cluster)


def _optimism_held(kind: str, name: str, score: str, n: int, seeds: range) -> np.ndarray:
    at = expit(1.2 * norm.ppf((np.arange(200_000) + 0.5) / 200_000) - 0.5)
    law = LAWS[name](at)
    losses = {
        "brier": lambda p: law * (1 - p) ** 2 + (1 - law) * p**2,
        "log": lambda p: -law * np.log(p) - (1 - law) * np.log1p(-p),
    }[score]
    truth = float(np.mean(losses(at) - losses(law)))
    hits = np.zeros(1)
    for seed in seeds:
        found = _sampled(kind, name, n, np.random.default_rng(seed)).measure("miscalibration", score=score)
        hits += truth in found.confidence_interval(method="optimism", n_resamples=50, rng=seed)
    return hits


def miscalibrations(shares: Shares) -> None:
    """Print the coverage of the interval of miscalibration for weighted and clustered rows."""
    print(
        f"\n## Miscalibration of weighted and clustered rows\n\n{shares.replicates:,} samples a cell (standard error "
        f'{shares.spread(0.95):.4f} at 0.95), 50 resamples. The method is "optimism", the default of weighted and '
        "clustered rows;\nclusters have four rows. It exceeds its level for calibrated scores, and is below it if "
        "there are few rows and scores are far too timid.\n"
    )
    print("| rows, score, n | " + " | ".join(LAWS) + " |\n|---|" + "---|" * len(LAWS))
    found = [
        ([float(shares(partial(_optimism_held, kind, name, score, n))[0]) for name in LAWS], f"{kind}, {score}, {n:,}")
        for kind in ROWS
        for score in ("brier", "log")
        for n in (200, 1000)
    ]
    for held, label in sorted(found, key=lambda cell: min(cell[0])):
        row(label, held)


class Distribution(NamedTuple):
    """Positives that are normal but for a share of hopeless ones; negatives are standard normal."""

    shift: float
    spread: float = 1.0
    hopeless: float = 0.0

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return np.where(rng.random(n) < self.hopeless, -30.0, self.shift) + self.spread * rng.standard_normal(n)

    def rate(self) -> float:
        """Return the equal error rate."""

        def excess(cut: float) -> float:
            missed = norm.cdf((cut - np.array([-30.0, self.shift])) / self.spread)
            return float(self.hopeless * missed[0] + (1.0 - self.hopeless) * missed[1] - norm.sf(cut))

        return float(norm.sf(brentq(excess, -20.0, 20.0)))

    def __str__(self) -> str:
        loose = f", {self.hopeless:.0%} hopeless" if self.hopeless else ""
        return f"shift {self.shift:g}, spread {self.spread:g}{loose}"


EQUAL_ERROR_LAWS = (
    Distribution(4),
    Distribution(3),
    Distribution(1.5),
    Distribution(3, 2),
    Distribution(3, 0.4),
    Distribution(5, 3),
    Distribution(6, 1, 0.05),
    Distribution(5, 1, 0.1),
)
EQUAL_ERROR_SIZES = ((10, 100), (20, 200), (200, 20), (30, 300), (50, 50), (100, 400))


def equal_errors_held(law: Distribution, sizes: tuple[int, int], seeds: range) -> np.ndarray:
    """Count the samples whose intervals "bayes" and "normal" hold the rate of the law."""
    truth = law.rate()
    hits = np.zeros(2, dtype=np.int64)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        rate = th.Scores.from_pos_neg(law.draw(sizes[0], rng), rng.standard_normal(sizes[1])).measure("eer")
        hits += np.array([truth in rate.confidence_interval(method=method) for method in ("bayes", "normal")])
    return hits


def equal_errors(shares: Shares) -> None:
    """Print the coverage of the equal error rate, worst cell first."""
    found = [
        (shares(partial(equal_errors_held, law, sizes)), law, sizes)
        for law in EQUAL_ERROR_LAWS
        for sizes in EQUAL_ERROR_SIZES
    ]
    found.sort(key=lambda cell: cell[0][0])
    print(
        f"\n## Equal error rate\n\n{shares.replicates:,} samples a row (standard error {shares.spread(0.95):.4f} at "
        "0.95), positives normal but for a share of hopeless ones, negatives standard normal; the dozen worst of\n"
        f"{len(found)} cells. The hull of a sample stands above that of its population, and few errors leave little to "
        'estimate from: the symmetric interval "normal" is short of its level,\n'
        f"in the worst cell at {min(cell[0][1] for cell in found):.3f}.\n"
    )
    print('| law | cases | default, "bayes" | "normal" |\n|---|---|---|---|')
    for held, law, sizes in found[:12]:
        row(f"{law} | {sizes[0]} + {sizes[1]}", held)


def _prevalence_held(share: float, seeds: range) -> np.ndarray:
    hits = np.zeros(2)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        labelled = th.Scores.from_pos_neg(rng.normal(1.5, 1, 200), rng.normal(0, 1, 200))
        cases = rng.normal(size=1000) + 1.5 * (rng.random(1000) < share)
        for k, options in enumerate(({"n_resamples": 100, "rng": seed}, {"method": "threshold", "threshold": 0.75})):
            low, high = th.estimate_prevalence(labelled, cases, **options)
            hits[k] += low <= share <= high
    return hits


def prevalences(shares: Shares) -> None:
    print(
        f"\n## Prevalence of cases without labels\n\n{shares.replicates:,} samples a row (standard error "
        f'{shares.spread(0.95):.4f} at 0.95); 100 resamples for "mixture", whose standard error is rough with so few.\n'
    )
    print("| prevalence, 200 + 200 labelled, 1,000 cases | mixture | threshold 0.75 |\n|---|---|---|")
    for share in (0.02, 0.1, 0.4):
        row(f"{share}", shares(partial(_prevalence_held, share)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", type=int, nargs="?", default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    warnings.simplefilter("ignore", th.ThresherWarning)
    print(
        "# Figures at a cut-off, net benefit, calibration\n\nMade by `python -m benchmarks.coverage_calibration "
        f"{given.replicates}`. Nominal level 95% for intervals, 5% for tests.\n"
    )
    print(coverage_ratios.section())
    benefits(20_000)
    quiet = partial(warnings.simplefilter, "ignore", th.ThresherWarning)
    with ProcessPoolExecutor(given.jobs, initializer=quiet) as pool:
        shares = Shares(pool, given.replicates)
        tests(shares)
        parts(shares)
        miscalibrations(shares)
        equal_errors(shares)
        prevalences(shares)


if __name__ == "__main__":
    main()
