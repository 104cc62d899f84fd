"""The public classes and functions that need several layers, each answered by its own layer."""

from thresher._facade.scan import scan
from thresher._facade.scores import Scores
from thresher._facade.sketch import Sketch

__all__ = ["Scores", "Sketch", "scan"]
