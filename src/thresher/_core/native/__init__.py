"""The one way to the compiled kernels.

The functions here take NumPy arrays that have been validated, see to it that the kernels get them contiguous, aligned
and in native byte order, and return plain arrays. `available` says whether there are kernels; if not, nothing else here
may be called, and the NumPy code that the kernels are tested against runs in their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher._core.threads import thread_count

if TYPE_CHECKING:
    from thresher._core.native._kernels import Counted, Weighed

try:
    from thresher._core.native import _kernels
except ImportError:  # installed without a compiler
    _kernels = None  # type: ignore[assignment]  # then nothing below is called

_TYPES = frozenset("?bBhHiIlLqQefd")
# As the kernels number them.
_ESTIMATORS = {
    name: number
    for number, name in enumerate(
        ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "ties_lost")
    )
}


class NotANumberError(ValueError):
    """Some scores are NaN: `count` of them, the first at `rows`."""

    def __init__(self, count: int, rows: list[int]) -> None:
        super().__init__(f"{count} scores are NaN, first at rows {rows}")
        self.count = count
        self.rows = rows


class RunningTable(NamedTuple):
    """Distinct scores, highest first, with the positives and negatives at or above each."""

    thresholds: NDArray[Any]
    tp: NDArray[Any]
    """int32 where the counts fit, else int64."""
    fp: NDArray[Any]
    n_pos: int
    n_neg: int
    twice_u: int
    """Twice the pairs in which the positive scores higher, plus the pairs that tie; exact."""


Running: TypeAlias = "RunningTable | Counted"
"""A table as the kernels left it, or one brought over from a device."""


class DelongSums(NamedTuple):
    """Sums of squares of twice the placements, and twice U: exact integers unless cases have weights."""

    positives: int | float
    """Over the positives: (2 * negatives below + negatives tied) squared."""
    negatives: int | float
    """Over the negatives: (2 * positives above + positives tied) squared."""
    twice_u: int | float


class PrSpread(NamedTuple):
    """Derivatives of (positives × PR area) by one more case of a class, over the cases of that class."""

    positive_mean: Any
    positive_squares: Any
    """The sum of squares around the mean."""
    negative_mean: Any
    negative_squares: Any


class Ties(NamedTuple):
    """What the classes share."""

    scores: int
    """Scores that both classes have."""
    positives: float
    """Positives at those scores."""
    pairs: float
    """Pairs of a positive and a negative with the same score."""


def available() -> bool:
    """Return whether the kernels were compiled."""
    return _kernels is not None


def instruction_set() -> str:
    """Return the instruction set in use: "avx512", "avx2" or "portable"."""
    return str(_kernels.instruction_set())


def takes(scores: NDArray[Any]) -> bool:
    """Return whether the kernels know this dtype."""
    return scores.dtype.char in _TYPES


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    flags = array.flags
    if flags.c_contiguous and flags.aligned and array.dtype.isnative:
        return array
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=("C", "A"))


def _bytes(mask: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(mask, dtype=np.bool_).view(np.uint8)


def count_running(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> RunningTable:
    """Sort and count in one go; raises `NotANumberError` if a score is NaN."""
    return RunningTable(*_count(scores, is_positive, True, False))


def count(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return distinct scores, highest first, with the int64 positives and negatives at each."""
    thresholds, pos, neg, *_ = _count(scores, is_positive, False, True)
    return thresholds, pos, neg


def _count(scores: NDArray[Any], is_positive: NDArray[np.bool_], cumulative: bool, wide: bool) -> tuple[Any, ...]:
    scores = _plain(scores)
    out = _kernels.count(scores, _bytes(is_positive), cumulative, wide, thread_count())
    if len(out) == 2:
        raise NotANumberError(*out)
    # The kernel sees truth values as bytes.
    return (out[0].view(np.bool_), *out[1:]) if scores.dtype == np.bool_ else tuple(out)


