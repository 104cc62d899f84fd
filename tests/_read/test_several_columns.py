"""Several columns of scores, groups by several columns, and conditions: in one pass, in every kind of source."""

import numpy as np
import pytest

import thresher as th

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")
pads = pytest.importorskip("pyarrow.dataset")
duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.filterwarnings("ignore:.*fetch_.*:DeprecationWarning")  # of Ibis


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    n = 3000
    y = rng.random(n) < 0.3
    return pa.table(
        {
            "y": y,
            "a": rng.normal(size=n) + y,
            "b": (rng.normal(size=n) + y).astype("float32"),
            "c": rng.choice(["x", "y", None], n),
            "d": rng.integers(0, 3, n),
        }
    )


def counted(table, kept=None, score="a"):
    rows = np.ones(table.num_rows, bool) if kept is None else kept
    return th.Scores(table["y"].to_numpy()[rows], table[score].to_numpy()[rows])


def sources(table, folder):
    import pyarrow.csv as csv
    import pyarrow.parquet as pq

    pq.write_table(table, folder / "t.parquet", row_group_size=500)
    csv.write_csv(table, folder / "t.csv")
    expression = pc.field("d") > 1
    found = {
        "parquet": (folder / "t.parquet", expression),
        "csv": (folder / "t.csv", expression),
        "dataset": (pads.dataset(folder / "t.parquet"), expression),
        "table": (table, expression),
        "batches": (table.to_batches(max_chunksize=700), expression),
        "duckdb": (duckdb.from_arrow(table), "d > 1"),
        "parquet file": (pq.ParquetFile(folder / "t.parquet"), expression),
    }
    polars = pytest.importorskip("polars")
    ibis = pytest.importorskip("ibis")
    backend = ibis.duckdb.connect()
    backend.con.register("rows", table)
    backend.raw_sql("CREATE TABLE t AS SELECT * FROM rows")
    found |= {
        "polars": (polars.from_arrow(table).lazy(), polars.col("d") > 1),
        "ibis": (backend.table("t"), "d > 1"),
        "ibis expression": (ibis.memtable(table), lambda t: t.d > 1),
    }
    return found


KINDS = ("parquet", "csv", "dataset", "table", "batches", "duckdb", "parquet file", "polars", "ibis", "ibis expression")


@pytest.mark.parametrize("kind", KINDS)
def test_several_scores_groups_and_conditions(table, tmp_path, kind):
    source, condition = sources(table, tmp_path)[kind]
    models = th.scan(source, y_true="y", y_score=["a", "b"])
    assert models["a"] == counted(table)
    wide = counted(table, score="b")  # text has no float32
    assert models["b"].roc_auc().value == wide.roc_auc().value

    kept = table["d"].to_numpy() > 1
    assert th.scan(source, y_true="y", y_score="a", filter=condition) == counted(table, kept)

    groups = th.scan(source, y_true="y", y_score={"first": "a"}, by=["c", "d"])["first"]
    text = [value if value is not None else ("" if kind == "csv" else None) for value in table["c"].to_pylist()]
    expected = {(c, d) for c, d in zip(text, table["d"].to_pylist(), strict=True)}
    assert set(groups) == expected
    for c, d in (("x", 0), ("y", 2)):
        assert groups[c, d] == counted(table, (np.array(text, object) == c) & (table["d"].to_numpy() == d))

    measured = th.scan(source, y_true="y", y_score="a", by=["c", "d"], measures="roc_auc")
    assert measured.column_names == ["c", "d", "n_pos", "n_neg", "roc_auc", "roc_auc_se"]
    row = {(r["c"], r["d"]): r["roc_auc"] for r in measured.to_pylist()}
    assert row["x", 0] == groups["x", 0].roc_auc().value


def test_a_dataset_that_was_filtered(table, tmp_path):
    source, condition = sources(table, tmp_path)["dataset"]
    kept = table["d"].to_numpy() > 1
    assert th.scan(source.filter(condition), y_true="y", y_score="a") == counted(table, kept)
    both = th.scan(source.filter(condition), y_true="y", y_score="a", filter=pc.field("c") == "x")
    assert both == counted(table, kept & (np.array(table["c"].to_pylist(), object) == "x"))


def test_conditions_on_columns_that_folders_name(table, tmp_path):
    flavor = pads.partitioning(pa.schema([("d", pa.int64())]), flavor="hive")
    pads.write_dataset(table, tmp_path / "rows", format="parquet", partitioning=flavor)
    kept = table["d"].to_numpy() > 1
    found = th.scan(tmp_path / "rows", y_true="y", y_score="a", filter=pc.field("d") > 1)
    assert found == counted(table, kept)
    by = th.scan(tmp_path / "rows", y_true="y", y_score="a", filter=pc.field("d") > 0, by=["d", "c"])
    assert set(by) == {(d, c) for d in (1, 2) for c in ("x", "y", None)}


def test_weights_and_clusters_of_several_scores(table):
    rng = np.random.default_rng(1)
    weight, cluster = rng.integers(1, 5, table.num_rows) / 2, rng.integers(0, 100, table.num_rows)
    more = table.append_column("w", pa.array(weight)).append_column("g", pa.array(cluster))
    found = th.scan(more, y_true="y", y_score=["a", "b"], sample_weight="w", cluster="g")
    for name in ("a", "b"):
        assert found[name] == th.Scores(table["y"], table[name], sample_weight=weight, cluster=cluster)


def test_what_is_refused(table):
    with pytest.raises(th.InvalidInputError, match="`y_score` must name each column once; got 'a' twice"):
        th.scan(table, y_true="y", y_score=["a", "a"])
    with pytest.raises(th.InvalidInputError, match="`y_score` must name at least one column"):
        th.scan(table, y_true="y", y_score=[])
    with pytest.raises(th.InvalidInputError, match="`by` must name a column; got 'z'"):
        th.scan(table, y_true="y", y_score="a", by=["d", "z"])
    with pytest.raises(th.InvalidTypeError, match="`filter` must be written as the library that reads the source"):
        th.scan(table, y_true="y", y_score="a", filter="d > 1")
    batches = [(table["y"].to_numpy(), table["a"].to_numpy())]
    with pytest.raises(th.InvalidTypeError, match="several scores need named columns"):
        th.scan(batches, y_true="y", y_score=["a", "b"])
    lost = table.set_column(2, "b", pa.array([None, *([0.5] * (table.num_rows - 1))]))
    with pytest.raises(th.InvalidInputError, match="`y_score` must not be missing; got 1 NULL"):
        th.scan(lost, y_true="y", y_score=["a", "b"])
