"""Rows of many groups to a count table for each: small groups together in one sort, large ones by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.checks import require
from thresher._core.counting import count_groups, order_groups, row_order
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.counter import RowCounter
from thresher._read.stream.group_codes import GroupCodes, group_keys
from thresher._read.stream.spill import Spill
from thresher._table import Counts, ManyTables
from thresher.typing import FloatArray, IntArray

C = TypeVar("C", bound=Counts)
T = TypeVar("T", bound=Counts, contravariant=True)

_STORED = ("scores", "positive", "weight", "times", "clusters")
_BLOCK_ROWS = 1 << 20  # brought into order at once: more cost new memory, fewer make more blocks
_ROW_BYTES = 96  # of memory for a row while groups are counted together, generously


class GroupMeasures(Protocol[T]):
    """What is asked of every group: a row of `width` numbers, from its own table or from those of many groups."""

    width: int

    def one(self, counts: T, /) -> list[float]:
        """Return the row of one group."""

    def many(self, tables: ManyTables, /) -> FloatArray:
        """Return the rows of many groups."""


class _GroupBlock(NamedTuple):
    """Rows in the order of their groups: in memory, or in the file with every column at its place."""

    codes: NDArray[np.int32]
    """The groups that occur, in ascending order."""
    starts: NDArray[np.int64]
    """Where the rows of each begin, and the number of all rows."""
    columns: dict[str, NDArray[Any]]
    places: dict[str, tuple[int, np.dtype[Any]]]


class Groups:
    """Keeps rows with the number of their group, in memory and then in a file, and counts them group by group."""

    def __init__(self, memory: int, spill: Spill) -> None:
        self._memory = memory
        self._spill = spill
        self._names = GroupCodes()
        self._waiting: list[Rows] = []
        self._waiting_bytes = 0
        self._waiting_rows = 0
        self._blocks: list[_GroupBlock] = []

    def add(self, rows: Rows) -> None:
        """Take rows of any groups."""
        self._waiting.append(rows)
        self._waiting_bytes += sum(column.nbytes for column in _columns(rows).values()) + int(rows.groups.nbytes)
        self._waiting_rows += rows.size
        if self._waiting_bytes > self._memory // 4 or self._waiting_rows >= _BLOCK_ROWS:
            self._settle()

    def _settle(self) -> None:
        """Bring what waits into the order of its groups; beyond half of the memory it goes to the file."""
        if not self._waiting:
            return
        waiting, self._waiting, self._waiting_bytes, self._waiting_rows = self._waiting, [], 0, 0
        codes = self._names.codes([rows.groups for rows in waiting])
        columns = {name: np.concatenate([getattr(rows, name) for rows in waiting]) for name in _columns(waiting[0])}
        del waiting
        self._blocks.append(_block(codes, columns))
        held = [block for block in self._blocks if block.columns]
        if sum(column.nbytes for block in held for column in block.columns.values()) > self._memory // 2:
            self._blocks = [self._written(block) for block in self._blocks]

    def _written(self, block: _GroupBlock) -> _GroupBlock:
        if not block.columns:
            return block
        places = {name: (self._spill.write([column]), column.dtype) for name, column in block.columns.items()}
        return block._replace(columns={}, places=places)

    def pieces(self, cls: type[C], max_points: int) -> Iterator[tuple[IntArray, ManyTables | C]]:
        """Yield numbers of groups with their tables: several with theirs one after another, or one with its own.

        Small groups are counted together. They come in no particular order.
        """
        self._settle()
        sizes = self._sizes()
        most = min(max(self._memory // 4 // _ROW_BYTES, 1024), max_points)
        plain = bool(self._blocks) and not set(self._stored()) & {"weight", "times", "clusters"}
        alone = np.flatnonzero(sizes > (most if plain else 0))
        # Between groups that are counted by themselves, as many together as the memory allows.
        first = 0
        for group in [*alone.tolist(), sizes.size]:
            yield from self._together(first, group, sizes, most)
            if group < sizes.size:
                yield np.array([group]), self._by_itself(cls, group, max_points)
            first = group + 1

    def tables(self, cls: type[C], max_points: int) -> Iterator[tuple[int, C]]:
        """Yield the number of each group with its count table, in no particular order."""
        for groups, found in self.pieces(cls, max_points):
            tables = found.each(cls) if isinstance(found, ManyTables) else [found]
            yield from zip(groups.tolist(), tables, strict=True)

    def values(self) -> list[Any]:
        """Return the value of each number."""
        return group_keys(self._names.array())

    def results(self, cls: type[C], max_points: int) -> dict[Any, C]:
        """Return the count table of every group; groups in their order if they have one."""
        made = dict(self.tables(cls, max_points))
        values = self.values()
        found = {values[group]: result for group, result in made.items()}
        return {key: found[key] for key in in_order(list(found))}

    def measured(self, cls: type[C], max_points: int, figures: GroupMeasures[C]) -> tuple[Any, FloatArray]:
        """Return the groups as an Arrow array in the same order, and what `figures` says of each, as rows."""
        self._settle()
        names = self._names.array()
        out = np.empty((len(names), figures.width))
        for groups, found in self.pieces(cls, max_points):
            out[groups] = figures.many(found) if isinstance(found, ManyTables) else figures.one(found)
        order = array_order(names)
        order = order[self._sizes()[order] > 0]
        return names.take(order), out[order]

    def _sizes(self) -> IntArray:
        """Return how many rows each group has."""
        sizes = np.zeros(len(self._names), dtype=np.int64)
        for block in self._blocks:
            sizes[block.codes] += np.diff(block.starts)
        return sizes

    def _together(self, first: int, last: int, sizes: IntArray, most: int) -> Iterator[tuple[IntArray, ManyTables]]:
        while first < last:
            sums = np.cumsum(sizes[first:last])
            end = first + max(int(np.searchsorted(sums, most, side="right")), 1)
            if sums[min(end - first, sums.size) - 1]:
                yield self._counted(first, min(end, last))
            first = end

    def _counted(self, first: int, last: int) -> tuple[IntArray, ManyTables]:
        """Return the tables of small groups, by one sort of all their rows."""
        parts = [self._taken(block, first, last) for block in self._blocks]
        codes = np.concatenate([codes for codes, _ in parts])
        scores, positive = (np.concatenate([columns[name] for _, columns in parts]) for name in ("scores", "positive"))
        del parts
        groups, ends, table = count_groups(codes, scores, positive)
        return groups.astype(np.int64), ManyTables(*table, ends.astype(np.int64, copy=False))

    def _by_itself(self, cls: type[C], group: int, max_points: int) -> C:
        counter = RowCounter(self._memory, self._spill)
        for block in self._blocks:
            _, columns = self._taken(block, group, group + 1)
            if columns["scores"].size:
                empty = dict.fromkeys(_STORED)
                counter.add(Rows(groups=None, **{**empty, **columns}))  # type: ignore[arg-type]  # the first two are there
        return counter.result(cls, max_points)

    def _taken(self, block: _GroupBlock, first: int, last: int) -> tuple[NDArray[np.int32], dict[str, NDArray[Any]]]:
        """Return the rows of a range of groups, with the group of each."""
        low, high = np.searchsorted(block.codes, (first, last)).tolist()
        codes = np.repeat(block.codes[low:high], np.diff(block.starts[low : high + 1]))
        start, end = int(block.starts[low]), int(block.starts[high])
        if block.columns:
            return codes, {name: column[start:end] for name, column in block.columns.items()}
        columns = {}
        for name, (at, kind) in block.places.items():
            columns[name] = np.empty(end - start, dtype=kind)
            self._spill.read_into(columns[name], at + start * kind.itemsize)
        return codes, columns

    def _stored(self) -> list[str]:
        return list(self._blocks[0].columns or self._blocks[0].places)


def _block(codes: NDArray[np.int32], columns: dict[str, NDArray[Any]]) -> _GroupBlock:
    """Return rows in the order of their groups."""
    if list(columns) == ["scores", "positive"] and native.available() and native.takes(columns["scores"]):
        groups, ends, scores, positive = order_groups(codes, columns["scores"], columns["positive"])
        return _GroupBlock(groups, np.append(0, ends), {"scores": scores, "positive": positive}, {})
    order = row_order(codes)
    codes = codes[order]
    starts = np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))
    ordered = {name: column[order] for name, column in columns.items()}
    return _GroupBlock(codes[starts], np.append(starts, codes.size), ordered, {})


def _columns(rows: Rows) -> dict[str, NDArray[Any]]:
    return {name: getattr(rows, name) for name in _STORED if getattr(rows, name) is not None}


def in_order(keys: list[Any]) -> list[Any]:
    """Return keys sorted, None last; in the order they came where they cannot be compared."""
    known = [key for key in keys if key is not None]
    try:
        known.sort()
    except TypeError:
        known.sort(key=lambda key: tuple((type(part).__name__, str(part)) for part in _parts(key)))
    return known + [None] * (len(keys) - len(known))


def _parts(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def array_order(names: Any) -> NDArray[np.intp]:
    """Return where the elements of an Arrow array stand in the order of `in_order`, without making objects of them."""
    arrow = require("pyarrow", extra="engines", purpose="Scanning groups")
    compute = require("pyarrow.compute", extra="engines", purpose="Scanning groups")
    try:
        if arrow.types.is_struct(names.type):
            table = arrow.Table.from_arrays(names.flatten(), [field.name for field in names.type])
            keys = [(name, "ascending") for name in table.column_names]
            return np.asarray(compute.sort_indices(table, sort_keys=keys)).astype(np.intp)
        return np.asarray(compute.sort_indices(names)).astype(np.intp)
    except (arrow.ArrowNotImplementedError, arrow.ArrowTypeError):
        values = names.to_pylist()
        place = {value: i for i, value in enumerate(values)}
        return np.array([place[value] for value in in_order(values)], dtype=np.intp)
