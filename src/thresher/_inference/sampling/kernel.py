"""What the compiled bootstrap knows of a measure: for speed only, the same values as `Measure.values`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from thresher._core.resampling import Replicates, Requested
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
    totals : bool
        Whether `read` looks at the class totals.
    many : callable or None
        The values of many tables of counts and their default standard errors, the bits of each by itself; NaN if they
        are not defined.
    """

    asks: Requested | None = None
    read: Callable[[Replicates], FloatArray] | None = None
    variances: Requested | None = None
    totals: bool = False
    many: Callable[[ManyTables], tuple[FloatArray, FloatArray]] | None = None

    def asked(self, *, weights: bool) -> Requested | None:
        """Return what to ask, or None if the compiled bootstrap does not know it; of weights it knows whole areas."""
        wanted = self.asks
        if wanted is None or self.read is None or not weights:
            return wanted if self.read is not None else None
        more = wanted.delong or len(wanted.spans) or len(wanted.points) or len(wanted.fprs) or len(wanted.recalls)
        return None if more or self.totals else wanted
