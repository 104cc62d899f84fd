"""Exact areas of a Parquet file larger than the memory allowed, beside reading alone, polars and DuckDB.

Run ``python benchmarks/scan_parquet.py [rows]`` (200 million by default). The files are made in a temporary folder and
removed afterwards. Every contestant runs in a process of its own, so that its peak memory can be read off; times leave
out the start of Python and the imports.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROUNDS = 2
_PART = 10**6

PREPARE = {
    "read only": "import pyarrow.parquet as pq",
    "thresher": "import thresher as th, thresher._read.scan, pyarrow.parquet",
    "polars": "import polars as pl",
    "duckdb": "import duckdb",
}
RUN = {
    "read only": """
rows = 0
with pq.ParquetFile(path, pre_buffer=False) as file:
    for batch in file.iter_batches(batch_size=1 << 17, columns=["y", "s"]):
        rows += batch.num_rows
found = [rows]
""",
    "thresher": """
scores = th.scan(path, y_true="y", y_score="s")
areas = scores.roc_auc(), scores.pr_auc(estimator="average_precision"), scores.pr_auc()
found = [*(area.value for area in areas), scores._n_scores]
""",
    # Ties are grouped, then counts are added up from the highest score down; U and average precision are sums of it.
    "polars": """
table = (
    pl.scan_parquet(path).group_by("s").agg(tp=pl.col("y").cast(pl.Int64).sum(), n=pl.len().cast(pl.Int64))
    .sort("s", descending=True).with_columns(fp=pl.col("n") - pl.col("tp"))
    .with_columns(ctp=pl.col("tp").cum_sum(), cfp=pl.col("fp").cum_sum())
    .select(
        u=((2 * pl.col("ctp") - pl.col("tp")) * pl.col("fp")).sum(),
        ap=(pl.col("tp") * (pl.col("ctp") / (pl.col("ctp") + pl.col("cfp")))).sum(),
        p=pl.col("tp").sum(), q=pl.col("fp").sum(),
    ).collect(engine="streaming")
)
u, ap, p, q = table.row(0)
found = [u / (2 * p * q), ap / p]
""",
    "duckdb": """
connection = duckdb.connect(config={"memory_limit": "4GB"})
connection.execute("set enable_progress_bar = false")
u, ap, p, q = connection.execute('''
    with grouped as (select s, sum(y)::bigint tp, count(*) - sum(y)::bigint fp from read_parquet(?) group by s),
    running as (select tp, fp, sum(tp) over above ctp, sum(fp) over above cfp from grouped
                window above as (order by s desc rows unbounded preceding))
    select sum((2 * ctp - tp) * fp), sum(tp * (ctp / (ctp + cfp))), sum(tp), sum(fp) from running
''', [path]).fetchone()
found = [float(u) / (2 * float(p) * float(q)), ap / float(p)]
""",
}
_CHILD = """
import json, resource, sys, time
path = sys.argv[1]
{prepare}
wall, cpu = time.perf_counter(), time.process_time()
{run}
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print()
print(json.dumps([wall, cpu, peak, found]))
"""


def write(path: Path, rows: int, dtype: str) -> None:
    """Write scores like a model's probabilities: 10% positives, normal scores on the logit scale."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    with pq.ParquetWriter(path, pa.schema({"y": pa.int8(), "s": pa.from_numpy_dtype(np.dtype(dtype))})) as writer:
        for first in range(0, rows, _PART):
            size = min(_PART, rows - first)
            y = rng.random(size) < 0.1
            s = 1 / (1 + np.exp(2 - 1.5 * rng.standard_normal(size) - 1.8 * y))
            writer.write_table(pa.table({"y": y.astype(np.int8), "s": s.astype(dtype)}))


def measure(name: str, path: Path) -> tuple[float, float, float, list[float]]:
    code = _CHILD.format(prepare=PREPARE[name], run=RUN[name])
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    wall, cpu, peak, found = json.loads(done.stdout.splitlines()[-1])
    return wall, cpu, peak, found


def main() -> None:
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 200_000_000
    names = sys.argv[2].split(",") if len(sys.argv) > 2 else list(RUN)
    print(f"{rows:,} rows, Python {platform.python_version()}, {platform.machine()}; best of {ROUNDS}")
    with tempfile.TemporaryDirectory() as folder:
        for dtype in ("float32", "float64"):
            path = Path(folder) / f"{dtype}.parquet"
            write(path, rows, dtype)
            best: dict[str, tuple[float, float, float, list[float]]] = {}
            for _ in range(ROUNDS):
                for name in names:
                    measured = measure(name, path)
                    best[name] = min(best.get(name, measured), measured)
                    print(f"{dtype} {name}: {measured[0]:.2f} s", file=sys.stderr, flush=True)
            reading = best["read only"][0]
            print(f"\n{dtype}, {path.stat().st_size / 1e9:.2f} GB\n")
            print("| | wall s | times reading | CPU s | peak RSS GB | areas (distinct scores) |")
            print("|---|---:|---:|---:|---:|---|")
            for name, (wall, cpu, peak, found) in best.items():
                areas = "" if name == "read only" else ", ".join(repr(value) for value in found)
                print(f"| {name} | {wall:.2f} | {wall / reading:.1f} | {cpu:.2f} | {peak:.2f} | {areas} |", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
