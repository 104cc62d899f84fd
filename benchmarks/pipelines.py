"""Scans around one table: groups, small files, engines, object stores, the command, weights and files of counts.

Run ``python benchmarks/pipelines.py [rows [word of a line [rounds]]]`` (ten million and three by default). Every
contestant runs in a process of its own, so that its peak memory can be read off; times leave out the start of Python
and the imports (those of commands have both), and with Spark a first run on a hundredth of the rows, which its compiler
needs. Contestants take turns, and the best of their rounds is kept. Ratios are of processor seconds, which a busy
machine changes least; Spark's are those of its Python workers too.
"""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROUNDS = 3
_CHILD = """
import json, resource, sys, time
folder, rows = sys.argv[1], int(sys.argv[2])
{prepare}
def spent():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    mine = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return sum(used.ru_utime + used.ru_stime for used in both), max(mine, both[1].ru_maxrss) / 1024
others = globals().get("others", lambda: 0.0)  # processor seconds of an engine's own processes
start, cpu = time.perf_counter(), spent()[0] + others()
{run}
wall, (after, peak) = time.perf_counter() - start, spent()
cpu = after + others() - cpu
print(json.dumps([cpu, wall, peak]))
"""
_TH = "import thresher as th, thresher._read.scan, pyarrow.compute, pyarrow.dataset, pyarrow.parquet"
_NAMES = 'y_true="y", y_score="s"'
_COMMAND = "import subprocess"

_SPARK = """
import os, warnings; warnings.simplefilter("ignore")
import thresher as th, thresher._read.sql.tables, ibis
from pyspark.sql import SparkSession, functions as F
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
builder = builder.config("spark.driver.memory", "4g").config("spark.driver.host", "127.0.0.1")
spark = builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
def others():
    used = {}  # of Spark and of the Python workers that it has started: their parent, and the ticks they have run
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                words = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        used[int(process)] = int(words[1]), sum(map(int, words[11:15]))
    ticks, found = 0, [spark.sparkContext._gateway.proc.pid]
    for one in found:
        ticks += used.get(one, (0, 0))[1]
        found += [process for process, (parent, _) in used.items() if parent == one]
    return ticks / os.sysconf("SC_CLK_TCK")
frame, first = spark.read.parquet(folder + "/two.parquet"), spark.read.parquet(folder + "/first.parquet")
def plain(frame):
    frame.groupBy("s").agg(F.sum("y"), F.count("*")).write.format("noop").mode("overwrite").save()
def scanned(frame, most=100_000):
    th.scan(frame, y_true="y", y_score="s", max_points=most)
def mllib(frame):
    from pyspark.ml.evaluation import BinaryClassificationEvaluator as Evaluator
    frame = frame.withColumn("d", F.col("y").cast("double"))
    Evaluator(rawPredictionCol="s", labelCol="d", numBins=0).evaluate(frame)
"""

_STORE = f"""
import atexit, os, subprocess
store = subprocess.Popen([sys.executable, {str(Path(__file__).with_name("slow_store.py"))!r}, folder, "0.03"],
                         stdout=subprocess.PIPE, text=True)
atexit.register(store.kill)
os.environ |= {{"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}}
os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{{store.stdout.readline().strip()}}"
import pyarrow.fs
pyarrow.fs.FileSystem.from_uri("s3://bucket/two.parquet")  # which starts the client
"""

