"""Every source of the same rows gives the same table, to the last bit."""

from __future__ import annotations

import io
import subprocess
import sys
import textwrap
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import thresher as th

HOSTILE = ("select", 'a"b', "x; drop table t; --", "^.*$", "naïve.läbel", "''")


def make(shape: str, n: int = 5000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = (rng.random(n) < 0.3).astype(np.int8)
    if shape == "integer":
        return y, rng.integers(-1000, 1000, size=n)
    if shape == "tied":
        return y, (rng.normal(size=n) + y).round(1)
    if shape == "extreme":
        pool = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1e-310, 1.7976931348623157e308, -1.0]
        return y, rng.choice(np.array(pool), n)
    if shape == "float32":
        return y, (rng.normal(size=n) + y).astype(np.float32)
    return y, rng.normal(size=n) - 3 * y


@pytest.fixture(params=["continuous", "tied", "integer", "extreme", "float32"])
def data(request):
    return make(request.param)


def pieces(table: pa.Table, rows: int = 700) -> list[pa.RecordBatch]:
    return table.to_batches(max_chunksize=rows)


SOURCES = {
    "parquet": lambda t, p: (pq.write_table(t, p / "a.parquet", row_group_size=900), p / "a.parquet")[1],
    "pattern": lambda t, p: (
        [pq.write_table(t.slice(i, 1000), p / f"part-{i}.parquet") for i in range(0, t.num_rows, 1000)],
        str(p / "part-*.parquet"),
    )[1],
    "list": lambda t, p: (
        [pq.write_table(t.slice(i, 2500), p / f"{i}.pq") for i in (0, 2500)],
        [p / "0.pq", str(p / "2500.pq")],
    )[1],
    "folder": lambda t, p: (pq.write_table(t, p / "a.parquet"), p)[1],
    "feather": lambda t, p: (pa.feather.write_feather(t, p / "a.feather"), p / "a.feather")[1],
    "dataset": lambda t, p: (pq.write_table(t, p / "a.parquet"), ds.dataset(p / "a.parquet"))[1],
    "table": lambda t, p: t,
    "reader": lambda t, p: pa.RecordBatchReader.from_batches(t.schema, pieces(t)),
    "record batches": lambda t, p: iter(pieces(t)),
    "lazy frame": lambda t, p: pl.from_arrow(t).lazy(),
    "lazy file": lambda t, p: (pq.write_table(t, p / "a.parquet"), pl.scan_parquet(p / "a.parquet"))[1],
    "frame": lambda t, p: pl.from_arrow(t),
    "tuples": lambda t, p: ((b["y"].to_numpy(), b["s"].to_numpy()) for b in pieces(t)),
}


@pytest.mark.some(30)
@pytest.mark.parametrize("source", SOURCES)
def test_all_sources_agree(source, data, tmp_path):
    y, s = data
    table = pa.table({"y": y, "other": np.arange(y.size), "s": s})
    full = th.Scores(y, s)
    found = th.scan(SOURCES[source](table, tmp_path), y_true="y", y_score="s")
    assert found == full
    assert found.thresholds.dtype == full.thresholds.dtype
    assert not np.signbit(found.thresholds[found.thresholds == 0]).any()


