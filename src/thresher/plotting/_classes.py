"""The curves of several classes or labels, a panel for each."""

from __future__ import annotations

import math
from typing import Any, Self

from thresher._classes import Multiclass, Multilabel
from thresher._core.checks import check_choice, require
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._calibration import CalibrationDisplay
from thresher.plotting._pr import PrCurveDisplay
from thresher.plotting._roc import RocCurveDisplay

_CURVES: dict[str, Any] = {"roc": RocCurveDisplay, "pr": PrCurveDisplay, "calibration": CalibrationDisplay}
_MOST = 30


class ClassesDisplay:
    """The curve of each class against the rest, a panel for each class.

    Make one with `from_classes`, which draws at once.

    Parameters
    ----------
    classes : Multiclass or Multilabel
        What is drawn.
    curve : {"roc", "pr", "calibration"}
        Which curve.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure.
    axes_ : list of matplotlib Axes
        The panels, in the order of the labels.
    displays_ : list
        The display of each panel, such as a `RocCurveDisplay`.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 300)
    >>> found = th.multiclass(y, rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y])
    >>> display = th.plotting.ClassesDisplay.from_classes(found, curve="pr")
    >>> [ax.get_title() for ax in display.axes_]
    ['0', '1', '2']
    """

    def __init__(self, classes: Multiclass | Multilabel, *, curve: str = "roc") -> None:
        if not isinstance(classes, Multiclass | Multilabel):
            raise InvalidTypeError(
                f"`classes` must be what `th.multiclass` or `th.multilabel` returns; got {type(classes).__name__}."
            )
        self.classes, self.curve = classes, check_choice(curve, "curve", _CURVES)
        if len(classes.labels) > _MOST:
            raise InvalidInputError(
                f"There are panels for at most {_MOST} classes; got {len(classes.labels):,}. "
                "Hint: draw some of them, `classes.scores(label).roc()`."
            )

    @classmethod
    def from_classes(
        cls, classes: Multiclass | Multilabel, *, curve: str = "roc", columns: int | None = None, **options: Any
    ) -> Self:
        """Draw the curve of each class.

        Parameters
        ----------
        classes, curve
            What to draw, as for the class.
        columns : int, optional
            Panels side by side; about as many as one below the other by default.
        **options
            Of the display of a panel, such as ``band=True``.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> truth = np.random.default_rng(0).random((100, 2)) < 0.4
        >>> found = th.multilabel(truth, truth + np.random.default_rng(1).normal(size=(100, 2)))
        >>> display = th.plotting.ClassesDisplay.from_classes(found, columns=1)
        >>> len(display.axes_)
        2
        """
        return cls(classes, curve=curve).plot(columns=columns, **options)

    def plot(self, *, columns: int | None = None, **options: Any) -> Self:
        """Draw the panels in a new figure; parameters as in `from_classes`.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> y = np.arange(60) % 3
        >>> found = th.multiclass(y, np.random.default_rng(0).normal(size=(60, 3)) + np.eye(3)[y])
        >>> display = th.plotting.ClassesDisplay(found).plot()
        """
        pyplot = require("matplotlib.pyplot", extra="plot", purpose="A plot")
        count = len(self.classes.labels)
        across = min(math.ceil(math.sqrt(count)) if columns is None else columns, count)
        down = math.ceil(count / across)
        self.figure_, grid = pyplot.subplots(
            down, across, figsize=(3.6 * across, 3.6 * down), layout="constrained", squeeze=False
        )
        self.axes_ = list(grid.flat)[:count]
        for ax in list(grid.flat)[count:]:
            ax.set_axis_off()
        self.displays_: list[Any] = []
        for ax, label in zip(self.axes_, self.classes.labels, strict=True):
            self.displays_.append(_CURVES[self.curve].from_scores(self.classes.scores(label), ax=ax, **options))
            ax.set_title(str(label))
        return self
