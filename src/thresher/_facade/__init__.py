"""The public classes and functions that need several layers, each answered by its own layer."""

from thresher._facade._scan import scan
from thresher._facade._scores import Scores
from thresher._facade._sketch import Sketch

__all__ = ["Scores", "Sketch", "scan"]
