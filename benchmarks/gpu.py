"""Every figure of arrays on a device, beside a bare sort of the same keys and beside torchmetrics.

    python -m benchmarks.gpu [largest power of ten, 8 by default] [cpu] [bootstrap]

Prints Markdown: milliseconds, the best of several runs, for PyTorch and for CuPy where they are installed and see a
device; in brackets how many times the bare sort that is. Figures of the smallest size are checked, bit for bit, against
the processor's. What fails is printed in its place, and after 200 seconds no new row is begun. With `cpu` the arrays
are PyTorch's in main memory, which only tries the script out. With `bootstrap` it times 2,000 replicates instead,
beside two threads of the processor, whose replicates must be the same.
"""

from __future__ import annotations

import importlib
import itertools
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import thresher as th
from thresher import metrics
from thresher._core import device

SECONDS = 200.0
POINTS = np.linspace(-3.0, 4.0, 1000, dtype=np.float32)


class Case(NamedTuple):
    scores: Any
    positive: Any
    sort: Callable[[], Any]
    wait: Callable[[], None]


def torch_case(n: int, share: float, kind: str) -> Case:
    import torch

    place = "cpu" if "cpu" in sys.argv else "cuda"
    generator = torch.Generator(place).manual_seed(1)
    positive = torch.rand(n, generator=generator, device=place) < share
    scores = torch.randn(n, generator=generator, device=place)
    scores += positive
    if kind == "probabilities":
        scores.sigmoid_()
    wait = torch.cuda.synchronize if place == "cuda" else (lambda: None)
    return Case(scores, positive, lambda: torch.sort(scores), wait)


def cupy_case(n: int, share: float, kind: str) -> Case:
    import cupy

    rng = cupy.random.default_rng(1)
    positive = rng.random(n, dtype=cupy.float32) < share
    scores = rng.standard_normal(n, dtype=cupy.float32)
    scores += positive
    if kind == "probabilities":
        scores = 1 / (1 + cupy.exp(-scores))
    return Case(scores, positive, lambda: cupy.sort(scores), cupy.cuda.Device().synchronize)


def whole(y: Any, s: Any) -> tuple[float, int, int]:
    """Return the area and a sum of 1,000 points of the curve, from a table that stays on the device."""
    scores = th.Scores(y, s)
    tp, fp = scores._counts_at(POINTS)
    return scores.roc_auc().value, int(tp.sum()), int(fp.sum())


def peer(name: str) -> Callable[[Any, Any], Any]:
    functional = importlib.import_module("torchmetrics.functional.classification")
    return lambda y, s: getattr(functional, name)(s, y.to(dtype=importlib.import_module("torch").int32))


FIGURES: dict[str, Callable[[Any, Any], Any]] = {
    "roc_auc_score": metrics.roc_auc_score,
    "average_precision_score": metrics.average_precision_score,
    "Scores.pr_auc (interpolated)": lambda y, s: th.Scores(y, s).pr_auc().value,
    "Scores, AUC and 1,000 points": whole,
    "DeLong's error": lambda y, s: th.Scores(y, s).roc_auc().standard_error("delong"),
    "default interval": lambda y, s: tuple(th.Scores(y, s).roc_auc().confidence_interval()),
    "achievable AUC-PR": lambda y, s: th.Scores(y, s).pr_auc(estimator="achievable").value,
    "best F1": lambda y, s: th.Scores(y, s).choose_threshold("f_beta").threshold,
    "at FPR 0.01": lambda y, s: th.Scores(y, s).roc().at(fpr=0.01).tp,
    "roc_curve": lambda y, s: len(metrics.roc_curve(y, s)[0]),
}
PEERS = {"torchmetrics AUROC": "binary_auroc", "torchmetrics AP": "binary_average_precision"}


