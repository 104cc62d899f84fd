"""Measures of the ROC convex hull: the Kolmogorov-Smirnov distance and the H-measure."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thresher._core.checks import check_prevalence, show
from thresher._core.values import value
from thresher._curves import HullBlocks, hull_blocks
from thresher._inference.calibration import ProperScore, best_and_constant
from thresher._table import Batch, Counts, Needs, running_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._measure import Measure
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["HMeasure", "HullMeasure", "KolmogorovSmirnov"]


class HullMeasure(Measure):
    """A measure of the blocks of isotonic regression.

    The hull picks the best points of the sample, so estimates are too good; a percentile interval would double that.
    """

    __slots__ = ()

    needs: ClassVar[Needs] = "path"
    test = "permutation"
    optimistic = True
    intervals: ClassVar[tuple[str, ...]] = ("bayes", "basic", "bootstrap")
    weighted_interval = "basic"

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the value of blocks of positives and negatives, highest score first."""
        raise NotImplementedError

    def of(self, table: Counts) -> float:
        """Return the value of a table."""
        return self.of_blocks(hull_blocks(*running_counts(table)), float(table.n_pos), float(table.n_neg))

    def values(self, batch: Batch) -> FloatArray:
        """Return the value of each table."""
        out = np.empty(batch.pos.shape[0])
        for i, (pos, neg) in enumerate(zip(batch.pos, batch.neg, strict=True)):
            seen = (pos > 0.0) | (neg > 0.0)
            whole = bool((pos == np.floor(pos)).all() and (neg == np.floor(neg)).all())
            kind = np.int64 if whole else np.float64
            tp, fp = np.cumsum(pos[seen]).astype(kind), np.cumsum(neg[seen]).astype(kind)
            out[i] = self.of_blocks(hull_blocks(tp, fp), float(tp[-1]), float(fp[-1]))
        return out


@measure()
@value
class KolmogorovSmirnov(HullMeasure):
    """The largest TPR - FPR of all thresholds, which is the largest Youden index.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).measure("ks").value.__round__(4)
    0.6667
    """

    name = "kolmogorov_smirnov"
    monotone = True
    aliases = ("ks",)
    label = "The Kolmogorov-Smirnov distance"

    def values(self, batch: Batch) -> FloatArray:
        """Return the largest difference of each table, over all columns."""
        (tp, fp), (n_pos, n_neg) = (np.cumsum(side, axis=1) for side in (batch.pos, batch.neg)), batch.totals
        gaps = tp / n_pos[:, None] - fp / n_neg[:, None]
        return np.asarray(np.maximum(gaps.max(axis=1), 0.0))

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the largest difference, which is at a vertex of the hull."""
        gaps = np.cumsum(blocks.pos) / n_pos - np.cumsum(blocks.neg) / n_neg
        return max(float(gaps.max()), 0.0)


@measure()
@value
class HMeasure(HullMeasure):
    """One minus the least expected cost over that of the better constant call, with costs from a beta distribution.

    0 for a useless ranking, 1 for a perfect one; unchanged by rising transformations of the scores. Scores are never
    reversed.

    Parameters
    ----------
    weight : "hand2014" or (a, b)
        The beta distribution of the cost of a false positive, as a share: with parameters 1 + prevalence and
        2 - prevalence (default), or given; (2, 2) is that of Hand (2009), (1, 1) that of the Brier score.
    severity : float, optional
        Instead: a beta distribution with parameters 2 and 1 + 1/severity, whose mode is severity / (1 + severity); the
        R package hmeasure takes prevalence / (1 - prevalence).
    prevalence : float, optional
        The proportion of positives to which it refers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("h_measure").value, 4)
    0.6951
    """

    weight: Any = "hand2014"
    severity: float | None = None
    prevalence: float | None = None

    name = "h_measure"
    aliases = ("hand",)
    label = "The H-measure"

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))
        if self.severity is not None and not (isinstance(self.severity, int | float) and self.severity > 0.0):
            raise InvalidInputError(f"`severity` must be positive; got {show(self.severity)}.")
        pair = isinstance(self.weight, tuple | list) and len(self.weight) == 2
        if self.weight != "hand2014" and not (pair and all(part > 0.0 for part in self.weight)):
            raise InvalidInputError(
                f"`weight` must be 'hand2014' or a pair of positive beta parameters; got {show(self.weight)}."
            )
        if pair:
            object.__setattr__(self, "weight", tuple(float(part) for part in self.weight))

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them; a pair of parameters is not a range."""
        named = self.options
        if "weight" in named:
            named["weight"] = "weight ({:g}, {:g})".format(*self.weight)
        return named

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the proportion of the constant call's cost that the ranking saves."""
        share = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
        if self.severity is not None:
            a, b = 2.0, 1.0 + 1.0 / self.severity
        elif self.weight == "hand2014":
            a, b = 1.0 + share, 2.0 - share
        else:
            a, b = self.weight
        best, constant = best_and_constant(ProperScore("beta", a, b), blocks, n_pos, n_neg, self.prevalence)
        return max(1.0 - best / constant, 0.0)
