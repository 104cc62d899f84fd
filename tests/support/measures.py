"""Measures as the tests ask for them: with options, on many tables, and between models on the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import thresher as th
from thresher._compare.paired_rows import difference_variances, read_rows
from thresher._table import Batch
from thresher.measures import Measure
from thresher.typing import FloatArray

__all__ = ["differences", "options_of", "values_of"]

NEEDED: dict[str, dict[str, Any]] = {
    "recall_at_fpr": {"fpr": 0.1},
    "fpr_at_recall": {"recall": 0.8},
    "precision_at_recall": {"recall": 0.8},
    "recall_at_precision": {"precision": 0.6},
    "net_benefit": {"threshold_probability": 0.2},
    "precision_at_depth": {"depth": 40},
    "recall_at_depth": {"depth": 40},
    "partial_roc_auc": {"fpr": (0.0, 0.2)},
    "enrichment_factor": {"fraction": 0.2},
    "utility": {"threshold": 0.3, "utility_tp": 1.0},
}


def options_of(name: str) -> dict[str, Any]:
    """Return options with which a measure can be asked for by name, for some hundred rows with probabilities."""
    if name in NEEDED:
        return NEEDED[name]
    try:
        th.measures.as_measure(name)
    except th.InvalidInputError:
        return {"threshold": 0.3}
    return {}


def values_of(measure: Measure, pos: Any, neg: Any, scores: Any = None) -> FloatArray:
    """Return the values of many tables, one a row, whose columns run from the highest score down."""
    pos, neg = np.atleast_2d(pos).astype(np.float64), np.atleast_2d(neg).astype(np.float64)
    return measure.values(Batch(pos, neg, np.flatnonzero(pos.any(axis=0)), scores))


def differences(measure: Measure, y: Any, columns: Sequence[Any], **rows: Any) -> tuple[FloatArray, float]:
    """Return the variance of the difference between each two models on the same rows, and its degrees of freedom."""
    paired = read_rows(y, {str(i): column for i, column in enumerate(columns)}, **rows)
    return difference_variances(paired, measure, [paired.counts(i) for i in range(len(columns))])
