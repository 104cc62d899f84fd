"""What an engine counts of sampling weights and clusters beside their sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.optional import require
from thresher._core.sums import cumulative
from thresher._read.sql.buckets import Buckets, assigned
from thresher._read.sql.session import Session
from thresher._read.sql.typed_columns import Columns
from thresher._table import Counts, Squares, as_clusters, make_clusters
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = ["Weights"]

C = TypeVar("C", bound=Counts)

RowsOf = Callable[[Any], list[NDArray[np.intp]]]
Spans = tuple[tuple[float, float], tuple[float, float]]


class Weights:
    """Sums of squared weights, numbers of rows, ranges of weights and clusters, by one query each.

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
        self._direct: Any = None
        self._buckets: dict[int, tuple[FloatArray, ...]] = {}
        self._bucket_facts: dict[int, tuple[tuple[int, int], Spans]] = {}

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
        squares = self._squares(counts, group) if self._columns.sampling else None
        table = (counts.thresholds, counts.pos, counts.neg)
        if squares is not None and squares.spans is not None and set(squares.spans) <= {(1.0, 1.0), (np.inf, 0.0)}:
            squares, table = None, (table[0], table[1].astype(np.int64), table[2].astype(np.int64))
        return counts._from_table(table, None, squares, self._clusters(counts, group))

    def _squares(self, counts: C, group: int) -> Squares:
        if self._direct is None:
            t = self._table
            self._direct = self._session.fetch(t.group_by(["grp", "score"]).aggregate(**self._aggregates(t)))
        got = self._direct
        mine = self._rows_of(got["grp"])[group]
        order = mine[np.argsort(self._scores_of(got["score"])[mine], kind="stable")[::-1]]
        pos, neg = (np.asarray(got[name].to_numpy(), dtype=np.float64)[order] for name in ("q_pos", "q_neg"))
        rows, spans = _facts(got, mine)
        return Squares(pos, neg, None, rows, spans, self._columns.whole_weights)

    def _clusters(self, counts: C, group: int) -> Any:
        if "groups" not in self._columns.names:
            return None
        t = self._table
        query = t.group_by(["grp", "score", "cluster", "is_pos"]).aggregate(
            mass=(t.w * t.times.cast("float64")).sum(), rows=t.times.sum()
        )
        got = self._session.fetch(query)
        mine = self._rows_of(got["grp"])[group]
        labels = as_clusters(got["cluster"].to_pylist(), got.num_rows)[mine]
        score, positive = self._scores_of(got["score"])[mine], np.asarray(got["is_pos"].to_numpy())[mine] == 1
        mass, rows = (np.asarray(got[name].to_numpy())[mine] for name in ("mass", "rows"))
        return make_clusters(labels, counts.thresholds, score, positive, mass, rows.astype(np.int64))

    def count_buckets(self, levels: list[Any], groups: list[int]) -> None:
        """Sum squares over buckets of scores, where there are too many scores to keep."""
        if "groups" in self._columns.names:
            raise InvalidInputError(
                "`groups` must come with at most `max_points` distinct scores. Hint: raise `max_points`."
            )
        t = assigned(self._table, levels)
        got = self._session.fetch(t.group_by(["grp", "bucket"]).aggregate(**self._aggregates(t)))
        rows_of = self._rows_of(got["grp"])
        for n in groups:
            mine = rows_of[n][np.argsort(got["bucket"].to_numpy()[rows_of[n]], kind="stable")]
            self._buckets[n] = tuple(
                np.asarray(got[name].to_numpy(), dtype=np.float64)[mine] for name in ("q_pos", "q_neg")
            )
            self._bucket_facts[n] = _facts(got, mine)

    def between(self, group: int, buckets: Buckets, running: tuple[Any, Any]) -> Squares | None:
        """Return squares between kept points: in a bucket they grow with the weights, whose sums are known."""
        if not self._columns.sampling:
            return None
        out = []
        for weight, squared, kept in zip((buckets.pos, buckets.neg), self._buckets[group], running, strict=True):
            # Buckets go up, kept points down.
            w, q = (np.append(0.0, cumulative(column[::-1].astype(np.float64))) for column in (weight, squared))
            steps = np.diff(np.interp(kept.astype(np.float64), w, q), prepend=0.0)
            some = np.diff(kept, prepend=kept.dtype.type(0)) > 0
            out.append(np.where(some, np.maximum(steps, np.finfo(np.float64).tiny), 0.0))
        rows, spans = self._bucket_facts[group]
        return Squares(out[0], out[1], None, rows, spans, self._columns.whole_weights)


def _facts(got: Any, mine: NDArray[np.intp]) -> tuple[tuple[int, int], Spans]:
    """Return the rows of each class and the range of their weights."""

    def column(name: str) -> FloatArray:
        return np.array([np.nan if value is None else value for value in got[name].to_pylist()], dtype=np.float64)[mine]

    rows = int(column("rows_pos").sum()), int(column("rows_neg").sum())
    spans = []
    for side, number in zip(("pos", "neg"), rows, strict=True):
        ends = (float(np.nanmin(column(f"low_{side}"))), float(np.nanmax(column(f"high_{side}")))) if number else None
        spans.append((np.inf, 0.0) if ends is None else ends)
    return rows, (spans[0], spans[1])
