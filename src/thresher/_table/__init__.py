"""The count table on which everything stands."""

from thresher._table.counts import Counts

__all__ = ["Counts"]
