"""The drawn DET, lift, gain, cost, precision-recall-gain and decision curves: views of the same counts, on one base."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import scipy.special

from thresher._curves import CostCurve, Curve, DetCurve, GainCurve, LiftCurve, PrGainCurve
from thresher._decide import DecisionCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import MARGIN, coloured, draw_reference, dress
from thresher.plotting._display import CurveDisplay, Drawing
from thresher.plotting._paths import det_path, lift_path
from thresher.typing import FloatArray

_EVERYWHERE = ("upper right", "center right", "lower left", "upper center", "center", "lower right", "upper left")
_RATES = (0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.4, 0.6, 0.05, 0.95, 0.2, 0.8, 0.005, 0.995)
"""Ticks of the normal deviates, those first that stay where there is little room."""
_APART = 15.0
_MOST_DEVIATE = 3.1  # rates below one in a thousand
_ENDS = np.array([0.0, 1.0])


class ReferenceLine(NamedTuple):
    """A line to read the curve by, such as that of a useless score; drawn once for all models."""

    x: FloatArray
    y: FloatArray
    label: str
    linestyle: Any = (0, (1, 2))
    linewidth: float = 1.4


class View(NamedTuple):
    """What a view is: where it comes from, its axes; of a display its points and the lines to read it by."""

    method: str
    """The method of `Scores` that returns what is drawn."""
    kind: type
    axes: tuple[str, str]
    points: Callable[[Any], tuple[FloatArray, FloatArray]]
    references: Callable[[Any], list[ReferenceLine]] = lambda drawn: []
    reach: Callable[[Any], tuple[float, float]] | None = None
    """The heights that the axes must hold; None for a unit square."""
    at_prevalence: bool = False
    """Whether it can be that of another prevalence."""


class ViewDisplay(CurveDisplay):
    """A view of the counts, drawn as its specification says."""

    _legend_places: ClassVar[tuple[str, ...]] = _EVERYWHERE
    _view: ClassVar[View]
    chance_: Any

    def __init__(self, curve: Any, *, name: str | None = None) -> None:
        if not isinstance(curve, self._view.kind):
            raise InvalidTypeError(
                f"`curve` must be a {self._view.kind.__name__}; got {type(curve).__name__}. "
                f"Hint: pass `scores.{self._view.method}()`, or use `from_scores`."
            )
        self.curve = curve
        self.name = name

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        if cls._view.at_prevalence:
            made["prevalence"] = prevalence
        elif prevalence is not None:
            raise InvalidInputError(
                f"`prevalence` must not be given for this curve, which is that of the sample; got {prevalence!r}. "
                "Hint: `PrCurveDisplay` redraws precision for it."
            )
        return cls(getattr(scores, cls._view.method)(**made), name=name)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        return cls(curve, name=name)

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return self._view.points(self)

    def _dress(self, ax: Any) -> None:
        fresh, before = not ax.has_data(), ax.get_ylim()
        dress(ax, x=self._view.axes[0], y=self._view.axes[1])
        if self._view.reach is not None:
            reach = self._view.reach(self)
            ax.set_aspect("auto")
            ax.set_box_aspect(1)
            ax.set_ylim(reach if fresh else (min(reach[0], before[0]), max(reach[1], before[1])))

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
        band: Any = None,
        confidence_level: float | None = None,
        legend: bool = True,
        color: Any = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax, name, legend, color, curve_kwargs
            As in `RocCurveDisplay.plot`.
        chance : bool, default=True
            Draw the lines to read the curve by, such as what a useless score reaches.
        band : CurveBand or bool, optional
            True for the pointwise band of a precision-recall-gain or decision curve; or a band. It is shaded.
        confidence_level : float, optional
            Of the band that True asks for; 0.95 by default.

        Examples
        --------
        {digits}
        >>> gain = th.Scores(data.y_true, data.tree).gain()
        >>> display = th.plotting.GainCurveDisplay(gain, name="tree").plot(chance=False)
        >>> display.ax_.get_ylabel()
        'Proportion of positives found'
        """
        if confidence_level is not None:
            self._confidence_level = confidence_level
        drawing = Drawing(self._dress, self._points(), lambda title, colour: self._draw_around(title, colour, chance))
        return self._drawn(ax, name, drawing, band=band, legend=legend, curve_kwargs=coloured(curve_kwargs, color))

    def _draw_around(self, title: str | None, colour: Any, chance: bool) -> None:
        drawn = [draw_reference(self.ax_, *line) for line in self._view.references(self)] if chance else []
        self.chance_ = drawn[0] if drawn else None


