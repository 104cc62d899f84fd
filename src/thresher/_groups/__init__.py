"""A metric in segments of the rows: values, intervals, gaps, and two models over the same groups."""

from thresher._groups.by_group import GroupedEstimate as GroupedEstimate
from thresher._groups.by_group import by_group as by_group
from thresher._groups.difference import GroupedDifference as GroupedDifference
from thresher._groups.fairness import Fairness as Fairness
from thresher._groups.fairness import FairnessCriterion as FairnessCriterion
from thresher._groups.gaps import Gap as Gap
from thresher._groups.gaps import GroupGaps as GroupGaps
from thresher._groups.gaps import GroupIntervals as GroupIntervals
from thresher._groups.gaps import GroupValue as GroupValue
from thresher._groups.gaps import LargestGap as LargestGap
