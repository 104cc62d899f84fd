"""What 50 columns of scores of one CSV or Parquet file cost to count, beside reading them once with pyarrow alone.

Run `python benchmarks/many_columns.py [rows]` (600,000 by default). Reading and counting take turns in one process; the
best of three is shown, in seconds of the processor.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

import thresher as th

NAMES = [f"model_{k}" for k in range(50)]
ROUNDS = 3


def read_csv(path: Path) -> None:
    with pc.open_csv(path) as batches:
        for _ in batches:
            pass


def read_parquet(path: Path) -> None:
    with pq.ParquetFile(path, pre_buffer=False) as file:
        for _ in file.iter_batches(batch_size=1 << 17):
            pass


def scanned(path: Path) -> None:
    th.scan(path, y_true="label", y_score=NAMES)


def seconds(work: Callable[[Path], None], path: Path) -> float:
    began = time.process_time()
    work(path)
    return time.process_time() - began


def main(rows: int) -> None:
    rng = np.random.default_rng(1)
    label = (rng.random(rows) < 0.3).astype(np.int8)
    table = pa.table({"label": label, **{name: np.round(rng.normal(size=rows) + label, 6) for name in NAMES}})
    with tempfile.TemporaryDirectory() as folder:
        text, columns = Path(folder, "scores.csv"), Path(folder, "scores.parquet")
        pc.write_csv(table, text)
        pq.write_table(table, columns)
        del table
        for path, read in ((text, read_csv), (columns, read_parquet)):
            found = [(seconds(read, path), seconds(scanned, path)) for _ in range(ROUNDS)]
            alone, counted = map(min, zip(*found, strict=True))
            print(f"{path.suffix}: read {alone:.2f} s, scanned {counted:.2f} s, {counted / alone:.2f} times")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600_000)
