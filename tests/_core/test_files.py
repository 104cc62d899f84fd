from __future__ import annotations

import os
import stat

import pytest

from thresher._core import files
from thresher.exceptions import InvalidInputError


def test_a_file_is_whole_or_absent(tmp_path):
    target = tmp_path / "result.csv"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), files.written_whole(target) as path:  # noqa: PT012
        path.write_text("half")
        assert path.suffix == ".csv"
        assert target.read_text() == "old"
        raise ZeroDivisionError
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("result.csv", "old")]
    with files.written_whole(target) as path:
        path.write_text("new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("result.csv", "new")]


def test_permissions_are_those_of_any_new_file(tmp_path):
    former = os.umask(0o027)
    try:
        with files.written_whole(tmp_path / "x") as path:
            path.write_text("")
    finally:
        os.umask(former)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_a_place_that_cannot_be_written(tmp_path):
    target = tmp_path / "no" / "x.csv"
    with pytest.raises(InvalidInputError) as caught, files.written_whole(target):
        pass
    assert str(caught.value) == (
        f"Cannot write {str(target)!r}: No such file or directory. Hint: make the folder {str(target.parent)!r} first."
    )


def test_a_folder_of_our_own_is_gone_at_the_end():
    with pytest.raises(ZeroDivisionError), files.own_folder() as folder:  # noqa: PT012
        (folder / "x").write_text("")
        raise ZeroDivisionError
    assert not folder.exists()


def test_what_is_unfinished_can_be_removed_at_once(tmp_path):
    target = tmp_path / "x"
    with files.own_folder() as folder, pytest.raises(InvalidInputError), files.written_whole(target) as path:  # noqa: PT012
        (folder / "y").write_text("")
        files.discard_unfinished()
        assert not folder.exists()
        assert not path.exists()
    assert list(tmp_path.iterdir()) == []
    assert not files._unfinished
