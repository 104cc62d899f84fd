"""Many estimates or contrasts with their intervals, one below the other."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from thresher._compare import Estimates, SimultaneousIntervals
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import check_axes, new_axes
from thresher.plotting._style import AID, PALETTE
from thresher.typing import FloatArray

__all__ = ["ForestDisplay"]

_MOST = 60


class ForestDisplay:
    """A forest plot: each estimate or contrast as a point with its interval.

    Make one with `from_estimates`, which draws at once.

    Parameters
    ----------
    names : sequence of str
        What each row is of.
    values, low, high : array of shape (k,)
        Points and limits; NaN limits are not drawn.
    null : float, optional
        Where a line marks no difference.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    points_ : matplotlib artist
        The points.
    lines_ : matplotlib artist
        The intervals.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.estimates(data.y_true, data.models)
    >>> display = th.plotting.ForestDisplay.from_estimates(found)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['logistic', 'tree']
    >>> plt.close(display.figure_)
    """

    def __init__(
        self, names: Any, values: FloatArray, low: FloatArray, high: FloatArray, *, null: float | None = None
    ) -> None:
        self.names, self.null = tuple(map(str, names)), null
        self.values, self.low, self.high = (np.asarray(one, dtype=np.float64) for one in (values, low, high))
        if len(self.names) > _MOST:
            raise InvalidInputError(
                f"A forest plot is for at most {_MOST} estimates; got {len(self.names):,}. Hint: plot some of them."
            )

    @classmethod
    def from_estimates(
        cls, estimates: Estimates | SimultaneousIntervals, *, ax: Any = None, confidence_level: float = 0.95
    ) -> Self:
        """Draw estimates with their intervals, or contrasts with intervals that hold together.

        Parameters
        ----------
        estimates : Estimates or SimultaneousIntervals
            What to draw.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        confidence_level : float, default=0.95
            Of the intervals of estimates; contrasts have theirs already.

        Returns
        -------
        ForestDisplay

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> pairs = th.estimates(data.y_true, data.models).simultaneous()
        >>> display = th.plotting.ForestDisplay.from_estimates(pairs)
        >>> display.null
        0.0
        >>> plt.close(display.figure_)
        """
        if isinstance(estimates, SimultaneousIntervals):
            made = cls(estimates.names, estimates.values, estimates.low, estimates.high, null=0.0)
        elif isinstance(estimates, Estimates):
            ends = np.array([_ends(estimates[name], confidence_level) for name in estimates.names])
            made = cls(estimates.names, estimates.values, ends[:, 0], ends[:, 1])
        else:
            raise InvalidTypeError(
                f"`estimates` must be Estimates or their simultaneous intervals; got {type(estimates).__name__}. "
                "Hint: `th.estimates(...)`, or `.simultaneous()` of it."
            )
        return made.plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the points with their intervals, the first at the top.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ForestDisplay
            Itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> display = th.plotting.ForestDisplay(["a", "b"], [0.8, 0.7], [0.7, 0.6], [0.9, 0.8]).plot()
        >>> plt.close(display.figure_)
        """
        self.ax_ = new_axes()[0] if ax is None else check_axes(ax)
        self.figure_ = self.ax_.figure
        rows = np.arange(len(self.names))
        if self.null is not None:
            self.ax_.axvline(self.null, color=AID, linewidth=1.0)
        self.lines_ = self.ax_.hlines(rows, self.low, self.high, color=PALETTE[0], linewidth=2.0)
        (self.points_,) = self.ax_.plot(self.values, rows, "o", color=PALETTE[0])
        self.ax_.set_yticks(rows, self.names)
        self.ax_.set_ylim(len(self.names) - 0.5, -0.5)
        self.ax_.set_xlabel("Difference" if self.null is not None else "Value")
        return self


def _ends(one: Any, confidence_level: float) -> tuple[float, float]:
    """Return the limits of an estimate; NaN if it has none."""
    low, high = one._quiet(confidence_level)
    return (low, high) if math.isfinite(low) else (math.nan, math.nan)
