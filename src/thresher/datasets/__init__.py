"""Small data sets for examples: a real one with labels, and a made-up one with outcomes in time."""

from thresher.datasets._digits import Example, load_digits_eight
from thresher.datasets._trial import Trial, load_trial

__all__ = ["Example", "Trial", "load_digits_eight", "load_trial"]
