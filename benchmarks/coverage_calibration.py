"""Coverage of intervals at a cut-off, of net benefit and of calibration figures, and levels of calibration tests.

    python -m benchmarks.coverage_calibration [replicates]

Prints the tables of docs/validation/calibration.md.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from scipy.special import expit
from scipy.stats import binom, norm

import thresher as th
from thresher._inference.rates import cut_off_figure, net_benefit_bounds


def ratios() -> None:
    """Coverage by enumeration: the two counts are binomial, so no sample is drawn."""
    print("| n₊, n₋ | TPR, FPR | mover | score | log |\n|---|---|---|---|---|")
    for n_pos, n_neg in ((20, 20), (50, 200)):
        for tpr, fpr in ((0.7, 0.3), (0.9, 0.1), (0.95, 0.02)):
            hits = dict.fromkeys(("mover", "score", "log"), 0.0)
            found, alarmed = binom.pmf(np.arange(n_pos + 1), n_pos, tpr), binom.pmf(np.arange(n_neg + 1), n_neg, fpr)
            chance = np.outer(found, alarmed)
            for tp, fp in np.argwhere(chance > 1e-5).tolist():
                if tp + fp == 0:
                    continue
                figure = cut_off_figure("lr_positive", float(tp), float(fp), float(n_pos - tp), float(n_neg - fp))
                for method in hits:
                    hits[method] += chance[tp, fp] * (tpr / fpr in figure.confidence_interval(method=method))
            cells = " | ".join(f"{share / chance[chance > 1e-5].sum():.3f}" for share in hits.values())
            print(f"| {n_pos}, {n_neg} | {tpr}, {fpr} | {cells} |", flush=True)


def benefits(replicates: int) -> None:
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


def tests(replicates: int) -> None:
    names = ("mcb", "cox", "cumulative", "spiegelhalter", "hosmer-lemeshow")
    print("\n| n = 300 | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for name, law in TRUTHS.items():
        rejected = np.zeros(len(names))
        for seed in range(replicates):
            rng = np.random.default_rng(seed)
            x = expit(rng.normal(-0.5, 1.5, 300))
            found = th.Scores(rng.random(300) < law(x), x).calibration()
            rejected += [found.test(kind, n_resamples=99, rng=seed).pvalue <= 0.05 for kind in names]
        print(f"| {name} | " + " | ".join(f"{count / replicates:.3f}" for count in rejected) + " |", flush=True)


def parts(replicates: int) -> None:
    """Scores on 21 values, slope 0.7, so that truths are sums."""
    values = np.arange(1, 22) / 22
    law = TRUTHS["slope 0.7"](values)
    brier = float(np.mean(law * (1 - values) ** 2 + (1 - law) * values**2))
    share = float(law.mean())
    truth = {
        "mean": brier,
        "miscalibration": float(np.mean((law - values) ** 2)),
        "discrimination": share * (1 - share) - float(np.mean(law * (1 - law))),
    }
    print("\n| Brier, 21 values | mean, normal | discrimination, basic | miscalibration, band | honest band |")
    print("|---|---|---|---|---|")
    for n in (300, 1000):
        hits = np.zeros(4)
        for seed in range(replicates):
            rng = np.random.default_rng(seed)
            at = rng.integers(21, size=n)
            calibration = th.Scores(rng.random(n) < law[at], values[at]).calibration()
            found = calibration.decomposition()
            for k, part in enumerate(("mean", "discrimination", "miscalibration")):
                hits[k] += truth[part] in found.confidence_interval(part, n_resamples=200, rng=seed)
            band = calibration.band()
            seen = law[np.searchsorted(values, band.x)]
            hits[3] += bool(((band.low <= seen) & (seen <= band.high)).all())
        print(f"| n = {n} | " + " | ".join(f"{count / replicates:.3f}" for count in hits) + " |", flush=True)


def ranks(replicates: int) -> None:
    """Binormal scores: the equal error rate is known."""
    print("\n| EER, d' = 1.5 | normal |\n|---|---|")
    truth = float(norm.sf(0.75))
    for n_pos, n_neg in ((50, 50), (100, 400)):
        hits = 0
        for seed in range(replicates):
            rng = np.random.default_rng(seed)
            scores = th.Scores.from_pos_neg(rng.normal(1.5, 1, n_pos), rng.normal(0, 1, n_neg))
            hits += truth in scores.measure("eer").confidence_interval()
        print(f"| {n_pos} + {n_neg} | {hits / replicates:.3f} |", flush=True)


def prevalences(replicates: int) -> None:
    print("\n| prevalence, 200 + 200 labelled, 1,000 cases | mixture | threshold 0.75 |\n|---|---|---|")
    for share in (0.02, 0.1, 0.4):
        hits = np.zeros(2)
        for seed in range(replicates):
            rng = np.random.default_rng(seed)
            labelled = th.Scores.from_pos_neg(rng.normal(1.5, 1, 200), rng.normal(0, 1, 200))
            cases = rng.normal(size=1000) + 1.5 * (rng.random(1000) < share)
            for k, options in enumerate(
                ({"n_resamples": 100, "rng": seed}, {"method": "threshold", "threshold": 0.75})
            ):
                low, high = th.estimate_prevalence(labelled, cases, **options)
                hits[k] += low <= share <= high
        print(f"| {share} | " + " | ".join(f"{count / replicates:.3f}" for count in hits) + " |", flush=True)


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    warnings.simplefilter("ignore", th.ThresherWarning)
    ratios()
    benefits(40 * replicates)
    tests(replicates)
    parts(replicates)
    ranks(replicates)
    prevalences(replicates)


if __name__ == "__main__":
    main()
