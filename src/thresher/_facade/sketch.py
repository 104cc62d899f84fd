"""The public Sketch: a count table of bounded size, for streams of any length."""

from __future__ import annotations

import os

import numpy as np

from thresher._core.arrays import as_labels
from thresher._core.checks import check_count
from thresher._facade.scores import Scores
from thresher._read import SketchCells, cells_of, joined, owned, shrunk, table_of
from thresher._table import Squares, joined_facts, squares_of_counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, CountArray

_FEWEST = 16
_ROOM = 16  # one part in so many stays free, so that small batches rarely need fewer cells
_FIRST_GRAIN = 4.0


class Sketch:
    """A stream of labels and scores in bounded memory, with guaranteed error bounds.

    A sketch takes in batches and keeps at most `max_points` rows, however long the stream is. As long as the distinct
    scores fit it is exact. After that neighbouring scores share cells, which are fine where the data are and follow
    them when they move; `to_scores` gives a table whose areas carry an `error_bound` and whose rates have a
    `RocCurve.rate_error_bound`. Positives stay exact until they fill half of the rows.

    Unlike other objects of this library a sketch changes: `update` and `merge` add to it. What it gives is frozen.

    Parameters
    ----------
    max_points : int
        The most rows to keep, at least 16. Bounds shrink in proportion: with 1,000 rows they are mostly below 0.001
        for ROC AUC.

    See Also
    --------
    Scores.compress : A smaller table from a whole one, with all hull vertices.

    Notes
    -----
    The bounds hold for every stream that the sketch can stand for, whatever its order and its partition into
    batches. The same batches in the same order give the same sketch. Other batches, or another order of merging, may
    give other cells; the bounds hold for each.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> sketch = th.Sketch(max_points=1000)
    >>> for batch in range(20):
    ...     y = rng.random(10_000) < 0.05
    ...     sketch.update(y, rng.normal(size=10_000) + y)
    >>> len(sketch) <= 1000
    True
    >>> area = sketch.to_scores().roc_auc()
    >>> round(area.value, 3), area.error_bound < 0.001
    (0.761, True)
    """

    def __init__(self, max_points: int) -> None:
        self._max_points = check_count(max_points, "max_points", minimum=_FEWEST)
        self._cells: SketchCells | None = None
        self._grain = _FIRST_GRAIN / self._max_points
        self._weights: Squares | None = None  # what is known of sampling weights beyond their sums

    @property
    def max_points(self) -> int:
        """The most rows that are kept."""
        return self._max_points

    @property
    def exact(self) -> bool:
        """Whether no two scores share a row yet, so that `to_scores` is the table of all rows."""
        return self._cells is None or self._cells.ranges is None

    def __len__(self) -> int:
        return 0 if self._cells is None else self._cells.size

    def update(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        frequency: ArrayLike | None = None,
    ) -> None:
        """Add a batch of rows to the sketch, in place.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, frequency
            As in `Scores`; weights of all batches are on one scale. A batch may lack a class.

        Examples
        --------
        >>> import thresher as th
        >>> sketch = th.Sketch(max_points=100)
        >>> sketch.update(["ok", "bad"], [0.1, 0.7], pos_label="bad")
        >>> sketch.update(["ok", "ok"], [0.2, 0.3], pos_label="bad")
        >>> sketch.to_scores() == th.Scores([0, 1, 0, 0], [0.1, 0.7, 0.2, 0.3])
        True
        """
        positive = as_labels(y_true, pos_label, expected=False)
        self.merge(Scores(positive, y_score, sample_weight=sample_weight, frequency=frequency))

    def merge(self, other: Sketch | Scores) -> None:
        """Add another sketch, or a table, to this one; the other one does not change.

        Parameters
        ----------
        other : Sketch or Scores
            Another sketch of any size, for example of another machine, or a table such as one read by `Scores.load`.

        Examples
        --------
        >>> import thresher as th
        >>> a, b = th.Sketch(max_points=100), th.Sketch(max_points=100)
        >>> a.update([0, 1], [0.2, 0.9])
        >>> b.update([1, 0], [0.4, 0.3])
        >>> a.merge(b)
        >>> a.to_scores().n_pos
        2
        """
        if isinstance(other, Scores):
            if other._clusters is not None:
                raise InvalidInputError("A sketch must have independent rows; got `cluster`. Hint: use `scan`.")
            if other._outcome is not None:
                raise InvalidInputError(
                    "A sketch must have labels; got an outcome in time, whose censored rows it has no place for. "
                    "Hint: add tables of `Scores.at_time`."
                )
            squares = other._weight_squares
            columns = () if squares is None else (squares.pos, squares.neg)
            self._note(squares, other)
            self._take(cells_of((other.thresholds, other.pos, other.neg), other._highest_scores, columns))
        elif isinstance(other, Sketch):
            if other._cells is not None:
                self._note(other._weights, other)
                self._take(other._cells)
        else:
            raise InvalidTypeError(
                f"`other` must be a Sketch or a Scores; got {type(other).__name__}. Hint: rows are taken by `update`."
            )

    def __add__(self, other: Sketch) -> Sketch:
        if not isinstance(other, Sketch):
            return NotImplemented
        both = Sketch(max(self._max_points, other._max_points))
        both.merge(self)
        both.merge(other)
        return both

    def _note(self, new: Squares | None, other: Sketch | Scores) -> None:
        """Remember how many rows there are and how large their weights, once some have weights."""
        if new is None and self._weights is None:
            return
        held = self._weights
        if held is None and self._cells is not None:
            held = squares_of_counts(*_totals(self._cells))
        if new is None:
            new = squares_of_counts(*(_totals(other._cells) if isinstance(other, Sketch) else (other.pos, other.neg)))
        self._weights = new if held is None else joined_facts(held, new)

    def _take(self, cells: SketchCells) -> None:
        if self._cells is not None:
            cells = joined(self._cells, cells)
        if cells.size > self._max_points:
            cells, self._grain = shrunk(cells, self._max_points - self._max_points // _ROOM, self._grain)
        self._cells = owned(cells)

    def to_scores(self) -> Scores:
        """Return the table of all rows so far.

        Returns
        -------
        Scores
            Frozen; later updates do not change it. Its `exact` is False once scores share rows. It can be saved, and
            another sketch can `merge` it when it was loaded.

        Examples
        --------
        >>> import thresher as th
        >>> sketch = th.Sketch(max_points=100)
        >>> sketch.update([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> sketch.to_scores().roc_auc()
        roc_auc = 0.75, 95% interval 0.07 to 1.00
        """
        if self._cells is None:
            raise InvalidInputError("A sketch must have taken in at least one row; it has none. Hint: `update` it.")
        table, highest, squares = table_of(self._cells)
        if not squares or self._weights is None:
            return Scores._from_table(table, highest)
        return Scores._from_table(table, highest, self._weights._replace(pos=squares[0], neg=squares[1]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sketch to a file of counts, which `Scores.load` and the command read.

        Parameters
        ----------
        path : str or path
            The file to write, whole or not at all.

        Examples
        --------
        >>> import tempfile
        >>> import thresher as th
        >>> sketch = th.Sketch(max_points=100)
        >>> sketch.update([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sketch.save(f"{folder}/monday.scores")
        ...     tuesday = th.Sketch.load(f"{folder}/monday.scores", max_points=100)
        >>> tuesday.to_scores() == sketch.to_scores()
        True
        """
        self.to_scores().save(path, compressed=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str], max_points: int) -> Sketch:
        """Read a sketch, or any file of counts, to continue it.

        Parameters
        ----------
        path : str or path
            A file of `Sketch.save` or `Scores.save`.
        max_points : int
            The most rows to keep from now on.

        Returns
        -------
        Sketch
            With the same cells as long as they fit.

        Examples
        --------
        >>> import tempfile
        >>> import thresher as th
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     th.Scores([0, 1], [0.1, 0.9]).save(f"{folder}/day.scores")
        ...     sketch = th.Sketch.load(f"{folder}/day.scores", max_points=100)
        >>> sketch.update([0, 1], [0.2, 0.3])
        >>> len(sketch)
        4
        """
        out = cls(max_points)
        out.merge(Scores.load(path))
        return out

    def __repr__(self) -> str:
        if self._cells is None:
            return f"Sketch: empty, at most {self._max_points:,} rows"
        scores = self.to_scores()
        state = "exact so far" if self.exact else "with error bounds"
        return (
            f"Sketch: {scores.n_pos:,} positives and {scores.n_neg:,} negatives in {len(self):,} of at most "
            f"{self._max_points:,} rows, {state}"
        )


def _totals(cells: SketchCells | None) -> tuple[CountArray, CountArray]:
    """Return the positives and negatives of all cells."""
    if cells is None:
        return np.empty(0), np.empty(0)
    if cells.ranges is None:
        return cells.points[1], cells.points[2]
    pos, neg = (
        np.concatenate(pair) for pair in zip(cells.points[1:], (cells.ranges.pos, cells.ranges.neg), strict=True)
    )
    return pos, neg
