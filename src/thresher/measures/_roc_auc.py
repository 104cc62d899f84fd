"""The area under the ROC curve: the share of pairs in which the positive stands above the negative."""

from __future__ import annotations

from functools import partial

from thresher._core.sums import accurate_sum
from thresher._curves.curve import check_two_classes
from thresher._table import Counts
from thresher._table.running_counts import shared_ties
from thresher.measures._estimate import AreaEstimate, bounded, centred
from thresher.typing import CountArray

__all__ = ["roc_auc", "roc_auc_value"]


def roc_auc(counts: Counts) -> AreaEstimate:
    """Return the area under the ROC curve of a count table; tied pairs count one half."""
    check_two_classes(counts, "The area under the ROC curve")
    value = centred(counts, roc_auc_value)
    bound = 0.0 if counts.exact else bounded(counts, value, roc_auc_value, roc_auc_value)
    return AreaEstimate(value, "roc_auc", "roc_auc", bound, counts, _remarks=partial(_tie_remarks, counts, value))


def roc_auc_value(counts: Counts) -> float:
    """Return U / (n_pos * n_neg): the correctly rounded quotient of integers unless the counts are weights."""
    if counts.figures is not None:
        return float(min(counts.figures.twice_u / (2 * counts.n_pos * counts.n_neg), 1.0))
    if counts.squares is not None and counts.plain is not None:
        return roc_auc_value(counts.plain)
    if not counts.whole:
        below: CountArray = counts.n_neg - counts.fp
        wins = accurate_sum(counts.pos * (below + counts.neg / 2))
        return float(min(wins / (counts.n_pos * counts.n_neg), 1.0))
    return counts.twice_u / (2 * counts.n_pos * counts.n_neg)


def _tie_remarks(counts: Counts, value: float) -> list[str]:
    pairs = shared_ties(counts).pairs if counts.figures is None else counts.figures.tied_pairs
    tied = float(pairs) / (counts.n_pos * counts.n_neg)
    lines = []
    if tied > 0:
        lines.append(
            f"{tied:.2%} of the pairs are tied; "
            f"breaking ties could give {value - tied / 2:.6g} to {value + tied / 2:.6g}"
        )
    if value < 0.5:
        lines.append("below one half: larger scores go with negatives; check `pos_label` and the sign of the score")
    return lines
