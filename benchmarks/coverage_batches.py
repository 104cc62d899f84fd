"""Coverage of the interval of `compare_source(method="batches")`, least batches and unkind rows first.

Run `python benchmarks/coverage_batches.py [replicates]`. The true difference is that of eight million rows.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import thresher as th

Columns = dict[str, NDArray[np.generic]]


def rows(rng: np.random.Generator, n: int, share: float) -> Columns:
    """Return two models of independent rows."""
    y = rng.random(n) < share
    case = rng.normal(size=n)
    return {"y": y, "a": case + 0.7 * rng.normal(size=n) + 1.2 * y, "b": case + 0.7 * rng.normal(size=n) + y}


def heavy(rng: np.random.Generator, n: int, share: float) -> Columns:
    """Return positives of which one in ten is hopeless for one model, with scores rounded to ties."""
    found = rows(rng, n, share)
    lost = found["y"].astype(bool) & (rng.random(n) < 0.1)
    return {"y": found["y"], "a": np.round(np.where(lost, -3.0, found["a"]), 1), "b": np.round(found["b"], 1)}


def clusters(rng: np.random.Generator, n: int, share: float, spread: float) -> Columns:
    """Return rows in clusters of unequal size, four on average, that share half of their score."""
    size = np.maximum(np.rint(rng.lognormal(np.log(4.0) - spread**2 / 2.0, spread, n // 4)), 1).astype(int)
    patient = np.repeat(np.arange(size.size), size)
    total = patient.size
    sick = rng.random(size.size) < share
    y = np.where(rng.random(total) < 0.8, sick[patient], rng.random(total) < share)
    own, gain = rng.normal(size=(2, size.size))
    a = own[patient] + 0.5 * gain[patient] + rng.normal(size=total) + 1.2 * y
    return {"y": y, "a": a, "b": own[patient] + rng.normal(size=total) + 1.1 * y, "patient": patient}


Make = Callable[[np.random.Generator, int], Columns]
DESIGNS: dict[str, tuple[Make, dict[str, str]]] = {
    "rows, 10% positive": (lambda rng, n: rows(rng, n, 0.1), {}),
    "10% of positives hopeless, ties": (lambda rng, n: heavy(rng, n, 0.1), {}),
    "clusters, sizes alike": (lambda rng, n: clusters(rng, n, 0.2, 0.3), {"cluster": "patient"}),
    "clusters, sizes very unequal": (lambda rng, n: clusters(rng, n, 0.2, 1.5), {"cluster": "patient"}),
}
METRICS: tuple[tuple[str, dict[str, float]], ...] = (
    ("roc_auc", {}),
    ("pr_auc", {}),
    ("recall_at_fpr", {"fpr": 0.05}),
    ("precision_at_recall", {"recall": 0.5}),
)


def truth(make: Make, metric: str, options: dict[str, float]) -> float:
    """Return the difference of eight million rows, a million at a time."""
    rng = np.random.default_rng(1)
    tables = []
    for _ in range(8):
        found = make(rng, 1_000_000)
        tables.append([th.Scores(found["y"], found[name]).measure(metric, **options).value for name in "ab"])
    a, b = np.mean(tables, axis=0)
    return float(a - b)


def main(replicates: int = 200, batches: int = 20) -> None:
    """Print a row for each design and metric."""
    print("| rows | metric | batches | below | above | covers | mean length |")
    print("|---|---|---|---|---|---|---|")
    n = 250 * batches
    for design, (make, asked) in DESIGNS.items():
        for metric, options in METRICS:
            true = truth(make, metric, options)
            rng = np.random.default_rng(7)
            found = np.zeros(3)
            for _ in range(replicates):
                table = pa.table(make(rng, n))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", th.ThresherWarning)
                    pair = th.compare_source(
                        table,
                        y_true="y",
                        y_score=["a", "b"],
                        metric=metric,
                        method="batches",
                        batches=batches,
                        **asked,
                        **options,
                    ).pairs[0]
                found += (pair.high < true, pair.low > true, pair.high - pair.low)
            below, above, length = found / replicates
            covers = 1.0 - below - above
            print(
                f"| {design} | {metric} | {batches} | {below:.3f} | {above:.3f} | {covers:.3f} | {length:.4f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
