"""Engines that Ibis speaks, started for the tests: each with a way to put rows into it that is its own."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import pytest

NAMES = ("sqlite", "polars", "datafusion", "postgres")


@contextlib.contextmanager
def connected(name):
    """Give an Ibis connection; skips where the engine, its driver or a fitting version of it is missing."""
    ibis = pytest.importorskip("ibis")
    if name == "postgres":
        reason = "psycopg, PostgreSQL's Python driver, is not installed, or finds no libpq"
        pytest.importorskip("psycopg", reason=reason, exc_type=ImportError)
        with _postgres_server() as folder:
            connection = _once_it_answers(
                lambda: ibis.postgres.connect(host=folder, user="postgres", database="postgres")
            )
            try:
                yield connection
            finally:
                connection.disconnect()
    elif name == "datafusion":
        pytest.importorskip("datafusion", reason="datafusion is not installed")
        try:
            connection = ibis.datafusion.connect()
        except TypeError:  # Ibis 12 was written before DataFusion 52 renamed arguments
            pytest.skip(f"Ibis {ibis.__version__} cannot connect to DataFusion {version('datafusion')}")
        yield connection
    else:
        connection = getattr(ibis, name).connect()
        yield connection
        connection.disconnect()


def load(connection, name, rows):
    """Return a pyarrow table as a table of the engine.

    Not by Ibis' `create_table`, which with sqlglot 30.18 or later ends in a DROP without a name.
    """
    import ibis

    if connection.name == "datafusion":
        connection.con.from_arrow(rows, name)
    elif connection.name == "polars":
        connection.create_table(name, rows)
    else:
        connection.create_table(name, schema=ibis.Schema.from_pyarrow(rows.schema))
        mark = "?" if connection.name == "sqlite" else "%s"
        values = list(zip(*(column.to_pylist() for column in rows.columns), strict=True))
        with contextlib.closing(connection.con.cursor()) as cursor:
            insert = f'INSERT INTO "{name}" VALUES ({", ".join([mark] * rows.num_columns)})'  # noqa: S608 - our own name
            cursor.executemany(insert, values)
        connection.con.commit()
    return connection.table(name)


def tables(connection):
    """Return the names of all tables and views, temporary ones too."""
    if connection.name == "datafusion":
        return set(connection.con.catalog().schema().names())
    if connection.name == "sqlite":
        query = "SELECT name FROM sqlite_master UNION SELECT name FROM sqlite_temp_master"
        return {name for (name,) in connection.con.execute(query).fetchall()}
    if connection.name == "postgres":
        query = (
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace <> 'pg_catalog'::regnamespace"
        )
        return {name for (name,) in connection.con.execute(query).fetchall()}
    return set(connection.list_tables())


def _program(name):
    """Return the path of one of PostgreSQL's programs, which Debian keeps out of the PATH."""
    found = shutil.which(name)
    if found is None:
        found = next(
            (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
        )
    if found is None:
        pytest.skip(f"PostgreSQL's `{name}` is not installed")
    return found


def _other_user():
    """Return the user to run the server as: it refuses to be run by root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return pytest.skip("there is no user but root to run PostgreSQL as")


@contextlib.contextmanager
def _postgres_server():
    """Give the folder of the socket of a private server, which is gone afterwards."""
    initdb, postgres, user = _program("initdb"), _program("postgres"), _other_user()
    folder = tempfile.mkdtemp(prefix="pg")  # short: the path of a socket has a limit
    identity = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    try:
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = f"{folder}/data"
        options = ["--auth=trust", "--username=postgres", "--no-sync", "--locale=C", "--encoding=UTF8"]
        subprocess.run([initdb, "-D", data, *options], check=True, capture_output=True, cwd=folder, **identity)
        settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", f"unix_socket_directories={folder}"]
        with Path(folder, "log").open("wb") as log:
            server = subprocess.Popen([postgres, "-D", data, *settings], stdout=log, stderr=log, cwd=folder, **identity)
        try:
            yield folder
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _once_it_answers(connect, seconds=20.0):
    """Return what `connect` returns as soon as it does not fail."""
    until = time.monotonic() + seconds
    while True:
        try:
            return connect()
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
