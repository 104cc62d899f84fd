"""Average precision when tied rows may come in any order: its mean over all orders."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_count
from thresher._core.values import value
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures._measure import Measure
from thresher.measures._registry import measure

__all__ = ["ExpectedAveragePrecision", "expected_average_precision"]


@measure()
@value
class ExpectedAveragePrecision(Measure):
    """The mean of average precision over all orders of tied rows.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0], [1, 1]).measure("expected_average_precision").value
    0.75
    """

    name = "expected_average_precision"
    aliases = ("expected_ap",)
    label = "Average precision over all orders of ties"
    citation = "F. McSherry and M. Najork (2008), doi:10.1007/978-3-540-78646-7_38"
    intervals = ("bootstrap",)
    path_only = False

    @property
    def needs_balance(self) -> bool:
        """Precision refers to the class balance of the sample."""
        return True

    def of(self, table: Counts) -> float:
        """Return the mean over orders."""
        return expected_average_precision(table)

    def of_list(self, table: Counts, unseen: int) -> float:
        """Return the mean over orders, with missing positives found at precision 0."""
        return expected_average_precision(table, n_unseen=unseen)


def expected_average_precision(scores: Counts, *, n_unseen: int = 0) -> float:
    """Return the mean of average precision over all orders of tied rows.

    Parameters
    ----------
    scores : Scores
        Counts without weights.
    n_unseen : int, default=0
        Positives that were never ranked, as relevant documents that a run did not return; they count 0.

    Returns
    -------
    float
        Between the values of the luckiest and the unluckiest order; without ties it is average precision itself.

    References
    ----------
    F. McSherry and M. Najork (2008), "Computing information retrieval performance measures efficiently in the presence
    of tied scores", doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.sklearn import expected_average_precision
    >>> expected_average_precision(th.Scores([1, 0], [0.5, 0.5]))
    0.75
    """
    unseen = check_count(n_unseen, "n_unseen")
    if scores.weighted:
        raise InvalidInputError(
            "`scores` must be counted without weights for a mean over orders; got sums of weights. "
            "Hint: average precision itself takes weights."
        )
    n_pos = int(scores.n_pos) + unseen
    if n_pos == 0:
        raise UndefinedMetricError("Average precision needs a positive; got none. Hint: check the labels.")
    # Only groups with positives add anything. Place k of a group of g rows, p of them positive, holds a positive with
    # chance p / g, and (k - 1)(p - 1) / (g - 1) others are expected above it within the group.
    found = np.flatnonzero(scores.pos)
    pos, size = scores.pos[found], (scores.pos + scores.neg)[found]
    before_tp, before = (scores.tp[found] - pos), (scores.tp + scores.fp)[found] - size
    group = np.repeat(np.arange(found.size), size)
    place = np.arange(group.size) - np.repeat(np.cumsum(size) - size, size)
    others = place * ((pos - 1) / np.maximum(size - 1, 1))[group]
    terms = (pos / size)[group] * (before_tp[group] + 1 + others) / (before[group] + place + 1)
    return math.fsum(terms.tolist()) / n_pos
