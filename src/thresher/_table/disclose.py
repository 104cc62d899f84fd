"""A table fit to leave a site: no small counts."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray

if TYPE_CHECKING:
    from thresher._table.table import CountTable

__all__ = ["disclosed"]

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