def _are_arrays(y_true: Any, y_score: Any) -> bool:
    """Return whether both are arrays of NumPy's own class, and there are kernels to look at them."""
    return type(y_true) is np.ndarray and type(y_score) is np.ndarray and available()


def plain_table(y_true: Any, y_score: Any) -> Counted | None:
    """Count labels and scores that are plain columns of numbers; None where they need a closer look.

    Plain are contiguous arrays of NumPy's own class and of one length: labels that are truth values, 0 and 1 or -1 and
    1, and scores without NaN. The answer has the attributes of a `RunningTable`, with read-only columns.
    """
    return _kernels.plain_table(y_true, y_score, thread_count()) if _are_arrays(y_true, y_score) else None


def plain_weighed(y_true: Any, y_score: Any, weight: Any, least: float, most: float) -> Weighed | None:
    """Count such columns with plain weights from `least` to `most`, not all 1; None where anything is unusual."""
    if not _are_arrays(y_true, y_score) or type(weight) is not np.ndarray:
        return None
    return _kernels.plain_weighed(y_true, y_score, weight, least, most, thread_count())


def censoring(
    time: NDArray[np.float64], happened: NDArray[np.bool_], kept: NDArray[np.bool_], t: float
) -> tuple[NDArray[np.float64], bool]:
    """Return what rows followed from the start stand for at t, 0 unless `kept`, and whether none lacks a substitute."""
    mass, stands = _kernels.censoring(_plain(time), _bytes(happened), _bytes(kept), t)
    return np.asarray(mass), stands


def running_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return running sums as if in twice the precision, which never decrease."""
    return np.asarray(_kernels.running_sums(_plain(values)))


def rounded_sum(values: NDArray[np.float64]) -> float | None:
    """Return the correctly rounded sum; None if its last digit is not certain."""
    return _kernels.rounded_sum(_plain(values))


def plain_u(y_true: Any, y_score: Any) -> tuple[int, int, int] | None:
    """Return twice U, the positives and the negatives of such columns; None where a score is infinite or a float16."""
    return _kernels.plain_u(y_true, y_score, thread_count()) if _are_arrays(y_true, y_score) else None


def plain_pr(y_true: Any, y_score: Any, estimator: str) -> tuple[float, int, int] | None:
    """Return `pr_area`, the positives and the negatives of the columns that `plain_u` takes."""
    if not _are_arrays(y_true, y_score):
        return None
    return _kernels.plain_pr(y_true, y_score, _ESTIMATORS[estimator], thread_count())


def bootstrap(
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    seed: int,
    first: int,
    n_resamples: int,
    stratified: bool,
    figures: tuple[Any, ...],
    places: tuple[NDArray[Any], ...],
) -> tuple[Any, ...]:
    """Measure replicates of a table of int64 counts; see `thresher._core.resampling.measure_replicates`."""
    return tuple(_kernels.bootstrap(pos, neg, seed, first, n_resamples, thread_count(), stratified, figures, *places))


def paired(
    together: tuple[NDArray[np.uint8], bool],
    tables: list[Any],
    seed: int,
    first: int,
    n_resamples: int,
    figures: tuple[Any, ...],
    rates: list[NDArray[np.float64]],
) -> list[tuple[Any, ...]]:
    """Measure replicates of tables of the same rows; see `thresher._core.paired_resampling.measure_together`."""
    return list(_kernels.paired(*together, tables, seed, first, n_resamples, thread_count(), figures, *rates))


def paired_tables(
    together: tuple[NDArray[np.uint8], bool], tables: list[Any], seed: int, first: int, n_resamples: int
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Draw replicates of tables of the same rows; see `thresher._core.paired_resampling.tables_together`."""
    drawn = _kernels.paired_tables(*together, tables, seed, first, n_resamples, thread_count())
    return [(np.asarray(pos), np.asarray(neg)) for pos, neg in drawn]


