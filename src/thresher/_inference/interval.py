"""The interval that every method returns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher._cells import normal_quantile as normal_quantile
from thresher._core.presented import Presented
from thresher._core.values import value


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
