from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Patience is set, not waited for: a slow machine must not change what is shown. Each stage lasts until it was drawn.
CODE = """
import time
from thresher.cli import _output
from rich.progress import Progress
_output._PATIENCE = {patience}
drawn = set()
refresh = Progress.refresh

def noted(bar):
    refresh(bar)
    drawn.update(task.description for task in bar.tasks)

Progress.refresh = noted

def last(label):
    while {shown} and label not in drawn:
        time.sleep(0.01)

with _output.working() as work:
    with work.stage("reading", percent=lambda: 40.0):
        last("reading")
    with work.stage("resampling"):
        for i in range(4):
            work.report(i, 4)
        last("resampling")
print("done")
"""


def stderr_of(code: str, terminal: bool) -> bytes:
    if not terminal:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=300).stderr
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


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("terminal", "patience", "shown"), [(True, 0.0, True), (True, 1000.0, False), (False, 0.0, False)]
)
def test_a_bar_for_long_work_on_a_terminal(terminal, patience, shown):
    said = stderr_of(CODE.format(patience=patience, shown=shown), terminal)
    assert (b"reading" in said) is shown
    assert (b"resampling" in said) is shown
    if not shown:
        assert said == b""
