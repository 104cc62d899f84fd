"""Planning: how many cases a study needs, and what a study of some size can show.

There is a function for each question: `precision` of an estimate; a test of an ROC `area`, of a `rate`, of a metric at
a `cutoff`, of models in a `pilot` study, or of supposed `populations`; and how many rows a guarantee needs.
"""

from thresher._decide import negatives_needed, positives_needed
from thresher._decide.planned_calls import SupposedCalls
from thresher._decide.question import Question
from thresher._decide.study_design import area, cutoff, pilot, populations, power, precision, rate, sample_size

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
