"""The engine a table lives in: small tables go in, answers come out, and nothing is left behind."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, NamedTuple
from uuid import uuid4

from thresher._core.checks import require, show
from thresher._read.sql import spark_workers
from thresher.exceptions import InvalidTypeError, ThresherError

_LONGEST = 300
_NO_REASON = "Exception thrown in awaitResult"  # Spark's driver waited for a thread, whose exception is the cause
_PURPOSE = "Counting in an engine"
_ROWS_OF_A_TASK = 1 << 16, 1 << 20  # a Python worker holds them all, beside the memory that Spark asked for
ROWS_INSTEAD = "have the rows sent and counted here: `th.scan(table.to_pyarrow_batches(), ...)`"


class SendRowsError(Exception):
    """The rows are to be sent and counted here, which costs less than to count them in this engine."""


class Task(NamedTuple):
    """A function of Arrow batches, for tasks each of which has all rows of some values of `key`, `rows` in all.

    Without a `key` the tasks are those in which the engine reads the rows, and `rows` is None. `columns` are the names
    and Spark's types of what it yields. Its `modules` are sent with it.
    """

    function: Callable[[Iterator[Any]], Iterator[Any]]
    columns: dict[str, str]
    key: str | None
    rows: int | None
    modules: tuple[ModuleType, ...]


class Session:
    """What the counting asks of an engine."""

    name: str
    by_type: bool
    """Whether the engine may lack an operation that it has for values of other types."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def has(self, operation: str) -> bool:
        """Return whether the engine has an Ibis operation."""
        return _has(self._backend, operation)

    def small(self, table: Any) -> Any:
        """Return a small pyarrow table as an Ibis table of this engine, to be joined to the large one."""
        raise NotImplementedError

    def fetch(self, expression: Any) -> Any:
        """Return the rows of an Ibis expression as a pyarrow table."""
        raise NotImplementedError

    def runs_python(self) -> bool:
        """Return whether the engine's own tasks run Python with pyarrow: tried on one row."""
        return False

    def by_tasks(self, expression: Any, task: Task) -> Any:
        """Return what a Python function makes of rows in the engine's own tasks; None where it runs no Python."""
        return None

    def task_by_task(self, expression: Any, task: Task) -> Iterator[bytes] | None:
        """Return what a Python function makes of the rows of each task, one at a time: a column of bytes."""
        return None

    def row_by_row(self, expression: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an Ibis expression, those of one task at a time."""
        raise NotImplementedError

    def close(self) -> None:
        """Remove what was registered in the engine."""
        raise NotImplementedError


@contextlib.contextmanager
def open_table(source: Any) -> Iterator[tuple[Session, Any]]:
    """Give the session and the Ibis table of a source; what was registered for it is removed at the end."""
    require("pyarrow", extra="engines", purpose=_PURPOSE)
    ibis = require("ibis", extra="engines", purpose=_PURPOSE)
    kind = type(source).__module__
    if kind.startswith("pyspark.sql.") and hasattr(source, "createOrReplaceTempView"):
        with _spark_frame(ibis, source) as opened:
            yield opened
    elif kind.startswith("ibis.") and hasattr(source, "schema") and hasattr(source, "select"):
        backend = source.get_backend()
        session = _Spark(backend) if backend.name == "pyspark" else _Plain(ibis, backend)
        with contextlib.closing(session):
            yield session, source
    else:
        raise InvalidTypeError(
            f"The table must be an Ibis table or a Spark DataFrame; got {type(source).__name__}. "
            "Hint: frames in memory are counted by `th.Scores.from_frame`."
        )


class _Plain(Session):
    """Any engine that Ibis speaks: small tables are Ibis memtables, which it would keep until the process ends."""

    by_type = True

    def __init__(self, ibis: Any, backend: Any) -> None:
        super().__init__(backend)
        self._ibis = ibis
        self._names: list[str] = []
        self.name: str = backend.name

    def small(self, table: Any) -> Any:
        made = self._ibis.memtable(table)
        self._names.append(made.get_name())
        return made

    def fetch(self, expression: Any) -> Any:
        with _translated(self.name):
            return self._backend.to_pyarrow(expression)

    def close(self) -> None:
        """Remove the small tables: DuckDB has them as registered objects, others as temporary tables or views."""
        registered = getattr(getattr(self._backend, "con", None), "unregister", None)
        ways = (registered,) if registered else (self._drop_table, self._drop_by_statement, self._drop_view)
        for name in self._names:
            for drop in ways:
                with contextlib.suppress(Exception):
                    drop(name)
                    break

    def _drop_table(self, name: str) -> None:
        self._backend.drop_table(name, force=True)

    def _drop_by_statement(self, name: str) -> None:
        # Ibis 12 writes a DROP without a name when it meets sqlglot 30.18 or later.
        sqlglot = require("sqlglot", extra="engines", purpose=_PURPOSE)
        named = sqlglot.to_identifier(name, quoted=True).sql(dialect=self._backend.dialect)
        answer = self._backend.raw_sql(f"DROP TABLE IF EXISTS {named}")
        if hasattr(answer, "close"):
            answer.close()

    def _drop_view(self, name: str) -> None:
        self._backend.drop_view(name, force=True)


class _Spark(Session):
    """Spark: small tables are temporary views with a hint to send them to every executor."""

    name = "Spark"
    by_type = False

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self._session = backend._session
        self._views: list[str] = []
        self._python: bool | None = None

    def small(self, table: Any) -> Any:
        broadcast = require("pyspark.sql.functions", extra="engines", purpose="Counting in Spark").broadcast
        with _translated("Spark"), _quiet():
            return self._backend.table(self.view(broadcast(self._session.createDataFrame(_spark_types(table)))))

    def fetch(self, expression: Any) -> Any:
        with _translated("Spark"), _quiet():
            return self._session.sql(self._backend.compile(expression)).toArrow()

    def runs_python(self) -> bool:
        if self._python is None:
            self._python = self._tried()
        return self._python

    def _tried(self) -> bool:
        pa = require("pyarrow", extra="engines", purpose=_PURPOSE)
        task = Task(spark_workers.packed_rows, {"data": "binary"}, None, None, (spark_workers,))
        try:
            return bool(self.by_tasks(self.small(pa.table({"row": [1]})), task).num_rows == 1)
        except ThresherError:  # no Python, no pyarrow, another version of it: whatever the engine says
            return False

    def by_tasks(self, expression: Any, task: Task) -> Any:
        with _translated("Spark"), _quiet():
            return self._tasks(expression, task).toArrow()

    def task_by_task(self, expression: Any, task: Task) -> Iterator[bytes] | None:
        return self._each_task(expression, task)

    def row_by_row(self, expression: Any) -> Iterator[tuple[Any, ...]]:
        with _translated("Spark"), _quiet():
            rows = self._session.sql(self._backend.compile(expression))
            # Not by jobs, which would need Python on the executors.
            for row in rows.toLocalIterator(prefetchPartitions=True):
                yield tuple(row)

    def _each_task(self, expression: Any, task: Task) -> Iterator[bytes]:
        with _translated("Spark"), _quiet():
            for row in _task_by_task(self._tasks(expression, task)):
                yield bytes(row[0])

    def _tasks(self, expression: Any, task: Task) -> Any:
        pickle = require("pyspark.cloudpickle", extra="engines", purpose="Counting in Spark")
        for module in task.modules:
            pickle.register_pickle_by_value(module)  # executors may not have this library
        rows = self._session.sql(self._backend.compile(expression))
        if task.key is not None:
            rows = rows.repartition(*([] if task.rows is None else [self._parts(task.rows)]), task.key)
        types = ", ".join(f"{name} {kind}" for name, kind in task.columns.items())
        return rows.mapInArrow(task.function, types)

    def _parts(self, rows: int) -> int:
        """Return the number of tasks for so many rows: that of the session, unless they would be large or tiny."""
        wanted = self._session.conf.get("spark.sql.shuffle.partitions", "200")
        parts = int(wanted) if wanted.isdigit() else 200  # Databricks knows "auto"
        return max(min(parts, -(-rows // _ROWS_OF_A_TASK[0])), -(-rows // _ROWS_OF_A_TASK[1]))

    def view(self, frame: Any) -> str:
        """Register a frame under a name of its own until the session is closed."""
        name = f"thresher_{uuid4().hex}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def close(self) -> None:
        """Remove the views; a session that has died has none."""
        for name in self._views:
            with contextlib.suppress(Exception):
                self._session.catalog.dropTempView(name)


def _task_by_task(frame: Any) -> Iterator[Any]:
    """Yield the rows of a frame, those of one task at a time, while the next task runs.

    The driver's Java keeps all that `toLocalIterator` has sent until the last row; of a job it keeps nothing.
    """
    try:
        rdd, run = frame.rdd, frame.sparkSession.sparkContext.runJob
    except (AttributeError, NotImplementedError):  # Spark Connect has neither, and sends batches as they come
        yield from frame.toLocalIterator(prefetchPartitions=True)
        return
    with ThreadPoolExecutor(1) as ahead:
        started: list[Any] = []
        for i in range(rdd.getNumPartitions()):
            started.append(ahead.submit(run, rdd, iter, [i]))
            if i > 0:
                yield from started.pop(0).result()
        for last in started:
            yield from last.result()


@contextlib.contextmanager
def _spark_frame(ibis: Any, frame: Any) -> Iterator[tuple[Session, Any]]:
    """Give a Spark DataFrame as an Ibis table; settings that Ibis makes on connecting are put back."""
    conf = frame.sparkSession.conf
    kept = {key: conf.get(key, None) for key in ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")}
    try:
        with _translated("Spark"), _quiet():
            backend = ibis.pyspark.connect(frame.sparkSession)
        with contextlib.closing(_Spark(backend)) as session:
            with _translated("Spark"):
                table = backend.table(session.view(frame))
            yield session, table
    finally:
        with contextlib.suppress(Exception):
            for key, value in kept.items():
                if value is None:
                    conf.unset(key)
                else:
                    conf.set(key, value)


def _spark_types(table: Any) -> Any:
    """Return the table with unsigned integers as signed ones, which is all that Spark has."""
    pa = require("pyarrow", extra="engines", purpose=_PURPOSE)
    fields = [pa.field(f.name, pa.int64() if pa.types.is_unsigned_integer(f.type) else f.type) for f in table.schema]
    return table.cast(pa.schema(fields))


def _has(backend: Any, operation: str) -> bool:
    """Return whether a backend has an operation; one that cannot say is taken to have it."""
    operations = require("ibis.expr.operations", extra="engines", purpose=_PURPOSE)
    try:
        return bool(backend.has_operation(getattr(operations, operation)))
    except NotImplementedError:
        return True


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep PySpark's remarks about the installed pandas, of which nothing is used here, from the caller."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        yield


@contextlib.contextmanager
def _translated(engine: str) -> Iterator[None]:
    """Turn an engine's failure, or an operation that Ibis cannot write for it, into one sentence."""
    errors = require("ibis.common.exceptions", extra="engines", purpose=_PURPOSE)
    try:
        yield
    except ThresherError:
        raise
    except (errors.TranslationError, errors.UnsupportedBackendType) as error:
        raise ThresherError(
            f"An engine must have the operations that counting needs; got {engine}, for which Ibis says: "
            f"{_first_words(error)} Hint: {ROWS_INSTEAD}."
        ) from None
    except Exception as error:
        raise ThresherError(
            f"{engine} could not finish the query; it said: {_first_words(error)} "
            "Hint: the engine's own log has the details; nothing was kept, so the call can be repeated."
        ) from None


def _first_words(error: Exception) -> str:
    """Return the first line of what an engine says, without stack traces."""
    java = getattr(error, "java_exception", None)
    text = ""
    with contextlib.suppress(Exception):
        while java is not None and (not text or text.startswith(_NO_REASON)):
            text = str(java.getMessage() or "")
            java = java.getCause()
    lines = [line.strip() for line in (text or str(error)).splitlines() if line.strip()]
    first = lines[0] if lines else type(error).__name__
    return show(first, _LONGEST) + "."


def local_rows(table: Any, names: dict[str, str]) -> Any:
    """Return an Ibis table as a relation of DuckDB where that is the quicker way; None where it is not.

    DuckDB runs here: to hand over its rows costs less than the queries that would count them inside it. Decimals and
    the like stay there, which the engine compares as they are.
    """
    if type(table).__module__.partition(".")[0] != "ibis" or table.get_backend().name != "duckdb":
        return None
    operations = require("ibis.expr.operations", extra="engines", purpose="Counting a table")
    wanted = list(dict.fromkeys(names.values()))
    known = set(wanted) <= set(table.columns) and not table.op().find(operations.InMemoryTable)
    if not known or not all(_plain(table[name].type()) for name in wanted):
        return None
    backend = table.get_backend()
    return backend.con.sql(str(backend.compile(table.select(*wanted))))


def _plain(kind: Any) -> bool:
    return any((kind.is_boolean(), kind.is_integer(), kind.is_floating(), kind.is_string()))
