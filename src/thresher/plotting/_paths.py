"""The vertices of a drawn curve: right between thresholds, and few enough to draw quickly."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._curves import DetCurve, LiftCurve, PrCurve, RocCurve
from thresher.typing import FloatArray

Path = tuple[FloatArray, FloatArray]
"""Horizontal and vertical coordinates, in order of falling thresholds."""

TOLERANCE = 1e-4
"""The most by which a drawn line may leave its curve, as a proportion of the axis: half a pixel in 5,000."""

COLUMNS = 4096
"""Into how many columns a long curve is cut for thinning; each keeps at most four of its points."""

SMALLEST_RATE = 1e-12
"""Where a curve begins on a logarithmic axis, far outside of what is shown."""

_FAR_OUT = 9.0
_DET_PIECES = 64
_SHORT = 1e-3


def roc_path(curve: RocCurve) -> Path:
    """Return the vertices of a ROC curve, straight between thresholds."""
    return thinned(curve.fpr, curve.tpr, curve.fpr)


def log_roc_path(curve: RocCurve) -> Path:
    """Return the vertices of a ROC curve for a logarithmic horizontal axis.

    A sloped segment, straight on a linear axis, is bent on this one and gets vertices of its own.
    """
    inside = int(np.searchsorted(curve.fpr, SMALLEST_RATE, side="right"))
    start = curve.interpolate(SMALLEST_RATE)
    x = np.append(SMALLEST_RATE, curve.fpr[inside:])
    y = np.append(start, curve.tpr[inside:])
    u = np.log(x)
    du, dx, dy = np.diff(u), np.diff(x), np.diff(y)
    # In u = log x the segment is y = a + m exp(u); the chord of a step h leaves it by at most h² m exp(u) / 8.
    with np.errstate(divide="ignore", invalid="ignore"):
        bend = np.where(dx > 0, dy / dx * x[1:], 0.0)
    pieces = _pieces(du * np.sqrt(bend / (8.0 * TOLERANCE)))
    segment, share = _steps(pieces)
    inner = share > 0
    x_inner = np.exp(u[segment] + share * du[segment])
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = np.where(inner, (x_inner - x[segment]) / dx[segment] * dy[segment], 0.0)
    x_all = np.append(np.where(inner, x_inner, x[segment]), x[-1])
    y_all = np.append(y[segment] + rise, y[-1])
    return thinned(x_all, y_all, np.log(x_all), columns=3 * COLUMNS)


def pr_path(curve: PrCurve) -> Path:
    """Return the vertices of a PR curve, with hyperbolas between thresholds (Davis and Goadrich 2006, section 4)."""
    recall, precision = curve.recall.copy(), curve.precision.copy()
    # The limit of precision at recall 0 is that of the first group, whatever value point 0 is given.
    precision[0] = precision[1]
    tp = curve.tp.astype(np.float64)
    segment, inner, part, whole = _bent(tp, tp + curve.skew * curve.fp, precision, TOLERANCE)
    x, y = recall[segment], precision[segment]
    x[inner], y[inner] = part / curve.n_pos, part / whole
    x, y = np.append(x, recall[-1]), np.append(y, precision[-1])
    if curve.precision[0] != precision[0]:
        x, y = np.append(0.0, x), np.append(curve.precision[0], y)
    return thinned(x, y, x)


def lift_path(curve: LiftCurve) -> Path:
    """Return the vertices of a lift curve: gain is straight between thresholds, and lift is gain over depth."""
    segment, inner, part, whole = _bent(
        curve.lift * curve.depth, curve.depth, curve.lift, TOLERANCE * float(curve.lift.max())
    )
    x, y = curve.depth[segment], curve.lift[segment]
    x[inner], y[inner] = whole, part / whole
    x, y = np.append(x, curve.depth[-1]), np.append(y, curve.lift[-1])
    return thinned(x, y, x)


def det_path(curve: DetCurve) -> Path:
    """Return the vertices of a DET curve on normal deviates, on which sloped ROC segments are bent.

    Rates of 0 and 1 lie infinitely far out; the curve ends beyond every axis instead.
    """
    fpr, fnr = curve.fpr, curve.fnr
    across, down = np.diff(fpr), np.diff(fnr)
    pieces = np.where((across > 0) & (down < 0) & (np.hypot(across, down) > _SHORT), _DET_PIECES, 1)
    segment, share = _steps(pieces)
    # Closer together at both ends, where deviates change fastest.
    share = share * share * (3.0 - 2.0 * share)
    x = np.append(fpr[segment] + share * across[segment], fpr[-1])
    y = np.append(fnr[segment] + share * down[segment], fnr[-1])
    x, y = (np.clip(scipy.special.ndtri(rate), -_FAR_OUT, _FAR_OUT) for rate in (x, y))
    return thinned(x, y, x)


def _bent(
    part: FloatArray, whole: FloatArray, ratio: FloatArray, tolerance: float
) -> tuple[NDArray[np.intp], NDArray[np.bool_], FloatArray, FloatArray]:
    """Cut the segments between points part / whole, both straight in counts, where their ratio bends.

    Returns the segment of every piece, which pieces start inside of one, and part and whole at these starts. As part is
    linear in the whole c, the ratio is A + B / c; cut into equal steps h of u = c^(-1/2) every chord leaves it by
    exactly B h².
    """
    before, after, rise = whole[:-1], whole[1:], np.diff(ratio)
    bent = (before > 0) & (np.diff(part) > 0)
    root = np.sqrt(after / np.where(bent, before, after))
    pieces = _pieces(np.sqrt(np.abs(rise) * (root - 1.0) / (root + 1.0) / tolerance))
    segment, share = _steps(pieces)
    inner = share > 0
    where, along = segment[inner], share[inner]
    u_before, u_after = before[where] ** -0.5, after[where] ** -0.5
    c = (u_before + along * (u_after - u_before)) ** -2.0
    return segment, inner, part[where] + (c - before[where]) / (after[where] - before[where]) * np.diff(part)[where], c


def _pieces(wanted: FloatArray) -> NDArray[np.intp]:
    """Return into how many pieces each segment is cut: 1 where it is straight."""
    return np.maximum(np.ceil(wanted), 1.0).astype(np.intp)


def _steps(pieces: NDArray[np.intp]) -> tuple[NDArray[np.intp], FloatArray]:
    """Return, for the start of every piece, its segment and how far along it lies, from 0 to below 1."""
    segment = np.repeat(np.arange(pieces.size), pieces)
    first = np.cumsum(pieces) - pieces
    return segment, (np.arange(segment.size) - first[segment]) / pieces[segment]


def thinned(x: FloatArray, y: FloatArray, position: FloatArray, *, columns: int = COLUMNS) -> Path:
    """Return the path without vertices that cannot be seen.

    A path of more than four vertices a column keeps the first, lowest, highest and last vertex of each column of
    `position`, which never falls. Segments between columns are kept, so no line moves by more than a column's width.
    """
    if x.size <= 4 * columns:
        return x, y
    low, high = position[0], position[-1]
    column = np.minimum(((position - low) / (high - low) * columns).astype(np.intp), columns - 1)
    first = np.append(0, np.flatnonzero(np.diff(column)) + 1)
    last = np.append(first[1:] - 1, x.size - 1)
    size = last - first + 1
    kept = [first, last]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(y == np.repeat(extreme.reduceat(y, first), size))
        kept.append(at[np.unique(column[at], return_index=True)[1]])
    index = np.unique(np.concatenate(kept))
    return x[index], y[index]
