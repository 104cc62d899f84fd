"""A user's program with types: a type checker must know what the public names give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_type

import numpy as np
import numpy.typing as npt
import pandas as pd

import thresher as th
from thresher.results import (
    CombinedEstimate,
    Comparison,
    ConfidenceInterval,
    Estimate,
    Estimates,
    GroupedEstimate,
    OperatingPoint,
    Summary,
    Tuned,
)


def area(y: Sequence[int], score: npt.NDArray[np.float64]) -> Estimate:
    """Count and measure."""
    scores = th.Scores(y, score, pos_label=1)
    assert_type(scores, th.Scores)
    assert_type(scores + scores, th.Scores)
    auc = scores.roc_auc()
    assert_type(auc, Estimate)
    assert_type(auc.confidence_interval(0.9), ConfidenceInterval)
    low, high = auc.confidence_interval()
    assert_type((low, high), tuple[float, float])
    assert_type(auc.standard_error(), float)
    assert_type(scores.measure("f1", threshold=0.5).value, float)
    return auc


def arithmetic(auc: Estimate, other: Estimate) -> float:
    """Calculate with estimates as with numbers."""
    assert_type(auc - other, float)
    assert_type(2 * auc + 1 - auc / 3, float)
    assert_type(-auc + abs(other) ** 2, float)
    assert_type(auc > 0.5, bool)
    assert_type(max(auc, other), Estimate)
    assert_type(round(auc, 2), float)
    return sum([float(auc), float(other)]) / 2


def compared(y: npt.NDArray[np.bool_], frame: pd.DataFrame) -> float:
    """Compare the columns of a frame."""
    result = th.compare(y, {"a": frame["a"], "b": frame["b"].to_numpy()}, metric="roc_auc")
    assert_type(result, Comparison)
    assert_type([pair.pvalue for pair in result.pairs], list[float])
    assert_type(result.estimates["a"], CombinedEstimate)
    difference: float = result.difference
    return difference + result.low


def in_groups(y: list[int], score: list[float], group: list[str]) -> Mapping[str, float]:
    """Measure groups of rows."""
    by = th.by_group(y, score, group)
    assert_type(by, GroupedEstimate)
    assert_type(by.value, float)
    return {str(name): float(value) for name, value in zip(by.groups, by.values, strict=True)}


def decided(scores: th.Scores) -> npt.NDArray[np.bool_]:
    """Choose thresholds."""
    choice = scores.choose_threshold("mcc", min_recall=0.5)
    assert_type(choice, OperatingPoint)
    assert_type(choice.threshold, float)
    assert_type(choice.recall, float)
    tuned = th.tune(scores, "f1")
    assert_type(tuned, Tuned)
    assert_type(tuned.evaluate(scores, allow_same_data=True).roc_auc(), Estimate)
    return np.asarray([0.1, 0.9]) >= choice.threshold


def drawn(scores: th.Scores) -> float:
    """Read curves."""
    roc = scores.roc()
    assert_type(roc, th.RocCurve)
    assert_type(roc.to_pr(), th.PrCurve)
    return float(np.trapezoid(roc.tpr, roc.fpr)) + roc.at(fpr=0.1).recall


def several(y: Sequence[int], models: Mapping[str, Sequence[float]]) -> float:
    """Measure several models."""
    many = th.estimates(y, models)
    assert_type(many, Estimates)
    assert_type(th.summary({name: th.Scores(y, score) for name, score in models.items()}), Summary)
    return many.mean().value


def main() -> None:
    """Run everything."""
    y, score = [0, 1, 0, 1, 1, 0, 1, 0] * 3, [0.1, 0.9, 0.4, 0.35, 0.8, 0.6, 0.7, 0.2] * 3
    scores, frame = th.Scores(y, score), pd.DataFrame({"a": score, "b": np.arange(24) / 24})
    auc = area(y, np.array(score))
    arithmetic(auc, scores.pr_auc())
    compared(np.array(y) == 1, frame)
    in_groups(y, score, ["p", "q", "r"] * 8)
    decided(scores)
    drawn(scores)
    several(y, {"a": score, "b": [*frame["b"]]})
