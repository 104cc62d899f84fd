"""Reader studies: many readers, many cases, one or more modalities."""

from thresher._readers.analysis import ReaderAnalysis, ReaderNoninferiority
from thresher._readers.readings import read_columns
from thresher._readers.results import ReaderCell, ReaderComponents, ReaderDifference, ReaderMean, ReaderOmnibus
from thresher._readers.sizing import ReaderPower, ReaderSizes
from thresher._readers.study import ReaderStudy, readers

__all__ = [
    "ReaderAnalysis",
    "ReaderCell",
    "ReaderComponents",
    "ReaderDifference",
    "ReaderMean",
    "ReaderNoninferiority",
    "ReaderOmnibus",
    "ReaderPower",
    "ReaderSizes",
    "ReaderStudy",
    "read_columns",
    "readers",
]
