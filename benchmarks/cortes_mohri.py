"""Time the moments and the intervals of Cortes and Mohri.

Run `python benchmarks/cortes_mohri.py`. The budget is 0.2 s for every number of errors of a 95% range at N = 1e9, and
1 s for an interval there; the script exits with status 1 when a case is over it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from thresher._inference.auc_moments import auc_moments
from thresher._inference.cortes_mohri import cortes_mohri
from thresher._inference.error_counts import error_range

BUDGET, INTERVAL_BUDGET = 0.2, 1.0
BILLION = 10**9


def best_of(call: Callable[[], object], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    late = False
    print(f"{'N':>12} {'positives':>12} {'errors':>12} {'values of k':>12} {'moments, ms':>12}")
    for total in (10**5, 10**7, BILLION):
        for share_pos, share_errors in ((0.3, 0.1), (0.5, 0.1), (0.5, 0.5), (0.001, 0.0001)):
            n_pos, errors = int(total * share_pos), int(total * share_errors)
            first, last = error_range(errors, total, 0.95**0.5, "chebyshev")
            k = np.arange(first, last + 1)
            seconds = best_of(lambda a=n_pos, b=total - n_pos, c=k: auc_moments(a, b, c))
            late |= total == BILLION and seconds > BUDGET
            print(f"{total:>12} {n_pos:>12} {errors:>12} {k.size:>12} {1000 * seconds:>12.1f}")
    print(f"\nscalar call: {1000 * best_of(lambda: auc_moments(300, 700, 100), 50):.3f} ms")
    print("\nintervals, ms (300 + 700 and 1e8 errors of 3e8 + 7e8)")
    for options in (
        {"error_interval": "chebyshev"},
        {},
        {"split": "best"},
        {"bound": "selberg"},
        {"eps": "gaussian"},
        {"eps": "optimal"},
        {"eps": "optimal", "bound": "selberg"},
    ):
        small = best_of(lambda o=options: cortes_mohri(300, 700, 100, **o), 3)
        large = best_of(lambda o=options: cortes_mohri(3 * 10**8, 7 * 10**8, 10**8, **o), 1)
        late |= large > INTERVAL_BUDGET
        name = ", ".join(f"{key}={value}" for key, value in options.items()) or "default"
        print(f"{name:>32} {1000 * small:>10.1f} {1000 * large:>10.1f}")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
