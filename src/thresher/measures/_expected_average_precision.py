"""Average precision when tied rows may come in any order: its mean over all orders."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import scipy

from thresher._core.checks import check_count
from thresher._core.values import value
from thresher._table import Batch, Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures._measure import Classes, Measure
from thresher.measures._registry import measure
from thresher.typing import FloatArray

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
    intervals = ("bootstrap",)
    needs = "ranks"
    classes: ClassVar[Classes] = "pos"
    needs_balance = True

    def of(self, table: Counts) -> float:
        """Return the mean over orders."""
        return expected_average_precision(table)

    def values(self, batch: Batch) -> FloatArray:
        """Return the mean over orders of each table, from differences of harmonic numbers."""
        p, size = batch.pos, batch.pos + batch.neg
        tp, before = np.cumsum(p, axis=1) - p, np.cumsum(size, axis=1) - size
        some = p > 0
        others = np.divide(p - 1.0, size - 1.0, out=np.zeros_like(p), where=size > 1.0)
        harmonic = scipy.special.digamma(before + size + 1.0) - scipy.special.digamma(before + 1.0)
        harmonic = np.where(size == 1.0, 1.0 / (before + 1.0), harmonic)
        terms = (tp + 1.0 - others * (before + 1.0)) * harmonic + others * size
        share = np.divide(p, size, out=np.zeros_like(p), where=some)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((share * terms).sum(axis=1) / p.sum(axis=1))

    def of_population(self, population: Any) -> float:
        """Return the interpolated area: of infinitely many tied rows in random order that is the mean."""
        return float(population.pr_auc())


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
    scores = scores._even
    if scores._weighted:
        raise InvalidInputError(
            "`scores` must be counted without weights for a mean over orders; got sums of weights. "
            "Hint: 'average_precision' takes weights."
        )
    n_pos = int(scores.n_pos) + unseen
    if n_pos == 0:
        raise UndefinedMetricError("Average precision needs a positive; got none. Hint: check the labels.")
    # Only groups with positives add anything. Place k of a group of g rows, p of them positive, holds a positive with
    # chance p / g, and (k - 1)(p - 1) / (g - 1) others are expected above it within the group.
    found = np.flatnonzero(scores.pos)
    pos, size = scores.pos[found], (scores.pos + scores.neg)[found]
    before_tp, before = (scores.tp[found] - pos), (scores.tp + scores.fp)[found] - size
    group = np.repeat(np.arange(found.size), size.astype(np.intp))
    place = np.arange(group.size) - (np.cumsum(size) - size)[group]
    others = place * ((pos - 1) / np.maximum(size - 1, 1))[group]
    terms = (pos / size)[group] * (before_tp[group] + 1 + others) / (before[group] + place + 1)
    return math.fsum(terms.tolist()) / n_pos
