"""What a sample cannot show of precision at a lower prevalence: false positive rates below one in its negatives."""

from __future__ import annotations

import math

import numpy as np

from thresher._inference.bootstrap import replicate_areas
from thresher._table import Counts

__all__ = ["negatives_needed", "unseen_remark"]

Span = tuple[float, float]
# One more negative at the top may lower the mean precision by so much before it is said.
_WORTH_SAYING = 0.1
_MOST_NEGATIVES = 1e15


def unseen_remark(table: Counts, prevalence: float, recall: Span) -> str | None:
    """Return a sentence where the area depends on false positive rates that these negatives cannot show."""
    if prevalence >= table.prevalence:
        return None
    seen, lower = (_area(table, prevalence, recall, top) for top in (0.0, 1.0))
    if seen - lower <= _WORTH_SAYING:
        return None
    needed = negatives_needed(table, prevalence, recall)
    return (
        f"at prevalence {prevalence:g} precision depends on false positive rates below 1 in {table.n_neg:g}, which "
        f"{table.n_neg:g} negatives cannot show: one more negative at the top would lower the mean precision from "
        f"{seen:.2g} to {lower:.2g}; about {needed} negatives would settle it"
    )


def negatives_needed(table: Counts, prevalence: float, recall: Span = (0.0, 1.0)) -> int:
    """Return with how many negatives, ranked as these are, one more at the top would change the area little."""
    seen = _area(table, prevalence, recall, 0.0)

    def settled(count: float) -> bool:
        # As one of so many on top of the others.
        return seen - _area(table, prevalence, recall, table.n_neg / (count - 1.0)) <= _WORTH_SAYING

    high = 2.0
    while not settled(high) and high < _MOST_NEGATIVES:
        high *= 2.0
    low = high / 2.0
    while high - low > 0.01 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if settled(middle) else (middle, high)
    digits = 10.0 ** max(math.floor(math.log10(high)) - 1, 0)
    return int(math.ceil(high / digits) * digits)


def _area(table: Counts, prevalence: float, recall: Span, top: float) -> float:
    """Return the mean precision over the range with so many further negatives above all cases."""
    pos = np.append(0.0, table.pos)[None]
    neg = np.append(top, table.neg)[None]
    area = replicate_areas.pr_area(
        pos, neg, np.arange(pos.shape[1]), estimator="interpolated", prevalence=prevalence, span=recall
    )
    return float(area[0]) / (recall[1] - recall[0])
