"""Draw the coverage of intervals of the ROC and the PR area, from the table in `docs/validation/areas.md`.

Run it from anywhere; it writes `coverage.svg` beside itself. Needs matplotlib.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
AREAS = {"ROC area": "ROC AUC", "PR area, the sample's prevalence": "PR AUC"}


def table(area: str) -> list[tuple[str, float, float]]:
    """Return the least and the mean coverage of each interval of an area, the highest least one first."""
    lines = (HERE.parent / "validation" / "areas.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| metric | interval | cells | least | below 93 | mean | mean width |")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:]]
    rows = [(row[1], float(row[3]), float(row[5])) for row in cells if row[0] == area and len(row) == 7]
    return sorted(rows, key=lambda row: -row[1])


def draw() -> None:
    """Write the picture."""
    mpl.rcParams.update({"svg.hashsalt": "thresher", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained", sharex=True)
    for ax, (area, title) in zip(axes, AREAS.items(), strict=True):
        rows = table(area)
        for place, (_, least, mean) in enumerate(rows):
            ax.plot([least, mean], [place, place], color="#b8b8b8", linewidth=2, zorder=1)
        ax.scatter([row[1] for row in rows], range(len(rows)), color="#c25e00", label="worst setting", zorder=2)
        ax.scatter([row[2] for row in rows], range(len(rows)), color="#0068ad", marker="s", label="mean", zorder=2)
        ax.axvline(95, color="#4a4a4a", linestyle=":", linewidth=1)
        ax.set_yticks(range(len(rows)), [name for name, _, _ in rows])
        ax.invert_yaxis()
        ax.set(title=title, xlabel="coverage of 95% intervals, %", xlim=(0, 101))
        ax.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    figure.savefig(HERE / "coverage.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw()
