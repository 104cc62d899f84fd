"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher._read.scan import scan_rows
from thresher._read.sketch_cells import Cells, cells_of, joined, owned, shrunk, table_of
from thresher._read.sql import local_rows, scan_table

__all__ = ["Cells", "cells_of", "joined", "local_rows", "owned", "scan_rows", "scan_table", "shrunk", "table_of"]
