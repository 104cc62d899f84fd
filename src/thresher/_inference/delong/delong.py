"""DeLong's variance of whole and partial areas under the ROC curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core import native
from thresher._core.checks import warn
from thresher._core.many_sums import SumTable
from thresher._core.native import DelongSums
from thresher._core.order import placement_sums, row_placements
from thresher._core.sums import cumulative, dot, exact_dot
from thresher._inference.interval import ConfidenceInterval, clipped
from thresher._inference.sampling import Influence, Spread, centred, check_weights, quantile, sampling_of
from thresher._table import Counts, placement_sums_of
from thresher.exceptions import UndefinedMetricError
from thresher.typing import BoolArray, CountArray, FloatArray, IntArray, ScoreArray


class PlacementSides(NamedTuple):
    """The two coordinates of the ROC curve before and after each distinct score, highest score first.

    The placement of a positive at score i is a false positive rate between `fpr_before[i]` and `fpr_after[i]`.
    """

    n_pos: float
    n_neg: float
    fpr_before: FloatArray
    fpr_after: FloatArray
    tpr_before: FloatArray
    tpr_after: FloatArray


def sides(pos: CountArray, neg: CountArray) -> PlacementSides:
    """Return the rates on both sides of each distinct score; counts in descending order of score."""
    tp, fp = cumulative(pos), cumulative(neg)
    n_pos, n_neg = float(tp[-1]), float(fp[-1])
    return PlacementSides(
        n_pos,
        n_neg,
        fpr_before=np.append(0.0, fp[:-1] / n_neg),
        fpr_after=fp / n_neg,
        tpr_before=np.append(0.0, tp[:-1] / n_pos),
        tpr_after=tp / n_pos,
    )


def deviations(loss: CountArray, weight: CountArray, opponents: float) -> tuple[float, FloatArray]:
    """Return (mean share lost, share lost minus that) from twice the opponents (a tie: one) each case loses to."""
    share = loss / (2.0 * opponents)
    mean = dot(weight, share) / float(weight.sum())
    return mean, share - mean


DELONG_METHODS = ("delong", "delong-logit")


class DeLong(NamedTuple):
    """The area and DeLong's variance; `spread_pos` and `spread_neg` are sample variances of placements."""

    auc: float
    variance: float
    spread_pos: float
    spread_neg: float


def delong(pos: CountArray, neg: CountArray) -> DeLong:
    """Area and DeLong variance from the counts at each distinct score, highest first, in one pass.

    The placement of a case is the proportion of the other class that it beats, a tie counting one half. The variance is
    var(P)/m + var(Q)/n over the m positives and n negatives; whole counts stay whole numbers until the last division
    (DeLong, DeLong and Clarke-Pearson 1988, doi:10.2307/2531595).
    """
    n_pos, n_neg = pos.sum().item(), neg.sum().item()
    check_two_each(n_pos, n_neg)
    tp, fp = cumulative(pos), cumulative(neg)
    if pos.dtype.kind != "f" and neg.dtype.kind != "f":
        return delong_from_sums(placement_sums(tp, fp), n_pos, n_neg)
    # A positive loses to the negatives above it, a negative to the positives below it; ties count one half.
    mean_loss, from_pos = deviations(2 * fp - neg, pos, n_neg)
    _, from_neg = deviations(2 * n_pos - (2 * tp - pos), neg, n_pos)
    spread_pos = dot(pos, from_pos * from_pos) / (n_pos - 1.0)
    spread_neg = dot(neg, from_neg * from_neg) / (n_neg - 1.0)
    return DeLong(1.0 - mean_loss, spread_pos / n_pos + spread_neg / n_neg, spread_pos, spread_neg)


def delong_from_sums(sums: DelongSums, n_pos: float, n_neg: float) -> DeLong:
    """Return the area and its variance from exact sums over the placements.

    With T twice U and S the sum of squares of twice the placements of the m positives, the spread is (m S - T^2) / (m
    (m - 1) (2 n)^2): whole numbers until that quotient.
    """
    check_two_each(n_pos, n_neg)
    # Sums of weights may leave a trace below 0 where all placements are the same.
    apart_pos = max(n_pos * sums.positives - sums.twice_u**2, 0)
    apart_neg = max(n_neg * sums.negatives - sums.twice_u**2, 0)
    pairs = 2 * n_pos * n_neg
    return DeLong(
        auc=sums.twice_u / pairs,
        variance=(apart_pos * (n_neg - 1) + apart_neg * (n_pos - 1)) / (pairs**2 * (n_pos - 1) * (n_neg - 1)),
        spread_pos=apart_pos / (4 * n_neg**2 * n_pos * (n_pos - 1)),
        spread_neg=apart_neg / (4 * n_pos**2 * n_neg * (n_neg - 1)),
    )


