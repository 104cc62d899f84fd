from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

# Long work inside one call of compiled code, and a file half written: what Ctrl-C finds.
STUCK = """
import sys
from thresher._core.files import own_folder, written_whole
from thresher.cli import main, _main

def stuck(words):
    with own_folder() as folder, written_whole("result.csv") as path:
        path.write_text("half")
        (folder / "x").write_text("x")
        print(folder, flush=True)
        {work}
    return 0

_main._run = stuck
sys.exit(main())
"""
WORK = {
    "compiled code": "import hashlib; hashlib.pbkdf2_hmac('sha256', b'x', b'y', 2**31 - 1)",
    "python": "import time; time.sleep(600)",
}
HANGS = 300  # seconds after which a process that should have ended is given up; the work above would take longer


@pytest.fixture(autouse=True)
def _heard():
    """Let the processes started here hear signals that a background job, or one under nohup, ignores."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.some(1)
@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_stops_in_the_middle_of_work_and_leaves_nothing(tmp_path, work):
    code = STUCK.format(work=WORK[work])
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        folder = running.stdout.readline().strip()
        time.sleep(0.5)
        assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv"]
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=HANGS) == 130
        assert running.stderr.read() == "thresher: interrupted.\n"
    assert list(tmp_path.iterdir()) == []
    assert not os.path.exists(folder)  # noqa: PTH110  # a name, read from the other process


@pytest.mark.some(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("work", WORK)
def test_signals_that_end_the_process_leave_nothing(tmp_path, work, number):
    with subprocess.Popen(
        [sys.executable, "-c", STUCK.format(work=WORK[work])],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        folder = running.stdout.readline().strip()
        time.sleep(0.5)
        running.send_signal(number)
        assert running.wait(timeout=30) == 128 + number
        assert running.stderr.read() == f"thresher: ended by {number.name}.\n"
    assert list(tmp_path.iterdir()) == []
    assert not os.path.exists(folder)  # noqa: PTH110  # a name, read from the other process


def test_ctrl_c_in_a_command(tmp_path):
    rows = "".join(f"{i % 2},{i % 7},{i % 11}\n" for i in range(3000))
    (tmp_path / "data.csv").write_text(f"label,a,b\n{rows}")
    words = [
        "compare",
        "data.csv",
        "--y-score",
        "a",
        "--y-score",
        "b",
        "--metric",
        "pr_auc",
        "--n-resamples",
        "9999999",
    ]
    code = "import sys; from thresher.cli import main; print('ready', flush=True); sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout.readline() == "ready\n"
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=HANGS) == 130
        assert running.stdout.read() == ""
        assert running.stderr.read() == "thresher: interrupted.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.some(3)
@pytest.mark.parametrize("after", [0.0, 0.03, 0.1, 0.2, 0.3, 0.5])
def test_ctrl_c_while_the_library_is_imported(tmp_path, after):
    code = "import sys; from _thresher_command import main; print('ready', flush=True); sys.exit(main())"
    with subprocess.Popen(
        # Standard input never ends, so the command is there as long as it takes.
        [sys.executable, "-c", code, "auc", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout.readline() == "ready\n"
        time.sleep(after)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=HANGS) == 130
        assert running.stderr.read() == "thresher: interrupted.\n"
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_stays_ignored_where_it_was():
    code = "import signal, _thresher_command; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    )
    words = [sys.executable, "-c", ignoring, sys.executable, "-c", code]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ran.stdout == "True\n"
