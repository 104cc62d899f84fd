"""Coverage of the default intervals of areas on unkind laws; makes the tables of docs/validation/areas.md.

    python -m benchmarks.coverage_defaults simulate found.jsonl [--replicates 2000] [--part 0/4] [--device cuda]
    python -m benchmarks.coverage_defaults page found.jsonl > docs/validation/areas.md

`simulate` appends one line of JSON for each law, size, measure and method. A size "m@p" is a random sample of m/p cases
of a population with prevalence p, so that the number of positives is binomial with mean m.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

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


def simulate(law: Law, m: int, p: float, replicates: int, masses: list[float], others: bool) -> list[dict[str, Any]]:
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
    generator = torch.Generator(torch.get_default_device()).manual_seed(int(seeds.generate_state(1)[0]))
    out: list[dict[str, Any]] = []

    def note(measure: bulk.Measure, method: str, ends: tuple[torch.Tensor, torch.Tensor], actual: float) -> None:
        low, high = (end.numpy(force=True) for end in ends)
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


NAMES = {
    ("roc", 0.0): "ROC area",
    ("pr", 0.0): "PR area, the sample's prevalence",
    ("pr", 0.01): "PR area at prevalence 0.01",
    ("pr", 0.5): "PR area at prevalence 0.5",
    ("fpr", 0.2): "partial ROC area, FPR 0 to 0.2",
    ("fpr", 0.05): "partial ROC area, FPR 0 to 0.05",
    ("tpr", 0.8): "partial ROC area, TPR 0.8 to 1",
}
DEFAULT = "adverse 0.5"
INTRODUCTION = """\
# Intervals of areas where it is hard

Coverage in percent of nominal 95 % intervals, on laws that are not kind: heavy tails, few ratings, floors, positives
that are all easy or hopeless, loud negatives, areas up to 0.995. A size m@p is a random sample of m/p cases of a
population with prevalence p: the number of positives is binomial with mean m. Made by
`python -m benchmarks.coverage_defaults`; worst cells first.

The default, "bayes", is simulated with 199 fresh draws a sample, which estimates the coverage of any number of draws;
`pytest -m slow tests/statistical/test_area_coverage.py` repeats the worst cells with the library itself.
"""


WHY_WIDER = """
Those are samples in which the positives hardly differ, and what they do not show decides. Let a share q of the
positives of such a law be hopeless, that is below all negatives: the area falls by the share q, and among m positives
none of them is seen with probability (1 - q)^m. A sample without any is a sample of the first law, so an interval that
covers the second law in 93 % of the samples must reach down to its area in at least 1 - 0.07 / (1 - q)^m of the samples
of the first. With m = 30 and q = 0.05 that is a reach of 0.05 in two samples of three: no rule that keeps its promise
for both can have a mean width below 0.033 there, and "delong-logit" has 0.014. It pays in the rows of hopeless
positives at the end of this page.
"""


def page(files: list[Path]) -> str:
    """Return the page of what was found."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    out = [INTRODUCTION, _replicates(rows), _summary(rows), _widths(rows)]
    for measure, name in NAMES.items():
        own = [row for row in rows if tuple(row["measure"]) == measure and row["method"] == DEFAULT]
        out += [f"## {name}\n", _worst(own), _grid(own)]
    out.append("## The ROC area by name\n")
    for method in ("score", "exact", "delong-logit"):
        own = [row for row in rows if row["method"] == method]
        out += [f'### "{method}"\n', _worst(own)]
    return "\n".join(out)


def _size(row: dict[str, Any]) -> str:
    return f"{row['m']}@{row['p']:g}"


