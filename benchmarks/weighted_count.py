"""What squares cost: counting weighted rows with the sums of squared weights, and with the sums of weights alone.

    python benchmarks/weighted_count.py

The second is how weighted rows were counted before squares were kept. Unweighted rows take the path they took.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import thresher as th
from thresher._core.counting import sum_rows


def best(work: Callable[[], object], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    rng = np.random.default_rng(0)
    n = 1_000_000
    y = rng.random(n) < 0.1
    weight = rng.uniform(0.5, 2.0, n)
    print("processor seconds for a million rows, best of five")
    for name, s in (("distinct", rng.normal(size=n) + y), ("tied", (rng.normal(size=n) + y).round(3))):
        sums = best(lambda s=s: sum_rows(s, np.where(y, weight, 0.0), np.where(y, 0.0, weight)))
        squares = best(lambda s=s: th.Scores(y, s, sample_weight=weight))
        plain = best(lambda s=s: th.Scores(y, s))
        print(f"{name}: sums {sums:.3f}, with squares {squares:.3f} ({squares / sums:.2f} times), plain {plain:.3f}")


if __name__ == "__main__":
    main()
