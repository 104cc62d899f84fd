"""Outcomes in time at several horizons: measures over time, their bands, and numbers for the whole time."""

from thresher._horizons.over_time import OverTime, OverTimeComparison, TimeSummary
from thresher._horizons.several import TimeDependent, time_dependent

__all__ = ["OverTime", "OverTimeComparison", "TimeDependent", "TimeSummary", "time_dependent"]