def _replicates(rows: list[dict[str, Any]]) -> str:
    counts: dict[str, dict[tuple[str, int], int]] = {}
    for row in rows:
        own = counts.setdefault(_size(row), {})
        # Samples without one of the classes are left out; what was drawn is a round number.
        drawn = -(-row["n"] // 100) * 100
        own[row["law"], drawn] = drawn
    said = "; ".join(
        f"{size} "
        + " and ".join(f"{times} in {list(own.values()).count(times)} cells" for times in sorted(set(own.values())))
        for size, own in counts.items()
    )
    return (
        f"Samples a cell (those without one of the classes are left out): {said}. With 2,000 the standard error of "
        "95 % is 0.5 points, with 500 it is 1.0.\n"
    )


def _summary(rows: list[dict[str, Any]]) -> str:
    lines = ["| figure | interval | cells | least | below 93 | mean | mean width |", "|---|---|---|---|---|---|---|"]
    for measure, name in NAMES.items():
        for method in (DEFAULT, "score", "exact", "delong-logit"):
            own = [row for row in rows if tuple(row["measure"]) == measure and row["method"] == method]
            if own:
                cover = np.array([row["cover"] for row in own])
                width = np.mean([row["width"] for row in own])
                shown = "bayes (default)" if method == DEFAULT else method
                lines.append(
                    f"| {name} | {shown} | {cover.size} | {100 * cover.min():.1f} | {(cover < 0.93).sum()} | "
                    f"{100 * cover.mean():.1f} | {width:.3f} |"
                )
    return "\n".join(lines) + "\n"


def _widths(rows: list[dict[str, Any]]) -> str:
    """Return how much wider the default is than named intervals of the ROC area that cover 94 % in the cell."""
    cells: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["measure"][0] == "roc":
            cells.setdefault((row["law"], _size(row)), {})[row["method"]] = row
    said = []
    for name in ("score", "delong-logit"):
        found = [
            (by[DEFAULT]["width"] / by[name]["width"], law, size)
            for (law, size), by in cells.items()
            if name in by and DEFAULT in by and by[name]["cover"] >= 0.94
        ]
        ratio, law, size = max(found)
        twice = [f"{law} {size} ({ratio:.1f})" for ratio, law, size in sorted(found, reverse=True) if ratio > 2]
        said.append(
            f'Where "{name}" covers 94 % in a cell ({len(found)} of {len(cells)}), the default ROC interval is '
            f"{np.median([each[0] for each in found]):.2f} times as wide (median), at most {ratio:.2f} times ({law}, "
            f"{size}), more than twice in {len(twice)}{': ' + '; '.join(twice) if twice else ''}."
        )
    return "\n".join(said) + "\n" + WHY_WIDER


def _worst(rows: list[dict[str, Any]], count: int = 8) -> str:
    lines = ["| law | size | true | covers | too low | too high | width |", "|---|---|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda row: row["cover"])[:count]:
        lines.append(
            f"| {row['law']} | {_size(row)} | {row['truth']:.4f} | {100 * row['cover']:.1f} | "
            f"{100 * row['below']:.1f} | {100 * row['above']:.1f} | {row['width']:.3f} |"
        )
    return "\n".join(lines) + "\n"


def _grid(rows: list[dict[str, Any]]) -> str:
    sizes = list(dict.fromkeys(_size(row) for row in rows))
    by = {(row["law"], _size(row)): row["cover"] for row in rows}
    lines = ["All cells:\n", "| law | " + " | ".join(sizes) + " |", "|---|" + "---|" * len(sizes)]
    for law in dict.fromkeys(row["law"] for row in rows):
        shown = (f"{100 * by[law, size]:.1f}" if (law, size) in by else "" for size in sizes)
        lines.append(f"| {law} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("simulate", "page"))
    parser.add_argument("file", type=Path, nargs="+")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--others", action="store_true", help="also Wilson's interval with an effective size")
    parser.add_argument("--masses", default="0.5")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--sizes", default=f"0:{len(SIZES)}", help="which of the sizes, as first:end")
    parser.add_argument("--device", default="cpu", help="where torch computes")
    given = parser.parse_args()
    if given.what == "page":
        print(page(given.file))
        return
    masses = [float(text) for text in given.masses.split(",")]
    which, parts = map(int, given.part.split("/"))
    torch.set_num_threads(1)
    torch.set_default_device(given.device)
    sizes = SIZES[slice(*map(int, given.sizes.split(":")))]
    cells = [(law, m, p) for m, p in sizes for law in LAWS]
    for i, (law, m, p) in enumerate(cells):
        if i % parts != which:
            continue
        start = time.monotonic()
        found = simulate(law, m, p, given.replicates, masses, given.others)
        with given.file[0].open("a") as out:
            out.writelines(json.dumps(line) + "\n" for line in found)
        worst = min(
            (line["cover"], line["measure"], line["method"]) for line in found if line["method"].startswith("adv")
        )
        print(f"{law.name} {m}@{p} {time.monotonic() - start:.1f} s, least {worst}", flush=True)


if __name__ == "__main__":
    main()
