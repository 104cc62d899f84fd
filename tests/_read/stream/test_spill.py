from __future__ import annotations

import errno
import os
import stat
import tempfile

import numpy as np
import pytest

import thresher as th
from thresher._read.stream import spill as _spill
from thresher._read.stream.spill import Spill


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def batches(n=600_000, size=50_000):
    rng = np.random.default_rng(0)
    for _ in range(0, n, size):
        y = rng.random(size) < 0.2
        yield y, rng.normal(size=size) + y


def test_written_and_read_back(tmp_path):
    with Spill() as spill:
        assert list(tmp_path.iterdir()) == []  # nothing is made before it is needed
        a, b = np.arange(5), np.arange(7.0)
        assert spill.write([a]) == 0
        assert spill.write([b, a]) == a.nbytes
        assert list(tmp_path.iterdir()) == []  # nor has it a name afterwards
        assert stat.S_IMODE(os.fstat(spill._descriptor).st_mode) == 0o600
        out = np.empty(7)
        spill.read_into(out, a.nbytes)
        np.testing.assert_array_equal(out, b)
        with pytest.raises(th.exceptions.SpillError, match="was cut short by another program"):
            spill.read_into(np.empty(1000), 8)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("most", [1, 7, 8, 100])
def test_writes_that_stop_short(monkeypatch, most):
    monkeypatch.setattr(_spill, "_write", lambda to, views: os.write(to, b"".join(views)[:most]))
    pieces = [np.arange(5), np.arange(2, dtype=np.uint8), np.arange(9.0)]
    with Spill() as spill:
        assert spill.write(pieces) == 0
        assert spill.size == sum(piece.nbytes for piece in pieces)
        at = 0
        for piece in pieces:
            out = np.empty_like(piece)
            spill.read_into(out, at)
            np.testing.assert_array_equal(out, piece)
            at += piece.nbytes


def test_without_gathered_writes(monkeypatch):
    monkeypatch.delattr(os, "writev", raising=False)
    with Spill() as spill:
        spill.write([np.arange(3), np.arange(4)])
        out = np.empty(7, dtype=np.int64)
        spill.read_into(out, 0)
        assert out.tolist() == [0, 1, 2, 0, 1, 2, 3]


def test_without_positioned_reads(monkeypatch):
    monkeypatch.delattr(os, "preadv")
    with Spill() as spill:
        spill.write([np.arange(10)])
        out = np.empty(3, dtype=np.int64)
        spill.read_into(out, 16)
        assert out.tolist() == [2, 3, 4]
        assert spill.write([np.arange(2)]) == 80


def test_a_scan_leaves_nothing_behind(tmp_path):
    seen = []
    found = th.scan(batches(), memory="1MiB", progress=lambda done, total: seen.append(len(list(tmp_path.iterdir()))))
    assert max(seen) == 0
    assert list(tmp_path.iterdir()) == []
    assert found == th.scan(batches(), memory="1GiB")


def test_a_full_disk(tmp_path, monkeypatch):
    room = [2_000_000]

    def limited(descriptor: int, views: list[memoryview]) -> int:
        room[0] -= len(views[0])
        if room[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(descriptor, views[0][:-1] or views[0])  # a disk may take less than it is given

    monkeypatch.setattr(_spill, "_write", limited)
    with pytest.raises(th.exceptions.SpillError) as caught:
        th.scan(batches(), memory="1MiB")
    message = str(caught.value)
    assert message.startswith(
        f"The temporary folder must have room for rows that do not fit in memory; writing to '{tmp_path}' failed after "
    )
    assert message.endswith(
        " bytes: No space left on device. Hint: free some space, let the environment variable TMPDIR name a folder on "
        "a larger disk, or raise `memory`."
    )
    assert isinstance(caught.value, OSError)
    assert list(tmp_path.iterdir()) == []


def test_no_temporary_folder(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    with pytest.raises(
        th.exceptions.SpillError, match="writing to '/nowhere/at/all' failed after 0 bytes: No such file"
    ):
        th.scan(batches(), memory="1MiB")


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("where", ["source", "progress"])
def test_an_interrupted_scan_leaves_nothing_behind(tmp_path, error, where):
    def broken():
        for k, batch in enumerate(batches()):
            if where == "source" and k == 9:
                raise error
            yield batch

    def progress(done: int, total: int | None) -> None:
        if where == "progress" and done > 400_000:
            raise error

    with pytest.raises(error):
        th.scan(broken(), memory="1MiB", progress=progress)
    assert list(tmp_path.iterdir()) == []
