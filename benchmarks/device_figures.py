"""Every figure of arrays on a device beside the same figure in main memory: how many there are, and which differ.

    python benchmarks/device_figures.py [--rows 3000] [--libraries torch cupy jax]

Exits with 1 where a bit differs. Without CUDA main memory stands for a device, of PyTorch and JAX alone, and replicates
are drawn by the processor.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import thresher as th
from thresher._core import device

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.devices import CHOICES, FIGURES, rows

BOOTSTRAP = {"method": "bootstrap", "n_resamples": 30, "rng": 3}
ALL: dict[str, Callable[[th.Scores], Any]] = {
    **FIGURES,
    **CHOICES,
    "replicates": lambda s: s.roc_auc().confidence_interval(**BOOTSTRAP),
    "replicates of average precision": lambda s: s.pr_auc(estimator="average_precision").confidence_interval(
        **BOOTSTRAP
    ),
}
KINDS = ("both signs", "single", "probabilities", "ties", "integers", "zeros")
SHARES = (0.1, 0.6)


def put(library: str) -> Callable[[np.ndarray], Any] | None:
    """What brings an array to the device of a library; None where the library or its device is missing."""
    if importlib.util.find_spec(library) is None:
        return None
    if library == "torch":
        import torch

        there = "cuda" if torch.cuda.is_available() else "cpu"
        return lambda array: torch.from_numpy(array).to(there)
    if library == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)  # for rows of 64 bits; thresher does not need it
        return jax.numpy.asarray
    import cupy

    return cupy.asarray if cupy.cuda.is_available() else None


def sample(kind: str, share: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores; zeros of both signs among the scores where `kind` says so."""
    y, s = rows("both signs" if kind == "zeros" else kind, share, n)
    if kind == "zeros":
        s[: n // 30], s[n // 30 : n // 20] = 0.0, -0.0
    return y, s


def compared(to: Callable[[np.ndarray], Any], y: np.ndarray, s: np.ndarray) -> Iterator[tuple[str, bool, Any, Any]]:
    """Each figure with whether it is the same there, and both answers."""
    here = th.Scores(y, s)
    for name, figure in ALL.items():
        there = th.Scores(to(y), to(s))
        wanted, found = figure(here), figure(there)
        yield name, wanted == found, found, wanted
    double = (2 * s).astype(s.dtype)
    both, wanted = th.Scores(to(y), to(s)) + th.Scores(to(y), to(double)), here + th.Scores(y, double)
    yield "sum of tables", both._on_device and both == wanted, both, wanted


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--libraries", nargs="+", default=["torch", "cupy", "jax"])
    given = parser.parse_args()
    wrong = 0
    for library in given.libraries:
        to = put(library)
        if to is None:
            print(f"{library}: not here")
            continue
        if not device.is_on_device(to(np.zeros(1))):
            device._HOST = ()
        done, place = 0, device.place_of(to(np.zeros(1)))
        for kind, share in itertools.product(KINDS, SHARES):
            for name, same, found, wanted in compared(to, *sample(kind, share, given.rows)):
                done += 1
                if not same:
                    wrong += 1
                    print(f"{library}, {kind}, {share:.0%} positive, {name}: {found} there, {wanted} here")
        print(f"{done} figures of {place} compared")
    print(f"{wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
