"""AUC-ROC of arrays on a device, beside a bare sort of the same keys.

    python -m benchmarks.gpu [largest power of ten]

Prints, for PyTorch and CuPy where they are installed and see a device, milliseconds (the best of several runs) for a
sort of the scores alone and for the exact AUC, and their ratio; and checks that the AUC has the bits of the
processor's answer.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from thresher._core.device import twice_u_on_device


def best(work: Callable[[], Any], wait: Callable[[], None], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        wait()
        start = time.perf_counter()
        work()
        wait()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def torch_case(n: int, share: float, kind: str) -> tuple[Any, Any, Callable[[], Any], Callable[[], None]]:
    import torch

    generator = torch.Generator("cuda").manual_seed(1)
    positive = torch.rand(n, generator=generator, device="cuda") < share
    scores = torch.randn(n, generator=generator, device="cuda")
    scores += positive
    if kind == "probabilities":
        scores.sigmoid_()
    return scores, positive, lambda: torch.sort(scores), torch.cuda.synchronize


def cupy_case(n: int, share: float, kind: str) -> tuple[Any, Any, Callable[[], Any], Callable[[], None]]:
    import cupy

    rng = cupy.random.default_rng(1)
    positive = rng.random(n, dtype=cupy.float32) < share
    scores = rng.standard_normal(n, dtype=cupy.float32)
    scores += positive
    if kind == "probabilities":
        scores = 1 / (1 + cupy.exp(-scores))
    return scores, positive, lambda: cupy.sort(scores), cupy.cuda.Device().synchronize


def on_processor(scores: Any, positive: Any) -> int:
    values, mask = (np.asarray(x.get() if hasattr(x, "get") else x.cpu().numpy()) for x in (scores, positive))
    pos, neg = np.sort(values[mask]), np.sort(values[~mask])
    return sum(int(np.searchsorted(neg, pos, side=side).sum(dtype=np.int64)) for side in ("left", "right"))


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print("| library | rows | scores | prevalence | key sort, ms | exact AUC, ms | ratio | AUC |")
    print("|---|---|---|---|---|---|---|---|")
    for name, make in (("CuPy", cupy_case), ("PyTorch", torch_case)):
        for power in range(7, largest + 1):
            for kind, share in itertools.product(("both signs", "probabilities"), (0.5, 0.1, 0.01)):
                try:
                    scores, positive, sort, wait = make(10**power, share, kind)
                except ImportError:
                    print(f"| {name} | not installed | | | | | | |")
                    break
                work = partial(twice_u_on_device, scores, positive)
                found = work()
                rounds = 8 if power < 9 else 3
                bare = best(sort, wait, rounds)
                took = best(work, wait, rounds)
                if power == 7 and found[0] != on_processor(scores, positive):
                    raise SystemExit(f"{name}: the device's answer differs from the processor's")
                area = found[0] / (2 * found[1] * found[2])
                figures = f"{bare:.2f} | {took:.2f} | {took / bare:.2f} | {area:.6f}"
                print(f"| {name} | 1e{power} | {kind} | {share} | {figures} |", flush=True)
                del scores, positive, sort, work


if __name__ == "__main__":
    main()
