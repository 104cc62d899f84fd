"""Files, pipes and streams end up as a file that can be read twice."""

from __future__ import annotations

import errno
import gzip
import io
import os
import threading

import pytest

import thresher as th
from thresher._read.sources.file_form import linked, regular_file, spooled


def test_a_file_stays_where_it_is(tmp_path):
    (tmp_path / "a").write_bytes(b"rows")
    assert regular_file(str(tmp_path / "a"), tmp_path / "unused") == tmp_path / "a"


def test_a_pipe_is_copied(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes on this system")
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"rows" * 100_000))
    writer.start()
    copy = regular_file(str(tmp_path / "pipe"), tmp_path)
    writer.join()
    assert copy != tmp_path / "pipe"
    assert copy.read_bytes() == copy.read_bytes() == b"rows" * 100_000


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent", "'{}/absent' must be a file that exists. Hint: check the path."),
        ("folder", "'{}/folder' must be a file; it is a folder. Hint: name a file in it."),
        ("a/b", "'{}/a/b' must be a file that can be read: Not a directory."),
    ],
)
def test_what_is_no_file(tmp_path, name, said):
    (tmp_path / "folder").mkdir()
    (tmp_path / "a").touch()
    with pytest.raises(th.InvalidInputError) as error:
        regular_file(f"{tmp_path}/{name}", tmp_path)
    assert str(error.value) == said.format(tmp_path)


@pytest.mark.parametrize("name", ["x" * 5000, "x\0y"])
def test_names_that_cannot_be(tmp_path, name):
    with pytest.raises(th.InvalidInputError, match="must be a file that can be read: "):
        regular_file(name, tmp_path)


def test_a_stream_that_breaks_off(tmp_path):
    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise OSError(errno.EIO, "Input/output error")

    assert spooled(io.BytesIO(b"rows"), tmp_path).read_bytes() == b"rows"
    with pytest.raises(OSError, match="Input/output error") as error:
        spooled(Broken(), tmp_path)
    assert error.value.filename == str(tmp_path / "spooled")


@pytest.mark.parametrize("packed", [False, True])
def test_a_link_has_a_name_of_our_own(tmp_path, packed):
    (tmp_path / "inside").mkdir()
    path = tmp_path / "*?[a-z]{1,2}.gz"
    path.write_bytes(gzip.compress(b"rows") if packed else b"rows")
    link = linked(path, tmp_path / "inside")
    assert link.name == ("input.gz" if packed else "input")
    assert link.read_bytes() == path.read_bytes()