@pytest.mark.parametrize("shape", ["continuous", "tied", "integer", "extreme"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz"])
def test_csv(name, shape, tmp_path):
    y, s = make(shape)
    delimiter = "\t" if ".tsv" in name else ","
    lines = [
        delimiter.join(("id", "s", "y")),
        *(f"{i}{delimiter}{v!r}{delimiter}{k}" for i, (v, k) in enumerate(zip(s.tolist(), y.tolist(), strict=True))),
    ]
    text = "\n".join(lines).encode()
    with pa.output_stream(str(tmp_path / name), compression="detect") as file:
        file.write(text)
    assert th.scan(tmp_path / name, y_true="y", y_score="s") == th.Scores(y, s.astype(np.float64))


def test_duckdb_in_a_process_of_its_own():
    code = """
        import duckdb, numpy as np, thresher as th
        rng = np.random.default_rng(0)
        y = (rng.random(3000) < 0.3).astype(np.int8)
        for s in (rng.normal(size=3000), rng.normal(size=3000).round(1), rng.integers(-9, 9, 3000)):
            relation = duckdb.from_arrow(__import__("pyarrow").table({'a"b': y, "select": s}))
            assert th.scan(relation, y_true='a"b', y_score="select") == th.Scores(y, s)
        print("agreed")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert done.stdout == "agreed\n", done.stderr


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("source", ["parquet", "feather", "lazy frame", "lazy file", "reader", "dataset"])
def test_hostile_names(source, name, tmp_path):
    y, s = make("continuous", 500)
    table = pa.table({"y": y, name: s, "s": -s, "other": s})
    found = th.scan(SOURCES[source](table, tmp_path), y_true="y", y_score=name)
    assert found == th.Scores(y, s)


def test_only_the_columns_asked_for_are_decoded(tmp_path):
    y, s = make("continuous", 500)
    unreadable = pa.array([b"x"] * 500)
    pq.write_table(pa.table({"y": y, "s": s, "blob": unreadable}), tmp_path / "a.parquet")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    column = pq.ParquetFile(tmp_path / "a.parquet").metadata.row_group(0).column(2)
    start = column.dictionary_page_offset or column.data_page_offset
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    (tmp_path / "a.parquet").write_bytes(data)
    assert th.scan(tmp_path / "a.parquet", y_true="y", y_score="s") == th.Scores(y, s)


def test_files_of_different_types_lose_nothing(tmp_path):
    y, s = make("continuous", 1000)
    single = s.astype(np.float32)
    pq.write_table(pa.table({"y": y, "s": single}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"y": y, "s": s}), tmp_path / "b.parquet")
    wanted = th.Scores(np.tile(y, 2), np.concatenate((single.astype(np.float64), s)))
    for source in (tmp_path, ds.dataset(tmp_path, format="parquet")):
        assert th.scan(source, y_true="y", y_score="s") == wanted
    pq.write_table(pa.table({"y": y, "s": np.arange(1000)}), tmp_path / "c.parquet")
    with pytest.raises(th.InvalidTypeError) as caught:
        th.scan(tmp_path, y_true="y", y_score="s")
    assert str(caught.value) == (
        "`y_score` must have types with a common one that keeps every value; the files have float, double, int64. "
        "Hint: convert the column to one type."
    )


def test_a_stream_that_changes_its_type():
    y, s = make("continuous", 1000)
    halves = [(y, s), (y, s.astype(np.float32)), (y.astype(np.int64), np.arange(1000, dtype=np.int16))]
    wanted = th.Scores(np.tile(y, 3), np.concatenate([part[1].astype(np.float64) for part in halves]))
    assert th.scan(iter(halves)) == wanted
    with pytest.raises(th.InvalidTypeError) as caught:
        th.scan(iter(halves[::-1]))
    assert str(caught.value) == (
        "`y_score` must have one type in all batches; got int16 first and float32 later. "
        "Hint: convert every batch to the wider type."
    )


def test_scanners_parquet_files_and_open_files(tmp_path, data):
    y, s = data
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": s, "more": s, "y": y}), path)
    names = {"y_true": "y", "y_score": "s"}
    full = th.Scores(y, s)
    assert th.scan(ds.dataset(path).scanner(), **names) == full
    assert th.scan(ds.dataset(path).scanner(filter=ds.field("y") == 1), **names).n_neg == 0
    assert th.scan(pq.ParquetFile(path), **names) == full
    with path.open("rb") as file:
        assert th.scan(file, **names) == full
    assert th.scan(io.BytesIO(path.read_bytes()), **names) == full
    with pytest.raises(th.InvalidInputError, match="must name a column"):
        th.scan(pq.ParquetFile(path), y_true="y", y_score="nothing")


def test_names_with_dots_in_a_parquet_file(tmp_path):
    pq.write_table(pa.table({"a.s": [0.1, 0.2], "y": [0, 1], "z": [{"k": 1}, {"k": 2}]}), tmp_path / "a.parquet")
    assert th.scan(pq.ParquetFile(tmp_path / "a.parquet"), y_true="y", y_score="a.s").roc_auc().value == 1.0


def test_open_files_of_other_forms_are_refused_with_the_remedy(tmp_path):
    (tmp_path / "a.csv").write_text("y,s\n0,1\n")
    for mode in ("r", "rb"):
        with (tmp_path / "a.csv").open(mode) as file, pytest.raises(th.InvalidTypeError, match="Hint: pass the path"):
            th.scan(file, y_true="y", y_score="s")


@pytest.mark.optional
def test_frames_of_dask_are_counted_partition_by_partition(data):
    frames = pytest.importorskip("dask.dataframe", reason="Dask, which `.ci/optional` installs, is not installed")
    import pandas as pd

    y, s = data
    frame = frames.from_pandas(pd.DataFrame({"y": y, "s": s}), npartitions=3)
    assert th.scan(frame, y_true="y", y_score="s") == th.Scores(y, s)
    with pytest.raises(th.InvalidInputError, match="must name a column"):
        th.scan(frame, y_true="y", y_score="nothing")


def test_engines_agree_on_missing_groups_and_decimals(tmp_path):
    import duckdb
    import ibis

    score = [Decimal(k) / 100 for k in (10, 90, 30, 70, 30)]
    columns = {"y": [0, 1, 0, 1, 1], "s": pa.array(score, pa.decimal128(10, 2)), "g": ["a", None, "b", None, "b"]}
    table = pa.table(columns)
    pq.write_table(table, tmp_path / "a.parquet")
    connection = duckdb.connect()
    sources = {
        "file": tmp_path / "a.parquet",
        "table": table,
        "polars": pl.from_arrow(table).lazy(),
        "relation": connection.from_arrow(table),
        "ibis": ibis.memtable(table),
    }
    found = {name: th.scan(source, y_true="y", y_score="s", by="g") for name, source in sources.items()}
    assert list(found["file"]) == ["a", "b", None]
    for name, groups in found.items():
        assert groups == found["file"], name
    only = {name: th.scan(source, y_true="y", y_score="s") for name, source in sources.items()}
    assert all(counted == only["file"] for counted in only.values())
    none = ibis.memtable(pa.table({**columns, "g": pa.nulls(5, pa.string())}))
    assert th.scan(none, y_true="y", y_score="s", by="g") == {None: only["file"]}
    connection.close()


def test_rows_in_messages_are_counted_over_all_batches():
    batches = [([0, 1], [0.1, 0.2], [1.0, 1.0]), ([0, 1], [0.1, 0.2], [1.0, -1.0])]
    with pytest.raises(th.InvalidInputError, match=r"got -1\.0 in 1 of 2 rows, first at row 3"):
        th.scan(iter(batches), sample_weight="w")
