"""A population curve as a list of operating points."""

from __future__ import annotations

import numpy as np

from thresher.exceptions import InvalidInputError
from thresher.population._laws import Law
from thresher.population._points import Points, plain
from thresher.typing import FloatArray

__all__ = ["trace"]


def trace(pos: Law, neg: Law, n_points: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return thresholds, true and false positive rates, from calling nothing to calling everything."""
    share = max(n_points // 2, 2)
    middle = np.linspace(0.02, 0.98, share)
    pieces = []
    for law in (pos, neg):
        if law.leaves():
            pieces += [_edge(law, share // 4, upper=True), law.isf_points(middle), _edge(law, share // 4, upper=False)]
        pieces += [plain(law.atoms()[0]), plain(law.breaks())]
    points = Points(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))
    points = points.select(np.isfinite(points.offset))
    tpr, fpr, value = pos.ge_at(points), neg.ge_at(points), points.value
    order = np.lexsort((tpr + fpr, -value))
    value, tpr, fpr = value[order], np.maximum.accumulate(tpr[order]), np.maximum.accumulate(fpr[order])
    # The ends are exact, and a point that repeats the one before it says nothing new.
    value = np.concatenate([[np.inf], value, [-np.inf]])
    tpr, fpr = np.concatenate([[0.0], tpr, [1.0]]), np.concatenate([[0.0], fpr, [1.0]])
    tpr, fpr = np.minimum(tpr, 1.0), np.minimum(fpr, 1.0)
    moved = np.append(True, (np.diff(tpr) > 0) | (np.diff(fpr) > 0))
    return value[moved], tpr[moved], fpr[moved]


def _edge(law: Law, size: int, *, upper: bool) -> Points:
    """Return thresholds out to where the law can still be told from its end."""
    for least in (1e-9, 1e-6, 1e-4):
        q = np.geomspace(least, 0.02, max(size, 1))
        try:
            return law.isf_points(q) if upper else law.ppf_points(q)
        except InvalidInputError:
            continue
    return law.isf_points(np.array([0.02])) if upper else law.ppf_points(np.array([0.02]))