class DetCurveDisplay(ViewDisplay):
    """A detection error trade-off curve, drawn: false negatives against false positives, on normal deviates.

    Make one with `from_scores` or `from_predictions`, which draw at once; `plot` draws again. Two normal classes give a
    straight line. Rates of 0 and 1 have no place on these axes, and the legend names a model that has no other.

    Examples
    --------
    {digits}
    >>> display = th.plotting.DetCurveDisplay.from_predictions(data.y_true, data.tree, name="tree")
    >>> display.ax_.get_xlabel(), display.line_.get_label()
    ('False positive rate', 'tree')
    """

    curve: DetCurve
    _view = View(
        "det",
        DetCurve,
        ("False positive rate", "Miss rate (false negative rate)"),
        lambda drawn: det_path(drawn.curve),
        lambda drawn: [ReferenceLine(4.0 * (2.0 * _ENDS - 1.0), 4.0 * (1.0 - 2.0 * _ENDS), "chance")],
    )

    def _shown(self) -> tuple[FloatArray, FloatArray]:
        """Return what the axes have to hold: the points, or what lies between them where all are infinitely far out."""
        for (x, y), most in ((self.curve.normal_deviates(), np.inf), (self._points(), _MOST_DEVIATE)):
            inner = (np.abs(x) < most) & (np.abs(y) < most)
            if inner.any():
                break
        return x[inner], y[inner]

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        if self._shown()[0].size:
            return title
        return f"{title or 'this curve'} (off the axes: one error rate is always 0)"

    def _dress(self, ax: Any) -> None:
        fresh = not ax.has_data()
        limits = ax.get_xlim(), ax.get_ylim()
        dress(ax, x=self._view.axes[0], y=self._view.axes[1])
        for values, old, axis, limit in zip(
            self._shown(), limits, (ax.xaxis, ax.yaxis), (ax.set_xlim, ax.set_ylim), strict=True
        ):
            low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
            reach = [min(low, 0.0) - 0.15, max(high, 0.0) + 0.15]
            limit(reach if fresh else (min(old[0], reach[0]), max(old[1], reach[1])))
            axis.set_ticks(scipy.special.ndtri(np.array(_RATES)), [f"{rate:.12g}" for rate in _RATES])
            axis.set_tick_params(labelsize="small")
        ax.set_xlim(ax.get_xlim())
        ax.tick_params(axis="x", labelrotation=60)

    def _fit(self, ax: Any) -> None:
        for axis, side in ((ax.xaxis, 0), (ax.yaxis, 1)):
            kept: dict[float, float] = {}
            for rate in _RATES:
                at = float(ax.transData.transform(np.full(2, scipy.special.ndtri(rate)))[side])
                if all(abs(at - other) * 72.0 / ax.figure.dpi >= _APART for other in kept.values()):
                    kept[rate] = at
            axis.set_ticks(scipy.special.ndtri(np.array(list(kept))), [f"{rate:.12g}" for rate in kept])
        super()._fit(ax)


class LiftCurveDisplay(ViewDisplay):
    """A lift curve, drawn: precision over prevalence against the proportion that is predicted positive.

    Examples
    --------
    {digits}
    >>> display = th.plotting.LiftCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_ylabel()
    'Lift (precision over prevalence)'
    """

    curve: LiftCurve
    _view = View(
        "lift",
        LiftCurve,
        ("Proportion of cases predicted positive", "Lift (precision over prevalence)"),
        lambda drawn: lift_path(drawn.curve),
        lambda drawn: [ReferenceLine(_ENDS, np.ones(2), "chance")],
        lambda drawn: (0.0, max(float(drawn.curve.lift.max()) * 1.05, 1.2)),
    )


class GainCurveDisplay(ViewDisplay):
    """A cumulative gain curve, drawn: recall against the proportion of cases that are predicted positive.

    Examples
    --------
    {digits}
    >>> display = th.plotting.GainCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_xlabel()
    'Proportion of cases predicted positive'
    """

    curve: GainCurve
    _view = View(
        "gain",
        GainCurve,
        ("Proportion of cases predicted positive", "Proportion of positives found"),
        lambda drawn: (drawn.curve.depth, drawn.curve.recall),
        lambda drawn: [ReferenceLine(_ENDS, _ENDS, "chance")],
    )
    _legend_places = ("lower right", "center right", "lower center", "center", "upper left")


