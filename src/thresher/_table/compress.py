"""Which rows a smaller table keeps."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count
from thresher._core.hull import upper_hull
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray

if TYPE_CHECKING:
    from thresher._table.table import CountTable


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


C = TypeVar("C", bound="CountTable")


def disclosed(counts: C, min_count: object) -> C:
    """Return a table in which the positives and the negatives at every row are 0 or at least `min_count`."""
    least = _checked(counts, min_count)
    last = _groups(counts.tp, counts.fp, least)
    first = np.concatenate(([0], last[:-1] + 1))
    pos, neg = (np.diff(running[last], prepend=0) for running in (counts.tp, counts.fp))
    highest = np.maximum.reduceat(counts._highest_scores, first)
    thresholds = counts.thresholds[last]
    # Built anew in any case: what a table may know beyond its rows does not travel.
    return counts._from_table((thresholds, pos, neg), highest if (highest > thresholds).any() else None)


def _checked(counts: CountTable, min_count: object) -> int:
    least = check_count(min_count, "min_count", minimum=2)
    if counts._weighted:
        raise InvalidInputError(
            "`min_count` needs row counts; this table holds sums of weights. Hint: count the rows without weights."
        )
    for side, total in (("positives", counts.n_pos), ("negatives", counts.n_neg)):
        if 0 < total < least:
            # The total itself must not be disclosed.
            raise InvalidInputError(
                f"`min_count` must not exceed the number of {side}, which would be disclosed otherwise; got {least}. "
                "Hint: such a table cannot be shared under this rule; pool it with others inside the site first."
            )
    return least


def _groups(tp: CountArray, fp: CountArray, least: int) -> NDArray[np.intp]:
    """Return the last row of every group, from the highest scores down.

    Groups are made of blocks of at least `least` cases that are cut without regard to labels: were a group to end
    with the case that completes it, its end would tell that case's label. Each group has as few blocks as it can so
    that neither it nor what is left below it shows a small count.
    """
    blocks = _blocks((tp + fp).tolist(), least)
    pos, neg = tp[blocks].tolist(), fp[blocks].tolist()
    # Ends between these blocks would leave too few cases of a class below them.
    too_late = [(bisect_left(sums, sums[-1] - least + 1), bisect_left(sums, sums[-1])) for sums in (pos, neg)]
    ends: list[int] = []
    found_pos, found_neg = 0, 0
    while not ends or ends[-1] < len(blocks) - 1:
        # Where the next positive is, and where enough of them are; the same of the negatives.
        a, many_a = bisect_left(pos, found_pos + 1), bisect_left(pos, found_pos + least)
        b, many_b = bisect_left(neg, found_neg + 1), bisect_left(neg, found_neg + least)
        end, before = many_b if many_b < a else many_a if many_a < b else max(many_a, many_b), -1
        while end != before:
            before = end
            for first, last in too_late:
                end = last if first <= end < last else end
            if found_pos < pos[end] < found_pos + least:
                end = max(end, many_a)
            if found_neg < neg[end] < found_neg + least:
                end = max(end, many_b)
        ends.append(end)
        found_pos, found_neg = pos[end], neg[end]
    return np.asarray(blocks[ends])


def _blocks(called: list[int], least: int) -> NDArray[np.intp]:
    """Return the last row of every block of at least `least` cases."""
    ends: list[int] = []
    total = 0
    while total + least <= called[-1]:
        ends.append(bisect_left(called, total + least))
        total = called[ends[-1]]
    # What is left at the bottom, too few for a block, belongs to the last one.
    return np.array([*ends[:-1], len(called) - 1], dtype=np.intp)
