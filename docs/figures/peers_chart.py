"""Draw how many times as fast as each peer thresher is, from the table in `docs/benchmarks/peers.md`.

Run it from anywhere; it writes `peers.svg` beside itself. Needs matplotlib.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
JOBS = {"AUC": "#0068ad", "average precision": "#c25e00", "curve": "#4c8c2b"}


def table(rows: str) -> dict[tuple[str, str], float]:
    """Return the ratio by peer and job at a number of rows."""
    lines = (HERE.parent / "benchmarks" / "peers.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {(row[2], row[0]): float(row[5]) for row in cells if row[0] in JOBS and row[1] == rows}


def draw() -> None:
    """Write the picture."""
    mpl.rcParams.update({"svg.hashsalt": "thresher", "svg.fonttype": "none", "font.family": "sans-serif"})
    found = table("1e+07")
    peers = sorted({peer for peer, _ in found}, key=lambda peer: found[peer, "AUC"])
    places, names, at = [], [], 0.0
    figure, ax = plt.subplots(figsize=(8.0, 5.6), layout="constrained")
    for peer in peers:
        here = [job for job in reversed(JOBS) if (peer, job) in found]
        for i, job in enumerate(here):
            ratio, place = found[peer, job], at + 0.3 * i
            ax.plot([1, ratio], [place, place], color="#d8d8d8", linewidth=1.2, zorder=1)
            ax.plot(ratio, place, "o", color=JOBS[job], markersize=6)
            ax.annotate(f"{ratio:.3g}", (ratio, place), (7, -3), textcoords="offset points", fontsize=8)
        places.append(at + 0.15 * (len(here) - 1))
        names.append(peer)
        at += 0.3 * len(here) + 0.35
    ax.set_yticks(places, names)
    ax.set(xscale="log", xlim=(1, 200), xlabel="how many times as fast, ten million rows (logarithmic)")
    ax.set_xticks([1, 10, 100], ["1", "10", "100"])
    handles = [plt.Line2D([], [], color=color, marker="o", linestyle="", label=job) for job, color in JOBS.items()]
    ax.legend(handles=handles, loc="lower right", frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "peers.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw()
