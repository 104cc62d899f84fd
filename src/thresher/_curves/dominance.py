"""Which of two curves is on or above the other, and where.

One verdict serves ROC and PR space: for a fixed class balance a curve dominates in one if and only if it does in the
other (Theorem 3.2 of Davis and Goadrich 2006).
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import MOST_EXACT
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._curves.curve import Curve
from thresher._curves.roc import roc_curve
from thresher._table import Counts
from thresher.exceptions import InvalidTypeError

_SURE = 1e-11


@value
class Crossing(Presented):
    """A point at which two curves cross, in rates.

    Examples
    --------
    >>> import thresher as th
    >>> verdict = th.dominates(th.Scores([1, 0, 0, 1], [4, 3, 2, 1]), th.Scores([0, 1, 1, 0], [4, 3, 2, 1]))
    >>> [(point.fpr, point.tpr) for point in verdict.crossings]
    [(0.5, 0.5)]
    """

    fpr: float
    tpr: float

    @property
    def recall(self) -> float:
        """The same as `tpr`."""
        return self.tpr


@value
class Region(Presented):
    """A range of FPR or recall and the higher curve in it: ``"a"``, ``"b"``, or ``"equal"``.

    Examples
    --------
    >>> import thresher as th
    >>> verdict = th.dominates(th.Scores([1, 0, 0, 1], [4, 3, 2, 1]), th.Scores([0, 1, 1, 0], [4, 3, 2, 1]))
    >>> for region in verdict.recall_regions:
    ...     print(f"recall {region.low:.2f} to {region.high:.2f}: {region.leader}")
    recall 0.00 to 0.50: a
    recall 0.50 to 1.00: b
    """

    low: float
    high: float
    leader: str


@value
class Dominance(Presented):
    """The comparison of two curves.

    Parameters
    ----------
    verdict : {"a", "b", "equal", "neither"}
        The one that is nowhere below the other.
    crossings : tuple of Crossing
        Where the lead changes, from low to high FPR.
    fpr_regions, recall_regions : tuple of Region
        Which curve is higher in which range. In PR space the recall regions hold as they are.
    names : tuple of str
        The names of the two in the printed verdict.

    The object is true when `a` dominates or equals `b`.

    Examples
    --------
    >>> import thresher as th
    >>> verdict = th.dominates(th.Scores([1, 0, 0, 1], [4, 3, 2, 1]), th.Scores([0, 1, 1, 0], [4, 3, 2, 1]))
    >>> verdict.verdict, bool(verdict)
    ('neither', False)
    >>> verdict.crossings
    (Crossing(fpr=0.5, tpr=0.5),)
    """

    _records = "fpr_regions"

    verdict: str
    crossings: tuple[Crossing, ...]
    fpr_regions: tuple[Region, ...]
    recall_regions: tuple[Region, ...]
    names: tuple[str, str] = field(default=("a", "b"), compare=False)

    def __bool__(self) -> bool:
        return self.verdict in ("a", "equal")

    def __repr__(self) -> str:
        a, b = self.names
        said = {
            "a": f"{a} dominates {b}",
            "b": f"{b} dominates {a}",
            "equal": "the curves are equal",
            "neither": "neither dominates",
        }[self.verdict]
        lines = [f"Dominance: {said} (in ROC and in PR space alike)"]
        for crossing in self.crossings[:3]:
            lines.append(f"  they cross at FPR {crossing.fpr:.4g}, recall {crossing.tpr:.4g}")
        if len(self.crossings) > 3:
            lines.append(f"  and at {len(self.crossings) - 3} more points")
        return "\n".join(lines)


def dominates(a: Counts | Curve, b: Counts | Curve) -> Dominance:
    """Compare two curves over the whole range.

    Parameters
    ----------
    a, b : Scores, RocCurve or PrCurve
        Of the same data or of others; rates are compared, so that class totals may differ.

    Returns
    -------
    Dominance
        Decided in integer arithmetic for counts, to within rounding for weights.

    Examples
    --------
    >>> import thresher as th
    >>> y = [1, 1, 0, 1, 0, 0]
    >>> a = th.Scores(y, [6, 5, 4, 3, 2, 1])
    >>> b = th.Scores(y, [6, 3, 5, 4, 2, 1])
    >>> th.dominates(a, b)
    Dominance: a dominates b (in ROC and in PR space alike)
    >>> bool(th.dominates(b, a))
    False
    """
    (a_tp, a_fp), (b_tp, b_fp) = _counts_of(a, "a"), _counts_of(b, "b")
    a_x, b_x = _common_units(a_fp, b_fp)
    a_y, b_y = _common_units(a_tp, b_tp)
    fpr_regions, crossings = _sweep((a_x, a_y), (b_x, b_y), sign=1)
    recall_regions, _ = _sweep((a_y, a_x), (b_y, b_x), sign=-1)
    leaders = {region.leader for region in fpr_regions} - {"equal"}
    verdict = "equal" if not leaders else leaders.pop() if len(leaders) == 1 else "neither"
    return Dominance(verdict, crossings, fpr_regions, recall_regions)


def _counts_of(value: object, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    if isinstance(value, Counts):
        value = roc_curve(value)
    if not isinstance(value, Curve):
        raise InvalidTypeError(
            f"`{name}` must be a Scores, RocCurve or PrCurve; got {type(value).__name__}. "
            "Hint: build one with `th.Scores(y_true, y_score)`."
        )
    tp, fp = value.tp, value.fp
    up, right = np.diff(tp) > 0, np.diff(fp) > 0
    # Points inside a vertical or horizontal run change nothing and are most of a long curve.
    turns = ~((~up[:-1] & ~up[1:]) | (~right[:-1] & ~right[1:]))
    kept = np.concatenate(([True], turns, [True]))
    return tp[kept], fp[kept]


def _common_units(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return both columns of counts as multiples of the same unit, so that rates compare as integers."""
    if a.dtype.kind == "i" and b.dtype.kind == "i":
        if a[-1] == b[-1]:
            return a, b
        divisor = int(np.gcd(a[-1], b[-1]))
        a_total, b_total = int(a[-1]) // divisor, int(b[-1]) // divisor
        if int(a[-1]) * b_total < MOST_EXACT:
            return a * b_total, b * a_total
        return a.astype(object) * b_total, b.astype(object) * a_total
    return _aligned(a / a[-1], b / b[-1])


