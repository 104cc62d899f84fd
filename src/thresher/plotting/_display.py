"""What every display of one curve shares: how it is made from scores, curves and predictions, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from thresher._core.result_bases import own_constructors
from thresher._curves import Curve, OperatingPoint, PrCurve
from thresher._facade import Scores
from thresher._inference import CurveBand
from thresher.exceptions import InvalidInputError
from thresher.plotting._axes import check_axes, draw_band, draw_curve, draw_marks, new_axes
from thresher.plotting._estimators import FromEstimators
from thresher.plotting._inputs import check_scores, named
from thresher.plotting._legend import add_legend, fit_labels
from thresher.plotting._marks import Mark, marks_of
from thresher.plotting._place import add_labels, settle
from thresher.plotting._style import curve_label
from thresher.typing import ArrayLike, FloatArray

__all__ = ["CurveDisplay", "Drawing", "MarkedPoints"]

MarkedPoints = float | OperatingPoint | Iterable[float | OperatingPoint] | None
"""Thresholds or operating points to be marked."""


class Drawing(NamedTuple):
    """What a display draws of its own: axes, path, what stands around the curve, and where marks go."""

    dress: Callable[[Any], None]
    path: tuple[FloatArray, FloatArray]
    around: Callable[[str | None, Any], None]
    place: Callable[[Mark, Any], tuple[float, float]] = lambda mark, ax: (0.0, 0.0)


class CurveDisplay(FromEstimators):
    """A curve, drawn. Subclasses say which curve, and what stands around it."""

    _area_label: ClassVar[str]
    _legend_places: ClassVar[tuple[str, ...]]
    _made_with: ClassVar[tuple[str, ...]] = ()
    """Options of `from_scores` with which a display is made; they are not those of `plot`."""
    _asked: ClassVar[tuple[str, ...]] = ("interval",)
    """Options of `from_scores` about what the scores alone can answer."""
    _source: tuple[Scores, float | None] | None = None
    """The scores and the prevalence that were drawn, where they are known."""
    _interval: bool = False
    _confidence_level: float = 0.95

    curve: Any
    name: str | None
    ax_: Any
    figure_: Any
    line_: Any
    marks_: list[Any]
    labels_: list[Any]
    band_: Any
    legend_: Any
    displays_: list[Self]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own_constructors(cls)

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        """Return the display of scores, with the area in its legend."""
        raise NotImplementedError

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        """Return the display of a curve of either kind."""
        raise NotImplementedError

    def _area(self) -> float | None:
        """Return the area for the legend."""
        raise NotImplementedError

    @classmethod
    def _for_many(cls, options: dict[str, Any], count: int) -> dict[str, Any]:
        """Return the options with which so many models are drawn on the same axes."""
        return options

    def _own_band(self, scores: Scores, prevalence: float | None, confidence_level: float) -> CurveBand:
        """Return the band that `band=True` means."""
        raise InvalidInputError(
            "`band` must not be True for this curve, which has no band of its own; got True. Hint: leave it out."
        )

    def _own_interval(self, scores: Scores, prevalence: float | None, confidence_level: float) -> tuple[float, float]:
        """Return the interval of the area that `interval=True` means."""
        raise InvalidInputError(
            "`interval` must not be True for this curve, which has no area; got True. Hint: leave it out."
        )

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Self:
        """Draw the curve; each display says with which options."""
        raise NotImplementedError

    @classmethod
    def from_scores(
        cls,
        scores: Scores | Mapping[str, Scores],
        *,
        name: str | None = None,
        ax: Any = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of scores, or the curves of several models on the same axes.

        Parameters
        ----------
        scores : Scores, or dict of str to Scores
            The counts; of several models by name.
        name : str, optional
            What the legend calls it. For one model only: several have theirs.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        prevalence : float, optional
            For a precision-recall curve: the prevalence at which the classifier will be used.
        **options
            The options of `plot`; and for curves with an area, ``interval=True`` for its interval in the legend, and
            ``confidence_level``, 0.95 by default, for that and for the band of ``band=True``.

        Returns
        -------
        Display
            That of the first model; ``displays_`` holds one for each.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.plotting.PrCurveDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree")
        >>> display.line_.get_label()
        'tree (PR AUC 0.605)'
        >>> models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
        >>> both = th.plotting.RocCurveDisplay.from_scores(models, band=True, interval=True)
        >>> [text.get_text() for text in both.legend_.get_texts()][:2]
        ['logistic (AUC 0.975, 0.961 to 0.983)', 'tree (AUC 0.879, 0.843 to 0.910)']
        """
        models = named(scores, "scores", name)
        made = {key: options.pop(key) for key in cls._made_with if key in options}
        legend = options.pop("legend", True)
        asked = {f"_{key}": options.pop(key) for key in cls._asked if key in options}
        options = cls._for_many(options, len(models))
        drawn: list[Self] = []
        for place, (title, table) in enumerate(models.items()):
            display = cls._of_scores(check_scores(table), title or None, prevalence, **made)
            display._source = (table, prevalence)
            vars(display).update(asked)
            last = place == len(models) - 1
            drawn.append(display.plot(drawn[0].ax_ if drawn else ax, legend=legend and last, **options))
        drawn[0].legend_ = drawn[-1].legend_
        drawn[0].displays_ = drawn
        return drawn[0]

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
        >>> import thresher as th
        >>> curve = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
        >>> display = th.plotting.RocCurveDisplay.from_curve(curve, name="published")
        >>> display.line_.get_label()
        'published (AUC 0.744)'
        """
        if options.pop("interval", False):
            raise InvalidInputError(
                "`interval=True` needs the scores behind the curve; got a curve alone. "
                "Hint: draw with `from_scores` or `from_predictions`."
            )
        return cls._of_curve(curve, name, prevalence).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[str, ArrayLike],
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
            As for `Scores`. `y_score` may be a dict of the scores of several models by name.
        name, ax, prevalence, **options
            As in `from_scores`.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.plotting.RocCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
        >>> display.line_.get_label()
        'logistic (AUC 0.975)'
        """

        def counted(values: ArrayLike) -> Scores:
            return Scores(y_true, values, pos_label=pos_label, sample_weight=sample_weight)

        if isinstance(y_score, Mapping):
            models = {title: counted(values) for title, values in y_score.items()}
            return cls.from_scores(models, name=name, ax=ax, prevalence=prevalence, **options)
        return cls.from_scores(counted(y_score), name=name, ax=ax, prevalence=prevalence, **options)

    def _drawn(
        self,
        ax: Any,
        name: str | None,
        drawing: Drawing,
        *,
        marked: PrCurve | None = None,
        marks: MarkedPoints = None,
        band: Any = None,
        legend: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw in the one order that keeps labels off each other: curve, what is around it, band, marks, legend."""
        points = [] if marked is None else marks_of(marked, marks)
        shaded = self._asked_band(band)
        ends = self._own_interval(*self._known_source(), self._confidence_level) if self._interval else None
        self.displays_ = [self]
        self.ax_ = ax = self._fresh_axes() if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        drawing.dress(ax)
        title = self.name if name is None else name
        label = self._label(title, ends)
        self.line_ = draw_curve(ax, *drawing.path, label=label, kwargs=curve_kwargs)
        colour = self.line_.get_color()
        drawing.around(title, colour)
        self.band_ = draw_band(ax, shaded, colour=colour)
        places = [drawing.place(mark, ax) for mark in points]
        self.marks_ = draw_marks(ax, points, places, colour=colour)
        if points or legend:
            settle(ax)
        self.legend_ = add_legend(ax, self._legend_places) if legend else None
        if points or legend:
            self._fit(ax)
        notes = [(x, y, mark.text, colour) for mark, (x, y) in zip(points, places, strict=True)]
        self.labels_ = add_labels(ax, notes)
        return self

    def __repr__(self) -> str:
        line = getattr(self, "line_", None)
        said = self.name if line is None else line.get_label()
        return f"{type(self).__name__}: {said}" if said else type(self).__name__

    def _fit(self, ax: Any) -> None:
        """Make what stands around the axes fit, once the legend has taken its place."""
        fit_labels(ax)

    def _fresh_axes(self) -> Any:
        """Return axes of a new figure."""
        return new_axes()[0]

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        """Return what the legend says of the curve."""
        return curve_label(title, self._area_label, self._area(), ends)

    def _asked_band(self, band: Any) -> Any:
        """Return the band that was given, or the curve's own where True was given."""
        if not isinstance(band, bool | np.bool_):
            return band
        return self._own_band(*self._known_source(), self._confidence_level) if band else None

    def _known_source(self) -> tuple[Scores, float | None]:
        if self._source is None:
            raise InvalidInputError(
                "`band=True` needs the scores behind the curve; got a curve alone. "
                "Hint: draw with `from_scores` or `from_predictions`, or pass the band itself."
            )
        return self._source
