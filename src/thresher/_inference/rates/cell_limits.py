"""Limits of a metric of the four cells, from counts or from what weighted and clustered rows of the cells are worth."""

from __future__ import annotations

import math
from typing import Any

from thresher._cells import CellMetric, Matrix, cluster_scale, estimated_scale, limits
from thresher._table import CellSample

__all__ = ["cell_limits"]


def cell_limits(
    metric: CellMetric,
    cells: Matrix,
    sample: CellSample | None,
    *,
    method: str,
    level: float,
    design: str = "random",
    prevalence: float | None = None,
) -> tuple[float, float]:
    """Return the limits of a metric; of rows with weights or clusters, `sample` tells what they are worth."""
    how: dict[str, Any] = {"tail": (1.0 - level) / 2.0, "design": design, "prevalence": prevalence}
    if sample is not None:
        how["typical"] = Matrix(*sample.typical)
        if sample.clusters is not None and sample.cluster_rows is not None:
            how["scale"] = cluster_scale(metric, cells, sample.clusters, sample.cluster_rows, **how)
        if sample.added is not None and sample.squares is not None:
            worth = estimated_scale(
                metric,
                cells,
                sample.added,
                squares=Matrix(*sample.squares),
                clusters=sample.clusters,
                design=design,
                prevalence=prevalence,
            )
            how["scale"] = how.get("scale", 1.0) * worth
        if sample.rows is not None and (metric.free or prevalence is not None) and sample.independent:
            # Rows of a class weigh the same: its rates are those of the rows.
            cells, how["typical"] = Matrix(*sample.rows), None
    low, high = (float(one) for one in limits(metric, cells, method=method, **how))
    least, most = metric.bounds
    return (least if math.isnan(low) else low), (most if math.isnan(high) else high)