def best(work: Callable[[], Any], wait: Callable[[], None], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        wait()
        start = time.perf_counter()
        work()
        wait()
        times.append(time.perf_counter() - start)
        if sum(times) > 4.0:  # enough for one cell
            break
    return 1e3 * min(times)


def cell(figure: Callable[[Any, Any], Any], case: Case, rounds: int, bare: float, wanted: Any = None) -> str:
    """Return what is printed: the time and its ratio to the sort, or why there is none."""
    try:
        found = figure(case.positive, case.scores)
        took = best(lambda: figure(case.positive, case.scores), case.wait, rounds)
    except Exception as error:  # the next cell may do better
        return f"{type(error).__name__}: {str(error)[:60]}".replace("|", "/").replace("\n", " ")
    text = f"{took:.2f} ({took / bare:.2f})"
    return text if wanted is None or found == wanted else f"{text} **{found} instead of {wanted}**"


def on_host(case: Case) -> tuple[Any, Any]:
    s, y = (np.asarray(x.get() if hasattr(x, "get") else x.cpu().numpy()) for x in (case.scores, case.positive))
    return s, y


def on_processor(case: Case) -> list[Any]:
    """Return every figure of the same rows in main memory."""
    s, y = on_host(case)
    return [figure(y, s) for figure in FIGURES.values()]


def line(name: str, power: int, kind: str, share: float, case: Case, *, check: bool) -> str:
    rounds = 12 if power < 8 else 6 if power < 9 else 3
    case.sort()
    bare = best(case.sort, case.wait, rounds)
    wanted = on_processor(case) if check else [None] * len(FIGURES)
    cells = [cell(f, case, rounds, bare, w) for f, w in zip(FIGURES.values(), wanted, strict=True)]
    for function in PEERS.values():
        try:
            cells.append(cell(peer(function), case, rounds, bare) if name == "PyTorch" else "")
        except ImportError:
            cells.append("not installed")
    return f"| {name} | 1e{power} | {kind} | {share:g} | {bare:.2f} | {' | '.join(cells)} |"


def bootstrap_line(name: str, power: int, case: Case, metric: str) -> str:
    """Return the seconds of 2,000 replicates on the device and by two threads, of which some are drawn."""
    replicates, some = 2000, 200 if power < 8 else 20
    begun = time.perf_counter()
    th.bootstrap(case.positive, case.scores, metric=metric, n_resamples=10, rng=1)  # compiles the kernels
    first = time.perf_counter() - begun
    begun = time.perf_counter()
    found = th.bootstrap(case.positive, case.scores, metric=metric, n_resamples=replicates, rng=1)
    took = time.perf_counter() - begun
    s, y = on_host(case)
    times = []
    with th.config.num_threads(2):
        for count in (10, some + 10):
            begun = time.perf_counter()
            beside = th.bootstrap(y, s, metric=metric, n_resamples=count, rng=1)
            times.append(time.perf_counter() - begun)
    each = (times[1] - times[0]) / some
    two_cores = times[0] + each * (replicates - 10)
    same = np.array_equal(beside.replicates, found.replicates[: some + 10]) and beside.value == found.value
    begun = time.perf_counter()
    found.confidence_interval()
    bca = time.perf_counter() - begun
    cells = [name, f"1e{power}", metric, *(f"{x:.3f}" for x in (first, took, bca, times[0]))]
    cells += [f"{1e3 * each:.2f}", f"{two_cores:.1f}", f"{two_cores / took:.0f}", str(same)]
    return f"| {' | '.join(cells)} |"


def bootstrap_table(largest: int) -> None:
    print("\nSeconds for 2,000 replicates, 10% positives, float32; two threads: scaled from fewer.\n")
    columns = ["library", "rows", "metric", "first call", "device", "BCa", "two threads: 10", "each, ms", "2,000"]
    columns += ["times", "same bits"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for (name, make), power, metric in itertools.product(
        (("PyTorch", torch_case), ("CuPy", cupy_case)),
        range(min(6, largest), largest + 1),
        ("roc_auc", "average_precision"),
    ):
        try:
            print(bootstrap_line(name, power, make(10**power, 0.1, "both signs"), metric), flush=True)
        except Exception as error:
            print(f"| {name} | 1e{power} | {type(error).__name__}: {error} |", flush=True)


def heading() -> str:
    lines = [f"thresher {th.__version__}, {platform.machine()}, Python {platform.python_version()}"]
    for module in ("torch", "cupy", "torchmetrics"):
        try:
            lines.append(f"{module} {importlib.import_module(module).__version__}")
        except ImportError:
            lines.append(f"{module} not installed")
    try:
        lines.append(importlib.import_module("torch").cuda.get_device_name())
    except (ImportError, RuntimeError, AssertionError):
        lines.append("no CUDA device")
    try:
        done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
        lines.append(f"commit {done.stdout.strip()}")
    except (OSError, subprocess.CalledProcessError):
        pass
    return "; ".join(lines)


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    largest = numbers[0] if numbers else 8
    if "cpu" in sys.argv:
        device._HOST = ()
    begun = time.perf_counter()
    print(heading(), flush=True)
    if "bootstrap" in sys.argv:
        bootstrap_table(largest)
        return
    print("\nMilliseconds (times the bare sort).\n")
    columns = ["library", "rows", "scores", "positives", "key sort", *FIGURES, *PEERS]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for (name, make), power in itertools.product(
        (("PyTorch", torch_case), ("CuPy", cupy_case)), range(min(6, largest), largest + 1)
    ):
        for kind, share in itertools.product(("both signs", "probabilities"), (0.1, 0.5)):
            if time.perf_counter() - begun > SECONDS:
                print(f"| {name} | 1e{power} | {kind} | {share:g} | no time left |", flush=True)
                continue
            try:
                case = make(10**power, share, kind)
                print(line(name, power, kind, share, case, check=power == min(6, largest)), flush=True)
            except ImportError:
                print(f"| {name} | not installed |", flush=True)
                break
            except Exception as error:
                print(f"| {name} | 1e{power} | {kind} | {share:g} | {type(error).__name__}: {error} |", flush=True)
    print(f"\n{time.perf_counter() - begun:.0f} seconds in all.")


if __name__ == "__main__":
    main()
