"""The tuning-set protocol: thresholds and hull from tuning data, the curve from test data.

Building a hull picks the best points, so a hull judged on the data that built it is optimistic (section 3 of Davis and
Goadrich 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import warn
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import stream_key
from thresher._core.values import value
from thresher._curves import OperatingPoint, PrCurve, RocCurve, roc_curve
from thresher._decide.choose import choose
from thresher._decide.guarantee_terms import guarantee_terms
from thresher._decide.target import Goal, Target, target_of
from thresher._inference.sampling import sampling_of
from thresher._table import Counts, as_counts, cell_sample, check_two_classes, mixed_sample, next_lower, padded_counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Estimate, PrAuc, RocAuc
from thresher.typing import ArrayLike

# With fewer distinct scores than this, one table inside another is a coincidence and no sign of shared rows.
_TELLING = 10


class TestRocCurve(RocCurve):
    """A ROC curve of test data at thresholds from tuning data; it need not be convex, and refuses to be made so."""

    __test__ = False  # not a test class, whatever its name says to pytest

    def hull(self) -> NoReturn:
        """Refuse: the hull of a test curve would be judged on the data that built it."""
        raise InvalidInputError(
            "A hull must be built on tuning data; this curve was drawn on test data. "
            "Hint: its thresholds are a hull's already; use `Tuned.hull` for the hull itself."
        )


@value(repr=False)
class Evaluation(Presented):
    """Test data at the thresholds of a tuning hull.

    Parameters
    ----------
    tuning_point : OperatingPoint
        The operating point as the tuning data guaranteed it.
    point : OperatingPoint
        The same thresholds (and mixing probability) on the test data.
    roc : RocCurve
        The test data's curve at the hull's thresholds; the last, -inf, predicts everything positive.
    counts : Scores
        The test data counted at those thresholds, from which the areas are computed.
    optimistic : bool
        Whether the test data were the tuning data, or hold them.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> tuning = th.Scores.from_pos_neg(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    >>> test = th.Scores.from_pos_neg(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    >>> th.tune(tuning, min_recall=0.8).evaluate(test)
    Evaluation at 11 tuned thresholds
      tuning  recall 0.840, precision 0.353, FPR 0.385
      test    recall 0.780, precision 0.351, FPR 0.360
    """

    _records = "points"

    tuning_point: OperatingPoint
    point: OperatingPoint
    roc: RocCurve
    counts: Counts
    optimistic: bool

    @property
    def pr(self) -> PrCurve:
        """The same points in precision-recall space."""
        return self.roc.to_pr()

    def roc_auc(self) -> Estimate:
        """Return the area under the test curve drawn at the hull's thresholds.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> rows = th.Scores(data.y_true, data.tree)
        >>> round(th.tune(rows).evaluate(rows, allow_same_data=True).roc_auc().value, 3)
        0.883
        """
        return RocAuc().estimate(self.counts)

    def pr_auc(self) -> Estimate:
        """Return the interpolated area under the test PR curve drawn at the hull's thresholds.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> rows = th.Scores(data.y_true, data.tree)
        >>> round(th.tune(rows).evaluate(rows, allow_same_data=True).pr_auc().value, 3)
        0.676
        """
        return PrAuc(prevalence=self.roc._prevalence).estimate(self.counts)

    def _facts(self) -> Row:
        areas = {"roc_auc": self.roc_auc().value, "pr_auc": self.pr_auc().value}
        return {"tuned_thresholds": len(self.roc) - 2, "optimistic": self.optimistic, **areas}

    def _columns(self) -> dict[str, list[Any]]:
        tuning, test = (point._facts() for point in (self.tuning_point, self.point))
        sides = {"data": ["tuning", "test"]}
        return sides | {name: [tuning[name], test.get(name)] for name in tuning}

    def __repr__(self) -> str:
        lines = [
            f"Evaluation at {len(self.roc) - 2:,} tuned thresholds" + (" (optimistic)" if self.optimistic else ""),
            f"  tuning  {_rates(self.tuning_point)}",
            f"  test    {_rates(self.point)}",
        ]
        return "\n".join(lines)


def _rates(point: OperatingPoint) -> str:
    shown = point._written_rates()
    return f"recall {shown['recall']}, precision {shown['precision']}, FPR {shown['fpr']}"


@value(repr=False)
class Tuned(Presented):
    """Candidate thresholds, hull and operating point of tuning data.

    Parameters
    ----------
    counts : Scores
        The tuning data.
    candidates : ndarray
        Thresholds at which the class changes between neighbouring scores, highest first: the only ones worth trying.
    hull : RocCurve
        The ROC convex hull of the tuning data, with its thresholds.
    target : Target
        What the operating point was chosen for.
    point : OperatingPoint
        The point chosen, with its rates on the tuning data, which are optimistic.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> tuning = th.Scores.from_pos_neg(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    >>> tuned = th.tune(tuning, min_recall=0.8)
    >>> round(tuned.point.threshold, 3), round(tuned.point.recall, 3), round(tuned.point.precision, 3)
    (0.245, 0.84, 0.353)
    """

    counts: Counts
    candidates: NDArray[Any]
    hull: RocCurve
    target: Target
    point: OperatingPoint

    def evaluate(self, test_scores: Counts, *, allow_same_data: bool = False) -> Evaluation:
        """Draw the test curve at the thresholds of the hull, and the chosen point on it.

        Parameters
        ----------
        test_scores : Scores
            Data that had no part in the tuning.
        allow_same_data : bool, default=False
            Accept the tuning data themselves; the result is marked optimistic.

        Returns
        -------
        Evaluation

        Warns
        -----
        ThresherWarning
            If the test data seem to contain the tuning data, or the other way round.

        Examples
        --------
        >>> import thresher as th
        >>> tuning = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> test = th.Scores([1, 1, 0, 1, 0, 0, 0], [7, 4.5, 3.5, 3.2, 2.5, 1.5, 0.5])
        >>> th.tune(tuning, min_recall=0.9).evaluate(test)
        Evaluation at 3 tuned thresholds
          tuning  recall 1.00, precision 0.75, FPR 0.33
          test    recall 1.00, precision 0.75, FPR 0.25
        """
        test = as_counts(test_scores, "test_scores")
        check_two_classes(test, "A test curve")
        optimistic = self._is_optimistic(test, allow_same_data)
        thresholds, tp, fp = _at_thresholds(test, self.hull)
        roc = TestRocCurve(thresholds, tp, fp, prevalence=self.target.prevalence, sample=test)
        counts = _as_table(thresholds, tp, fp)
        return Evaluation(self.point, replayed(self.point, test, self.target), roc, counts, optimistic)

    def predict(self, y_score: ArrayLike, *, rng: Any = None) -> NDArray[np.bool_]:
        """Predict rows by their scores at the chosen point; see `OperatingPoint.predict`.

        Examples
        --------
        >>> import thresher as th
        >>> th.tune(th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1]), max_fpr=0.4).predict([3.5, 2.5])
        array([ True, False])
        """
        return self.point.predict(y_score, rng=rng)

    def _is_optimistic(self, test: Counts, allow_same_data: bool) -> bool:
        if test == self.counts:
            if not allow_same_data:
                raise InvalidInputError(
                    "`test_scores` must not be the data that built the hull; got the tuning data themselves. "
                    "Hint: keep some rows apart, or pass `allow_same_data=True` for an optimistic answer."
                )
            return True
        return warn_shared(self.counts, test)

    def _facts(self) -> Row:
        return {"objective": self.target.described(), **self.point._facts()}

    def _columns(self) -> None:
        return None

    def __repr__(self) -> str:
        where = f"threshold {self.point.threshold_text}" if self.point.mix is None else f"{self.point.mix}"
        if self.point.predicts_nothing:
            where = "nothing predicted positive"
        return (
            f"Tuned: {self.target.described()}\n"
            f"  {where}\n"
            f"  hull of {len(self.hull)} points from {self.candidates.size:,} candidate thresholds\n"
            f"  on the tuning data: {_rates(self.point)}"
        )


def tune(
    tuning_scores: Counts,
    maximize: Goal | None = None,
    *,
    minimize: Goal | None = None,
    prevalence: float | None = None,
    mix: bool = False,
    confidence: float | None = None,
    guarantee: str = "population",
    n_next: int | None = None,
    **constraints: Any,
) -> Tuned:
    """Find candidate thresholds, hull and operating point on tuning data only.

    Parameters
    ----------
    tuning_scores : Scores
        Data that neither trained the classifier nor will test it.
    maximize, minimize, prevalence, mix, confidence, guarantee, n_next, **constraints
        As in `Scores.choose_threshold`.

    Returns
    -------
    Tuned
        Its ``evaluate(test_scores)`` draws the test curve at the thresholds found here.

    References
    ----------
    J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874, section 3.

    Examples
    --------
    >>> import thresher as th
    >>> th.tune(th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1]), max_fpr=0.4)
    Tuned: highest recall with fpr <= 0.4
      threshold 3
      hull of 4 points from 3 candidate thresholds
      on the tuning data: recall 1.00, precision 0.75, FPR 0.33
    """
    counts = as_counts(tuning_scores, "tuning_scores")
    check_two_classes(counts, "Tuning")
    target = target_of(maximize, minimize=minimize, prevalence=prevalence, **constraints)
    point = choose(counts, target, mix=mix, terms=guarantee_terms(confidence, guarantee, n_next))
    return Tuned(counts, _candidates(counts), roc_curve(counts).hull(), target, point)


def _candidates(counts: Counts) -> NDArray[Any]:
    """Return the thresholds above which and below which different classes stand; a tie of both always counts."""
    pure_pos, pure_neg = counts.neg == 0, counts.pos == 0
    alike = (pure_pos[:-1] & pure_pos[1:]) | (pure_neg[:-1] & pure_neg[1:])
    kept: NDArray[Any] = counts.thresholds[:-1][~alike]
    return frozen(kept)


def _rows_called(test: Counts, thresholds: NDArray[Any]) -> NDArray[np.intp]:
    """Return how many of the distinct scores are at least each threshold, which need not be one of them."""
    return np.asarray(len(test) - np.searchsorted(test.thresholds[::-1], thresholds, side="left"), dtype=np.intp)


def _at_thresholds(test: Counts, hull: RocCurve) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the points of the test data at a hull's thresholds, between calling nothing and calling everything."""
    tp, fp = padded_counts(test)
    index = np.concatenate(([0], _rows_called(test, hull.thresholds[1:]), [len(test)]))
    thresholds = np.append(hull._thresholds, -np.inf)
    if test._highest_scores[0] == np.inf:
        thresholds[0] = np.nan  # the empty prediction of both data
    return thresholds, tp[index], fp[index]


