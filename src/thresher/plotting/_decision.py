"""The drawn decision curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from thresher._curves import Curve
from thresher._decide import DecisionCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import MARGIN, coloured, dress, is_drawn
from thresher.plotting._display import CurveDisplay, Sketch
from thresher.plotting._style import AID
from thresher.typing import FloatArray

__all__ = ["DecisionCurveDisplay"]


class DecisionCurveDisplay(CurveDisplay):
    """A decision curve, drawn with those of acting on all and on none.

    Parameters
    ----------
    curve : DecisionCurve
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_ : matplotlib Line2D
        The curve.
    band_ : matplotlib artist or None
        The shaded band.
    legend_ : matplotlib Legend or None
        The legend.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.DecisionCurveDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic")
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['logistic', 'act on all', 'act on none']
    """

    curve: DecisionCurve
    _area_label = ""
    _legend_places = ("upper right", "center right", "upper center", "center", "lower left", "lower center")
    _made_with = ("calibrate",)

    def __init__(self, curve: DecisionCurve, *, name: str | None = None) -> None:
        if not isinstance(curve, DecisionCurve):
            raise InvalidTypeError(
                f"`curve` must be a DecisionCurve; got {type(curve).__name__}. Hint: pass `scores.decision_curve()`."
            )
        self.curve = curve
        self.name = name

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        return cls(scores.decision_curve(prevalence=prevalence, **made), name=name)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        return cls(curve, name=name)  # type: ignore[arg-type]  # checked there

    @classmethod
    def _path_of(cls, scores: Scores, prevalence: float | None = None) -> tuple[FloatArray, FloatArray]:
        curve = scores.decision_curve(prevalence=prevalence)
        return curve.threshold_probability, curve.net_benefit

    def _area(self) -> float | None:
        return None

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return (title or "act on the score") + (" (achievable in sample)" if self.curve.calibrated else "")

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        band: Any = None,
        confidence_level: float = 0.95,
        legend: bool = True,
        color: Any = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        name : str, optional
            What the legend calls it, in place of the display's own name.
        band : CurveBand or bool, optional
            True for the curve's own pointwise band; it is shaded.
        confidence_level : float, default=0.95
            Of the band that True asks for.
        legend : bool, default=True
            Whether to add one.
        color : color, optional
            Of the curve and what belongs to it; the next of the cycle by default.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> curve = th.Scores(data.y_true, data.tree).decision_curve()
        >>> display = th.plotting.DecisionCurveDisplay(curve).plot(band=True, legend=False)
        >>> display.ax_.get_ylabel(), display.band_ is None
        ('Net benefit', False)
        """

        def around(title: str | None, colour: Any) -> None:
            if is_drawn(self.ax_, "act on all"):
                return
            style = {"color": AID, "linewidth": 1.2, "zorder": 1.5}
            x = self.curve.threshold_probability
            self.ax_.plot(x, self.curve.treat_all, linestyle="-", label="act on all", **style)
            self.ax_.plot([0.0, 1.0], [0.0, 0.0], linestyle="--", label="act on none", **style)

        def sketch(ax: Any) -> Sketch:
            path = (self.curve.threshold_probability, self.curve.net_benefit)
            return Sketch(self._dress, path, around, lambda mark, ax: (0.0, 0.0))

        shaded = (self.curve.band(confidence_level) if band else None) if isinstance(band, bool) else band
        return self._drawn(ax, name, sketch, None, None, shaded, legend, coloured(curve_kwargs, color))

    def _dress(self, ax: Any) -> None:
        fresh, before = not ax.has_data(), ax.get_ylim()
        dress(ax, x="Threshold probability", y="Net benefit")
        ax.set_aspect("auto")
        ax.set_box_aspect(1)
        ax.set_xlim(-MARGIN, 1.0 + MARGIN)
        top = max(float(self.curve.net_benefit.max()), self.curve.prevalence)
        low, high = -0.15 * top, 1.08 * top  # acting on all falls without end
        ax.set_ylim((low, high) if fresh else (min(low, before[0]), max(high, before[1])))
