"""Coverage of the default intervals of areas on unkind laws; makes the tables of docs/validation/areas.md.

    python -m benchmarks.coverage_defaults simulate found.jsonl [--replicates 2000] [--part 0/4]
    python -m benchmarks.coverage_defaults page found.jsonl > docs/validation/areas.md

`simulate` appends one line of JSON for each law, size, measure and method. A size "m@p" is a random sample of m/p cases
of a population with prevalence p, so that the number of positives is binomial with mean m.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from benchmarks import bulk_intervals as bulk
from benchmarks.unkind_laws import LAWS, Law

SIZES = ((10, 0.5), (10, 0.1), (10, 0.01), (30, 0.5), (30, 0.1), (30, 0.01), (100, 0.5), (100, 0.1))
MEASURES: tuple[bulk.Measure, ...] = (
    ("roc", 0.0),
    ("pr", 0.0),
    ("pr", 0.01),
    ("pr", 0.5),
    ("fpr", 0.2),
    ("fpr", 0.05),
    ("tpr", 0.8),
)
ALPHA, Z = 0.05, 1.959963984540054
DRAWS = 199
TRUTH_POINTS = 400_000
SEED = 20261116


def truths(law: Law, prevalence: float) -> dict[bulk.Measure, float]:
    """Return the population's figures: those of the law at very many evenly spaced probabilities."""
    pos, neg = (law.truth_sample(side, TRUTH_POINTS) for side in (True, False))
    s = bulk.samples(pos[None], neg[None], np.array([pos.size]), np.array([neg.size]))
    own = {("pr", 0.0): ("pr", prevalence)}
    return {measure: float(bulk.unweighted(s, own.get(measure, measure))[0]) for measure in MEASURES}


def simulate(law: Law, m: int, p: float, replicates: int, masses: list[float], others: bool) -> list[dict]:
    """Return the coverage and width of every method in one cell."""
    index = LAWS.index(law)
    seeds = np.random.SeedSequence([SEED, index, m, round(1000 * p)])
    rng = np.random.default_rng(seeds)
    n = round(m / p)
    n_pos = rng.binomial(n, p, size=replicates)
    kept = (n_pos > 0) & (n_pos < n)
    n_pos = n_pos[kept]
    n_neg = n - n_pos
    pos = law.draw(True, (n_pos.size, int(n_pos.max())), rng)
    neg = law.draw(False, (n_pos.size, int(n_neg.max())), rng)
    s = bulk.samples(pos, neg, n_pos, n_neg)
    generator = torch.Generator().manual_seed(int(seeds.generate_state(1)[0]))
    out: list[dict] = []

    def note(measure: bulk.Measure, method: str, ends: tuple[torch.Tensor, torch.Tensor], actual: float) -> None:
        low, high = (end.numpy() for end in ends)
        slack = 1e-6  # single precision
        out.append(
            {
                "law": law.name,
                "m": m,
                "p": p,
                "measure": list(measure),
                "method": method,
                "truth": actual,
                "n": int(low.size),
                "cover": float(np.mean((low <= actual + slack) & (actual <= high + slack))),
                "below": float(np.mean(high + slack < actual)),
                "above": float(np.mean(low > actual + slack)),
                "width": float(np.mean(high - low)),
            }
        )

    true = truths(law, p)
    auc, variance = bulk.auc_and_variance(s)
    variance = torch.nan_to_num(variance, nan=1.0)
    roc = MEASURES[0]
    note(roc, "delong-logit", bulk.delong_logit(auc, variance, Z), true[roc])
    note(roc, "score", bulk.score(auc, variance, s.n_pos, s.n_neg, Z, ALPHA), true[roc])
    note(roc, "exact", bulk.exact(auc, s.n_pos, s.n_neg, ALPHA), true[roc])
    for (measure, mass), limits in bulk.adverse(s, MEASURES, masses, DRAWS, ALPHA, generator).items():
        note(measure, f"adverse {mass:g}", limits, true[measure])
    if others:
        for measure, spread in zip(MEASURES, bulk.spread_of_draws(s, MEASURES, DRAWS, generator), strict=True):
            value = bulk.unweighted(s, measure).clamp(0.0, 1.0)
            note(measure, "wilson", bulk.wilson(value, spread, s.n_pos, Z), true[measure])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("simulate", "page"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--others", action="store_true", help="also Wilson's interval with an effective size")
    parser.add_argument("--masses", default="0.5")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--sizes", default=f"0:{len(SIZES)}", help="which of the sizes, as first:end")
    given = parser.parse_args()
    masses = [float(text) for text in given.masses.split(",")]
    which, parts = map(int, given.part.split("/"))
    torch.set_num_threads(1)
    sizes = SIZES[slice(*map(int, given.sizes.split(":")))]
    cells = [(law, m, p) for m, p in sizes for law in LAWS]
    for i, (law, m, p) in enumerate(cells):
        if i % parts != which:
            continue
        start = time.monotonic()
        found = simulate(law, m, p, given.replicates, masses, given.others)
        with given.file.open("a") as out:
            out.writelines(json.dumps(line) + "\n" for line in found)
        worst = min(
            (line["cover"], line["measure"], line["method"]) for line in found if line["method"].startswith("adv")
        )
        print(f"{law.name} {m}@{p} {time.monotonic() - start:.1f} s, least {worst}", flush=True)


if __name__ == "__main__":
    main()
