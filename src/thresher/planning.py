"""Planning: how many cases a study needs, and what a study of some size can show."""

from thresher._decide import negatives_needed, positives_needed
from thresher._decide.study_design import power, sample_size
from thresher._decide.supposed_calls import SupposedCalls

__all__ = ["SupposedCalls", "negatives_needed", "positives_needed", "power", "sample_size"]
