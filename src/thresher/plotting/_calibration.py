"""The drawn calibration curve with the histogram of the scores, and the drawn Murphy diagram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from thresher._core.optional import require
from thresher._curves import Curve
from thresher._facade import Scores
from thresher._inference import Calibration
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import coloured, dress, is_drawn
from thresher.plotting._display import CurveDisplay, Sketch
from thresher.plotting._legend import add_legend
from thresher.plotting._place import settle
from thresher.plotting._style import AID, AID_TEXT, GRID_ALPHA
from thresher.typing import FloatArray

__all__ = ["CalibrationDisplay", "MurphyDisplay"]

_BINS = 40
_HISTOGRAM = "thresher histogram"
_MANY = 3
"""With more models bands would hide the curves."""


def _decades(most: float) -> Any:
    """Return where the scale of counts has ticks: 0 and the power of ten that is reached, both ways."""
    ticker = require("matplotlib.ticker", extra="plot", purpose="A plot")
    top = 10.0 ** np.floor(np.log10(most)) if most >= 1.0 else 0.0
    return ticker.FixedLocator([-top, 0.0, top] if top else [])


class CalibrationBased(CurveDisplay):
    """A display of scores that are read as probabilities."""

    _area_label = ""

    def __init__(self, calibration: Calibration, *, name: str | None = None) -> None:
        if not isinstance(calibration, Calibration):
            raise InvalidTypeError(
                f"`calibration` must be a Calibration; got {type(calibration).__name__}. "
                "Hint: pass `scores.calibration()`."
            )
        self.calibration = calibration
        self.name = name

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        return cls(scores.calibration(prevalence=prevalence), name=name)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        return cls(curve, name=name)  # type: ignore[arg-type]  # checked there

    def _area(self) -> float | None:
        return None

    def _of_name(self, title: str | None, figure: str) -> str:
        return f"{title} ({figure})" if title else figure


class CalibrationDisplay(CalibrationBased):
    """A reliability diagram: the calibration curve over the diagonal, bands, and below it how the scores lie.

    Make one with `from_scores`, which draws at once.

    Parameters
    ----------
    calibration : Calibration
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_, ax_histogram_ : matplotlib Axes
        Where the curve, and where the histogram was drawn; the latter is None on axes that were given.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_ : matplotlib Line2D
        The curve.
    band_, consistency_ : matplotlib artist or None
        The confidence band, outlined, and the consistency band, shaded.
    legend_ : matplotlib Legend or None
        The legend.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> display = th.plotting.CalibrationDisplay.from_scores(scores, name="logistic", rng=0)
    >>> display.line_.get_label()
    'logistic (MCB 0.0122)'
    >>> plt.close(display.figure_)
    """

    _legend_places = ("upper left", "lower right", "center right", "center left", "lower center", "upper center")
    ax_histogram_: Any
    consistency_: Any

    @classmethod
    def _path_of(cls, scores: Scores, prevalence: float | None = None) -> tuple[FloatArray, FloatArray]:
        found = scores.calibration(prevalence=prevalence)
        return found.scores[::-1], found.calibrated[::-1]

    @classmethod
    def _for_many(cls, options: dict[str, Any], count: int) -> dict[str, Any]:
        return options if count <= _MANY else {"band": None, "consistency": False, **options}

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return self._of_name(title, f"MCB {self.calibration.decomposition().miscalibration:.3g}")

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
        band: str | bool | None = "honest",
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
        name : str, optional
            What the legend calls it, in place of the display's own name.
        band : {"honest"}, bool or None
            Whether the confidence band is outlined; True is the same as "honest".
        consistency : bool, default=True
            Whether what a calibrated model would show is shaded.
        confidence_level : float, default=0.95
            Of both bands.
        legend : bool, default=True
            Whether to add one.
        rng : int, optional
            A seed for the consistency band.
        color : color, optional
            Of the curve and what belongs to it; the next of the cycle by default.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> calibration = th.Scores(data.y_true, data.tree).calibration()
        >>> display = th.plotting.CalibrationDisplay(calibration).plot(consistency=False)
        >>> display.consistency_ is None
        True
        >>> plt.close(display.figure_)
        """
        self.ax_histogram_ = None if ax is None else getattr(ax, "_thresher_histogram", None)
        found = self.calibration
        plain = found._prevalence is None and not found.counts._weighted
        method = ("honest" if band else None) if isinstance(band, bool) else band

        def around(title: str | None, colour: Any) -> None:
            self._draw_diagonal()
            self.consistency_ = self._draw_consistency(confidence_level, rng) if consistency and plain else None

        def sketch(ax: Any) -> Sketch:
            path = (found.scores[::-1], found.calibrated[::-1])
            return Sketch(
                lambda ax: dress(ax, x="Score", y="Proportion of positives"), path, around, lambda mark, ax: (0.0, 0.0)
            )

        outline = method if plain else None
        self._drawn(ax, name, sketch, None, None, None, False, coloured(curve_kwargs, color))
        self.band_ = None if outline is None else self._draw_outline(outline, confidence_level)
        if self.ax_histogram_ is not None:
            self._histogram(self.ax_histogram_)
        if legend:
            settle(self.ax_)
            self.legend_ = add_legend(self.ax_, self._legend_places)
            self._fit(self.ax_)
        return self

    def _draw_diagonal(self) -> None:
        if not is_drawn(self.ax_, "calibrated"):
            self.ax_.plot([0, 1], [0, 1], color=AID, linewidth=1.2, linestyle="--", label="calibrated", zorder=1.1)

    def _draw_consistency(self, confidence_level: float, rng: Any) -> Any:
        band = self.calibration.band(
            confidence_level, method="consistency", simultaneous=False, n_resamples=400, rng=rng
        )
        label = "_if calibrated" if is_drawn(self.ax_, "if calibrated") else "if calibrated"
        style = {"color": AID, "alpha": 0.25, "linewidth": 0, "zorder": 1}
        return self.ax_.fill_between(band.x, band.low, band.high, label=label, **style)

    def _draw_outline(self, method: str, confidence_level: float) -> Any:
        band = self.calibration.band(confidence_level, method=method)
        label = f"{confidence_level:.0%} band"
        style = {"color": self.line_.get_color(), "linewidth": 1.0, "linestyle": ":"}
        self.ax_.step(band.x, band.low, where="post", label="_", **style)
        shown = f"_{label}" if is_drawn(self.ax_, label) else label
        (edge,) = self.ax_.step(band.x, band.high, where="pre", label=shown, **style)
        edge.set_gid("thresher confidence band")
        return edge

    def _histogram(self, ax: Any) -> None:
        """Draw how the scores lie: positives upwards and negatives downwards, outlined if there are several models."""
        counts, x = self.calibration.counts, self.calibration.scores
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


