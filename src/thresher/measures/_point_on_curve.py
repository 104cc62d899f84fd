"""What measures of one point of a curve share: the band there as interval, and the check of the rate that is held."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thresher._core.checks import show
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span

__all__ = ["PointOnCurve", "check_held_rate"]


class PointOnCurve(Measure):
    """One rate at a given value of another; its interval is the pointwise band of the curve there."""

    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("band", "bootstrap")

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the limits of the curve's band at the one point."""
        raise NotImplementedError

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the limits of the band, with the value in them."""
        del method
        low, high = self.band_ends(estimate.counts, level, options.design)
        return min(low, estimate.value), max(high, estimate.value)


def check_held_rate(rate: Any, name: str, metric: str) -> float:
    """Return one number in (0, 1]."""
    if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0.0 < rate <= 1.0:
        raise InvalidInputError(
            f"`{name}` must be one number in (0, 1] for metric {metric!r}; got {show(rate)}. "
            f"Hint: for example `{name}=0.8`."
        )
    return float(rate)
