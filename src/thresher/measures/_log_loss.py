"""The log loss: the mean surprise at what happened."""

from __future__ import annotations

import numpy as np

from thresher._core.values import value
from thresher.measures._measure import Span
from thresher.measures._registry import measure
from thresher.measures._row_mean import RowMean
from thresher.typing import FloatArray

__all__ = ["LogLoss"]


@measure()
@value
class LogLoss(RowMean):
    """The mean of -log of the probability given to what happened, in nats; smaller is better.

    It is infinite where something happened that a score called impossible; nothing is clipped.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.Scores([1, 0, 1], [0.75, 0.25, 0.5]).measure("log_loss").value, 4)
    0.4228
    >>> th.Scores([1, 0, 1], [0.0, 0.25, 0.5]).measure("log_loss").value
    inf
    """

    name = "log_loss"
    aliases = ("cross_entropy", "logarithmic_loss", "mn_log_loss", "mxe")
    better = "lower"
    label = "The log loss"

    @property
    def bounds(self) -> Span:
        """From 0 without end."""
        return (0.0, float("inf"))

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return -log x and -log (1 - x)."""
        with np.errstate(divide="ignore"):
            return -np.log(x), -np.log1p(-x)
