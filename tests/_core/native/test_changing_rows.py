"""Kernels whose rows change while they are read: an error or some table, never somebody else's memory."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from support.thorough import dear
from thresher._core import native

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without a compiler")

# One process for each case, because what is tested against ends the process. Writers are other threads, which run
# while the kernel has released the lock, or another process with the same pages.
_SCRIPT = """
import multiprocessing
import sys
import threading
import time
import warnings
import numpy as np
import thresher as th
from thresher._core import native

warnings.simplefilter("ignore")
kind, call, writer = sys.argv[1:]
n = 2_500_000 if kind == "long" else 120_000  # several ways to count, by length
rng = np.random.default_rng(0)
powers = iter([0, 250, 0, 100])  # some scores beyond all that a first look saw
numbers = {
    "float64": lambda: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
    "long": lambda: rng.normal(size=n) * np.where(rng.random(n) < 1e-3, 10.0 ** next(powers), 1.0),
    "near": lambda: rng.random(n) + 1.0,
    "float32": lambda: rng.normal(size=n).astype(np.float32),
    "grouped": lambda: (rng.integers(0, 500, n) * 2.0**-20).astype(np.float32) * rng.choice([-1, 1e-30, 1e30], n),
    "float16": lambda: rng.normal(size=n).astype(np.float16),
    "int64": lambda: rng.integers(-(2**62), 2**62, n),
    "dense": lambda: rng.integers(0, 1000, n) + rng.choice([0, 2**40]),
    "uint8": lambda: rng.integers(0, rng.choice([3, 256]), n).astype(np.uint8),
}[kind]
others = [numbers() for _ in range(4)]
others[3][::7] = 0
if others[0].dtype.kind == "f":
    others[3][1::1000] = np.nan
if writer == "thread":
    scores, labels = others[0].copy(), rng.random(n) < 0.3
else:
    shared = multiprocessing.RawArray("b", n * others[0].itemsize), multiprocessing.RawArray("b", n)
    scores, labels = np.frombuffer(shared[0], others[0].dtype), np.frombuffer(shared[1], np.bool_)
    scores[:] = others[0]
other_labels = [rng.random(n) < share for share in (0.5, 0.01)]
stop = False


def write():
    end = time.monotonic() + 20
    while not stop and time.monotonic() < end:
        for other in others:
            scores[:] = other
            labels[:] = other_labels[int(time.monotonic() * 1000) % 2]


def check(table):
    assert (table.thresholds[1:] < table.thresholds[:-1]).all(), "the thresholds do not fall"
    assert (table.pos >= 0).all() and (table.neg >= 0).all() and table.pos.sum() + table.neg.sum() == n


calls = {
    "count": lambda: check(th.Scores(labels, scores)),
    "order": lambda: np.testing.assert_array_equal(np.sort(native.order(scores)), np.arange(n)),
    "place": lambda: native.placements(scores, labels),
    "batch": lambda: native.batch(scores, labels, np.arange(0, n + 1, 500)),
    "keyed": lambda: native.many_keyed(scores, scores, labels),
    "compare": lambda: th.compare(labels, {"a": scores, "b": scores[::-1]}),
    "weights": lambda: th.Scores(labels, scores, sample_weight=np.ones(n)),
}
maker = threading.Thread if writer == "thread" else multiprocessing.get_context("fork").Process
started = maker(target=write)
if writer == "process":
    started.daemon = True
started.start()
answers, refusals = 0, 0
end = time.monotonic() + 0.25
while time.monotonic() < end or answers + refusals < 5:
    try:
        with th.config.num_threads(1 + answers % 3):
            calls[call]()
        answers += 1
    except th.ThresherError:
        refusals += 1
    except native.NotANumberError:
        refusals += 1
stop = True
started.terminate() if writer == "process" else started.join()
print(answers, refusals)
"""

_KINDS = ["float64", "near", "float32", "grouped", "float16", "int64", "dense", "uint8"]
_CASES = [(kind, "count", "thread") for kind in _KINDS] + [
    ("near", "count", "process"),
    ("dense", "count", "process"),
    ("float64", "order", "thread"),
    ("int64", "place", "thread"),
    ("near", "batch", "thread"),
    ("int64", "keyed", "thread"),
    ("near", "compare", "thread"),
    ("dense", "keyed", "thread"),
    ("float32", "weights", "thread"),
    ("long", "count", "thread"),
]


@pytest.mark.parametrize(("kind", "call", "writer"), dear(_CASES[::-1], 3))
def test_rows_that_change_give_an_error_or_a_table_of_all_rows(kind: str, call: str, writer: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_SCRIPT), kind, call, writer],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr[-2000:]
    answers, refusals = map(int, found.stdout.split())
    assert answers + refusals >= 5
