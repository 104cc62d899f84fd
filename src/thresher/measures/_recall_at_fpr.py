"""The recall that a false positive rate buys: sensitivity at a specificity."""

from __future__ import annotations

from typing import Any

from thresher._core.resampling import Requested
from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._inference import roc_band
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.sampling import Kernel
from thresher._table import Batch, Counts
from thresher.measures._measure import Span
from thresher.measures._point_on_curve import PointOnCurve, check_held_rate
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["RecallAtFpr"]


@measure(held={"recall": ("fpr",), "tpr": ("fpr",), "sensitivity": ("fpr",)})
@value
class RecallAtFpr(PointOnCurve):
    """The recall at a false positive rate, interpolated as mixing two thresholds achieves it.

    The threshold belongs to the data: its own uncertainty is in every interval and test.

    Parameters
    ----------
    fpr : float
        In (0, 1]; one minus the specificity.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    >>> scores.measure("sensitivity_at_specificity", fpr=1 / 3).value.__round__(4)
    0.6667
    """

    fpr: float

    name = "recall_at_fpr"
    needs = "path"
    monotone = True
    aliases = ("sensitivity_at_specificity", "tpr_at_fpr")
    label = "The recall at a false positive rate"
    example = "for example `fpr=0.1`, which is a specificity of 0.9"

    def __post_init__(self) -> None:
        object.__setattr__(self, "fpr", check_held_rate(self.fpr, "fpr", self.name))

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        return roc_curve(table).at(fpr=self.fpr).tpr

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the ROC band at the rate."""
        band = roc_band(table, [self.fpr], confidence_level=level, design=design)
        return float(band.low[0]), float(band.high[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the recall of each table."""
        return replicate_areas.rate_at(batch.neg, batch.pos, self.fpr, last=True)

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the recall at a false positive rate."""
        return Kernel(Requested(fprs=(self.fpr,)), lambda found: found.tpr_at[:, 0])

    def of_population(self, population: Any) -> float:
        """Return the population's recall."""
        return float(population.roc(self.fpr))
