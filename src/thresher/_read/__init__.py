"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""

from thresher._read.passes import Passes as Passes
from thresher._read.passes import batch_numbers as batch_numbers
from thresher._read.passes import open_passes as open_passes
from thresher._read.scan import column_names as column_names
from thresher._read.scan import model_columns as model_columns
from thresher._read.scan import scanned as scanned
from thresher._read.sketch_cells import SketchCells as SketchCells
from thresher._read.sketch_cells import cells_of as cells_of
from thresher._read.sketch_cells import joined as joined
from thresher._read.sketch_cells import owned as owned
from thresher._read.sketch_cells import shrunk as shrunk
from thresher._read.sketch_cells import table_of as table_of
from thresher._read.sources import find_files as find_files
from thresher._read.sources import remote_files as remote_files
from thresher._read.stream.group_codes import GroupCodes as GroupCodes
from thresher._read.stream.group_codes import group_keys as group_keys