def roc_influence(counts: Counts) -> Influence:
    """Return the influence of the area under the ROC curve: placements minus their mean in each class."""
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    return _of_columns(pos, neg, counts.tp, counts.fp, float(counts.n_pos), float(counts.n_neg))


def influence_of_cells(pos: FloatArray, neg: FloatArray) -> Influence:
    """Return the same for weights of cells, highest scores first, that have both classes."""
    tp, fp = cumulative(pos), cumulative(neg)
    return _of_columns(pos, neg, tp, fp, float(tp[-1]), float(fp[-1]))


def _of_columns(
    pos: FloatArray, neg: FloatArray, tp: CountArray, fp: CountArray, n_pos: float, n_neg: float
) -> Influence:
    _, lost_pos = deviations(2 * fp - neg, pos, n_neg)
    _, lost_neg = deviations(2 * (n_pos - tp) + pos, neg, n_pos)
    return Influence(0.0 - lost_pos, 0.0 - lost_neg)


def roc_spread(counts: Counts) -> Spread:
    """Return the variance of the area, with its degrees of freedom."""
    if counts._rows_alike is not None:
        return Spread(delong_of(counts).variance)
    check_weights(counts)
    sampling = sampling_of(counts)
    if not sampling.dependent:
        check_two_each(*rows_of(counts))
    return sampling.spread(roc_influence(counts))


def delong_of(counts: Counts) -> DeLong:
    """Return the area and DeLong's variance of a count table, with sampling weights that of its influence values."""
    check_weights(counts)
    plain = counts._plain
    if plain is None:
        return _weighted(counts)
    if plain is not counts:
        return delong_of(plain)
    sums = placement_sums_of(counts)
    if sums is None:
        return delong(counts.pos, counts.neg)
    return delong_from_sums(sums, counts.n_pos, counts.n_neg)


def _weighted(counts: Counts) -> DeLong:
    """Return the variance of weighted rows; the spread of a class is its part times its effective number of rows."""
    check_two_each(*rows_of(counts))
    influence = roc_influence(counts)
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    lost, _ = deviations(2 * counts.fp - neg, pos, float(counts.n_neg))
    none = np.zeros(len(counts))
    parts = [
        sampling_of(counts).spread(Influence(*part)).variance for part in ((influence.pos, none), (none, influence.neg))
    ]
    whole = sampling_of(counts).spread(influence).variance
    return DeLong(1.0 - lost, whole, parts[0] * counts.effective_pos, parts[1] * counts.effective_neg)


def rows_of(counts: Counts) -> tuple[float, float]:
    """Return how many rows each class has; where only sums of weights are known, how many they are worth at least."""
    pos = counts.effective_pos if counts._rows_pos is None else float(counts._rows_pos)
    neg = counts.effective_neg if counts._rows_neg is None else float(counts._rows_neg)
    return pos, neg


_WITH_ONE_CASE = 'method="hanley-mcneil" answers with one case of a class, and for an interval so does "newcombe".'


def check_two_each(
    n_pos: float, n_neg: float, remedy: str = _WITH_ONE_CASE, *, what: str = "DeLong's variance"
) -> None:
    """Raise unless both classes have more than one case; the remedy is what the caller can do."""
    for total, name in ((n_pos, "positive"), (n_neg, "negative")):
        if not total > 1:
            raise UndefinedMetricError(f"{what} needs more than one {name}; got {total:g}. Hint: {remedy}")


def variance_interval(
    value: float,
    variance: float,
    confidence_level: float,
    method: str,
    *,
    largest: float = 1.0,
    remedy: str = 'method="newcombe" gives an interval with length.',
    df: float = math.inf,
) -> ConfidenceInterval:
    """Interval for an area in [0, largest] from its variance, on the plain or on the logit scale."""
    # At an end of the range the variance is 0 too, up to rounding, and has no logit.
    if variance == 0.0 or (method.endswith("logit") and not 0.0 < value < largest):
        warn(
            f'The standard error of "{method}" is 0 at {value:g}: no placement differs from another, as when the '
            f"classes do not overlap. The interval is a single point and says nothing about other samples. "
            f"Hint: {remedy}"
        )
        return ConfidenceInterval(value, value, confidence_level, method)
    z = quantile(confidence_level, df)
    if not method.endswith("logit"):
        reach = z * math.sqrt(variance)
        return clipped(value - reach, min(value + reach, largest), confidence_level, method)
    low, high = logit_interval(value / largest, variance / largest**2, z)
    return clipped(low * largest, high * largest, confidence_level, method)


