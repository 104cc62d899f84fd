"""Engines for the tests: DuckDB through Ibis."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def duckdb_backend():
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    return ibis.duckdb.connect()


@pytest.fixture
def duck(duckdb_backend):
    """Return a function that makes an Ibis table of columns, gone after the test."""
    pa = pytest.importorskip("pyarrow")
    names = []

    def make(name="rows", **columns):
        duckdb_backend.con.register(name, pa.table({key: _plain(value) for key, value in columns.items()}))
        names.append(name)
        return duckdb_backend.table(name)

    yield make
    for name in names:
        duckdb_backend.con.unregister(name)


def _plain(value):
    return value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind in "OU" else value


@pytest.fixture
def python_tasks(monkeypatch):
    """Have DuckDB do with rows what Spark does: send them in batches to three Python tasks, by their bucket."""
    import pyarrow as pa

    from thresher._read.sql import session

    asked = []

    def by_tasks(self, expression, task):
        rows = self.fetch(expression)
        asked.append(rows.num_rows)
        shard = rows[task.key].to_numpy() % 3
        parts = [rows.filter(pa.array(shard == k)) for k in range(3)]
        found = [batch for part in parts for batch in task.function(iter(part.to_batches(max_chunksize=50)))]
        if not found:
            return pa.table({name: pa.array([], "int64") for name in task.columns})
        return pa.Table.from_batches(found).select(list(task.columns))

    monkeypatch.setattr(session._Plain, "by_tasks", by_tasks)
    monkeypatch.setattr(session._Plain, "runs_python", lambda self: True)
    return asked


@pytest.fixture(autouse=True)
def rows_stay_there(request, monkeypatch):
    """Have engines count small groups too, whose scores are otherwise fetched; a test of that asks for `fetched`."""
    from thresher._read.sql import tables

    if "fetched" not in request.fixturenames:
        monkeypatch.setattr(tables, "_MOST_SENT", 0)
        monkeypatch.setattr(tables, "_LEAST_BUCKETS", 1)


@pytest.fixture
def fetched():
    """Have the scores of small groups fetched, as they are outside of tests."""
