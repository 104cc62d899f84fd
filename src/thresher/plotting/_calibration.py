"""The drawn calibration curve with the histogram of the scores, and the drawn Murphy diagram."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np

from thresher._core.checks import require
from thresher._inference import Calibration, MurphyCurve
from thresher.plotting._axes import AID, AID_TEXT, GRID_ALPHA, coloured, draw_reference, is_drawn
from thresher.plotting._display import Drawing
from thresher.plotting._place import add_legend, settle
from thresher.plotting._views import ReferenceLine, View, ViewDisplay

_BINS = 40
_HISTOGRAM = "thresher histogram"
_MANY = 3
"""With more models bands would hide the curves."""


def _decades(most: float) -> Any:
    """Return where the scale of counts has ticks: 0 and the power of ten that is reached, both ways."""
    ticker = require("matplotlib.ticker", extra="plot", purpose="A plot")
    top = 10.0 ** np.floor(np.log10(most)) if most >= 1.0 else 0.0
    return ticker.FixedLocator([-top, 0.0, top] if top else [])


def _of_name(title: str | None, value: str) -> str:
    return f"{title} ({value})" if title else value


class CalibrationDisplay(ViewDisplay):
    """A reliability diagram: the calibration curve, bands, and a histogram of the scores below.

    Make one with `from_scores`, which draws at once.

    Attributes
    ----------
    ax_, ax_histogram_ : matplotlib Axes
        Where the curve, and where the histogram was drawn; the latter is None on axes that were given.
    figure_, line_, legend_
        As in `RocCurveDisplay`.
    band_, consistency_ : matplotlib artist or None
        The confidence band, outlined, and the consistency band, shaded.

    Examples
    --------
    {digits}
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> display = th.plotting.CalibrationDisplay.from_scores(scores, name="logistic", rng=0)
    >>> display.line_.get_label()
    'logistic (MCB 0.0122)'
    """

    curve: Calibration
    _view = View(
        "calibration",
        Calibration,
        ("Score", "Proportion of positives"),
        lambda drawn: (drawn.curve.scores[::-1], drawn.curve.calibrated[::-1]),
        at_prevalence=True,
    )
    _legend_places = ("upper left", "lower right", "center right", "center left", "lower center", "upper center")
    ax_histogram_: Any
    consistency_: Any

    @classmethod
    def _for_many(cls, options: dict[str, Any], count: int) -> dict[str, Any]:
        return options if count <= _MANY else {"band": None, "consistency": False, **options}

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return _of_name(title, f"MCB {self.curve.decomposition().miscalibration:.3g}")

    def _fresh_axes(self) -> Any:
        pyplot = require("matplotlib.pyplot", extra="plot", purpose="A plot")
        _, (ax, self.ax_histogram_) = pyplot.subplots(
            2, 1, figsize=(5.0, 6.2), layout="constrained", sharex=True, height_ratios=(4, 1)
        )
        ax._thresher_histogram = self.ax_histogram_  # for the models that follow
        return ax

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        band: str | bool | None = "confidence",
        consistency: bool = True,
        confidence_level: float = 0.95,
        legend: bool = True,
        rng: Any = None,
        color: Any = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes with a histogram below them by default.
        name, legend, color, curve_kwargs
            As in `RocCurveDisplay.plot`.
        band : {"confidence"}, bool or None
            Whether the confidence band is outlined; True is the same as "confidence".
        consistency : bool, default=True
            Whether what a calibrated model would show is shaded.
        confidence_level : float, default=0.95
            Of both bands.
        rng : int, optional
            A seed for the consistency band.

        Examples
        --------
        {digits}
        >>> calibration = th.Scores(data.y_true, data.tree).calibration()
        >>> display = th.plotting.CalibrationDisplay(calibration).plot(consistency=False)
        >>> display.consistency_ is None
        True
        """
        self.ax_histogram_ = None if ax is None else getattr(ax, "_thresher_histogram", None)
        found = self.curve
        plain = found._prevalence is None and not found.counts._weighted
        method = ("confidence" if band else None) if isinstance(band, bool) else band

        def around(title: str | None, colour: Any) -> None:
            draw_reference(self.ax_, [0, 1], [0, 1], "calibrated", "--", 1.2)
            self.consistency_ = self._draw_consistency(confidence_level, rng) if consistency and plain else None

        outline = method if plain else None
        drawing = Drawing(self._dress, self._points(), around)
        self._drawn(ax, name, drawing, legend=False, curve_kwargs=coloured(curve_kwargs, color))
        self.band_ = None if outline is None else self._draw_outline(outline, confidence_level)
        if self.ax_histogram_ is not None:
            self._histogram(self.ax_histogram_)
        if legend:
            settle(self.ax_)
            self.legend_ = add_legend(self.ax_, self._legend_places)
            self._fit(self.ax_)
        return self

    def _draw_consistency(self, confidence_level: float, rng: Any) -> Any:
        band = self.curve.band(confidence_level, method="consistency", simultaneous=False, n_resamples=400, rng=rng)
        label = "_if calibrated" if is_drawn(self.ax_, "if calibrated") else "if calibrated"
        style = {"color": AID, "alpha": 0.25, "linewidth": 0, "zorder": 1}
        return self.ax_.fill_between(band.x, band.low, band.high, label=label, **style)

    def _draw_outline(self, method: str, confidence_level: float) -> Any:
        band = self.curve.band(confidence_level, method=method)
        label = f"{confidence_level:.0%} band"
        style = {"color": self.line_.get_color(), "linewidth": 1.0, "linestyle": ":"}
        self.ax_.step(band.x, band.low, where="post", label="_", **style)
        shown = f"_{label}" if is_drawn(self.ax_, label) else label
        (edge,) = self.ax_.step(band.x, band.high, where="pre", label=shown, **style)
        edge.set_gid("thresher confidence band")
        return edge

    def _histogram(self, ax: Any) -> None:
        """Draw how the scores lie: positives upwards and negatives downwards, outlined if there are several models."""
        counts, x = self.curve.counts, self.curve.scores
        edges = np.linspace(0.0, 1.0, _BINS + 1)
        heights = [np.histogram(x, edges, weights=side)[0] for side in (counts.pos, counts.neg)]
        before = [patch for patch in ax.patches if patch.get_gid() == _HISTOGRAM]
        for patch in before:
            patch.set_fill(False)
        colour = self.line_.get_color()
        for signed in (heights[0], -heights[1]):
            drawn = ax.stairs(signed, edges, edgecolor=colour, facecolor=colour, linewidth=1.1, fill=not before)
            drawn.set_gid(_HISTOGRAM)
        most = max(float(max(side.max() for side in heights)), 1.0, *(abs(end) for end in ax.get_ylim() if before))
        if not before:
            ax.axhline(0.0, color=AID, linewidth=0.8)
            ax.set(xlabel="Score", ylabel="Cases")
            ax.grid(True, color=AID, alpha=GRID_ALPHA, linewidth=0.8)
            for text, place, side in (("positives", 0.94, "top"), ("negatives", 0.06, "bottom")):
                ax.text(
                    0.99, place, text, transform=ax.transAxes, ha="right", va=side, fontsize="x-small", color=AID_TEXT
                )
        ax.set_yscale("symlog", linthresh=max(most / 20.0, 1.0))
        ax.set_ylim(-1.4 * most, 1.4 * most)
        ax.yaxis.set_major_locator(_decades(most))
        ax.yaxis.set_minor_locator(_decades(0.0))
        ax.yaxis.set_major_formatter(lambda count, _: f"{abs(count):g}")


