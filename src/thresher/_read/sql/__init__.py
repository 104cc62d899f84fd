"""Tables that live in an engine and are counted there."""

from thresher._read.sql.session import SendRowsError, local_rows
from thresher._read.sql.spark_passes import SparkPasses, spark_rows
from thresher._read.sql.tables import rows_kept, scan_table, scan_tables

__all__ = ["SendRowsError", "SparkPasses", "local_rows", "rows_kept", "scan_table", "scan_tables", "spark_rows"]
