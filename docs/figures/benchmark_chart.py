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
    for place, name in enumerate(names):
        peer, ratio = found[name]
        ax.plot([1, ratio], [place, place], color="#b8b8b8", linewidth=1.5, zorder=1)
        ax.plot(ratio, place, "o", color="#0068ad", markersize=8)
        ax.annotate(
            f"{ratio:.0f} times {peer.split()[0]}", (ratio, place), (9, -3), textcoords="offset points", fontsize=9
        )
    ax.set_yticks(range(len(names)), [SHOWN[name] for name in names])
    ax.set(xscale="log", xlim=(1, 3000), xlabel="how many times as fast, one thread (logarithmic)")
    ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "benchmarks.svg", metadata={"Date": None})
