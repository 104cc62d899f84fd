"""How much the chosen threshold itself depends on the sample: exactly for one rate, by resampling for any rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from thresher._cells import chosen_on_resamples
from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_confidence_level, check_resamples, warn
from thresher._core.decimals import as_written
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import Progress, Rng, Stream, batch_rows, run_batches, stream_key
from thresher._core.values import value
from thresher._curves import OperatingPoint
from thresher._decide.choose import choose
from thresher._decide.guarantee_cases import EffectiveCases
from thresher._decide.guarantee_terms import GuaranteeTerms
from thresher._decide.target import Goal, Target, target_of
from thresher._inference.rates import binomial_cdf, most_errors
from thresher._inference.sampling import check_weights, sampling_of
from thresher._table import Counts, check_two_classes
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray


@value
class ThresholdInterval(Presented):
    """An interval for the threshold of the population.

    Unpacks as ``low, high = interval``.

    Parameters
    ----------
    low, high : float
        Two scores of the data, or infinities where the data do not reach; for "bootstrap" percentiles of the
        thresholds chosen in the resamples, for "cube-root" of their distances, shrunk.
    point : OperatingPoint
        The choice on the data themselves.
    thresholds : ndarray of shape (n_resamples,)
        For "bootstrap" and "cube-root": element i is the threshold chosen in resample i; NaN where no point kept the
        limits. Else empty.
    confidence_level : float
        The level that was asked for.
    method : {"order-statistic", "approximate", "cube-root", "bootstrap"}
        How it was found; "approximate" is by order statistics of rows with weights or clusters.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> tuning = th.Scores.from_pos_neg(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    >>> low, high = tuning.threshold_interval(min_recall=0.8)
    >>> round(low, 2), round(high, 2)
    (-0.18, 0.41)
    """

    low: float
    high: float
    point: OperatingPoint
    thresholds: FloatArray
    confidence_level: float
    method: str = "bootstrap"

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def _facts(self) -> Row:
        names = ("low", "high", "confidence_level", "method")
        return {"threshold": self.point.threshold} | {name: getattr(self, name) for name in names}

    def _columns(self) -> None:
        return None

    def __repr__(self) -> str:
        resamples = f"{self.thresholds.size:,} resamples"
        how = {"bootstrap": resamples, "cube-root": resamples, "order-statistic": "exact"}.get(self.method, self.method)
        low, high = beside_interval(self.low, self.high)
        return (
            f"threshold {self.point.threshold_text}, {self.confidence_level * 100:g}% interval {low} to {high} ({how})"
        )


def threshold_interval(
    scores: Counts,
    maximize: Goal | None = None,
    *,
    minimize: Goal | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
    n_resamples: int = 1000,
    rng: Rng = None,
    progress: Progress | None = None,
    **constraints: Any,
) -> ThresholdInterval:
    """Return an interval for the threshold that the same rule would choose in the population.

    With one constraint on recall or on the false positive rate and no metric it is exact: two scores of that class,
    whatever the distribution. Otherwise counts at the distinct scores are resampled within each class, and the
    threshold is chosen again in each resample; nothing is sorted again. Rows keep their weights, and clusters are
    drawn whole.

    The best threshold by a metric alone converges at the rate of a cube root, for which the ordinary bootstrap is
    not consistent. By default it is then chosen on resamples of n ** (3/4) rows, and the distances from the
    threshold of all rows shrink by the cube root of that proportion. The metric is flat at its top, so that a wide
    interval costs little.

    Parameters
    ----------
    maximize, minimize, prevalence, **constraints
        As in `Scores.choose_threshold`.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    method : {"order-statistic", "cube-root", "bootstrap"}, optional
        By default "order-statistic" if it answers, else "cube-root" for a metric without constraints on independent
        rows of equal weight, else "bootstrap".
    n_resamples, rng : int, optional
        For resampling: how many resamples (at least 10), and a seed that makes them repeatable. Resample i is
        the same however many there are.
    progress : callable, optional
        Called with (resamples done, resamples in all).

    Returns
    -------
    ThresholdInterval

    Warns
    -----
    ThresherWarning
        When some resamples have no point that keeps the constraints; they are left out of the percentiles.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> scores.threshold_interval(min_recall=0.9)
    threshold 0.1715, 95% interval 0.116 to 0.205 (exact)
    >>> found = scores.threshold_interval("youden", n_resamples=200, rng=1)
    >>> found.low < found.point.threshold < found.high
    True
    """
    target = target_of(maximize, minimize=minimize, prevalence=prevalence, **constraints)
    level = check_confidence_level(confidence_level)
    total = check_resamples(n_resamples)
    check_two_classes(scores, "Choosing a threshold")
    check_weights(scores)
    point = choose(scores, target)
    if _method(method, target) == "order-statistic":
        rows = scores if scores._rows_alike is None else scores._rows_alike
        whole = rows._plain_rows
        low, high = (_order_statistics if whole else _effective_order)(rows, target, 1 - as_written(level))
        name = "order-statistic" if whole else "approximate"
        return ThresholdInterval(low, high, point, frozen(np.array([])), level, name)
    counts = scores._even
    how = _resampling(method, target, counts)
    found = (_chosen_on_fewer if how == "cube-root" else _chosen)(counts, target, total, rng, progress)
    lost = int(np.isnan(found).sum())
    if lost:
        warn(f"In {lost} of {total} resamples no threshold satisfies the constraints; the interval leaves them out.")
    kept = found[~np.isnan(found)]
    if kept.size == 0:
        raise UndefinedMetricError("No resample has a threshold that satisfies the constraints. Hint: relax them.")
    tail = (1.0 - level) / 2.0
    if how == "cube-root":
        centre = float(counts.thresholds[0]) if point.predicts_nothing else point.threshold
        reach = _portion(counts) ** (1.0 / 3.0)
        ends = centre + reach * np.quantile(np.minimum(kept, float(counts.thresholds[0])) - centre, (tail, 1.0 - tail))
    else:
        ends = np.quantile(kept, (tail, 1.0 - tail), method="inverted_cdf")
    return ThresholdInterval(float(ends[0]), float(ends[1]), point, frozen(found), level, how)


def _method(method: str | None, target: Target) -> str:
    answers = not target.named and tuple(target.limits) in (("min_recall",), ("max_fpr",))
    if method is None:
        return "order-statistic" if answers else "bootstrap"
    check_choice(method, "method", ("order-statistic", "cube-root", "bootstrap"))
    if method == "order-statistic" and not answers:
        raise InvalidInputError(
            "`method='order-statistic'` must have `min_recall` or `max_fpr` alone, and no metric; got "
            f"{target.described()}. Hint: 'bootstrap' takes any."
        )
    return method


def _resampling(method: str | None, target: Target, counts: Counts) -> str:
    """Return how the threshold is resampled: what a metric alone decides converges at the rate of a cube root."""
    whole = counts._plain_rows
    whole &= all(math.isfinite(float(counts.thresholds[end])) for end in (0, -1))
    if method == "cube-root" and (target.limits or not whole):
        raise InvalidInputError(
            "`method='cube-root'` must have a metric without constraints, independent rows of equal weight and finite "
            "scores. Hint: 'bootstrap' takes any."
        )
    return method or ("bootstrap" if target.limits or not whole else "cube-root")


def _portion(counts: Counts) -> float:
    """Return which part of the rows a smaller resample has: n ** (3 / 4) of n."""
    return 1.0 / math.sqrt(math.sqrt(counts.n_pos + counts.n_neg))


def _chosen_on_fewer(counts: Counts, target: Target, total: int, rng: Rng, progress: Progress | None) -> FloatArray:
    """Return the thresholds chosen on resamples of fewer rows of each class, +inf if one predicts nothing."""
    stream, portion = Stream(stream_key(rng)), _portion(counts)
    sides = [np.asarray(side, dtype=np.float64) for side in (counts.pos, counts.neg)]
    sizes = [max(1, round(portion * float(side.sum()))) for side in sides]
    scores = np.append(math.inf, np.asarray(counts.thresholds, dtype=np.float64))

    def work(first: int, count: int) -> FloatArray:
        drawn = [
            [generator.multinomial(size, side / side.sum()) for size, side in zip(sizes, sides, strict=True)]
            for generator in map(stream.at, range(first, first + count))
        ]
        tables = iter([(np.array([pos for pos, _ in drawn]), np.array([neg for _, neg in drawn]))])
        found = chosen_on_resamples(
            target.goal, counts.pos, counts.neg, tables, maximize=target.maximize, prevalence=target.prevalence
        )
        return np.where(found.place < 0, np.nan, scores[found.place])

    return run_batches(work, total, rows=batch_rows(len(counts)), progress=progress)


def _order_statistics(scores: Counts, target: Target, delta: Fraction) -> tuple[float, float]:
    """Return the scores of one class between which the population's threshold lies.

    The number of that class on the wrong side of it is binomial, so both ranks are binomial quantiles.
    """
    if "min_recall" in target.limits:
        share, running, total = (
            1 - as_written(target.limits["min_recall"]),
            int(scores.n_pos) - scores.tp,
            int(scores.n_pos),
        )
    else:
        share, running, total = as_written(target.limits["max_fpr"]), scores.fp, int(scores.n_neg)
    inner = most_errors(total, share, delta / 2) + 1
    # The least k with P(Bin <= k - 1) >= 1 - delta/2; one more than the errors that the other tail allows.
    outer = total - most_errors(total, 1 - share, delta / 2)
    values = np.asarray(scores.thresholds, dtype=np.float64)
    if "min_recall" in target.limits:
        # The k-th lowest positive is the highest score that leaves fewer than k below it.
        low = -math.inf if inner < 1 else float(values[int(np.argmax(running < inner))])
        high = math.inf if outer > total else float(values[int(np.argmax(running < outer))])
        return low, high
    low = -math.inf if outer > total else float(values[int(np.argmax(running >= outer))])
    high = math.inf if inner < 1 else float(values[int(np.argmax(running >= inner))])
    return low, high


def _effective_order(scores: Counts, target: Target, delta: Fraction) -> tuple[float, float]:
    """Return the same for weighted or clustered rows, by the cases that they are worth at the threshold chosen."""
    worth = EffectiveCases(scores, GuaranteeTerms(float(1 - delta)), 1)
    tp, fp = worth.tp, worth.fp
    tail, values = float(delta) / 2.0, np.append(math.inf, np.asarray(scores.thresholds, dtype=np.float64))
    if "min_recall" in target.limits:
        share, limit, kind = 1.0 - tp / tp[-1], 1.0 - target.limits["min_recall"], "positives"
        cut = int(np.argmax(share <= limit))
    else:
        share, limit, kind = fp / fp[-1], target.limits["max_fpr"], "negatives"
        cut = int(np.flatnonzero(share <= limit)[-1])
    size = worth.worth_at(kind, cut)
    # One case is given away, as whole numbers would.
    surely, hardly = binomial_cdf(size * share, size, limit), binomial_cdf(size * share - 1.0, size, limit)
    if "min_recall" in target.limits:
        low, high = np.flatnonzero(surely <= tail), np.flatnonzero(hardly <= 1.0 - tail)
    else:
        low, high = np.flatnonzero(hardly >= 1.0 - tail), np.flatnonzero(surely > tail)
    return (float(values[low[0]]) if low.size else -math.inf, float(values[high[0]]) if high.size else math.inf)


def _chosen(scores: Counts, target: Target, total: int, rng: Rng, progress: Progress | None) -> FloatArray:
    draws = sampling_of(scores).draws(scores, "scores", None, stratified=True)
    key = stream_key(rng)

    def work(first: int, count: int) -> FloatArray:
        tables = zip(*draws.draw(key, first, count), strict=True)
        return np.array([_choice(scores, target, pos, neg) for pos, neg in tables])

    return run_batches(work, total, rows=batch_rows(len(scores)), progress=progress)


def _choice(scores: Counts, target: Target, pos: FloatArray, neg: FloatArray) -> float:
    """Return the threshold chosen in a resample, +inf if it predicts nothing; NaN if no point keeps the limits."""
    seen = (pos > 0) | (neg > 0)
    kind = np.int64 if scores._counted else np.float64
    table = scores.thresholds[seen], pos[seen].astype(kind), neg[seen].astype(kind)
    try:
        point = choose(Counts._from_table(table), target)
    except UndefinedMetricError:
        return math.nan
    return math.inf if point.predicts_nothing else point.threshold
