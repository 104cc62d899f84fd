"""What each case adds to each class against the rest and to each pair of classes, from which averages are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._compare.combined_estimate import CombinedEstimate, JointAreas, correlations
from thresher._compare.paired_rows import own_influence
from thresher._core import native
from thresher._core.checks import show, warn
from thresher._inference.sampling import Cases, Moments, Stratum, satterthwaite_df, strata_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure, PrAuc, RocAuc
from thresher.typing import BoolArray, FloatArray

MOST_VALUES = 2**27
"""So many values of cases are held at once: a GiB."""
FEW = 10
FEW_FOR_PRECISION = 30
_MUCH = 0.25


class Frame(NamedTuple):
    """The cases of a problem, rows or clusters of them, with their sampling weights and true classes."""

    cases: Cases
    weight: FloatArray | None
    kind: NDArray[np.intp] | None
    """None with clusters and for labels that do not exclude each other."""

    @property
    def plain(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.weight is None and self.cases.of_row is None

    @property
    def each(self) -> FloatArray | float:
        """The weight of each row."""
        return 1.0 if self.weight is None else self.weight

    def worth(self, members: BoolArray) -> float:
        """Return how many cases of equal weight some rows are worth."""
        if self.cases.of_row is not None:
            return float(np.unique(self.cases.of_row[members]).size)
        if self.weight is None:
            return float(np.count_nonzero(members))
        own = self.weight[members]
        return float(own.sum() ** 2 / (own**2).sum()) if own.size else 0.0

    def summed(self, rows: FloatArray) -> FloatArray:
        """Return values of rows added by case."""
        if self.cases.of_row is None:
            return rows
        return np.bincount(self.cases.of_row, rows, self.cases.size).astype(np.float64, copy=False)

    @property
    def factor(self) -> float:
        """The factor n / (n - 1) of means over all cases."""
        size = float(self.cases.size)
        if self.cases.of_row is None and self.weight is not None:
            size = self.worth(np.ones(self.weight.size, dtype=np.bool_))
        return size / (size - 1.0) if size > 1.0 else math.nan

    def _sizes(self, kind: NDArray[np.intp]) -> list[float]:
        """Return how many cases of equal weight each kind is worth."""
        if self.weight is None:
            return [float(one) for one in np.bincount(kind)]
        sums = [np.bincount(kind, one) for one in (self.weight, self.weight**2)]
        return [float(one) for one in sums[0] ** 2 / np.maximum(sums[1], 1e-300)]

    def strata(self, matrix: FloatArray, most: int = 2**22) -> tuple[Stratum, ...]:
        """Return the strata of a matrix of values of cases, the rarest kinds each for themselves."""
        if self.kind is None:
            return strata_of(matrix, None, (float(self.cases.size),))
        kind = self.kind
        sizes = self._sizes(kind)
        room = max(most // max(matrix.shape[1] ** 2, 1), 2)
        if len(sizes) > room:
            # Many classes of many cases: those with the fewest limit the degrees of freedom.
            order = np.argsort(sizes, kind="stable")
            code = np.full(len(sizes), room - 1)
            code[order[: room - 1]] = np.arange(room - 1)
            kind = code[kind]
            sizes = [sizes[i] for i in order[: room - 1]] + [math.fsum(sizes[i] for i in order[room - 1 :])]
        return tuple(one for one in strata_of(matrix, kind, sizes) if one.size > 0.0)


@dataclass(frozen=True)
class ClassValues:
    """A metric of each class against the rest, and what each side is worth in cases."""

    values: FloatArray
    columns: FloatArray
    """What each case (rows) adds to each class (columns); NaN for a class whose spread is not known."""
    n_pos: FloatArray
    n_neg: FloatArray

    @cached_property
    def covariance(self) -> FloatArray:
        """Of the classes, the sums of products of their columns."""
        return np.asarray(self.columns.T @ self.columns)


def class_areas(frame: Frame, scores: NDArray[Any], labels: NDArray[Any], part: slice) -> ClassValues | None:
    """Return the ROC areas of some classes by the compiled kernel, all of them at once; None if it does not apply.

    `labels` holds the class of each row, or is a matrix of truth values.
    """
    if not (frame.plain and native.available() and native.takes(scores)):
        return None
    columns, counts = native.class_values(scores, labels, part.start, part.stop)
    values = []
    for n_pos, n_neg, twice_u in counts.tolist():
        if not (n_pos and n_neg):
            return None  # refused by name
        values.append(twice_u / (2 * n_pos * n_neg))
    sizes = counts[:, :2].astype(np.float64)
    columns[sizes.min(axis=1) <= 1.0] = math.nan
    return ClassValues(np.array(values), columns.T, sizes[:, 0], sizes[:, 1])


def one_class(
    measure: Measure, frame: Frame, positive: BoolArray, scores: NDArray[Any], name: str
) -> tuple[float, FloatArray]:
    """Return the value of a class against the rest and what each case adds; NaN where one case is all there is."""
    table = Counts(positive, scores, sample_weight=frame.weight)
    value = value_of(measure, table, name)
    if min(frame.worth(positive), frame.worth(~positive)) <= 1.0:
        return value, np.full(frame.cases.size, math.nan)
    influence, odds = own_influence(measure, table, np.ascontiguousarray(scores), positive, plain=frame.weight is None)
    return value, frame.cases.values(influence, positive, frame.weight, odds=odds)


def value_of(measure: Measure, table: Counts, name: str) -> float:
    """Return the value of a table; one that is not defined is refused, with the name of the class."""
    try:
        found = measure.estimate(table).value
    except UndefinedMetricError as error:
        raise UndefinedMetricError(f"{name}: {error}") from None
    if not math.isfinite(found):
        raise UndefinedMetricError(f"{name}: {measure.title!r} must be finite; it is {found:g}.")
    return found


def combined(
    name: str,
    value: float,
    column: FloatArray,
    frame: Frame,
    bounds: tuple[float, float],
    *,
    difference: bool = False,
    joint: JointAreas | None = None,
    strata: Sequence[Stratum] | None = None,
) -> CombinedEstimate:
    """Return an average, or a difference of two, from what each case adds to it."""
    variance = float(column @ column)
    if strata is None and math.isfinite(variance):
        strata = frame.strata(column[:, None])
    df = satterthwaite_df(variance, strata or (), np.ones(1)) if strata else math.inf
    if difference:
        reach = bounds[1] - bounds[0]
        bounds = (-reach, reach)
    finite = math.isfinite(bounds[0]) and math.isfinite(bounds[1])
    scale = "wider" if joint is not None else "logit" if finite and not difference else "plain"
    null = 0.0 if difference else math.nan
    return CombinedEstimate(name, value, math.sqrt(variance), df, scale, null, bounds, joint)


def joint_areas(measure: Measure, found: ClassValues, weights: FloatArray) -> JointAreas | None:
    """Return what a mean of ROC areas needs for limits that hold near 1; None for other metrics."""
    if measure != RocAuc():
        return None
    return JointAreas(weights, found.values, found.n_pos, found.n_neg, correlations(found.covariance))


def refuse_without(members: FloatArray, labels: tuple[Any, ...], what: str) -> None:
    """Refuse classes without cases."""
    missing = np.flatnonzero(members == 0.0)
    if missing.size:
        raise InvalidInputError(
            f"{what} needs cases of every class; {labels[int(missing[0])]!r} has none. Hint: leave its column out."
        )


Blocks = Callable[[slice], ClassValues]


def blocks_of(cases: int, classes: int) -> Iterator[slice]:
    """Return parts of the classes whose values fit into half of the memory."""
    step = max(MOST_VALUES // (2 * max(cases, 1)), 1)
    for first in range(0, classes, step):
        yield slice(first, min(first + step, classes))


def added(of: Blocks, cases: int, weights: FloatArray) -> tuple[ClassValues, FloatArray]:
    """Return the values of all classes without columns, and the weighted sum of their columns."""
    total = np.zeros(cases)
    found = []
    for part in blocks_of(cases, weights.size):
        block = of(part)
        total += block.columns @ weights[part]
        found.append((block.values, block.n_pos, block.n_neg))
    values, n_pos, n_neg = (np.concatenate(one) for one in zip(*found, strict=True))
    return ClassValues(values, np.empty((0, values.size)), n_pos, n_neg), total


def block_moments(
    of: Blocks, cases: int, sides: Callable[[int], BoolArray] | None, classes: int
) -> tuple[ClassValues, Moments]:
    """Return the values of all classes and their covariance, block by block of the matrix.

    Degrees of freedom are those of each side of each class, or without `sides` of all cases.
    """
    covariance = np.zeros((classes, classes))
    strata: list[Stratum] = []
    found = []
    parts = list(blocks_of(cases, classes))
    for i, part in enumerate(parts):
        block = of(part)
        found.append((block.values, block.n_pos, block.n_neg))
        covariance[part, part] = block.covariance
        for j in range(part.start, part.stop if sides is not None else part.start):
            column = block.columns[:, j - part.start]
            own = column[sides(j)] if sides is not None else column
            positive = float(own @ own)
            rest = max(float(covariance[j, j]) - positive, 0.0)
            for size, variance in ((block.n_pos[j - part.start], positive), (block.n_neg[j - part.start], rest)):
                strata.append(Stratum(float(size), np.array([j]), np.array([[variance]])))
        for other in parts[i + 1 :]:
            covariance[part, other] = block.columns.T @ of(other).columns
            covariance[other, part] = covariance[part, other].T
    if sides is None:
        strata = [Stratum(float(cases), np.arange(classes), covariance)]
    values, n_pos, n_neg = (np.concatenate(one) for one in zip(*found, strict=True))
    return ClassValues(values, np.empty((0, classes)), n_pos, n_neg), Moments(covariance, tuple(strata))


def warn_of_classes(
    measure: Measure, found: ClassValues, labels: tuple[Any, ...], average: str | None, weights: FloatArray
) -> None:
    """Warn if the classes make an average or its interval rough; `average` is None for single classes."""
    cases = np.minimum(found.n_pos, found.n_neg)
    rarest = int(np.argmin(cases))
    fewest, name = float(cases[rarest]), show(labels[rarest])
    if average is not None and fewest <= 1.0:
        raise UndefinedMetricError(
            f"An average needs two cases of every class for its standard error; {name} has {fewest:g}. "
            "Hint: leave its column out; `per_class` has the value of each class."
        )
    few = found.n_pos < FEW_FOR_PRECISION
    if average is not None and isinstance(measure, PrAuc) and float(weights[few].sum()) > _MUCH * float(weights.sum()):
        warn(
            f"{int(few.sum())} of {len(labels)} classes have under {FEW_FOR_PRECISION} cases, {name} {fewest:.3g}; "
            "average precision of few positives is too high on average, and the interval undercovers. "
            "Hint: report the `micro` average or ROC AUC beside it."
        )
    elif fewest < FEW and average in (None, "macro", "hand_till"):
        part = "" if average is None else f", which has {1.0 / len(labels):.0%} of the weight in the average"
        if average is not None and found.columns.size:
            variances = np.diag(found.covariance)
            part += f" and {variances[rarest] / max(float(variances.sum()), 1e-300):.0%} of the variance"
        cases_text = f"{fewest:.3g} case{'' if fewest == 1.0 else 's'}"
        warn(
            f"Class {name} has {cases_text}{part}; its variance is estimated roughly. "
            "Hint: report `weighted` or `micro` averages beside it."
        )
    apart = np.flatnonzero(found.values >= 1.0)
    if average is not None and measure == RocAuc() and apart.size:
        warn(
            f"Class {show(labels[int(apart[0])])} is separated from the rest, so this sample shows no variance of it; "
            "only Newcombe's method allows for unseen errors. Hint: collect more cases."
        )


_MOST_CLASSES = 24
"""Up to this number of classes correlations of all pairs are kept, for limits that hold near 1."""


class PairValues(NamedTuple):
    """A metric of every ordered pair of classes: of class a against class b by the column of a."""

    values: FloatArray
    parts: list[FloatArray]
    """Of the rows of class c what they add to c against every other class, then to every other class against c."""
    joint: JointAreas | None
    """Of ROC areas of few classes, with weights that are all 1."""

    def average(self, weights: FloatArray, frame: Frame, rows: list[NDArray[np.intp]]) -> tuple[float, FloatArray]:
        """Return a weighted sum over pairs and what each case adds to it; weights of shape (k, k)."""
        k = len(self.values)
        out = np.zeros(sum(one.size for one in rows))
        total = 0.0
        for c in range(k):
            others = [b for b in range(k) if b != c]
            total += float(weights[c, others] @ self.values[c, others])
            out[rows[c]] = self.parts[c] @ np.append(weights[c, others], weights[others, c])
        return total, frame.summed(out)


def pair_values(
    measure: Measure, frame: Frame, scores: NDArray[Any], code: NDArray[np.intp], labels: tuple[Any, ...]
) -> tuple[PairValues, list[NDArray[np.intp]]]:
    """Return a metric of all ordered pairs, and the rows of each class."""
    k = len(labels)
    rows = [np.flatnonzero(code == c) for c in range(k)]
    sizes = [frame.worth(code == c) for c in range(k)]
    values = np.full((k, k), math.nan)
    parts = [np.empty((one.size, 2 * (k - 1))) for one in rows]
    for a in range(k):
        for b in range(k):
            if a == b:
                continue
            both = np.append(rows[a], rows[b])
            positive = np.arange(both.size) < rows[a].size
            column = np.ascontiguousarray(scores[both, a])
            weight = None if frame.weight is None else frame.weight[both]
            table = Counts(positive, column, sample_weight=weight)
            values[a, b] = value_of(measure, table, f"{labels[a]} against {labels[b]}")
            if min(sizes[a], sizes[b]) <= 1.0:
                added = np.full(both.size, math.nan)
            else:
                influence, odds = own_influence(measure, table, column, positive, plain=weight is None)
                added = _added(influence, odds, positive, weight, sizes[a], sizes[b])
            parts[a][:, b - (b > a)] = added[: rows[a].size]
            parts[b][:, k - 1 + a - (a > b)] = added[rows[a].size :]
    joint = None
    if measure == RocAuc() and k <= _MOST_CLASSES:
        joint = _joint(values, parts, rows, frame, np.array(sizes))
    return PairValues(values, parts, joint), rows


def _added(
    influence: FloatArray,
    odds: float,
    positive: NDArray[np.bool_],
    weight: FloatArray | None,
    n_pos: float,
    n_neg: float,
) -> FloatArray:
    """Return what rows of two classes add, by the numbers of cases that the classes are worth."""
    out = np.empty(influence.size)
    for side, sign, size in ((positive, -1.0, n_pos), (~positive, 1.0, n_neg)):
        own = np.ones(int(np.count_nonzero(side))) if weight is None else weight[side]
        out[side] = own * (math.sqrt(size / (size - 1.0)) * influence[side] + sign * odds) / own.sum()
    return out


def _joint(
    values: FloatArray, parts: list[FloatArray], rows: list[NDArray[np.intp]], frame: Frame, sizes: FloatArray
) -> JointAreas:
    """Return the areas of all pairs with their correlations, from blocks of the rows of one class each."""
    k = len(values)
    pairs = [(a, b) for a in range(k) for b in range(k) if a != b]
    place = {pair: i for i, pair in enumerate(pairs)}
    of_part = [[place[c, b] for b in range(k) if b != c] + [place[b, c] for b in range(k) if b != c] for c in range(k)]
    matrix = np.zeros((len(pairs), len(pairs)))
    if frame.cases.of_row is None:
        for c in range(k):
            matrix[np.ix_(of_part[c], of_part[c])] += parts[c].T @ parts[c]
    else:
        columns = np.zeros((frame.cases.size, len(pairs)))
        for c in range(k):
            np.add.at(columns, (frame.cases.of_row[rows[c]][:, None], np.array(of_part[c])[None]), parts[c])
        matrix = columns.T @ columns
    first, second = np.array(pairs).T
    return JointAreas(np.ones(len(pairs)), values[first, second], sizes[first], sizes[second], correlations(matrix))
