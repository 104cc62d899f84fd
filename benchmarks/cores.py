"""What a count costs on one core and on many, beside a bare sort: the figures of docs/benchmarks/cores.md.

    python -m benchmarks.cores [most_threads]

`Scores(y, s).roc_auc()` with 10% positives and normal scores, and the count with `fpr` and `tpr` of its curve read.
Milliseconds, best of several. First a small count in this new process, with the page faults of a call.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

import thresher as th


def best(work: Callable[[], object], repeats: int) -> float:
    """Return the least time of several, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def small(rows: int, calls: int) -> None:
    """Print what a count by one thread takes where little memory was asked for yet, and its page faults."""
    rng = np.random.default_rng(0)
    s, y = rng.normal(size=rows), rng.random(rows) < 0.1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    with th.config.num_threads(1):
        least = best(lambda: th.Scores(y, s).roc_auc().value, calls)
    faults = (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / calls
    print(f"float64 {rows:g}: {least:.2f}; page faults a call {faults:.0f}", flush=True)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1
    threads = [count for count in (1, 2, 4, 8, 16, 32, 64) if count <= most]
    th.config.show_config()
    small(100_000, 60)
    rng = np.random.default_rng(0)
    for rows, repeats in ((10_000_000, 5), (100_000_000, 2)):
        for kind in (np.float32, np.float64):
            s, y = rng.normal(size=rows).astype(kind), rng.random(rows) < 0.1
            bare = best(lambda s=s: s.copy().sort(), repeats) - best(lambda s=s: s.copy(), repeats)  # type: ignore[misc]
            found = []
            for count in threads:
                with th.config.num_threads(count):
                    found.append(best(lambda s=s, y=y: th.Scores(y, s).roc_auc().value, repeats))  # type: ignore[misc]
            times = " ".join(f"{ms:.1f}" for ms in found)
            ratio = f"one thread {found[0] / bare:.2f} of np.sort"
            print(f"{kind.__name__} {rows:g}: np.sort {bare:.1f}; {times}; {ratio}", flush=True)
            with th.config.num_threads(most):

                def curve(s=s, y=y) -> None:  # type: ignore[no-untyped-def]
                    roc = th.Scores(y, s).roc()
                    _ = roc.fpr, roc.tpr

                plain = best(lambda s=s, y=y: th.Scores(y, s), repeats)  # type: ignore[misc]
                print(f"  count {plain:.1f}, with fpr and tpr {best(curve, repeats):.1f}", flush=True)


if __name__ == "__main__":
    main()
