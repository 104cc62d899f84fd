"""Fairness criteria by name: the largest gap between segments, and the smallest ratio, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from thresher._cells.gaps import CellGap as Extremes
from thresher._cells.gaps import LimitsAt, largest_gap, smallest_ratio
from thresher._core.checks import check_confidence_level, check_number, did_you_mean, show
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import Rng
from thresher._core.result_bases import Drawn, Numeric
from thresher._core.values import value
from thresher._facade import Scores
from thresher._groups.gaps import values_and_limits
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.typing import FloatArray

CRITERIA: Mapping[str, tuple[str, ...]] = {
    "demographic_parity": ("alert_rate",),
    "equal_opportunity": ("recall",),
    "equalised_odds": ("recall", "fpr"),
    "predictive_parity": ("precision",),
}
"""The criteria with the metrics that they require to be equal in all segments."""

_SPELT = {"equalized_odds": "equalised_odds", "statistical_parity": "demographic_parity"}
CRITERION_NAMES = (*CRITERIA, *_SPELT)


@value(repr=False)
class FairnessCriterion(Numeric, Presented):
    """By how much segments differ in what a criterion requires to be equal.

    Attributes
    ----------
    name : str
        The criterion.
    metrics : tuple of str
        What it requires to be equal.
    value, low, high : float
        The largest difference between two segments, in any of the metrics, with its interval. The value is biased
        upwards: segments that are equal differ by chance. The lower limit is above 0 only if a difference is shown.
    ratio, ratio_low, ratio_high : float
        The smallest ratio of two segments, in any of the metrics; NaN if there is none.
    highest, lowest : str
        The two segments of the largest difference.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.by_group(data.y_true, data.tree, ["a", "b", "c"] * 599).fairness(threshold=0.5)
    >>> found["equal_opportunity"].low
    0.0
    """

    name: str
    metrics: tuple[str, ...]
    value: float
    low: float
    high: float
    ratio: float
    ratio_low: float
    ratio_high: float
    highest: str
    lowest: str
    confidence_level: float

    def __repr__(self) -> str:
        name, level = self.name.replace("_", " "), f"{100 * self.confidence_level:g}% interval"
        if math.isnan(self.value):
            return f"{name}: fewer than two segments have a value"
        text = f"{name}: largest gap {self.value:.3f}, {level} {self.low:.3f} to {self.high:.3f}"
        if not math.isnan(self.ratio):
            text += f"; smallest ratio {self.ratio:.3f}, {self.ratio_low:.3f} to {self.ratio_high:.3f}"
        return f"{text} ({self.highest} and {self.lowest})"


@value(repr=False)
class Fairness(Drawn, Presented):
    """Fairness criteria at one threshold.

    Attributes
    ----------
    criteria : tuple of FairnessCriterion
        Demographic parity (predicted positive rates), equal opportunity (recalls), equalised odds (recalls and false
        positive rates) and predictive parity (precisions).
    threshold : float
        At which rows are predicted positive.
    confidence_level : float
        Of each interval.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.by_group(data.y_true, data.tree, ["a", "b", "c"] * 599).fairness(threshold=0.5)
    >>> found["demographic_parity"]
    demographic parity: largest gap 0.020, 95% interval 0.000 to 0.053; smallest ratio 0.793, 0.540 to 1.000 (c and a)
    """

    _records = "criteria"
    _display = "ForestDisplay"

    criteria: tuple[FairnessCriterion, ...]
    threshold: float
    confidence_level: float

    def __getitem__(self, name: str) -> FairnessCriterion:
        wanted = _SPELT.get(name, name)
        for one in self.criteria:
            if one.name == wanted:
                return one
        raise InvalidInputError(
            f"The criterion must be one of {', '.join(map(repr, CRITERIA))}; got {show(name)}."
            f"{did_you_mean(name, CRITERIA) if isinstance(name, str) else ''}"
        )

    def __iter__(self) -> Iterator[FairnessCriterion]:
        return iter(self.criteria)

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        rows = [(one.name.replace("_", " "), one.value, one.low, one.high) for one in self.criteria]
        return f"Largest gap at threshold {self.threshold:g}", rows, 0.0

    def _facts(self) -> Row:
        return {"threshold": self.threshold, "confidence_level": self.confidence_level}

    def __repr__(self) -> str:
        return "\n".join([f"Fairness at threshold {self.threshold:g}", *(f"  {one!r}" for one in self.criteria)])


def fairness(
    tables: Mapping[str, Scores], measure: Measure, *, threshold: float | None, confidence_level: float, rng: Rng
) -> Fairness:
    """Return the criteria for the rows of all segments, at the threshold given or that of the measure."""
    level = check_confidence_level(confidence_level)
    cut = measure.cut if threshold is None else check_number(threshold, "threshold")
    if cut is None:
        raise InvalidInputError(
            f"`threshold` must say which rows are predicted positive; got none, and {measure.title!r} has none. "
            "Hint: `.fairness(threshold=0.5)`."
        )
    if len(tables) < 2:
        raise InvalidInputError(f"Fairness needs at least 2 segments to compare; got {len(tables)}. Hint: check `by`.")
    found = [_criterion(tables, name, metrics, cut, level, rng) for name, metrics in CRITERIA.items()]
    return Fairness(tuple(found), cut, level)


def _criterion(
    tables: Mapping[str, Scores], name: str, metrics: tuple[str, ...], cut: float, level: float, rng: Rng
) -> FairnessCriterion:
    tail = (1.0 - level) / 2.0
    parts = [values_and_limits(tables, as_measure(metric, threshold=cut), rng) for metric in metrics]
    gap = largest_gap(parts, tail=tail)
    ratios = [_ratio(values, limits, tail, tail / len(parts)) for values, limits in parts]
    ratio = min(ratios, key=lambda one: one.value)
    names = ["", *tables]
    return FairnessCriterion(
        name,
        metrics,
        gap.value,
        gap.low,
        min(gap.high, 1.0) if gap.largest >= 0 else 1.0,
        ratio.value,
        min(one.low for one in ratios),
        min(one.high for one in ratios),
        names[gap.largest + 1],
        names[gap.smallest + 1],
        level,
    )


def _ratio(values: FloatArray, limits: LimitsAt, tail: float, upper_tail: float) -> Extremes:
    """Return the smallest ratio; its upper limit has to hold in all metrics of a criterion at once."""
    if np.isfinite(values).sum() < 2 or not np.nanmax(values) > 0.0:
        return Extremes(math.nan, 0.0, 1.0, -1, -1)
    one = smallest_ratio(values, limits, tail=tail)
    return one._replace(high=smallest_ratio(values, limits, tail=upper_tail).high)
