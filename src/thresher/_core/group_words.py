"""Groups of any kind as integers, one for each row: equal exactly where the groups are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["GroupWords", "group_words"]

_BLOCK = 1 << 16
_VIEWED = {"f": "f8", "M": None, "m": None}


class GroupWords(NamedTuple):
    """Integers of 32 or 64 bits, and what they stand for."""

    words: NDArray[Any]
    kind: np.dtype[Any]
    """Of the groups."""
    labels: NDArray[Any] | None = None
    """The groups by number, where the integers number them."""

    def names(self, words: NDArray[Any]) -> NDArray[Any]:
        """Return the groups behind some of the integers."""
        if self.labels is not None:
            return np.asarray(self.labels[words])
        if self.kind.kind in _VIEWED:
            return words.view(_VIEWED[self.kind.kind] or self.kind).astype(self.kind, copy=False)
        return words.astype(self.kind, copy=False)


def group_words(keys: NDArray[Any]) -> GroupWords:
    """Return integers for groups that are numbers, dates, text or any other objects that can be told apart.

    Integers stand for themselves, so that their order is kept; floats, which hold no NaN, and dates are their bits.
    """
    kind = keys.dtype
    if kind.kind in "iub":
        plain = keys.astype(kind.newbyteorder("="), copy=False)
        return GroupWords(plain if kind.itemsize >= 4 else plain.astype(np.int32), kind)
    if kind.kind == "f" and kind.itemsize <= 8:
        return GroupWords((keys.astype(np.float64, copy=False) + 0.0).view(np.int64), kind)
    if kind.kind in "Mm" and kind.isnative:
        return GroupWords(np.ascontiguousarray(keys).view(np.int64), kind)
    numbers: dict[Any, int] = {}
    words = np.empty(keys.size, dtype=np.int32 if keys.size < 2**31 else np.int64)
    for start in range(0, keys.size, _BLOCK):
        part = keys[start : start + _BLOCK].tolist()
        words[start : start + len(part)] = [numbers.setdefault(key, len(numbers)) for key in part]
    labels = np.empty(len(numbers), dtype=kind)
    labels[:] = list(numbers)
    return GroupWords(words, kind, labels)
