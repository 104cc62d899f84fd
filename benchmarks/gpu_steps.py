"""Where the time of a figure on a GPU goes: each step of it, other sizes of its kernels, and what the device did when.

    python -m benchmarks.gpu_steps [power of ten, 8 by default]

Milliseconds of PyTorch's float32 scores of both signs, the best of several runs, each step waited for; then the
timeline of one call with a million rows. With a size of a kernel other than its own the sums must be the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import array_api_compat
import torch

from benchmarks.gpu import Case, best, torch_case
from thresher import metrics
from thresher._core import key_kernels, rank_kernels

SUMS: dict[str, Callable[..., Any]] = {
    "pairs": lambda launch, xp, pos, neg, shift: rank_kernels.twice_beaten(launch, xp, neg, pos, shift),
    "average precision": rank_kernels.average_precision_parts,
    "interpolated": lambda *given: rank_kernels.interpolated_parts(*given)[0],
    "placements": rank_kernels.placement_digits,
}


def packed(case: Case) -> Any:
    bits = case.scores.view(torch.int32)
    launch = key_kernels.key_kernels(bits)
    xp = array_api_compat.array_namespace(bits)
    return key_kernels._packed(launch, xp, bits, case.positive, floats=True, look=key_kernels._SAMPLE)[1]


def sums(case: Case) -> dict[str, tuple[float, Any]]:
    """Return the milliseconds of each sum over the sorted classes, and the sum."""
    bits = case.scores.view(torch.int32)
    xp = array_api_compat.array_namespace(bits)
    found = key_kernels.sorted_keys(key_kernels.key_kernels(bits), xp, bits, case.positive, floats=True)
    launch = rank_kernels.rank_kernels(found.pos)
    given = (launch, xp, found.pos, found.neg, found.shift)
    return {name: (best(lambda f=f: f(*given), case.wait, 8), f(*given)) for name, f in SUMS.items()}


@contextmanager
def other(module: Any, **values: Any) -> Iterator[None]:
    """Give names of a module other values for a while."""
    own = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in own.items():
            setattr(module, name, value)


def sizes_of_packing(case: Case) -> None:
    for rows in (4, 8, 16):
        for blocks in (512, 1024, 4096, 2**30):
            with other(key_kernels, _ROWS=rows, _MOST_BLOCKS=blocks):
                packed(case)
                print(f"pack: {rows} rows, {blocks} blocks: {best(lambda: packed(case), case.wait, 8):.3f}", flush=True)


def sizes_of_sums(case: Case) -> None:
    wanted = sums(case)
    for tile, threads, blocks in (
        (2048, 256, 2048),
        (2048, 256, 1024),
        (2048, 256, 8192),
        (2048, 128, 2048),
        (1024, 128, 4096),
        (1024, 256, 2048),
        (4096, 256, 2048),
        (4096, 512, 2048),
    ):
        keys = {"int32": ("int", tile)}
        with other(rank_kernels, _KEYS=keys, _THREADS=threads, _MOST_BLOCKS=blocks):
            found = sums(case)
        same = all(found[name][1] == wanted[name][1] for name in ("pairs", "placements"))
        times = ", ".join(f"{name} {took:.3f}" for name, (took, _) in found.items())
        print(
            f"sums: tile {tile}, {threads} threads, {blocks} blocks: {times}{'' if same else ' **differs**'}",
            flush=True,
        )


def timeline(case: Case) -> None:
    metrics.roc_auc_score(case.positive, case.scores)
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as profile:
        metrics.roc_auc_score(case.positive, case.scores)
        case.wait()
    events = [one for one in profile.events() if one.device_type == torch.autograd.DeviceType.CUDA]
    begun = min((one.time_range.start for one in events), default=0.0)
    for one in sorted(events, key=lambda one: one.time_range.start):
        span = one.time_range
        print(f"at {span.start - begun:7.1f} us for {span.end - span.start:6.1f}: {one.name[:60]}")


def main() -> None:
    power = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    for share in (0.1, 0.5):
        case = torch_case(10**power, share, "both signs")
        keys = packed(case)
        print(f"1e{power} rows, {share:g} positive", flush=True)
        times = [best(work, case.wait, 8) for work in (partial(packed, case), partial(torch.sort, keys))]
        print(f"pack {times[0]:.3f}, sort {times[1]:.3f}", flush=True)
        if share == 0.1:
            sizes_of_packing(case)
        sizes_of_sums(case)
        del case, keys
    for n in (1000, 1_000_000):
        case = torch_case(n, 0.1, "both signs")
        for name in ("roc_auc_score", "average_precision_score"):
            figure = getattr(metrics, name)
            took = best(lambda f=figure, c=case: f(c.positive, c.scores), case.wait, 50)
            print(f"{n} rows, {name}: {1e3 * took:.0f} us")
    timeline(case)


if __name__ == "__main__":
    main()
