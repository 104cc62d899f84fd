"""Several classes or labels: each against the rest, pairs, and averages, with intervals and tests."""

from thresher._classes.averages import ClassComparison
from thresher._classes.problems import Multiclass, Multilabel, multiclass, multilabel

__all__ = ["ClassComparison", "Multiclass", "Multilabel", "multiclass", "multilabel"]
