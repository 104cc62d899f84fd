from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import time
from thresher.cli._progress import working
with working() as work:
    with work.stage("reading", percent=lambda: 40.0):
        time.sleep({seconds})
    with work.stage("resampling"):
        for i in range(4):
            work.report(i, 4)
            time.sleep({seconds} / 4)
print("done")
"""


def stderr_of(code: str, terminal: bool) -> bytes:
    if not terminal:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60).stderr
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, env=env) as running:
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # the terminal is closed by the other side
            pass
        assert running.stdout.read() == b"done\n"
    os.close(ours)
    return said


@pytest.mark.parametrize(
    ("terminal", "seconds", "shown"), [(True, 1.2, True), (True, 0.05, False), (False, 1.2, False)]
)
def test_a_bar_for_long_work_on_a_terminal(terminal, seconds, shown):
    said = stderr_of(CODE.format(seconds=seconds), terminal)
    assert (b"reading" in said) is shown
    assert (b"resampling" in said) is shown
    if not shown:
        assert said == b""
