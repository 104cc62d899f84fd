"""Coverage of the default intervals of areas on unkind laws; makes the tables of docs/validation/areas.md.

    python -m benchmarks.coverage_defaults simulate found.jsonl [--replicates 2000] [--part 0/4] [--device cuda]
    python -m benchmarks.coverage_defaults alternatives others.jsonl [--resamples 399]
    python -m benchmarks.coverage_defaults page found.jsonl others.jsonl > docs/validation/areas.md

`simulate` appends one line of JSON for each law, size, measure and method, `alternatives` likewise those of the
intervals that have names. A size "m@p" is a random sample of m/p cases
of a population with prevalence p, so that the number of positives is binomial with mean m.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

import thresher as th
from benchmarks import bulk_alternatives, hopeless_positives, width_table
from benchmarks import bulk_intervals as bulk
from benchmarks.unkind_laws import LAWS, Distribution
from benchmarks.width_table import NAMES

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
WHOLE: dict[bulk.Measure, th.measures.Measure] = {
    ("roc", 0.0): th.measures.RocAuc(),
    ("pr", 0.0): th.measures.PrAuc(),
}
DRAWN = tuple(measure for measure in MEASURES if measure not in WHOLE)
ALPHA, Z = 0.05, 1.959963984540054
DRAWS = 199
TRUTH_POINTS = 400_000
SEED = 20261116
DEFAULT = "bayes"


def truths(law: Distribution, prevalence: float) -> dict[bulk.Measure, float]:
    """Return the population's figures: those of the law at very many evenly spaced probabilities."""
    pos, neg = (law.truth_sample(side, TRUTH_POINTS) for side in (True, False))
    s = bulk.samples(pos[None], neg[None], np.array([pos.size]), np.array([neg.size]))
    own = {("pr", 0.0): ("pr", prevalence)}
    return {measure: float(bulk.unweighted(s, own.get(measure, measure))[0]) for measure in MEASURES}


class Sampled(NamedTuple):
    """Samples of one cell: scores of positives and negatives, of which row r uses the first so many."""

    pos: np.ndarray
    neg: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray
    generator: torch.Generator


def sampled(law: Distribution, m: int, p: float, replicates: int) -> Sampled:
    """Draw the samples of a cell; those without one of the classes are left out."""
    seeds = np.random.SeedSequence([SEED, LAWS.index(law), m, round(1000 * p)])
    rng = np.random.default_rng(seeds)
    n = round(m / p)
    n_pos = rng.binomial(n, p, size=replicates)
    n_pos = n_pos[(n_pos > 0) & (n_pos < n)]
    n_neg = n - n_pos
    pos = law.draw(True, (n_pos.size, int(n_pos.max())), rng)
    neg = law.draw(False, (n_pos.size, int(n_neg.max())), rng)
    generator = torch.Generator(torch.get_default_device()).manual_seed(int(seeds.generate_state(1)[0]))
    return Sampled(pos, neg, n_pos, n_neg, generator)


