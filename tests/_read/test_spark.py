"""A real Spark on this machine: the same bits as DuckDB and NumPy, and a plan that fits a cluster."""

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import support
import thresher as th
from support.tables import assert_same, datasets
from thresher._read.sql import session as _session
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pytestmark = [
    pytest.mark.optional,  # pyspark, Java
    # Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    # PySpark says so of any newer pandas; nothing here uses it.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def java_or_skip():
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, so that Spark cannot start")
    pytest.importorskip("pyspark.sql", reason="pyspark is not installed")


@pytest.fixture(scope="module")
def spark():
    java_or_skip()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own, at their import
        from pyspark import sql

        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.memory": "1g",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2",
            "spark.default.parallelism": "2",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.session.timeZone": "Asia/Tokyo",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # starts quickly
        }
        builder = sql.SparkSession.builder.master("local[2]").appName("thresher")
        for key, value in settings.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def queries(monkeypatch):
    """Record the physical plan and the number of rows of everything that is fetched."""
    seen = []

    def fetch(self, expression):
        frame = self._session.sql(self._backend.compile(expression))
        rows = frame.toArrow()
        seen.append((frame._jdf.queryExecution().executedPlan().toString(), rows.num_rows))
        return rows

    monkeypatch.setattr(_session._Spark, "fetch", fetch)
    return seen


NAMES = {"y_true": "y`;--", "y_score": 'select "s"', "by": "art.größe"}


@pytest.fixture(scope="module")
def awkward():
    parts = datasets(1200)
    columns = {
        NAMES["y_true"]: np.concatenate([y for y, _ in parts.values()]),
        NAMES["y_score"]: np.concatenate([s for _, s in parts.values()]),
        NAMES["by"]: np.repeat(list(parts), 1200).tolist(),
    }
    return parts, pa.table(columns)


def test_spark_duckdb_and_numpy_agree_to_the_last_bit(spark, duckdb_backend, python_tasks, awkward, queries):
    parts, table = awkward
    found = scan_table(th.Scores, spark.createDataFrame(table), **NAMES, max_points=60)
    duckdb_backend.con.register("awkward", table)
    beside = scan_table(th.Scores, duckdb_backend.table("awkward"), **NAMES, max_points=60)
    for name, (y, s) in parts.items():
        assert_same(found[name], th.Scores(y, s))
        assert found[name] == beside[name]
    assert len(queries) >= 2
    for plan, rows in queries:
        # Rows go to every partition by their bucket, small tables to every executor; no task sees them all.
        assert "SinglePartition" not in plan
        assert "SortMergeJoin" not in plan
        assert rows < table.num_rows / 3
    assert spark.catalog.listTables() == []
    assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"


@pytest.fixture
def tasks(monkeypatch):
    """Record the physical plan and the rows of what they are asked."""
    seen = []

    def by_tasks(self, expression, task):
        if task.key is None:
            return whole(self, expression, task)
        frame = self._session.sql(self._backend.compile(expression)).repartition(self._parts(task.rows), task.key)
        rows = frame.mapInArrow(task.function, ", ".join(f"{name} {kind}" for name, kind in task.columns.items()))
        answer = whole(self, expression, task)
        seen.append((rows._jdf.queryExecution().executedPlan().toString(), task.rows, answer.num_rows))
        return answer

    whole = _session._Spark.by_tasks
    monkeypatch.setattr(_session._Spark, "by_tasks", by_tasks)
    monkeypatch.setattr(_session, "_ROWS_OF_A_TASK", (1000, 4000))
    return seen


@pytest.mark.parametrize(("kind", "group"), [(np.float32, None), (np.int64, "g")])
def test_workers_get_rows_by_their_bucket(spark, queries, tasks, kind, group):
    rng = np.random.default_rng(4)
    y = rng.random(5000) < 0.3
    s = (rng.normal(size=5000) + y) * (2**60 if kind is np.int64 else 1)
    table = pa.table({"y": y, "s": s.astype(kind), "g": rng.choice(["a", "b"], 5000).tolist()})
    frame = spark.createDataFrame(table)
    found = scan_table(th.Scores, frame, y_true="y", y_score="s", max_points=300, by=group)
    plan, rows, back = tasks[-1]
    assert rows == 5000
    assert back < 1500
    # One exchange, no sort and no window.
    assert "MapInArrow" in plan
    assert plan.count("Exchange hashpartitioning") == 1
    assert not any(re.search(r"\b(Window|Sort)\b", query) for query in (plan, *(query for query, _ in queries)))
    for name, one in found.items() if group else [(None, found)]:
        own = np.ones(5000, bool) if name is None else np.array(table["g"].to_pylist()) == name
        assert_same(one, th.Scores(y[own], s.astype(kind)[own]))


