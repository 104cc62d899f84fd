"""The public classes and functions that need several layers, each answered by its own layer."""

from thresher._facade._scan import scan
from thresher._facade._scores import Scores

__all__ = ["Scores", "scan"]
