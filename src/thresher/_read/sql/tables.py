"""Tables that live in an engine: counted there, by one Ibis expression for all engines."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count
from thresher._core.optional import require
from thresher._read.scan import Progress
from thresher._read.sql.bucket_hull import Points, above_edges, edges_over, ends_of, farthest, thinned, with_points
from thresher._read.sql.bucket_sums import (
    Arithmetic,
    arithmetic_for,
    bucket_sums,
    check_counts,
    check_same,
    check_wide,
    figures_of,
    running_rows,
)
from thresher._read.sql.buckets import Buckets, Level, assigned, cell_of, heavy, joined, next_level, offsets
from thresher._read.sql.expressions import put_together
from thresher._read.sql.session import ROWS_INSTEAD, Session, open_table
from thresher._read.sql.typed_columns import Columns, NullGroupsError, check_found, columns_of_table, tallies
from thresher._read.sql.weights import Weights
from thresher._read.stream.groups import in_order
from thresher._table import Counts
from thresher.exceptions import ThresherError
from thresher.typing import ScoreArray

__all__ = ["scan_table"]

C = TypeVar("C", bound=Counts)

_MOST_LEVELS = 4
_MOST_BUCKETS = 2**17  # what a driver adds up in Python integers within seconds
_MOST_ROUNDS = 64
_FEW_ROWS = 200_000  # points above the hull that are fetched at once
_TRUSTED = 1.2  # approximate numbers of distinct scores are off by a few percent


def scan_table(
    cls: type[C],
    table: Any,
    *,
    y_true: str,
    y_score: str,
    pos_label: object = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    groups: str | None = None,
    group: str | None = None,
    max_points: int = 1_000_000,
    progress: Progress | None = None,
) -> C | dict[Hashable, C]:
    """Count an Ibis table or a Spark DataFrame where it lives.

    Parameters
    ----------
    cls : type
        The class to return, `Scores` or its base.
    table : ibis Table or Spark DataFrame
        Is only read. What is registered with the engine on the way is removed again.
    y_true, y_score, sample_weight, frequency, groups, group : str
        Names of columns. `sample_weight` holds sampling weights, `frequency` whole numbers of rows, `groups` says which
        rows belong together; with `group`, each of its values gets a result of its own.
    pos_label : object, optional
        The label of the positive class.
    max_points : int
        Up to so many distinct scores the table of them comes back. Beyond it, so many points are kept (more only if
        the convex hull has more vertices); AUC-ROC, average precision, the interpolated AUC-PR and DeLong's variance
        stay those of all scores.
    progress : callable, optional
        Called with (rows done, rows in all): when the rows are known, and whenever groups of them are done.

    Returns
    -------
    Counts, or dict of group to Counts
    """
    most = check_count(max_points, "max_points", minimum=2)
    with open_table(table) as (session, native):
        alone = {"y_true": y_true, "y_score": y_score}
        optional = {"sample_weight": sample_weight, "frequency": frequency, "groups": groups}
        alone |= {argument: name for argument, name in optional.items() if name is not None}
        names = alone if group is None else alone | {"group": group}
        try:
            found = _Scan(session, columns_of_table(native, names, pos_label), most, progress).run(cls)
        except NullGroupsError as missing:
            none = columns_of_table(native.filter(native[group].isnull()), alone, pos_label)
            found = {None: next(iter(_Scan(session, none, most, None).run(cls).values()))}
            if missing.count < missing.rows:
                others = columns_of_table(native.filter(native[group].notnull()), names, pos_label)
                found = {**_Scan(session, others, most, progress).run(cls), **found}
    return found if group is not None else next(iter(found.values()))


@dataclass(frozen=True, slots=True)
class _Group:
    """What the first scan found about one group: its cells and about how many distinct scores there are."""

    number: int
    cells: Buckets
    n_rows: int
    distinct: int


class _Scan:
    """The queries of one call, in their order."""

    def __init__(self, session: Session, columns: Columns, most: int, progress: Progress | None) -> None:
        self._session, self._columns, self._most, self._progress = session, columns, most, progress
        self._pa = require("pyarrow", extra="engines", purpose="Counting in an engine")
        self._wanted = min(max(most // 2, 1), _MOST_BUCKETS)
        self._values: Any = None  # the groups, as the engine gave them
        t = columns.table.filter(columns.table.weight > 0) if columns.weight_name is not None else columns.table
        self._counted = t.select("grp", "score", pos=t.is_pos * t.weight, neg=(1 - t.is_pos) * t.weight)
        self._weights = Weights(session, columns, t, self._rows_of, self._scores) if columns.extended else None

    def run(self, cls: type[C]) -> dict[Hashable, C]:
        groups = self._first_scan()
        out: dict[int, C] = {}
        small = [g for g in groups if min(g.n_rows, g.distinct / _TRUSTED) <= self._most]
        self._tell(groups, out)
        out |= self._direct(cls, small)
        large = [g for g in groups if g.number not in out]
        if large:
            if out:
                self._tell(groups, out)
            out |= self._two_levels(cls, large)
        self._tell(groups, out)
        names = self._values.to_pylist()
        found = {names[number]: table for number, table in out.items()}
        return {key: found[key] for key in in_order(list(found))}

    def _tell(self, groups: list[_Group], out: dict[int, C]) -> None:
        if self._progress is not None:
            self._progress(sum(g.n_rows for g in groups if g.number in out), sum(g.n_rows for g in groups))

    # The first scan: what is wrong, and how the scores are spread

    def _first_scan(self) -> list[_Group]:
        got = self._cells()
        plain = {name: got[name].to_pylist() for name in got.column_names if name not in ("grp", "cell", "low", "high")}
        if self._columns.whole_weights:
            plain |= {name: put_together(plain, name) for name in ("pos", "neg")}
        pos, neg = (_numbers(plain.pop(name), self._columns.weighted) for name in ("pos", "neg"))
        found: dict[str, Any] = {name: _added(name, column) for name, column in plain.items()}
        found |= {"pos": pos.sum() if len(pos) else 0, "neg": neg.sum() if len(neg) else 0}
        check_found(self._columns, found, self._labels)
        self._values = got["grp"].combine_chunks().unique()
        rows_of = self._rows_of(got["grp"])
        kept = np.array(plain["kept"], dtype=np.int64) > 0
        columns = {
            "cell": got["cell"].to_numpy(),
            "low": self._scores(got["low"]),
            "high": self._scores(got["high"]),
        }
        groups = []
        for i in range(len(self._values)):
            rows = rows_of[i][kept[rows_of[i]]]
            rows = rows[np.argsort(columns["low"][rows], kind="stable")]
            n_rows, distinct = (sum(plain[name][row] for row in rows.tolist()) for name in ("n_rows", "distinct"))
            if rows.size:
                cells_of = Buckets(
                    columns["cell"][rows], columns["low"][rows], columns["high"][rows], pos[rows], neg[rows]
                )
                groups.append(_Group(i, _typed(cells_of, self._columns.weighted), n_rows, distinct))
        return groups

    def _cells(self) -> Any:
        t = self._columns.table
        cells = t.mutate(cell=cell_of(t.score))

        def fetch(*, approximate: bool) -> Any:
            found = tallies(self._columns, cells, self._session.has, approximate=approximate)
            return self._session.fetch(cells.group_by(["grp", "cell"]).aggregate(**found))

        if not self._session.has("ApproxCountDistinct"):
            return fetch(approximate=False)
        try:
            return fetch(approximate=True)
        except ThresherError:
            if not self._session.by_type or self._approximates():
                raise
        return fetch(approximate=False)

    def _approximates(self) -> bool:
        """Return whether the engine can count distinct scores approximately: some can, but not those of every type."""
        one = self._session.small(self._pa.table({"score": np.ones(1, dtype=self._columns.dtype)}))
        try:
            self._session.fetch(one.aggregate(distinct=one.score.approx_nunique()))
        except ThresherError:
            return False
        return True

    def _labels(self) -> list[Any]:
        t = self._columns.table
        found = self._session.fetch(t.select("label").distinct().limit(1000))
        return [value for value in found["label"].to_pylist() if value is not None]

    def _scores(self, column: Any) -> ScoreArray:
        """Return scores in the type of their column."""
        return np.asarray(column.to_numpy()).astype(self._columns.dtype, copy=False)

    def _rows_of(self, column: Any) -> list[NDArray[np.intp]]:
        """Return the rows of each group in a column of groups."""
        compute = require("pyarrow.compute", extra="engines", purpose="Counting in an engine")
        number = np.asarray(compute.index_in(column.combine_chunks(), value_set=self._values).to_numpy())
        order = np.argsort(number, kind="stable")
        return np.split(order, np.searchsorted(number[order], np.arange(1, len(self._values))))

    def _small(self, group: str, groups: NDArray[np.intp], columns: dict[str, Any], suffix: str = "") -> Any:
        """Return a small table of the engine, its first column the group, its column names with a suffix.

        DuckDB is not told of the group where there is only one: its optimiser would join the small tables with each
        other first. PostgreSQL's plans need the column.
        """
        alone = "group" not in self._columns.names and self._session.name == "duckdb"
        named = ({} if alone else {group: self._values.take(self._pa.array(groups))}) | columns
        return self._session.small(self._pa.table({name + suffix: column for name, column in named.items()}))

    # Few distinct scores: the table itself

    def _direct(self, cls: type[C], groups: list[_Group]) -> dict[int, C]:
        if not groups:
            return {}
        t = self._counted
        if len(groups) < len(self._values):
            these = self._small("some_grp", np.array([g.number for g in groups]), {})
            t = t.inner_join(these, [("grp", "some_grp")]).select(*t.columns)
        limit = 2 * self._most * len(groups) + 1
        query = t.group_by(["grp", "score"]).aggregate(pos=t.pos.sum(), neg=t.neg.sum()).limit(limit)
        got = self._session.fetch(query)
        if got.num_rows == limit:
            return {}
        rows_of, score = self._rows_of(got["grp"]), self._scores(got["score"])
        kind = np.float64 if self._columns.weighted else np.int64
        pos, neg = (np.asarray(got[name].to_numpy()).astype(kind, copy=False) for name in ("pos", "neg"))
        few = [(g, rows_of[g.number]) for g in groups if rows_of[g.number].size <= self._most]
        return {g.number: self._complete(cls, g, score[rows], pos[rows], neg[rows]) for g, rows in few}

    def _complete(self, cls: type[C], g: _Group, score: ScoreArray, pos: NDArray[Any], neg: NDArray[Any]) -> C:
        """Return a group's table with all of its scores."""
        if not self._columns.weighted:
            both = ((g.cells.pos, g.cells.neg), (pos, neg))
            check_counts(*([int(column.sum()) for column in columns] for columns in both))
        found = cls.from_counts(score, pos, neg)
        return found if self._weights is None else self._weights.beside(found, g.number)

    # Many distinct scores: two levels

    def _two_levels(self, cls: type[C], groups: list[_Group]) -> dict[int, C]:
        if not self._session.has("WindowFunction"):
            raise ThresherError(
                f"An engine must have window functions to count more than `max_points` distinct scores; got "
                f"max_points={self._most} and {self._session.name}, for which Ibis has none. "
                f"Hint: raise `max_points`, or {ROWS_INSTEAD}."
            )
        for g in groups:
            _check_infinite(g.cells, self._session.name)
        buckets, levels = self._balanced({g.number: g.cells for g in groups})
        arithmetic = arithmetic_for(buckets.values(), weighted=self._columns.weighted)
        if arithmetic.wide:
            check_wide(self._session, buckets.values(), arithmetic)
        sums, steep = self._bucket_sums(buckets, levels, arithmetic)
        figures = {n: figures_of(b, sums[n], arithmetic) for n, b in buckets.items()}
        out: dict[int, C] = {}
        few = [g for g in groups if figures[g.number].n_scores <= self._most]
        out |= self._direct(cls, few)
        rest = {n: b for n, b in buckets.items() if n not in out}
        if self._weights is not None:
            self._weights.count_buckets(levels, list(rest))
        points = self._with_found({n: ends_of(b) for n, b in rest.items()}, steep)
        points = self._with_hull(points, rest, levels)
        for n, known in points.items():
            kept = thinned(known, self._most)
            highest = np.append(rest[n].high[-1:], known.after[kept][:-1])
            tp, fp = known.tp[kept], known.fp[kept]
            squares = None if self._weights is None else self._weights.between(n, rest[n], (tp, fp))
            out[n] = cls._from_kept(known.score[kept], tp, fp, figures[n], highest, squares)
        return out

    def _balanced(self, buckets: dict[int, Buckets]) -> tuple[dict[int, Buckets], list[Any]]:
        """Return buckets of about equal mass, and the engine's tables that send scores there."""
        levels: list[Any] = []
        while True:
            chosen = {n: next_level(b, self._wanted, 0) for n, b in buckets.items()}
            levels.append(self._level(chosen, len(levels)))
            if not any(level.splits for level in chosen.values()):
                return {n: joined(b, chosen[n]) for n, b in buckets.items()}, levels
            buckets = self._tally(levels, list(buckets))
            if len(levels) == _MOST_LEVELS or not any(heavy(b, self._wanted) for b in buckets.values()):
                return buckets, levels

    def _level(self, chosen: dict[int, Level], k: int) -> Any:
        groups = np.concatenate([np.full(level.key.size, n) for n, level in chosen.items()])
        both = list(chosen.values())
        columns = {
            "level_key": np.concatenate([level.key for level in both]),
            "start": np.concatenate([level.start for level in both]),
            "width": np.concatenate([level.width for level in both]),
            "parts": np.concatenate([level.parts for level in both]).astype(np.float64),
            "first": np.concatenate([level.first for level in both]),
        }
        return self._small("level_grp", groups, columns, suffix=f"_{k}")

    def _tally(self, levels: list[Any], groups: list[int]) -> dict[int, Buckets]:
        t = assigned(self._counted, levels)
        query = t.group_by(["grp", "bucket"]).aggregate(
            pos=t.pos.sum(), neg=t.neg.sum(), low=t.score.min(), high=t.score.max()
        )
        got = self._session.fetch(query)
        rows_of = self._rows_of(got["grp"])
        columns = [got["bucket"].to_numpy(), self._scores(got["low"]), self._scores(got["high"])]
        columns += [got["pos"].to_numpy(), got["neg"].to_numpy()]
        out = {}
        for n in groups:
            rows = rows_of[n][np.argsort(columns[0][rows_of[n]], kind="stable")]
            out[n] = _typed(Buckets(*(column[rows] for column in columns)), self._columns.weighted)
        return out

    def _above(self, buckets: dict[int, Buckets], live: dict[int, NDArray[np.bool_]]) -> Any:
        """Return the engine's table of the counts above each live bucket."""
        parts = []
        for n, b in buckets.items():
            tp, fp = offsets(b)
            chosen = live[n]
            parts.append((np.full(int(chosen.sum()), n), b.key[chosen], tp[chosen], fp[chosen]))
        groups, key, tp, fp = (np.concatenate(column) for column in zip(*parts, strict=True))
        return self._small("above_grp", groups, {"above_bucket": key, "tp_above": tp, "fp_above": fp})

    def _rows(self, levels: list[Any], above: Any) -> Any:
        """Return the distinct scores of the buckets in `above`, with running counts in each."""
        return running_rows(assigned(self._counted, levels, above))

    def _bucket_sums(
        self, buckets: dict[int, Buckets], levels: list[Any], arithmetic: Arithmetic
    ) -> tuple[dict[int, dict[str, list[Any]]], Any]:
        """Return the sums of the buckets of each group, and the rows that came back by themselves."""
        above = self._above(buckets, {n: ~b.single for n, b in buckets.items()})
        got = self._session.fetch(bucket_sums(self._rows(levels, above), above, arithmetic))
        rows_of = self._rows_of(got["grp"])
        out = {}
        for n in buckets:
            rows = got.drop_columns(["grp", "score", "after"]).take(self._pa.array(rows_of[n]))
            out[n] = {name: rows[name].to_pylist() for name in rows.column_names}
            if not self._columns.weighted:
                check_same(buckets[n], out[n])
        compute = require("pyarrow.compute", extra="engines", purpose="Counting in an engine")
        steep = got.filter(compute.not_equal(got["mark"], 0)).select(["grp", "score", "after", "last_tp", "last_fp"])
        return out, steep.rename_columns(["grp", "score", "after", "tp", "fp"])

    # The vertices of the hull

    def _with_hull(
        self, points: dict[int, Points], buckets: dict[int, Buckets], levels: list[Any]
    ) -> dict[int, Points]:
        """Return the points with every vertex of the hull of all points of the curve."""
        live = {n: ~b.single & (b.pos > 0) & (b.neg > 0) for n, b in buckets.items()}
        left: int | None = None
        for _ in range(_MOST_ROUNDS):
            edges = {n: edges_over(b, points[n], live[n]) for n, b in buckets.items()}
            live = {n: np.isin(b.key, edges[n]["bucket"]) for n, b in buckets.items()}
            if left == 0 or not any(mask.any() for mask in live.values()):
                break
            if left is None:
                left = sum(int(b.pos[live[n]].sum()) for n, b in buckets.items())
            above = self._above(buckets, live)
            found = above_edges(self._rows(levels, above), above, self._edges(edges))
            if left <= _FEW_ROWS:
                return self._with_found(points, self._session.fetch(found))
            got = self._session.fetch(farthest(found))
            points = self._with_found(points, got)
            left = sum(got["n_above"].to_pylist()) - got.num_rows
            live = self._still_above(got, buckets, live)
        return points

    def _still_above(
        self, got: Any, buckets: dict[int, Buckets], live: dict[int, NDArray[np.bool_]]
    ) -> dict[int, NDArray[np.bool_]]:
        """Return the live buckets of which points came back: others lie below the hull for good."""
        rows_of, bucket = self._rows_of(got["grp"]), got["bucket"].to_numpy()
        return {n: live[n] & np.isin(b.key, bucket[rows_of[n]]) for n, b in buckets.items()}

    def _edges(self, edges: dict[int, dict[str, NDArray[Any]]]) -> Any:
        groups = np.concatenate([np.full(columns["bucket"].size, n) for n, columns in edges.items()])
        names = list(next(iter(edges.values())))
        stacked = {name: np.concatenate([columns[name] for columns in edges.values()]) for name in names}
        stacked["edge_bucket"] = stacked.pop("bucket")
        return self._small("edge_grp", groups, stacked)

    def _with_found(self, points: dict[int, Points], got: Any) -> dict[int, Points]:
        rows_of = self._rows_of(got["grp"])
        score, after = self._scores(got["score"]), self._scores(got["after"])
        inner = np.asarray(after < score)
        tp, fp = got["tp"].to_numpy(), got["fp"].to_numpy()
        out = {}
        for n, known in points.items():
            rows = rows_of[n][inner[rows_of[n]]]  # the last row of a bucket is its end, which is known
            out[n] = with_points(known, score[rows], tp[rows], fp[rows], after[rows])
        return out


