"""What every display of one curve shares: how it is made from scores, curves and predictions, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from thresher._curves import Curve, OperatingPoint, PrCurve
from thresher._facade import Scores
from thresher.plotting._axes import check_axes, draw_band, draw_curve, draw_marks, new_axes
from thresher.plotting._estimators import FromEstimators
from thresher.plotting._inputs import check_scores
from thresher.plotting._marks import Mark, marks_of
from thresher.plotting._place import add_labels, add_legend, settle
from thresher.plotting._style import curve_label
from thresher.typing import ArrayLike, FloatArray

__all__ = ["CurveDisplay", "Marks", "Sketch"]

Marks = float | OperatingPoint | Iterable[float | OperatingPoint] | None
"""Thresholds or operating points to be marked."""


class Sketch(NamedTuple):
    """What a display draws of its own: axes, path, what stands around the curve, and where marks go."""

    dress: Callable[[Any], None]
    path: tuple[FloatArray, FloatArray]
    around: Callable[[str | None, Any], None]
    place: Callable[[Mark, Any], tuple[float, float]]


class CurveDisplay(FromEstimators):
    """A curve, drawn. Subclasses say which curve, and what stands around it."""

    _area_label: ClassVar[str]
    _legend_places: ClassVar[tuple[str, ...]]

    curve: Any
    name: str | None
    ax_: Any
    figure_: Any
    line_: Any
    marks_: list[Any]
    labels_: list[Any]
    band_: Any
    legend_: Any

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None) -> Self:
        """Return the display of scores, with the area in its legend."""
        raise NotImplementedError

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        """Return the display of a curve of either kind."""
        raise NotImplementedError

    def _area(self) -> float | None:
        """Return the area for the legend."""
        raise NotImplementedError

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Self:
        """Draw the curve; each display says with which options."""
        raise NotImplementedError

    @classmethod
    def from_scores(
        cls, scores: Scores, *, name: str | None = None, ax: Any = None, prevalence: float | None = None, **options: Any
    ) -> Self:
        """Draw the curve of scores.

        Parameters
        ----------
        scores : Scores
            The counts.
        name : str, optional
            What the legend calls it.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        prevalence : float, optional
            For a precision-recall curve: the share of positives where the classifier will be used.
        **options
            The options of `plot`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.PrCurveDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree")
        >>> display.line_.get_label()
        'tree (AUC-PR 0.605)'
        >>> plt.close(display.figure_)
        """
        return cls._of_scores(check_scores(scores), name, prevalence).plot(ax, **options)

    @classmethod
    def from_curve(
        cls, curve: Curve, *, name: str | None = None, ax: Any = None, prevalence: float | None = None, **options: Any
    ) -> Self:
        """Draw a curve; one of the other space is converted (Theorem 3.1 of Davis and Goadrich 2006).

        Parameters
        ----------
        curve : RocCurve or PrCurve
            The curve, perhaps from published points.
        name, ax, prevalence, **options
            As in `from_scores`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> curve = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
        >>> display = th.RocCurveDisplay.from_curve(curve, name="published")
        >>> display.line_.get_label()
        'published (AUC 0.744)'
        >>> plt.close(display.figure_)
        """
        return cls._of_curve(curve, name, prevalence).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> Self:
        """Count labels and scores, and draw their curve.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight
            As for `Scores`.
        name, ax, prevalence, **options
            As in `from_scores`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.RocCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
        >>> display.line_.get_label()
        'logistic (AUC 0.975)'
        >>> plt.close(display.figure_)
        """
        scores = Scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls.from_scores(scores, name=name, ax=ax, prevalence=prevalence, **options)

    def _drawn(
        self,
        ax: Any,
        name: str | None,
        sketch: Callable[[Any], Sketch],
        marked: PrCurve | None,
        marks: Marks,
        band: Any,
        legend: bool,
        curve_kwargs: Mapping[str, Any] | None,
    ) -> Self:
        """Draw in the one order that keeps labels off each other: curve, what is around it, band, marks, legend."""
        points = [] if marked is None else marks_of(marked, marks)
        self.ax_ = ax = new_axes()[0] if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        parts = sketch(ax)
        parts.dress(ax)
        title = self.name if name is None else name
        label = curve_label(title, self._area_label, self._area())
        self.line_ = draw_curve(ax, *parts.path, label=label, kwargs=curve_kwargs)
        colour = self.line_.get_color()
        parts.around(title, colour)
        self.band_ = draw_band(ax, band, colour=colour)
        places = [parts.place(mark, ax) for mark in points]
        self.marks_ = draw_marks(ax, points, places, colour=colour)
        if points or legend:
            settle(ax)
        self.legend_ = add_legend(ax, self._legend_places) if legend else None
        notes = [(x, y, mark.text, colour) for mark, (x, y) in zip(points, places, strict=True)]
        self.labels_ = add_labels(ax, notes)
        return self
