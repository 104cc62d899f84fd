"""What rows are read from, as batches of columns."""

from thresher._read.sources.dialect import find_dialect, opened
from thresher._read.sources.formats import spreadsheet
from thresher._read.sources.found_files import find_files
from thresher._read.sources.npz_arrays import read_npz

__all__ = ["find_dialect", "find_files", "opened", "read_npz", "spreadsheet"]
