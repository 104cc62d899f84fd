"""What a change of the kernels costs: two builds of the extension on the same calls, in turns in one process.

Run as ``python -m benchmarks.kernel_cost OLD.so NEW.so``. The least processor time of many turns is compared: it hardly
depends on what else the machine does, because a neighbour slows some turns of both builds and never speeds one up.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

_ROWS = 2_000_000


def _load(path: str) -> Any:
    loader = importlib.machinery.ExtensionFileLoader("_kernels", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_kernels", loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


def _cases(kernels: Any, rows: int) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    labels = (rng.random(rows) < 0.1).view(np.uint8)
    scores = {
        "float64": rng.normal(size=rows),
        "float32": rng.normal(size=rows).astype(np.float32),
        "probabilities": 1.0 / (1.0 + np.exp(-rng.normal(size=rows))),
        "int64": rng.integers(-(2**60), 2**60, rows),
        "dense": rng.integers(0, 1000, rows),
        "grouped": np.round(rng.normal(size=rows), 2) * 1e10,
        "wide": rng.normal(size=rows) * 10.0 ** rng.integers(-300, 300, rows),
        "small": rng.normal(size=10_000),
    }
    cases: dict[str, Callable[[], object]] = {}
    for name, column in scores.items():
        own = labels[: column.size]
        cases[f"count {name}"] = lambda column=column, own=own: kernels.count(column, own, True, False, 1)
    tp = np.cumsum(labels, dtype=np.int64)
    fp = np.arange(1, rows + 1) - tp
    pos, neg = labels[:100_000].astype(np.int64), 1 - labels[:100_000].astype(np.int64)
    cases["order float64"] = lambda: kernels.order(scores["float64"])
    cases["place float64"] = lambda: kernels.place(scores["float64"], labels)
    cases["batch"] = lambda: kernels.batch(scores["float64"], labels, np.arange(100, rows + 1, 100), 1)
    cases["hull"] = lambda: kernels.hull(fp, tp)
    cases["points"] = lambda: kernels.points(tp, fp, -np.sort(-scores["float64"]), True, 1)
    cases["resample"] = lambda: kernels.resample(pos, neg, 1, 0, 20, 1, True, 0)
    return cases


def main() -> None:
    """Compare two builds."""
    builds = [_cases(_load(path), _ROWS) for path in sys.argv[1:3]]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    print(f"{_ROWS:,} rows, least of {turns} turns, milliseconds\n{'case':22}{'old':>10}{'new':>10}{'change':>9}")
    for name in builds[0]:
        best = [float("inf")] * 2
        for _ in range(turns):
            for which, cases in enumerate(builds):
                start = time.thread_time()
                cases[name]()
                best[which] = min(best[which], time.thread_time() - start)
        print(f"{name:22}{1e3 * best[0]:10.3f}{1e3 * best[1]:10.3f}{best[1] / best[0] - 1:+9.2%}", flush=True)


if __name__ == "__main__":
    main()
