"""Points of the curve of rows on a device: its ends, its hull, those around a rate or a threshold.

Each comes with the next lower score, as an operating point has it; nothing as long as the rows leaves the device.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import device
from thresher._core.device import to_host
from thresher._core.device_path import negative_keys, whole_numbers
from thresher._core.device_ranks import DeviceRanks
from thresher._core.hull import upper_hull
from thresher.typing import IntArray

__all__ = ["ends_on_device", "hull_on_device", "rows_around"]

Rows = tuple[NDArray[Any], IntArray, IntArray]
"""Scores, highest first, with the true and false positives at or above each."""

_FEW_POINTS = 4096
_MOST_PASSES = 40


def ends_on_device(ranks: DeviceRanks) -> NDArray[Any]:
    """Return the highest and the lowest score."""
    xp = ranks.xp
    sides = [ranks.pos] * bool(ranks.n_pos) + [ranks.other + ranks.shift] * bool(ranks.other.shape[0])
    highest, lowest = (xp.stack([side[place] for side in sides]) for place in (-1, 0))
    return to_host(ranks.scores(xp.stack((xp.max(highest), xp.min(lowest)))))


def hull_on_device(ranks: DeviceRanks) -> Rows:
    """Return scores, true and false positives at the vertices of the ROC convex hull after (0, 0).

    Points on or under the chord of their neighbours go, all at once, until few are left for the processor.
    """
    xp = ranks.xp
    parts = [(step.keys, step.tp, step.fp) for step in ranks.steps()]
    keys, tp, fp = (xp.flip(xp.concat(columns)) for columns in zip(*parts, strict=True))
    none = device._like(xp, tp, [0])
    x = xp.concat((none, fp, none + ranks.n_neg))
    y = xp.concat((none, tp, none + ranks.n_pos))
    index = xp.cumulative_sum(xp.ones_like(x)) - 1
    for _ in range(_MOST_PASSES):
        if x.shape[0] <= _FEW_POINTS:
            break
        area = (x[2:] - x[:-2]) * (y[1:-1] - y[:-2]) - (y[2:] - y[:-2]) * (x[1:-1] - x[:-2])
        kept = xp.concat((ranks._true(), area > 0, ranks._true()))
        x, y, index = x[kept], y[kept], index[kept]
    across, up = to_host(x), to_host(y)
    vertices = upper_hull(across, up)[1:]
    at = whole_numbers(ranks, to_host(index)[vertices[:-1]] - 1)
    scores = to_host(ranks.scores(xp.take(keys, at)))
    return np.append(scores, ends_on_device(ranks)[1:]), up[vertices], across[vertices]


def rows_around(ranks: DeviceRanks, name: str, target: float) -> Rows:
    """Return the rows at which a curve passes a threshold, or a number of false ("fpr") or true positives.

    That is the row at or after it, with the ones before and after that, and the first and the last of all.
    """
    n_pos, n_neg = ranks.n_pos, ranks.n_neg
    if name == "threshold":
        wanted, beyond = ranks._rounded_up(np.array([target]))
        found = ends_on_device(ranks)[:1] if beyond[0] else _scores_from(ranks, ranks._keys(wanted), "left")[0]
    elif name == "fpr":
        found = to_host(ranks.scores(negative_keys(ranks, np.array([min(math.floor(target) + 1, n_neg)]))))
    else:
        place = n_pos - min(max(math.ceil(target), 1), n_pos)
        found = to_host(ranks.scores(ranks.pos[place : place + 1]))
    ends = ends_on_device(ranks)
    scores = [ends, found]
    if found.size:
        keys = ranks._keys(found)
        scores += [_scores_from(ranks, keys, "right")[0], _scores_from(ranks, keys, "left")[1]]
    kept = np.unique(np.concatenate(scores))[::-1]
    tp, fp = ranks.counts_at(kept)
    return kept, tp, fp


def _scores_from(ranks: DeviceRanks, key: Any, side: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lowest score from a key on (above it: "right") and the highest one before; empty where none is."""
    xp, from_it, before = ranks.xp, [], []
    for keys, shift in ((ranks.pos, 0), (ranks.other, ranks.shift)):
        place = int(ranks._search(keys, key - shift if shift else key, side)[0])
        from_it.append(keys[place : place + 1] + shift)
        before.append(keys[max(place - 1, 0) : place] + shift)
    lowest, highest = (xp.sort(xp.concat(some)) for some in (from_it, before))
    return to_host(ranks.scores(lowest[:1])), to_host(ranks.scores(highest[-1:]))
