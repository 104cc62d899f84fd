"""Ranked lists of documents for queries: metrics by query with intervals, and search systems compared.

>>> import numpy as np
>>> from thresher.queries import RankedLists
>>> lists = RankedLists(
...     query=np.array(["q", "q", "r"]),
...     document=np.array(["d1", "d2", "d3"]),
...     y_score=np.array([2.0, 1.0, 3.0]),
...     y_true=np.array([0, 1, 1]),
...     judged=np.array([True, True, True]),
...     unseen={"q": 0, "r": 1},
... )
>>> lists.by_query(metric="reciprocal_rank").values
array([0.5, 1. ])
"""

from thresher.queries._lists import RankedLists
from thresher.queries._metrics import QueryMetric
from thresher.queries._systems import compare_systems
from thresher.queries._trec import read_trec

__all__ = ["QueryMetric", "RankedLists", "compare_systems", "read_trec"]
