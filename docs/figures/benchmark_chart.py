"""Draw the first picture of the benchmarks from the table in `docs/benchmarks/jobs.md`, which one run wrote.

Run it from anywhere; it writes `benchmarks.svg` beside itself. Needs matplotlib.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
SHOWN = {
    "AUC + curve, continuous float64, n=1e+07, T1": "AUC and curve, 10 million rows",
    "AUC + curve, rounded float64, n=1e+07, T1": "the same, rounded scores",
    "average precision, n=1e+07": "average precision, 10 million rows",
    "AUC, 1,000 rows, th.Scores(y, s).roc_auc()": "AUC of 1,000 rows",
    "BCa bootstrap of ROC AUC, 2000 x 100000, T1": "2,000 bootstrap replicates, 100,000 rows",
    "BCa bootstrap of interpolated PR AUC, 2000 x 1e+06, T1": "the same of PR AUC, a million rows",
    "DeLong interval, n=1e+06, T1": "DeLong interval, a million rows",
}


def table() -> dict[str, tuple[str, float]]:
    """Return peer and ratio by the work that was measured."""
    lines = (HERE.parent / "benchmarks" / "jobs.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {row[0]: (row[1].split(",")[0], float(row[4])) for row in reversed(cells) if row[0] in SHOWN}


if __name__ == "__main__":
    mpl.rcParams.update({"svg.hashsalt": "thresher", "svg.fonttype": "none", "font.family": "sans-serif"})
    found = table()
    names = [name for name in SHOWN if name in found][::-1]
    figure, ax = plt.subplots(figsize=(8.0, 3.6), layout="constrained")
    bars = ax.barh([SHOWN[name] for name in names], [found[name][1] for name in names], color="#0068ad", height=0.62)
    words = [f"{found[name][1]:.0f} times {found[name][0].split()[0]}" for name in names]
    ax.bar_label(bars, words, padding=4, fontsize=9)
    ax.set(xscale="log", xlim=(1, 1500), xlabel="how many times as fast, one thread (logarithmic)")
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "benchmarks.svg", metadata={"Date": None})
