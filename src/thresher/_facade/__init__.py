"""The public Scores, Sketch, scan and bootstrap, assembled from the layers below."""

from thresher._facade.bootstrap import bootstrap
from thresher._facade.counts_table import load_counts, save_counts
from thresher._facade.scan import scan
from thresher._facade.scores import Scores
from thresher._facade.sketch import Sketch

__all__ = ["Scores", "Sketch", "bootstrap", "load_counts", "save_counts", "scan"]
