"""A store whose library has errors of its own."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher._core.stores import WithOSErrors


class LibraryError(Exception):
    """As the packages for fsspec have them: no OSError."""


class File(io.BytesIO):
    def read(self, size=-1):
        if self.tell() > 0:
            raise LibraryError("the line was cut\nand more")
        return super().read(size)


class Store:
    name = "store"

    def open(self, path):
        if path == "denied":
            raise LibraryError
        if path == "absent":
            raise FileNotFoundError(path)
        return File(b"abc")


def test_errors_are_os_errors():
    store = WithOSErrors(Store())
    assert store.name == "store"
    file = store.open("a")
    assert file.read(1) == b"a"
    with pytest.raises(OSError, match=r"^the line was cut \(LibraryError\)$"):
        file.read(1)
    with pytest.raises(OSError, match=r"^LibraryError \(LibraryError\)$"):
        store.open("denied")
    with pytest.raises(FileNotFoundError):
        store.open("absent")


def test_equal_where_the_stores_are():
    inner = Store()
    assert WithOSErrors(inner) == WithOSErrors(inner)
    assert WithOSErrors(inner) != WithOSErrors(Store())
    assert WithOSErrors(inner) != inner


@pytest.mark.parametrize(("at", "after"), [("info", 0), ("open", 0), ("read", 0), ("read", 1), ("read", 2)])
def test_a_scan_tells_them_in_one_sentence(at, after, monkeypatch):
    """Also those that come when rows are being read."""
    memory = pytest.importorskip("fsspec.implementations.memory", reason="fsspec is not installed")
    file = io.BytesIO()
    pq.write_table(pa.table({"y_true": [0, 1] * 50_000, "y_score": [0.25, 0.75] * 50_000}), file)
    memory.MemoryFileSystem().pipe("/own/a.parquet", file.getvalue())
    assert th.scan("memory://own/a.parquet").n_pos == 50_000
    owner = memory.MemoryFile if at == "read" else memory.MemoryFileSystem
    real, calls = getattr(owner, at), []

    def fail(*words, **named):
        calls.append(words)
        if len(calls) <= after:
            return real(*words, **named)
        raise LibraryError("Server failed to authenticate the request")

    monkeypatch.setattr(owner, at, fail)
    with pytest.raises(th.InvalidInputError, match=r"cannot be read: .*authenticate .*LibraryError.* Hint:"):
        th.scan("memory://own/a.parquet")
    assert len(calls) == after + 1
