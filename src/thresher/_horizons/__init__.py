"""Outcomes in time at several horizons: measures over time, their bands, and numbers for the whole time."""

from thresher._horizons.over_time import OverTime as OverTime
from thresher._horizons.over_time import OverTimeComparison as OverTimeComparison
from thresher._horizons.over_time import TimeSummary as TimeSummary
from thresher._horizons.several import TimeDependent as TimeDependent
from thresher._horizons.several import time_dependent as time_dependent
