"""Sums that keep their digits: integers without overflow, floats with their rounding errors carried along."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, FloatArray

MOST_COUNTS = 2**62

_INT64_SAFE = 2**62
_LONG = 2**10
_LOST = 2.0**-60


def _with_errors(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the running sums and the rounding error of each step."""
    running = np.cumsum(values)
    before = np.concatenate(([0.0], running[:-1]))
    kept = running - before
    return running, (before - (running - kept)) + (values - kept)


def _running(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the running sums, those of their rounding errors, and those of the errors of these.

    After Ogita, Rump and Oishi's SumK: what is left out is the cube of one rounding, so that the difference of two
    running sums keeps twice the precision.
    """
    high, error = _with_errors(values)
    middle, error = _with_errors(error)
    return high, middle, np.cumsum(error)


def cumulative(values: CountArray) -> CountArray:
    """Return running sums: exact for integers, as if in twice the precision for floats, never decreasing."""
    if values.dtype.kind != "f":
        return np.cumsum(values, dtype=np.int64)
    if native.available() and values.dtype == np.float64 and values.ndim == 1:
        return native.running_sums(values)
    return cumulative_numpy(values)


def cumulative_numpy(values: FloatArray) -> FloatArray:
    """Return running sums of floats by NumPy alone."""
    high, middle, low = _running(values)
    # A weight below the last bit of the sum may round the wrong way; counts never go down.
    return np.asarray(np.maximum.accumulate(high + (middle + low)))


def segment_sums(values: FloatArray, starts: NDArray[np.intp]) -> FloatArray:
    """Return the sum of each run `values[starts[i]:starts[i + 1]]`, as if in twice the precision."""
    high, middle, low = _running(values)
    ends = np.append(starts[1:], values.size) - 1
    high_before, middle_before, low_before = (
        np.where(starts > 0, part[starts - 1], 0.0) for part in (high, middle, low)
    )
    difference = high[ends] - high_before
    kept = difference - high[ends]
    error = (high[ends] - (difference - kept)) + (-high_before - kept)
    total = difference + (error + ((middle[ends] - middle_before) + (low[ends] - low_before)))
    # A run of one is its own sum, whatever stood before it.
    total = np.where(ends == starts, values[starts], np.maximum(total, 0.0))
    # So are runs far below what stood before them, which differences of running sums do not see.
    for run in np.flatnonzero((ends > starts) & (total < _LOST * high[ends])).tolist():
        total[run] = math.fsum(values[starts[run] : ends[run] + 1].tolist())
    return total


def dot(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the sum of products of two vectors, as floats.

    What ``a @ b`` is on paper. That goes through a linear algebra library, whose last digits depend on how many cores
    there are; these do not.
    """
    with np.errstate(under="ignore"):
        return float(np.multiply(a, b, dtype=np.float64).sum())


def dots(rows: NDArray[Any], vector: NDArray[Any]) -> FloatArray:
    """Return the sum of products of every row (along the last axis) with a vector, as `dot` does."""
    with np.errstate(under="ignore"):
        return np.asarray(np.multiply(rows, vector, dtype=np.float64).sum(axis=-1))


def refuse_sum(counts: CountArray, side: str) -> None:
    """Raise if int64 counts that are not negative add up to 2**62 or more: before any sum of them wraps."""
    if counts.size and int(counts.max()) * counts.size >= MOST_COUNTS:
        total = (int((counts >> 32).sum()) << 32) + int((counts & 0xFFFFFFFF).sum())
        if total >= MOST_COUNTS:
            raise too_many(total, side)


def too_many(total: int, side: str) -> InvalidInputError:
    """Return the error for counts whose sums would not be exact."""
    return InvalidInputError(
        f"Counts must add up to less than 2**62; got {total} {side}s. Hint: divide them by a common factor."
    )


def exact_dot(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return the integer sum of a[i] * b[i] for non-negative int64 arrays, whatever its size."""
    most_a, most_b = (int(each.max(initial=0)) for each in (a, b))
    if most_a * most_b == 0:
        return 0
    # The sum that says whether the products fit must not wrap itself.
    if most_a * a.size < 2 * _INT64_SAFE and int(a.sum()) * most_b < _INT64_SAFE:
        return int(np.dot(a, b))
    fits = _INT64_SAFE // (most_a * most_b)
    if fits >= _LONG:
        return sum(int(np.dot(a[i : i + fits], b[i : i + fits])) for i in range(0, a.size, fits))
    # Unsigned halves: each partial product fits, and up to 2**32 of them are summed half by half.
    low = 0xFFFFFFFF
    total = 0
    for shift_a, part_a in ((0, a & low), (32, a >> 32)):
        for shift_b, part_b in ((0, b & low), (32, b >> 32)):
            product = part_a.view(np.uint64) * part_b.view(np.uint64)
            total += ((int((product >> 32).sum()) << 32) + int((product & low).sum())) << (shift_a + shift_b)
    return total


def accurate_sum(values: NDArray[Any]) -> float:
    """Return the sum of a float array, correctly rounded."""
    found = None
    if native.available() and values.dtype == np.float64 and values.ndim == 1:
        found = native.rounded_sum(values)
    return math.fsum(values.tolist()) if found is None else found
