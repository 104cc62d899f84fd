"""Coverage of the default interval of every measure by name on two unkind laws; makes docs/validation/every-measure.md.

    python -m benchmarks.coverage_registry simulate found.jsonl [--seconds 2] [--part 0/4 | --measure NAME]
    python -m benchmarks.coverage_registry page found.jsonl > docs/validation/every-measure.md

`simulate` appends one line of JSON for each measure and law, from as many samples as the seconds allow.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.special as sp
from numpy.typing import NDArray

import thresher as th

Sample = tuple[NDArray[np.bool_], NDArray[np.float64]]
LARGE, SEED, LEAST, MOST = 2_000_000, 20261119, 20, 1000
OPTIONS: dict[str, dict[str, Any]] = {
    "bedroc": {},
    "recall_at_precision": {"precision": 0.7},
    "precision_at_recall": {"recall": 0.7},
    "recall_at_fpr": {"fpr": 0.1},
    "fpr_at_recall": {"recall": 0.7},
    "partial_roc_auc": {"fpr": (0.0, 0.2)},
    "net_benefit": {"threshold_probability": 0.3},
    "precision_at_depth": {"depth": 20},
    "recall_at_depth": {"depth": 20},
    "enrichment_factor": {"fraction": 0.05},
    "kappa_r": {"r": 0.5},
    "f_beta": {"beta": 0.5},
    "cost": {"cost_fp": 1.0, "cost_fn": 5.0},
    "utility": {"utility_tp": 1.0, "utility_fp": -0.2, "utility_fn": -1.0, "utility_tn": 0.0},
}
"""Beside the threshold, which is 0.3."""
OF_SIZE = ("precision_at_depth", "recall_at_depth", "chi_square")
"""Measures that change with the number of rows: the mean over samples is taken for the truth."""


def sharp(size: int, rng: np.random.Generator) -> Sample:
    """Calibrated scores, most of them near 0."""
    x = np.clip(rng.beta(0.3, 1.2, size), 1e-6, 1.0 - 1e-6)
    return rng.random(size) < x, x


def hard(size: int, rng: np.random.Generator) -> Sample:
    """Of the positives, a tenth of the rows, 15 % lie below all negatives; scores are no probabilities of anything."""
    y = rng.random(size) < 0.1
    z = rng.normal(size=size)
    z[y] = np.where(rng.random(int(y.sum())) < 0.15, -3.0 + 0.5 * z[y], 3.5 + z[y])
    return y, sp.expit(z - 2.0)


LAWS: dict[str, tuple[Callable[[int, np.random.Generator], Sample], int]] = {
    "calibrated, near 0": (sharp, 200),
    "15% hard positives": (hard, 250),
}


def measure_of(name: str) -> th.measures.Measure:
    """Return a measure with the options of this page."""
    options = {key: value for key, value in OPTIONS.get(name, {}).items() if key in th.measures.takes(name)}
    if "threshold" in th.measures.takes(name):
        options["threshold"] = 0.3
    return th.measures.as_measure(name, **options)


@cache
def large(law: str) -> th.Scores:
    """Return the law, but for rounding."""
    y, x = LAWS[law][0](LARGE, np.random.default_rng(SEED))
    return th.Scores(y, x.round(6).clip(1e-6, 1.0 - 1e-6))


def simulate(name: str, law: str, seconds: float) -> dict[str, Any]:
    """Return how often the default interval of a measure holds the truth."""
    draw, size = LAWS[law]
    measure, rng = measure_of(name), np.random.default_rng([SEED, list(LAWS).index(law)])

    def sample() -> th.Scores:
        while True:
            y, x = draw(size, rng)
            if 1 < y.sum() < size - 1:
                return th.Scores(y, x)

    own = name in OF_SIZE
    truth = float(np.mean([measure.of(sample()) for _ in range(2000)])) if own else measure.of(large(law))
    below = above = count = warned = 0
    widths, method, end = [], "", time.monotonic() + seconds
    while count < LEAST or (count < MOST and time.monotonic() < end):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", th.ThresherWarning)
            found = measure.estimate(sample()).confidence_interval(rng=count)
        count, warned, method = count + 1, warned + bool(heard), found.method
        below, above = below + (found.high < truth), above + (found.low > truth)
        widths.append(found.width)
    cell = {"measure": name, "law": law, "method": method, "samples": count, "truth": truth, "width": np.median(widths)}
    return cell | {"below": below / count, "above": above / count, "warned": warned / count}


def page(cells: list[dict[str, Any]]) -> str:
    """Return the page, worst cells first."""
    cells = sorted(cells, key=lambda cell: 1.0 - cell["below"] - cell["above"])
    lines = [
        "# The default interval of every measure",
        "",
        "Every measure that has a name, by its default interval at 95%, on two laws: 200 calibrated scores of which",
        'most are near 0, and 250 rows with a tenth of positives, of which 15% rank below all negatives. "Below" and',
        '"above" say how often the whole interval lies below or above the truth, "warned" how often it came with a',
        "warning. The number of samples differs, as some intervals take longer; with 100 samples the standard error of",
        "a coverage of 95% is 2.2%. Thresholds are 0.3. Made by `python -m benchmarks.coverage_registry`.",
        "",
        "| measure | method | law | samples | covers | below | above | warned | width |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        shares = (1.0 - cell["below"] - cell["above"], cell["below"], cell["above"], cell["warned"])
        told = " | ".join(f"{100 * share:.1f}" for share in shares)
        head = f"| `{cell['measure']}` | {cell['method']} | {cell['law']} | {cell['samples']}"
        lines.append(f"{head} | {told} | {cell['width']:.3g} |")
    return "\n".join(lines)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("simulate", "page"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--measure", help="one measure alone")
    given = parser.parse_args()
    if given.what == "page":
        print(page([json.loads(line) for line in given.file.read_text().splitlines()]))
        return
    first, step = map(int, given.part.split("/"))
    names = [given.measure] if given.measure else th.measures.names()[first::step]
    for law in LAWS:
        for name in names:
            with given.file.open("a") as out:
                out.write(json.dumps(simulate(name, law, given.seconds), default=float) + "\n")


if __name__ == "__main__":
    main()
