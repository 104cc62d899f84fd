"""The two classes in order on their device: areas, counts at thresholds and the table follow without another sort.

Sums are exact: whole numbers where figures are whole, and elsewhere fixed-point numbers whose rounding cannot be seen,
so that figures have the bits of the processor's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from thresher._core import device
from thresher._core.device import DeviceTable, to_host
from thresher._core.hyperbola import NEAR, SERIES, hyperbola_area
from thresher._core.rank_kernels import average_precision_parts, interpolated_parts, rank_kernels

_UNIT = 2.0**30
"""Terms are summed in parts of this: the whole parts exactly, so that the rest is too small to matter."""


class DeviceRanks(NamedTuple):
    """Both classes in ascending order, as keys that compare like the scores."""

    xp: Any
    pos: Any
    other: Any
    """The negatives, or all rows where that was cheaper."""
    has_all: bool
    shift: int
    """What the key of a positive is above that of a negative with the same score."""
    base: int
    """What is added to keys of integers to make them scores."""
    dtype: Any
    n_pos: int
    n_neg: int
    gap: int = 0
    """How many numbers on either side of zero the keys of floats leave out."""

    # Figures

    def twice_u(self) -> int:
        """Return twice the pairs in which the positive stands above the negative, plus the pairs that tie."""
        xp = self.xp
        if not self.n_pos or not self.n_neg:
            return 0
        if self.has_all:  # among themselves the positives beat n_pos**2
            return device._twice_beaten(xp, self.other, self.pos) - self.n_pos * self.n_pos
        if self.n_pos <= self.n_neg:
            return device._twice_beaten(xp, self.other, self.pos, self.shift)
        return 2 * self.n_pos * self.n_neg - device._twice_beaten(xp, self.pos, self.other, -self.shift)

    def average_precision(self) -> float:
        """Return the positives times average precision."""
        launch = rank_kernels(self.pos) if self.shift else None
        if launch is not None:
            return _total([average_precision_parts(launch, self.xp, self.pos, self.other, self.shift)])
        parts = []
        for run in self._runs():
            tp, fp = self._float(run.tp), self._float(self._above(run, side="left"))
            parts.append(self._summed(self._float(run.size) * (tp / (tp + fp))))
        return _total(parts)

    def interpolated(self) -> float:
        """Return the positives times the interpolated area under the PR curve."""
        launch = rank_kernels(self.pos) if self.shift else None
        if launch is not None:
            most, few = interpolated_parts(launch, self.xp, self.pos, self.other, self.shift)
            return _total([most, _split(hyperbola_area(*few.T))])
        xp, parts = self.xp, []
        for run in self._runs():
            fp = self._above(run, side="right")
            p, q = self._float(run.size), self._float(self._above(run, side="left") - fp)
            tp, fp = self._float(run.tp - run.size), self._float(fp)
            ahead, added = tp + fp, p + q
            few = xp.nonzero(added >= NEAR * ahead)[0]
            safe = xp.where(ahead > 0, ahead, xp.ones_like(ahead))
            y = added / safe
            y = y / (2.0 + y)
            square = y * y
            tail = xp.zeros_like(y)
            for k in SERIES:
                tail = (tail + 1.0 / k) * square
            inner = y - (1.0 - y) * tail
            areas = p * ((1.0 - inner) * (tp / safe) + inner * (p / added))
            if few.shape[0]:  # a few at the start of the curve, which need a longer series or a logarithm
                zero = xp.zeros_like(areas)
                areas = xp.where(added >= NEAR * ahead, zero, areas)
                pieces = (to_host(xp.take(column, few)) for column in (tp, fp, p, q))
                parts.append(_split(hyperbola_area(*pieces)))
            parts.append(self._summed(areas))
        return _total(parts)

    # Tables and points

    def table(self) -> DeviceTable:
        """Return the distinct scores, highest first, with the running counts; the arrays stay on the device."""
        xp, pos = self.xp, self.pos
        ordered = self.other if self.has_all else xp.sort(xp.concat((pos, self.other + self.shift)))
        n = self.n_pos + self.n_neg
        is_start = xp.concat((self._true(), ordered[1:] != ordered[:-1]))
        starts = xp.astype(xp.nonzero(is_start)[0], xp.int64, copy=False)
        values = ordered[is_start]
        tp = self.n_pos - self._search(pos, values, "left")
        return DeviceTable(xp.flip(self.scores(values)), xp.flip(tp), xp.flip(n - starts - tp), self.n_pos, self.n_neg)

    def counts_at(self, thresholds: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positives and the negatives at or above each threshold, which are scores in main memory."""
        rounded, beyond = self._rounded_up(thresholds)
        keys = self._keys(rounded)
        tp = self.n_pos - self._search(self.pos, keys, "left")
        if self.has_all:
            fp = self.n_pos + self.n_neg - self._search(self.other, keys, "left") - tp
        else:
            fp = self.n_neg - self._search(self.other, keys - self.shift if self.shift else keys, "left")
        found = (to_host(column).astype(np.int64) for column in (tp, fp))
        tp_at, fp_at = (np.where(beyond, 0, column) for column in found)
        return tp_at, fp_at

    def scores(self, keys: Any) -> Any:
        """Return the scores that keys of positives stand for, with -0.0 written 0.0."""
        xp = self.xp
        if xp.isdtype(self.dtype, "real floating"):
            if self.shift:
                ordered = keys + self.base
                if self.gap:
                    away = xp.where(ordered < 0, ordered - self.gap, ordered + self.gap)
                    ordered = xp.where(ordered == 0, ordered, away)
                return device._floats(xp, ordered, self.dtype)
            if keys.dtype != self.dtype:
                return device._floats(xp, keys, self.dtype)
            return keys + xp.zeros((), dtype=keys.dtype, device=array_api_compat.device(keys))
        return keys + self.base if self.base else keys

    def _rounded_up(self, thresholds: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the least scores of this dtype that are not below the thresholds, and where there is none."""
        kind = np.dtype(str(self.dtype).rpartition(".")[2].strip("'>)"))
        beyond = np.zeros(thresholds.shape, dtype=np.bool_)
        if thresholds.dtype == kind:
            return thresholds, beyond
        if kind.kind == "f":
            with np.errstate(over="ignore"):
                near = thresholds.astype(kind)
            return np.where(near < thresholds, np.nextafter(near, kind.type(np.inf)), near), beyond
        ends = np.iinfo(kind)
        past = {math.inf: ends.max + 1, -math.inf: ends.min}
        whole = [past[t] if t in past else math.ceil(t) for t in thresholds.tolist()]
        clipped = np.array([min(max(t, ends.min), ends.max) for t in whole], dtype=kind)
        return clipped, np.array([t > ends.max for t in whole])

    def _keys(self, scores: NDArray[Any]) -> Any:
        """Return the keys of a few scores of the same dtype, in the same order."""
        xp = self.xp
        if self.shift:
            if scores.dtype.kind == "f":
                scores = self._ordered(scores)
            # Between the lowest score and one above the highest, which is all that matters, nothing overflows.
            scores = np.clip(scores, self.base, self.base + self.shift) - scores.dtype.type(self.base)
            return xp.asarray(np.ascontiguousarray(scores), device=array_api_compat.device(self.pos))
        given = xp.asarray(np.ascontiguousarray(scores), device=array_api_compat.device(self.pos))
        if xp.isdtype(self.dtype, "real floating"):
            return device._comparable(xp, given)
        return given - self.base if self.base else given

    def _ordered(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Return floats as integers in their order, without the gap; next to zero, where there are none, the next."""
        bits = scores.view(f"i{scores.dtype.itemsize}")
        size = np.abs(scores).view(bits.dtype)
        up, down = np.maximum(size - self.gap, 1), np.minimum(self.gap - size, 0)
        ordered: NDArray[Any] = np.where(size == 0, 0, np.where(bits < 0, down, up))
        return ordered

    # Runs of positives that tie

    def steps(self) -> Iterator[Steps]:
        """Yield what the runs of equal positives are on the curve, lowest score first, in chunks of whole runs."""
        for run in self._runs():
            yield Steps(run.values, run.tp, run.size, self._above(run, side="left"), self._above(run, side="right"))

    def negatives_from(self, keys: Any) -> Any:
        """Return the negatives at or above each key of a positive."""
        at_all = self._search(self.other, keys - self.shift if self.shift else keys, "left")
        if self.has_all:
            return self.n_neg - at_all + self._search(self.pos, keys, "left")
        return self.n_neg - at_all

    def _runs(self) -> Iterator[_Runs]:
        """Yield the runs of equal positives, in chunks of whole runs."""
        xp, begin = self.xp, 0
        while begin < self.n_pos:
            end = min(begin + device._CHUNK, self.n_pos)
            if end < self.n_pos:
                end = int(xp.searchsorted(self.pos, self.pos[end - 1 : end], side="right")[0])
            part = self.pos[begin:end]
            is_start = xp.concat((self._true(), part[1:] != part[:-1]))
            at = xp.astype(xp.nonzero(is_start)[0], xp.int64, copy=False)
            after = xp.concat((at[1:], device._like(xp, at, [end - begin])))
            yield _Runs(xp.take(part, at), (self.n_pos - begin) - at, after - at)
            begin = end

    def _above(self, run: _Runs, *, side: str) -> Any:
        """Return the negatives at or above each run ("left"), or above it ("right")."""
        if self.has_all:
            pos_above = run.tp if side == "left" else run.tp - run.size
            return self.n_pos + self.n_neg - self._search(self.other, run.values, side) - pos_above
        return self.n_neg - self._search(self.other, run.values - self.shift if self.shift else run.values, side)

    def _search(self, many: Any, few: Any, side: str) -> Any:
        return self.xp.astype(self.xp.searchsorted(many, few, side=side), self.xp.int64, copy=False)

    def _true(self) -> Any:
        return self.xp.ones((1,), dtype=self.xp.bool, device=array_api_compat.device(self.pos))

    def _float(self, whole: Any) -> Any:
        return self.xp.astype(whole, self.xp.float64)

    def _summed(self, terms: Any) -> tuple[int, float]:
        scaled = terms * _UNIT
        whole = self.xp.floor(scaled)
        return int(self.xp.sum(self.xp.astype(whole, self.xp.int64))), float(self.xp.sum(scaled - whole))


class Steps(NamedTuple):
    """Runs of equal positives: counts at or above the score of each, and what stands there."""

    keys: Any
    tp: Any
    size: Any
    """Positives at the score."""
    fp: Any
    fp_above: Any
    """Negatives above the score; `fp` has those that tie too."""


class _Runs(NamedTuple):
    values: Any
    tp: Any
    """Positives at or above the run."""
    size: Any


def _split(terms: NDArray[np.float64]) -> tuple[int, float]:
    scaled = terms * _UNIT
    whole = np.floor(scaled)
    return int(whole.astype(np.int64).sum()), float((scaled - whole).sum())


def _total(parts: list[tuple[int, float]]) -> float:
    """Return the sum, rounded once."""
    return float(sum((Fraction(whole) + Fraction(rest) for whole, rest in parts), Fraction(0)) / Fraction(_UNIT))


def has_doubles(values: Any) -> bool:
    """Return whether the device of an array computes in double precision."""
    xp = array_api_compat.array_namespace(values)
    try:
        xp.zeros(1, dtype=xp.float64, device=array_api_compat.device(values))
    except (TypeError, RuntimeError, ValueError):
        return False
    return True


def rank_on_device(scores: Any, is_positive: Any) -> DeviceRanks:
    """Sort each class; nothing leaves the device but two counts."""
    xp, scores, positive = device._prepared(scores, is_positive)
    found = device._packed_classes(xp, scores, positive)
    if found is not None:
        counts = int(found.pos.shape[0]), found.n_neg
        return DeviceRanks(xp, found.pos, found.neg, False, found.shift, found.least, scores.dtype, *counts, found.gap)
    keys = device._comparable(xp, scores)
    pos = xp.sort(keys[positive])
    n, n_pos = int(keys.shape[0]), int(pos.shape[0])
    has_all = 4 * n_pos < n
    other = xp.sort(keys if has_all else keys[~positive])
    for ordered in (pos, other):
        ends = ordered[:: max(ordered.shape[0] - 1, 1)]
        if ordered.shape[0] and xp.isdtype(ends.dtype, "real floating") and bool(xp.any(xp.isnan(ends))):
            raise device._not_a_number(xp, scores)
    return DeviceRanks(xp, pos, other, has_all, 0, 0, scores.dtype, n_pos, n - n_pos)


def merged_ranks(a: DeviceRanks, b: DeviceRanks) -> DeviceRanks | None:
    """Return the rows of both, in order, on their device; None where devices, types or packing differ."""
    kinds = [(one.xp, array_api_compat.device(one.pos), one.dtype, one.shift > 0) for one in (a, b)]
    if kinds[0] != kinds[1]:
        return None
    if a.shift:
        return _packed_again(a, b)
    xp, totals = a.xp, {"n_pos": a.n_pos + b.n_pos, "n_neg": a.n_neg + b.n_neg}
    others = [a.other, b.other]
    if a.has_all != b.has_all:
        others = [one.other if one.has_all else xp.concat((one.pos, one.other)) for one in (a, b)]
    pos, other = (xp.sort(xp.concat(columns)) for columns in ((a.pos, b.pos), others))
    return a._replace(pos=pos, other=other, has_all=a.has_all or b.has_all, **totals)


def _packed_again(a: DeviceRanks, b: DeviceRanks) -> DeviceRanks:
    """Return the same from keys with the class in them: where it finds room depends on the scores of all rows."""
    xp, like = a.xp, {"dtype": a.xp.bool, "device": array_api_compat.device(a.pos)}
    columns = [one.scores(keys) for one in (a, b) for keys in (one.pos, one.other + one.shift)]
    classes = [make(size, **like) for one in (a, b) for make, size in ((xp.ones, one.n_pos), (xp.zeros, one.n_neg))]
    return rank_on_device(xp.concat(columns), xp.concat(classes))