def logit_interval(share: float, variance: float, z: float) -> tuple[float, float]:
    """Return the ends of share +- z se on the logit scale, by the delta method; `share` strictly inside (0, 1)."""
    centre = float(scipy.special.logit(share))
    reach = z * math.sqrt(variance) / (share * (1.0 - share))
    return float(scipy.special.expit(centre - reach)), float(scipy.special.expit(centre + reach))


def delong_covariance(positive: BoolArray, scores: Sequence[ScoreArray]) -> tuple[FloatArray, FloatArray]:
    """Return DeLong's covariance matrix of areas on the same cases, and the variances of differences.

    Sums of products of placements are whole numbers, rounded once at the end: the variance of a difference is 0 for
    models that rank alike (Sun and Xu 2014, doi:10.1109/LSP.2014.2337313).
    """
    n_pos = int(np.count_nonzero(positive))
    n_neg = positive.size - n_pos
    check_two_each(n_pos, n_neg)
    placed = [row_placements(score, positive) for score in scores]
    totals = [int(of_pos.sum()) for of_pos, _ in placed]  # twice U
    pairs = 2 * n_pos * n_neg
    size = len(placed)

    def apart(i: int, j: int) -> int:
        """Return n times the sum of products minus the product of sums, both classes on one denominator."""
        product = totals[i] * totals[j]
        of_pos, of_neg = (exact_dot(placed[i][side], placed[j][side]) for side in (0, 1))
        return (n_pos * of_pos - product) * (n_neg - 1) + (n_neg * of_neg - product) * (n_pos - 1)

    joint = [[apart(i, j) for j in range(i + 1)] for i in range(size)]
    whole = pairs**2 * (n_pos - 1) * (n_neg - 1)
    covariance, of_difference = np.empty((size, size)), np.empty((size, size))
    for i in range(size):
        for j in range(i + 1):
            covariance[i, j] = covariance[j, i] = joint[i][j] / whole
            of_difference[i, j] = of_difference[j, i] = (joint[i][i] + joint[j][j] - 2 * joint[i][j]) / whole
    return covariance, of_difference


def paired_differences(positive: BoolArray, scores: Sequence[ScoreArray]) -> FloatArray:
    """Return the variance of the difference between the areas of each two models."""
    return delong_covariance(positive, scores)[1]


_EXACT = 2.0**52


def areas_of_sums(sums: SumTable) -> tuple[FloatArray, FloatArray]:
    """Return areas and DeLong's errors: quotients of whole numbers, each rounded once, as for a single table.

    Areas are NaN where a class is missing, errors where it has not more than one row.
    """
    auc, error, large = native.many_areas(sums) if native.available() else areas_of_sums_numpy(sums)
    for i, row in zip(large.tolist(), sums[large].tolist(), strict=True):
        exact = native.DelongSums(*((row[k] << 64) | row[k + 1] for k in (5, 7, 3)))
        m, n = row[1], row[2]
        auc[i] = exact.twice_u / (2 * m * n)
        if m > 1 and n > 1:
            error[i] = math.sqrt(delong_from_sums(exact, m, n).variance)
    return auc, error


