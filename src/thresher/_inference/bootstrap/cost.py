"""How long resampling takes, roughly: whether a repr can wait for an interval."""

from __future__ import annotations

import numpy as np

from thresher._core import native
from thresher._inference.bootstrap.distribution import Resampled, table_for
from thresher._inference.sampling import clusters_of, drawn_by_case
from thresher._table import Counts

__all__ = ["PATIENCE", "resampling_seconds"]

PATIENCE = 0.2
"""Seconds that a repr may take."""
# Nanoseconds on one core of a processor of 2023, by replicate: to draw a case; to draw and measure one in the compiled
# kernel; to draw all cases of a column from a binomial distribution; to measure it with NumPy, once or table by table.
_DRAW, _MEASURED, _BY_COLUMN, _VALUES, _ONE_BY_ONE = 0.6, 1.4, 60.0, 15.0, 120.0
_EACH_TABLE = 50_000.0
# Replicates of NumPy's that leave out a case, for the acceleration of BCa.
_LEFT_OUT = 800


def resampling_seconds(counts: Counts, measure: Resampled, n_resamples: int) -> float:
    """Return about how long so many resamples take; it depends on the sizes of the data alone."""
    table = table_for(counts, measure)
    columns = 2 if measure.cut is not None else len(table)
    clusters = clusters_of(table)
    rows = float(table.n_pos + table.n_neg) if clusters is None else float(clusters.code.size)
    rows = rows if np.isfinite(rows) and table._weight_squares is None else float(len(table))
    kernel = measure.kernel if native.available() else None
    known = kernel is not None and kernel.asked(weights=table._weight_squares is not None) is not None
    by_case = clusters is not None or drawn_by_case(int(rows), columns)
    if by_case and known:
        return n_resamples * rows * _MEASURED * 1e-9
    own = getattr(type(measure), "values", None)
    one_by_one = own is not None and getattr(own, "__module__", "") == "thresher.measures._measure"
    values = _ONE_BY_ONE * columns + _EACH_TABLE if one_by_one else _VALUES * columns
    draw = rows * _DRAW if by_case else columns * _BY_COLUMN
    return ((n_resamples + _LEFT_OUT) * values + n_resamples * draw) * 1e-9
