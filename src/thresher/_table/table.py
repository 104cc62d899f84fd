"""The distinct scores with how many positives and negatives stand at each."""

from __future__ import annotations

import io
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TypeVar, cast

import numpy as np

from thresher._core import native
from thresher._core.arrays import LEAST_WEIGHT, MOST_WEIGHT, as_scores, frozen, lossless_common_dtype
from thresher._core.counting import Table, merge_tables
from thresher._core.device import to_host
from thresher._core.device_path import distinct_on_device, ends_on_device
from thresher._core.device_ranks import DeviceRanks, merged_ranks
from thresher._core.result_bases import Guessed
from thresher._core.sums import accurate_sum, cumulative, exact_dot, refuse_sum
from thresher._core.values import Frozen
from thresher._table.cell_sample import Typical, typical_weights
from thresher._table.clusters import Clusters, merged_clusters
from thresher._table.columns import merged_highest, running_counts, steps
from thresher._table.compress import compressed_rows, disclosed
from thresher._table.exact_figures import Figures
from thresher._table.outcome import Outcome
from thresher._table.scores_file import Contents, read_table, write_table
from thresher._table.squares import Squares, merged_squares, squares_of_counts
from thresher._table.table_repr import as_html, as_text
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, CountArray, FloatArray, ScoreArray

if TYPE_CHECKING:
    from thresher._core.native import Running
    from thresher._core.native._kernels import Weighed

C = TypeVar("C", bound="CountTable")