class CostCurveDisplay(ViewDisplay):
    """A cost curve, drawn: the lowest expected cost by operating condition (Drummond and Holte 2006).

    Examples
    --------
    {digits}
    >>> display = th.plotting.CostCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_ylabel()
    'Normalised expected cost'
    """

    curve: CostCurve
    _view = View(
        "cost_curve",
        CostCurve,
        ("Probability cost", "Normalised expected cost"),
        lambda drawn: (drawn.curve.probability_cost, drawn.curve.expected_cost),
        lambda drawn: [ReferenceLine(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0]), "calling all or none")],
        lambda drawn: (-MARGIN / 2, 0.52),
    )


def _inside(drawn: Any) -> tuple[FloatArray, FloatArray]:
    """Return the points from the last one left of the picture on; what lies further left cannot be seen."""
    first = max(int(np.searchsorted(drawn.curve.recall_gain, 0.0)) - 1, 0)
    return drawn.curve.recall_gain[first:], drawn.curve.precision_gain[first:]


class PrGainDisplay(ViewDisplay):
    """A precision-recall-gain curve (Flach and Kull 2015), straight between thresholds as it is in this space.

    Points with a gain below 0, worse than predicting everything positive, are outside of the plot. ``interval=True`` of
    `from_scores` adds the interval of `Scores.pr_gain_interval` to the area in the legend, with a fixed seed.

    See Also
    --------
    PrCurveDisplay : The same counts in precision-recall space.

    References
    ----------
    P. Flach and M. Kull (2015), "Precision-Recall-Gain curves: PR analysis done right".

    Examples
    --------
    {digits}
    >>> scores = th.Scores(data.y_true, data.tree)
    >>> display = th.plotting.PrGainDisplay.from_scores(scores, name="tree", band=True)
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['tree (PRG AUC 0.929)', 'predicting everything positive', '95% band']
    """

    curve: PrGainCurve
    _view = View(
        "pr_gain",
        PrGainCurve,
        ("Recall gain", "Precision gain"),
        _inside,
        lambda drawn: [ReferenceLine(_ENDS, np.zeros(2), "predicting everything positive")],
    )
    _area_label = "PRG AUC"
    _band_of = "pr_gain_band"
    _asked = ("interval", "confidence_level")
    _legend_places = (
        "lower left", "lower center", "center left", "center", "upper right", "upper center", "center right",
        "lower right",
    )  # fmt: skip

    def _area(self) -> float | None:
        return self.curve.area

    def _own_interval(self) -> tuple[float, float]:
        low, high = self._known_source()[0].pr_gain_interval(self._confidence_level, rng=0)
        return low, high


def _of_benefit(drawn: Any) -> tuple[float, float]:
    top = max(float(drawn.curve.net_benefit.max()), drawn.curve.prevalence)
    return -0.15 * top, 1.08 * top  # acting on all falls without end


class DecisionCurveDisplay(ViewDisplay):
    """A decision curve, drawn with those of acting on all and on none.

    Examples
    --------
    {digits}
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> display = th.plotting.DecisionCurveDisplay.from_scores(scores, name="logistic", band=True)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['logistic', 'act on all', 'act on none', '95% band']
    """

    curve: DecisionCurve
    _view = View(
        "decision_curve",
        DecisionCurve,
        ("Threshold probability", "Net benefit"),
        lambda drawn: (drawn.curve.threshold_probability, drawn.curve.net_benefit),
        lambda drawn: [
            ReferenceLine(drawn.curve.threshold_probability, drawn.curve.treat_all, "act on all", "-", 1.2),
            ReferenceLine(_ENDS, np.zeros(2), "act on none", "--", 1.2),
        ],
        _of_benefit,
        at_prevalence=True,
    )
    _legend_places = ("upper right", "center right", "upper center", "center", "lower left", "lower center")
    _made_with = ("calibrate",)

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        return (title or "act on the score") + (" (achievable in sample)" if self.curve.calibrated else "")

    def _asked_band(self, band: Any) -> Any:
        return self.curve.band(self._confidence_level) if band is True else band or None
