"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher.engines._scan import Progress, scan_rows
from thresher.engines._tables import scan_table

__all__ = ["Progress", "scan_rows", "scan_table"]
