"""What an engine counts of sampling weights and clusters beside their sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require
from thresher._read.sql.session import Session
from thresher._read.sql.typed_columns import Columns
from thresher._table import Counts, Squares, as_clusters, make_clusters
from thresher.typing import FloatArray

C = TypeVar("C", bound=Counts)

RowsOf = Callable[[Any], list[NDArray[np.intp]]]
Spans = tuple[tuple[float, float], tuple[float, float]]


class Weights:
    """Sums of squared weights, row counts, ranges of weights and clusters, by one query each.

    `kept` has the rows that count; `rows_of` gives the rows of each group in a result, `scores_of` typed scores.
    """

    def __init__(
        self, session: Session, columns: Columns, kept: Any, rows_of: RowsOf, scores_of: Callable[[Any], Any]
    ) -> None:
        self._session, self._columns, self._rows_of, self._scores_of = session, columns, rows_of, scores_of
        double = kept.single.cast("float64")
        # Cast first: the square of an integer weight may be beyond 64 bits.
        self._table = kept.select(
            "grp", "score", "is_pos", "cluster", "times", w=double, q=double * double * kept.times.cast("float64")
        )
        self._direct: _Fetched | None = None
        self._belonging: _Fetched | None = None

    def _aggregates(self, t: Any) -> dict[str, Any]:
        ibis = require("ibis", extra="engines", purpose="Counting in an engine")
        none = ibis.null().cast("float64")
        up, down = ibis.ifelse(t.is_pos == 1, t.w, none), ibis.ifelse(t.is_pos == 1, none, t.w)
        return {
            "q_pos": (t.is_pos * t.q).sum(),
            "q_neg": ((1 - t.is_pos) * t.q).sum(),
            "rows_pos": (t.is_pos * t.times).sum(),
            "rows_neg": ((1 - t.is_pos) * t.times).sum(),
            "low_pos": up.min(),
            "high_pos": up.max(),
            "low_neg": down.min(),
            "high_neg": down.max(),
        }

    def beside(self, counts: C, group: int) -> C:
        """Return the table of a group with its squares and clusters."""
        squares = self._squares(group) if self._columns.sampling else None
        table = (counts.thresholds, counts.pos, counts.neg)
        if squares is not None and squares.spans is not None and set(squares.spans) <= {(1.0, 1.0), (np.inf, 0.0)}:
            squares, table = None, (table[0], table[1].astype(np.int64), table[2].astype(np.int64))
        return counts._from_table(table, None, squares, self._clusters(counts, group))

    def _fetched(self, query: Any) -> _Fetched:
        """Return the answer to a query as columns, and the rows of each group: looked at once, not for each group."""
        got = self._session.fetch(query)
        columns: dict[str, NDArray[Any]] = {
            name: _doubles(got[name]) for name in got.column_names if name not in ("grp", "score", "cluster")
        }
        if "score" in got.column_names:
            columns["score"] = self._scores_of(got["score"])
        if "cluster" in got.column_names:
            columns["cluster"] = as_clusters(got["cluster"].to_pylist(), got.num_rows)
        return _Fetched(columns, self._rows_of(got["grp"]))

    def _squares(self, group: int) -> Squares:
        if self._direct is None:
            t = self._table
            self._direct = self._fetched(t.group_by(["grp", "score"]).aggregate(**self._aggregates(t)))
        columns, rows_of = self._direct
        mine = rows_of[group]
        order = mine[np.argsort(columns["score"][mine], kind="stable")[::-1]]
        rows, spans = _facts(columns, mine)
        return Squares(columns["q_pos"][order], columns["q_neg"][order], None, rows, spans, self._columns.whole_weights)

    def _clusters(self, counts: C, group: int) -> Any:
        if "cluster" not in self._columns.names:
            return None
        if self._belonging is None:
            t = self._table
            query = t.group_by(["grp", "score", "cluster", "is_pos"]).aggregate(
                mass=(t.w * t.times.cast("float64")).sum(), rows=t.times.sum()
            )
            self._belonging = self._fetched(query)
        columns, rows_of = self._belonging
        names = ("cluster", "score", "is_pos", "mass", "rows")
        labels, score, positive, mass, rows = (columns[name][rows_of[group]] for name in names)
        return make_clusters(labels, counts.thresholds, score, positive == 1, mass, rows.astype(np.int64))


class _Fetched(NamedTuple):
    columns: dict[str, NDArray[Any]]
    rows_of: list[NDArray[np.intp]]


def _doubles(column: Any) -> FloatArray:
    """Return numbers of any kind as doubles, NaN where there are none."""
    return np.array([np.nan if value is None else value for value in column.to_pylist()], dtype=np.float64)


def _facts(columns: dict[str, NDArray[Any]], mine: NDArray[np.intp]) -> tuple[tuple[int, int], Spans]:
    """Return the rows of each class and the range of their weights."""
    rows = int(columns["rows_pos"][mine].sum()), int(columns["rows_neg"][mine].sum())
    spans = []
    for side, number in zip(("pos", "neg"), rows, strict=True):
        low, high = columns[f"low_{side}"][mine], columns[f"high_{side}"][mine]
        spans.append((float(np.nanmin(low)), float(np.nanmax(high))) if number else (np.inf, 0.0))
    return rows, (spans[0], spans[1])
