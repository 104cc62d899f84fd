"""What a scan costs in Spark, by Spark's own account: bytes read and shuffled, processor time, for growing tables.

    python benchmarks/spark_cost.py 1000000 10000000

Needs pyspark, Java, Linux and a few hundred megabytes of disk. Spark runs on this machine with two cores and a heap of
1 GiB; its event log is read afterwards. The log leaves Python workers out: what they take is asked of the system. Spark
does not count what it reads from a local Parquet file, so bytes read are the compressed sizes of the two columns, once
for each query that reads them. The table is Parquet with a double score, an integer label and a text column that is not
asked for; scores are continuous, so that nearly every row is a distinct score: the worst case.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

warnings.simplefilter("ignore")

from pyspark.sql import SparkSession  # noqa: E402

import thresher as th  # noqa: E402
from thresher._read.sql import session as _session  # noqa: E402
from thresher._read.sql.tables import scan_table  # noqa: E402

ROWS_IN_A_FILE = 1_000_000


def write_table(folder: Path, rows: int) -> None:
    rng = np.random.default_rng(rows)
    folder.mkdir()
    for part, first in enumerate(range(0, rows, ROWS_IN_A_FILE)):
        n = min(ROWS_IN_A_FILE, rows - first)
        label = (rng.random(n) < 0.01).astype(np.int8)
        score = 1.0 / (1.0 + np.exp(4.0 - 1.5 * label - rng.normal(size=n)))
        other = pa.array(np.full(n, "not asked for")).dictionary_encode()
        pq.write_table(pa.table({"label": label, "score": score, "note": other}), folder / f"{part}.parquet")


def bytes_per_row(folder: Path) -> float:
    """Return the compressed size of the columns that are asked for, by row."""
    size = rows = 0
    for path in folder.iterdir():
        about = pq.ParquetFile(path).metadata
        rows += about.num_rows
        for group in range(about.num_row_groups):
            size += sum(about.row_group(group).column(k).total_compressed_size for k in (0, 1))
    return size / rows


def start(events: Path, shuffles: int) -> SparkSession:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(shuffles),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("thresher-cost")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def worker_seconds(spark: SparkSession) -> float:
    """Return the processor seconds of Spark's Python workers until now, those that have ended among them."""
    used = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                used[int(folder.name)] = int(words[1]), sum(map(int, words[11:15]))
    found = [spark.sparkContext._gateway.proc.pid]
    for one in found:
        found += [process for process, (parent, _) in used.items() if parent == one]
    return sum(used[process][1] for process in found[1:]) / os.sysconf("SC_CLK_TCK")


def timed_queries(spark: SparkSession) -> list[tuple[float, float, int, float]]:
    """Record when each query ran, how many rows came back, and what Python workers took for it."""
    seen: list[tuple[float, float, int, float]] = []

    def recorded(ask):
        def asked(*arguments):
            begin, workers = time.time(), worker_seconds(spark)
            rows = ask(*arguments)
            seen.append((begin, time.time(), rows.num_rows, worker_seconds(spark) - workers))
            return rows

        return asked

    _session._Spark.fetch = recorded(_session._Spark.fetch)
    _session._Spark.by_tasks = recorded(_session._Spark.by_tasks)
    return seen


def costs(events: Path, spans: dict[tuple[int, int], tuple[float, float]]) -> dict[tuple[int, int], dict[str, float]]:
    """Return what the tasks launched in each span of time took, from the event log."""
    found: dict[tuple[int, int], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for log in events.iterdir():
        for line in log.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] != "SparkListenerTaskEnd" or "Task Metrics" not in event:
                continue
            launched = event["Task Info"]["Launch Time"] / 1000
            metrics = event["Task Metrics"]
            for key, (begin, end) in spans.items():
                if begin <= launched <= end:
                    found[key]["rows"] += metrics["Input Metrics"]["Records Read"]
                    found[key]["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                    found[key]["cpu"] += metrics["Executor CPU Time"] / 1e9
                    found[key]["spilled"] += metrics["Disk Bytes Spilled"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", type=int, default=[1_000_000, 10_000_000])
    parser.add_argument("--max-points", type=int, default=100_000)
    parser.add_argument("--shuffles", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events"
        events.mkdir()
        for rows in options.rows:
            write_table(Path(folder) / str(rows), rows)
        spark = start(events, options.shuffles)
        seen = timed_queries(spark)
        spans: dict[tuple[int, int], tuple[float, float]] = {}
        lines: dict[int, str] = {}
        back: dict[tuple[int, int], int] = {}
        workers: dict[tuple[int, int], float] = {}
        for rows in options.rows:
            seen.clear()
            frame = spark.read.parquet(str(Path(folder) / str(rows)))
            begin = time.time()
            scores = scan_table(th.Scores, frame, y_true="label", y_score="score", max_points=options.max_points)
            lines[rows] = (
                f"{rows:.0e} rows: {time.time() - begin:.0f} s, {scores._n_scores} distinct, {len(scores)} kept, "
                f"AUC-ROC {scores.roc_auc().value!r}, AUC-PR {scores.pr_auc().value!r}"
            )
            for number, (first, last, fetched, seconds) in enumerate(seen):
                spans[rows, number] = first, last
                back[rows, number] = fetched
                workers[rows, number] = seconds
        spark.stop()
        found = costs(events, spans)
        for (rows, number), cost in found.items():
            cost["cpu"] += workers[rows, number]
            cost["read"] = cost["rows"] * bytes_per_row(Path(folder) / str(rows))
    for rows in options.rows:
        print(lines[rows])
        print("  query   read MB  B/row  shuffled MB  B/row  processor s  spilled MB  rows fetched")
        total = defaultdict(float)
        for (size, number), cost in sorted(found.items()):
            if size == rows:
                print_row(str(number + 1), rows, cost, back[size, number])
                for name, value in cost.items():
                    total[name] += value
        print_row("all", rows, total, sum(n for (size, _), n in back.items() if size == rows))
    sys.stdout.flush()


def print_row(name: str, rows: int, cost: dict[str, float], fetched: int) -> None:
    print(
        f"  {name:>5} {cost['read'] / 1e6:9.1f} {cost['read'] / rows:6.1f} {cost['shuffled'] / 1e6:12.1f} "
        f"{cost['shuffled'] / rows:6.1f} {cost['cpu']:12.1f} {cost['spilled'] / 1e6:11.1f} {fetched:13d}"
    )


if __name__ == "__main__":
    main()
