"""The distinct scores with how many positives and negatives stand at each."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, NoReturn, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_labels, as_scores, as_vector, as_weights, frozen, lossless_common_dtype, unequal
from thresher._core.checks import check_fractions
from thresher._core.counting import Table, count_rows, count_running, merge_tables, sum_rows
from thresher._core.frames import columns_of
from thresher._core.native import RunningTable
from thresher._core.sums import cumulative, exact_dot
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.scores._columns import check_class_weight, merged_highest, steps, sum_exceeds
from thresher.scores._compress import compressed_rows
from thresher.scores._figures import Figures
from thresher.scores._file import read_table, write_table
from thresher.scores._repr import as_html, as_text
from thresher.typing import ArrayLike, CountArray, ScoreArray

__all__ = ["Counts"]

C = TypeVar("C", bound="Counts")


class Counts:
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

    _thresholds: ScoreArray
    _highest: ScoreArray | None
    _figures: Figures | None = None  # exact sums over all scores, where only some are kept
    _running: RunningTable | None = None  # as the kernel left it; the columns below are made from it when asked for

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        scores = as_scores(y_score)
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
        running = count_running(scores, positive)
        if running is None:
            self._set(count_rows(scores, positive))
        else:
            self.__dict__.update(_thresholds=frozen(running.thresholds), _highest=None, _running=running)

    def _set(self, table: Table, highest: ScoreArray | None = None) -> None:
        thresholds, pos, neg = (np.ascontiguousarray(column) for column in table)
        if pos.dtype.kind != "f" and max(sum_exceeds(pos), sum_exceeds(neg)):
            raise InvalidInputError("Counts must add up to less than 2**62. Hint: pass the weights as floats.")
        fields: dict[str, Any] = {
            "_thresholds": frozen(thresholds),
            "_pos": frozen(pos),
            "_neg": frozen(neg),
            "_highest": None if highest is None else frozen(np.ascontiguousarray(highest)),
        }
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; cannot set {name!r}. Hint: build a new one.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; cannot delete {name!r}.")

    @classmethod
    def _from_table(cls, table: Table, highest: ScoreArray | None = None) -> Self:
        out = object.__new__(cls)
        out._set(table, highest)
        return out

    @classmethod
    def _from_kept(
        cls, thresholds: ScoreArray, tp: CountArray, fp: CountArray, figures: Figures, highest: ScoreArray
    ) -> Self:
        """Take some points of a curve, the last one among them, with exact sums over all of it.

        `thresholds` are the scores kept, highest first, with the lowest of all among them; `tp`, `fp` the exact counts
        at or above each. `highest[i]` is the highest score below ``thresholds[i - 1]``: row i stands for all from
        there down to its own.
        """
        out = cls._from_table((thresholds, steps(tp), steps(fp)), highest)
        if figures.n_scores == thresholds.size:
            return cls._from_table((thresholds, out._pos, out._neg))
        # Steps of weights are rounded: the running sums are kept as they came.
        columns = {"tp": frozen(np.ascontiguousarray(tp)), "fp": frozen(np.ascontiguousarray(fp))}
        out.__dict__.update(columns, _figures=figures)
        return out

    # Constructors

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
            The probability of each row to be positive, in [0, 1].
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
        return cls._from_table(sum_rows(scores, share * weight, (1.0 - share) * weight))

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

    # The table

    @property
    def thresholds(self) -> ScoreArray:
        """The distinct scores, highest first, in the dtype they came in."""
        return self._thresholds

    @cached_property
    def _pos(self) -> CountArray:
        return frozen(steps(self.tp))

    @cached_property
    def _neg(self) -> CountArray:
        return frozen(steps(self.fp))

    @property
    def pos(self) -> CountArray:
        """How many positives have exactly score ``thresholds[i]``: int64, or float64 when weighted."""
        return self._pos

    @property
    def neg(self) -> CountArray:
        """How many negatives have exactly score ``thresholds[i]``: int64, or float64 when weighted."""
        return self._neg

    @cached_property
    def tp(self) -> CountArray:
        """True positives when ``score >= thresholds[i]`` is called positive."""
        if self._running is not None:
            return frozen(self._running.tp.astype(np.int64))
        return frozen(cumulative(self._pos))

    @cached_property
    def fp(self) -> CountArray:
        """False positives when ``score >= thresholds[i]`` is called positive."""
        if self._running is not None:
            return frozen(self._running.fp.astype(np.int64))
        return frozen(cumulative(self._neg))

    @property
    def n_pos(self) -> int | float:
        """How many positives there are (the sum of their weights)."""
        if self._running is not None:
            return self._running.n_pos
        return cast("int | float", self.tp[-1].item())

    @property
    def n_neg(self) -> int | float:
        """How many negatives there are (the sum of their weights)."""
        if self._running is not None:
            return self._running.n_neg
        return cast("int | float", self.fp[-1].item())

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of float weights instead of integers."""
        return self._running is None and self._pos.dtype.kind == "f"

    @cached_property
    def twice_u(self) -> int:
        """Twice the pairs in which the positive stands above the negative, plus the pairs that tie; integer counts."""
        if self._figures is not None:
            return cast("int", self._figures.twice_u)
        if self._running is not None:
            return self._running.twice_u
        return exact_dot(self._pos, 2 * (int(self.n_neg) - self.fp) + self._neg)

    @property
    def exact(self) -> bool:
        """Whether AUC-ROC, average precision, interpolated AUC-PR and DeLong's variance are those of all scores."""
        return self._highest is None or self._figures is not None

    @property
    def complete(self) -> bool:
        """Whether every distinct score is kept, so that every figure is exact."""
        return self._highest is None

    @property
    def n_scores(self) -> int | None:
        """How many distinct scores the data have; None where merging has made that unknown."""
        if self._figures is not None:
            return self._figures.n_scores
        return len(self) if self.complete else None

    @property
    def figures(self) -> Figures | None:
        """Exact sums over all distinct scores where only some are kept; None where the table speaks for itself."""
        return self._figures

    @property
    def highest(self) -> ScoreArray:
        """The highest score that row i stands for; above ``thresholds[i]`` only where `compress` merged scores."""
        return self._thresholds if self._highest is None else self._highest

    def __len__(self) -> int:
        return int(self._thresholds.size)

    # Together and apart

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Counts):
            return NotImplemented
        dtype = lossless_common_dtype(self._thresholds, other._thresholds)
        parts = [(part._thresholds.astype(dtype, copy=False), part._pos, part._neg) for part in (self, other)]
        table = merge_tables(parts[0], parts[1])
        if self.complete and other.complete:
            return self._from_table(table)
        ranges = [(part._thresholds, part.highest) for part in (self, other)]
        return self._from_table(table, merged_highest(table[0], ranges))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return all(
            np.array_equal(a, b)
            for a, b in (
                (self._thresholds, other._thresholds),
                (self._pos, other._pos),
                (self._neg, other._neg),
                (self.highest, other.highest),
            )
        ) and (self._figures == other._figures)

    __hash__ = None  # type: ignore[assignment]  # equal tables may hold arrays of different dtypes

    def __reduce__(self) -> tuple[Any, ...]:
        if self._figures is not None:
            return _rebuild_kept, (type(self), (self._thresholds, self.tp, self.fp, self._figures, self.highest))
        return _rebuild, (type(self), (self._thresholds, self._pos, self._neg), self._highest)

    def compress(self, max_points: int) -> Self:
        """Merge neighbouring scores until at most `max_points` are left.

        The vertices of the convex hull are kept, and counts at every kept threshold stay exact, so the compressed
        curve passes through points of the full one. Areas of the result carry a guaranteed `error_bound`. A table that
        knows the `figures` of all its scores keeps them, and with them the areas that are exact.

        Parameters
        ----------
        max_points : int
            The most rows the result may have; at least the number of hull vertices.

        Returns
        -------
        Scores
            The same object if it is small enough already.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.random(10_000) < 0.1
        >>> small = th.Scores(y, rng.normal(size=10_000) + y).compress(500)
        >>> len(small), small.exact, small.roc_auc().error_bound < 1e-3
        (500, False, True)
        """
        kept = compressed_rows(self.tp, self.fp, self._pos, self._neg, max_points)
        if kept is None:
            return self
        first = np.concatenate(([0], kept[:-1] + 1))
        highest = np.maximum.reduceat(self.highest, first)
        if self._figures is not None:
            return self._from_kept(self._thresholds[kept], self.tp[kept], self.fp[kept], self._figures, highest)
        pos = np.diff(self.tp[kept], prepend=self.tp.dtype.type(0))
        neg = np.diff(self.fp[kept], prepend=self.fp.dtype.type(0))
        return self._from_table((self._thresholds[kept], pos, neg), highest)

    def _without_figures(self) -> Self:
        """Return the table alone, as `compress` would have made it."""
        if self._figures is None:
            return self
        return self._from_table((self._thresholds, self._pos, self._neg), self._highest)

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a portable file: little-endian arrays behind a short JSON header, closed by a checksum.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> import thresher as th
        >>> scores = th.Scores([0, 1, 1], [0.1, 0.4, 0.35])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "site-a.scores"
        ...     scores.save(path)
        ...     th.Scores.load(path) == scores
        True
        """
        write_table(path, (self._thresholds, self._pos, self._neg), self._highest, self._figures)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file that `save` wrote. Nothing in it is executed; a damaged or foreign file is refused."""
        table, highest, figures = read_table(path)
        if figures is None or highest is None:
            return cls._from_table(table, highest)
        return cls._from_kept(table[0], cumulative(table[1]), cumulative(table[2]), figures, highest)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def _rebuild(cls: type[C], table: Table, highest: ScoreArray | None) -> C:
    return cls._from_table(table, highest)


def _rebuild_kept(cls: type[C], kept: tuple[ScoreArray, CountArray, CountArray, Figures, ScoreArray]) -> C:
    return cls._from_kept(*kept)


def as_counts(value: object, name: str = "scores") -> Counts:
    """Return the argument if it is a count table."""
    if not isinstance(value, Counts):
        raise InvalidTypeError(
            f"`{name}` must be a Scores; got {type(value).__name__}. Hint: build one with `th.Scores(y_true, y_score)`."
        )
    return value
