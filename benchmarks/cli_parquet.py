"""`thresher auc` on a Parquet file of ten million rows, beside DuckDB reading the two columns.

Run: python benchmarks/cli_parquet.py [rows] [share of positives] [--rounded]
Prints the wall time of both (each in a process of its own, best of three), their difference and ratio, and the peak
resident memory of `thresher auc`. The aim: at most three seconds more than DuckDB, in under 1 GB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MAKE = """
import duckdb, sys
rows, path, digits, share = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
duckdb.sql("SELECT setseed(0.5)")
shown = "score" if digits == "-" else f"round(score, {int(digits)})"
duckdb.sql(f'''
    COPY (
        SELECT label, {shown} AS score
        FROM (SELECT label, 1 / (1 + exp(-(label * 1.5 - 2 + normal))) AS score
              FROM (SELECT (random() < {share})::INTEGER AS label,
                           sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS normal
                    FROM range({rows})))
    ) TO '{path}' (FORMAT parquet)
''')
"""
READ = """
import duckdb, sys
columns = duckdb.read_parquet(sys.argv[1]).project("label, score").fetchnumpy()
assert len(columns["label"]) > 0
"""


def run(command: list[str]) -> tuple[float, float, int]:
    """Return wall seconds, processor seconds and peak resident bytes of a process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise SystemExit(f"{command[:3]} ended with status {status}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    rows = int(words[0]) if words else 10_000_000
    share = words[1] if len(words) > 1 else "0.1"
    digits = "6" if "--rounded" in sys.argv else "-"
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "scores.parquet")
        subprocess.run([sys.executable, "-c", MAKE, str(rows), path, digits, share], check=True)
        kind = "rounded to six digits" if digits != "-" else "all different"
        print(f"{rows:,} rows, {share} positive, {Path(path).stat().st_size / 1e6:.0f} MB, scores {kind}")
        command = [sys.executable, "-c", "import sys; from thresher.cli import main; sys.exit(main())", "auc", path]
        ours, theirs = [], []
        for _ in range(3):
            theirs.append(run([sys.executable, "-c", READ, path]))
            ours.append(run(command))
        for name, runs in (("thresher auc", ours), ("duckdb reading", theirs)):
            wall, processor, memory = (
                min(run[0] for run in runs),
                min(run[1] for run in runs),
                max(r[2] for r in runs),
            )
            print(f"{name:15s} {wall:6.2f} s wall, {processor:6.2f} s of processors, peak {memory / 1e6:,.0f} MB")
        best, duckdb = min(run[0] for run in ours), min(run[0] for run in theirs)
        print(
            f"ratio {best / duckdb:.1f}, difference {best - duckdb:+.2f} s (aim: at most +3 s; memory below 1,000 MB)"
        )


if __name__ == "__main__":
    main()
