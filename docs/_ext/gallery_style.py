"""How the gallery is drawn and ordered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Light lines behind the data, none above or beside it, and text that survives being printed at half size.
LOOK = {
    "figure.dpi": 100,
    "savefig.dpi": 100,
    "savefig.facecolor": "white",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 12,
    "grid.color": "#8A8A8A",
    "grid.alpha": 0.18,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "lines.linewidth": 2.0,
}

# From the first idea to the last; a new page comes after them.
ORDER = (
    "linked", "trapezoid", "ties", "prevalence", "unachievable", "hull", "mixture", "dominance", "bands", "intervals",
    "cortes_mohri", "tune", "optimism", "guarantee", "gate", "monitor", "power", "pooled", "clusters", "groups",
    "compress", "cost", "lift_gain", "det", "pr_gain", "population",
)  # fmt: skip


def reset(gallery_conf: dict[str, Any], name: str) -> None:
    """Set the look before each script; sphinx-gallery calls it."""
    import matplotlib as mpl

    mpl.rcParams.update(LOOK)


class Order:
    """Sort key of the pages; sphinx-gallery makes one for a folder and calls it with file names."""

    def __init__(self, folder: str) -> None:
        pass

    def __call__(self, name: str) -> tuple[int, str]:
        stem = Path(name).stem.removeprefix("plot_")
        return (ORDER.index(stem) if stem in ORDER else len(ORDER), stem)

    def __repr__(self) -> str:
        return "<Order>"