class CountTable(Guessed, Frozen):
    """The table itself: columns, totals, sums of tables, smaller tables and files. Instances are frozen."""

    _highest: ScoreArray | None
    _figures: Figures | None = None  # exact sums over all scores, where only some are kept
    _device: DeviceRanks | None = None  # rows that stay where they are; the columns come over when asked for
    _weighed: Weighed | None = None  # sums of weights as the kernel left them; columns are made when asked for
    _clusters: Clusters | None = None  # which rows belong together, where that is known
    _outcome: Outcome | None = None  # the rows behind an outcome in time, censored ones among them

    def _set(
        self,
        table: Table,
        highest: ScoreArray | None = None,
        squares: Squares | None = None,
        clusters: Clusters | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        thresholds, pos, neg = (np.ascontiguousarray(column) for column in table)
        if pos.dtype.kind != "f":
            refuse_sum(pos, "positive")
            refuse_sum(neg, "negative")
        else:
            _refuse_extremes(pos, neg)
        fields: dict[str, Any] = {
            "_thresholds": frozen(thresholds),
            "_pos": frozen(pos),
            "_neg": frozen(neg),
            "_highest": None if highest is None else frozen(np.ascontiguousarray(highest)),
        }
        if squares is not None:
            columns = [frozen(np.ascontiguousarray(column)) for column in (squares.pos, squares.neg)]
            fields["_weight_squares"] = squares._replace(pos=columns[0], neg=columns[1])
        if clusters is not None:
            fields["_clusters"] = Clusters(*(frozen(np.ascontiguousarray(column)) for column in clusters))
        if outcome is not None:
            fields["_outcome"] = outcome
        self.__dict__.update(fields)

    @classmethod
    def _from_table(
        cls,
        table: Table,
        highest: ScoreArray | None = None,
        squares: Squares | None = None,
        clusters: Clusters | None = None,
        outcome: Outcome | None = None,
    ) -> Self:
        out = object.__new__(cls)
        out._set(table, highest, squares, clusters, outcome)
        return out

    @classmethod
    def _from_counted(cls, thresholds: ScoreArray, pos: CountArray, neg: CountArray) -> Self:
        """Take columns of rows counted one by one, read-only already; nothing is checked, for very many tables."""
        out = object.__new__(cls)
        out.__dict__.update(_thresholds=thresholds, _pos=pos, _neg=neg, _highest=None)
        return out

    @classmethod
    def _from_kept(
        cls,
        thresholds: ScoreArray,
        tp: CountArray,
        fp: CountArray,
        figures: Figures,
        highest: ScoreArray,
        squares: Squares | None = None,
    ) -> Self:
        """Take some points of a curve, the last one among them, with exact sums over all of it.

        `thresholds` are the scores kept, highest first, with the lowest of all among them; `tp`, `fp` the exact counts
        at or above each. `highest[i]` is the highest score below ``thresholds[i - 1]``: row i stands for all from
        there down to its own.
        """
        out = cls._from_table((thresholds, steps(tp), steps(fp)), highest, squares)
        if figures.n_scores == thresholds.size:
            return cls._from_table((thresholds, out._pos, out._neg), None, squares)
        # Steps of weights are rounded: the running sums are kept as they came.
        columns = {"tp": frozen(np.ascontiguousarray(tp)), "fp": frozen(np.ascontiguousarray(fp))}
        out.__dict__.update(columns, _figures=figures)
        return out

    @cached_property
    def _thresholds(self) -> ScoreArray:
        counted = self._running if self._weighed is None else self._weighed
        assert counted is not None  # noqa: S101  # tables made in another way have it from the start
        return frozen(counted.thresholds)

    @cached_property
    def _running(self) -> Running | None:
        """The table as the kernel or the device left it; the columns are made from it when asked for."""
        return None if self._device is None else self._fetched

    @cached_property
    def _fetched(self) -> native.RunningTable:
        """What a device holds, brought to main memory."""
        assert self._device is not None  # noqa: S101  # for the type checker
        table = self._device.table()
        thresholds, tp, fp = (to_host(column) for column in (table.thresholds, table.tp, table.fp))
        return native.RunningTable(thresholds, tp, fp, table.n_pos, table.n_neg, self._twice_u)

    @property
    def _on_device(self) -> bool:
        """Whether the counts are on the device that the rows came from, and not yet in main memory too."""
        return self._device is not None and "_fetched" not in self.__dict__

    @property
    def _ranks(self) -> DeviceRanks | None:
        """The rows on their device, for figures that are computed there; None once the table is in main memory."""
        return self._device if self._on_device else None

    @cached_property
    def _distinct(self) -> int:
        """How many distinct scores there are on the device."""
        assert self._device is not None  # noqa: S101  # for the type checker
        return distinct_on_device(self._device)

    def _counts_at(self, thresholds: ArrayLike) -> tuple[CountArray, CountArray]:
        """Return the true and false positives from each of any thresholds on; only these counts leave a device."""
        wanted = as_scores(thresholds, "thresholds")
        if self._ranks is not None:
            return self._ranks.counts_at(wanted)
        dtype = lossless_common_dtype(self._thresholds, wanted)
        rising = self._thresholds.astype(dtype, copy=False)[::-1]
        called = len(self) - np.searchsorted(rising, wanted.astype(dtype, copy=False))
        tp, fp = (np.append(column.dtype.type(0), column)[called] for column in (self.tp, self.fp))
        return tp, fp

    @property
    def thresholds(self) -> ScoreArray:
        """The distinct scores, highest first, in the dtype they came in."""
        return self._thresholds

    @cached_property
    def _pos(self) -> CountArray:
        return frozen(steps(running_counts(self)[0]) if self._weighed is None else self._weighed.pos)

    @cached_property
    def _neg(self) -> CountArray:
        return frozen(steps(running_counts(self)[1]) if self._weighed is None else self._weighed.neg)

    @cached_property
    def _weight_squares(self) -> Squares | None:
        """What is known of sampling weights; None where rows are counted."""
        found = self._weighed
        if found is None:
            return None
        return Squares(frozen(found.pos_squares), frozen(found.neg_squares), None, found.rows, found.spans)

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
        """True positives when ``score >= thresholds[i]`` is predicted positive."""
        if self._running is not None:
            return frozen(self._running.tp.astype(np.int64))
        return frozen(cumulative(self._pos) if self._weighed is None else self._weighed.tp)

    @cached_property
    def fp(self) -> CountArray:
        """False positives when ``score >= thresholds[i]`` is predicted positive."""
        if self._running is not None:
            return frozen(self._running.fp.astype(np.int64))
        return frozen(cumulative(self._neg) if self._weighed is None else self._weighed.fp)

    @property
    def n_pos(self) -> int | float:
        """How many positives there are (the sum of their weights)."""
        if self._device is not None:
            return self._device.n_pos
        counted = self._running if self._weighed is None else self._weighed
        if counted is not None:
            return counted.n_pos
        return cast("int | float", self.tp[-1].item())

    @property
    def n_neg(self) -> int | float:
        """How many negatives there are (the sum of their weights)."""
        if self._device is not None:
            return self._device.n_neg
        counted = self._running if self._weighed is None else self._weighed
        if counted is not None:
            return counted.n_neg
        return cast("int | float", self.fp[-1].item())

    @cached_property
    def _wins(self) -> float:
        """The weight of pairs in which the positive scores higher, tied ones half: correctly rounded."""
        return accurate_sum(self.pos * (self.n_neg - self.fp + self.neg / 2))

    @property
    def prevalence(self) -> float:
        """The proportion of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def _whole(self) -> bool:
        """Whether the counts are integers: rows, or sums of integer weights."""
        if self._weighed is not None:
            return False
        return self._device is not None or self._running is not None or self._pos.dtype.kind != "f"

    @property
    def _varied(self) -> bool:
        """Whether weights are known to differ within a class, without a look at their sums."""
        return self._weighed is not None and self._weighed.varied

    @property
    def _weighted(self) -> bool:
        """Whether the counts are sums of weights instead of row counts."""
        return self._weight_squares is not None or not self._whole

    @property
    def _independent(self) -> bool:
        """Whether rows are independent and count alike: no weights that vary, and no clusters of several rows."""
        return self._weight_squares is None and (self._clusters is None or self._each_its_own)

    @property
    def _plain_rows(self) -> bool:
        """Whether rows are counted, independent and of one weight, so that the counts tell all of them."""
        return self._whole and self._independent

    @property
    def _each_its_own(self) -> bool:
        """Whether every row is a cluster of its own."""
        if self._clusters is None:
            return False
        if self._outcome is not None:
            return self._outcome.unit is None
        rows = self._rows_pos, self._rows_neg
        return rows[0] is not None and rows[1] is not None and self._clusters.size == rows[0] + rows[1]

    @property
    def _pos_squares(self) -> FloatArray | None:
        """The sum of the squared weights of the positives at score ``thresholds[i]``; None without weights."""
        return None if self._weight_squares is None else self._weight_squares.pos

    @property
    def _neg_squares(self) -> FloatArray | None:
        """The sum of the squared weights of the negatives at score ``thresholds[i]``; None without weights."""
        return None if self._weight_squares is None else self._weight_squares.neg

    @property
    def _rows_pos(self) -> int | None:
        """How many rows the positives are; None where only sums of weights are known."""
        return self._rows(0)

    @property
    def _rows_neg(self) -> int | None:
        """How many rows the negatives are; None where only sums of weights are known."""
        return self._rows(1)

    def _rows(self, side: int) -> int | None:
        if self._weight_squares is not None:
            return None if self._weight_squares.rows is None else self._weight_squares.rows[side]
        total = (self.n_pos, self.n_neg)[side]
        return int(total) if self._counted else None

    @cached_property
    def _counted(self) -> bool:
        """Whether every count is a number of rows: integers, or floats that are whole, without sampling weights."""
        if self._weight_squares is not None:
            return False
        return self._whole or all(bool((column == np.rint(column)).all()) for column in (self._pos, self._neg))

    @property
    def effective_pos(self) -> float:
        """How many positives of equal weight tell as much: the square of the sum of weights over that of squares."""
        return _effective(self.n_pos, self._pos_squares) if self._plain is None else float(self._plain.n_pos)

    @property
    def effective_neg(self) -> float:
        """How many negatives of equal weight tell as much: the square of the sum of weights over that of squares."""
        return _effective(self.n_neg, self._neg_squares) if self._plain is None else float(self._plain.n_neg)

    @cached_property
    def _typical(self) -> tuple[Typical, Typical]:
        """What a row weighs above and below each cut, of the positives and of the negatives."""
        pos, neg = self._pos.astype(np.float64), self._neg.astype(np.float64)
        squared = (pos, neg) if self._weight_squares is None else (self._weight_squares.pos, self._weight_squares.neg)
        return typical_weights(pos, squared[0]), typical_weights(neg, squared[1])

    @property
    def _plain(self) -> Self | None:
        """The table of the rows themselves, where all weights of a class are equal; None where they are not.

        Figures that do not depend on the prevalence are those of this table, to the last bit.
        """
        if self._varied:
            return None
        return self if self._weight_squares is None else self._rows_alone

    @cached_property
    def _rows_alone(self) -> Self | None:
        """The rows behind weights that are the same within each class."""
        constant = None if self._weight_squares is None else self._weight_squares.constant
        if constant is None or self._figures is not None:
            return None
        pos, neg = (np.rint(column / unit) for column, unit in zip((self._pos, self._neg), constant, strict=True))
        if max(float(pos.sum()), float(neg.sum())) >= 2.0**52:
            return None
        table = (self._thresholds, pos.astype(np.int64), neg.astype(np.int64))
        clusters = None if self._clusters is None else self._clusters.counted()
        return self._from_table(table, self._highest, None, clusters)

    @property
    def _rows_alike(self) -> Self | None:
        """The table of the rows themselves, if they are independent and those of a class weigh the same; else None."""
        return None if self._clusters is not None and not self._each_its_own else self._plain

    @property
    def _even(self) -> Self:
        """The table of which figures are computed: that of the rows where all weights are the same.

        If each class has one weight, a positive weighs 1 and a negative as many times more as it does here: only that
        ratio means something, and rates within a class are quotients of whole numbers, as those of rows are. Other
        tables as they are. Sums of weights stay what they are in a table, for others that are added to it.
        """
        return self if self._varied or self._weight_squares is None or self._evened is None else self._evened

    @cached_property
    def _evened(self) -> Self | None:
        squares, rows = self._weight_squares, self._rows_alone
        if squares is None or squares.constant is None or rows is None:
            return None
        first, second = squares.constant
        if squares.unit is not None:
            return rows
        if first == 1.0:
            return None
        odds = second / first
        pos, neg = rows._pos.astype(np.float64), rows._neg.astype(np.float64)
        spans = [(unit, unit) if some else (np.inf, 0.0) for unit, some in ((1.0, rows.n_pos), (odds, rows.n_neg))]
        facts = squares._replace(pos=pos, neg=neg * odds * odds, spans=(spans[0], spans[1]))
        clusters = None if self._clusters is None else self._clusters.counted(odds)
        return self._from_table((self._thresholds, pos, neg * odds), self._highest, facts, clusters)

    @cached_property
    def _twice_u(self) -> int:
        """Twice the pairs in which the positive stands above the negative, plus the pairs that tie; integer counts."""
        if self._figures is not None:
            return cast("int", self._figures.twice_u)
        if self._device is not None:
            return self._device.twice_u()
        if self._running is not None:
            return self._running.twice_u
        return exact_dot(self._pos, 2 * (int(self.n_neg) - self.fp) + self._neg)

    @property
    def _exact(self) -> bool:
        """Whether ROC AUC, average precision, interpolated PR AUC and DeLong's variance are those of all scores."""
        return self._highest is None or self._figures is not None

    @property
    def _complete(self) -> bool:
        """Whether every distinct score is kept, so that every figure is exact."""
        return self._highest is None

    @property
    def _n_scores(self) -> int | None:
        """How many distinct scores the data have; None where merging has made that unknown."""
        if self._figures is not None:
            return self._figures.n_scores
        return len(self) if self._complete else None

    @property
    def _highest_scores(self) -> ScoreArray:
        """The highest score that row i stands for; above ``thresholds[i]`` only where `compress` merged scores."""
        return self._thresholds if self._highest is None else self._highest

    @property
    def _score_range(self) -> tuple[Any, Any]:
        """The highest and the lowest score."""
        if self._ranks is not None:
            highest, lowest = ends_on_device(self._ranks)
            return highest, lowest
        return self._highest_scores[0], self._thresholds[-1]

    def __len__(self) -> int:
        return self._distinct if self._on_device else int(self._thresholds.size)

    # Together and apart

    def __add__(self, other: Self) -> Self:
        """Return the table of all rows of both.

        Counts and whole weights are exact, in any order of adding. A sum of float weights is rounded once for every
        addition, so that its last digit may depend on the order.
        """
        if not isinstance(other, CountTable):
            return NotImplemented
        there = self._added_there(other)
        if there is not None:
            return there
        dtype = lossless_common_dtype(self._thresholds, other._thresholds)
        parts = [(part._thresholds.astype(dtype, copy=False), part._pos, part._neg) for part in (self, other)]
        table = merge_tables(parts[0], parts[1])
        squares, clusters = self._squares_with(other, parts[0][0], parts[1][0]), None
        if self._clusters is not None and other._clusters is not None:
            own = [(self._thresholds, self._clusters), (other._thresholds, other._clusters)]
            clusters = merged_clusters(table[0], own)
        elif self._clusters is not None or other._clusters is not None:
            raise InvalidInputError(
                "Tables must both have `cluster`, or neither; one of these two does not say which rows belong "
                "together. Hint: count the rows of the other with `cluster=` too."
            )
        if self._complete and other._complete:
            return self._from_table(table, None, squares, clusters)
        ranges = [(part._thresholds, part._highest_scores) for part in (self, other)]
        return self._from_table(table, merged_highest(table[0], ranges), squares, clusters)

    def _added_there(self, other: CountTable) -> Self | None:
        """Return the table of all rows on the device of both; None where they are not on one."""
        if self._ranks is None or other._ranks is None:
            return None
        both = merged_ranks(self._ranks, other._ranks)
        if both is None:
            return None
        out = object.__new__(type(self))
        out.__dict__.update(_device=both, _highest=None)
        return out

    def _squares_with(self, other: CountTable, mine: ScoreArray, others: ScoreArray) -> Squares | None:
        """Return the squares of the sum; a row without weight has weight 1."""
        parts = [part._weight_squares for part in (self, other)]
        if parts[0] is None and parts[1] is None:
            return None
        if not all(part._weight_squares is not None or part._counted for part in (self, other)):
            return None  # one of them has sums of weights only
        filled = [
            squares_of_counts(part._pos, part._neg) if part._weight_squares is None else part._weight_squares
            for part in (self, other)
        ]
        return merged_squares((mine, filled[0]), (others, filled[1]))

    def __radd__(self, other: object) -> Self:
        # `sum(parts)` starts from the number 0.
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CountTable):
            return NotImplemented
        return all(
            np.array_equal(a, b)
            for a, b in (
                (self._thresholds, other._thresholds),
                (self._pos, other._pos),
                (self._neg, other._neg),
                (self._highest_scores, other._highest_scores),
                *_extras(self, other),
            )
        ) and (self._figures == other._figures and _same_outcome(self._outcome, other._outcome))

    __hash__ = None  # type: ignore[assignment]  # equal tables may hold arrays of different dtypes

    def __reduce__(self) -> tuple[Any, ...]:
        if self._figures is not None:
            kept = (self._thresholds, self.tp, self.fp, self._figures, self._highest_scores, self._weight_squares)
            return _rebuild_kept, (type(self), kept)
        table = (self._thresholds, self._pos, self._neg)
        return _rebuild, (type(self), table, self._highest, self._weight_squares, self._clusters, self._outcome)

    def compress(self, max_points: int | None = None, *, min_count: int | None = None) -> Self:
        """Merge neighbouring scores: until at most `max_points` are left, or until no row shows a small count.

        Areas of the result, and of sums of such results, carry a guaranteed `error_bound`.

        Parameters
        ----------
        max_points : int, optional
            The most rows the result may have; at least the number of vertices of the convex hull, which are kept.
            Counts at every kept threshold stay exact, so the compressed curve passes through points of the full one. A
            table that knows exact sums over all its scores keeps them, and with them the areas that are exact.
        min_count : int, optional
            For a table that may leave a site: the smallest number of positives or of negatives that a row may show
            unless it is 0; at least 2. Counts must be whole, and a class with fewer cases in all is refused.

        Returns
        -------
        Scores
            The same object if it has few enough rows already.

        Notes
        -----
        With `min_count` rows are made of blocks of at least so many cases that are cut by score alone: where a row ends
        does not tell the label of the case that completed it. The rule keeps small counts from being read off one
        table. It is no differential privacy: the ends of rows are scores of real cases, class totals are exact, and two
        tables of the same site that differ by a few cases can be subtracted.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.random(10_000) < 0.1
        >>> small = th.Scores(y, rng.normal(size=10_000) + y).compress(500)
        >>> len(small), small.roc_auc().error_bound < 1e-3
        (500, True)
        >>> scores = th.Scores([1, 1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
        >>> shown = scores.compress(min_count=2)
        >>> shown.thresholds, shown.pos, shown.neg
        (array([0.8, 0.4, 0.2]), array([2, 2, 0]), array([0, 2, 2]))
        """
        if min_count is not None:
            shown = disclosed(self, min_count)
            return shown if max_points is None else shown.compress(max_points)
        if max_points is None:
            raise InvalidInputError(
                "`compress` needs `max_points` or `min_count`; got neither. Hint: compress(10_000)."
            )
        unit = 1.0
        if self._weight_squares is not None:
            whole = float(self.n_pos + self.n_neg)
            unit = (accurate_sum(self._weight_squares.pos) + accurate_sum(self._weight_squares.neg)) / whole
        kept = compressed_rows(self.tp, self.fp, self._pos, self._neg, max_points, unit)
        if kept is None:
            return self
        first = np.concatenate(([0], kept[:-1] + 1))
        highest = np.maximum.reduceat(self._highest_scores, first)
        squares = None if self._weight_squares is None else self._weight_squares.taken(first)
        if self._figures is not None:
            return self._from_kept(
                self._thresholds[kept], self.tp[kept], self.fp[kept], self._figures, highest, squares
            )
        pos = np.diff(self.tp[kept], prepend=self.tp.dtype.type(0))
        neg = np.diff(self.fp[kept], prepend=self.fp.dtype.type(0))
        clusters = self._clusters
        if clusters is not None:
            clusters = clusters.moved(np.searchsorted(kept, np.arange(len(self))))
        return self._from_table((self._thresholds[kept], pos, neg), highest, squares, clusters, self._outcome)

    def _without_figures(self) -> Self:
        """Return the table alone, as `compress` would have made it."""
        if self._figures is None:
            return self
        return self._from_table((self._thresholds, self._pos, self._neg), self._highest, self._weight_squares)

    # Files

    def save(self, path: str | os.PathLike[str] | BinaryIO, *, compressed: bool = False) -> None:
        """Write a portable file: little-endian arrays behind a short JSON header, closed by a checksum.

        Parameters
        ----------
        path : str, path or binary file
            The file to write: a path, an address such as ``"s3://bucket/site.scores"``, or a file open for writing.
        compressed : bool, default=False
            Write fewer bytes, 5 to 7 for a score of double precision instead of 24, which takes longer.

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
        table = (self._thresholds, self._pos, self._neg)
        contents = Contents(table, self._highest, self._figures, self._weight_squares, self._clusters, self._outcome)
        write_table(path, contents, compressed=compressed)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BinaryIO | bytes) -> Self:
        """Read a file that `save` wrote. Nothing in it is executed; a damaged or foreign file is refused.

        Parameters
        ----------
        path : str, path, binary file or bytes
            A path, an address, a file open for reading, or what ``bytes(scores)`` returned.

        Examples
        --------
        >>> import tempfile
        >>> import thresher as th
        >>> scores = th.Scores([0, 1, 1], [0.1, 0.8, 0.9])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     scores.save(f"{folder}/scores.th")
        ...     th.Scores.load(f"{folder}/scores.th").n_pos
        2
        >>> th.Scores.load(bytes(scores)) == scores
        True
        """
        table, highest, figures, squares, clusters, outcome = read_table(
            io.BytesIO(path) if isinstance(path, bytes) else path
        )
        if figures is None or highest is None:
            return cls._from_table(table, highest, squares, clusters, outcome)
        return cls._from_kept(table[0], cumulative(table[1]), cumulative(table[2]), figures, highest, squares)

    def __bytes__(self) -> bytes:
        """Return what `save` writes, compressed: for queues, caches and columns of databases."""
        file = io.BytesIO()
        self.save(file, compressed=True)
        return file.getvalue()

    def __sub__(self, other: Self) -> Self:
        """Return the table of the rows that are not in the other one, which must be among these: ``week - monday``.

        Only whole counts of all scores can be taken away exactly; anything else is refused.
        """
        if not isinstance(other, CountTable):
            return NotImplemented
        for table in (self, other):
            if (
                not table._complete
                or not table._counted
                or table._weight_squares is not None
                or table._clusters is not None
            ):
                raise InvalidInputError(
                    "Tables must have all scores and whole counts to be subtracted; one of these two has weights, "
                    "clusters, or some of its scores only. Hint: add the parts that are wanted instead."
                )
        dtype = lossless_common_dtype(self._thresholds, other._thresholds)
        parts = [(part._thresholds.astype(dtype, copy=False), part._pos, part._neg) for part in (self, other)]
        scores, pos, neg = merge_tables(parts[0], (parts[1][0], -parts[1][1], -parts[1][2]))
        if min(pos.min(), neg.min()) < 0:
            where = int(np.flatnonzero((pos < 0) | (neg < 0))[0])
            raise InvalidInputError(
                f"The table that is subtracted must hold rows of the other one; at score {scores[where]} it has more. "
                "Hint: was it added before, and not rounded or compressed since?"
            )
        left = (pos > 0) | (neg > 0)
        if not left.any():
            raise InvalidInputError("The table that is subtracted must leave rows; it holds all of them.")
        return self._from_table((scores[left], pos[left], neg[left]))

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def _refuse_extremes(pos: CountArray, neg: CountArray) -> None:
    """Raise if sums of float weights are so large or so small that products of them are not numbers."""
    totals = [float(column.sum()) for column in (pos, neg)]
    if any(total > 0.0 and not LEAST_WEIGHT <= total <= MOST_WEIGHT for total in totals):
        raise InvalidInputError(
            f"The weights of a class must add up to 0 or to between {LEAST_WEIGHT:.0e} and 2**62; got "
            f"{totals[0]!r} for the positives and {totals[1]!r} for the negatives. "
            "Hint: weights are relative: divide them all by the largest."
        )


def _rebuild(
    cls: type[C],
    table: Table,
    highest: ScoreArray | None,
    squares: Squares | None,
    clusters: Clusters | None,
    outcome: Outcome | None,
) -> C:
    return cls._from_table(table, highest, squares, clusters, outcome)


def _rebuild_kept(
    cls: type[C], kept: tuple[ScoreArray, CountArray, CountArray, Figures, ScoreArray, Squares | None]
) -> C:
    return cls._from_kept(*kept)


def _effective(total: float, squares: FloatArray | None) -> float:
    assert squares is not None  # noqa: S101  # for the type checker; tables without weights are plain
    root = accurate_sum(squares)
    return float(total) / root * float(total) if root > 0.0 else 0.0


def _same_outcome(a: Outcome | None, b: Outcome | None) -> bool:
    """Return whether two tables are of the same outcome in time, or of none."""
    return a is b or (a is not None and b is not None and a.same_as(b))


def _extras(a: CountTable, b: CountTable) -> list[tuple[Any, Any]]:
    """Return pairs of what tables may have beyond their counts."""
    pairs: list[tuple[Any, Any]] = [
        (a._weight_squares is None, b._weight_squares is None),
        (a._clusters is None, b._clusters is None),
    ]
    if a._weight_squares is not None and b._weight_squares is not None:
        pairs += [
            (getattr(a._weight_squares, name), getattr(b._weight_squares, name)) for name in ("pos", "neg", "both")
        ]
    if a._clusters is not None and b._clusters is not None:
        pairs += list(zip(a._clusters, b._clusters, strict=True))
    return pairs
