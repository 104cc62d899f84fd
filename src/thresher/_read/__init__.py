"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher._read.sketch_cells import Cells, cells_of, joined, owned, shrunk, table_of
from thresher._read.ways_in import column_names, model_columns, scanned

__all__ = [
    "Cells",
    "cells_of",
    "column_names",
    "joined",
    "model_columns",
    "owned",
    "scanned",
    "shrunk",
    "table_of",
]
