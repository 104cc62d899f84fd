"""Groups of a Spark DataFrame with stock settings: the time, and the memory of the driver's Python and of its Java.

Run `python benchmarks/spark_groups.py [rows] [groups]`. Rows are made by Spark, so that nothing is read from a disk.
"""

from __future__ import annotations

import resource
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

import thresher as th


def main(rows: int = 4_000_000, groups: int = 200) -> None:
    """Measure every group of so many rows."""
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    made = spark.range(rows).select(
        (f.pmod(f.xxhash64("id"), f.lit(10)) == 0).cast("int").alias("y_true"),
        f.randn(7).alias("y_score"),
        f.concat(f.lit("g"), f.col("id") % groups).alias("site"),
    )
    th.scan(made.limit(1000), by="site", measures="roc_auc")  # starts the workers, imports what is imported
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    found = th.scan(made, by="site", measures=("roc_auc", "pr_auc"))
    taken = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{rows:,} rows, {found.num_rows} groups: {taken:.1f} s; driver {before:.0f} -> {after:.0f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
