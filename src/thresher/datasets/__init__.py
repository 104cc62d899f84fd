"""Small data sets for examples: one with labels, a reader study, and a trial with outcomes in time."""

from thresher.datasets._digits import Example, load_digits_eight
from thresher.datasets._reader_study import ReaderExample, load_reader_study
from thresher.datasets._trial import Trial, load_trial

__all__ = ["Example", "ReaderExample", "Trial", "load_digits_eight", "load_reader_study", "load_trial"]
