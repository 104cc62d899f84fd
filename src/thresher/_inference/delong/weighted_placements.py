"""Placements: where each case stands among the cases of the other class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._core.sums import cumulative, dot
from thresher.typing import CountArray, FloatArray

__all__ = ["Sides", "deviations", "sides"]


class Sides(NamedTuple):
    """The two coordinates of the ROC curve before and after each distinct score, highest score first.

    A positive at score i loses against the negatives above it: its placement is a false positive rate between
    `fpr_before[i]` and `fpr_after[i]`, any value between being equally right where scores tie. Likewise for negatives.
    """

    n_pos: float
    n_neg: float
    fpr_before: FloatArray
    fpr_after: FloatArray
    tpr_before: FloatArray
    tpr_after: FloatArray


def sides(pos: CountArray, neg: CountArray) -> Sides:
    """Return the rates on both sides of each distinct score; counts in descending order of score."""
    tp, fp = cumulative(pos), cumulative(neg)
    n_pos, n_neg = float(tp[-1]), float(fp[-1])
    return Sides(
        n_pos,
        n_neg,
        fpr_before=np.append(0.0, fp[:-1] / n_neg),
        fpr_after=fp / n_neg,
        tpr_before=np.append(0.0, tp[:-1] / n_pos),
        tpr_after=tp / n_pos,
    )


def deviations(loss: CountArray, weight: CountArray, opponents: float) -> tuple[float, FloatArray]:
    """Return (mean share lost, share lost minus that mean) from twice the opponents each case loses to.

    Element i of `loss` counts 2 for every opponent that beats case i and 1 for every tie; `weight[i]` cases share it.
    """
    share = loss / (2.0 * opponents)
    mean = dot(weight, share) / float(weight.sum())
    return mean, share - mean
