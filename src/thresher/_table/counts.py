"""Labels and scores of every kind, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import (
    LEAST_WEIGHT,
    MOST_WEIGHT,
    as_frequency,
    as_labels,
    as_scores,
    as_vector,
    as_weights,
    lossless_common_dtype,
    refuse_nan,
    unequal,
    warn_of_order,
)
from thresher._core.checks import check_fractions, require
from thresher._core.counting import count_rows, count_running, sum_columns, sum_rows
from thresher._core.device import is_on_device, positive_on_device, rows_to_count
from thresher._core.device_ranks import rank_on_device
from thresher._core.frames import columns_of
from thresher._core.json_state import as_file
from thresher._table.arrow_form import Part, arrow_of, parts_of
from thresher._table.at_time import joined_tables
from thresher._table.clusters import as_clusters, make_clusters
from thresher._table.columns import check_class_weight
from thresher._table.squares import Squares, all_ones, can_be_squares, weighed_rows
from thresher._table.table import CountTable
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, ScoreArray

if TYPE_CHECKING:
    from thresher._core.native import Running


@as_file
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
        Sampling weights: how much each row counts. Only their ratios matter; a row stays one observation whatever its
        weight. Rows of weight 0 are left out.
    frequency : array-like of shape (n,), optional
        Whole numbers: how many identical independent rows each row stands for, the same as repeating it so often.
        Beside `sample_weight` each of them has that weight.
    cluster : array-like of shape (n,), optional
        The cluster of each row, such as its patient: integers or text. Rows of a cluster may depend on each other.
    """

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        frequency: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
    ) -> None:
        bare = sample_weight is None and frequency is None and cluster is None
        if bare:
            left = self._set_at_once(y_true, y_score, pos_label)
            if left is None:
                return
            y_true, y_score = left
        elif (
            frequency is None
            and cluster is None
            and pos_label is None
            and self._set_weighed_at_once(y_true, y_score, sample_weight)
        ):
            return
        # Without weights the kernel sees NaN by itself; looking for it here would be one more pass.
        scores = as_scores(y_score, look_for_nan=not bare)
        positive = as_labels(y_true, pos_label, scores=scores)
        if positive.size != scores.size:
            raise unequal("y_score", scores.size, "y_true", positive.size)
        warn_of_order(y_true, y_score)
        if bare:
            self._set_rows(scores, positive)
            return
        weight = None if sample_weight is None else as_weights(sample_weight, scores.size)
        times = None if frequency is None else as_frequency(frequency, scores.size)
        self._set_weighed(scores, positive, weight, times, cluster)

    def __add__(self, other: Self) -> Self:
        """Return the table of all rows of both; outcomes in time are weighted anew from all rows."""
        timed = self._outcome is not None or (isinstance(other, Counts) and other._outcome is not None)
        return joined_tables(self, other) if timed and isinstance(other, Counts) else super().__add__(other)

    def _set_at_once(self, y_true: Any, y_score: Any, pos_label: object) -> tuple[Any, Any] | None:
        """Count plain columns, or rows on a device; return those that are left, brought here where they were there."""
        counted = native.plain_table(y_true, y_score) if pos_label is None else None
        if counted is not None:
            self._set_running(counted)
            return None
        if is_on_device(y_score) or is_on_device(y_true):
            y_true, y_score = rows_to_count("Scores", y_true, y_score)
            if is_on_device(y_score) or is_on_device(y_true):
                self._set_device(y_true, y_score, pos_label)
                return None
        return y_true, y_score

    def _set_weighed_at_once(self, y_true: Any, y_score: Any, weight: Any) -> bool:
        """Count plain columns with plain weights; return whether they are."""
        found = native.plain_weighed(y_true, y_score, weight, LEAST_WEIGHT, MOST_WEIGHT)
        if found is None:
            return False
        self.__dict__.update(_highest=None, _running=None, _weighed=found)
        if found.wins is not None:
            self.__dict__["_wins"] = found.wins
        return True

    def _set_weighed(
        self,
        scores: ScoreArray,
        positive: NDArray[np.bool_],
        weight: NDArray[Any] | None,
        times: NDArray[np.int64] | None,
        cluster: ArrayLike | None = None,
        name: str = "sample_weight",
    ) -> None:
        """Count rows that have weights, frequencies or clusters."""
        # Copies: an array that someone else changes while NumPy picks rows by it overruns NumPy's own memory.
        scores, positive = scores.copy(), positive.copy()
        weight, times = (None if column is None else column.copy() for column in (weight, times))
        clusters = None if cluster is None else as_clusters(cluster, scores.size)
        kept = np.ones(scores.size, dtype=np.bool_)
        for column, argument in ((weight, name), (times, "frequency")):
            if column is not None:
                check_class_weight(column, positive, argument)
                kept &= column > 0
        if not kept.all():
            scores, positive = scores[kept], positive[kept]
            weight, times, clusters = (None if c is None else c[kept] for c in (weight, times, clusters))
        mass = self._set_mass(scores, positive, weight, times)
        if clusters is not None:
            self.__dict__["_clusters"] = make_clusters(clusters, self._thresholds, scores, positive, mass, times)

    def _set_mass(
        self,
        scores: ScoreArray,
        positive: NDArray[np.bool_],
        weight: NDArray[Any] | None,
        times: NDArray[np.int64] | None,
    ) -> NDArray[Any] | None:
        """Count rows of which none is left out, and return how much each counts."""
        if weight is not None and all_ones(weight):
            weight = None
        if weight is not None:
            table, squares = weighed_rows(scores, positive, weight, times)
            self._set(table, None, squares)
            return weight if times is None else weight * times
        if times is None:
            self._set_rows(scores, positive)
        else:
            none = np.int64(0)
            self._set(sum_rows(scores, np.where(positive, times, none), np.where(positive, none, times)))
        return times

    @classmethod
    def _from_rows(
        cls,
        scores: ScoreArray,
        positive: NDArray[np.bool_],
        weight: NDArray[Any] | None,
        times: NDArray[np.int64] | None,
    ) -> Self:
        """Count rows that have been checked, without NaN and without weights of 0; nobody else writes to them."""
        out = object.__new__(cls)
        out._set_mass(scores, positive, weight, times)
        return out

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
            self._set_running(running)

    def _set_running(self, running: Running) -> None:
        self.__dict__.update(_highest=None, _running=running)

    def _set_device(self, y_true: Any, y_score: Any, pos_label: object) -> None:
        """Put the classes in order on the device; nothing leaves it before someone asks for a column."""
        positive = positive_on_device(y_true, pos_label) if is_on_device(y_true) else y_true
        self.__dict__.update(_device=rank_on_device(y_score, positive), _highest=None)

    @classmethod
    def from_pos_neg(
        cls,
        pos_scores: ArrayLike,
        neg_scores: ArrayLike,
        *,
        pos_weight: ArrayLike | None = None,
        neg_weight: ArrayLike | None = None,
        pos_frequency: ArrayLike | None = None,
        neg_frequency: ArrayLike | None = None,
    ) -> Self:
        """Count two samples, the scores of the positives and those of the negatives.

        Parameters
        ----------
        pos_scores, neg_scores : array-like of shape (p,) and (q,)
            The scores of each class.
        pos_weight, neg_weight : array-like of shape (p,) and (q,), optional
            Sampling weights: how much each score counts; a missing one means 1 for each.
        pos_frequency, neg_frequency : array-like of shape (p,) and (q,), optional
            Whole numbers: how many identical independent rows each score stands for; a missing one means 1 for each.

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
        columns: list[NDArray[Any] | None] = []
        for both, read, name in (
            ((pos_weight, neg_weight), as_weights, "weight"),
            ((pos_frequency, neg_frequency), as_frequency, "frequency"),
        ):
            if both[0] is None and both[1] is None:
                columns.append(None)
                continue
            sides = ((both[0], pos.size, "pos"), (both[1], neg.size, "neg"))
            columns.append(
                np.concatenate(
                    [
                        np.ones(size, dtype=np.int64)
                        if column is None
                        else read(column, size, f"{side}_{name}", beside=f"{side}_scores")
                        for column, size, side in sides
                    ]
                )
            )
        if columns[0] is None and columns[1] is None:
            return cls._from_table(count_rows(scores, positive))
        out = object.__new__(cls)
        out._set_weighed(scores, positive, columns[0], columns[1], name="pos_weight` or `neg_weight")
        return out

    @classmethod
    def from_counts(
        cls,
        thresholds: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        pos_squares: ArrayLike | None = None,
        neg_squares: ArrayLike | None = None,
    ) -> Self:
        """Take a table that is counted already.

        Parameters
        ----------
        thresholds : array-like of shape (k,)
            Scores, in any order; rows with the same score are added.
        pos, neg : array-like of shape (k,)
            How many positives and negatives have exactly that score: whole numbers, or sums of sampling weights.
        pos_squares, neg_squares : array-like of shape (k,), optional
            The sums of the squared weights, both or none: they make it a table of sampling weights. Without them, sums
            that are not whole have values and curves but no standard errors.

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
        columns = [column.astype(kind, copy=False) for column in columns]
        squares = _given_squares(columns, (pos_squares, neg_squares))
        distinct, sums = sum_columns(scores, [*columns, *squares])
        kept = (sums[0] > 0) | (sums[1] > 0)
        if not kept.any():
            raise InvalidInputError("`pos` and `neg` must count at least one row; got zeros only.")
        found = [column[kept] for column in sums]
        extra = Squares(found[2], found[3]) if squares else None
        return cls._from_table((distinct[kept], found[0], found[1]), None, extra)

    def to_arrow(self) -> Any:
        """Return the counts as a pyarrow table that SQL and frames can filter and add up.

        Returns
        -------
        pyarrow.Table
            Element i of the columns belongs to ``thresholds[i]``: `score`, `highest` (the highest score that the row
            stands for), `pos` and `neg`, and with sampling weights `pos_squares` and `neg_squares`. Exact figures of
            scores that are not kept stand in the schema's metadata.

        See Also
        --------
        from_arrow : The way back.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 1, 1], [1, 2, 2]).to_arrow().to_pydict()
        {'score': [2, 1], 'highest': [2, 1], 'pos': [2, 0], 'neg': [0, 1]}
        """
        return arrow_of({None: self}, grouped=False)

    @classmethod
    def from_arrow(cls, table: Any) -> Self:
        """Take counts from a table with the columns of `to_arrow`; rows with the same score are added.

        Parameters
        ----------
        table : pyarrow.Table, or anything with ``__arrow_c_stream__``
            With `score`, `pos` and `neg`, and perhaps `highest`, `pos_squares` and `neg_squares`: what `to_arrow` gave,
            or what an engine made of such tables by adding up columns.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import pyarrow as pa
        >>> import thresher as th
        >>> days = [th.Scores([0, 1], [1, 2]), th.Scores([1, 1], [2, 3])]
        >>> rows = pa.concat_tables([day.to_arrow() for day in days])
        >>> th.Scores.from_arrow(rows) == days[0] + days[1]
        True
        """
        if not hasattr(table, "__arrow_c_stream__"):
            raise InvalidTypeError(
                f"`table` must be a pyarrow table or a frame that is one; got a {type(table).__name__}. "
                "Hint: `from_counts` takes arrays."
            )
        arrow = require("pyarrow", extra="engines", purpose="Tables of counts in Arrow")
        parts = list(parts_of(table if isinstance(table, arrow.Table) else arrow.table(table)))
        if len(parts) != 1:
            raise InvalidInputError(
                f"`table` must hold the counts of one group; got {len(parts)}. "
                "Hint: filter its column 'group', or drop the column to add all groups up."
            )
        return cls._from_part(parts[0][1])

    @classmethod
    def _from_part(cls, part: Part) -> Self:
        """Take rows of an Arrow table."""
        if part.ordered:
            return cls._from_table((part.score, part.pos, part.neg))
        squares = dict(zip(("pos_squares", "neg_squares"), part.squares, strict=False))
        found = cls.from_counts(part.score, part.pos, part.neg, **squares)
        if not (part.highest >= part.score).all():
            raise InvalidInputError("The column 'highest' of a table of counts must not be below 'score'; it is.")
        known = None if found._weight_squares is None else part.known(found._weight_squares)
        table = (found.thresholds, found.pos, found.neg)
        if not (part.highest > part.score).any():
            return cls._from_table(table, None, known)
        place = found.thresholds.size - 1 - np.searchsorted(found.thresholds[::-1], part.score)
        highest = found.thresholds.copy()
        np.maximum.at(highest, place, part.highest)
        figures = part.figures(found.n_pos, found.n_neg, len(found))
        if figures is None:
            return cls._from_table(table, highest, known)
        return cls._from_kept(found.thresholds, found.tp, found.fp, figures, highest, known)

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
            Multiplies both parts. Each row is one observation, with its weight divided between the classes.

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
        up, down = (np.where(part < LEAST_WEIGHT, 0.0, part) for part in (share * weight, (1.0 - share) * weight))
        distinct, sums = sum_columns(scores, (up, down, up * up, down * down, up * down))
        kept = (sums[0] > 0) | (sums[1] > 0)
        pos, neg, *squared = (column[kept] for column in sums)
        table = (distinct[kept], pos, neg)
        if table[0].size == 0:
            raise InvalidInputError("`sample_weight` must leave some rows; got only zeros. Hint: give some a weight.")
        if not squared[2].any() and all_ones(weight):
            return cls._from_table(table)  # every label is certain: these are counts
        rows = int(np.count_nonzero(up)), int(np.count_nonzero(down))
        if not squared[2].any():  # every label is certain
            found = [part[part > 0] for part in (up, down)]
            spans = [(float(part.min()), float(part.max())) if part.size else (np.inf, 0.0) for part in found]
            return cls._from_table(table, None, Squares(squared[0], squared[1], None, rows, (spans[0], spans[1])))
        return cls._from_table(table, None, Squares(squared[0], squared[1], squared[2], rows))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_score: str,
        pos_label: object = None,
        sample_weight: str | None = None,
        frequency: str | None = None,
        cluster: str | None = None,
    ) -> Self:
        """Count two columns of a dataframe.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table, or anything with ``__arrow_c_stream__``
            A frame in memory. Missing values are refused, never dropped.
        y_true, y_score, sample_weight, frequency, cluster : str
            Names of columns, as in `Scores`.
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
        columns = columns_of(
            frame, y_true=y_true, y_score=y_score, sample_weight=sample_weight, frequency=frequency, cluster=cluster
        )
        return cls(
            columns["y_true"],
            columns["y_score"],
            pos_label=pos_label,
            sample_weight=columns["sample_weight"],
            frequency=columns["frequency"],
            cluster=columns["cluster"],
        )


def _given_squares(
    sums: list[NDArray[Any]], squares: tuple[ArrayLike | None, ArrayLike | None]
) -> list[NDArray[np.float64]]:
    """Return the sums of squares that came with sums of weights; none where there are none."""
    if squares[0] is None and squares[1] is None:
        return []
    out = []
    for given, weights, side in zip(squares, sums, ("pos", "neg"), strict=True):
        if given is None:
            raise InvalidInputError(
                f"`pos_squares` and `neg_squares` must be given both or not at all; got no `{side}_squares`."
            )
        column = as_weights(given, weights.size, f"{side}_squares", beside="thresholds").astype(np.float64)
        wrong = ~can_be_squares(column, weights)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise InvalidInputError(
                f"`{side}_squares` must be above 0 where `{side}` is, and at most its square; got "
                f"{float(column[at])!r} beside {float(weights[at])!r} at row {at}. "
                "Hint: they are sums of squared weights."
            )
        out.append(column)
    return out


def as_counts(value: object, name: str = "scores") -> Counts:
    """Return the argument if it is a count table."""
    if not isinstance(value, Counts):
        raise InvalidTypeError(
            f"`{name}` must be a Scores; got {type(value).__name__}. Hint: build one with `th.Scores(y_true, y_score)`."
        )
    return value
