"""Random numbers of a mixture: one in [0, 1) for each row, from a random stream or from the row itself."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from thresher.typing import FloatArray

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def row_numbers(X: Any, seed: int) -> FloatArray:
    """Return a number for each row that depends on the row's values and the seed only.

    Equal rows get equal numbers, in whatever order and company they come; numbers of different rows look uniform and
    independent. Numeric tables are mixed column by column (the finaliser of SplitMix64), others row by row.
    """
    if issparse(X):
        return _of_sparse(csr_array(X), seed)
    table = np.asarray(X)
    if table.ndim == 1:
        table = table.reshape(-1, 1)
    if table.dtype.kind not in "biuf":
        return _of_objects(table, seed)
    # Adding 0 makes -0.0 and 0.0 one; integers and bools are the floats they equal.
    bits = np.ascontiguousarray(table.astype(np.float64) + 0.0).view(np.uint64)
    state = np.full(table.shape[0], _start(seed), dtype=np.uint64)
    for j in range(table.shape[1]):
        state = _mixed(state ^ bits[:, j])
    return _fractions(_mixed(state))


def _start(seed: int) -> int:
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return SplitMix64's next words; unsigned arithmetic wraps, as it must."""
    state = state + _STEP
    state = (state ^ (state >> np.uint64(30))) * _MIX[0]
    state = (state ^ (state >> np.uint64(27))) * _MIX[1]
    return state ^ (state >> np.uint64(31))


def _fractions(words: NDArray[np.uint64]) -> FloatArray:
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _of_sparse(table: Any, seed: int) -> FloatArray:
    """Return the numbers that the dense table would get."""
    step = max(1, (1 << 20) // max(table.shape[1], 1))
    parts = [row_numbers(table[first : first + step].toarray(), seed) for first in range(0, table.shape[0], step)]
    return np.concatenate(parts) if parts else np.empty(0)


def _of_objects(table: NDArray[Any], seed: int) -> FloatArray:
    key = str(seed).encode()[:64]
    words = [
        int.from_bytes(blake2b(repr(row.tolist()).encode(), digest_size=8, key=key).digest(), "little")
        for row in table.reshape(table.shape[0], -1)
    ]
    return _fractions(np.array(words, dtype=np.uint64))
