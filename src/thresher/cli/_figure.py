"""Figures in files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import thresher as th
from thresher._core.checks import require
from thresher._core.files import written_whole
from thresher._decide import MetricCurve
from thresher.cli._output import printable

__all__ = ["FIGURES", "write_curve_figure", "write_figure", "write_metric_figure"]

FIGURES = (".png", ".svg", ".pdf")
_LONGEST_NAME = 40
# Without the hour of its making, the same data give the same file.
_METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def write_figure(
    models: Mapping[str, th.Scores],
    output: Path,
    *,
    prevalence: float | None = None,
    bands: Mapping[str, list[th.results.CurveBand]] | None = None,
) -> None:
    """Draw ROC and PR curves side by side, the same thresholds marked on both."""
    with _drawing() as matplotlib:
        shown = {_legend_name(name): scores for name, scores in models.items()}
        display = th.plotting.LinkedDisplay.from_scores(shown, prevalence=prevalence, achievable=True)
        try:
            for name, pair in (bands or {}).items():
                colour = display.roc[_legend_name(name)].line_.get_color()
                for band, axes in zip(pair, (display.ax_roc_, display.ax_pr_), strict=True):
                    axes.fill_between(band.x, band.low, band.high, color=colour, alpha=0.15, linewidth=0, zorder=1.2)
            _save(display.figure_, output)
        finally:
            matplotlib.pyplot.close(display.figure_)


def write_curve_figure(curve: th.RocCurve, output: Path, *, prevalence: float) -> None:
    """Draw a curve that needs no data."""
    with _drawing() as matplotlib:
        display = th.plotting.LinkedDisplay.from_curve(curve, prevalence=prevalence, achievable=True)
        try:
            _save(display.figure_, output)
        finally:
            matplotlib.pyplot.close(display.figure_)


def write_metric_figure(
    curves: Mapping[str, MetricCurve], title: str, output: Path, *, bands: Mapping[str, th.results.CurveBand]
) -> None:
    """Draw a metric against the threshold, with its bands."""
    with _drawing() as matplotlib:
        figure, axes = matplotlib.pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")
        try:
            for name, curve in curves.items():
                (line,) = axes.step(curve.x, curve.values[0], where="pre", label=_legend_name(name))
                if name in bands:
                    band, colour = bands[name], line.get_color()
                    axes.fill_between(band.x, band.low, band.high, step="pre", color=colour, alpha=0.15, linewidth=0)
            axes.set(xlabel="Threshold", ylabel=title)
            axes.legend()
            _save(figure, output)
        finally:
            matplotlib.pyplot.close(figure)


@contextmanager
def _drawing() -> Iterator[Any]:
    """Draw without a screen; `$` in a name is a dollar."""
    matplotlib = require("matplotlib", extra="plot", purpose="Drawing a figure")
    matplotlib.use("Agg")
    require("matplotlib.pyplot", extra="plot", purpose="Drawing a figure")
    with matplotlib.rc_context({"svg.hashsalt": "thresher", "text.parse_math": False}), warnings.catch_warnings():
        # A letter that no installed font has becomes a box; the numbers are right anyway.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield matplotlib


def _save(figure: Any, output: Path) -> None:
    ending = output.suffix.lower()
    with written_whole(output) as path:
        figure.savefig(path, format=ending[1:], dpi=120, bbox_inches="tight", metadata=_METADATA.get(ending))


def _legend_name(name: str) -> str:
    """Return a name that fits a legend; a leading underscore would hide the entry."""
    shown = printable(name, _LONGEST_NAME)
    return f" {shown}" if shown.startswith("_") else shown