class MurphyDisplay(CalibrationBased):
    """A Murphy diagram, drawn: the mean cost at every threshold, with what recalibration would leave of it.

    Parameters
    ----------
    calibration : Calibration
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    legend_ : matplotlib Legend or None
        The legend.
    line_, best_ : matplotlib Line2D
        The mean cost, and that of the recalibrated scores.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.MurphyDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic")
    >>> display.line_.get_label()
    'logistic (Brier 0.0412)'
    >>> plt.close(display.figure_)
    """

    _legend_places = ("upper right", "upper left", "center right", "lower center", "center", "upper center")
    best_: Any

    @classmethod
    def _path_of(cls, scores: Scores, prevalence: float | None = None) -> tuple[FloatArray, FloatArray]:
        curve = scores.calibration(prevalence=prevalence).murphy()
        return curve.theta, curve.mean

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return self._of_name(title, f"Brier {self.calibration.decomposition().mean:.3g}")

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        legend: bool = True,
        color: Any = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        name : str, optional
            What the legend calls it, in place of the display's own name.
        legend : bool, default=True
            Whether to add one.
        color : color, optional
            Of the curve and what belongs to it; the next of the cycle by default.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.plotting.MurphyDisplay(th.Scores(data.y_true, data.tree).calibration()).plot(legend=False)
        >>> display.ax_.get_legend() is None
        True
        >>> plt.close(display.figure_)
        """
        curve = self.calibration.murphy()

        def dressed(ax: Any) -> None:
            fresh, before = not ax.has_data(), ax.get_ylim()[1]
            dress(ax, x="Threshold", y="Mean cost")
            ax.set_aspect("auto")
            ax.set_box_aspect(1)
            top = 1.08 * float(max(curve.mean.max(), curve.uncertainty.max()))
            ax.set_ylim(0.0, top if fresh else max(top, before))

        def around(title: str | None, colour: Any) -> None:
            style = {"linewidth": 1.2, "zorder": 1.5}
            if not is_drawn(self.ax_, "constant prevalence"):
                self.ax_.plot(
                    curve.theta, curve.uncertainty, color=AID, linestyle="--", label="constant prevalence", **style
                )
            label = "_recalibrated" if is_drawn(self.ax_, "recalibrated") else "recalibrated"
            (self.best_,) = self.ax_.plot(
                curve.theta, curve.recalibrated, color=colour, linestyle=":", label=label, **style
            )
            self.best_.set_gid("thresher recalibrated")

        def sketch(ax: Any) -> Sketch:
            return Sketch(dressed, (curve.theta, curve.mean), around, lambda mark, ax: (0.0, 0.0))

        return self._drawn(ax, name, sketch, None, None, None, legend, coloured(curve_kwargs, color))
