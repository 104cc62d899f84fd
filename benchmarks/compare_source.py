"""What `compare_source` costs beside two scans of the same Parquet file, and how much memory it takes.

Run `python benchmarks/compare_source.py [rows]`. Each call runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CALLS = {
    "two scans": "for name in ('new', 'old'): th.scan(path, y_true='label', y_score=name)",
    "one scan of both": "th.scan(path, y_true='label', y_score=['new', 'old'])",
    "compare_source": "th.compare_source(path, y_true='label', y_score=['new', 'old'])",
    "... pr_auc": "th.compare_source(path, y_true='label', y_score=['new', 'old'], metric='pr_auc')",
    "... recall at a threshold": (
        "th.compare_source(path, y_true='label', y_score=['new', 'old'], metric='recall', threshold=2.0)"
    ),
    "... clusters of 20 rows": "th.compare_source(path, y_true='label', y_score=['new', 'old'], cluster='patient')",
    "... batches": "th.compare_source(path, y_true='label', y_score=['new', 'old'], method='batches')",
}
TIMED = """
import resource, sys, time
import thresher as th
path = sys.argv[1]
start, used = time.perf_counter(), time.process_time()
{call}
print(f"{{time.perf_counter() - start:.1f}} {{time.process_time() - used:.1f}} "
      f"{{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}}")
"""


def write(path: Path, rows: int) -> None:
    """Write rows of two models, a million at a time."""
    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, rows, 1 << 20):
        n = min(1 << 20, rows - start)
        y = (rng.random(n) < 0.05).astype(np.int8)
        case = rng.normal(size=n)
        columns = {"label": y, "new": case + 0.7 * rng.normal(size=n) + 1.2 * y}
        columns |= {"old": case + 0.7 * rng.normal(size=n) + 1.15 * y, "patient": rng.integers(0, rows // 20, n)}
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def main(rows: int = 10_000_000) -> None:
    """Print a row for each call."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write(path, rows)
        print(f"| {rows:,} rows | seconds | processor | MB |\n|---|---|---|---|")
        for name, call in CALLS.items():
            ran = subprocess.run(
                [sys.executable, "-c", TIMED.format(call=call), str(path)], capture_output=True, text=True, check=True
            )
            print(f"| {name} | {' | '.join(ran.stdout.split())} |", flush=True)


if __name__ == "__main__":
    main(*(int(float(word)) for word in sys.argv[1:]))
