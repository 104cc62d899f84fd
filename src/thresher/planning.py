"""Planning: how many cases a study needs, and what a study of some size can show.

There is a function for each question: `precision` of an estimate; a test of an ROC `area`, of a `rate`, of a metric at
a `cutoff`, of models in a `pilot` study, or of supposed `populations`; and how many rows a guarantee needs.
"""

from thresher._decide import negatives_needed, positives_needed
from thresher._decide.plan import power, sample_size
from thresher._decide.planned_areas import area
from thresher._decide.planned_cutoffs import SupposedCalls, cutoff
from thresher._decide.planned_pilots import pilot
from thresher._decide.planned_populations import populations
from thresher._decide.planned_precision import precision
from thresher._decide.planned_rates import rate
from thresher._decide.question import Question

__all__ = [
    "Question",
    "SupposedCalls",
    "area",
    "cutoff",
    "negatives_needed",
    "pilot",
    "populations",
    "positives_needed",
    "power",
    "precision",
    "rate",
    "sample_size",
]