def _as_table(thresholds: NDArray[Any], tp: NDArray[Any], fp: NDArray[Any]) -> Counts:
    pos, neg = np.diff(tp), np.diff(fp)
    kept = (pos > 0) | (neg > 0)
    return Counts._from_table((thresholds[1:][kept], pos[kept], neg[kept]))


def replayed(point: OperatingPoint, test: Counts, target: Target) -> OperatingPoint:
    """Return the point's thresholds and mixing probability, applied to other data."""
    n_pos, n_neg = test.n_pos, test.n_neg
    used = np.array([point.threshold] if point.mix is None else point.mix.thresholds)
    tp, fp = (column[_rows_called(test, used)] for column in padded_counts(test))
    coin = 0.0 if point.mix is None else point.mix.probability
    true, false = (
        column[0].item() if column.size == 1 else float(column[0] + coin * (column[1] - column[0]))
        for column in (tp, fp)
    )
    skew = float(target.skew(n_pos, n_neg))
    if point.mix is None:
        sample = cell_sample(test, point.threshold)
    else:
        sample = mixed_sample(test, point.mix.high, point.mix.low, point.mix.probability)
    # A printed threshold makes the same predictions on both data sets.
    lower = (point.next_lower, next_lower(test, point.threshold))
    return OperatingPoint(
        point.threshold,
        true,
        false,
        n_pos - true,
        n_neg - false,
        skew,
        point.mix,
        sample,
        next_lower=None if lower[0] is None or lower[1] is None else max(lower[0], lower[1]),
    )


