"""Small data sets for examples: one with labels, a reader study, and a trial with outcomes in time."""

from thresher.datasets._bundled import Example, ReaderExample, Trial, load_digits_eight, load_reader_study, load_trial

__all__ = ["Example", "ReaderExample", "Trial", "load_digits_eight", "load_reader_study", "load_trial"]
