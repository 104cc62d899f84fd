"""Small data sets for examples."""

from thresher.datasets._digits import Example, load_digits_eight
from thresher.datasets._reader_study import ReaderExample, load_reader_study

__all__ = ["Example", "ReaderExample", "load_digits_eight", "load_reader_study"]
