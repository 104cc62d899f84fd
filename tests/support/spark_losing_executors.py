"""A Spark with executors in processes of their own, which are killed in the middle of scans; run as a script by a test.

Prints one line of JSON. A process of its own, because a process has one Spark, and the other tests' has no executors.
A task that reads rows kills the executor it runs in, so that what dies is at work however busy the machine is.
"""

import contextlib
import json
import os
import signal
import sys
import time
import warnings
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

import thresher as th
from thresher._read.sql import session as _session
from thresher._read.sql import tables as _tables

ROWS = 20_000
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # starts quickly
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.task.maxFailures": "2",  # one death of its executor is forgiven
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
HEAVY = {"sql": 2, "workers": 4}  # the query that sends scores here, and the one that sums buckets


_FETCH, _BY_TASKS = _session._Spark.fetch, _session._Spark.by_tasks


def start(home):
    """Return a session; `home` is an empty folder, in which the executors' own folders are made."""
    for entry in Path(pyspark.__file__).parent.iterdir():
        (Path(home) / entry.name).symlink_to(entry)
    os.environ["SPARK_HOME"] = str(home)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("thresher")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def rows(spark, folder):
    """Return rows of which every score is another, read by two tasks that kill where a file in `folder` asks for it."""

    def read(batches):
        for name in ("always", "once"):
            order = Path(folder) / name
            with contextlib.suppress(FileNotFoundError):
                if name == "once":
                    order.unlink()  # by one of the tasks
                else:
                    order.stat()
                (Path(folder) / f"{os.getpid()}.killed").touch()
                daemon = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii")
                os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
                time.sleep(60)
        yield from batches

    return (
        spark.range(0, ROWS, 1, 2)
        .selectExpr("cast(id * 7 % 3 = 0 as int) as y", "pmod(id * 7919, 1000003) / 1000003d as s")
        .mapInArrow(read, "y int, s double")
    )


def failed_tasks(spark):
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup()]
    stages = [tracker.getStageInfo(number) for job in jobs if job is not None for number in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage is not None)


def attempt(spark, folder, *, order, by="sql"):
    """Scan, with an executor killed in the heavy query ("once"), or every executor whenever it works ("always")."""
    folder.mkdir()
    asked = 0

    def ask(_):
        nonlocal asked
        asked += 1
        if order == "always" or asked == HEAVY[by]:
            (folder / order).touch()

    _tables._MOST_SENT = ROWS if by == "sql" else 0
    _session._Spark.fetch = lambda session, expression: (ask(session), _FETCH(session, expression))[1]
    _session._Spark.by_tasks = lambda session, *words: (ask(session), _BY_TASKS(session, *words))[1]
    began, before = time.monotonic(), failed_tasks(spark)
    answer = {}
    try:
        found = th.scan(rows(spark, str(folder)), y_true="y", y_score="s", max_points=200)
        answer |= {"u": str(found._figures.twice_u), "n": found._n_scores, "area": found.pr_auc().value.hex()}
    except th.ThresherError as error:
        answer |= {"error": str(error), "cause": repr(error.__cause__), "hidden": error.__suppress_context__}
    while failed_tasks(spark) == before and time.monotonic() < began + 200:  # Spark counts behind the answer
        time.sleep(0.1)
    answer |= {"killed": len(list(folder.glob("*.killed"))), "failed": failed_tasks(spark) - before, "asked": asked}
    answer |= {"left": [table.name for table in spark.catalog.listTables()]}
    return answer | {"seconds": round(time.monotonic() - began, 1)}


def main():
    warnings.simplefilter("ignore")  # PySpark's own
    began = time.monotonic()
    home = Path(sys.argv[1])
    spark = start(home)
    try:
        answers = {"start": round(time.monotonic() - began, 1)}
        answers["once"] = attempt(spark, home / "orders-once", order="once")
        answers["workers"] = attempt(spark, home / "orders-workers", order="once", by="workers")
        answers["always"] = attempt(spark, home / "orders-always", order="always")
        sys.stdout.write(json.dumps(answers) + "\n")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
