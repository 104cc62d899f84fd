"""Every measure with options that suit data of some hundred rows with probabilities as scores."""

from __future__ import annotations

from typing import Any

import thresher as th

__all__ = ["options_of"]

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
    """Return options with which a measure can be asked for by name."""
    if name in NEEDED:
        return NEEDED[name]
    try:
        th.measures.as_measure(name)
    except th.InvalidInputError:
        return {"threshold": 0.3}
    return {}
