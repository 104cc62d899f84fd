"""Results over time: values at horizons with intervals, numbers for the whole time, and differences of models."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.digits import beside_interval
from thresher._core.presented import Presented
from thresher._core.result_bases import Drawn
from thresher._core.values import value
from thresher.typing import BoolArray, FloatArray


@value(repr=False)
class OverTime(Drawn, Presented):
    """A measure at each horizon, for each model: element i of every array is one model at one horizon.

    Attributes
    ----------
    metric : str
        The measure, with its options.
    model : array of str
        The model.
    t : array of float64
        The horizon.
    value, standard_error, low, high : array of float64
        The value with its standard error and the limits of its interval; NaN where there is none.
    cases, controls : array of int64
        How many rows are known to have had the event by then, and how many not.
    confidence_level : float
        Of each interval, or of all horizons of a model together.
    simultaneous : bool
        Whether the level is that of all horizons of a model together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, {"index": data.index, "marker": data.marker}, [365, 1095])
    >>> found.measure("roc_auc")
    roc_auc over time, 95% intervals at each horizon
      t = 365    index   0.774 (0.727 to 0.815)  128 cases
                 marker  0.692 (0.639 to 0.741)  128 cases
      t = 1,095  index   0.753 (0.713 to 0.789)  269 cases
                 marker  0.686 (0.643 to 0.725)  269 cases
    """

    metric: str
    model: NDArray[Any]
    t: FloatArray
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    cases: NDArray[np.int64]
    controls: NDArray[np.int64]
    confidence_level: float
    simultaneous: bool

    @property
    def models(self) -> list[str]:
        """The models, in the order they were given."""
        return list(dict.fromkeys(self.model.tolist()))

    def of(self, model: str) -> BoolArray:
        """Return which elements are those of a model.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, {"index": data.index}, [365, 1095]).measure("brier")
        >>> found.of("index")
        array([ True,  True])
        """
        return np.asarray(self.model == model)

    def __repr__(self) -> str:
        what = "for all horizons together" if self.simultaneous else "at each horizon"
        width, most = max(map(len, self.models)), max(len(f"t = {t:,g}") for t in self.t)
        wide = len(f"{self.cases.max():,}")
        lines = [f"{self.metric} over time, {self.confidence_level * 100:g}% intervals {what}"]
        for t in dict.fromkeys(self.t.tolist()):
            for i, model in enumerate(self.models):
                j = int(np.flatnonzero((self.t == t) & (self.model == model))[0])
                shown, *limits = beside_interval(self.low[j], self.high[j], self.value[j])
                if np.isnan(self.low[j]):
                    shown, limits = f"{self.value[j]:.4f}", ["no interval"]
                begin = f"t = {t:,g}" if i == 0 else ""
                ends = " to ".join(limits)
                lines.append(f"  {begin:<{most}}  {model:<{width}}  {shown} ({ends})  {self.cases[j]:>{wide},} cases")
        return "\n".join(lines)


@value(repr=False)
class TimeSummary(Presented):
    """One number for the whole time, for each model: element i of every array is one model.

    Attributes
    ----------
    metric : {"mean_roc_auc", "concordance"}
        The mean of the ROC areas over the horizons, weighted by when events come; or Uno's C.
    model : array of str
        The model.
    value, standard_error, low, high : array of float64
        The value with its standard error and the limits of its interval.
    until : float
        The last horizon, or the time up to which events count.
    confidence_level : float
        Of each interval.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, {"index": data.index}, [365, 730, 1095])
    >>> found.mean_roc_auc()
    mean_roc_auc until 1,095, 95% intervals
      index  0.757 (0.720 to 0.792)
    """

    metric: str
    model: NDArray[Any]
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    until: float
    confidence_level: float

    def __repr__(self) -> str:
        width = max(map(len, self.model.tolist()))
        lines = [f"{self.metric} until {self.until:,g}, {self.confidence_level * 100:g}% intervals"]
        for i, model in enumerate(self.model.tolist()):
            shown, low, high = beside_interval(self.low[i], self.high[i], self.value[i])
            lines.append(f"  {model:<{width}}  {shown} ({low} to {high})")
        return "\n".join(lines)


@value(repr=False)
class OverTimeComparison(Presented):
    """Differences between models on the same rows: element i of every array is one pair at one horizon.

    Attributes
    ----------
    metric : str
        What was compared.
    a, b : array of str
        The models of the pair.
    t : array of float64
        The horizon; for numbers of the whole time the last one.
    difference, low, high : array of float64
        The value of a less that of b, with its two-sided interval.
    pvalue, pvalue_adjusted : array of float64
        Of no difference; adjusted by Holm's method for all pairs and horizons.
    confidence_level : float
        Of each interval.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, {"index": data.index, "marker": data.marker}, [365, 1095])
    >>> found.compare("roc_auc")
    Differences of roc_auc, 95% intervals
      t = 365    index - marker: +0.082 (+0.043 to +0.121), p = 3.79e-05, adjusted 7.57e-05
      t = 1,095  index - marker: +0.067 (+0.034 to +0.101), p = 8.12e-05, adjusted 8.12e-05
    """

    metric: str
    a: NDArray[Any]
    b: NDArray[Any]
    t: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray
    pvalue_adjusted: FloatArray
    confidence_level: float

    def __repr__(self) -> str:
        most = max(len(f"t = {t:,g}") for t in self.t)
        lines = [f"Differences of {self.metric}, {self.confidence_level * 100:g}% intervals"]
        for i, t in enumerate(self.t.tolist()):
            begin = f"t = {t:,g}"
            more = f", adjusted {self.pvalue_adjusted[i]:.3g}" if self.t.size > 1 else ""
            change, low, high = beside_interval(self.low[i], self.high[i], self.difference[i], sign="+")
            lines.append(
                f"  {begin:<{most}}  {self.a[i]} - {self.b[i]}: {change} "
                f"({low} to {high}), p = {self.pvalue[i]:.3g}{more}"
            )
        return "\n".join(lines)