def _aligned(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return float rates in which values that differ by rounding only have become the same value."""
    values = np.sort(np.concatenate((a, b)))
    first = values[np.append(True, np.diff(values) > _SURE)]
    a, b = (first[np.searchsorted(first, part, side="right") - 1] for part in (a, b))
    return a, b


_Path = tuple[NDArray[Any], NDArray[Any]]


def _sweep(a: _Path, b: _Path, sign: int) -> tuple[tuple[Region, ...], tuple[Crossing, ...]]:
    """Walk both paths from left to right and note who leads; `sign` -1 means that the lower value leads."""
    grid = np.unique(np.concatenate((a[0], b[0])))
    right = [_limits(a, grid[:-1], "right"), _limits(b, grid[:-1], "right")]
    left = [_limits(a, grid[1:], "left"), _limits(b, grid[1:], "left")]
    after = sign * _compare(right[0], right[1])
    before = sign * _compare(left[0], left[1])
    scale, top = float(grid[-1]), float(a[1][-1])
    runs: list[tuple[float, str]] = []  # where each starts, and who leads in it
    crossings: list[Crossing] = []
    last_leader = ""
    # Only where something changes is work done in Python.
    leader = np.sign(after + before)
    crossed = after * before < 0
    change = np.append(True, (leader[1:] != leader[:-1]) | crossed[1:] | crossed[:-1])
    for i in np.flatnonzero(change).tolist():
        low = float(grid[i]) / scale
        if crossed[i]:
            x, y = _meeting(right, left, i, grid)
            parts = [(low, after[i], None), (x / scale, before[i], y / top)]
        else:
            parts = [(low, leader[i], None)]
        for start, who, meeting in parts:
            name = ("equal", "a", "b")[int(np.sign(who))]
            if name != "equal":
                if last_leader not in ("", name):
                    crossings.append(Crossing(start, _height(left, i, top) if meeting is None else meeting))
                last_leader = name
            if not runs or runs[-1][1] != name:
                runs.append((start, name))
    # A run ends where the next one starts.
    regions = tuple(Region(low, high, name) for (low, name), (high, _) in pairwise([*runs, (1.0, "")]))
    return regions, tuple(crossings)


_Values = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Start value, distance from the start, width and rise of the segment: value = y0 + dx * rise / width."""


def _limits(path: _Path, at: NDArray[Any], side: str) -> _Values:
    """Return the one-sided limits of a monotone path, as unevaluated fractions."""
    x, y = path
    if side == "right":
        before = np.searchsorted(x, at, side="right") - 1
        after = np.minimum(before + 1, x.size - 1)
    else:
        after = np.searchsorted(x, at, side="left")
        before = np.maximum(after - 1, 0)
        on_point = x[after] == at
        before = np.where(on_point, after, before)
    width = x[after] - x[before]
    flat = width == 0
    one = np.ones_like(width)
    return y[before], at - x[before], np.where(flat, one, width), np.where(flat, 0 * one, y[after] - y[before])


def _compare(a: _Values, b: _Values) -> NDArray[Any]:
    """Return the sign of a - b, by floats where they decide and by integers where they do not."""
    values = [
        part[0].astype(float) + part[1].astype(float) * part[3].astype(float) / part[2].astype(float) for part in (a, b)
    ]
    difference = values[0] - values[1]
    size = np.maximum(np.abs(values[0]), np.abs(values[1])).max(initial=0.0)
    sign: NDArray[Any] = np.sign(difference).astype(np.int64)
    unsure = np.abs(difference) <= _SURE * size
    if a[0].dtype.kind == "f" or b[0].dtype.kind == "f" or a[1].dtype.kind == "f" or b[1].dtype.kind == "f":
        sign[unsure] = 0
        return sign
    for i in np.flatnonzero(unsure & ~_same(a, b)).tolist():
        exact = [_fraction(part, i) for part in (a, b)]
        sign[i] = (exact[0] > exact[1]) - (exact[0] < exact[1])
    sign[_same(a, b)] = 0
    return sign


def _same(a: _Values, b: _Values) -> NDArray[np.bool_]:
    """Return where both fractions are the same number by number, the common case of shared segments."""
    same = np.ones(a[0].size, dtype=np.bool_)
    for left, right in zip(a, b, strict=True):
        same &= np.asarray(left == right, dtype=np.bool_)
    return same


def _fraction(value: _Values, i: int) -> Fraction:
    start, distance, width, rise = (int(part[i]) for part in value)
    return start + Fraction(distance * rise, width)


def _meeting(right: list[_Values], left: list[_Values], i: int, grid: NDArray[Any]) -> tuple[float, float]:
    """Return where two straight pieces meet inside interval i."""
    ends = []
    for values in (right, left):
        ends.append([float(v[0][i]) + float(v[1][i]) * float(v[3][i]) / float(v[2][i]) for v in values])
    gap_before, gap_after = ends[0][0] - ends[0][1], ends[1][0] - ends[1][1]
    share = gap_before / (gap_before - gap_after)
    low, high = float(grid[i]), float(grid[i + 1])
    return low + share * (high - low), ends[0][0] + share * (ends[1][0] - ends[0][0])


def _height(left: list[_Values], i: int, top: float) -> float:
    """Return the height at which a vertical piece carries one path across the other, at the start of interval i."""
    if i == 0:
        return 0.0
    values = [float(v[0][i - 1]) + float(v[1][i - 1]) * float(v[3][i - 1]) / float(v[2][i - 1]) for v in left]
    return max(values) / top
