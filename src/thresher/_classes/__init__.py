"""Several classes or labels: each against the rest, pairs, and averages, with intervals and tests."""

from thresher._classes.comparison import ClassComparison
from thresher._classes.multiclass_problem import Multiclass, multiclass
from thresher._classes.multilabel_problem import Multilabel, multilabel

__all__ = ["ClassComparison", "Multiclass", "Multilabel", "multiclass", "multilabel"]
