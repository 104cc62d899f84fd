"""The public Scores, Sketch, scan, summary, gate and bootstrap, assembled from the layers below."""

from thresher._facade.bootstrap import bootstrap as bootstrap
from thresher._facade.counts_table import load_counts as load_counts
from thresher._facade.counts_table import save_counts as save_counts
from thresher._facade.gate import Gate as Gate
from thresher._facade.gate import gate as gate
from thresher._facade.scan import scan as scan
from thresher._facade.scores import Scores as Scores
from thresher._facade.sketch import Sketch as Sketch
from thresher._facade.sketches import Sketches as Sketches
from thresher._facade.summary import Summary as Summary
from thresher._facade.summary import summary as summary
