"""The table in which the classes have changed places."""

from __future__ import annotations

import numpy as np

from thresher._table.counts import Counts

__all__ = ["mirrored"]


def mirrored(counts: Counts) -> Counts:
    """Return the table with classes exchanged and the order of its scores reversed; whole numbers stand for scores.

    Its ROC curve is the mirror image of the other at the falling diagonal; weights and clusters come along.
    """
    squares, clusters, outcome = counts._weight_squares, counts._clusters, counts._outcome
    scores = -np.arange(len(counts))
    return Counts._from_table(
        (scores, counts.neg[::-1], counts.pos[::-1]),
        None,
        None if squares is None else squares.mirrored(),
        None if clusters is None else clusters.mirrored(len(counts)),
        None if outcome is None else outcome.mirrored(scores[::-1][outcome.cells(counts.thresholds)]),
    )