def areas_of_sums_numpy(sums: SumTable) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the same with NumPy alone, and the rows that are left: their quotients are none of doubles."""
    n_pos, n_neg = sums[:, 1].astype(np.int64), sums[:, 2].astype(np.int64)
    pairs = 2.0 * n_pos * n_neg
    auc, variance = np.full(n_pos.size, np.nan), np.full(n_pos.size, np.nan)
    # Below 2**52 numerators and denominators are exact in doubles, and their quotient is rounded once.
    plain = np.flatnonzero((pairs > 0) & (pairs < _EXACT))
    auc[plain] = sums[plain, 4].astype(np.float64) / pairs[plain]
    whole = pairs * pairs * (n_pos - 1.0) * (n_neg - 1.0)
    small = np.flatnonzero((whole > 0) & (whole < _EXACT))
    m, n = n_pos[small], n_neg[small]
    twice_u, of_pos, of_neg = (sums[small, column].astype(np.int64) for column in (4, 6, 8))
    apart = (m * of_pos - twice_u**2) * (n - 1) + (n * of_neg - twice_u**2) * (m - 1)
    variance[small] = apart.astype(np.float64) / whole[small]
    return auc, np.sqrt(variance), np.flatnonzero((pairs >= _EXACT) | (whole >= _EXACT))


_FOR_PART = 'method="bootstrap" answers, with an interval that is too short.'


class PartialDeLong(NamedTuple):
    """A partial area and its variance; `largest` is the greatest value that the area can take."""

    value: float
    variance: float
    largest: float


def partial_delong(pos: CountArray, neg: CountArray, *, span: tuple[float, float], axis: str = "fpr") -> PartialDeLong:
    """Partial area under the ROC curve, and its variance from placements.

    The two limits cut a piece of the curve from (f0, t0) to (f1, t1). Cut the placement of each positive to [f0, f1]
    and that of each negative to [t0, t1]; the variance is that of their means. This includes the error of the threshold
    that belongs to the limit, without a density (Bandos, Guo and Gur 2017, doi:10.1177/0962280214551190; Dodd and Pepe
    2003, doi:10.1111/1541-0420.00071). A group of tied scores spreads its cases evenly over its segment of the curve.
    """
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    check_two_each(n_pos, n_neg, _FOR_PART)
    value, (of_pos, of_neg) = _cut_placements(pos, neg, span, axis)
    variance = _spread(of_pos, pos, n_pos) / n_pos + _spread(of_neg, neg, n_neg) / n_neg
    return PartialDeLong(value, variance, span[1] - span[0])


def partial_influence(counts: Counts, *, span: tuple[float, float], axis: str = "fpr") -> Influence:
    """Return the influence of a partial area: cut placements minus their mean in each class."""
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    _, (of_pos, of_neg) = _cut_placements(pos, neg, span, axis)
    return Influence(-centred(of_pos, pos), centred(of_neg, neg))


def partial_spread(counts: Counts, *, span: tuple[float, float], axis: str = "fpr") -> Spread:
    """Return the variance of a partial area of a count table, with the degrees of freedom that clusters leave."""
    check_weights(counts)
    if counts._rows_alike is not None:
        plain = counts._rows_alike
        return Spread(partial_delong(plain.pos, plain.neg, span=span, axis=axis).variance)
    check_two_each(*rows_of(counts), _FOR_PART)
    return sampling_of(counts).spread(partial_influence(counts, span=span, axis=axis))


def _cut_placements(
    pos: CountArray, neg: CountArray, span: tuple[float, float], axis: str
) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """Return the partial area, and the cut placements of the positives and of the negatives at each score."""
    table = sides(pos, neg)
    fpr, tpr = np.append(0.0, table.fpr_after), np.append(0.0, table.tpr_after)
    low, high = span
    if axis == "fpr":
        fpr_span, tpr_span = span, (_right_of(fpr, tpr, low), _left_of(fpr, tpr, high))
    else:
        fpr_span, tpr_span = (_right_of(tpr, fpr, low), _left_of(tpr, fpr, high)), span
    of_pos = _cut_mean(table.fpr_before, table.fpr_after, *fpr_span)
    of_neg = _cut_mean(table.tpr_before, table.tpr_after, *tpr_span)
    value = dot(pos, high - of_pos) / table.n_pos if axis == "fpr" else dot(neg, of_neg - low) / table.n_neg
    return value, (of_pos, of_neg)


def _spread(placement: FloatArray, count: CountArray, total: float) -> float:
    mean = dot(count, placement) / total
    return dot(count, (placement - mean) ** 2) / (total - 1.0)


def _cut_mean(start: FloatArray, end: FloatArray, low: float, high: float) -> FloatArray:
    """Mean of u cut to [low, high], for u spread evenly over [start, end]."""
    first, last = np.clip(start, low, high), np.clip(end, low, high)
    length = end - start
    under = np.maximum(np.minimum(end, low) - start, 0.0)
    over = np.maximum(end - np.maximum(start, high), 0.0)
    whole = low * under + high * over + (first + last) / 2.0 * (last - first)
    point = length == 0.0
    return np.where(point, first, whole / np.where(point, 1.0, length))


def _right_of(x: FloatArray, y: FloatArray, at: float) -> float:
    """Height of the curve just right of `at`."""
    i = int(np.searchsorted(x, at, "right")) - 1
    if i == x.size - 1:
        return float(y[-1])
    return float(y[i] + (at - x[i]) * (y[i + 1] - y[i]) / (x[i + 1] - x[i]))


def _left_of(x: FloatArray, y: FloatArray, at: float) -> float:
    """Height of the curve just left of `at`."""
    i = int(np.searchsorted(x, at, "left"))
    if i == 0:
        return float(y[0])
    return float(y[i] - (x[i] - at) * (y[i] - y[i - 1]) / (x[i] - x[i - 1]))
