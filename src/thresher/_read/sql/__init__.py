"""Tables that live in an engine and are counted there."""

from thresher._read.sql.local_rows import local_rows
from thresher._read.sql.tables import scan_table

__all__ = ["local_rows", "scan_table"]
