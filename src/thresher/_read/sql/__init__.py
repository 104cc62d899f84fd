"""Tables that live in an engine and are counted there."""

from thresher._read.sql.tables import scan_table

__all__ = ["scan_table"]
