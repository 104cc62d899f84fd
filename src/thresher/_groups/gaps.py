"""Groups one by one: the interval of each, and the gaps between them, for few groups with many rows each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from thresher._cells.gaps import LimitsAt, largest_gap
from thresher._compare import compare_unpaired, holm
from thresher._core.checks import check_choice, check_confidence_level, held_warnings, show, warn
from thresher._core.digits import beside_interval
from thresher._core.presented import Noted, OfMeasure, Presented, Row
from thresher._core.random_streams import Rng
from thresher._core.result_bases import Drawn, Numeric
from thresher._core.values import value
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Estimate, Measure, lacks
from thresher.typing import FloatArray

_ADJUST = ("none", "bonferroni")

T = TypeVar("T")


@value
class GroupValue(Presented):
    """The metric in one group, with its interval.

    Attributes
    ----------
    group : str
        Its name.
    n_pos, n_neg : float
        Its rows.
    value, low, high : float
        The value and the limits of its interval.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals()
    >>> found["odd"].n_pos, round(found["odd"].value, 3)
    (86, 0.86)
    """

    group: str
    n_pos: float
    n_neg: float
    value: float
    low: float
    high: float


@value(repr=False)
class GroupIntervals(Drawn, Noted, OfMeasure, Presented):
    """The metric in every group with its interval.

    Attributes
    ----------
    values : tuple of GroupValue
        In the order of the groups.
    measure : Measure
        What was computed; `metric` and `options` are read from it.
    confidence_level : float
        Of each interval; with ``adjust="bonferroni"`` of all of them together.
    adjust : {"none", "bonferroni"}
        Whether the level holds for each group alone or for all together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals()
    roc_auc by group, 95% intervals
      even  0.898 (0.848 to 0.937)
      odd   0.860 (0.804 to 0.905)
    """

    _records = "values"
    _display = "ForestDisplay"

    values: tuple[GroupValue, ...]
    measure: Measure
    confidence_level: float
    adjust: str
    _notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def _facts(self) -> Row:
        names = ("metric", "options", "confidence_level", "adjust")
        return {name: getattr(self, name) for name in names}

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        return self.measure.described(), [(one.group, one.value, one.low, one.high) for one in self.values], None

    def __getitem__(self, group: object) -> GroupValue:
        return _named(self.values, {"group": str(group)})

    def __iter__(self) -> Iterator[GroupValue]:
        return iter(self.values)

    def __repr__(self) -> str:
        width = max(len(one.group) for one in self.values)
        together = ", all together" if self.adjust != "none" else ""
        lines = [f"{self.measure.described()} by group, {self.confidence_level * 100:g}% intervals{together}"]
        for one in self.values:
            found, low, high = beside_interval(one.low, one.high, one.value)
            lines.append(f"  {one.group:<{width}}  {found} ({low} to {high})")
        return "\n".join(lines)


@value
class Gap(Presented):
    """The difference between two groups, the first minus the second.

    Attributes
    ----------
    a, b : str
        The groups.
    difference, low, high : float
        The gap with its two-sided interval.
    pvalue, pvalue_adjusted : float
        Of no gap; adjusted for all gaps by Holm's method.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> gap = th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps()["even", "odd"]
    >>> round(gap.difference, 3), gap.low < 0 < gap.high
    (0.039, True)
    """

    a: str
    b: str
    difference: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float


@value(repr=False)
class LargestGap(Numeric, Presented):
    """The largest difference between two groups, with an interval that accounts for its selection.

    Attributes
    ----------
    value : float
        The highest value of a group minus the lowest. It is biased upwards: groups that are equal differ by chance.
    low, high : float
        Limits of the largest gap of the populations. 0 is inside unless the groups are shown to differ.
    a, b : str
        The groups with the highest and the lowest value.
    confidence_level : float
        Of the interval.

    Notes
    -----
    The upper limit is the largest upper limit of any pair, not adjusted: the largest gap is that of one fixed pair. The
    lower limit is that of all pairs at once, with the limits of single groups at the tail of the studentised range.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> gaps = th.by_group(data.y_true, data.tree, (["a", "b", "c"] * 599)).gaps()
    >>> gaps.largest.low
    0.0
    """

    value: float
    low: float
    high: float
    a: str
    b: str
    confidence_level: float

    def __repr__(self) -> str:
        found, low, high = beside_interval(self.low, self.high, self.value)
        level = f"{self.confidence_level * 100:g}% interval"
        return f"largest gap {found}, {level} {low} to {high} ({self.a} and {self.b})"


@value(repr=False)
class GroupGaps(Drawn, Noted, OfMeasure, Presented):
    """The gaps between groups.

    Attributes
    ----------
    gaps : tuple of Gap
        Every pair of groups, or every group against the reference.
    measure : Measure
        What was compared; `metric` and `options` are read from it.
    method : str
        By which test.
    confidence_level : float
        Of each interval.
    reference : str or None
        The group against which the others stand.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps()
    Gaps of roc_auc by mover, 95% intervals
      even - odd: +0.039 (-0.029 to +0.107), p = 0.256
    """

    _records = "gaps"
    _display = "ForestDisplay"

    gaps: tuple[Gap, ...]
    measure: Measure
    method: str
    confidence_level: float
    reference: str | None
    largest: LargestGap
    _notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def _facts(self) -> Row:
        names = ("metric", "options", "method", "confidence_level", "reference")
        return {name: getattr(self, name) for name in names} | {"largest": self.largest.to_dict()}

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        rows = [(f"{one.a} \N{MINUS SIGN} {one.b}", one.difference, one.low, one.high) for one in self.gaps]
        if len(rows) > 1:
            rows.append(("largest gap", self.largest.value, self.largest.low, self.largest.high))
        return f"Gap of {self.measure.described()}", rows, 0.0

    def __getitem__(self, pair: tuple[object, object]) -> Gap:
        return _named(self.gaps, {"a": str(pair[0]), "b": str(pair[1])})

    def __iter__(self) -> Iterator[Gap]:
        return iter(self.gaps)

    def __repr__(self) -> str:
        lines = [f"Gaps of {self.measure.described()} by {self.method}, {self.confidence_level * 100:g}% intervals"]
        for gap in self.gaps:
            adjusted = f", adjusted {gap.pvalue_adjusted:.3g}" if len(self.gaps) > 1 else ""
            change, low, high = beside_interval(gap.low, gap.high, gap.difference, sign="+")
            lines.append(f"  {gap.a} - {gap.b}: {change} ({low} to {high}), p = {gap.pvalue:.3g}{adjusted}")
        if len(self.gaps) > 1:
            lines.append(f"  {self.largest!r}")
        return "\n".join(lines)


def group_intervals(
    tables: Mapping[str, Scores],
    measure: Measure,
    *,
    confidence_level: float,
    method: str | None,
    adjust: str,
    rng: Rng,
) -> GroupIntervals:
    """Return every group's value with its interval; the whole range if a group is too small for one."""
    level = check_confidence_level(confidence_level)
    how = check_choice(adjust, "adjust", _ADJUST)
    each = level if how == "none" else 1.0 - (1.0 - level) / len(tables)
    values = []
    for name, table in tables.items():
        estimate = measure.estimate(table)
        values.append(
            GroupValue(name, table.n_pos, table.n_neg, estimate.value, *group_limits(estimate, each, method, rng))
        )
    return GroupIntervals(tuple(values), measure, level, how)


