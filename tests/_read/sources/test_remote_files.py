"""Files by their addresses, tried with those of this machine and of fsspec's memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher._read.sources.open_source import _pace
from thresher._read.sources.remote_files import is_address, is_local, remote_dataset


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    y = (rng.random(500) < 0.3).astype(np.int8)
    return y, rng.normal(size=500) + y


def test_what_is_an_address():
    assert all(map(is_address, ("s3://bucket/a", "gs://b", "https://host/a.parquet", "file:///a", "memory://a")))
    assert not any(map(is_address, ("a.parquet", "/a", "C:\\a", "a//b", None, 7)))


def test_files_of_this_machine(tmp_path, rows):
    y, s = rows
    for part in range(2):
        (tmp_path / f"part={part}").mkdir()
        pq.write_table(pa.table({"y_true": y[part::2], "y_score": s[part::2]}), tmp_path / f"part={part}" / "a.parquet")
    (tmp_path / "_temporary").mkdir()
    pq.write_table(pa.table({"y_true": y, "y_score": s}), tmp_path / "_temporary" / "a.parquet")
    address = tmp_path.as_uri()
    assert th.scan(address) == th.Scores(y, s)
    assert th.scan(address, group="part")[1] == th.Scores(y[1::2], s[1::2])
    assert th.scan(f"{address}/part=0/a.parquet") == th.Scores(y[::2], s[::2])


def test_through_fsspec(rows):
    fsspec = pytest.importorskip("fsspec")
    y, s = rows
    with fsspec.open("memory://scores/a.parquet", "wb") as file:
        pq.write_table(pa.table({"y_true": y, "y_score": s}), file)
    found = remote_dataset("memory://scores/a.parquet")
    assert not is_local(found)
    assert _pace(found)["batch_readahead"] > 4
    assert "fragment_scan_options" not in _pace(found)
    assert th.scan("memory://scores/a.parquet") == th.Scores(y, s)


def test_local_files_are_not_read_ahead(tmp_path, rows):
    pq.write_table(pa.table({"y_true": rows[0], "y_score": rows[1]}), tmp_path / "a.parquet")
    assert "fragment_scan_options" in _pace(ds.dataset(tmp_path / "a.parquet"))


def test_messages(tmp_path):
    with pytest.raises(th.InvalidInputError, match=r"'file:.*absent.* cannot be read: .*Hint: name a file or a folder"):
        th.scan((tmp_path / "absent").as_uri())
    with pytest.raises(
        th.InvalidInputError, match=r"must be an address that pyarrow or fsspec can open; got 'nope://a'"
    ):
        th.scan("nope://a")
    with pytest.raises(th.InvalidInputError, match=r"must be one address or a list of files of this machine"):
        th.scan(["s3://bucket/a", "s3://bucket/b"])
    (tmp_path / "t" / "_delta_log").mkdir(parents=True)
    with pytest.raises(th.InvalidInputError, match="is a Delta table, whose log says which"):
        th.scan((tmp_path / "t").as_uri())
