"""Measures of many groups in one table: the figures of each group's own Scores, to the last bit, from any source."""

from __future__ import annotations

import math
import os
import shutil
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import thresher as th
from support.backends import connected, load
from thresher._core import native
from thresher._facade.scan import GroupFigures, named_measures
from thresher._read.sql.tables import scan_table

ALL = ("roc_auc", "gini", "pr_auc", "average_precision", "unit_steps", "trapezoid", "functional", "achievable")
AREAS = ("roc_auc", "pr_auc")


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    y = (rng.random(2000) < 0.3).astype(np.int8)
    g = rng.choice(["a", "b", "c"], 2000)
    y[g == "c"] = 1
    return pa.table({"y_true": y, "y_score": (rng.normal(size=2000) + y).round(2), "g": g})


@pytest.fixture(scope="module")
def many():
    """Small groups with ties, some of one class, some with one positive, one of five thousand rows."""
    rng = np.random.default_rng(5)
    g = np.concatenate((rng.integers(0, 60, 1500), np.full(5000, 99), [100, 101, 101]))
    y = (rng.random(g.size) < 0.3).astype(np.int8)
    y[-3:] = (1, 1, 0)
    y[g == 7] = 0
    score = rng.normal(size=g.size) + y
    score[g % 3 > 0] = score[g % 3 > 0].round(1)
    score[:40] *= -0.0
    return pa.table({"y_true": y, "y_score": score, "g": g})


def alone(table, measures, **columns):
    """Return the rows that the groups' own Scores give."""
    keys = table["g"].unique().to_pylist()
    rows = []
    for key in sorted(key for key in keys if key is not None) + [None] * (None in keys):
        part = table.filter(pc.is_null(table["g"]) if key is None else pc.equal(table["g"], key))
        scores = th.Scores(part["y_true"], part["y_score"], **{n: part[column] for n, column in columns.items()})
        row = [key, scores.n_pos, scores.n_neg]
        for measure in measures:
            value = error = None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    estimate = scores.measure(measure)
                    value = estimate.value
                    error = estimate.standard_error(rng=0)
                except th.ThresherError:
                    pass
            row += [value, None if error is None or math.isnan(error) else error]
        rows.append(row)
    return rows


def rows_of(found):
    return [list(row) for row in zip(*(column.to_pylist() for column in found.columns), strict=True)]


def test_each_group_is_measured_by_itself(many):
    found = th.scan(many, by="g", measures=ALL)
    assert rows_of(found) == alone(many, ALL)
    assert found.column_names[:5] == ["group", "n_pos", "n_neg", "roc_auc", "roc_auc_se"]
    assert found["roc_auc"].null_count == 2  # of one class
    assert found["roc_auc_se"].null_count > 2  # and of one row in a class


def test_measures_with_options(table):
    for measure in (
        th.measures.RecallAtFpr(0.1),
        th.measures.PrAuc(prevalence=0.05),
        th.measures.PrAuc("average_precision", prevalence=0.6),
        th.measures.PrAuc(recall=(0.2, 0.8)),
        th.measures.PrAuc(normalize=True),
    ):
        assert rows_of(th.scan(table, by="g", measures=measure)) == alone(table, [measure])


@pytest.mark.parametrize("columns", [{"sample_weight": "w"}, {"frequency": "f"}, {"cluster": "c"}])
def test_weights_frequencies_and_clusters(table, columns):
    rng = np.random.default_rng(6)
    for name, column in (("w", rng.random(2000)), ("f", rng.integers(1, 4, 2000)), ("c", rng.integers(0, 99, 2000))):
        table = table.append_column(name, pa.array(column))
    found = th.scan(table, by="g", measures=("roc_auc", "pr_auc"), **columns)
    assert rows_of(found) == alone(table, ("roc_auc", "pr_auc"), **columns)


def test_without_kernels(many, monkeypatch):
    few = many.slice(0, 300)
    wanted = th.scan(few, by="g", measures=("roc_auc", "pr_auc"))
    monkeypatch.setattr(native, "available", lambda: False)
    found = th.scan(few, by="g", measures=("roc_auc", "pr_auc"))
    assert found.select([0, 1, 2, 3, 4]) == wanted.select([0, 1, 2, 3, 4])
    for name in ("pr_auc", "pr_auc_se"):
        both = [np.array(rows[name].to_pylist(), dtype=float) for rows in (found, wanted)]
        assert np.allclose(*both, rtol=1e-13, equal_nan=True)


