"""How often a promised threshold breaks its limit in the population, by simulation.

    python -m benchmarks.guarantees [replicates] [weights]

Scores are N(1.5, 1) for positives and N(0, 1) for negatives, continuous or rounded to one decimal. Prints the tables of
docs/validation/guarantees.md (with `weights` the first one only); with the package mapie installed, also that of its
BinaryClassificationController.
"""

from __future__ import annotations

import contextlib
import sys
import warnings

import numpy as np
from scipy.special import ndtr

import thresher as th

SHIFT = 1.5
LIMITS = (
    ({"min_recall": 0.9}, 0.9),
    ({"min_recall": 0.95}, 0.95),
    ({"max_fpr": 0.1}, 0.9),
    ({"max_fpr": 0.05}, 0.95),
    ({"max_alert_rate": 0.3}, 0.95),
    ({"min_precision": 0.6}, 0.9),
    ({"min_recall": 0.8, "max_fpr": 0.4}, 0.9),
)
SIZES = ((100, 300), (400, 400))


def truth(threshold: float, share: float) -> dict[str, float]:
    """Return the population's rates at a threshold."""
    tpr, fpr = ndtr(SHIFT - threshold), ndtr(-threshold)
    alerts = share * tpr + (1 - share) * fpr
    return {"recall": tpr, "fpr": fpr, "alert_rate": alerts, "precision": share * tpr / alerts if alerts else 1.0}


def breaks(threshold: float, share: float, limits: dict[str, float]) -> bool:
    rates = truth(threshold, share)
    return any(
        rates[name[4:]] < limit - 1e-12 if name.startswith("min_") else rates[name[4:]] > limit + 1e-12
        for name, limit in limits.items()
    )


def sample(rng: np.random.Generator, n_pos: int, n_neg: int, *, random: bool, ties: bool) -> th.Scores:
    n = n_pos + n_neg
    y = rng.random(n) < n_pos / n if random else np.arange(n) < n_pos
    scores = rng.normal(size=n) + SHIFT * y
    return th.Scores(y, np.round(scores, 1) if ties else scores)


def row(limits: dict[str, float], confidence: float, n_pos: int, n_neg: int, ties: bool, replicates: int) -> str:
    rng = np.random.default_rng([n_pos, n_neg, int(ties), int(1000 * confidence), len(limits)])
    share = n_pos / (n_pos + n_neg)
    random = "min_precision" in limits or "max_alert_rate" in limits
    shift = 0.05 if ties else 0.0  # a rounded score is at least t where the score is at least t - 0.05
    plain = kept = found = 0
    for _ in range(replicates):
        scores = sample(rng, n_pos, n_neg, random=random, ties=ties)
        with contextlib.suppress(th.UndefinedMetricError):
            plain += breaks(scores.choose_threshold(**limits).threshold - shift, share, limits)
        try:
            point = scores.choose_threshold(**limits, confidence=confidence)
        except th.UndefinedMetricError:
            continue
        found += 1
        kept += breaks(point.threshold - shift, share, limits)
    words = ", ".join(f"{name} {limit:g}" for name, limit in limits.items())
    kind = "rounded" if ties else "continuous"
    return (
        f"| {words} | {n_pos} + {n_neg} | {kind} | {plain / replicates:.3f} | {1 - confidence:.2f} "
        f"| **{kept / replicates:.3f}** | {found / replicates:.3f} |"
    )


def heavy_rows(rng: np.random.Generator) -> tuple[th.Scores, float]:
    """Draw rows of a population at 20%, by class and score, weighted by the inverse of their probability."""
    y = rng.random(3000) < 0.2
    scores = rng.normal(size=3000) + SHIFT * y
    chance = np.where(y, 0.6, 0.1 + 0.25 * ndtr(scores))
    drawn = rng.random(3000) < chance
    return th.Scores(y[drawn], scores[drawn], sample_weight=1 / chance[drawn]), 0.2


def patients(rng: np.random.Generator) -> tuple[th.Scores, float]:
    """Draw 120 patients with one to seven rows each, half of the variance of a score being the patient's."""
    rows = rng.integers(1, 8, 120)
    patient = np.repeat(np.arange(120), rows)
    y = rng.random(patient.size) < 0.3
    scores = np.sqrt(0.5) * (rng.normal(size=120)[patient] + rng.normal(size=patient.size)) + SHIFT * y
    return th.Scores(y, scores, cluster=patient), 0.3


