"""`Sketch` on streams that are hard on it: speed, true errors and bounds, beside a fixed grid of thresholds.

    python benchmarks/sketch.py [--rows 1000000] [--batch 100000] [--points 1000] [--grid 100]

The grid counts at equally spaced thresholds from 0 to 1, as binned metrics of deep-learning libraries do; scores
outside that range pass through the logistic function first, as there. Printed as Markdown, for
`docs/benchmarks/sketch.md`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from scipy.special import expit

import thresher as th

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.streams import against, streams


def sketched(y: np.ndarray, s: np.ndarray, batch: int, points: int) -> tuple[th.Scores, float]:
    """The table of the sketch, and rows per second."""
    sketch = th.Sketch(points)
    start = time.perf_counter()
    for first in range(0, y.size, batch):
        sketch.update(y[first : first + batch], s[first : first + batch])
    return sketch.to_scores(), y.size / (time.perf_counter() - start)


def gridded(y: np.ndarray, s: np.ndarray, cuts: int) -> th.Scores:
    """The counts at or above each of the thresholds, as a table; below the first nothing is told apart."""
    shares = s if s.min() >= 0 and s.max() <= 1 else expit(s)
    return th.Scores(y, np.searchsorted(np.linspace(0, 1, cuts), shares, side="right"))


def rate_errors(table: th.Scores, full: th.Scores) -> tuple[float, float]:
    """The largest error of TPR and of FPR over all thresholds."""
    at = len(table) - np.searchsorted(table.thresholds[::-1], full.thresholds, side="left")
    tpr = (full.tp - np.append(0, table.tp)[at]) / full.n_pos
    fpr = (full.fp - np.append(0, table.fp)[at]) / full.n_neg
    return float(tpr.max()), float(fpr.max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=100_000)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--grid", type=int, default=100)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    data = streams(options.rows, rng)
    period = 2.0 ** -np.floor(np.log2(options.points))
    data["labels against the cells"] = against(options.rows, rng, period)
    rates, areas = [], []
    for name, (y, s) in data.items():
        full = th.Scores(y, s)
        table, speed = sketched(y, s, options.batch, options.points)
        grid = gridded(y, s, options.grid)
        bound, errors = table.roc().rate_error_bound, rate_errors(table, full)
        rates.append(
            f"| {name} | {speed / 1e6:.1f} | {errors[0]:.1e} | {bound.tpr:.1e} | {errors[1]:.1e} | {bound.fpr:.1e} |"
        )
        cells = [name]
        for area in (lambda t: t.roc_auc(), lambda t: t.pr_auc()):
            exact, found = area(full).value, area(table)
            cells += [f"{exact:.6f}", f"{abs(found.value - exact):.1e}", f"{found.error_bound:.1e}"]
            cells.append(f"{abs(area(grid).value - exact):.1e}")
        areas.append("| " + " | ".join(cells) + " |")
    print("| stream | million rows/s | TPR error | its bound | FPR error | its bound |\n|---|---:|---:|---:|---:|---:|")
    print("\n".join(rates))
    print("\n| stream | AUC-ROC | error | bound | grid's error | AUC-PR | error | bound | grid's error |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    print("\n".join(areas))


if __name__ == "__main__":
    main()
