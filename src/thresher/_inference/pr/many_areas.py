"""Areas under the PR curves of many tables of counts at once, with standard errors: the bits of each by itself."""

from __future__ import annotations

import numpy as np

from thresher._core import native
from thresher._inference.pr.asymptotic import counted_variance
from thresher._table import ManyTables
from thresher.typing import FloatArray

__all__ = ["many_pr_areas"]


def many_pr_areas(
    tables: ManyTables, estimator: str = "interpolated", prevalence: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the area of each table and its standard error, by the compiled kernels, which must be there."""
    n_pos, n_neg = (column.astype(np.float64) for column in tables.totals)
    columns = tables.pos, tables.neg, tables.ends
    with np.errstate(divide="ignore", invalid="ignore"):
        if prevalence is None:
            scale = np.ones(n_pos.size)
            area, spread = native.many_pr(*columns, estimator, scale)
        else:  # the value and its error are rounded as those of a single table, which multiply in another order
            odds = (1.0 - prevalence) / prevalence
            area, _ = native.many_pr(*columns, estimator, odds * (n_pos / n_neg))
            scale = odds * n_pos / n_neg
            _, spread = native.many_pr(*columns, estimator, scale)
        variance = counted_variance(spread, n_pos, n_neg, scale, random=prevalence is None)
        values = np.where((n_pos > 0) & (n_neg > 0), area / n_pos, np.nan)
        return values, np.where((n_pos > 1) & (n_neg > 1), np.sqrt(variance), np.nan)