def resample(
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    seed: int,
    first: int,
    n_resamples: int,
    stratified: bool,
    attempt: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw replicates of a table of int64 counts; see `thresher._core.resampling.resample_tables`."""
    drawn = _kernels.resample(pos, neg, seed, first, n_resamples, thread_count(), stratified, attempt)
    return np.asarray(drawn[0]), np.asarray(drawn[1])


def trim_memory() -> None:
    """Give back to the system what the kernels keep for the next call."""
    if available():
        _kernels.trim_memory()


def _alike(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    if x.dtype != y.dtype or x.dtype.char not in "il" or x.dtype.itemsize < 4:
        x, y = x.astype(np.int64), y.astype(np.int64)
    return _plain(x), _plain(y)


def hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.int64]:
    """Return the vertices of the upper hull of integer points; neither coordinate ever decreases."""
    return np.asarray(_kernels.hull(*_alike(x, y), thread_count()))


def delong_sums(tp: NDArray[Any], fp: NDArray[Any]) -> DelongSums:
    """Return what DeLong's variance needs, from running integer counts."""
    return DelongSums(*_kernels.delong_sums(*_alike(tp, fp)))


def pr_area(tp: NDArray[Any], fp: NDArray[Any], estimator: str, neg_scale: float = 1.0) -> float:
    """Return one area under the PR curve times the positives, from running integer counts without the empty call.

    `estimator` is one of `thresher.measures.PR_ESTIMATORS` but "achievable", or "ties_lost": the interpolated area when
    every negative comes before the positives that it ties with.
    """
    return float(_kernels.pr_area(*_alike(tp, fp), _ESTIMATORS[estimator], neg_scale, thread_count()))


def pr_area_of(running: Running, estimator: str, neg_scale: float = 1.0) -> float:
    """Return `pr_area` of a table as it was counted."""
    if isinstance(running, RunningTable):
        return pr_area(running.tp, running.fp, estimator, neg_scale)
    return running.pr_area(_ESTIMATORS[estimator], neg_scale, thread_count())


def pr_spread(tp: NDArray[Any], fp: NDArray[Any], estimator: str, neg_scale: float = 1.0) -> PrSpread:
    """Return what the variance of an area under the PR curve needs, from running integer counts."""
    return PrSpread(*_kernels.pr_spread(*_alike(tp, fp), _ESTIMATORS[estimator], neg_scale, thread_count()))


def ties(tp: NDArray[Any], fp: NDArray[Any]) -> Ties:
    """Return what the classes share, from running integer counts."""
    return Ties(*_kernels.ties(*_alike(tp, fp)))


def brier(
    x: NDArray[np.floating[Any]], tp: NDArray[Any], fp: NDArray[Any], ends: NDArray[np.int64], w1: float, w0: float
) -> tuple[float, float, float]:
    """Return the squared losses of positives and of negatives, and the miscalibration of weighted rows, all as sums.

    `ends` are the last rows of the blocks of isotonic regression; `w1` and `w0` what a case of each class counts.
    """
    return _kernels.brier(_plain(x), *_alike(tp, fp), _plain(ends), w1, w0, thread_count())


def trapezoid(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, bool, bool]:
    """Return twice the signed area under float64 points, whether `x` ever falls, and whether it ever does not."""
    return _kernels.trapezoid(_plain(x), _plain(y), thread_count())


def gains(
    relevance: NDArray[Any], scores: NDArray[Any], discounts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return, for each row, its discounted gain (the mean over orders of ties), the best one, and whether any tie."""
    relevance, scores = (_plain(matrix).astype(np.float64, copy=False) for matrix in (relevance, scores))
    gain, best, tied = _kernels.gains(relevance, scores, discounts, thread_count())
    return gain, best, tied.view(np.bool_)


def merge(
    a: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], b: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Add two tables, highest scores first, whose scores have one dtype; counts are int64, or float64 in the sum."""
    kind = np.result_type(a[1], a[2], b[1], b[2])
    columns = [_plain(column.astype(kind, copy=False) if k % 3 else column) for k, column in enumerate((*a, *b))]
    thresholds, pos, neg = _kernels.merge(*columns)
    return thresholds, pos, neg


def _per_row(found: Any) -> NDArray[np.int64]:
    if isinstance(found, tuple):
        raise NotANumberError(*found)
    return np.asarray(found)


def order(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Return the rows from the lowest score to the highest, tied rows as they stand; -0.0 ties with 0.0."""
    return _per_row(_kernels.order(_plain(scores)))


def placements(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return twice the placement of every row, ties counted half."""
    return _per_row(_kernels.place(_plain(scores), _bytes(is_positive)))


def batch(scores: NDArray[Any], is_positive: NDArray[np.bool_], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """Measure many small problems at once; rows `ends[g - 1]` to `ends[g]` are problem g.

    Row g of the result holds: NaN scores, positives, negatives, twice U (ties once), average precision and
    interpolated PR area, the last two times the positives.
    """
    ends = _plain(ends).astype(np.int64, copy=False)
    return np.asarray(_kernels.batch(_plain(scores), _bytes(is_positive), ends, thread_count()))


def group_tables(
    scores: NDArray[Any], is_positive: NDArray[np.bool_], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]]:
    """Count many small problems at once; rows `ends[g - 1]` to `ends[g]` are problem g.

    Returns how many distinct scores each has, and the tables one after another, each highest first.
    """
    ends = _plain(ends).astype(np.int64, copy=False)
    *columns, sizes = _kernels.group_tables(_plain(scores), _bytes(is_positive), ends, thread_count())
    starts = np.concatenate(([0], ends[:-1]))
    if int(sizes.sum()) < scores.size:
        before = np.cumsum(sizes) - sizes
        kept = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
        columns = [column[kept] for column in columns]
    thresholds, pos, neg = columns
    return sizes, (thresholds, pos, neg)


def group_rows(
    codes: NDArray[np.int32], scores: NDArray[Any], is_positive: NDArray[np.bool_]
) -> tuple[int, NDArray[np.int64], NDArray[Any], NDArray[np.bool_]]:
    """Bring rows into the order of their groups, those of a group as they stand; there is at least one row.

    Returns the least code, where the rows of each code from it on end, the scores and the classes.
    """
    plain = np.ascontiguousarray(codes, dtype=np.int32), _plain(scores), _bytes(is_positive)
    low, ends, ordered, labels = _kernels.group_rows(*plain, thread_count())
    return low, ends, ordered.view(scores.dtype.newbyteorder("=")), labels.view(np.bool_)


def stream(dtype: np.dtype[Any], chunk_bytes: int, most_chunks: int) -> Any:
    """Return an empty partition for a stream of scores of 32 or 64 bits; see `thresher._read.stream.key_stream`."""
    return _kernels.Stream(dtype.char, chunk_bytes, most_chunks)


def tally(
    dtype: np.dtype[Any],
    rows: tuple[NDArray[Any], int, bool],
    frequent: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
    before: tuple[int, int],
    steps: tuple[int, int, int],
    most_points: int,
) -> tuple[Any, ...]:
    """Sort and count one bucket of a stream's keys; see `thresher._read.stream.collect`.

    `rows` are its keys (overwritten), how many, and whether they are negative; `before` the counts of both classes
    above it; `steps` those of the marks of positives and negatives, and the bits of those of their sum.
    """
    return tuple(_kernels.tally(dtype.char, *rows, *frequent, *before, *steps, most_points))


def weigh(
    scores: NDArray[Any], is_positive: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[NDArray[Any], ...]:
    """Sum weights by class at each distinct score, highest first; rows of weight 0 are left out.

    Returns the scores, the weights of positives and of negatives, and the sums of the squares of both.
    """
    found = _kernels.weigh(_plain(scores), _bytes(is_positive), _plain(weight), thread_count())
    return (found[0].view(np.bool_), *found[1:]) if scores.dtype == np.bool_ else tuple(found)


def weight_spans(
    is_positive: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[tuple[int, int], tuple[int, int], tuple[tuple[float, float], tuple[float, float]]]:
    """Return the rows of each class, positives first, those with a weight above 0, and least and greatest of these."""
    seen, counted, spans = _kernels.weight_spans(_bytes(is_positive), _plain(weight))
    return seen, counted, spans


def weighted_splits(scores: NDArray[Any], buckets: int) -> NDArray[np.int64]:
    """Return ranks that divide scores like these into about equal parts: at most so many, fewer where scores tie."""
    return np.asarray(_kernels.weighted_splits(_plain(scores), buckets))


def scatter_weighted(
    scores: NDArray[Any], is_positive: NDArray[np.bool_], weight: NDArray[np.float64], splits: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Bring rows with weights into the order of the buckets that `splits` divide, lowest scores first.

    Returns the rows (two words each, for `tally_weights` and `weighted_rows`), where each bucket ends, and for each
    bucket the sums of the weights of positives and of negatives, in three parts each.
    """
    rows = _plain(scores), _bytes(is_positive), _plain(weight)
    return _kernels.scatter_weighted(*rows, splits, thread_count())


def weighted_rows(
    dtype: np.dtype[Any], rows: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.float64]]:
    """Return rows of `scatter_weighted` as scores, classes and weights."""
    scores, positive, weight = _kernels.weighted_rows(dtype.char, rows)
    return scores, positive.view(np.bool_), weight


def tally_weights(
    dtype: np.dtype[Any],
    rows: NDArray[np.int64],
    before: NDArray[np.float64],
    n_neg: float,
    pos_step: float,
    neg_step: float,
    log_bits: int,
    most_points: int,
) -> tuple[Any, ...]:
    """Sort and sum the rows of one bucket of `scatter_weighted`; see `thresher._read.stream.collect`."""
    found = _kernels.tally_weights(dtype.char, rows, before, n_neg, pos_step, neg_step, log_bits, most_points)
    return tuple(found)


def choose_weighted(
    tp: NDArray[np.float64],
    fp: NDArray[np.float64],
    before: tuple[float, float],
    pos_step: float,
    neg_step: float,
    log_bits: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return which points of running sums of weights are kept, and why; see `thresher._read.stream.collect`."""
    start = np.array([before[0], 0.0, 0.0, before[1], 0.0, 0.0])
    rows, why = _kernels.choose_weighted(_plain(tp), _plain(fp), start, pos_step, neg_step, log_bits)
    return rows, why


def weighted_hull(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the vertices of the upper hull of float points; neither coordinate ever decreases."""
    return np.asarray(_kernels.weighted_hull(_plain(x), _plain(y)))


def roc_points(
    thresholds: NDArray[Any], tp: NDArray[Any], fp: NDArray[Any], *, corners: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return FPR, TPR and thresholds from (0, 0) at +inf on; `corners` leaves out the middle of equal steps."""
    fpr, tpr, at = _kernels.points(*_alike(tp, fp), _plain(thresholds), corners, thread_count())
    return fpr, tpr, at


def rates(
    part: NDArray[Any], by: float, rest: NDArray[Any] | None = None, *, first: float = 0.0
) -> NDArray[np.float64]:
    """Return `first`, then running integer counts over `by`, or ``part / (part + by * rest)`` where there is a rest."""
    part, other = _alike(part, part if rest is None else rest)
    return np.asarray(_kernels.rates(part, None if rest is None else other, by, first, thread_count()))


def many_groups(scores: NDArray[Any], is_positive: NDArray[np.bool_], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the exact sums of each group of rows, `ends[g - 1]` to `ends[g]`; see `thresher._core.many_sums`."""
    return np.asarray(_kernels.many_groups(_plain(scores), _bytes(is_positive), _plain(ends), thread_count()))


def many_keyed(
    groups: NDArray[np.integer[Any]], scores: NDArray[Any], is_positive: NDArray[np.bool_]
) -> tuple[NDArray[np.integer[Any]], NDArray[np.uint64], bool] | None:
    """Return groups, their exact sums, and whether they are in ascending order; rows stand in any order.

    Groups are integers of 32 or 64 bits. None where scores are NaN or span too much, or there are no rows or 2**32.
    """
    found: tuple[Any, Any, bool] | None = _kernels.many_keyed(
        _plain(groups), _plain(scores), _bytes(is_positive), thread_count()
    )
    return found


def run_ends(keys: NDArray[np.integer[Any]]) -> NDArray[np.int64] | None:
    """Return where each run of equal keys ends, of integers of 32 or 64 bits; None where one is below that before."""
    found: NDArray[np.int64] | None = _kernels.run_ends(_plain(keys), thread_count())
    return found


def many_areas(
    sums: NDArray[np.uint64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return areas, DeLong's errors, and the rows left as NaN whose quotients doubles do not hold exactly."""
    return _kernels.many_areas(_plain(sums), thread_count())


def many_null_errors(sums: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return the standard deviation of each area over all orders of the labels."""
    return np.asarray(_kernels.many_null_errors(_plain(sums), thread_count()))


def _laid_out(matrix: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """Return a matrix as the kernels read it, and whether its rows (or its columns) lie one after the other."""
    by_row = not (matrix.flags.f_contiguous and matrix.shape[1] > 1)
    return _plain(matrix if by_row else matrix.T), by_row


def many_columns(matrix: NDArray[Any], is_positive: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return the exact sums of each column of scores."""
    plain, by_row = _laid_out(matrix)
    return np.asarray(_kernels.many_columns(plain, _bytes(is_positive), by_row, thread_count()))


def many_labels(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return the exact sums of one column of scores against each column of labels."""
    plain, by_row = _laid_out(is_positive)
    found = _kernels.many_labels(_plain(scores), plain.view(np.uint8), by_row, thread_count())
    if isinstance(found, tuple):
        raise NotANumberError(*found)
    return np.asarray(found)


def class_values(
    matrix: NDArray[Any], labels: NDArray[Any], first: int, last: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return what every row adds to the ROC area of some classes, a row of the result for each, and their counts.

    `labels` holds the class of each row, or is a matrix of truth values. Counts are rows of the class, others, twice U.
    """
    scores, by_row = _laid_out(matrix)
    if labels.ndim == 1:
        plain, labels_by_row = _plain(labels.astype(np.int32, copy=False)), True
    else:
        plain, labels_by_row = _laid_out(labels)
        plain = plain.view(np.uint8)
    size = matrix.shape[0]
    found = _kernels.class_values(scores, by_row, plain, labels_by_row, size, first, last, thread_count())
    return np.asarray(found[0]), np.asarray(found[1])


def many_sparse(
    data: NDArray[Any], indices: NDArray[Any], ends: NDArray[np.int64], is_positive: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """Return the exact sums of each column of a sparse matrix, of which rows without an entry are 0."""
    return np.asarray(
        _kernels.many_sparse(_plain(data), _plain(indices), _plain(ends), _bytes(is_positive), thread_count())
    )


def many_tables(pos: NDArray[np.int64], neg: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the exact sums of each of many tables, rows `ends[g - 1]` to `ends[g]`, highest scores first."""
    return np.asarray(_kernels.many_tables(_plain(pos), _plain(neg), _plain(ends), thread_count()))


def many_pr(
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    ends: NDArray[np.int64],
    estimator: str,
    neg_scale: NDArray[np.float64],
) -> tuple[NDArray[np.float64], PrSpread]:
    """Return `pr_area` and `pr_spread` of each of many tables; a negative of table g counts ``neg_scale[g]`` times."""
    columns = _plain(pos), _plain(neg), _plain(ends)
    found = np.asarray(_kernels.many_pr(*columns, _ESTIMATORS[estimator], _plain(neg_scale), thread_count()))
    return found[:, 0], PrSpread(*found[:, 1:].T)
