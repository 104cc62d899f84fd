"""The interval that every method returns, and the band around a curve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from thresher._cells import normal_quantile as normal_quantile
from thresher._core.checks import require
from thresher._core.notebook_html import Picture
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.typing import ArrayLike, BoolArray, FloatArray


@value
class ConfidenceInterval(Presented):
    """An interval for a quantity that lies in [0, 1].

    Unpacks as ``low, high = interval``; ``value in interval`` tells whether a value lies inside, ends included; a
    format such as ``f"{interval:.3f}"`` is applied to both ends.

    Attributes
    ----------
    low, high : float
        The ends, ``0 <= low <= high <= 1``.
    confidence_level : float
        The level that was asked for.
    method : str
        The name of the method, as it was asked for.

    Examples
    --------
    >>> from thresher.results import ConfidenceInterval
    >>> low, high = ConfidenceInterval(0.61, 0.78, 0.95, "delong")
    >>> low, high
    (0.61, 0.78)
    >>> 0.7 in ConfidenceInterval(0.61, 0.78, 0.95, "delong")
    True
    >>> print(f"{ConfidenceInterval(0.61, 0.78, 0.95, 'delong'):.1%}")
    61.0% to 78.0%
    """

    low: float
    high: float
    confidence_level: float
    method: str

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __format__(self, spec: str) -> str:
        return f"{self.low:{spec}} to {self.high:{spec}}" if spec else repr(self)

    @property
    def width(self) -> float:
        """The length of the interval."""
        return self.high - self.low


def clipped(low: float, high: float, confidence_level: float, method: str) -> ConfidenceInterval:
    """Return the interval cut to [0, 1]."""
    ends = np.clip([low, high], 0.0, 1.0).tolist()
    return ConfidenceInterval(ends[0], ends[1], confidence_level, method)


_AXES = {
    "roc": ("false positive rate", "recall"),
    "pr": ("recall", "precision"),
    "pr_gain": ("recall gain", "precision gain"),
    "calibration": ("score", "proportion of positives"),
    "decision": ("threshold probability", "net benefit"),
}


@value
class CurveBand(Presented):
    """A band around a curve, on a grid.

    Attributes
    ----------
    x : array of float64
        False positive rates (ROC), recalls (PR), recall gains, scores (calibration) or threshold probabilities
        (decision) at which the band is given.
    low, high : array of float64
        Element i holds the ends at ``x[i]``; ``low <= value <= high``, and within [0, 1] except for gains and net
        benefit.
    value : array of float64
        The curve itself at ``x[i]``: true positive rate, precision, precision gain, positive rate or net benefit.
    confidence_level : float
        The level that was asked for.
    method : str
        The name of the method.
    simultaneous : bool
        True if the level holds for all points together, False if for each point alone.
    curve : str
        Which curve it is: "roc", "pr", "pr_gain", "calibration", "decision", or such as "mcc by threshold".

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> band = th.Scores(data.y_true, data.tree).roc_band([0.05, 0.1])
    >>> band.value.round(3), band.low.round(3), band.high.round(3)
    (array([0.782, 0.793]), array([0.716, 0.728]), array([0.84 , 0.848]))
    """

    x: FloatArray
    low: FloatArray
    high: FloatArray
    value: FloatArray
    confidence_level: float
    method: str
    simultaneous: bool
    curve: str

    def contains(self, y: ArrayLike) -> BoolArray:
        """Return, for each point, whether a value (or another curve on the same grid) lies inside, ends included.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.tree).roc_band([0.05, 0.1])
        >>> band.contains(band.value), band.contains(0.99)
        (array([ True,  True]), array([False, False]))
        """
        other = np.asarray(y, dtype=np.float64)
        return np.asarray((self.low <= other) & (other <= self.high))

    def plot(self, ax: Any = None, *, color: str = "C0", label: str | None = None) -> Any:
        """Draw the band and its curve into matplotlib axes (new ones if none are given), and return the axes.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.tree).roc_band([0.05, 0.1])
        >>> ax = band.plot()
        >>> ax.get_ylabel()
        'Recall'
        >>> plt.close(ax.figure)
        """
        if ax is None:
            ax = require("matplotlib.pyplot", extra="plot", purpose="Drawing a band").subplots()[1]
            across, up = self._axes
            ax.set(xlabel=across, ylabel=up)
            if self.curve in ("roc", "pr", "calibration"):
                ax.set(xlim=(0, 1), ylim=(0, 1.02))
        order = np.argsort(self.x, kind="stable")
        name = f"{self.confidence_level:.0%} band" if label is None else label
        ax.fill_between(self.x[order], self.low[order], self.high[order], color=color, alpha=0.2, lw=0, label=name)
        ax.plot(self.x[order], self.value[order], color=color)
        return ax

    @property
    def _axes(self) -> tuple[str, str]:
        """What stands along and up."""
        if self.curve in _AXES:
            across, up = _AXES[self.curve]
        else:  # a metric by another
            up, _, across = self.curve.partition(" by ")
        return across.capitalize(), up.capitalize()

    def _picture(self) -> Picture | None:
        x, middle, low, high = self._columns().values()
        if not x.size or x.min() < 0.0 or x.max() > 1.0:
            return None
        reach = (min(float(low.min()), 0.0), max(float(high.max()), float(low.min()) + 1e-9))
        return Picture(x, middle, self._axes, band=(low, high), height=reach)

    def _columns(self) -> dict[str, FloatArray]:
        return {name: np.ravel(getattr(self, name)) for name in ("x", "value", "low", "high")}

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        width = float(np.mean(self.high - self.low)) if self.x.size else 0.0
        return (
            f"{self.curve} band ({self.method}, {kind}, level {self.confidence_level:g}): {self.x.size} points, "
            f"mean width {width:.3g}"
        )
