"""Counting where the data are: torch, CuPy, JAX and other Array API arrays, on whatever device they live.

Only keys are sorted, no permutation is carried along: the positives apart from the rest, and the two are met by
bisection. Sums are exact integers, so an AUC-ROC has the same bits as on the processor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat

from thresher.exceptions import InvalidInputError

__all__ = ["DeviceTable", "count_on_device", "twice_u_on_device"]

_CHUNK = 1 << 26
"""How many scores are looked up at a time: bounds the memory beside the scores themselves."""


class DeviceTable(NamedTuple):
    """Distinct scores, highest first, with the positives and negatives at or above each; arrays of the input's kind."""

    thresholds: Any
    tp: Any
    fp: Any
    n_pos: int
    n_neg: int


def _prepared(scores: Any, is_positive: Any) -> tuple[Any, Any, Any]:
    """Return the namespace, scores that compare exactly, and a boolean mask."""
    xp = array_api_compat.array_namespace(scores, is_positive)
    if scores.ndim != 1 or is_positive.shape != scores.shape:
        raise InvalidInputError(
            "`y_true` and `y_score` must be one-dimensional and of the same length; "
            f"got shapes {tuple(is_positive.shape)} and {tuple(scores.shape)}."
        )
    if xp.isdtype(scores.dtype, "bool"):
        scores = xp.astype(scores, xp.uint8)
    elif str(scores.dtype).rpartition(".")[2] in ("float16", "bfloat16"):
        # Not every library sorts or bisects half precision; single precision holds the same numbers.
        scores = xp.astype(scores, xp.float32)
    if not xp.isdtype(is_positive.dtype, "bool"):
        is_positive = is_positive == 1
    return xp, scores, is_positive


def _chunks(array: Any) -> list[Any]:
    size = int(array.shape[0])
    return [array[begin : min(begin + _CHUNK, size)] for begin in range(0, size, _CHUNK)]


def _sorted(xp: Any, scores: Any) -> Any:
    """Return the scores in ascending order; NaN, which every library puts at an end, is refused."""
    ordered = xp.sort(scores)
    if (
        ordered.shape[0]
        and xp.isdtype(ordered.dtype, "real floating")
        and bool(xp.any(xp.isnan(ordered[:: max(ordered.shape[0] - 1, 1)])))
    ):
        count = int(xp.count_nonzero(xp.isnan(scores)))
        raise InvalidInputError(
            f"`y_score` must not contain NaN; got NaN in {count} of {scores.shape[0]} rows. "
            "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
        )
    return ordered


def _twice_beaten(xp: Any, many: Any, few: Any) -> int:
    """Return how many of `many` each of `few` exceeds, plus how many it exceeds or equals, summed; both are sorted."""
    return sum(
        int(xp.sum(xp.searchsorted(many, part, side=side), dtype=xp.int64))
        for part in _chunks(few)
        for side in ("left", "right")
    )


def twice_u_on_device(scores: Any, is_positive: Any) -> tuple[int, int, int]:
    """Return twice U (a tied pair counts once), the positives and the negatives.

    AUC-ROC is `twice_u / (2 * n_pos * n_neg)`. Needs room for a sorted copy of the scores, of the smaller class, and
    for one chunk.
    """
    xp, scores, positive = _prepared(scores, is_positive)
    n = int(scores.shape[0])
    n_pos = int(xp.count_nonzero(positive))
    n_neg = n - n_pos
    few = min(n_pos, n_neg)
    if few == 0:
        _sorted(xp, scores)
        return 0, n_pos, n_neg
    smaller = positive if n_pos <= n_neg else ~positive
    chosen = _sorted(xp, scores[smaller])
    if 4 * few < n:
        # Taking the larger class out costs more than sorting the few along with it; among themselves they beat few**2.
        beaten = _twice_beaten(xp, _sorted(xp, scores), chosen) - few * few
    else:
        beaten = _twice_beaten(xp, _sorted(xp, scores[~smaller]), chosen)
    return (beaten if n_pos <= n_neg else 2 * n_pos * n_neg - beaten), n_pos, n_neg


def count_on_device(scores: Any, is_positive: Any) -> DeviceTable:
    """Sort and count; the arrays of the table stay on the device."""
    xp, scores, positive = _prepared(scores, is_positive)
    n = int(scores.shape[0])
    if n == 0:
        raise InvalidInputError("`y_score` must not be empty; got 0 rows. Hint: give at least one row.")
    pos = xp.sort(scores[positive])
    n_pos = int(pos.shape[0])
    ordered = _sorted(xp, scores)
    first = xp.ones((1,), dtype=xp.bool, device=array_api_compat.device(scores))
    is_start = xp.concat((first, ordered[1:] != ordered[:-1]))
    starts = xp.astype(xp.nonzero(is_start)[0], xp.int64)
    values = ordered[is_start]
    if xp.isdtype(values.dtype, "real floating"):
        values = values + xp.zeros((), dtype=values.dtype, device=array_api_compat.device(values))  # -0.0 becomes 0.0
    parts = [xp.searchsorted(pos, part, side="left") for part in _chunks(values)]
    below = xp.astype(parts[0] if len(parts) == 1 else xp.concat(parts), xp.int64)
    tp = n_pos - below
    fp = (n - starts) - tp
    return DeviceTable(xp.flip(values), xp.flip(tp), xp.flip(fp), n_pos, n - n_pos)
