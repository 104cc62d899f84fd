"""Standard streams that are closed or full, as seen by a process of its own."""

from __future__ import annotations

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


@pytest.fixture
def shell(small_file):
    """Run the command with redirections."""

    def run(entry, words, redirections):
        line = ["sh", "-c", f'exec "$0" "$@" {redirections}', sys.executable, "-c", ENTRIES[entry], *words]
        ran = subprocess.run(line, capture_output=True, text=True, timeout=300)
        return ran.returncode, ran.stdout, ran.stderr

    return run


@pytest.mark.some(4)
@pytest.mark.parametrize("entry", dear(ENTRIES, 1))
@pytest.mark.parametrize(
    ("words", "redirections", "code", "said"),
    [
        (["auc", "small.csv", "--y-score", "a"], ">&-", 0, ""),
        (["--help"], ">&-", 0, ""),
        (["auc", "small.csv", "--y-score", "a"], "2>&- >/dev/null", 0, ""),
        (["auc", "small.csv", "--y-score", "a", "--fail-under", "roc_auc=0.99"], "2>&- >/dev/null", 3, ""),
        (["auc", "absent.csv"], "2>&-", 1, ""),
        (["auc", "small.csv", "--y-score", "a"], "<&- >&- 2>&-", 0, ""),
        (["auc", "-"], "<&-", 1, CLOSED_INPUT),
    ],
)
def test_closed_streams(shell, entry, words, redirections, code, said):
    assert shell(entry, words, redirections) == (code, "", said)


def test_a_file_does_not_get_what_was_meant_for_a_closed_stream(shell, folder):
    words = ["curve", "small.csv", "--y-score", "a", "--no-bands", "-o"]
    assert shell("library", [*words, "open.csv"], "")[0] == 0
    assert shell("library", [*words, "closed.csv"], "<&- >&- 2>&-") == (0, "", "")
    assert (folder / "closed.csv").read_bytes() == (folder / "open.csv").read_bytes()


@pytest.mark.some(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("words", [["--help"], ["auc", "small.csv", "--y-score", "a"]])
def test_a_full_standard_output(shell, words):
    found = shell("command", words, ">/dev/full")
    assert found == (1, "", "thresher: No space left on device: standard output\n")