def test_little_memory(many):
    measures = ("roc_auc", "pr_auc")
    batches = many.to_batches(max_chunksize=700)
    assert th.scan(batches, by="g", measures=measures, memory=2**20) == th.scan(many, by="g", measures=measures)


def named(many):
    """Return rows of groups with names, some of which are missing."""
    names = [None if key % 10 == 3 else f"user {key:03}" for key in many["g"].to_pylist()]
    return many.set_column(2, "g", pa.array(names))


@pytest.fixture(scope="module")
def both(many):
    """The rows, then with names of groups, each with what the groups' own Scores give."""
    return [(rows, alone(rows, AREAS)) for rows in (many, named(many))]


def sources(library, rows):
    """Give rows as an object of a library."""
    pytest.importorskip(library)
    if library == "pandas":
        return rows.to_pandas()
    if library == "polars":
        import polars as pl

        return pl.from_arrow(rows).lazy()
    import duckdb

    return duckdb.from_arrow(rows)


def in_duckdb(rows):
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    backend = ibis.duckdb.connect()
    backend.con.register("scored", rows)
    return backend.table("scored")


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
def test_every_library_gives_the_same(library, both):
    for rows, wanted in both:
        assert rows_of(th.scan(sources(library, rows), by="g", measures=AREAS)) == wanted


# pandas 3 deprecates an option that Ibis 12 asks for when it reads from SQLite.
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "polars"])
def test_every_engine_gives_the_same(engine, both):
    for rows, wanted in both:
        if engine == "duckdb":
            assert rows_of(th.scan(in_duckdb(rows), by="g", measures=AREAS)) == wanted
        else:
            with connected(engine) as connection:
                found = th.scan(load(connection, "scored", rows), by="g", measures=AREAS)
            assert rows_of(found) == wanted


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_groups_inside_an_engine(many):
    measures = ("roc_auc", "pr_auc", "average_precision")
    figures = GroupFigures(named_measures(measures))
    for rows in (many, named(many)):
        source, alike = in_duckdb(rows), alone(rows, measures)
        for most in (10**6, 200):  # beyond 200 distinct scores a group is counted in buckets
            names = {"y_true": "y_true", "y_score": "y_score", "by": "g"}
            found = scan_table(th.Scores, source, **names, max_points=most, figures=figures)
            wanted, mine = alike, rows_of(figures.table(*found, whole=True))
            if most == 200:  # of which the error of PR areas is not exact
                mine, wanted = ([row[:6] + row[7:8] for row in rows] for rows in (mine, wanted))
            assert mine == wanted


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_weighted_groups_inside_an_engine(many):
    rng = np.random.default_rng(7)
    rows = many.append_column("w", pa.array(rng.integers(1, 5, many.num_rows) / 4))
    figures = GroupFigures(named_measures(("roc_auc", "pr_auc")))
    names = {"y_true": "y_true", "y_score": "y_score", "by": "g", "sample_weight": "w"}
    found = scan_table(th.Scores, in_duckdb(rows), **names, figures=figures)
    wanted = alone(rows, ("roc_auc", "pr_auc"), sample_weight="w")
    for mine, theirs in zip(rows_of(figures.table(*found, whole=False)), wanted, strict=True):
        assert mine[:4] == theirs[:4]
        assert [x is None for x in mine] == [x is None for x in theirs]
        assert [x for x in mine[4:] if x is not None] == pytest.approx([x for x in theirs[4:] if x is not None])


@pytest.mark.optional
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the libraries' own
def test_spark(many):
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, so that Spark cannot start")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    measures = ("roc_auc", "pr_auc")
    try:
        for rows in (many, named(many)):
            frame = spark.createDataFrame(rows)
            assert rows_of(th.scan(frame, by="g", measures=measures)) == alone(rows, measures)
    finally:
        spark.stop()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": "roc_auc"}, "`measures` must come with `by`; got none"),
        ({"measures": (), "by": "g"}, "`measures` must be names of measures"),
        (
            {"measures": ("roc_auc", "roc_auc"), "by": "g"},
            "must have different names, which become columns; got 'roc",
        ),
        ({"measures": "roc_acu", "by": "g"}, "roc_auc"),
    ],
)
def test_messages(table, options, said):
    with pytest.raises(th.ThresherError, match=said):
        th.scan(table, **options)
