"""The public Sketches: a sketch for every key of a stream, in one file."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_labels, as_scores, as_vector, as_weights, unequal
from thresher._core.checks import check_count, show
from thresher._core.counting import count_groups
from thresher._facade.counts_table import load_counts, save_counts
from thresher._facade.scores import Scores
from thresher._facade.sketch import Sketch
from thresher._table import ManyTables
from thresher.exceptions import InvalidTypeError
from thresher.typing import ArrayLike, BoolArray, ScoreArray

_Part = tuple[NDArray[np.int32], BoolArray, ScoreArray]
"""The number of the key of each row, whether it is positive, and its score."""


class Sketches(Mapping[Hashable, Sketch]):
    """A `Sketch` for every key of a stream, such as a campaign, a site or a day, each in bounded memory.

    A mapping of keys to sketches, in the order in which keys came. Memory grows with the number of keys, by at most
    `max_points` rows for each, and by as many as it has distinct scores where these are fewer.

    Parameters
    ----------
    max_points : int
        The most rows to keep for each key, at least 16.

    See Also
    --------
    Sketch : One stream.
    scan : Groups of data that can be read as a whole, exactly.

    Examples
    --------
    >>> import thresher as th
    >>> campaigns = th.Sketches(max_points=100)
    >>> campaigns.update(["a", "b", "a", "b"], [0, 1, 1, 0], [0.1, 0.7, 0.6, 0.2])
    >>> campaigns.update(["c", "a"], [0, 0], [0.5, 0.7])
    >>> list(campaigns), campaigns["a"].to_scores() == th.Scores([0, 1, 0], [0.1, 0.6, 0.7])
    (['a', 'b', 'c'], True)
    """

    def __init__(self, max_points: int) -> None:
        Sketch(max_points)  # which checks it
        self._max_points = check_count(max_points, "max_points")
        self._sketches: dict[Hashable, Sketch] = {}
        # Rows of keys that have room for all of them wait: they are counted together, and exactly, whenever that is.
        self._numbers: dict[Hashable, int] = {}
        self._room = np.empty(0, dtype=np.int64)
        self._waiting: list[_Part] = []
        self._kind: np.dtype[Any] | None = None  # of their scores

    @property
    def max_points(self) -> int:
        """The most rows that are kept for each key."""
        return self._max_points

    def __getitem__(self, key: Hashable) -> Sketch:
        self._settle()
        return self._sketches[key]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def update(
        self,
        key: ArrayLike,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        frequency: ArrayLike | None = None,
    ) -> None:
        """Add a batch of rows of any keys, in place.

        Parameters
        ----------
        key : array_like
            Which sketch each row belongs to: numbers or text.
        y_true, y_score, pos_label, sample_weight, frequency
            As in `Sketch.update`.

        Examples
        --------
        >>> import thresher as th
        >>> days = th.Sketches(max_points=100)
        >>> days.update(["mon", "mon", "tue"], [0, 1, 1], [0.2, 0.4, 0.3])
        >>> days["mon"].to_scores().roc_auc().value
        1.0
        """
        keys = as_vector(key, "key")
        columns: dict[str, Any] = {"y_true": as_labels(y_true, pos_label, expected=False)}
        columns["y_score"] = as_scores(y_score)
        # All rows are looked at before any sketch changes, and messages count rows of the batch.
        if sample_weight is not None:
            columns["sample_weight"] = as_weights(sample_weight, keys.size, beside="key")
        if frequency is not None:
            columns["frequency"] = as_frequency(frequency, keys.size, beside="key")
        for name, column in columns.items():
            if column.size != keys.size:
                raise unequal("key", keys.size, name, column.size)
        if not keys.size:
            return
        values, first, place = np.unique(keys, return_index=True, return_inverse=True)
        if set(columns) == {"y_true", "y_score"} and columns["y_score"].itemsize <= 8:
            self._take(values, first, place.reshape(-1), columns["y_true"], columns["y_score"])
            return
        order = np.argsort(place, kind="stable")
        ends = np.cumsum(np.bincount(place))
        tables = {}
        for k in np.argsort(first, kind="stable").tolist():  # as they came
            rows = order[(ends[k - 1] if k else 0) : ends[k]]
            tables[values[k : k + 1].tolist()[0]] = Scores(**{name: column[rows] for name, column in columns.items()})
        self.merge(tables)

    def _take(
        self, values: NDArray[Any], first: NDArray[np.intp], place: NDArray[np.intp], positive: BoolArray, y: ScoreArray
    ) -> None:
        """Take in counted rows; row i has the key ``values[place[i]]``."""
        came = np.argsort(first, kind="stable")
        number = np.empty(values.size, dtype=np.int32)
        number[came] = [self._numbered(key) for key in values[came].tolist()]
        rows = np.bincount(place)
        part: _Part = (number[place], positive, y)
        self._kind = self._kind or y.dtype
        full = rows > self._room[number]
        if y.dtype != self._kind or full.all():
            self._settle()
            self._count([part])
            return
        if full.any():
            chosen = np.zeros(self._room.size, dtype=np.bool_)
            chosen[number[full]] = True
            self._settle(chosen)
            direct = chosen[part[0]]
            self._count([_picked(part, direct)])
            part = _picked(part, ~direct)
        self._room[number[~full]] -= rows[~full]
        # Someone may write to theirs before they are counted.
        self._waiting.append((part[0], part[1].copy(), part[2].copy()))

    def _numbered(self, key: Hashable) -> int:
        """Return the number of a key; new ones have room for all rows that can be kept."""
        number = self._numbers.setdefault(key, len(self._numbers))
        if number >= self._room.size:
            more = np.full(max(number + 1, 2 * self._room.size, 64) - self._room.size, self._max_points)
            self._room = np.concatenate((self._room, more))
        return number

    def _settle(self, chosen: BoolArray | None = None) -> None:
        """Count the rows that wait: all of them, or those of some keys."""
        waiting, self._waiting = self._waiting, []
        if chosen is None:
            self._count(waiting)
            return
        found = []
        for part in waiting:
            mine = chosen[part[0]]
            if mine.any():
                found.append(_picked(part, mine))
                part = _picked(part, ~mine)
            self._waiting.append(part)
        self._count(found)

    def _count(self, parts: Sequence[_Part]) -> None:
        """Put rows into the sketches of their keys, having counted them together."""
        if not sum(part[0].size for part in parts):
            return
        code, positive, y = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        groups, ends, table = count_groups(code, y, positive)
        keys = list(self._numbers)
        for number, own in zip(groups.tolist(), ManyTables(*table, ends).each(Scores), strict=True):
            self._put(keys[number], own)

    def _put(self, key: Hashable, part: Sketch | Scores) -> None:
        number = self._numbered(key)
        sketch = self._sketches.get(key)
        if sketch is None:
            sketch = self._sketches[key] = Sketch(self._max_points)
        sketch.merge(part)
        self._room[number] = self._max_points - len(sketch) if sketch.exact else 0

    def merge(self, other: Mapping[Any, Sketch | Scores]) -> None:
        """Add other sketches, or tables, of the same or other keys; the others do not change.

        Parameters
        ----------
        other : Sketches, or mapping of keys to Sketch or Scores
            For example those of another machine, or what `scan` with `by` or `load_counts` gives.

        Examples
        --------
        >>> import thresher as th
        >>> sites = th.Sketches(max_points=100)
        >>> sites.merge({"north": th.Scores([0, 1], [0.2, 0.9])})
        >>> sites["north"].to_scores().n_pos
        1
        """
        if not isinstance(other, Mapping):
            raise InvalidTypeError(
                f"`other` must be Sketches, or a mapping of keys to sketches or Scores; got {show(other)}. "
                "Hint: rows are taken by `update`."
            )
        self._settle()
        for key, part in other.items():
            self._put(key, part)

    def __add__(self, other: Sketches) -> Sketches:
        if not isinstance(other, Sketches):
            return NotImplemented
        both = Sketches(max(self._max_points, other._max_points))
        both.merge(self)
        both.merge(other)
        return both

    def to_scores(self) -> dict[Hashable, Scores]:
        """Return the table of every key.

        Returns
        -------
        dict of Scores
            Frozen, as of `Sketch.to_scores`.

        Examples
        --------
        >>> import thresher as th
        >>> days = th.Sketches(max_points=100)
        >>> days.update([1, 1, 2], [0, 1, 1], [0.2, 0.4, 0.3])
        >>> [scores.n_pos for scores in days.to_scores().values()]
        [1, 1]
        """
        return {key: sketch.to_scores() for key, sketch in self.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all sketches to one Parquet file, a row for each cell, which any engine can filter and add up.

        Parameters
        ----------
        path : str or path
            The file to write, as `save_counts` writes it.

        Examples
        --------
        >>> import tempfile
        >>> import thresher as th
        >>> days = th.Sketches(max_points=100)
        >>> days.update(["mon", "mon", "tue"], [0, 1, 1], [0.2, 0.4, 0.3])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     days.save(f"{folder}/days.parquet")
        ...     again = th.Sketches.load(f"{folder}/days.parquet", max_points=100)
        >>> again.to_scores() == days.to_scores()
        True
        """
        save_counts(self.to_scores(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], max_points: int) -> Sketches:
        """Read sketches, or any counts of many groups in Parquet, to continue them.

        Parameters
        ----------
        path : str or path
            A file of `Sketches.save` or `save_counts`.
        max_points : int
            The most rows to keep for each key from now on.

        Returns
        -------
        Sketches
            With the same cells as long as they fit.

        Examples
        --------
        >>> import tempfile
        >>> import thresher as th
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     th.save_counts({"a": th.Scores([0, 1], [1, 2])}, f"{folder}/counts.parquet")
        ...     sketches = th.Sketches.load(f"{folder}/counts.parquet", max_points=50)
        >>> sketches.update(["a", "b"], [1, 0], [3, 1])
        >>> list(sketches)
        ['a', 'b']
        """
        out = cls(max_points)
        found = load_counts(path)
        out.merge({None: found} if isinstance(found, Scores) else found)
        return out

    def __repr__(self) -> str:
        rows = sum(map(len, self.values()))
        return f"Sketches: {len(self):,} keys in {rows:,} rows, at most {self._max_points:,} for each"


def _picked(part: _Part, rows: BoolArray) -> _Part:
    return part[0][rows], part[1][rows], part[2][rows]
