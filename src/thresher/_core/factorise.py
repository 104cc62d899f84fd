"""The distinct values of a column, where that of each row stands among them, and integers for groups of any kind."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.order import descending_order

# Whole numbers of a range up to so many times the rows are counted.
_SPREAD = 4
# Text of up to so many bytes is hashed.
_MOST_BYTES = 512
_MIX = np.uint64(0x9E3779B97F4A7C15)


def factorised(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct keys, ascending, and the index of each row's key: what `np.unique` returns."""
    found = None
    if keys.size and keys.dtype.kind in "iub":
        found = _counted(keys)
    elif keys.size and keys.dtype.kind in "US" and 0 < keys.dtype.itemsize <= _MOST_BYTES:
        found = _hashed(keys)
    if found is not None:
        return found
    names, place = np.unique(keys, return_inverse=True)
    return names, place.reshape(-1)


def rows_by_place(place: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rows in the order of their places, those of a place as they stand."""
    return descending_order(-place)


def _counted(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]] | None:
    low, high = int(keys.min()), int(keys.max())
    if high - low >= _SPREAD * keys.size + 1024 or high >= 2**63:
        return None
    at = keys.astype(np.int64) - low
    seen = np.bincount(at) > 0
    names = (np.flatnonzero(seen) + low).astype(keys.dtype)
    return names, (np.cumsum(seen) - 1)[at]


def _hashed(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]] | None:
    """Group rows by a hash of their text; None if two texts share one, which is looked at."""
    plain = np.ascontiguousarray(keys)
    unit = np.uint32 if plain.dtype.kind == "U" else np.uint8
    letters: NDArray[Any] = plain.view(unit).reshape(keys.size, -1)
    hashes = np.zeros(keys.size, dtype=np.uint64)
    for column in letters.T:
        hashes ^= column.astype(np.uint64)
        hashes *= _MIX
        hashes ^= hashes >> np.uint64(29)
    order = descending_order(hashes)
    ordered = hashes[order]
    new = np.append(True, ordered[1:] != ordered[:-1])
    group = np.empty(keys.size, dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    names = keys[order[new]]
    if not (names[group] == keys).all():
        return None
    by_name = np.argsort(names, kind="stable")
    rank = np.empty(names.size, dtype=np.intp)
    rank[by_name] = np.arange(names.size)
    return names[by_name], rank[group]


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
    """Return integers for groups that are numbers, dates, text or any other objects that can be told apart."""
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
