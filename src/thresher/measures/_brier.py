"""The Brier score: the mean squared distance between a probability and what happened."""

from __future__ import annotations

from thresher._core.values import value
from thresher._curves import check_probabilities
from thresher._inference.calibration import ProperScore, mean_score
from thresher._table import Counts
from thresher.measures._registry import measure
from thresher.measures._row_mean import RowMean
from thresher.typing import FloatArray

__all__ = ["Brier"]


@measure()
@value
class Brier(RowMean):
    """The Brier score; smaller is better. Scores must be probabilities.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1], [0.75, 0.25, 0.5]).measure("brier").value
    0.125
    """

    name = "brier"
    aliases = ("brier_score", "brier_score_loss", "brier_class")
    better = "lower"
    label = "The Brier score"

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the squared distances from 1 and from 0."""
        return (1.0 - x) ** 2, x * x

    def of(self, table: Counts) -> float:
        """Return the mean, correctly rounded for some thousand scores."""
        return mean_score(ProperScore("brier"), check_probabilities(table, self.label), table.pos, table.neg)
