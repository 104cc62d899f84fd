"""Warnings for averages over classes: rare classes, separated ones, and average precision of few positives."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._classes.values import ClassValues
from thresher._core.checks import show, warn
from thresher.exceptions import UndefinedMetricError
from thresher.measures import Measure, PrAuc, RocAuc
from thresher.typing import FloatArray

__all__ = ["warn_of_classes"]

FEW = 10
FEW_FOR_PRECISION = 30
_MUCH = 0.25


def warn_of_classes(
    measure: Measure, found: ClassValues, labels: tuple[Any, ...], average: str | None, weights: FloatArray
) -> None:
    """Warn if the classes make an average or its interval rough; `average` is None for single classes."""
    cases = np.minimum(found.n_pos, found.n_neg)
    rarest = int(np.argmin(cases))
    fewest, name = float(cases[rarest]), show(labels[rarest])
    if average is not None and fewest <= 1.0:
        raise UndefinedMetricError(
            f"An average needs two cases of every class for its standard error; {name} has {fewest:g}. "
            "Hint: leave its column out; `per_class` has the value of each class."
        )
    few = found.n_pos < FEW_FOR_PRECISION
    if average is not None and isinstance(measure, PrAuc) and float(weights[few].sum()) > _MUCH * float(weights.sum()):
        warn(
            f"{int(few.sum())} of {len(labels)} classes have under {FEW_FOR_PRECISION} cases, {name} {fewest:.3g}; "
            "average precision of few positives is too high on average, and the interval undercovers. "
            "Hint: report the `micro` average or ROC AUC beside it."
        )
    elif fewest < FEW and average in (None, "macro", "hand_till"):
        part = "" if average is None else f", which has {1.0 / len(labels):.0%} of the weight in the average"
        if average is not None and found.columns.size:
            variances = np.diag(found.covariance)
            part += f" and {variances[rarest] / max(float(variances.sum()), 1e-300):.0%} of the variance"
        cases_text = f"{fewest:.3g} case{'' if fewest == 1.0 else 's'}"
        warn(
            f"Class {name} has {cases_text}{part}; its variance is estimated roughly. "
            "Hint: report `weighted` or `micro` averages beside it."
        )
    apart = np.flatnonzero(found.values >= 1.0)
    if average is not None and measure == RocAuc() and apart.size:
        warn(
            f"Class {show(labels[int(apart[0])])} is separated from the rest, so this sample shows no variance of it; "
            "only Newcombe's method allows for unseen errors. Hint: collect more cases."
        )
