"""Planning: how many cases a study needs, and what a study of some size can show.

There is a function for each question: `precision` of an estimate; a test of an ROC `area`, of a `rate`, of a metric at
a `cutoff`, of models in a `pilot` study, or of supposed `populations`; and how many rows a guarantee needs.
"""

from thresher._decide import negatives_needed as negatives_needed
from thresher._decide import positives_needed as positives_needed
from thresher._decide.plan import power as power
from thresher._decide.plan import sample_size as sample_size
from thresher._decide.planned_areas import area as area
from thresher._decide.planned_cutoffs import SupposedCalls as SupposedCalls
from thresher._decide.planned_cutoffs import cutoff as cutoff
from thresher._decide.planned_pilots import pilot as pilot
from thresher._decide.planned_populations import populations as populations
from thresher._decide.planned_precision import precision as precision
from thresher._decide.planned_rates import rate as rate
from thresher._decide.question import Question as Question

__all__ = sorted(name for name in globals() if not name.startswith("_"))
