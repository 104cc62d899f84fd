"""A metric in segments of the rows: values, intervals, gaps, and two models over the same groups."""

from thresher._groups.by_group import GroupedEstimate, by_group
from thresher._groups.difference import GroupedDifference
from thresher._groups.fairness import Fairness, FairnessCriterion
from thresher._groups.gaps import Gap, GroupGaps, GroupIntervals, GroupValue, LargestGap

__all__ = [
    "Fairness",
    "FairnessCriterion",
    "Gap",
    "GroupGaps",
    "GroupIntervals",
    "GroupValue",
    "GroupedDifference",
    "GroupedEstimate",
    "LargestGap",
    "by_group",
]
