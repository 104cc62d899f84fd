"""Thresholds held as anchor plus offset, so that a point next to the end of a support keeps all its digits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.typing import BoolArray, FloatArray

__all__ = ["Points", "merge", "plain"]


class Points(NamedTuple):
    """Thresholds `anchor + offset`, elementwise.

    Close to a bounded end of the support, say 1, the distance to the end carries the information: `1 - 1e-20` is not
    a double, the pair `(1, -1e-20)` is. A law that ends exactly at `anchor` works with `offset` alone.

    Attributes
    ----------
    anchor : ndarray
        Reference value of each threshold.
    offset : ndarray
        Signed distance of each threshold from its anchor.
    """

    anchor: FloatArray
    offset: FloatArray

    @property
    def value(self) -> FloatArray:
        """The thresholds as doubles, kept strictly on their side of the anchor."""
        value = self.anchor + self.offset
        value = np.where((self.offset < 0) & (value >= self.anchor), np.nextafter(self.anchor, -np.inf), value)
        return np.where((self.offset > 0) & (value <= self.anchor), np.nextafter(self.anchor, np.inf), value)

    def select(self, mask: BoolArray) -> Points:
        """Return the thresholds where `mask` holds."""
        return Points(self.anchor[mask], self.offset[mask])


def plain(value: FloatArray | float) -> Points:
    """Return ordinary doubles as points."""
    offset = np.atleast_1d(np.asarray(value, dtype=np.float64))
    return Points(np.zeros_like(offset), offset)


def merge(size: int, parts: list[tuple[BoolArray, Points]]) -> Points:
    """Put parts, each given with the mask of the places it fills, back together."""
    anchor, offset = np.zeros(size), np.zeros(size)
    for mask, points in parts:
        anchor[mask], offset[mask] = points.anchor, points.offset
    return Points(anchor, offset)
