"""More than one pass over a Spark DataFrame: each is a job of its executors, whose sums come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from types import ModuleType
from typing import Any

import numpy as np

from thresher._core.checks import require
from thresher._read.scan import scanned
from thresher._read.sources.source import arguments
from thresher._read.sql import spark_workers
from thresher._read.sql.session import Task, open_table
from thresher._read.sql.spark_workers import packed_rows
from thresher._read.sql.typed_columns import side_by_side
from thresher._read.stream.groups import GroupMeasures
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherError
from thresher.typing import FloatArray, IntArray

_BATCH = "thresher_batch"
_ROWS_AT_ONCE = 1 << 16
_MOST_POINTS = 100_000  # of a batch


def spark_rows(source: Any, wanted: Sequence[str]) -> Any:
    """Return a reader of the columns of a Spark DataFrame: task by task, so that the driver holds one at a time."""
    arrow = require("pyarrow", extra="engines", purpose="Counting in Spark")
    with open_table(source) as (session, native):
        schema = session.fetch(native.select(*wanted).limit(0)).schema

    def batches() -> Iterator[Any]:
        task = Task(packed_rows, {"data": "binary"}, None, None, (spark_workers,))
        with open_table(source) as (session, native):
            if session.runs_python():
                for data in session.task_by_task(native.select(*wanted), task) or ():
                    for batch in arrow.ipc.open_stream(data):
                        yield batch.cast(schema)
                return
            rows = session.row_by_row(native.select(*wanted))
            while some := list(islice(rows, _ROWS_AT_ONCE)):
                columns = map(arrow.array, zip(*some, strict=True), schema.types)
                yield arrow.RecordBatch.from_arrays(list(columns), schema=schema)

    return arrow.RecordBatchReader.from_batches(schema, batches())


class SparkPasses:
    """Rows that live in Spark, or in Spark behind Ibis."""

    def __init__(self, source: Any, names: dict[str, str], pos_label: object) -> None:
        self._source, self._names, self._pos_label = source, names, pos_label

    @property
    def clustered(self) -> bool:
        """Whether rows belong to clusters."""
        return "cluster" in self._names

    def summed(
        self, function: Callable[[Iterator[Any]], Iterator[Any]], modules: tuple[ModuleType, ...], group: Any
    ) -> FloatArray:
        """Return the sums of what a function makes of the rows of a group: rows of a `place` and a `value`."""
        with open_table(self._source) as (session, native):
            rows = side_by_side(self._of_group(native, group), self._names, self._pos_label)
            key = "cluster" if self.clustered else None
            found = session.by_tasks(rows, Task(function, {"place": "int", "value": "double"}, key, None, modules))
        if found is None:
            raise ThresherError(
                "The engine must run Python to compare models row by row; it does not. "
                "Hint: have the rows sent: `th.compare_source(list(table.to_pyarrow_batches()), ...)`."
            )
        return np.asarray(np.bincount(found["place"].to_numpy(), found["value"].to_numpy()), dtype=np.float64)

    def _of_group(self, native: Any, group: Any) -> Any:
        columns = [self._names[argument] for argument in arguments(self._names, "by")]
        keys = group if len(columns) > 1 else (group,)
        for name, value in zip(columns, keys, strict=False):
            native = native.filter(native[name].isnull() if value is None else native[name] == value)
        return native

    def fewest(self, group: Any) -> float:
        """Return how many independent rows or clusters the rarer class of a group has."""
        with open_table(self._source) as (session, native):
            rows = side_by_side(self._of_group(native, group), self._names, self._pos_label)
            counted = rows.cluster.nunique() if self.clustered else rows.count()
            found = session.fetch(rows.group_by("pos").aggregate(n=counted))
        return float(min(found["n"].to_pylist()))

    def measured(self, batches: int, group: Any, figures: GroupMeasures[Counts]) -> list[tuple[IntArray, FloatArray]]:
        """Return for each model the numbers of its batches, by a hash of the cluster or the id, and their figures."""
        key = self._names.get("cluster", self._names.get("id"))
        if key is None:
            raise InvalidInputError(
                "`id` or `cluster` must be named to divide rows of Spark into batches: they have no order. "
                "Hint: id= a column that tells the rows apart."
            )
        functions = require("pyspark.sql.functions", extra="engines", purpose="Counting in Spark")
        with open_table(self._source) as (session, native):
            chosen = self._of_group(native, group)
            frame = session._session.sql(session._backend.compile(chosen))  # type: ignore[attr-defined]  # Spark's has them
            numbered = frame.withColumn(_BATCH, functions.pmod(functions.xxhash64(key), functions.lit(batches)))
            names = {name: column for name, column in self._names.items() if name.partition(" ")[0] not in ("by", "id")}
            names.pop("cluster", None)
            names |= {"by": _BATCH}
            asked: dict[str, Any] = {"pos_label": self._pos_label, "max_points": _MOST_POINTS, "figures": figures}
            found = scanned(Counts, numbered, names, **asked)
        return [(np.asarray(keys.to_numpy(zero_copy_only=False), dtype=np.int64), rows) for keys, rows in found]
