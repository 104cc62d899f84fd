"""Groups one by one: the interval of each, and the gaps between them, for few groups with many rows each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TypeVar

from thresher._compare import compare_unpaired, holm
from thresher._core.checks import check_choice, check_confidence_level, show
from thresher._core.presented import Presented
from thresher._core.random_streams import Rng
from thresher._core.values import value
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure

__all__ = ["Gap", "GroupFigure", "GroupGaps", "GroupIntervals", "group_gaps", "group_intervals"]

_ADJUST = ("none", "bonferroni")

T = TypeVar("T")


@value
class GroupFigure(Presented):
    """The figure of one group, with its interval.

    Attributes
    ----------
    group : str
        Its name.
    n_pos, n_neg : float
        Its rows.
    value, low, high : float
        The figure and the ends of its interval.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.sklearn import by_group
    >>> data = th.datasets.load_digits_eight()
    >>> found = by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals()
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
class GroupIntervals(Presented):
    """The figure of every group with its interval.

    Attributes
    ----------
    figures : tuple of GroupFigure
        In the order of the groups.
    metric : str
        What was computed.
    confidence_level : float
        Of each interval; with ``adjust="bonferroni"`` of all of them together.
    adjust : {"none", "bonferroni"}
        Whether the level holds for each group alone or for all together.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.sklearn import by_group
    >>> data = th.datasets.load_digits_eight()
    >>> by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals()
    roc_auc by group, 95 % intervals
      even  0.8985 (0.8437 to 0.9399)
      odd   0.8598 (0.7963 to 0.9062)
    """

    _records = "figures"

    figures: tuple[GroupFigure, ...]
    metric: str
    confidence_level: float
    adjust: str

    def __getitem__(self, group: object) -> GroupFigure:
        return _named(self.figures, {"group": str(group)})

    def __iter__(self) -> Iterator[GroupFigure]:
        return iter(self.figures)

    def __repr__(self) -> str:
        width = max(len(one.group) for one in self.figures)
        together = ", all together" if self.adjust != "none" else ""
        lines = [f"{self.metric} by group, {self.confidence_level * 100:g} % intervals{together}"]
        lines += [f"  {one.group:<{width}}  {one.value:.4f} ({one.low:.4f} to {one.high:.4f})" for one in self.figures]
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
    >>> from thresher.sklearn import by_group
    >>> data = th.datasets.load_digits_eight()
    >>> gap = by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps()["even", "odd"]
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
class GroupGaps(Presented):
    """The gaps between groups.

    Attributes
    ----------
    gaps : tuple of Gap
        Every pair of groups, or every group against the reference.
    metric, method : str
        What was compared, by which test.
    confidence_level : float
        Of each interval.
    reference : str or None
        The group against which the others stand.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.sklearn import by_group
    >>> data = th.datasets.load_digits_eight()
    >>> by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps()
    Gaps of roc_auc by delong, 95 % intervals
      even - odd: +0.0387 (-0.0274 to +0.1048), p = 0.251
    """

    _records = "gaps"

    gaps: tuple[Gap, ...]
    metric: str
    method: str
    confidence_level: float
    reference: str | None

    @property
    def widest(self) -> Gap:
        """The gap with the largest difference, whichever of the two is ahead."""
        return max(self.gaps, key=lambda gap: abs(gap.difference))

    def __getitem__(self, pair: tuple[object, object]) -> Gap:
        return _named(self.gaps, {"a": str(pair[0]), "b": str(pair[1])})

    def __iter__(self) -> Iterator[Gap]:
        return iter(self.gaps)

    def __repr__(self) -> str:
        lines = [f"Gaps of {self.metric} by {self.method}, {self.confidence_level * 100:g} % intervals"]
        for gap in self.gaps:
            adjusted = f", adjusted {gap.pvalue_adjusted:.3g}" if len(self.gaps) > 1 else ""
            ends = f"({gap.low:+.4f} to {gap.high:+.4f})"
            lines.append(f"  {gap.a} - {gap.b}: {gap.difference:+.4f} {ends}, p = {gap.pvalue:.3g}{adjusted}")
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
    """Return every group's figure with its interval; NaN where a group is too small for one."""
    level = check_confidence_level(confidence_level)
    how = check_choice(adjust, "adjust", _ADJUST)
    each = level if how == "none" else 1.0 - (1.0 - level) / len(tables)
    figures = []
    for name, table in tables.items():
        estimate = measure.estimate(table)
        low, high = estimate.confidence_interval(each, method=method, rng=rng)
        figures.append(GroupFigure(name, table.n_pos, table.n_neg, estimate.value, low, high))
    return GroupIntervals(tuple(figures), measure.title, level, how)


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
    """Return the gaps between groups, which are independent samples."""
    level = check_confidence_level(confidence_level)
    against = None if reference is None else str(reference)
    if against is not None and against not in tables:
        raise InvalidInputError(
            f"`reference` must be one of the groups; got {show(reference)}. "
            f"Hint: they are {', '.join(map(show, list(tables)[:10]))}."
        )
    if len(tables) < 2:
        raise InvalidInputError(f"Gaps need at least 2 groups with both classes; got {len(tables)}.")
    asked = list(combinations(tables, 2)) if against is None else [(one, against) for one in tables if one != against]
    found = [
        compare_unpaired(
            tables[a],
            tables[b],
            names=(a, b),
            metric=measure,
            method=method,
            confidence_level=level,
            n_resamples=n_resamples,
            rng=rng,
        )
        for a, b in asked
    ]
    adjusted = holm([one.pvalue for one in found])
    gaps = tuple(
        Gap(a, b, one.difference, one.low, one.high, one.pvalue, p)
        for (a, b), one, p in zip(asked, found, adjusted, strict=True)
    )
    return GroupGaps(gaps, measure.title, found[0].method, level, against)


def _named(parts: tuple[T, ...], wanted: dict[str, str]) -> T:
    for one in parts:
        if all(getattr(one, key) == text for key, text in wanted.items()):
            return one
    raise KeyError(*wanted.values())