class Notes:
    """Coverage and width of the methods in one cell, one line each."""

    def __init__(self, law: Distribution, m: int, p: float) -> None:
        self.lines: list[dict[str, Any]] = []
        self._head = {"law": law.name, "m": m, "p": p}
        self._truths = truths(law, p)

    def add(self, measure: bulk.Measure, method: str, ends: bulk.Ends) -> None:
        """Note the limits of all samples by one method."""
        actual = self._truths[measure]
        low, high = (end.numpy(force=True) for end in ends)
        slack = 1e-6  # single precision
        self.lines.append(
            {
                **self._head,
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


def simulate(
    law: Distribution, m: int, p: float, replicates: int, masses: list[float], others: bool
) -> list[dict[str, Any]]:
    """Return the coverage and width of the default and of its rivals for the ROC area in one cell."""
    pos, neg, n_pos, n_neg, generator = sampled(law, m, p, replicates)
    s = bulk.samples(pos, neg, n_pos, n_neg)
    notes = Notes(law, m, p)
    auc, variance = bulk.auc_and_variance(s)
    variance = torch.nan_to_num(variance, nan=1.0)
    roc = MEASURES[0]
    notes.add(roc, "delong-logit", bulk.delong_logit(auc, variance, Z))
    notes.add(roc, "score", bulk.score(auc, variance, s.n_pos, s.n_neg, Z, ALPHA))
    notes.add(roc, "exact", bulk.exact(auc, s.n_pos, s.n_neg, ALPHA))
    for (measure, mass), limits in bulk.adverse(s, DRAWN, masses, DRAWS, ALPHA, generator).items():
        notes.add(measure, DEFAULT if mass == 0.5 else f"adverse {mass:g}", limits)
    for measure, limits in defaults(pos, neg, n_pos, n_neg).items():
        notes.add(measure, DEFAULT, limits)
    if others:
        for measure, spread in zip(MEASURES, bulk.spread_of_draws(s, MEASURES, DRAWS, generator), strict=True):
            value = bulk.unweighted(s, measure).clamp(0.0, 1.0)
            notes.add(measure, "wilson", bulk.wilson(value, spread, s.n_pos, Z))
    return notes.lines


def defaults(
    pos: np.ndarray, neg: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray
) -> dict[bulk.Measure, tuple[torch.Tensor, torch.Tensor]]:
    """Return the library's own intervals that need no draws."""
    found: dict[bulk.Measure, list[tuple[float, float]]] = {measure: [] for measure in WHOLE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        for own, others, m, n in zip(pos, neg, n_pos, n_neg, strict=True):
            scores = th.Scores.from_pos_neg(own[:m], others[:n])
            for measure, ends in found.items():
                low, high = WHOLE[measure].estimate(scores).confidence_interval()
                ends.append((low, high))
    return {
        measure: tuple(torch.tensor(end, dtype=torch.float64) for end in zip(*ends, strict=True))
        for measure, ends in found.items()
    }


def alternatives(law: Distribution, m: int, p: float, replicates: int, resamples: int) -> list[dict[str, Any]]:
    """Return the coverage and width of all other intervals that have names, on the same samples."""
    pos, neg, n_pos, n_neg, generator = sampled(law, m, p, replicates)
    notes = Notes(law, m, p)
    for (measure, name), limits in bulk_alternatives.named(pos, neg, n_pos, n_neg, MEASURES, Z).items():
        notes.add(measure, name, limits)
    if resamples:
        found = bulk_alternatives.bootstrap(pos, neg, n_pos, n_neg, MEASURES, ALPHA, resamples, generator)
        for measure, limits in found.items():
            notes.add(measure, "bootstrap", limits)
    return notes.lines


INTRODUCTION = """\
# Intervals of areas in difficult cases

Coverage in percent of nominal 95% intervals, on difficult distributions: heavy tails, few ratings, floors, positives
that are all easy or hopeless, negatives with very high scores, areas up to 0.995. A size m@p is a random sample of
m/p cases of a population with prevalence p: the number of positives is binomial with mean m. Made by `python -m
benchmarks.coverage_defaults`; worst cells first.

The default, "bayes", of the ROC area and the PR area at the sample's prevalence is the library's own. That of others
is simulated with 199 fresh draws a sample, which estimates the coverage of any number of draws; `pytest -m slow
tests/statistical/test_area_coverage.py` repeats the worst cells with the library itself.
"""

HOPELESS = """
## The worst for many intervals: some positives hopeless, all others perfect

A proportion of the positives stands below all negatives, the others above them. The area then is a binomial
proportion of the positives, and its coverage a sum over counts (`benchmarks/hopeless_positives.py`), here the least
over all proportions; first with class totals that are fixed, then with those of the cells below:

{table}

Samples without an error are among them. Their lower limit reaches down to a proportion of hopeless positives that
shows itself in 19 samples of 20 or so; in every such sample the library warns ("This sample has no misranked case
...").

## All distributions
"""


def page(files: list[Path]) -> str:
    """Return the page of what was found."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    out = [INTRODUCTION, HOPELESS.format(table=hopeless_positives.table()), _replicates(rows)]
    out += [_summary(rows), _widths(rows)]
    for measure, name in NAMES.items():
        own = [row for row in rows if tuple(row["measure"]) == measure and row["method"] == DEFAULT]
        out += [f"## {name}\n", _worst(own), _grid(own)]
    out.append("## The ROC area by name\n")
    for method in ("score", "exact", "delong-logit"):
        own = [row for row in rows if row["method"] == method and row["measure"][0] == "roc"]
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
        "95% is 0.5 points, with 500 it is 1.0.\n"
    )


def _summary(rows: list[dict[str, Any]]) -> str:
    lines = ["| metric | interval | cells | least | below 93 | mean | mean width |", "|---|---|---|---|---|---|---|"]
    for measure, name in NAMES.items():
        found = [row["method"] for row in rows if tuple(row["measure"]) == measure]
        for method in sorted(set(found), key=lambda name: (name != DEFAULT, found.index(name))):
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
    """Return how much wider the default is than named intervals that cover 94% in the cell."""
    cells: dict[tuple[Any, str, str], dict[str, dict[str, Any]]] = {}
    for row in rows:
        cells.setdefault((tuple(row["measure"]), row["law"], _size(row)), {})[row["method"]] = row
    lines = [
        "Where a named interval covers 94% in a cell, the default is so many times as wide:\n",
        "| metric | interval | cells where it covers 94% | median | most | half as wide in |",
        "|---|---|---|---|---|---|",
    ]
    wide = []
    for measure, name in NAMES.items():
        own = {key[1:]: by for key, by in cells.items() if key[0] == measure and DEFAULT in by}
        for method in dict.fromkeys(method for by in own.values() for method in by if method != DEFAULT):
            known = [by for by in own.values() if method in by]
            good = [by for by in known if by[method]["cover"] >= 0.94]
            ratios = [by[DEFAULT]["width"] / by[method]["width"] for by in good]
            for by in (by for ratio, by in zip(ratios, good, strict=True) if ratio > 2.0):
                row = by[method]
                place = measure, row["law"], row["m"], row["p"], method
                wide.append(width_table.Row(*place, 100 * row["cover"], row["width"], by[DEFAULT]["width"]))
            shown = (
                f"{np.median(ratios):.2f} | {max(ratios):.2f} | {sum(r > 2.0 for r in ratios)}" if ratios else " | | "
            )
            lines.append(f"| {name} | {method} | {len(good)} of {len(known)} | {shown} |")
    return "\n".join(lines) + "\n\n" + width_table.text(wide)


def _worst(rows: list[dict[str, Any]], count: int = 8) -> str:
    lines = ["| distribution | size | true | covers | too low | too high | width |", "|---|---|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda row: row["cover"])[:count]:
        lines.append(
            f"| {row['law']} | {_size(row)} | {row['truth']:.4f} | {100 * row['cover']:.1f} | "
            f"{100 * row['below']:.1f} | {100 * row['above']:.1f} | {row['width']:.3f} |"
        )
    return "\n".join(lines) + "\n"


def _grid(rows: list[dict[str, Any]]) -> str:
    sizes = list(dict.fromkeys(_size(row) for row in rows))
    by = {(row["law"], _size(row)): row["cover"] for row in rows}
    lines = ["All cells:\n", "| distribution | " + " | ".join(sizes) + " |", "|---|" + "---|" * len(sizes)]
    for law in dict.fromkeys(row["law"] for row in rows):
        shown = (f"{100 * by[law, size]:.1f}" if (law, size) in by else "" for size in sizes)
        lines.append(f"| {law} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("simulate", "alternatives", "page"))
    parser.add_argument("file", type=Path, nargs="+")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--others", action="store_true", help="also Wilson's interval with an effective size")
    parser.add_argument("--masses", default="0.5")
    parser.add_argument("--resamples", type=int, default=0, help="of the bootstrap among the alternatives")
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
        if given.what == "simulate":
            found = simulate(law, m, p, given.replicates, masses, given.others)
        else:
            found = alternatives(law, m, p, given.replicates, given.resamples)
        with given.file[0].open("a") as out:
            out.writelines(json.dumps(line) + "\n" for line in found)
        worst = min((line["cover"], line["measure"], line["method"]) for line in found)
        print(f"{law.name} {m}@{p} {time.monotonic() - start:.1f} s, least {worst}", flush=True)


if __name__ == "__main__":
    main()