def case_control(rng: np.random.Generator) -> tuple[th.Scores, float]:
    """Draw 200 positives, and 400 negatives that stand for nine each."""
    y = np.arange(600) < 200
    return th.Scores(y, rng.normal(size=600) + SHIFT * y, sample_weight=np.where(y, 1.0, 9.0)), 200 / 3800


DESIGNS = {"sampled by score": heavy_rows, "patients": patients, "weights by class": case_control}


def weighed_row(name: str, limits: dict[str, float], confidence: float, replicates: int) -> str:
    rng = np.random.default_rng([len(name), int(1000 * confidence), len(limits)])
    kept = found = 0
    method = ""
    for _ in range(replicates):
        scores, share = DESIGNS[name](rng)
        try:
            point = scores.choose_threshold(**limits, confidence=confidence)
        except th.UndefinedMetricError:
            continue
        found += 1
        method = point.guarantee.method
        kept += breaks(point.threshold, share, limits)
    words = ", ".join(f"{name} {limit:g}" for name, limit in limits.items())
    breaking, had = kept / replicates, found / replicates
    return f"| {name} | {words} | {1 - confidence:.2f} | **{breaking:.3f}** | {had:.3f} | {method} |"


def peers(replicates: int) -> None:
    """Print what MAPIE chooses on the same data."""
    try:
        from mapie.risk_control import BinaryClassificationController, recall
    except ImportError:
        print("\nmapie is not installed.")
        return
    total = {name: np.zeros(3) for name in ("plug-in", "thresher", "MAPIE, default", "MAPIE, fixed sequence")}
    higher = lower = 0
    for seed in range(replicates):
        rng = np.random.default_rng(seed)
        y = np.arange(400) < 100
        probability = ndtr((rng.normal(size=400) + SHIFT * y - 0.75) / 1.3)
        scores = th.Scores(y, probability)
        cuts = {
            "plug-in": scores.choose_threshold(min_recall=0.9).threshold,
            "thresher": scores.choose_threshold(min_recall=0.9, confidence=0.9).threshold,
        }
        for name, options in (
            ("MAPIE, default", {}),
            (
                "MAPIE, fixed sequence",
                {"fwer_method": "fixed_sequence", "list_predict_params": np.sort(np.unique(probability))},
            ),
        ):
            controller = BinaryClassificationController(
                lambda x: np.column_stack((1 - x[:, 0], x[:, 0])),
                recall,
                target_level=0.9,
                confidence_level=0.9,
                best_predict_param_choice="precision",
                **options,
            )
            controller.calibrate(probability[:, None], y.astype(int))
            valid = np.asarray(controller.valid_predict_params)
            cuts[name] = float(valid.max()) if valid.size else 0.0
        higher += cuts["thresher"] > cuts["MAPIE, fixed sequence"]
        lower += cuts["thresher"] < cuts["MAPIE, fixed sequence"]
        for name, cut in cuts.items():
            raw = 1.3 * _quantile(cut) + 0.75
            rates = truth(raw, 0.25)
            total[name] += (rates["recall"] < 0.9, rates["recall"], rates["fpr"])
    print(f"\n| recall 0.9, confidence 0.9, 100 + 300, {replicates} samples | break | mean recall | mean FPR |")
    print("|---|---|---|---|")
    for name, sums in total.items():
        print(f"| {name} | " + " | ".join(f"{number:.3f}" for number in sums / replicates) + " |")
    print(f"\nThe exact threshold is higher than MAPIE's fixed sequence in {higher} samples and lower in {lower}.")


def _quantile(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    warnings.simplefilter("ignore", th.ThresherWarning)
    print(f"{replicates} samples a row\n")
    print("| rows | limits | allowed | promised breaks | found | method |")
    print("|---|---|---|---|---|---|")
    for name in DESIGNS:
        for limits, confidence in LIMITS:
            print(weighed_row(name, limits, confidence, replicates), flush=True)
    if "weights" in sys.argv:
        return
    print("\n| limits | cases | scores | plug-in breaks | allowed | promised breaks | found |")
    print("|---|---|---|---|---|---|---|")
    for limits, confidence in LIMITS:
        for n_pos, n_neg in SIZES:
            for ties in (False, True):
                print(row(limits, confidence, n_pos, n_neg, ties, replicates), flush=True)
    peers(min(replicates, 200))


if __name__ == "__main__":
    main()
