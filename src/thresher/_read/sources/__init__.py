"""What rows are read from, as batches of columns."""

from thresher._core.stores import is_address
from thresher._read.sources.found_files import find_files
from thresher._read.sources.named_columns import NamedColumns
from thresher._read.sources.remote_files import remote_files
from thresher._read.sources.table_columns import open_columns

__all__ = ["NamedColumns", "find_files", "is_address", "open_columns", "remote_files"]
