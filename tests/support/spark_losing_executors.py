"""A Spark with executors in processes of their own, which are killed in the middle of scans; run as a script by a test.

Prints one line of JSON. A process of its own, because a process has one Spark, and the other tests' has no executors.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

import thresher as th
from thresher._read.sql import session as _session
from thresher._read.sql import spark_sums

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
HEAVY = 3  # the query that sorts the buckets: for the hull in SQL, and after a trial on two rows by workers
# Each of the two tasks that read the rows waits, so that there is a middle to kill it in.
SLOWLY = f"if(id % {ROWS // 2} = 0, least(length(reflect('java.lang.Thread', 'sleep', {{}}L)), 0), 0)"


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


def executors(spark):
    """Return the processes of this application's executors."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                executor = any(word.endswith(b"CoarseGrainedExecutorBackend") for word in words)
                if executor and spark.sparkContext.applicationId.encode() in words:
                    found.append(int(folder.name))
    return found


def busy(spark):
    tracker = spark.sparkContext.statusTracker()
    stages = (tracker.getStageInfo(number) for number in tracker.getActiveStageIds())
    return any(stage is not None and stage.numActiveTasks > 0 for stage in stages)


def failed_tasks(spark):
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup()]
    stages = [tracker.getStageInfo(number) for job in jobs if job is not None for number in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage is not None)


class Killer(threading.Thread):
    """Kills executors while they work: one of them in the heavy query, or all of them again and again."""

    def __init__(self, spark, *, once):
        super().__init__(daemon=True)
        self.spark, self.once, self.killed, self.asked, self.done = spark, once, 0, 0, threading.Event()

    def fetch(self, session, expression):
        self.asked += 1
        return _FETCH(session, expression)

    def by_tasks(self, session, expression, task):
        self.asked += 1
        return _BY_TASKS(session, expression, task)

    def run(self):
        while not self.done.is_set():
            if (self.asked == HEAVY or not self.once) and busy(self.spark):
                time.sleep(0.1)
                failed, until = failed_tasks(self.spark), time.monotonic() + 3.0
                for process in executors(self.spark)[: 1 if self.once else None]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                        self.killed += 1
                if self.once and self.killed:
                    return
                while failed_tasks(self.spark) == failed and time.monotonic() < until:  # until Spark has seen it
                    time.sleep(0.05)
            time.sleep(0.05)


def rows(spark, wait):
    """Return rows of which every score is another, read by two slow tasks."""
    return spark.range(0, ROWS, 1, 2).selectExpr(
        "cast(id * 7 % 3 = 0 as int) as y", f"pmod(id * 7919, 1000003) / 1000003d + {SLOWLY.format(wait)} as s"
    )


def attempt(spark, frame, *, once, by="sql"):
    killer = Killer(spark, once=once)
    spark_sums._MANY_ROWS = ROWS + 1 if by == "sql" else 0
    _session._Spark.fetch = lambda session, expression: killer.fetch(session, expression)
    _session._Spark.by_tasks = lambda session, expression, task: killer.by_tasks(session, expression, task)
    killer.start()
    began = time.monotonic()
    answer = {}
    try:
        found = th.scan(frame, y_true="y", y_score="s", max_points=200)
        answer |= {"u": str(found.figures.twice_u), "n": found.n_scores, "area": found.pr_auc().value.hex()}
    except th.ThresherError as error:
        answer |= {"error": str(error), "cause": repr(error.__cause__), "hidden": error.__suppress_context__}
    finally:
        killer.done.set()
        killer.join()
    answer |= {"killed": killer.killed, "failed": failed_tasks(spark), "asked": killer.asked}
    answer |= {"left": [table.name for table in spark.catalog.listTables()]}
    return answer | {"seconds": round(time.monotonic() - began, 1)}


def main():
    warnings.simplefilter("ignore")  # PySpark's own
    began = time.monotonic()
    spark = start(sys.argv[1])
    try:
        answers = {"start": round(time.monotonic() - began, 1)}
        answers["once"] = attempt(spark, rows(spark, 500), once=True)
        answers["workers"] = attempt(spark, rows(spark, 500), once=True, by="workers")
        answers["always"] = attempt(spark, rows(spark, 6000), once=False)
        sys.stdout.write(json.dumps(answers) + "\n")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
