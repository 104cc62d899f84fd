"""Ranked lists of documents for queries: metrics by query with intervals, and search systems compared."""

from thresher.queries._lists import RankedLists, compare_systems
from thresher.queries._metrics import QueryMetric
from thresher.queries._trec import read_trec

__all__ = ["QueryMetric", "RankedLists", "compare_systems", "read_trec"]
