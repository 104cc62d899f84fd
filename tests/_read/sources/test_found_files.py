"""Folders, patterns and lists of files: what is read, what is passed over, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher._read.sources.found_files import find_files


def part(path: Path, seed: int = 0, **more) -> Path:
    rng = np.random.default_rng(seed)
    y = (rng.random(40) < 0.4).astype(np.int8)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"y_true": y, "y_score": rng.normal(size=40) + y, **more}), path)
    return path


def union(*paths: Path) -> th.Scores:
    return sum(th.Scores.from_frame(pq.ParquetFile(path).read(), y_true="y_true", y_score="y_score") for path in paths)


@pytest.fixture
def folder(tmp_path):
    """A folder as Spark leaves it in the middle of the next job."""
    part(tmp_path / "a" / "part-0.parquet", 1)
    part(tmp_path / "a" / "deeper" / "part-1.parquet", 2)
    for other in ("_temporary/0/part-2.parquet", ".part-0.tmp.parquet", "_SUCCESS.parquet", ".hidden/part-3.parquet"):
        part(tmp_path / "a" / other, 3)
    (tmp_path / "a" / "notes.md").write_text("no table")
    return tmp_path / "a"


def test_what_is_not_finished_is_passed_over(folder):
    wanted = union(folder / "part-0.parquet", folder / "deeper" / "part-1.parquet")
    assert th.scan(folder) == wanted
    assert th.scan(str(folder / "**" / "*.parquet")) == wanted
    assert [file.path.name for file in find_files([folder])] == ["part-1.parquet", "part-0.parquet"]


def test_what_is_asked_for_by_name_is_read(folder):
    hidden = folder / ".part-0.tmp.parquet"
    assert th.scan(hidden) == union(hidden)
    assert th.scan(str(folder / "_temporary" / "*" / "*.parquet")) == union(folder / "_temporary/0/part-2.parquet")


def test_a_file_named_twice(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "link.parquet").symlink_to(folder / "part-0.parquet")
    for twice in (["part-0.parquet", "part-0.parquet"], ["part-0.parquet", "./link.parquet"], [".", "part-0.parquet"]):
        with pytest.raises(th.InvalidInputError, match=r"`source` must name each file once, or its rows would count"):
            th.scan(twice)
    with pytest.raises(th.InvalidInputError) as said:
        th.scan(["part-0.parquet", "link.parquet"])
    assert str(said.value) == (
        "`source` must name each file once, or its rows would count twice; got 'part-0.parquet' twice, also as "
        "'link.parquet'. Hint: leave one of them out."
    )


def test_hive_partitions_are_columns(tmp_path):
    paths = [
        part(tmp_path / "day=1" / "site=a%20b" / "x.parquet", 1),
        part(tmp_path / "day=2" / "site=a%20b" / "x.parquet", 2),
        part(tmp_path / "day=10" / "site=__HIVE_DEFAULT_PARTITION__" / "x.parquet", 3),
    ]
    by_day = th.scan(tmp_path, by="day")
    assert list(by_day) == [1, 2, 10]
    assert [by_day[day] == union(path) for day, path in zip((1, 2, 10), paths, strict=True)] == [True] * 3
    by_site = th.scan(str(tmp_path / "**" / "*.parquet"), by="site")
    assert list(by_site) == ["a b", None]
    assert by_site["a b"] == union(*paths[:2])
    (tmp_path / "day=x").mkdir()
    part(tmp_path / "day=x" / "y.parquet", 4)
    assert list(th.scan(tmp_path, by="day")) == ["1", "10", "2", "x"]


def test_a_column_of_the_file_is_the_files(tmp_path):
    path = part(tmp_path / "day=1" / "x.parquet", 1, day=["monday"] * 40)
    assert list(th.scan(path, by="day")) == ["monday"]


def test_labels_may_stand_in_folders(tmp_path):
    for label in (0, 1):
        folder = tmp_path / f"label={label}"
        folder.mkdir()
        (folder / "a.csv").write_text("id,s\n" + "".join(f"{i},{i / 7 + label}\n" for i in range(9)))
    found = th.scan(tmp_path, y_true="label", y_score="s")
    assert found == th.Scores.from_pos_neg([i / 7 + 1 for i in range(9)], [i / 7 for i in range(9)])


@pytest.mark.parametrize(
    ("inside", "kind", "way"),
    [
        ("_delta_log/00.json", "a Delta", "deltalake.DeltaTable(path).to_pyarrow_dataset()"),
        ("metadata/v1.metadata.json", "an Iceberg", "scan().to_arrow_batch_reader()"),
        (".hoodie/hoodie.properties", "a Hudi", "a Spark DataFrame"),
    ],
)
def test_tables_with_a_log_are_refused(tmp_path, inside, kind, way):
    part(tmp_path / "t" / "data.parquet")
    log = tmp_path / "t" / inside
    log.parent.mkdir()
    log.write_text("{}")
    for source in (tmp_path / "t", tmp_path, str(tmp_path / "t" / "*.parquet")):
        with pytest.raises(th.InvalidInputError) as said:
            th.scan(source)
        assert f"'{tmp_path / 't'}' is {kind} table, whose log says which of its files count" in str(said.value)
        assert way in str(said.value)
    assert th.scan(tmp_path / "t" / "data.parquet") == union(tmp_path / "t" / "data.parquet")


def test_errors_name_their_file(tmp_path):
    part(tmp_path / "a.parquet")
    bad = tmp_path / "b.parquet"
    pq.write_table(pa.table({"y_true": [0, 1, 1], "y_score": [0.5, None, 1.0]}), bad)
    with pytest.raises(th.InvalidInputError, match=rf"the first in row 1, counted from 0, of '{bad}'\."):
        th.scan(tmp_path)
    pq.write_table(pa.table({"y_true": [0, 1, 7], "y_score": [0.5, 0.7, 1.0]}), bad)
    with pytest.raises(th.InvalidInputError, match=rf"^In '{bad}': `y_true` must hold the labels"):
        th.scan(tmp_path)
    pq.write_table(pa.table({"y_true": [0, 1, 1], "risk": [0.5, 0.7, 1.0]}), bad)
    with pytest.raises(th.InvalidInputError, match=rf"`y_score` must name a column of '{bad}'; got 'y_score'"):
        th.scan(tmp_path)
