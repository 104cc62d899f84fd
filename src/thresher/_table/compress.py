"""Which rows a smaller table keeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count
from thresher._core.hull import upper_hull
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray

__all__ = ["compressed_rows"]


def compressed_rows(
    tp: CountArray, fp: CountArray, pos: CountArray, neg: CountArray, max_points: object, unit: float = 1.0
) -> NDArray[np.intp] | None:
    """Return the rows whose cumulative counts are kept, or None if all of them fit; `unit` is what a case weighs."""
    most = check_count(max_points, "max_points", minimum=2)
    if tp.size <= most:
        return None
    corners = _corners(pos, neg)
    if corners.size <= most:
        return corners
    vertices = _hull_rows(tp, fp)
    spare = most - vertices.size
    if spare < 0:
        raise InvalidInputError(
            f"`max_points` must be at least {vertices.size}, the number of vertices of the convex hull; got {most}. "
            "Hint: they are kept so that the best thresholds survive."
        )
    mass = _mass(tp[corners], fp[corners], unit)
    targets = np.linspace(0.0, mass[-1], spare + 2)[1:-1]
    chosen = corners[np.minimum(np.searchsorted(mass, targets), corners.size - 1)]
    kept = np.union1d(vertices, chosen)
    # Targets that fell on a vertex leave room: fill it with the widest gaps.
    while kept.size < most:
        rest = np.setdiff1d(corners, kept, assume_unique=True)
        if rest.size == 0:
            break
        step = rest[np.linspace(0, rest.size - 1, min(most - kept.size, rest.size)).astype(np.intp)]
        kept = np.union1d(kept, step)
    return kept


def _corners(pos: CountArray, neg: CountArray) -> NDArray[np.intp]:
    """Return the rows where the curve turns: runs of one class alone are straight and lose nothing when merged."""
    only_pos, only_neg = neg == 0, pos == 0
    straight = (only_pos[:-1] & only_pos[1:]) | (only_neg[:-1] & only_neg[1:])
    return np.append(np.flatnonzero(~straight), pos.size - 1)


def _hull_rows(tp: CountArray, fp: CountArray) -> NDArray[np.intp]:
    """Return the rows of the hull's vertices, without its start, which stands before all rows."""
    zero = tp.dtype.type(0)
    vertices = upper_hull(np.append(zero, fp), np.append(zero, tp)) - 1
    return vertices[1:]


def _mass(tp: CountArray, fp: CountArray, unit: float) -> NDArray[np.float64]:
    """Return how far along the curve each row is: both rates, and the logarithm that the start of PR space needs."""
    total = tp[-1] + fp[-1]
    rates = tp / max(tp[-1], 1e-300) + fp / max(fp[-1], 1e-300)
    if unit != 1.0:
        return np.asarray(rates + np.log1p((tp + fp) / unit) / np.log1p(total / unit), dtype=np.float64)
    return np.asarray(rates + np.log1p(tp + fp) / np.log1p(total), dtype=np.float64)
