"""What a table of sampling weights keeps beside their sums: squares, row counts, and the range of the weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import Table, merge_tables, sum_weights
from thresher.typing import BoolArray, CountArray, FloatArray, ScoreArray

_TINY = float(np.finfo(np.float64).tiny)
_MOST_ROWS = 2**52  # of which halves are still numbers
_EQUAL = 1e-9  # weights that differ by less, in proportion, are the same number written twice

WeightSpan = tuple[float, float]
"""The least and the largest weight of a class; (inf, 0) of a class without rows."""


class Squares(NamedTuple):
    """Sums of squared weights of each class at each score, and what is known of the rows behind them.

    Attributes
    ----------
    pos, neg : array of float64
        Element i is the sum of the squared weights of the positives, or negatives, at ``thresholds[i]``.
    both : array of float64 or None
        Where a row stands in both classes (soft labels): the sum of the products of its two weights.
    rows : (int, int) or None
        How many rows the positives and the negatives are; None where only sums are known.
    spans : (Span, Span) or None
        The range of the weights of each class; None where only sums are known, or rows stand in both classes.
    integers : bool
        Whether the weights came as integers, which used to be read as row counts.
    """

    pos: FloatArray
    neg: FloatArray
    both: FloatArray | None = None
    rows: tuple[int, int] | None = None
    spans: tuple[WeightSpan, WeightSpan] | None = None
    integers: bool = False

    def mirrored(self) -> Squares:
        """Return the sums of the table with classes exchanged and scores reversed."""
        both, rows, spans = self.both, self.rows, self.spans
        return Squares(
            self.neg[::-1],
            self.pos[::-1],
            None if both is None else both[::-1],
            None if rows is None else rows[::-1],
            None if spans is None else spans[::-1],
            self.integers,
        )

    def taken(self, starts: NDArray[np.intp]) -> Squares:
        """Return the sums over runs of rows that begin at `starts`."""
        pos, neg = (np.add.reduceat(column, starts) for column in (self.pos, self.neg))
        both = None if self.both is None else np.add.reduceat(self.both, starts)
        return self._replace(pos=pos, neg=neg, both=both)

    def facts(self) -> dict[str, Any]:
        """Return what is known of the rows, for a file: numbers lose no digit."""
        spans = None if self.spans is None else [[float(end).hex() for end in span] for span in self.spans]
        return {"rows_behind": self.rows, "spans": spans, "integers": self.integers}

    def with_facts(self, facts: Any) -> Squares:
        """Return the columns with what `facts` wrote; ValueError or TypeError where it is something else."""
        if not isinstance(facts, dict):
            raise TypeError("no facts")
        rows, spans = facts.get("rows_behind"), facts.get("spans")
        if rows is not None:
            pos, neg = rows
            if type(pos) is not int or type(neg) is not int or min(pos, neg) < 0:
                raise ValueError("not row counts")
            rows = pos, neg
        if spans is not None:
            (low_pos, high_pos), (low_neg, high_neg) = ([float.fromhex(end) for end in span] for span in spans)
            spans = (low_pos, high_pos), (low_neg, high_neg)
        return self._replace(rows=rows, spans=spans, integers=bool(facts.get("integers")))

    @property
    def constant(self) -> WeightSpan | None:
        """The weight of all positives and that of all negatives, where each class has but one weight."""
        if self.spans is None or self.both is not None or not all(_equal(*span) for span in self.spans if span[1]):
            return None
        pos, neg = (low if high else 1.0 for low, high in self.spans)
        return pos, neg

    @property
    def unit(self) -> float | None:
        """The weight of every row, where all have the same; None where they have not, or it is not known."""
        if self.rows is None or self.spans is None or self.both is not None or sum(self.rows) >= _MOST_ROWS:
            return None
        low, high = min(low for low, _ in self.spans), max(high for _, high in self.spans)
        return low if _equal(low, high) else None


def _equal(low: float, high: float) -> bool:
    return high - low <= _EQUAL * high


def can_be_squares(squares: FloatArray, sums: NDArray[Any]) -> BoolArray:
    """Return which sums of squared weights can stand beside these sums of weights."""
    most = np.square(sums.astype(np.float64)) * (1.0 + 1e-12)
    return np.asarray(((squares > 0) == (sums > 0)) & (squares <= most))


def all_ones(weight: NDArray[Any]) -> bool:
    """Return whether all weights are 1, which is to say there are none."""
    return bool(weight.size and weight[0] == 1 and (weight == 1).all())


def all_equal(weight: NDArray[Any]) -> bool:
    """Return whether all weights are the same and above 0: beside no others, there are none."""
    return bool(weight.size and weight[0] > 0 and _equal(float(weight.min()), float(weight.max())))


def weighed_rows(
    scores: ScoreArray, positive: BoolArray, weight: NDArray[Any], times: NDArray[np.int64] | None
) -> tuple[Table, Squares]:
    """Return the table of rows with weights above 0, and their squares; row i occurs ``times[i]`` times."""
    sums: NDArray[Any] = weight
    squared: FloatArray | None = None
    if times is not None:
        sums = weight * times
        squared = sums.astype(np.float64) * weight
    table, (pos, neg) = sum_weights(scores, positive, sums, squared)
    rows = []
    spans = []
    for mine in (positive, ~positive):
        own = weight[mine]
        rows.append(int(own.size if times is None else times[mine].sum()))
        spans.append((float(own.min()), float(own.max())) if own.size else (np.inf, 0.0))
    if min(low for low, _ in spans) < _TINY**0.5:
        # The square of a weight that is nothing beside the others must not vanish while the weight itself is there.
        pos, neg = (np.where(w > 0, np.maximum(q, _TINY), q) for w, q in zip(table[1:], (pos, neg), strict=True))
    integers = weight.dtype.kind != "f"
    return table, Squares(pos, neg, None, (rows[0], rows[1]), (spans[0], spans[1]), integers)


def squares_of_counts(pos: CountArray, neg: CountArray) -> Squares:
    """Return what unweighted counts are among weights: every row has weight 1."""
    rows = int(pos.sum()), int(neg.sum())
    spans = tuple((1.0, 1.0) if some else (np.inf, 0.0) for some in rows)
    return Squares(pos.astype(np.float64), neg.astype(np.float64), None, rows, (spans[0], spans[1]))


def merged_squares(a: tuple[ScoreArray, Squares], b: tuple[ScoreArray, Squares]) -> Squares:
    """Return the squares of the sum of two tables, in the order of its scores; the scores have one dtype."""
    (scores_a, first), (scores_b, second) = a, b

    def summed(x: tuple[FloatArray, FloatArray], y: tuple[FloatArray, FloatArray]) -> Table:
        return merge_tables((scores_a, *x), (scores_b, *y))

    _, pos, neg = summed((first.pos, first.neg), (second.pos, second.neg))
    both = None
    if first.both is not None or second.both is not None:
        columns = [np.zeros(part.pos.size) if part.both is None else part.both for part in (first, second)]
        _, both, _ = summed((columns[0], columns[0]), (columns[1], columns[1]))
    return joined_facts(first, second)._replace(pos=pos, neg=neg, both=both)


def joined_facts(first: Squares, second: Squares) -> Squares:
    """Return what is known of the rows of both; the columns are those of the first."""
    rows = None
    if first.rows is not None and second.rows is not None:
        rows = first.rows[0] + second.rows[0], first.rows[1] + second.rows[1]
    spans = None
    if first.spans is not None and second.spans is not None:
        joined = [(min(x[0], y[0]), max(x[1], y[1])) for x, y in zip(first.spans, second.spans, strict=True)]
        spans = joined[0], joined[1]
    return first._replace(rows=rows, spans=spans, integers=first.integers or second.integers)