class MurphyDisplay(ViewDisplay):
    """A Murphy diagram, drawn: the mean cost at every threshold, with what recalibration would leave of it.

    Attributes
    ----------
    line_, best_ : matplotlib Line2D
        The mean cost, and that of the recalibrated scores. The others are those of `RocCurveDisplay`.

    Examples
    --------
    {digits}
    >>> display = th.plotting.MurphyDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree")
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['tree (Brier 0.0425)', 'constant prevalence', 'recalibrated']
    """

    curve: Calibration
    _view = View(
        "calibration",
        Calibration,
        ("Threshold", "Mean cost"),
        lambda drawn: (drawn._murphy.theta, drawn._murphy.mean),
        lambda drawn: [ReferenceLine(drawn._murphy.theta, drawn._murphy.uncertainty, "constant prevalence", "--", 1.2)],
        lambda drawn: (0.0, 1.08 * float(max(drawn._murphy.mean.max(), drawn._murphy.uncertainty.max()))),
        at_prevalence=True,
    )
    _legend_places = ("upper right", "upper left", "center right", "lower center", "center", "upper center")
    best_: Any

    @cached_property
    def _murphy(self) -> MurphyCurve:
        return self.curve.murphy()

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return _of_name(title, f"Brier {self.curve.decomposition().mean:.3g}")

    def _draw_around(self, title: str | None, colour: Any, chance: bool) -> None:
        super()._draw_around(title, colour, chance)
        label = "_recalibrated" if is_drawn(self.ax_, "recalibrated") else "recalibrated"
        style = {"color": colour, "linestyle": ":", "linewidth": 1.2, "zorder": 1.5}
        (self.best_,) = self.ax_.plot(self._murphy.theta, self._murphy.recalibrated, label=label, **style)
        self.best_.set_gid("thresher recalibrated")
