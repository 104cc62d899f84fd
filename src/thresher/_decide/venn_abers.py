"""Venn-Abers prediction: the isotonic value of a score after one more case of either class is put there."""

from __future__ import annotations

import numpy as np

from thresher._curves import HullBlocks, blocks_of, hull_blocks
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = ["venn_abers"]

_MOST_SCORES = 20_000


def venn_abers(counts: Counts) -> tuple[FloatArray, FloatArray]:
    """Return, at each distinct score, the value with one negative more and with one positive more.

    Blocks that do not hold the score stay whole, because nothing in them changed; so each value needs the blocks and
    the scores of one of them, and not the whole table.
    """
    if counts._weighted:
        raise InvalidInputError("The calibrator 'venn-abers' adds one case, so it needs whole counts; got weights.")
    if len(counts) > _MOST_SCORES:
        raise InvalidInputError(
            f"The calibrator 'venn-abers' takes at most {_MOST_SCORES:,} distinct scores; got {len(counts):,}. "
            "Hint: method='isotonic' with ends='laplace', or round the scores."
        )
    blocks = blocks_of(counts)
    values = np.empty((2, len(counts)))
    for j, (first, last) in enumerate(zip(blocks.starts.tolist(), blocks.ends.tolist(), strict=True)):
        inside = slice(first, last + 1)
        pos = np.concatenate((blocks.pos[:j], counts.pos[inside], blocks.pos[j + 1 :]))
        neg = np.concatenate((blocks.neg[:j], counts.neg[inside], blocks.neg[j + 1 :]))
        for i in range(first, last + 1):
            values[:, i] = _with_one_more(pos, neg, j + i - first)
    return values[0], values[1]


def _with_one_more(pos: np.ndarray, neg: np.ndarray, at: int) -> tuple[float, float]:
    out = []
    for column in (neg, pos):
        column[at] += 1
        found: HullBlocks = hull_blocks(np.cumsum(pos), np.cumsum(neg))
        column[at] -= 1
        k = int(np.searchsorted(found.ends, at, side="left"))
        out.append(float(found.pos[k] / (found.pos[k] + found.neg[k])))
    return out[0], out[1]
