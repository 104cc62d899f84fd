"""Tests between scorers, on the same rows or on independent samples."""

from thresher.compare._holm import OmnibusTest
from thresher.compare._options import COMPARE_METHODS
from thresher.compare._paired import compare
from thresher.compare._result import Comparison, DominanceProbability, PairComparison
from thresher.compare._unpaired import compare_unpaired

__all__ = [
    "COMPARE_METHODS",
    "Comparison",
    "DominanceProbability",
    "OmnibusTest",
    "PairComparison",
    "compare",
    "compare_unpaired",
]
