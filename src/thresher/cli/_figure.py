"""Figures in files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import thresher as th
from thresher._core.files import written_whole
from thresher._core.optional import require
from thresher.cli._output import printable

__all__ = ["FIGURES", "write_figure"]

FIGURES = (".png", ".svg", ".pdf")
_LONGEST_NAME = 40
# Without the hour of its making, the same data give the same file.
_METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def write_figure(
    models: Mapping[str, th.Scores],
    output: Path,
    *,
    prevalence: float | None = None,
    bands: Mapping[str, list[th.CurveBand]] | None = None,
) -> None:
    """Draw ROC and PR curves side by side, the same thresholds marked on both."""
    matplotlib = require("matplotlib", extra="plot", purpose="Drawing a figure")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    ending = output.suffix.lower()
    shown = {_legend_name(name): scores for name, scores in models.items()}
    with matplotlib.rc_context({"svg.hashsalt": "thresher", "text.parse_math": False}):
        display = th.LinkedDisplay.from_scores(shown, prevalence=prevalence, achievable=True)
        try:
            for name, pair in (bands or {}).items():
                colour = display.roc[_legend_name(name)].line_.get_color()
                for band, axes in zip(pair, (display.ax_roc_, display.ax_pr_), strict=True):
                    axes.fill_between(band.x, band.low, band.high, color=colour, alpha=0.15, linewidth=0, zorder=1.2)
            with written_whole(output) as path:
                display.figure_.savefig(
                    path, format=ending[1:], dpi=120, bbox_inches="tight", metadata=_METADATA.get(ending)
                )
        finally:
            pyplot.close(display.figure_)


def _legend_name(name: str) -> str:
    """Return a name that fits a legend; a leading underscore would hide the entry."""
    shown = printable(name, _LONGEST_NAME)
    return f" {shown}" if shown.startswith("_") else shown
