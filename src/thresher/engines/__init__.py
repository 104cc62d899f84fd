"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher.engines._scan import Progress, scan_rows

__all__ = ["Progress", "scan_rows"]
