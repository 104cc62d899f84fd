"""Sums by an engine's workers are those of SQL, to the last bit: tried on DuckDB, which is made to have workers."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support.tables import assert_same, datasets
from thresher._read.sql import session as _session
from thresher._read.sql import spark_sums
from thresher._read.sql import tables as _tables
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


@pytest.fixture
def workers(monkeypatch):
    """Do with rows what Spark does: send them in batches to three tasks, by their bucket."""
    asked = []

    def by_tasks(self, expression, task):
        rows = self.fetch(expression)
        asked.append(rows.num_rows)
        shard = rows[task.key].to_numpy() % 3
        parts = [rows.filter(pa.array(shard == k)) for k in range(3)]
        found = [batch for part in parts for batch in task.function(iter(part.to_batches(max_chunksize=50)))]
        return pa.Table.from_batches(found).select(list(task.columns))

    plain = _tables._Scan._bucket_sums

    def sums(self, *arguments):
        self._distinct = True
        return plain(self, *arguments)

    monkeypatch.setattr(_session._Plain, "by_tasks", by_tasks)
    monkeypatch.setattr(_tables._Scan, "_bucket_sums", sums)
    monkeypatch.setattr(spark_sums, "_MANY_ROWS", 0)
    return asked


def test_awkward_scores(duck, workers):
    parts = datasets(400)
    y, s = (np.concatenate([part[k] for part in parts.values()]) for k in (0, 1))
    table = duck(y=y, s=s, g=np.repeat(list(parts), 400).tolist())
    found = scan_table(th.Scores, table, y_true="y", y_score="s", by="g", max_points=20)
    for name, (labels, scores) in parts.items():
        assert_same(found[name], th.Scores(labels, scores))
    assert len(workers) == 2


@pytest.mark.parametrize("group", [None, "g"])
def test_points_and_figures_are_those_of_sql(duck, workers, monkeypatch, group):
    rng = np.random.default_rng(5)
    y = (rng.random(6000) < 0.3).astype(int)
    table = duck(y=y, s=(rng.normal(size=6000) + y).astype(np.float32), g=rng.integers(0, 3, 6000))
    names = {"y_true": "y", "y_score": "s", "by": group, "max_points": 200}
    found = scan_table(th.Scores, table, **names)
    assert workers[0] == 2
    assert len(workers) == 2
    monkeypatch.setattr(_tables, "worker_sums", lambda *arguments: None)
    assert scan_table(th.Scores, table, **names) == found
    assert len(workers) == 2


def test_workers_that_fail_the_trial_are_not_asked(duck, workers, monkeypatch):
    right = _session._Plain.by_tasks
    asked = []

    def wrong(self, expression, task):
        asked.append(task.rows)
        table = right(self, expression, task)
        return table.set_column(0, table.column_names[0], pa.array([7] * table.num_rows))

    def refused(self, expression, task):
        asked.append(task.rows)
        raise th.ThresherError("no Python here")

    rng = np.random.default_rng(1)
    y, s = rng.random(300) < 0.5, rng.normal(size=300)
    for answer in (wrong, refused):
        monkeypatch.setattr(_session._Plain, "by_tasks", answer)
        assert_same(scan_table(th.Scores, duck(y=y, s=s), y_true="y", y_score="s", max_points=20), th.Scores(y, s))
    assert asked == [2, 2]


@pytest.mark.parametrize(("name", "limit"), [("_MANY_ROWS", 301), ("_MOST_ROWS", 3), ("_MOST_BUCKETS", 3)])
def test_what_is_left_to_sql(duck, workers, monkeypatch, name, limit):
    monkeypatch.setattr(spark_sums, name, limit)
    rng = np.random.default_rng(1)
    y, s = rng.random(300) < 0.5, rng.normal(size=300)
    assert_same(scan_table(th.Scores, duck(y=y, s=s), y_true="y", y_score="s", max_points=20), th.Scores(y, s))
    assert workers == []
