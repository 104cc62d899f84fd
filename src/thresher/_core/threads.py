"""How many threads the compiled kernels may use. Results never depend on it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from thresher._core.checks import check_count
from thresher.exceptions import InvalidInputError

MOST_THREADS = 256
"""More are taken for as many: threads that wait for each other only cost memory."""

_chosen: ContextVar[int | None] = ContextVar("thresher_num_threads", default=None)
_default: int | None = None
_MOST_DIGITS = 100


def _hardware() -> int:
    """Return how many cores this process may use: those it is bound to, and no more than its container is granted."""
    affinity = getattr(os, "sched_getaffinity", None)  # absent outside Linux
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    granted = granted_cores()
    return cores if granted is None else max(min(cores, math.ceil(granted)), 1)


def granted_cores(root: Path = Path("/")) -> float | None:
    """Return the processor time per second that control groups grant this process, in cores; None without a limit."""
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    limits: list[float] = []
    for line in groups:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        names = controllers.split(",")
        if controllers and "cpu" not in names:
            continue
        # Version 2 has one tree, version 1 one for the processor; a container often sees its own group as the root.
        trees = (
            [root / "sys/fs/cgroup"]
            if not controllers
            else [root / "sys/fs/cgroup" / controllers, root / "sys/fs/cgroup/cpu"]
        )
        for tree in trees:
            folder = tree / path.strip("/")
            while True:
                found = _group_limit(folder)
                if found is not None:
                    limits.append(found)
                if folder == tree or tree not in folder.parents:
                    break
                folder = folder.parent
    return min(limits, default=None)


def _group_limit(folder: Path) -> float | None:
    """Return the cores that one group is granted."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text().strip() for name in ("quota", "period"))
        if quota in ("max", "-1") or int(period) <= 0 or int(quota) <= 0:
            return None
        return int(quota) / int(period)
    except (OSError, ValueError):
        return None


def _from_environment() -> int:
    text = os.environ.get("THRESHER_NUM_THREADS", "").strip()
    if not text:
        # Of several levels of OpenMP's the outer one; what is no number is OpenMP's business.
        others = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
        given = others.isdecimal() and len(others) <= _MOST_DIGITS and int(others) > 0
        return min(int(others), _hardware()) if given else _hardware()
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) < 1:
        raise InvalidInputError(
            f"The environment variable THRESHER_NUM_THREADS must be a positive integer; got {text!r}. "
            "Hint: unset it to use every core."
        )
    return min(int(text), MOST_THREADS)


def thread_count() -> int:
    """Return how many threads a kernel may use now."""
    global _default  # the environment is read once, at the first use
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    if _default is None:
        _default = _from_environment()
    return _default


@contextmanager
def num_threads(n: int) -> Iterator[None]:
    """Let the compiled kernels use at most `n` threads inside a `with` block.

    The choice holds for the current thread or task only. Outside such a block the environment variable
    `THRESHER_NUM_THREADS` decides, then `OMP_NUM_THREADS` (which joblib sets in its workers), and without them every
    core that the process may use: those it is bound to, and no more than the limit of its container (cgroup) allows.
    Small inputs always use one thread, and no result depends on the number.

    Parameters
    ----------
    n : int
        At least 1. Never more than 256 threads are used, and no more than there is work for.

    Examples
    --------
    >>> import thresher as th
    >>> with th.config.num_threads(1):
    ...     th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc().value
    0.75
    """
    token = _chosen.set(min(check_count(n, "n", minimum=1), MOST_THREADS))
    try:
        yield
    finally:
        _chosen.reset(token)