def test_without_python_on_executors_rows_are_sent(spark, tasks, monkeypatch):
    rng = np.random.default_rng(4)
    rows = pa.table({"y": rng.random(2000) < 0.3, "s": rng.normal(size=2000), "w": rng.integers(1, 9, 2000) / 4})
    frame = spark.createDataFrame(rows)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "/nowhere/python")
    asked = {"y_true": "y", "y_score": "s", "max_points": 100}
    for words in ({}, {"sample_weight": "w"}):
        assert th.scan(frame, **asked, **words) == th.scan(rows, **asked, **words)
    assert tasks == []


def test_few_scores_come_back_whole(spark):
    rng = np.random.default_rng(2)
    y, s, w = rng.random(900) < 0.2, rng.integers(0, 50, 900).astype(np.float32), rng.integers(0, 2**50, 900)
    frame = spark.createDataFrame(pa.table({"y": np.where(y, "it's \\ \n'; --", "no").tolist(), "s": s, "w": w}))
    options = {"y_true": "y", "y_score": "s", "pos_label": "it's \\ \n'; --", "sample_weight": "w"}
    found, expected = th.scan(frame, **options, max_points=100), th.Scores(y, s, sample_weight=w)
    for name in ("thresholds", "pos", "neg", "_rows_pos", "_rows_neg"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    # Floats, which every executor adds in an order of its own.
    for name in ("_pos_squares", "_neg_squares"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-14)
    assert found.thresholds.dtype == np.float32
    assert_same(th.scan(frame, **options, max_points=10), th.Scores(y, s, sample_weight=w), hull=False)


def test_nulls_and_nans_are_counted_and_refused(spark):
    frame = spark.createDataFrame([(1, 0.5), (0, None), (0, float("nan")), (None, 0.1)], "y int, s double")
    with pytest.raises(th.InvalidInputError) as error:
        scan_table(th.Scores, frame, y_true="y", y_score="s")
    assert str(error.value) == (
        "`y_score` must not be missing; got 1 NaN and 1 NULL in 4 rows. "
        "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
    )
    with pytest.raises(th.InvalidInputError, match=r"^`y_score` must not be missing; got 1 NaN in 2 rows\."):
        scan_table(th.Scores, frame.where("s is not null and y is not null"), y_true="y", y_score="s")


def test_a_python_worker_that_dies_is_one_sentence(spark):
    from pyspark.sql.functions import udf

    @udf("double")
    def dies(value):
        import os

        os._exit(17)

    frame = spark.range(100).selectExpr("cast(id % 2 as int) as y", "id").withColumn("s", dies("id"))
    with pytest.raises(th.ThresherError) as error:
        scan_table(th.Scores, frame, y_true="y", y_score="s")
    text = str(error.value)
    assert text.startswith("Spark could not finish the query; it said: ")
    assert text.endswith("nothing was kept, so the call can be repeated.")
    assert "\tat " not in text
    assert "\n" not in text
    assert len(text) < 600
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__
    assert spark.catalog.listTables() == []


@pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="executors are found by what Linux says of processes"
)
def test_executors_that_are_killed(tmp_path):
    """One killed in the middle is made up for by Spark; all of them killed again and again are one sentence."""
    java_or_skip()
    script = Path(support.__file__).with_name("spark_losing_executors.py")
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout.splitlines()[-1])

    number = np.arange(20_000)
    expected = th.Scores(number * 7 % 3 == 0, number * 7919 % 1_000_003 / 1_000_003)
    once = answers["once"]
    assert (once["killed"], once["n"], once["u"]) == (1, len(expected), str(expected._twice_u))
    assert once["failed"] >= 1
    assert once["area"] == expected.pr_auc().value.hex()
    assert once["left"] == []

    workers = answers["workers"]
    assert workers["failed"] >= 1
    assert (workers["killed"], workers["n"], workers["u"]) == (1, len(expected), str(expected._twice_u))
    assert workers["area"] == expected.pr_auc().value.hex()
    assert (workers["asked"], workers["left"]) == (4, [])  # the last of them by workers

    always = answers["always"]
    assert always["killed"] >= 2
    assert re.fullmatch(
        r"Spark could not finish the query; it said: 'Job aborted due to stage failure: Task \d+ in stage [\d.]+ "
        r"failed 2 times, most recent failure: .*ExecutorLostFailure [^\n]*'\. Hint: the engine's own log has the "
        r"details; nothing was kept, so the call can be repeated\.",
        always["error"],
    )
    assert len(always["error"]) < 600
    assert (always["cause"], always["hidden"], always["left"]) == ("None", True, [])


