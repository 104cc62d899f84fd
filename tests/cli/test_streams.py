"""Standard streams that are closed or full, as seen by a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.thorough import dear

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the shell closes the streams")

ENTRIES = {
    "library": "import sys; from thresher.cli import main; sys.exit(main())",
    "command": "import sys; from _thresher_command import main; sys.exit(main())",
}
CLOSED_INPUT = (
    "thresher: Standard input must be open to be read; it is closed. Hint: name a file, or pipe the rows in.\n"
)
FULL = "thresher: No space left on device: standard output\n"
HELP = ["--help"]
AUC = ["auc", "small.csv", "--y-score", "a"]
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")


@pytest.fixture
def shell(small_file):
    """Run the command with redirections."""

    def run(entry, words, redirections):
        line = ["sh", "-c", f'exec "$0" "$@" {redirections}', sys.executable, "-c", ENTRIES[entry], *words]
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        ran = subprocess.run(line, capture_output=True, text=True, timeout=300, env=env)
        return ran.returncode, ran.stdout, ran.stderr

    return run


@pytest.mark.some(4)
@pytest.mark.parametrize("entry", dear(ENTRIES, 1))
@pytest.mark.parametrize(
    ("words", "redirections", "code", "said"),
    [
        (AUC, ">&-", 0, ""),
        (HELP, ">&-", 0, ""),
        (AUC, "2>&- >/dev/null", 0, ""),
        ([*AUC, "--fail-under", "roc_auc=0.99"], "2>&- >/dev/null", 3, ""),
        (["auc", "absent.csv"], "2>&-", 1, ""),
        (AUC, "<&- >&- 2>&-", 0, ""),
        (["auc", "-"], "<&-", 1, CLOSED_INPUT),
    ],
)
def test_closed_streams(shell, entry, words, redirections, code, said):
    assert shell(entry, words, redirections) == (code, "", said)


def test_a_file_does_not_get_what_was_meant_for_a_closed_stream(thresher, shell, folder):
    words = ["curve", "small.csv", "--y-score", "a", "--no-bands", "-o"]
    assert thresher(*words, "open.csv").code == 0
    assert shell("library", [*words, "closed.csv"], "<&- >&- 2>&-") == (0, "", "")
    assert (folder / "closed.csv").read_bytes() == (folder / "open.csv").read_bytes()


@needs_full
def test_a_full_standard_output(shell):
    assert shell("command", HELP, ">/dev/full") == (1, "", FULL)


@needs_full
@pytest.mark.parametrize("words", [HELP, AUC])
@pytest.mark.parametrize("buffered", [True, False])
def test_a_full_standard_output_is_told_once(thresher, small_file, monkeypatch, words, buffered):
    raw = io.FileIO("/dev/full", "w")
    with io.TextIOWrapper(io.BufferedWriter(raw) if buffered else raw, write_through=not buffered) as full:
        monkeypatch.setattr("sys.stdout", full)
        assert thresher(*words) == (1, "", FULL)  # and closing it, as Python does at its end, has nothing left to write
