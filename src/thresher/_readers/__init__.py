"""Reader studies: many readers, many cases, one or more modalities."""

from thresher._readers.analysis import ReaderAnalysis as ReaderAnalysis
from thresher._readers.analysis import ReaderNoninferiority as ReaderNoninferiority
from thresher._readers.readings import read_columns as read_columns
from thresher._readers.results import ReaderCell as ReaderCell
from thresher._readers.results import ReaderComponents as ReaderComponents
from thresher._readers.results import ReaderDifference as ReaderDifference
from thresher._readers.results import ReaderMean as ReaderMean
from thresher._readers.results import ReaderOmnibus as ReaderOmnibus
from thresher._readers.sizing import ReaderPower as ReaderPower
from thresher._readers.sizing import ReaderSizes as ReaderSizes
from thresher._readers.study import ReaderStudy as ReaderStudy
from thresher._readers.study import readers as readers
