"""Labels, scores, weights and counts of every kind and size: a table that adds up, or a `ThresherError`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import thresher as th

__all__ = ["case"]

_CALLS = 10
_NUMBERS: list[Any] = [
    0,
    1,
    -1,
    2,
    0.5,
    -0.0,
    5e-324,
    1e-320,
    1e-76,
    1e-75,
    1e75,
    1e200,
    1.8e308,
    math.inf,
    -math.inf,
    math.nan,
]
_NUMBERS += [
    2**53,
    2**53 + 1,
    2**62 - 1,
    2**62,
    2**63 - 1,
    2**63,
    2**64,
    10**30,
    10**400,
    -(2**63),
    True,
    None,
    "x",
    1j,
]
_DTYPES = ["?", "b", "B", "h", "i", "q", "Q", "e", "f", "d", "g", "c16", "M8[s]", "O", "U3", "S3"]


def _column(rng: np.random.Generator, n: int, *, tame: float) -> Any:
    kind = rng.random()
    if kind < tame:
        return rng.integers(0, 2, n)
    if kind < tame + 0.1:
        return rng.random(n)
    if kind < tame + 0.2:
        return [_NUMBERS[int(k)] for k in rng.integers(0, len(_NUMBERS), n)]
    if kind < tame + 0.3:
        return [_NUMBERS[int(rng.integers(0, len(_NUMBERS)))]] * n
    raw = rng.integers(0, 256, 32 * max(n, 1), dtype=np.uint8)
    dtype = str(rng.choice(_DTYPES))
    if dtype in ("O", "U3", "S3"):
        return np.array([_NUMBERS[int(k)] for k in rng.integers(0, len(_NUMBERS), n)], dtype=object)
    if dtype in ("M8[s]", "?"):
        return rng.integers(0, 2, n).astype(dtype)
    with np.errstate(all="ignore"):
        return np.resize(raw.view(np.dtype(dtype)), n)


def _check(table: th.Scores) -> None:
    if len(table) == 0 or not (table.thresholds[1:] < table.thresholds[:-1]).all():
        raise AssertionError("thresholds must fall")
    if (
        table.pos.min() < 0
        or table.neg.min() < 0
        or not (np.isfinite(table.pos).all() and np.isfinite(table.neg).all())
    ):
        raise AssertionError("counts must be numbers from 0 up")
    if table.n_pos > 0 and table.n_neg > 0:
        area = table.roc_auc().value
        if not 0.0 <= area <= 1.0 + 1e-12:
            raise AssertionError(f"an area must lie in [0, 1]; got {area}")
        low, high = table.pr_auc().value, table.roc().tpr[-1]
        if not (0.0 <= low <= 1.0 + 1e-9 and high == 1.0):
            raise AssertionError(f"the curve must end at 1; got {low}, {high}")


def _one(rng: np.random.Generator) -> None:
    n = int(rng.choice([0, 1, 2, 5, 9]))
    other = n if rng.random() < 0.9 else int(rng.integers(0, 4))
    scores, weight = _column(rng, n, tame=0.2), _column(rng, other, tame=0.1)
    how = int(rng.integers(0, 6))
    if how == 0:
        _check(th.Scores(_column(rng, other, tame=0.8), scores))
    elif how == 1:
        _check(th.Scores(_column(rng, n, tame=0.9), scores, sample_weight=weight))
    elif how == 2:
        _check(th.Scores.from_counts(scores, _column(rng, n, tame=0.3), weight))
    elif how == 3:
        _check(
            th.Scores.from_pos_neg(
                scores, _column(rng, other, tame=0.3), pos_weight=None if rng.random() < 0.5 else weight
            )
        )
    elif how == 4:
        _check(th.Scores.from_soft_labels(rng.random(n) ** 300, scores, sample_weight=weight))
    else:
        _check(
            th.Scores(rng.integers(0, 2, n), scores)
            + th.Scores.from_counts(_column(rng, 2, tame=0.2), [2**61, 1], [1, 2**61])
        )


def case(rng: np.random.Generator) -> int:
    """Build some tables."""
    for _ in range(_CALLS):
        try:
            _one(rng)
        except th.ThresherError as error:
            if len(str(error)) > 2000 or "\n" in str(error):
                raise AssertionError("a message must be short") from error
    return _CALLS
