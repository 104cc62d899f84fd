"""What the compiled bootstrap knows of a measure: for speed only, the same values as `Measure.values`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from thresher._core.resampling import Replicates, Wanted
from thresher._table import ManyTables
from thresher.typing import FloatArray

__all__ = ["Kernel"]


class Kernel(NamedTuple):
    """What to ask of the compiled bootstrap, and how to read the answer.

    Attributes
    ----------
    asks : Wanted
        What is measured of every replicate.
    read : callable
        The values of the measure from what was measured; the last point holds the class totals.
    variances : Wanted or None
        What gives the analytic variance of every replicate, in `delong`.
    many : callable or None
        The values of many tables of counts and their default standard errors, the bits of each by itself; NaN if they
        are not defined.
    """

    asks: Wanted | None = None
    read: Callable[[Replicates], FloatArray] | None = None
    variances: Wanted | None = None
    many: Callable[[ManyTables], tuple[FloatArray, FloatArray]] | None = None
