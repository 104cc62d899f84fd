"""`Sketch` beside a t-digest, a KLL sketch and fixed bins of the same number of bytes: errors of AUC-ROC and AUC-PR.

    python benchmarks/sketch_peers.py [--rows 1000000] [--bytes 16384]

The peers summarise numbers, so each class has one (of half the bytes), from `pip install datasketches`; their areas are
those of 20,000 quantiles of each class. Bins are equally wide between 0 and 1, after the logistic function where scores
lie outside, with two counts of eight bytes each. The sketch has as many rows as fit when it is saved. Streams are those
of `benchmarks/sketch.py`. Printed as Markdown, for `docs/benchmarks/sketch.md`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit

import thresher as th

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.streams import streams

_QUANTILES = 20_000
_BATCH = 100_000


def of_quantiles(make: Callable[[], Any], y: np.ndarray, s: np.ndarray) -> tuple[th.Scores, int]:
    """The table of quantiles of one summary for each class, each as heavy as its share of the class; bytes of both."""
    values, labels, weights, size = [], [], [], 0
    for positive in (True, False):
        summary = make()
        mine = s[y == positive]
        summary.update(mine)
        size += len(summary.serialize())
        at = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
        values.append([summary.get_quantile(q) for q in at.tolist()])
        labels.append(np.full(_QUANTILES, positive))
        weights.append(np.full(_QUANTILES, mine.size / _QUANTILES))
    return th.Scores(np.concatenate(labels), np.concatenate(values), sample_weight=np.concatenate(weights)), size


def largest(fits: Callable[[int], bool], least: int, most: int) -> int:
    """The largest number that fits."""
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def sketch_of(y: np.ndarray, s: np.ndarray, points: int) -> tuple[th.Sketch, int]:
    """The sketch, and the bytes of its file."""
    sketch = th.Sketch(points)
    for first in range(0, y.size, _BATCH):
        sketch.update(y[first : first + _BATCH], s[first : first + _BATCH])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.scores"
        sketch.save(path)
        return sketch, path.stat().st_size


def contestants(y: np.ndarray, s: np.ndarray, room: int) -> dict[str, tuple[th.Scores, int]]:
    """What each makes of the rows, with the bytes it took."""
    import datasketches

    finite = np.clip(s, -1e300, 1e300)  # t-digests have no infinity
    half = room // 2
    some = finite[: min(finite.size, 200_000)]

    def kll(k: int) -> Any:
        return datasketches.kll_doubles_sketch(k)

    def digest(k: int) -> Any:
        return datasketches.tdigest_double(k)

    def size(make: Callable[[int], Any], k: int) -> int:
        summary = make(k)
        summary.update(some)
        return len(summary.serialize())

    k = largest(lambda k: size(kll, k) <= half, 8, 4000)
    d = largest(lambda d: size(digest, d) <= half, 10, 4000)
    bins = room // 16
    shares = s if s.min() >= 0 and s.max() <= 1 else expit(s)
    points = largest(lambda n: sketch_of(y, s, n)[1] <= room, 100, 2 * room // 8) if room else 100
    table, held = sketch_of(y, s, points)
    return {
        f"Sketch({points})": (table.to_scores(), held),
        f"t-digest({d})": of_quantiles(lambda: digest(d), y, finite),
        f"KLL({k})": of_quantiles(lambda: kll(k), y, finite),
        f"{bins} bins": (th.Scores(y, np.searchsorted(np.linspace(0, 1, bins + 1), shares, side="right")), 16 * bins),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--bytes", type=int, default=16_384)
    options = parser.parse_args()
    print("| stream | | bytes | AUC-ROC error | its bound | AUC-PR error | its bound |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name, (y, s) in streams(options.rows, np.random.default_rng(0)).items():
        y = np.asarray(y).astype(bool)
        full = th.Scores(y, s)
        for label, (table, size) in contestants(y, np.asarray(s, dtype=np.float64), options.bytes).items():
            cells = [name, label, f"{size:,}"]
            for found, true in ((table.roc_auc(), full.roc_auc()), (table.pr_auc(), full.pr_auc())):
                bound = found.error_bound if label.startswith("Sketch") else None
                cells += [f"{abs(found.value - true.value):.1e}", "none" if bound is None else f"{bound:.1e}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