def group_limits(estimate: Estimate, level: float, method: str | None, rng: Rng) -> tuple[float, float]:
    """Return the limits of one group; the whole range if it is too small for any."""
    try:
        low, high = estimate.confidence_interval(level, method=method, rng=rng)
    except UndefinedMetricError as error:
        warn(f"A group has no interval, so it is the whole range: {error}")
        return estimate.measure.bounds
    return low, high


def group_gaps(
    tables: Mapping[str, Scores],
    measure: Measure,
    *,
    reference: object,
    confidence_level: float,
    method: str | None,
    n_resamples: int,
    rng: Rng,
) -> GroupGaps:
    """Return the gaps between groups, which are independent samples unless they share clusters."""
    level = check_confidence_level(confidence_level)
    against = None if reference is None else str(reference)
    if against is not None and against not in tables:
        raise InvalidInputError(
            f"`reference` must be one of the groups; got {show(reference)}. "
            f"Hint: they are {', '.join(map(show, list(tables)[:10]))}."
        )
    if len(tables) < 2:
        raise InvalidInputError(
            f"Gaps need at least 2 groups in which {measure.title!r} is defined; got {len(tables)}."
        )
    asked = list(combinations(tables, 2)) if against is None else [(one, against) for one in tables if one != against]
    how: dict[str, Any] = {
        "metric": measure,
        "method": method,
        "confidence_level": level,
        "n_resamples": n_resamples,
        "rng": rng,
    }
    found = [compare_unpaired(tables[a], tables[b], names=(a, b), **how) for a, b in asked]
    adjusted = holm([one.pvalue for one in found])
    gaps = tuple(
        Gap(a, b, one.difference, one.low, one.high, one.pvalue, p)
        for (a, b), one, p in zip(asked, found, adjusted, strict=True)
    )
    return GroupGaps(gaps, measure, found[0].method, level, against, _largest(tables, measure, level, rng))


def _largest(tables: Mapping[str, Scores], measure: Measure, level: float, rng: Rng) -> LargestGap:
    """Return the largest gap; only its lower limit is adjusted for the number of pairs."""
    names = list(tables)
    given, limits = values_and_limits(tables, measure, rng)
    found = largest_gap([(given, limits)], tail=(1.0 - level) / 2.0)
    values = given.tolist()
    if len(names) > 1 and any(map(math.isinf, values)):  # no lower limit holds for an infinite value
        most, least = values.index(max(values)), values.index(min(values))
        apart = 0.0 if values[most] == values[least] else math.inf
        return LargestGap(apart, 0.0, measure.reach, names[most], names[least], level)
    if found.largest < 0:
        return LargestGap(math.nan, 0.0, measure.reach, "", "", level)
    high = min(found.high, measure.reach)
    return LargestGap(found.value, found.low, high, names[found.largest], names[found.smallest], level)


def values_and_limits(tables: Mapping[str, Scores], measure: Measure, rng: Rng) -> tuple[FloatArray, LimitsAt]:
    """Return the value of each segment, NaN without one, and the limits of all at a tail."""
    with held_warnings():
        estimates = [None if lacks(measure, one) else measure.estimate(one) for one in tables.values()]
    values = np.array([math.nan if one is None else one.value for one in estimates])

    def limits(tail: float) -> tuple[FloatArray, FloatArray]:
        nothing = measure.bounds
        with held_warnings():
            each: list[Any] = [
                nothing if one is None else group_limits(one, 1.0 - 2.0 * tail, None, rng) for one in estimates
            ]
        ends = np.array(each, dtype=np.float64)
        return ends[:, 0], ends[:, 1]

    return values, limits


def _named(parts: tuple[T, ...], wanted: dict[str, str]) -> T:
    for one in parts:
        if all(getattr(one, key) == text for key, text in wanted.items()):
            return one
    raise KeyError(*wanted.values())
