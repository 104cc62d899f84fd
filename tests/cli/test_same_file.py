"""An output that is an input, under any name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import thresher as th

INPUTS = {
    "curve": (["small.csv", "--y-score", "a"], "small.csv"),
    "report": (["small.html", "--y-score", "a"], "small.html"),
    "count": (["small.scores", "--y-score", "a"], "small.scores"),
    "merge": (["one.scores", "two.scores"], "two.scores"),
}


@pytest.fixture
def files(folder, small, small_file):
    """Every input; CSV is known by its content whatever the ending."""
    for name in ("small.html", "small.scores"):
        (folder / name).write_bytes((folder / small_file).read_bytes())
    for name in ("one.scores", "two.scores"):
        th.Scores(small["label"], small["a"]).save(name)
    return folder


def spellings(name, folder):
    """The file's own name, a path, an absolute path, a symbolic link and a hard link."""
    yield name
    yield f"../{folder.name}/{name}"
    yield str(folder / name)
    for kind in ("symlink_to", "hardlink_to"):
        link = Path(f"{kind}-{name}")
        getattr(link, kind)(folder / name)
        yield str(link)


@pytest.mark.parametrize("command", INPUTS)
def test_an_output_that_is_read(thresher, files, command):
    words, name = INPUTS[command]
    before = (files / name).read_bytes()
    for output in spellings(name, files):
        ran = thresher(command, *words, "-o", output)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            f"thresher: --output must not be a file that is read; got {output!r}, which is the same file as {name!r}. "
            f"Hint: give the output another name.\nUsage: see `thresher {command} --help`.\n"
        )
        assert (files / name).read_bytes() == before
    # The same files are no hindrance to another output.
    assert thresher(command, *words, "-o", f"other{Path(name).suffix}").code == 0


@pytest.mark.skipif(os.name != "posix", reason="standard input is compared by its number")
def test_a_file_that_comes_through_standard_input(files):
    code = "import sys; from thresher.cli import main; sys.exit(main())"
    with open("small.csv", "rb") as stream:  # noqa: PTH123  # its descriptor is what is passed
        words = [sys.executable, "-c", code, "curve", "-", "--y-score", "a", "-o", "small.csv"]
        ran = subprocess.run(words, stdin=stream, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 2
    assert "got 'small.csv', which is the same file as standard input." in ran.stderr
    assert (files / "small.csv").read_text().startswith("label,a,b")
