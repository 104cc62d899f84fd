"""Areas under very many ROC curves with DeLong's errors, from the exact sums of each."""

from __future__ import annotations

import math

import numpy as np

from thresher._core import native
from thresher._core.many_sums import SumTable
from thresher._inference.delong.delong import delong_from_sums
from thresher.typing import FloatArray, IntArray

__all__ = ["areas_of_sums", "areas_of_sums_numpy"]

_EXACT = 2.0**52


def areas_of_sums(sums: SumTable) -> tuple[FloatArray, FloatArray]:
    """Return areas and DeLong's errors: quotients of whole numbers, each rounded once, as for a single table.

    Areas are NaN where a class is missing, errors where it has not more than one row.
    """
    auc, error, large = native.many_areas(sums) if native.available() else areas_of_sums_numpy(sums)
    for i, row in zip(large.tolist(), sums[large].tolist(), strict=True):
        exact = native.DelongSums(*((row[k] << 64) | row[k + 1] for k in (5, 7, 3)))
        m, n = row[1], row[2]
        auc[i] = exact.twice_u / (2 * m * n)
        if m > 1 and n > 1:
            error[i] = math.sqrt(delong_from_sums(exact, m, n).variance)
    return auc, error


def areas_of_sums_numpy(sums: SumTable) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the same with NumPy alone, and the rows that are left: their quotients are none of doubles."""
    n_pos, n_neg = sums[:, 1].astype(np.int64), sums[:, 2].astype(np.int64)
    pairs = 2.0 * n_pos * n_neg
    auc, variance = np.full(n_pos.size, np.nan), np.full(n_pos.size, np.nan)
    # Below 2**52 numerators and denominators are exact in doubles, and their quotient is rounded once.
    plain = np.flatnonzero((pairs > 0) & (pairs < _EXACT))
    auc[plain] = sums[plain, 4].astype(np.float64) / pairs[plain]
    whole = pairs * pairs * (n_pos - 1.0) * (n_neg - 1.0)
    small = np.flatnonzero((whole > 0) & (whole < _EXACT))
    m, n = n_pos[small], n_neg[small]
    twice_u, of_pos, of_neg = (sums[small, column].astype(np.int64) for column in (4, 6, 8))
    apart = (m * of_pos - twice_u**2) * (n - 1) + (n * of_neg - twice_u**2) * (m - 1)
    variance[small] = apart.astype(np.float64) / whole[small]
    return auc, np.sqrt(variance), np.flatnonzero((pairs >= _EXACT) | (whole >= _EXACT))
