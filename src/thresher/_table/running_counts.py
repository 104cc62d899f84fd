"""The running counts as the kernels left them, for passes that only read them: int32 instead of two int64 copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher._core import native
from thresher._core.device_path import device_delong_sums, device_ties
from thresher._core.device_ranks import has_doubles
from thresher._core.order import placement_sums
from thresher._core.sums import dot
from thresher.typing import CountArray

if TYPE_CHECKING:
    from thresher._table.table import CountTable

__all__ = ["device_pr_area", "kernels_take", "placement_sums_of", "running_counts", "shared_ties"]


def running_counts(counts: CountTable) -> tuple[CountArray, CountArray]:
    """Return `tp` and `fp`: int32 where the kernel counted so, else as the table has them."""
    if counts._running is not None:
        return counts._running.tp, counts._running.fp
    return counts.tp, counts.fp


def kernels_take(counts: CountTable) -> bool:
    """Return whether the compiled kernels can go over the running counts: they are here, and these are integers."""
    return native.available() and counts._whole


def shared_ties(counts: CountTable) -> native.Ties:
    """Return what the classes share: scores, the positives there, and pairs."""
    if counts._ranks is not None:
        return device_ties(counts._ranks)
    if kernels_take(counts):
        return native.ties(*running_counts(counts))
    shared = (counts.pos > 0) & (counts.neg > 0)
    pos, neg = counts.pos[shared], counts.neg[shared]
    return native.Ties(int(pos.size), pos.sum().item(), dot(pos.astype(np.float64), neg))


def placement_sums_of(counts: CountTable) -> native.DelongSums | None:
    """Return the exact sums over the placements, from where the rows are; None of columns that may be no integers."""
    figures, running = counts._figures, None
    if figures is not None:  # sums over all scores, of a table with some of them
        return native.DelongSums(figures.pos_placement_squares, figures.neg_placement_squares, figures.twice_u)
    on_device = None if counts._ranks is None else device_delong_sums(counts._ranks)
    if on_device is None:
        running = counts._running  # the columns as they were counted; others are made from them
    return on_device if running is None else placement_sums(running.tp, running.fp)


def device_pr_area(counts: CountTable, estimator: str) -> float | None:
    """Return the positives times an area under the PR curve, summed on the device where the rows are.

    None where they are not on one, or where it has no way to compute this area.
    """
    ranks = counts._ranks
    if ranks is None or not has_doubles(ranks.pos):
        return None
    if estimator == "average_precision":
        return ranks.average_precision()
    return ranks.interpolated() if estimator == "interpolated" else None