def warn_shared(tuning: Counts, test: Counts) -> bool:
    """Return whether one table seems to hold the other, and say so."""
    shared = _contains(test, tuning) or _contains(tuning, test)
    if shared:
        warn(
            "The test data and the tuning data seem to share rows: every score of one occurs as often in the "
            "other. The evaluation is optimistic then."
        )
    return shared


def _contains(whole: Counts, part: Counts) -> bool:
    """Return whether every score of a part occurs in the whole at least as often, and there are enough to tell."""
    if len(part) < _TELLING:
        return False
    place = np.searchsorted(whole.thresholds[::-1], part.thresholds)
    inside = place < len(whole)
    place = len(whole) - 1 - np.minimum(place, len(whole) - 1)
    found = inside & (whole.thresholds[place] == part.thresholds)
    return bool((found & (whole.pos[place] >= part.pos) & (whole.neg[place] >= part.neg)).all())


_AT_ONCE = 64
_RATES = ("min_recall", "min_precision", "max_fpr", "max_alert_rate")


def corrected_target(
    counts: Counts, target: Target, *, mix: bool = False, n_resamples: int = 100, seed: int = 0
) -> tuple[Target, float]:
    """Return a target whose limit is moved by the optimism of choosing on these data, and that optimism.

    A hull picks thresholds at which the tuning data were lucky, so that on new rows a recall of 0.9 comes out lower.
    How much lower is seen by drawing the tuning rows again, choosing on the drawn rows and counting on the given ones:
    the mean shortfall is added to the limit (Efron 1983, doi:10.1080/01621459.1983.10477973). Only a target with a
    single limit on a rate is changed.
    """
    if len(target.limits) != 1 or n_resamples == 0:
        return target, 0.0
    (name, limit), *_ = target.limits.items()
    if name not in _RATES:
        return target, 0.0
    achieved = []
    for drawn in _drawn(counts._even, n_resamples, seed):
        try:
            point = choose(drawn, target, mix=mix)
        except UndefinedMetricError:  # a drawing in which no threshold keeps the limit
            continue
        rate = float(getattr(replayed(point, counts, target), name[4:]))
        if rate == rate:
            achieved.append(rate)
    if not achieved:
        return target, 0.0
    gap = float(np.mean(achieved)) - limit
    optimism = max(-gap if name.startswith("min") else gap, 0.0)
    moved = min(limit + optimism, 1.0) if name.startswith("min") else max(limit - optimism, 0.0)
    better = target.with_limits(**{name: moved})
    try:
        choose(counts, better, mix=mix)
    except UndefinedMetricError:  # out of reach: keep to what was asked for
        return target, optimism
    return better, optimism


def _drawn(counts: Counts, total: int, seed: int) -> Iterator[Counts]:
    """Return tables of rows drawn with replacement as the design says, class by class."""
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=True)
    kind = np.int64 if counts._whole else np.float64
    key = stream_key(seed)
    for first in range(0, total, _AT_ONCE):
        for pos, neg in zip(*draws.draw(key, first, min(_AT_ONCE, total - first)), strict=True):
            kept = (pos > 0) | (neg > 0)
            yield Counts._from_table((counts.thresholds[kept], pos[kept].astype(kind), neg[kept].astype(kind)))