def test_groups_come_task_by_task(spark, monkeypatch):
    from thresher._read.sql import tables

    monkeypatch.setattr(tables, "_MANY_SMALL", 100)
    rng = np.random.default_rng(9)
    n = 5000
    columns = {"y": rng.random(n) < 0.2, "s": rng.normal(size=n).round(1), "site": rng.choice(list("abcdefg"), n)}
    rows = pa.table(columns | {"day": rng.integers(0, 3, n)})
    frame = spark.createDataFrame(rows)
    asked = {"y_true": "y", "y_score": "s"}
    for by in ("site", ["site", "day"]):
        assert th.scan(frame, **asked, by=by) == th.scan(rows, **asked, by=by)
    measures = ("roc_auc", "pr_auc")
    found = th.scan(frame, **asked, by="site", measures=measures)
    assert found.to_pylist() == th.scan(rows, **asked, by="site", measures=measures).to_pylist()


def test_groups_without_python_on_executors(spark, monkeypatch):
    from thresher._read.sql import tables

    monkeypatch.setattr(tables, "_MANY_SMALL", 100)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "/nowhere/python")
    rng = np.random.default_rng(9)
    rows = pa.table({"y": rng.random(900) < 0.2, "s": rng.normal(size=900), "site": rng.choice(list("abc"), 900)})
    asked = {"y_true": "y", "y_score": "s", "by": "site"}
    for weight in ({}, {"sample_weight": "w"}):
        if weight:
            rows = rows.append_column("w", pa.array(rng.integers(1, 9, 900) / 4))
        assert th.scan(spark.createDataFrame(rows), **asked, **weight) == th.scan(rows, **asked, **weight)


def test_groups_with_weights_come_task_by_task(spark, monkeypatch):
    from thresher._read.sql import tables

    rng = np.random.default_rng(9)
    n = 3000
    columns = {"y": rng.random(n) < 0.2, "s": rng.normal(size=n).round(2), "site": rng.choice(list("abc"), n)}
    rows = pa.table(columns | {"w": rng.integers(1, 9, n) / 4, "patient": rng.integers(0, 300, n)})
    frame = spark.createDataFrame(rows)
    asked = {"y_true": "y", "y_score": "s", "by": "site", "sample_weight": "w", "cluster": "patient"}
    whole = th.scan(frame, **asked)
    monkeypatch.setattr(tables, "_MANY_SMALL", 100)
    collected = []
    monkeypatch.setattr(tables._Scan, "_direct", lambda *args, **kwargs: collected.append(args) or {})
    found = th.scan(frame, **asked)
    assert not collected
    assert found == th.scan(rows, **asked)
    assert list(found) == list(whole)
    assert spark.catalog.listTables() == []


PAIRED = {
    "plain": ("roc_auc", {}, {}),
    "text clusters": ("roc_auc", {}, {"cluster": "name"}),
    "weights": ("pr_auc", {"method": "normal"}, {"sample_weight": "weight"}),
    "cells": ("f1", {"threshold": 1.0}, {}),
}


@pytest.mark.parametrize("case", PAIRED)
def test_models_are_compared_by_the_executors(spark, paired_rows, case):
    metric, options, rows = PAIRED[case]
    arrays = {word: paired_rows[name].to_numpy(zero_copy_only=False) for word, name in rows.items()}
    scores = {name: paired_rows[name].to_numpy() for name in ("a", "b")}
    y = paired_rows["y"].to_numpy(zero_copy_only=False)
    expected = th.compare(y, scores, metric=metric, **options, **arrays)
    frame = spark.createDataFrame(paired_rows)
    found = th.compare_source(frame, y_true="y", y_score=["a", "b"], metric=metric, **options, **rows)
    assert found.method == expected.method
    for name in ("difference", "low", "high", "standard_error", "df", "pvalue"):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(expected, name)), rel=1e-9), name


def test_spark_batches_are_made_by_a_key(spark, paired_rows):
    frame = spark.createDataFrame(paired_rows)
    asked = {"y_true": "y", "y_score": ["a", "b"], "method": "batches", "batches": 20}
    with pytest.raises(th.InvalidInputError, match="`id` or `cluster`"):
        th.compare_source(frame, **asked)
    found = th.compare_source(frame, **asked, id="id", by="site")
    expected = th.compare_source(paired_rows, y_true="y", y_score=["a", "b"], by="site")
    for site, one in found.items():
        assert one.difference == expected[site].difference
        assert one.standard_error == pytest.approx(expected[site].standard_error, rel=0.5)


@pytest.fixture(scope="module")
def paired_rows():
    rng = np.random.default_rng(4)
    n = 4000
    y = rng.random(n) < 0.2
    case = rng.normal(size=n)
    return pa.table(
        {
            "y": y,
            "a": case + y + rng.normal(size=n),
            "b": np.round(case + 0.9 * y, 1),
            "name": [f"p{one}" for one in rng.integers(0, 900, n)],
            "weight": rng.integers(1, 4, n) * 0.5,
            "site": rng.choice(["north", "south"], n),
            "id": np.arange(n),
        }
    )
