"""Labels and scores of every kind, counted."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import (
    LEAST_WEIGHT,
    as_labels,
    as_scores,
    as_vector,
    as_weights,
    frozen,
    lossless_common_dtype,
    refuse_nan,
    unequal,
)
from thresher._core.checks import check_fractions
from thresher._core.counting import count_rows, count_running, sum_rows
from thresher._core.device import count_on_device, is_on_device, positive_on_device, to_host
from thresher._core.frames import columns_of
from thresher._table.columns import check_class_weight, steps
from thresher._table.table import CountTable
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, ScoreArray

__all__ = ["Counts"]


class Counts(CountTable):
    """Distinct scores, highest first, with the positives and negatives at each.

    This is the base of `thresher.Scores`, which adds the curves, areas and decisions. It is what the layers below
    that class work on. Instances are frozen and their arrays read-only.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: {0, 1}, {False, True} or {-1, 1}; any others with `pos_label`.
    y_score : array-like of shape (n,)
        Real scores; larger means more positive. +inf and -inf are legal, NaN is refused.
    pos_label : object, optional
        The label of the positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        How many rows each row stands for. Integers give exact integer counts, floats compensated sums. Rows of
        weight 0 are left out.
    """

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        if sample_weight is None and (is_on_device(y_score) or is_on_device(y_true)):
            self._set_device(y_true, y_score, pos_label)
            return
        # Without weights the kernel sees NaN by itself; looking for it here would be one more pass.
        scores = as_scores(y_score, look_for_nan=sample_weight is not None)
        positive = as_labels(y_true, pos_label)
        if positive.size != scores.size:
            raise unequal("y_score", scores.size, "y_true", positive.size)
        if sample_weight is None:
            self._set_rows(scores, positive)
        else:
            weight = as_weights(sample_weight, scores.size)
            check_class_weight(weight, positive, "sample_weight")
            none = weight.dtype.type(0)
            self._set(sum_rows(scores, np.where(positive, weight, none), np.where(positive, none, weight)))

    def _set_rows(self, scores: ScoreArray, positive: NDArray[np.bool_]) -> None:
        try:
            running = count_running(scores, positive)
        except native.NotANumberError:
            refuse_nan(scores)
            raise
        if running is None:
            refuse_nan(scores)
            self._set(count_rows(scores, positive))
        else:
            self.__dict__.update(_thresholds=frozen(running.thresholds), _highest=None, _running=running)

    def _set_device(self, y_true: Any, y_score: Any, pos_label: object) -> None:
        """Count on the device; only the table leaves it."""
        positive = positive_on_device(y_true, pos_label) if is_on_device(y_true) else y_true
        table = count_on_device(y_score, positive)
        thresholds, tp, fp = (to_host(column) for column in (table.thresholds, table.tp, table.fp))
        self._set((thresholds, steps(tp), steps(fp)))

    @classmethod
    def from_pos_neg(
        cls,
        pos_scores: ArrayLike,
        neg_scores: ArrayLike,
        *,
        pos_weight: ArrayLike | None = None,
        neg_weight: ArrayLike | None = None,
    ) -> Self:
        """Count two samples, the scores of the positives and those of the negatives.

        Parameters
        ----------
        pos_scores, neg_scores : array-like of shape (p,) and (q,)
            The scores of each class.
        pos_weight, neg_weight : array-like of shape (p,) and (q,), optional
            How many rows each score stands for; a missing one means 1 for each.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores.from_pos_neg([0.9, 0.7], [0.7, 0.1]).roc_auc().value
        0.875
        """
        pos, neg = as_scores(pos_scores, "pos_scores"), as_scores(neg_scores, "neg_scores")
        dtype = lossless_common_dtype(pos, neg)
        scores = np.concatenate((pos.astype(dtype, copy=False), neg.astype(dtype, copy=False)))
        positive = np.arange(scores.size) < pos.size
        if pos_weight is None and neg_weight is None:
            return cls._from_table(count_rows(scores, positive))
        weights = [
            np.ones(size, dtype=np.int64) if weight is None else as_weights(weight, size, name, beside=beside)
            for weight, size, name, beside in (
                (pos_weight, pos.size, "pos_weight", "pos_scores"),
                (neg_weight, neg.size, "neg_weight", "neg_scores"),
            )
        ]
        weight = np.concatenate(weights)
        check_class_weight(weight, positive, "pos_weight` or `neg_weight")
        none = weight.dtype.type(0)
        return cls._from_table(sum_rows(scores, np.where(positive, weight, none), np.where(positive, none, weight)))

    @classmethod
    def from_counts(cls, thresholds: ArrayLike, pos: ArrayLike, neg: ArrayLike) -> Self:
        """Take a table that is counted already.

        Parameters
        ----------
        thresholds : array-like of shape (k,)
            Scores, in any order; rows with the same score are added.
        pos, neg : array-like of shape (k,)
            How many positives and negatives have exactly that score: integers, or sums of weights.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores.from_counts([0.1, 0.9, 0.5], pos=[0, 3, 1], neg=[8, 0, 2])
        >>> scores.tp, scores.fp
        (array([3, 4, 4]), array([ 0,  2, 10]))
        """
        scores = as_scores(thresholds, "thresholds")
        columns = [
            as_weights(column, scores.size, name, beside="thresholds") for column, name in ((pos, "pos"), (neg, "neg"))
        ]
        kind = np.result_type(*columns)
        table = sum_rows(scores, columns[0].astype(kind, copy=False), columns[1].astype(kind, copy=False))
        if table[0].size == 0:
            raise InvalidInputError("`pos` and `neg` must count at least one row; got zeros only.")
        return cls._from_table(table)

    @classmethod
    def from_soft_labels(
        cls, p_positive: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Count rows whose label is uncertain: positive with weight p and negative with weight 1 - p.

        Parameters
        ----------
        p_positive : array-like of shape (n,)
            The probability of each row to be positive, in [0, 1]. Parts of rows below 1e-75 count as none.
        y_score : array-like of shape (n,)
            Its score.
        sample_weight : array-like of shape (n,), optional
            Multiplies both parts.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores.from_soft_labels([0.9, 0.2, 0.5], [3.0, 2.0, 1.0]).n_pos
        1.6
        """
        share = check_fractions(as_vector(p_positive, "p_positive"), "p_positive")
        scores = as_scores(y_score)
        if share.size != scores.size:
            raise unequal("y_score", scores.size, "p_positive", share.size)
        weight = np.ones_like(share)
        if sample_weight is not None:
            weight = as_weights(sample_weight, scores.size).astype(np.float64)
        parts = (np.where(part < LEAST_WEIGHT, 0.0, part) for part in (share * weight, (1.0 - share) * weight))
        table = sum_rows(scores, *parts)
        if table[0].size == 0:
            raise InvalidInputError("`sample_weight` must leave some rows; got only zeros. Hint: give some a weight.")
        return cls._from_table(table)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_score: str,
        pos_label: object = None,
        sample_weight: str | None = None,
    ) -> Self:
        """Count two columns of a dataframe.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table, or anything with ``__arrow_c_stream__``
            A frame in memory. Missing values are refused, never dropped.
        y_true, y_score, sample_weight : str
            Names of columns.
        pos_label : object, optional
            The label of the positive class.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import polars as pl
        >>> import thresher as th
        >>> frame = pl.DataFrame({"outcome": ["bad", "good", "bad"], "risk": [0.8, 0.3, 0.4]})
        >>> th.Scores.from_frame(frame, y_true="outcome", y_score="risk", pos_label="bad").n_pos
        2
        """
        columns = columns_of(frame, y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        return cls(columns["y_true"], columns["y_score"], pos_label=pos_label, sample_weight=columns["sample_weight"])


def as_counts(value: object, name: str = "scores") -> Counts:
    """Return the argument if it is a count table."""
    if not isinstance(value, Counts):
        raise InvalidTypeError(
            f"`{name}` must be a Scores; got {type(value).__name__}. Hint: build one with `th.Scores(y_true, y_score)`."
        )
    return value
