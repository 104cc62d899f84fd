"""The engine a table lives in: small tables go in, answers come out, and nothing is left behind."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any, Protocol
from uuid import uuid4

from thresher._core.checks import show
from thresher._core.optional import require
from thresher.exceptions import InvalidTypeError, ThresherError

__all__ = ["Session", "open_table"]

_LONGEST = 300
_PURPOSE = "Counting in an engine"


class Session(Protocol):
    """What the counting asks of an engine."""

    def small(self, table: Any) -> Any:
        """Return a small pyarrow table as an Ibis table of this engine, to be joined to the large one."""

    def fetch(self, expression: Any) -> Any:
        """Return the rows of an Ibis expression as a pyarrow table."""


def _is_ibis(source: object) -> bool:
    """Return whether this is an Ibis table, without importing Ibis."""
    kind = type(source)
    return kind.__module__.split(".")[0] == "ibis" and hasattr(source, "schema") and hasattr(source, "select")


def _is_spark(source: object) -> bool:
    kind = type(source)
    return kind.__module__.startswith("pyspark.sql.") and hasattr(source, "createOrReplaceTempView")


@contextlib.contextmanager
def open_table(source: Any) -> Iterator[tuple[Session, Any]]:
    """Give the session and the Ibis table of a source; what was registered for it is removed at the end."""
    require("pyarrow", extra="engines", purpose=_PURPOSE)
    ibis = require("ibis", extra="engines", purpose=_PURPOSE)
    if _is_spark(source):
        with _spark_frame(ibis, source) as opened:
            yield opened
    elif _is_ibis(source):
        backend = source.get_backend()
        if backend.name == "pyspark":
            with _spark_session(backend) as session:
                yield session, source
        else:
            plain = _Plain(ibis, backend)
            try:
                yield plain, source
            finally:
                plain.close()
    else:
        raise InvalidTypeError(
            f"The table must be an Ibis table or a Spark DataFrame; got {type(source).__name__}. "
            "Hint: frames in memory are counted by `th.Scores.from_frame`."
        )


class _Plain:
    """Any engine that Ibis speaks: small tables are Ibis memtables, which it would keep until the process ends."""

    def __init__(self, ibis: Any, backend: Any) -> None:
        self._ibis, self._backend = ibis, backend
        self._names: list[str] = []

    def small(self, table: Any) -> Any:
        made = self._ibis.memtable(table)
        self._names.append(made.get_name())
        return made

    def fetch(self, expression: Any) -> Any:
        with _translated(self._backend.name):
            return self._backend.to_pyarrow(expression)

    def close(self) -> None:
        """Remove the small tables: DuckDB has them as registered objects, others as views or tables."""
        registered = getattr(getattr(self._backend, "con", None), "unregister", None)
        ways = (registered,) if registered else (self._backend.drop_view, self._backend.drop_table)
        for name in self._names:
            for drop in ways:
                with contextlib.suppress(Exception):
                    drop(name) if registered else drop(name, force=True)


class _Spark:
    """Spark: small tables are temporary views with a hint to send them to every executor."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._session = backend._session
        self._views: list[str] = []

    def small(self, table: Any) -> Any:
        broadcast = require("pyspark.sql.functions", extra="engines", purpose="Counting in Spark").broadcast
        with _translated("Spark"), _quiet():
            return self._backend.table(self.view(broadcast(self._session.createDataFrame(_spark_types(table)))))

    def fetch(self, expression: Any) -> Any:
        with _translated("Spark"), _quiet():
            return self._session.sql(self._backend.compile(expression)).toArrow()

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


@contextlib.contextmanager
def _spark_session(backend: Any) -> Iterator[_Spark]:
    session = _Spark(backend)
    try:
        yield session
    finally:
        session.close()


@contextlib.contextmanager
def _spark_frame(ibis: Any, frame: Any) -> Iterator[tuple[Session, Any]]:
    """Give a Spark DataFrame as an Ibis table; settings that Ibis makes on connecting are put back."""
    conf = frame.sparkSession.conf
    kept = {key: conf.get(key, None) for key in ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")}
    try:
        with _translated("Spark"), _quiet():
            backend = ibis.pyspark.connect(frame.sparkSession)
        with _spark_session(backend) as session:
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


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep PySpark's remarks about the installed pandas, of which nothing is used here, from the caller."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        yield


@contextlib.contextmanager
def _translated(engine: str) -> Iterator[None]:
    """Turn an engine's failure into one sentence."""
    try:
        yield
    except ThresherError:
        raise
    except Exception as error:
        raise ThresherError(
            f"{engine} could not finish the query; it said: {_first_words(error)} "
            "Hint: the engine's own log has the details; nothing was kept, so the call can be repeated."
        ) from None


def _first_words(error: Exception) -> str:
    """Return the first line of what an engine says, without stack traces."""
    java = getattr(error, "java_exception", None)
    text = ""
    if java is not None:
        with contextlib.suppress(Exception):
            text = str(java.getMessage() or "")
    lines = [line.strip() for line in (text or str(error)).splitlines() if line.strip()]
    first = lines[0] if lines else type(error).__name__
    return show(first, _LONGEST) + "."
