"""The upper convex hull of a curve of counts, in integer arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher.typing import CountArray

_SAFE_PRODUCT = 2**62
_SMALL = 64
_MOST_PASSES = 40


def upper_hull(x: CountArray, y: CountArray) -> NDArray[np.intp]:
    """Return the indices of the strict vertices of the upper hull; both ends are kept.

    `x` and `y` never decrease and no point occurs twice. Points on an edge are dropped. Exact for integers.
    """
    if native.available() and x.dtype.kind == y.dtype.kind == "i":
        return native.hull(x, y).astype(np.intp, copy=False)
    if native.available() and x.dtype == y.dtype == np.float64:
        return native.weighted_hull(x, y).astype(np.intp, copy=False)
    return upper_hull_numpy(x, y)


def upper_hull_numpy(x: CountArray, y: CountArray) -> NDArray[np.intp]:
    """Do the same with NumPy alone, and for sums of weights."""
    index = np.arange(x.size)
    if x.dtype.kind == "i" and int(x[-1]) * int(y[-1]) >= _SAFE_PRODUCT:
        x, y = x.astype(object), y.astype(object)
    # A point on or under the chord of its neighbours is no vertex, so all of them go at once.
    for _ in range(_MOST_PASSES):
        if index.size <= _SMALL:
            break
        above = _cross(x[index], y[index]) > 0
        if above.all():
            return index
        index = np.concatenate((index[:1], index[1:-1][above], index[-1:]))
    return _chain(x, y, index)


def _cross(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Return, for each inner point, twice the signed area by which it stands above its neighbours' chord."""
    area: NDArray[Any] = (x[2:] - x[:-2]) * (y[1:-1] - y[:-2]) - (y[2:] - y[:-2]) * (x[1:-1] - x[:-2])
    return area


def _chain(x: NDArray[Any], y: NDArray[Any], index: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the hull by a monotone chain: linear whatever the shape."""
    xs, ys = x[index].tolist(), y[index].tolist()
    kept: list[int] = []
    for i in range(len(xs)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (xs[i] - xs[a]) * (ys[b] - ys[a]) - (ys[i] - ys[a]) * (xs[b] - xs[a]) > 0:
                break
            kept.pop()
        kept.append(i)
    return index[kept]
