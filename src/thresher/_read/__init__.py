"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher._read.passes import Passes, batch_numbers, open_passes
from thresher._read.scan import column_names, model_columns, scanned
from thresher._read.sketch_cells import SketchCells, cells_of, joined, owned, shrunk, table_of
from thresher._read.sources import find_files, remote_files
from thresher._read.stream.group_codes import GroupCodes, group_keys

__all__ = [
    "GroupCodes",
    "Passes",
    "SketchCells",
    "batch_numbers",
    "cells_of",
    "column_names",
    "find_files",
    "group_keys",
    "joined",
    "model_columns",
    "open_passes",
    "owned",
    "remote_files",
    "scanned",
    "shrunk",
    "table_of",
]
