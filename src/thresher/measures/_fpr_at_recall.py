"""The false positive rate at which a recall is reached."""

from __future__ import annotations

from typing import Any

from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._inference import roc_band
from thresher._inference.bootstrap import replicate_areas
from thresher._table import Batch, Counts, mirrored
from thresher.measures._measure import Span
from thresher.measures._point_on_curve import PointOnCurve, check_held_rate
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["FprAtRecall"]


@measure(held={"fpr": ("recall", "tpr")})
@value
class FprAtRecall(PointOnCurve):
    """The least false positive rate at a recall: the price of finding so many positives. Smaller is better.

    Parameters
    ----------
    recall : float
        In (0, 1].

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("fpr_at_recall", recall=1).value
    0.5
    """

    recall: float

    name = "fpr_at_recall"
    needs = "path"
    monotone = True
    better = "lower"
    aliases = ("fpr_at_tpr",)
    label = "The false positive rate at a recall"
    example = "for example `recall=0.9`"

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", check_held_rate(self.recall, "recall", self.name))

    def of(self, table: Counts) -> float:
        """Return the false positive rate of a table."""
        return roc_curve(table).at(tpr=self.recall).fpr

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the band of the same curve with the classes exchanged: scores reversed, labels swapped."""
        # Of the mirrored curve: the proportion of negatives called where a share 1 - recall of the positives is.
        band = roc_band(mirrored(table), [1.0 - self.recall], confidence_level=level, design=design)
        return 1.0 - float(band.high[0]), 1.0 - float(band.low[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the false positive rate of each table."""
        return replicate_areas.rate_at(batch.pos, batch.neg, self.recall, last=False)

    def of_population(self, population: Any) -> float:
        """Return the population's false positive rate."""
        return float(population.fpr_at(self.recall))
