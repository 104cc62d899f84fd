"""The bootstrap from labels and scores: single rows, weighted rows, or whole groups."""

from __future__ import annotations

from thresher._core.arrays import as_labels, as_scores, as_vector, as_weights, unequal
from thresher._inference.bootstrap.distribution import BootstrapDistribution, bootstrap_counts, run_bootstrap, warn_few
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.bootstrap.row_resampling import RowPlan, RowTable, make_units
from thresher._table import Counts, check_two_classes
from thresher.typing import ArrayLike

__all__ = ["bootstrap_rows"]


def bootstrap_rows(
    y_true: ArrayLike,
    y_score: ArrayLike,
    measure: Measured,
    resampling: Resampling,
    *,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> BootstrapDistribution:
    """Resample cases, or whole groups of cases, and measure each resample."""
    counts = Counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    check_two_classes(counts, "The bootstrap")
    if groups is None and sample_weight is None:
        return bootstrap_counts(counts.pos, counts.neg, measure, resampling)
    positive, scores = as_labels(y_true, pos_label), as_scores(y_score)
    weight = None
    if sample_weight is not None:
        weight = as_weights(sample_weight, scores.size)
        kept = weight > 0
        if groups is not None:
            members = as_vector(groups, "groups")
            if members.size != kept.size:
                raise unequal("groups", members.size, "y_true", kept.size)
            groups = members[kept]
        positive, scores, weight = positive[kept], scores[kept], weight[kept]
    units = make_units(positive, groups, stratified=resampling.stratified)
    if resampling.stratified:
        n_pos, n_neg = (stratum.size for stratum in units.strata)
        warn_few(n_pos, n_neg, measure, unit="case" if groups is None else "group")
    plan = RowPlan(units, RowTable(positive, scores, units, weight=weight, path_only=measure.path_only))
    return run_bootstrap(plan, measure, resampling)
