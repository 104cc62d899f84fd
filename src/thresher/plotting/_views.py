"""The drawn DET, lift, gain and cost curves: other views of the same counts, on one base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import scipy.special

from thresher._curves import CostCurve, Curve, DetCurve, GainCurve, LiftCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import MARGIN, coloured, dress, is_drawn
from thresher.plotting._display import CurveDisplay, Sketch
from thresher.plotting._paths import det_path, lift_path
from thresher.plotting._style import AID
from thresher.typing import FloatArray

__all__ = ["CostCurveDisplay", "DetCurveDisplay", "GainCurveDisplay", "LiftCurveDisplay"]

_EVERYWHERE = ("upper right", "center right", "lower left", "upper center", "center", "lower right", "upper left")
_RATES = (0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.4, 0.6, 0.05, 0.95, 0.2, 0.8, 0.005, 0.995)
"""Ticks of the normal deviates, those first that stay where there is little room."""
_APART = 15.0
_MOST_DEVIATE = 3.1  # rates below one in a thousand


class ViewDisplay(CurveDisplay):
    """A view of the counts, drawn. Subclasses say which, on which axes, and what chance is there."""

    _legend_places: ClassVar[tuple[str, ...]] = _EVERYWHERE
    _area_label = ""
    _view: ClassVar[str]
    _kind: ClassVar[type]
    _axes: ClassVar[tuple[str, str]]
    chance_: Any

    def __init__(self, curve: Any, *, name: str | None = None) -> None:
        self.curve = curve
        self.name = name

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        if prevalence is not None:
            raise InvalidInputError(
                f"`prevalence` must not be given for this curve, which is that of the sample; got {prevalence!r}. "
                "Hint: `PrCurveDisplay` redraws precision for it."
            )
        return cls(getattr(scores, cls._view)(), name=name)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        if isinstance(curve, cls._kind):
            return cls(curve, name=name)
        raise InvalidTypeError(
            f"`curve` must be what `scores.{cls._view}()` returns; got {type(curve).__name__}. "
            "Hint: use `from_scores` for scores."
        )

    @classmethod
    def _path_of(cls, scores: Scores, prevalence: float | None = None) -> tuple[FloatArray, FloatArray]:
        return cls(getattr(scores, cls._view)())._points()

    def _area(self) -> float | None:
        return None

    def _points(self) -> tuple[FloatArray, FloatArray]:
        """Return what is drawn."""
        raise NotImplementedError

    def _dress(self, ax: Any) -> None:
        dress(ax, x=self._axes[0], y=self._axes[1])

    def _chance(self) -> tuple[FloatArray, FloatArray, str] | None:
        """Return the line of a score that knows nothing, and its name."""
        raise NotImplementedError

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
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
        chance : bool, default=True
            Draw what a score that knows nothing reaches.
        legend : bool, default=True
            Add a legend where it covers least.
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
        >>> gain = th.Scores(data.y_true, data.tree).gain()
        >>> display = th.plotting.GainCurveDisplay(gain, name="tree").plot(chance=False)
        >>> display.ax_.get_ylabel()
        'Share of positives found'
        >>> plt.close(display.figure_)
        """
        return self._view_drawn(ax, name, chance, legend, coloured(curve_kwargs, color))

    def _view_drawn(
        self,
        ax: Any,
        name: str | None,
        chance: bool,
        legend: bool,
        curve_kwargs: Mapping[str, Any] | None,
        band: Any = None,
    ) -> Self:
        def around(title: str | None, colour: Any) -> None:
            self.chance_ = self._draw_chance() if chance else None

        def sketch(ax: Any) -> Sketch:
            return Sketch(self._dress, self._points(), around, lambda mark, ax: (0.0, 0.0))

        return self._drawn(ax, name, sketch, None, None, band, legend, curve_kwargs)

    def _draw_chance(self) -> Any:
        found = self._chance()
        if found is None or is_drawn(self.ax_, found[2]):
            return None
        x, y, label = found
        return self.ax_.plot(x, y, color=AID, linestyle=(0, (1, 2)), linewidth=1.4, zorder=1.5, label=label)[0]


class DetCurveDisplay(ViewDisplay):
    """A detection error trade-off curve, drawn: misses against false alarms, on normal deviates.

    Make one with `from_scores` or `from_predictions`, which draw at once; `plot` draws again. Two normal classes give a
    straight line. Rates of 0 and 1 have no place on these axes, and the legend names a model that has no other.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.DetCurveDisplay.from_predictions(data.y_true, data.tree, name="tree")
    >>> display.ax_.get_xlabel(), display.line_.get_label()
    ('False positive rate', 'tree')
    >>> plt.close(display.figure_)
    """

    curve: DetCurve
    _view = "det"
    _kind = DetCurve
    _axes = ("False positive rate", "Miss rate (false negative rate)")

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return det_path(self.curve)

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
        dress(ax, x=self._axes[0], y=self._axes[1])
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

    def _chance(self) -> tuple[FloatArray, FloatArray, str]:
        ends = np.array([-4.0, 4.0])
        return ends, -ends, "chance"


class LiftCurveDisplay(ViewDisplay):
    """A lift curve, drawn: how many times the base rate the called cases hold, by the share that is called.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.LiftCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_ylabel()
    'Lift (precision over prevalence)'
    >>> plt.close(display.figure_)
    """

    curve: LiftCurve
    _view = "lift"
    _kind = LiftCurve
    _axes = ("Proportion of cases predicted positive", "Lift (precision over prevalence)")

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return lift_path(self.curve)

    def _dress(self, ax: Any) -> None:
        top = max(float(self.curve.lift.max()) * 1.05, 1.2)
        before = ax.get_ylim()[1] if ax.has_data() else 0.0
        dress(ax, x=self._axes[0], y=self._axes[1])
        ax.set_aspect("auto")
        ax.set_box_aspect(1)
        ax.set_ylim(0.0, max(top, before))

    def _chance(self) -> tuple[FloatArray, FloatArray, str]:
        return np.array([0.0, 1.0]), np.array([1.0, 1.0]), "chance"


class GainCurveDisplay(ViewDisplay):
    """A cumulative gain curve, drawn: positives found within the proportion of cases that is called.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.GainCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_xlabel()
    'Proportion of cases predicted positive'
    >>> plt.close(display.figure_)
    """

    curve: GainCurve
    _view = "gain"
    _kind = GainCurve
    _axes = ("Proportion of cases predicted positive", "Proportion of positives found")
    _legend_places = ("lower right", "center right", "lower center", "center", "upper left")

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return self.curve.depth, self.curve.recall

    def _chance(self) -> tuple[FloatArray, FloatArray, str]:
        return np.array([0.0, 1.0]), np.array([0.0, 1.0]), "chance"


class CostCurveDisplay(ViewDisplay):
    """A cost curve, drawn: the lowest expected cost by operating condition (Drummond and Holte 2006).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.plotting.CostCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
    >>> display.ax_.get_ylabel()
    'Normalised expected cost'
    >>> plt.close(display.figure_)
    """

    curve: CostCurve
    _view = "cost_curve"
    _kind = CostCurve
    _axes = ("Probability cost", "Normalised expected cost")

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return self.curve.probability_cost, self.curve.expected_cost

    def _dress(self, ax: Any) -> None:
        dress(ax, x=self._axes[0], y=self._axes[1])
        ax.set_aspect("auto")
        ax.set_box_aspect(1)
        ax.set_ylim(-MARGIN / 2, 0.52)

    def _chance(self) -> tuple[FloatArray, FloatArray, str]:
        return np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0]), "calling all or none"
