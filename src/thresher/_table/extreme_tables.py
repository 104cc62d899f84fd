"""The worst and the best data that a compressed table can stand for."""

from __future__ import annotations

import numpy as np

from thresher._core.counting import Table
from thresher._table.counts import Counts

__all__ = ["extreme_tables", "overlapping"]


def extreme_tables(counts: Counts) -> tuple[Counts, Counts]:
    """Return tables between which every curve lies that `counts` can have come from.

    A row that merged several scores knows only their range. At worst its positives stand at the bottom of the range,
    below everything else there, and its negatives at the top, above everything else; at best the other way round.
    Thresholds of the result are ranks.
    """
    merged = counts._highest_scores > counts.thresholds
    return _placed(counts, merged, lucky=False), _placed(counts, merged, lucky=True)


def overlapping(counts: Counts) -> bool:
    """Return whether ranges overlap, as they may in sums of compressed tables and in sketches."""
    return not counts._complete and bool((counts._highest_scores[1:] >= counts.thresholds[:-1]).any())


def _placed(counts: Counts, merged: np.ndarray, *, lucky: bool) -> Counts:
    whole = ~merged
    none = np.zeros(int(merged.sum()), dtype=counts.pos.dtype)
    pos_place, neg_place = (
        (counts._highest_scores, counts.thresholds) if lucky else (counts.thresholds, counts._highest_scores)
    )
    pos_side, neg_side = (1, -1) if lucky else (-1, 1)
    scores = np.concatenate((counts.thresholds[whole], pos_place[merged], neg_place[merged]))
    side = np.concatenate((np.zeros(int(whole.sum())), np.full(none.size, pos_side), np.full(none.size, neg_side)))
    pos = np.concatenate((counts.pos[whole], counts.pos[merged], none))
    neg = np.concatenate((counts.neg[whole], none, counts.neg[merged]))
    kept = (pos > 0) | (neg > 0)
    scores, side, pos, neg = scores[kept], side[kept], pos[kept], neg[kept]
    order = np.lexsort((side, scores))[::-1]
    scores, side = scores[order], side[order]
    new = np.append(True, (scores[1:] != scores[:-1]) | (side[1:] != side[:-1]))
    starts = np.flatnonzero(new)
    table: Table = (
        np.arange(starts.size, 0, -1).astype(np.float64),
        np.add.reduceat(pos[order], starts),
        np.add.reduceat(neg[order], starts),
    )
    return Counts._from_table(table)
