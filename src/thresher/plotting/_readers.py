"""The drawn curves of a reader study: every reader's, and their mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from thresher._core.checks import show
from thresher._curves import roc_curve
from thresher._readers import ReaderStudy
from thresher.exceptions import InvalidTypeError
from thresher.measures import RocAuc
from thresher.plotting._axes import check_axes, curve_label, draw_curve, draw_reference, dress, new_axes
from thresher.plotting._paths import roc_path, thinned
from thresher.plotting._place import add_legend, fit_labels, settle

_PLACES = ("lower right", "center right", "lower center", "upper left")


class ReadersDisplay:
    """ROC curves of the readers of a study, thin, and the mean of each modality, thick.

    Parameters
    ----------
    study : ReaderStudy
        What is drawn.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : dict of str to matplotlib Line2D
        The mean curve of each modality.
    reader_lines_ : dict of (str, str) to matplotlib Line2D
        The curve of each reader in each modality.
    legend_ : matplotlib Legend or None
        The legend.

    Examples
    --------
    >>> import thresher as th
    >>> study = th.readers(th.datasets.load_reader_study().to_frame())
    >>> display = th.plotting.ReadersDisplay.from_readers(study)
    >>> display.lines_["assisted"].get_label()
    'assisted, mean of 6 readers (AUC 0.886)'
    """

    ax_: Any
    figure_: Any
    lines_: dict[str, Any]
    reader_lines_: dict[tuple[str, str], Any]
    legend_: Any

    def __init__(self, study: ReaderStudy) -> None:
        if not isinstance(study, ReaderStudy):
            raise InvalidTypeError(
                f"`study` must be a ReaderStudy; got {show(study)} of type {type(study).__name__}. "
                "Hint: pass what `th.readers(frame)` returns."
            )
        self.study = study

    @classmethod
    def from_readers(cls, study: ReaderStudy, *, ax: Any = None, **options: Any) -> Self:
        """Draw the curves of a study.

        Parameters
        ----------
        study : ReaderStudy
            The study.
        ax, **options
            As in `plot`.

        Examples
        --------
        >>> import thresher as th
        >>> study = th.readers(th.datasets.load_reader_study().to_frame())
        >>> display = th.plotting.ReadersDisplay.from_readers(study, readers=False)
        >>> len(display.reader_lines_), len(display.lines_)
        (0, 2)
        """
        return cls(study).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        readers: bool = True,
        chance: bool = True,
        legend: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax, chance, legend
            As in `RocCurveDisplay.plot`.
        readers : bool, default=True
            Whether the curve of each reader is drawn beside their mean.
        curve_kwargs : dict, optional
            Properties of the mean lines, as `matplotlib.axes.Axes.plot` takes them.

        Returns
        -------
        ReadersDisplay
            This display. The area in the legend is the mean of the readers' areas, which is that under the mean curve.

        Examples
        --------
        >>> import thresher as th
        >>> display = th.plotting.ReadersDisplay(th.readers(th.datasets.load_reader_study().to_frame())).plot()
        >>> len(display.reader_lines_)
        12
        """
        ax = new_axes()[0] if ax is None else check_axes(ax)
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_, self.reader_lines_ = {}, {}
        dress(ax, x="False positive rate", y="True positive rate (recall)")
        several = len(self.study.modalities) > 1
        for modality in self.study.modalities:
            tables = self.study.tables(modality)
            area = sum(map(RocAuc().of, tables.values())) / len(tables)
            who = f"mean of {len(tables)} reader{'s' * (len(tables) != 1)}"
            label = curve_label(f"{modality}, {who}" if several else who, "AUC", area)
            x, y = self.study.mean_roc(modality)
            line = draw_curve(ax, *thinned(x, y, x), label=label, kwargs=curve_kwargs)
            self.lines_[modality] = line
            for reader, table in tables.items() if readers else ():
                style = {"color": line.get_color(), "linestyle": "-", "linewidth": 0.8, "alpha": 0.45, "zorder": 2.2}
                (thin,) = ax.plot(*roc_path(roc_curve(table)), label=f"_{modality} {reader}", **style)
                self.reader_lines_[modality, reader] = thin
        if chance:
            draw_reference(ax, [0, 1], [0, 1], "chance")
        self.legend_ = None
        if legend:
            settle(ax)
            self.legend_ = add_legend(ax, _PLACES)
            fit_labels(ax)
        return self
