"""Sampling designs: how the rows of a table were drawn, and what follows for variances and resamples."""

from thresher._inference.sampling.case_values import Cases, Moments, Stratum, joint_df, satterthwaite_df, strata_of
from thresher._inference.sampling.checks import (
    FEW_EFFECTIVE,
    check_counted,
    check_weights,
    check_whole,
    refuse_clusters,
    warn_few_heavy_negatives,
    warn_odds_are_estimated,
    warn_prevalence_is_set,
)
from thresher._inference.sampling.design import (
    Clustered,
    Sampling,
    acceleration,
    cluster_spread,
    clusters_of,
    row_spread,
    rows_sampling,
    sampling_of,
)
from thresher._inference.sampling.draws import CountDraws, Draws, Measured, asked_of, at_once
from thresher._inference.sampling.influence import Influence, Spread, centred, mean_influence, quantile
from thresher._inference.sampling.kernel import Kernel
from thresher._inference.sampling.table_draw import TableDraw, drawn_by_case
from thresher._inference.sampling.units import (
    UnitDraws,
    Units,
    UnitTables,
    cluster_codes,
    make_units,
    unit_values,
    units_at_once,
)

__all__ = [
    "FEW_EFFECTIVE",
    "Cases",
    "Clustered",
    "CountDraws",
    "Draws",
    "Influence",
    "Kernel",
    "Measured",
    "Moments",
    "Sampling",
    "Spread",
    "Stratum",
    "TableDraw",
    "UnitDraws",
    "UnitTables",
    "Units",
    "acceleration",
    "asked_of",
    "at_once",
    "centred",
    "check_counted",
    "check_weights",
    "check_whole",
    "cluster_codes",
    "cluster_spread",
    "clusters_of",
    "drawn_by_case",
    "joint_df",
    "make_units",
    "mean_influence",
    "quantile",
    "refuse_clusters",
    "row_spread",
    "rows_sampling",
    "sampling_of",
    "satterthwaite_df",
    "strata_of",
    "unit_values",
    "units_at_once",
    "warn_few_heavy_negatives",
    "warn_odds_are_estimated",
    "warn_prevalence_is_set",
]
