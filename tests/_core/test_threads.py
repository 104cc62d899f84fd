"""The number of threads: where it comes from, and that it is put back."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from thresher._core import native, threads
from thresher._core.threads import granted_cores, num_threads, thread_count
from thresher.exceptions import InvalidInputError, InvalidTypeError


@pytest.fixture
def told(monkeypatch):
    """Return the number as it is for a process that starts with this environment."""

    def count(text):
        monkeypatch.setenv("THRESHER_NUM_THREADS", text)
        monkeypatch.setattr(threads, "_default", None)
        return thread_count()

    return count


def test_environment_decides(told, monkeypatch):
    assert told("3") == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "1,4")
    assert told("") == 1
    assert told("2") == 2
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    granted = granted_cores()
    bound = len(os.sched_getaffinity(0))
    assert told("") == (bound if granted is None else max(min(bound, math.ceil(granted)), 1))
    rule = "must be a positive integer; got '0'. Hint: unset it to use every core."
    with pytest.raises(InvalidInputError, match=f"^The environment variable THRESHER_NUM_THREADS {re.escape(rule)}$"):
        told("0")


def tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 1.5),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/cpu.max": "300000 100000\n",
                "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
            },
            3.0,
        ),
        (
            {
                "proc/self/cgroup": "5:memory:/x\n4:cpu,cpuacct:/docker/1\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
            0.5,
        ),
        (
            {
                "proc/self/cgroup": "4:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "rubbish\n"}, None),
    ],
)
def test_containers_grant_cores(tmp_path, files, cores):
    assert granted_cores(tree(tmp_path, files)) == cores


@pytest.mark.parametrize(("granted", "used"), [(None, 8), (0.5, 1), (2.5, 3), (64.0, 8)])
def test_no_more_threads_than_the_container_grants(monkeypatch, granted, used):
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(threads, "granted_cores", lambda: granted)
    assert threads._hardware() == used


def test_blocks_nest_and_end():
    outside = thread_count()
    with num_threads(5):
        with num_threads(2):
            assert thread_count() == 2
        assert thread_count() == 5
    assert thread_count() == outside


def test_a_bad_number_is_refused():
    with pytest.raises(InvalidInputError, match=r"`n` must be at least 1; got 0\."), num_threads(0):
        pass
    with pytest.raises(InvalidTypeError, match=r"`n` must be an integer; got 1\.5 of type float\."), num_threads(1.5):
        pass


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
def test_calls_from_many_threads_at_once():
    rng = np.random.default_rng(0)
    scores, positive = rng.random(200_000), rng.random(200_000) < 0.5
    expected = native.count_running(scores, positive).twice_u
    found = []

    def work():
        for _ in range(3):
            with num_threads(4):
                found.append(native.count_running(scores, positive).twice_u)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [expected] * 12


@pytest.mark.skipif(not native.available() or not hasattr(os, "fork"), reason="needs the kernels and fork")
def test_a_forked_child_starts_its_own_threads():
    code = (
        "import os, warnings, numpy as np\n"
        "from thresher._core import native\n"
        "warnings.simplefilter('ignore')\n"
        "rng = np.random.default_rng(0); s = rng.random(200_000); y = rng.random(200_000) < .5\n"
        "from thresher._core.threads import num_threads\n"
        "with num_threads(3):\n"
        "    u = native.count_running(s, y).twice_u\n"
        "    pid = os.fork()\n"
        "    same = native.count_running(s, y).twice_u == u\n"
        "if pid == 0: os._exit(0 if same else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), same)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["0", "True"]
