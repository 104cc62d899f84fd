"""The count table on which everything stands."""

from thresher.scores._counts import Counts

__all__ = ["Counts"]