LINES: dict[str, list[tuple[str, str, str]]] = {
    "groups: a hundred rows each, Parquet": [
        ("th.scan(by=)", _TH, f'th.scan(folder + "/rows.parquet", {_NAMES}, by="g")'),
        (
            "th.scan(by=, measures=), two areas with errors",
            _TH,
            f'th.scan(folder + "/rows.parquet", {_NAMES}, by="g", measures=("roc_auc", "pr_auc"))',
        ),
        (
            "polars group_by(group, score)",
            "import polars as pl",
            (
                'pl.scan_parquet(folder + "/rows.parquet").group_by("g", "s")'
                '.agg(pl.len(), pl.col("y").sum()).collect(engine="streaming")'
            ),
        ),
        (
            "polars, AUC of each group",
            "import polars as pl",
            (
                "u = pl.col('s').rank().filter(pl.col('y') == 1).sum(); p = pl.col('y').cast(pl.Int64).sum(); "
                "q = pl.len().cast(pl.Int64) - p; "
                'pl.scan_parquet(folder + "/rows.parquet").group_by("g").agg(((u - p * (p + 1) / 2) / (p * q)))'
                '.collect(engine="streaming")'
            ),
        ),
    ],
    "a thousand rows, Parquet, a hundred times": [
        (
            "th.scan",
            _TH + f'; th.scan(folder + "/few.parquet", {_NAMES})',
            f'for _ in range(100): th.scan(folder + "/few.parquet", {_NAMES})',
        ),
        (
            "pyarrow reads them",
            "import pyarrow.parquet as pq; pq.read_table(folder + '/few.parquet')",
            "for _ in range(100): pq.read_table(folder + '/few.parquet')",
        ),
    ],
    "beyond max_points, DuckDB": [
        (
            "th.scan of a relation",
            _TH + "; import duckdb; t = duckdb.read_parquet(folder + '/rows.parquet')",
            f"th.scan(t, {_NAMES})",
        ),
        (
            "th.scan of an Ibis table",
            _TH + "; import ibis; t = ibis.duckdb.connect().read_parquet(folder + '/rows.parquet')",
            f"th.scan(t, {_NAMES})",
        ),
    ],
    "the command": [
        (
            "th.scan and its areas",
            _TH,
            (
                f'scores = th.scan(folder + "/rows.parquet", {_NAMES}); '
                "[scores.pr_auc().confidence_interval(), scores.roc_auc().confidence_interval()]"
            ),
        ),
        (
            "th.scan and th.report",
            _TH,
            f'th.report(th.scan(folder + "/rows.parquet", {_NAMES}), path=folder + "/b.html")',
        ),
        (
            "thresher auc",
            _COMMAND,
            (
                'subprocess.run([sys.executable, "-m", "thresher", "auc", folder + "/rows.parquet", "--y-true", "y", '
                '"--y-score", "s"], check=True, capture_output=True)'
            ),
        ),
        (
            "thresher report",
            _COMMAND,
            (
                'subprocess.run([sys.executable, "-m", "thresher", "report", folder + "/rows.parquet", "--y-true", '
                '"y", "--y-score", "s", "-o", folder + "/a.html"], check=True, capture_output=True)'
            ),
        ),
        (
            "thresher count",
            _COMMAND,
            (
                'subprocess.run([sys.executable, "-m", "thresher", "count", folder + "/rows.parquet", "--y-true", "y", '
                '"--y-score", "s", "-o", folder + "/a.scores"], check=True, capture_output=True)'
            ),
        ),
    ],
    "Spark, local[2]": [
        ("groupBy(score)", _SPARK + "plain(first)", "plain(frame)"),
        ("th.scan", _SPARK + "scanned(first, 1000)", "scanned(frame)"),
        ("MLlib, areaUnderROC", _SPARK + "mllib(first)", "mllib(frame)"),
    ],
    "an object store, 30 ms before every answer": [
        ("th.scan of the file here", _TH, f'th.scan(folder + "/two.parquet", {_NAMES})'),
        ("th.scan of s3://", _TH + _STORE, f'th.scan("s3://bucket/two.parquet", {_NAMES})'),
    ],
    "float weights": [
        ("th.scan without", _TH, f'th.scan(folder + "/rows.parquet", {_NAMES})'),
        ("th.scan with", _TH, f'th.scan(folder + "/rows.parquet", {_NAMES}, sample_weight="w")'),
    ],
}


def make(folder: Path, rows: int) -> None:
    """Write the files that everybody reads."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    y = (rng.random(rows) < 0.2).astype(np.int8)
    table = pa.table(
        {
            "y": y,
            "s": rng.normal(size=rows) + y,
            "g": rng.integers(0, max(rows // 100, 1), rows),
            "w": rng.random(rows) + 0.5,
        }
    )
    pq.write_table(table, folder / "rows.parquet")
    pq.write_table(table.slice(0, 1000), folder / "few.parquet")
    pq.write_table(table.select(["y", "s"]), folder / "two.parquet")
    pq.write_table(table.select(["y", "s"]).slice(0, rows // 100), folder / "first.parquet")


def measured(folder: Path, rows: int, prepare: str, run: str) -> list[float]:
    """Return processor seconds, seconds and the peak in MB of one run."""
    code = _CHILD.format(prepare=prepare, run=run)
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(rows)], capture_output=True, text=True, check=True
    )
    return list(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print a table for each line of work, ratios to its first contestant."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else ROUNDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In a process that ends: a child's peak of memory begins at that of its parent.
        maker = multiprocessing.get_context("spawn").Process(target=make, args=(folder, rows))
        maker.start()
        maker.join()
        for title, contestants in LINES.items():
            if wanted not in title:
                continue
            print(f"\n{title} ({rows:,} rows)\n\n| | processor seconds | seconds | peak MB | of the first |")
            print("|---|---:|---:|---:|---:|")
            runs = [[measured(folder, rows, *work) for _, *work in contestants] for _ in range(rounds)]
            best = [min(turns) for turns in zip(*runs, strict=True)]
            for (label, *_), (cpu, wall, peak) in zip(contestants, best, strict=True):
                print(f"| {label} | {cpu:.2f} | {wall:.2f} | {peak:.0f} | {cpu / best[0][0]:.2f} |", flush=True)
        counts = folder / "a.scores"
        if counts.exists():
            size, source = counts.stat().st_size, (folder / "two.parquet").stat().st_size
            print(
                f"\nfile of counts: {size:,} bytes, of {source:,} for the two columns as Parquet: {size / source:.2f}"
            )


if __name__ == "__main__":
    main()
