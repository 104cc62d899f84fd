"""A small real data set for examples."""

from thresher.datasets._digits import Example, load_digits_eight

__all__ = ["Example", "load_digits_eight"]