def _check_infinite(cells: Buckets, engine: str) -> None:
    """Refuse an engine whose least and greatest values of infinite ones are finite; their cells are known."""
    endless = np.isinf(cells.key)
    for name, found in (("least", cells.low[endless]), ("greatest", cells.high[endless])):
        wrong = found[found != cells.key[endless]]
        if wrong.size:
            raise ThresherError(
                f"An engine must know the least and the greatest of infinite scores to count more than `max_points` of "
                f"them; got {wrong[0]} as the {name}, from {engine}. Hint: raise `max_points`, or {ROWS_INSTEAD}."
            )


def _typed(buckets: Buckets, weighted: bool) -> Buckets:
    kind = np.float64 if weighted else np.int64
    return Buckets(buckets.key, buckets.low, buckets.high, buckets.pos.astype(kind), buckets.neg.astype(kind))


def _numbers(column: list[Any], weighted: bool) -> NDArray[Any]:
    """Return sums as floats, or as Python integers that cannot overflow."""
    if weighted:
        return np.array([float("nan") if value is None else value for value in column], dtype=np.float64)
    return np.array([0 if value is None else int(value) for value in column], dtype=object)


def _added(name: str, column: list[Any]) -> Any:
    """Return the total of a column of the first scan, or its least value."""
    values = [value for value in column if value is not None]
    if name.startswith("least"):
        return min(values, default=0)
    return sum(values)
