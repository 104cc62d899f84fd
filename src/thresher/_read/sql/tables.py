"""Tables that live in an engine: counted there, by one Ibis expression for all engines."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count, require
from thresher._read.scan import Progress
from thresher._read.sources.source import arguments, no_column
from thresher._read.sql import spark_workers
from thresher._read.sql.bucket_sums import (
    MOST_ROWS,
    HullPoints,
    check_counts,
    ends_of,
    figures_of,
    known_above,
    limbs_for,
    over_hull,
    sums_task,
    thinned,
    with_points,
)
from thresher._read.sql.buckets import BucketLevel, Buckets, assigned, cell_of, heavy, joined, next_level, offsets
from thresher._read.sql.found import Found, tables_of
from thresher._read.sql.session import SendRowsError, Session, Task, open_table
from thresher._read.sql.spark_workers import ABOVE_HULL, packed_groups
from thresher._read.sql.typed_columns import (
    Columns,
    NullGroupsError,
    check_found,
    columns_of_table,
    put_together,
    tallies,
)
from thresher._read.sql.weights import Weights
from thresher._read.stream.collect import Collector, Marks, tally_table
from thresher._read.stream.group_codes import joined_columns
from thresher._read.stream.groups import GroupMeasures
from thresher._table import Counts, ManyTables
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError
from thresher.typing import FloatArray, IntArray, ScoreArray

C = TypeVar("C", bound=Counts)

_MOST_LEVELS = 4
_LEAST_BUCKETS = 2**12  # of all groups: standard errors are made from them
_MOST_BUCKETS = 2**17  # what a driver adds up in Python integers within seconds
_MOST_OF_ALL = 2**19  # of all groups: the counts above them go to every task
_FEW_ROWS = 200_000  # of a group whose scores are all fetched
_MOST_SENT = 1 << 20  # rows of small groups whose scores are all fetched, to keep some of them here
_MANY_SMALL = 1 << 20  # rows of small groups, beyond which they come task by task where the engine has tasks
_MOST_FETCHED = 2**31 - 1  # which is as high as some engines count in LIMIT
_TRUSTED = 1.2  # approximate numbers of distinct scores are off by a few percent


def scan_table(
    cls: type[C],
    table: Any,
    *,
    pos_label: object = None,
    max_points: int = 1_000_000,
    progress: Progress | None = None,
    figures: GroupMeasures[C] | None = None,
    **columns: str | list[str] | None,
) -> C | dict[Hashable, C] | tuple[Any, FloatArray]:
    """Count an Ibis table or a Spark DataFrame where it lives; `columns` are those of `th.scan`, by its arguments.

    Several columns `by` make groups of combinations.
    """
    most = check_count(max_points, "max_points", minimum=2)
    names: dict[str, Any] = {argument: name for argument, name in columns.items() if name is not None}
    by = names.get("by")
    with open_table(table) as (session, native):

        def run(native: Any, names: dict[str, Any]) -> Found[C]:
            return _Scan(session, columns_of_table(native, names, pos_label), most, progress).run(cls, figures)

        found = None
        if not isinstance(by, list):
            with contextlib.suppress(NullGroupsError):  # rows that name no group, which joins would lose
                found = run(native, names)
        if found is None:
            try:
                native, values = _numbered(session, native, by if isinstance(by, list) else [str(by)])
                found = run(native, names | {"by": _GROUP})
            except (InvalidInputError, InvalidTypeError):
                raise
            except ThresherError:  # an engine whose joins find no NULL equal to another
                raise SendRowsError from None
            found.keys = values.take(found.keys)
    if by is None:
        return next(iter(found.tables.values()))
    return found.named() if figures is None else found.measured()


def rows_kept(table: Any, chosen: Any) -> Any:
    """Return an Ibis table or a Spark DataFrame with the rows for which a condition holds, as SQL or its own."""
    if chosen is None:
        return table
    if not isinstance(chosen, str) or hasattr(table, "createOrReplaceTempView"):
        return table.filter(chosen)
    backend = table.get_backend()
    query = f"SELECT * FROM ({backend.compile(table)}) AS rows_of_thresher WHERE {chosen}"  # noqa: S608  # their own SQL
    return backend.sql(query, schema=table.schema())


def scan_tables(cls: type[C], table: Any, names: dict[str, str], **options: Any) -> list[Any]:
    """Count each column of scores among `names`."""
    by = [names[argument] for argument in arguments(names, "by")]
    shared: dict[str, Any] = {
        argument: name for argument, name in names.items() if argument.partition(" ")[0] not in ("y_score", "by")
    }
    shared |= {"by": by if len(by) > 1 else by[0]} if by else {}
    scores = [names[argument] for argument in arguments(names, "y_score")]
    return [scan_table(cls, table, y_score=name, **shared, **options) for name in scores]


_GROUP = "thresher_group"


def _numbered(session: Session, native: Any, by: list[str]) -> tuple[Any, Any]:
    """Return the table with a number for each combination of some columns, and the combinations as an Arrow array."""
    arrow = require("pyarrow", extra="engines", purpose="Counting in an engine")
    for name in by:
        if name not in native.columns:
            raise no_column("by", name, list(native.columns))
    found = session.fetch(native.select(*by).distinct())
    ours = [f"{_GROUP}_{k}" for k in range(len(by))]
    numbers = arrow.array(np.arange(found.num_rows))
    small = session.small(arrow.table([*found.columns, numbers], names=[*ours, _GROUP]))
    alike = [native[name].identical_to(small[own]) for name, own in zip(by, ours, strict=True)]
    joined = native.inner_join(small, alike)
    columns = [found[name].combine_chunks() for name in by]
    return joined.drop(*ours), columns[0] if len(by) == 1 else joined_columns(columns, by)


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

    def run(self, cls: type[C], figures: GroupMeasures[C] | None = None) -> Found[C]:
        """Return the table of every group, or what `figures` says of it."""
        kept = Found(cls, figures)
        rows = done = 0
        large: NDArray[np.intp] | None = None
        if "by" in self._columns.names and self._columns.weight_name is None and self._weights is None:
            sizes, totals = self._group_sizes()
            rows = int(sizes.sum())
            self._tell(0, rows)
            small, large = (np.flatnonzero(which) for which in (sizes <= self._most, sizes > self._most))
            if small.size:
                self._add_small(kept, small, sizes, totals)
                done = int(sizes[small].sum())
        if large is None or large.size:
            if done:
                self._tell(done, rows)
            self._by_cells(cls, kept, large, done, rows)
        kept.keys = self._values
        self._tell(rows, rows)
        return kept

    def _by_cells(self, cls: type[C], kept: Found[C], only: NDArray[np.intp] | None, done: int, rows: int) -> None:
        """Count groups of which cells are looked at first: all of them, or `only` some."""
        groups = self._first_scan(only)
        if only is None:
            rows = sum(g.n_rows for g in groups)
            self._tell(done, rows)
        small = [g for g in groups if min(g.n_rows, g.distinct / _TRUSTED) <= self._most]
        # Tasks do not count groups with weights, but the rows can come task by task.
        several = only is None and len(groups) > 1 and sum(min(g.n_rows, g.distinct) for g in small) > _MANY_SMALL
        if several and self._session.runs_python():
            raise SendRowsError
        out = self._direct(cls, small)
        if self._weights is None and not self._columns.weighted:
            few = [g for g in groups if g.number not in out and g.n_rows <= _FEW_ROWS]
            if sum(g.n_rows for g in few) <= _MOST_SENT:
                out |= self._direct(cls, few, every=True)
        large = [g for g in groups if g.number not in out]
        if large and (self._weights is not None or self._columns.weight_name or not self._session.runs_python()):
            raise SendRowsError
        if large:
            if out:
                self._tell(done + sum(g.n_rows for g in groups if g.number in out), rows)
            out |= self._two_levels(cls, large)
        if only is None:
            self._tell(rows, rows)
        for number, table in out.items():
            kept.add(number, table)

    def _tell(self, done: int, rows: int) -> None:
        if self._progress is not None and rows:
            self._progress(done, rows)

    # Many groups: the tables of the small ones, which are all there is to know of them

    def _group_sizes(self) -> tuple[IntArray, tuple[IntArray, IntArray]]:
        """Return the rows of each group, and its positives and negatives, having looked for what is wrong."""
        t = self._columns.table
        found = tallies(self._columns, t, self._session.has, approximate=None)
        got = self._session.fetch(t.group_by("grp").aggregate(**found))
        plain = {name: got[name].to_pylist() for name in got.column_names if name not in ("grp", "low", "high")}
        self._check(plain)
        self._values = got["grp"].combine_chunks()
        sizes, pos, neg = (np.array(plain[name], dtype=np.int64) for name in ("n_rows", "pos", "neg"))
        return sizes, (pos, neg)

    def _check(self, plain: dict[str, list[Any]]) -> None:
        check_found(self._columns, {name: _added(name, column) for name, column in plain.items()}, self._labels)

    def _add_small(
        self, kept: Found[C], groups: NDArray[np.intp], sizes: IntArray, totals: tuple[IntArray, IntArray]
    ) -> None:
        """Take the tables of groups with few rows: all at once, or where the engine can, task by task."""
        many = int(sizes[groups].sum()) > _MANY_SMALL and self._session.runs_python()
        parts = self._packed(groups, sizes) if many else None
        if parts is None:
            kept.add_many(*self._small_tables(groups, totals))
            return
        arrow = require("pyarrow.ipc", extra="engines", purpose="Counting in an engine")
        again = np.zeros((2, len(self._values)), dtype=np.int64)
        for data in parts:
            got = arrow.open_stream(data).read_all()
            columns = (got[name].to_numpy().astype(np.int64) for name in ("pos", "neg"))
            numbers, tables = tables_of(got["grp"].to_numpy(), self._scores(got["score"]), *columns)
            again[:, numbers] = tables.totals
            kept.add_many(numbers, tables)
        for i in np.flatnonzero((again[:, groups] != np.stack(totals)[:, groups]).any(axis=0))[:1].tolist():
            check_counts([int(column[groups[i]]) for column in totals], again[:, groups[i]].tolist())

    def _packed(self, groups: NDArray[np.intp], sizes: IntArray) -> Iterator[bytes] | None:
        """Return the distinct scores of groups as the tasks of the engine count them; None where it has none."""
        numbered = {"some_number": groups.astype(np.int64)}
        t = self._counted.inner_join(self._small("some_grp", groups, numbered), [("grp", "some_grp")])
        rows = t.select(grp=t.some_number, score=t.score, pos=t.pos.cast("int8"))
        task = Task(packed_groups, {"data": "binary"}, "grp", int(sizes[groups].sum()), (spark_workers,))
        return self._session.task_by_task(rows, task)

    def _small_tables(self, groups: NDArray[np.intp], totals: tuple[IntArray, IntArray]) -> tuple[IntArray, ManyTables]:
        got = self._session.fetch(self._scores_of(groups))
        columns = (np.asarray(got[name].to_numpy()).astype(np.int64, copy=False) for name in ("pos", "neg"))
        numbers, tables = tables_of(self._number(got["grp"]), self._scores(got["score"]), *columns)
        again = np.zeros((2, len(self._values) + 1), dtype=np.int64)  # the last one is no group that was there before
        again[:, numbers] = tables.totals
        counted = np.zeros_like(again)
        counted[:, groups] = [column[groups] for column in totals]
        for i in np.flatnonzero((again != counted).any(axis=0))[:1].tolist():
            check_counts(counted[:, i].tolist(), again[:, i].tolist())
        return numbers, tables

    def _scores_of(self, groups: NDArray[np.intp]) -> Any:
        """Return the distinct scores of some groups with their counts."""
        t = self._counted
        if groups.size < len(self._values):
            these = self._small("some_grp", groups, {})
            t = t.inner_join(these, [("grp", "some_grp")]).select(*t.columns)
        return t.group_by(["grp", "score"]).aggregate(pos=t.pos.sum(), neg=t.neg.sum())

    # The first scan: what is wrong, and how the scores are spread

    def _first_scan(self, only: NDArray[np.intp] | None) -> list[_Group]:
        got = self._cells(only)
        plain = {name: got[name].to_pylist() for name in got.column_names if name not in ("grp", "cell", "low", "high")}
        if self._columns.whole_weights:
            plain |= {name: put_together(plain, name) for name in ("pos", "neg")}
        pos, neg = (_numbers(plain.pop(name), self._columns.weighted) for name in ("pos", "neg"))
        if only is None:
            self._check({**plain, "pos": pos.tolist(), "neg": neg.tolist()})
            self._values = got["grp"].combine_chunks().unique()
        rows_of = self._rows_of(got["grp"])
        kept = np.array(plain["kept"], dtype=np.int64) > 0
        columns = {
            "cell": got["cell"].to_numpy(),
            "low": self._scores(got["low"]),
            "high": self._scores(got["high"]),
        }
        groups = []
        for i in range(len(self._values)) if only is None else only.tolist():
            rows = rows_of[i][kept[rows_of[i]]]
            rows = rows[np.argsort(columns["low"][rows], kind="stable")]
            n_rows, distinct = (sum(plain[name][row] for row in rows.tolist()) for name in ("n_rows", "distinct"))
            if rows.size:
                cells_of = Buckets(
                    columns["cell"][rows], columns["low"][rows], columns["high"][rows], pos[rows], neg[rows]
                )
                groups.append(_Group(i, _typed(cells_of, self._columns.weighted), n_rows, distinct))
        return groups

    def _cells(self, only: NDArray[np.intp] | None) -> Any:
        t = self._columns.table
        if only is not None and only.size < len(self._values):
            t = t.inner_join(self._small("some_grp", only, {}), [("grp", "some_grp")]).select(*t.columns)
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

    def _number(self, column: Any) -> NDArray[np.int32]:
        """Return the number of the group in each row, -1 for one that was not there before."""
        compute = require("pyarrow.compute", extra="engines", purpose="Counting in an engine")
        found = compute.index_in(column.combine_chunks(), value_set=self._values)
        return np.asarray(found.fill_null(-1).to_numpy(zero_copy_only=False))

    def _rows_of(self, column: Any) -> list[NDArray[np.intp]]:
        """Return the rows of each group in a column of groups."""
        number = self._number(column)
        order = np.argsort(number, kind="stable")
        return np.split(order, np.searchsorted(number[order], np.arange(1, len(self._values))))

    def _small(self, group: str, groups: NDArray[np.intp], columns: dict[str, Any], suffix: str = "") -> Any:
        """Return a small table of the engine, its first column the group, its column names with a suffix.

        DuckDB does not get the group if there is only one: its optimiser would join the small tables with each
        other first. PostgreSQL's plans need the column.
        """
        alone = "by" not in self._columns.names and self._session.name == "duckdb"
        named = ({} if alone else {group: self._values.take(self._pa.array(groups))}) | columns
        return self._session.small(self._pa.table({name + suffix: column for name, column in named.items()}))

    # Few distinct scores: the table itself

    def _direct(self, cls: type[C], groups: list[_Group], *, every: bool = False) -> dict[int, C]:
        """Return the tables of groups with few distinct scores; of `every` one, if some of its scores must go."""
        if not groups:
            return {}
        limit = min(2 * self._most * len(groups) + 1, _MOST_FETCHED) if not every else _MOST_SENT + 1
        got = self._session.fetch(self._scores_of(np.array([g.number for g in groups])).limit(limit))
        if got.num_rows == limit:
            return {}
        rows_of, score = self._rows_of(got["grp"]), self._scores(got["score"])
        kind = np.float64 if self._columns.weighted else np.int64
        pos, neg = (np.asarray(got[name].to_numpy()).astype(kind, copy=False) for name in ("pos", "neg"))
        few = [(g, rows_of[g.number]) for g in groups if every or rows_of[g.number].size <= self._most]
        return {g.number: self._complete(cls, g, score[rows], pos[rows], neg[rows]) for g, rows in few}

    def _complete(self, cls: type[C], g: _Group, score: ScoreArray, pos: NDArray[Any], neg: NDArray[Any]) -> C:
        """Return a group's table with all of its scores."""
        if not self._columns.weighted:
            both = ((g.cells.pos, g.cells.neg), (pos, neg))
            check_counts(*([int(column.sum()) for column in columns] for columns in both))
        found = cls.from_counts(score, pos, neg)
        if len(found) > self._most:
            collector = Collector(Marks.make(int(found.n_pos), int(found.n_neg), self._most), self._most)
            table = (found.thresholds, found.pos, found.neg)
            collector.add(tally_table(table, (0, 0), collector.marks, collector.most_points))
            return collector.result(cls)
        return found if self._weights is None else self._weights.beside(found, g.number)

    # Many distinct scores: two levels, the second of them in the engine's Python tasks

    def _two_levels(self, cls: type[C], groups: list[_Group]) -> dict[int, C]:
        self._wanted = min(max(self._wanted, _LEAST_BUCKETS // len(groups)), max(_MOST_OF_ALL // len(groups), 1))
        buckets, levels = self._balanced({g.number: g.cells for g in groups})
        several = {n: ~b.single for n, b in buckets.items()}
        if max(int((b.pos + b.neg)[several[n]].max(initial=0)) for n, b in buckets.items()) > MOST_ROWS:
            raise SendRowsError
        sums, points = self._summed(buckets, several, levels)
        figures = {n: figures_of(b, sums[n]) for n, b in buckets.items()}
        out = self._direct(cls, [g for g in groups if figures[g.number].n_scores <= self._most])
        for n, known in points.items():
            if n not in out:
                kept = thinned(known, self._most)
                highest = np.append(buckets[n].high[-1:], known.after[kept][:-1])
                out[n] = cls._from_kept(known.score[kept], known.tp[kept], known.fp[kept], figures[n], highest)
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

    def _level(self, chosen: dict[int, BucketLevel], k: int) -> Any:
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

    def _summed(
        self, buckets: dict[int, Buckets], several: dict[int, NDArray[np.bool_]], levels: list[Any]
    ) -> tuple[dict[int, dict[str, list[Any]]], dict[int, HullPoints]]:
        """Return the sums of the buckets of each group that have `several` scores, and the points known of its curve.

        Every bucket goes whole to one task. The points are the ends of buckets, those that came back by themselves, and
        all that may be vertices of the hull.
        """
        compute = require("pyarrow.compute", extra="engines", purpose="Counting in an engine")
        parts = []
        for n, b in buckets.items():
            chosen = several[n]
            parts.append((np.full(int(chosen.sum()), n), b.key[chosen], *(above[chosen] for above in offsets(b))))
        groups, key, tp, fp = (np.concatenate(column) for column in zip(*parts, strict=True))
        numbered = {"above_bucket": key, "above_id": np.arange(key.size, dtype=np.int32)}
        t = assigned(self._counted, levels, self._small("above_grp", groups, numbered), ("above_id",))
        rows = t.select(id=t.above_id, score=t.score, pos=t.pos.cast("int8"))
        points = {n: ends_of(b) for n, b in buckets.items()}
        limbs = limbs_for(buckets.values())
        total = sum(int((b.pos + b.neg)[several[n]].sum()) for n, b in buckets.items())
        above = known_above(points, groups, tp, fp)
        asked = sums_task(above, limbs, rows.score.type(), total, grouped=len(buckets) > 1)
        got = self._session.by_tasks(rows, asked)
        number = got["id"].to_numpy()
        got = got.append_column("grp", self._values.take(self._pa.array(groups[number])))
        got = got.append_column("bucket", self._pa.array(key[number]))
        mark = got["mark"]
        found = got.filter(compute.not_equal(mark, ABOVE_HULL))
        rows_of = self._rows_of(found["grp"])
        sums = {}
        for n, b in buckets.items():
            own = found.drop_columns(["grp", "score", "after"]).take(self._pa.array(rows_of[n]))
            sums[n] = {name: own[name].to_pylist() for name in own.column_names}
            check_counts(
                [sum(column[several[n]].tolist()) for column in (b.pos, b.neg)],
                [sum(sums[n][name]) for name in ("sum_pos", "sum_neg")],
            )
        points = self._with_found(points, got.filter(compute.greater(mark, 0)))
        return sums, self._with_found(points, got.filter(compute.equal(mark, ABOVE_HULL)), over=True)

    def _with_found(self, points: dict[int, HullPoints], got: Any, *, over: bool = False) -> dict[int, HullPoints]:
        """Return the points with others; `over` keeps those that stand above the hull of what is known."""
        rows_of = self._rows_of(got["grp"])
        score, after = self._scores(got["score"]), self._scores(got["after"])
        inner = np.asarray(after < score)
        tp, fp = got["last_tp"].to_numpy(), got["last_fp"].to_numpy()
        out = {}
        for n, known in points.items():
            rows = rows_of[n][inner[rows_of[n]]]  # the last row of a bucket is its end, which is known
            if over:
                rows = rows[over_hull(known, tp[rows], fp[rows])]
            out[n] = with_points(known, score[rows], tp[rows], fp[rows], after[rows])
        return out


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
