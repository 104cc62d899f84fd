"""The public Scores, Sketch, scan, summary, gate and bootstrap, assembled from the layers below."""

from thresher._facade.bootstrap import bootstrap
from thresher._facade.counts_table import load_counts, save_counts
from thresher._facade.gate import Gate, gate
from thresher._facade.scan import scan
from thresher._facade.scores import Scores
from thresher._facade.sketch import Sketch
from thresher._facade.sketches import Sketches
from thresher._facade.summary import Summary, summary

__all__ = [
    "Gate",
    "Scores",
    "Sketch",
    "Sketches",
    "Summary",
    "bootstrap",
    "gate",
    "load_counts",
    "save_counts",
    "scan",
    "summary",
]
