from __future__ import annotations

import os
import stat
import subprocess
import sys

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


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_permissions(tmp_path, mode):
    target = tmp_path / "x"
    target.write_text("old")
    target.chmod(mode)
    with files.written_whole(target) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.write_text("new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_the_umask_of_other_threads_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask belongs to the whole process"))
    with files.written_whole(tmp_path / "x") as path:
        path.write_text("")


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "x", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with files.written_whole(link) as path:
        path.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_no_file_is_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place in (pipe, "/dev/null"):
        with pytest.raises(InvalidInputError, match="it is a device, a pipe or a socket"), files.written_whole(place):
            pass
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(InvalidInputError, match="Is a directory"), files.written_whole(tmp_path):
        pass


def test_files_of_ended_processes_are_cleared_away_and_those_in_use_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_looked_at", set())
    script = (
        "import os, sys\nfrom thresher._core import files\nfiles.tempfile.tempdir = sys.argv[1]\n"
        "with files.own_folder() as folder, files.written_whole(sys.argv[1] + '/y') as path:\n"
        "    path.write_text('rows'); (folder / 'rows').write_text('rows')\n"
        "    print('ready', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))

    def look() -> set[str]:
        monkeypatch.setattr(files, "_looked_at", set())
        with files.own_folder(), files.written_whole(tmp_path / "x") as path:
            path.write_text("")
        return {path.name for path in tmp_path.iterdir()} - {"x"}

    assert len(look()) == 2
    process.kill()
    process.communicate()
    assert look() == set()


@pytest.mark.parametrize("name", ["", "x" * 10_000, "x\0y", "absent"])
def test_names_that_lead_nowhere(name):
    assert (files.is_there(name), files.is_folder(name), files.is_file(name)) == (False, False, False)


def test_what_a_path_leads_to(tmp_path):
    file = tmp_path / "a"
    file.write_text("")
    assert (files.is_there(file), files.is_folder(file), files.is_file(file)) == (True, False, True)
    assert (files.is_there(tmp_path), files.is_folder(tmp_path), files.is_file(tmp_path)) == (True, True, False)
