"""One confusion matrix, and every rate that follows from it."""

from __future__ import annotations

import math
from dataclasses import field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_scores
from thresher._core.decimals import threshold_text
from thresher._core.digits import count_text, rate_text
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import random_generator
from thresher._core.values import value
from thresher._curves.guarantee import Guarantee
from thresher._table import CellSample, Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike

if TYPE_CHECKING:
    from thresher._inference.rates.two_rates import CutOffFigure

NOT_CHOSEN = (
    "`optimism()` must be called on a point that `choose_threshold` returned without `mix` and `confidence`; this one "
    "is another, or was read from JSON. Hint: a threshold that was fixed beforehand has no optimism."
)
_CELLS = ("tp", "fp", "fn", "tn")


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


@value(repr=False)
class Mix(Presented):
    """A randomised mixture of two thresholds, which reaches a point between them.

    Predict a row positive when its score is at least ``high``; when it is at least ``low`` only, with probability
    ``probability``. The expected rates lie on the straight ROC segment between the two.

    Parameters
    ----------
    high, low : float
        The stricter and the looser threshold. ``high`` is +inf, or NaN when the data have a score of +inf, if the
        stricter of the two predicts nothing positive. Both are NaN on curves from published points without thresholds.
    probability : float
        The chance to use the looser one, in [0, 1].

    Examples
    --------
    >>> import thresher as th
    >>> mix = th.Scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]).achievable_pr().mix(recall=0.5)
    >>> mix.high, mix.low, mix.probability
    (6.0, 2.0, 0.25)
    """

    high: float
    low: float
    probability: float

    @property
    def thresholds(self) -> tuple[float, float]:
        """Both thresholds, the stricter first."""
        return (self.high, self.low)

    def __repr__(self) -> str:
        return f"Mix(high={self.high!r}, low={self.low!r}, probability={self.probability:.4g})"


@value
class OperatingPoint(Presented):
    """The confusion matrix at one threshold, with its rates.

    Parameters
    ----------
    threshold : float
        A row is predicted positive when its score is at least this. For a point between two thresholds, the one of
        them that keeps what was asked for: a false positive rate at most, a recall at least; the counts are then those
        of `mix`. When nothing is predicted positive, +inf; but NaN, which no score reaches, if +inf is a score of the
        data. Also NaN for a point with predicted positives on a curve whose thresholds were not published.
    tp, fp, fn, tn : int or float
        Counts, or expected counts for a point between two thresholds.
    skew : float, default=1.0
        By how much a false positive counts more in precision, for a prevalence other than the sample's.
    mix : Mix, optional
        How to reach a point that lies between two thresholds.
    sample : CellSample, optional
        What the rows behind the counts tell, where they have weights or belong together.
    guarantee : Guarantee, optional
        What is guaranteed of the population, where the threshold was chosen with a `confidence`.
    next_lower : float, optional
        The highest score of the data below `threshold`: every threshold above it makes the same calls.
    empty_precision : float, optional
        The precision where nothing is predicted positive; a PR curve has a convention for it.

    Examples
    --------
    >>> import thresher as th
    >>> point = th.Scores([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]).roc().at(threshold=0.35)
    >>> point.tp, point.fp, point.recall, round(point.precision, 3)
    (2, 1, 1.0, 0.667)
    >>> point.predict([0.2, 0.5])
    array([False,  True])
    """

    threshold: float
    tp: float
    fp: float
    fn: float
    tn: float
    skew: float = 1.0
    mix: Mix | None = None
    sample: CellSample | None = None
    guarantee: Guarantee | None = None
    # How the threshold may be written is no part of the confusion matrix.
    next_lower: float | None = field(default=None, compare=False)
    empty_precision: float | None = None
    # How a point was chosen stays with the data: it is no part of JSON.
    choice: Any = field(default=None, compare=False, repr=False)

    @property
    def threshold_text(self) -> str:
        """The threshold in as few digits, at least three, as give the same predictions of the data."""
        return threshold_text(self.threshold, self.next_lower)

    @property
    def predicts_nothing(self) -> bool:
        """Whether the threshold is above every score, so that no row is predicted positive.

        Examples
        --------
        >>> import math
        >>> import thresher as th
        >>> point = th.Scores([0, 1, 1, 0], [math.inf, 0.9, 0.8, 0.1]).choose_threshold(max_fpr=0)
        >>> point.predicts_nothing, point.threshold, point.predict([math.inf, 0.9])
        (True, nan, array([False, False]))
        """
        return self.mix is None and self.tp + self.fp == 0 and not self.threshold < math.inf

    def optimism(self, *, confidence_level: float = 0.95, n_resamples: int = 200, rng: Any = None) -> Any:
        """Return the metric by which this point was chosen, corrected for choosing on the same rows.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the interval.
        n_resamples : int, default=200
            How often the threshold is chosen again, on resampled rows or clusters.
        rng : int, Generator, SeedSequence or None
            A seed makes the result repeatable.

        Returns
        -------
        Optimism
            With the corrected `value`, its `low` and `high`, the `apparent` value and the `optimism`.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> point = th.Scores(data.y_true, data.tree).choose_threshold("f1")
        >>> round(point.f1, 3), round(point.optimism(rng=0).value, 3) < round(point.f1, 3)
        (0.758, True)
        """
        if self.choice is None:
            raise InvalidInputError(NOT_CHOSEN)
        return self.choice.optimism(confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)

    def predict(self, y_score: ArrayLike, *, rng: Any = None) -> NDArray[np.bool_]:
        """Predict rows by their scores: at or above the threshold, or at random between two thresholds.

        Parameters
        ----------
        y_score : array-like of shape (n,)
            Scores of rows, with labels or without.
        rng : seed or Generator, optional
            For a point with a `mix`: seeds the random predictions.

        Returns
        -------
        ndarray of bool, of shape (n,)
            Element i is whether row i is predicted positive.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> scores.choose_threshold(min_recall=0.75).predict([5.5, 4.5])
        array([ True, False])
        >>> scores.choose_threshold(max_fpr=0.1, mix=True).predict([7, 6, 5, 6, 4], rng=1)
        array([ True, False,  True, False, False])
        """
        if isinstance(y_score, Counts):
            raise InvalidTypeError(
                "`y_score` must be the scores of rows; got a table of counts, which has no rows. "
                "Hint: pass the array that the Scores were made from."
            )
        scores = as_scores(y_score)
        strict, loose = (self.threshold, self.threshold) if self.mix is None else self.mix.thresholds
        if strict != strict and loose != loose and self.tp + self.fp > 0:
            raise InvalidInputError(
                "`predict` needs a threshold; got a point of a curve from published points without them. "
                "Hint: give `thresholds=` to `from_points`."
            )
        if self.mix is None:
            return np.asarray(scores >= strict)
        coin = random_generator(rng).random(scores.size) < self.mix.probability
        return np.asarray((scores >= strict) | (coin & (scores >= loose)))

    @property
    def n_pos(self) -> float:
        """All positives."""
        return self.tp + self.fn

    @property
    def n_neg(self) -> float:
        """All negatives."""
        return self.fp + self.tn

    @property
    def prevalence(self) -> float:
        """The proportion of positives that precision refers to."""
        return _ratio(self.n_pos, self.n_pos + self.skew * self.n_neg)

    @property
    def tpr(self) -> float:
        """True positive rate: the proportion of positives that are found; also `recall` and `sensitivity`."""
        return _ratio(self.tp, self.n_pos)

    recall = sensitivity = tpr

    @property
    def fpr(self) -> float:
        """False positive rate: the proportion of negatives that are predicted positive."""
        return _ratio(self.fp, self.n_neg)

    @property
    def tnr(self) -> float:
        """True negative rate; also `specificity`."""
        return _ratio(self.tn, self.n_neg)

    specificity = tnr

    @property
    def fnr(self) -> float:
        """False negative rate: the proportion of positives that are predicted negative."""
        return _ratio(self.fn, self.n_pos)

    @property
    def precision(self) -> float:
        """The proportion of predicted positives that are positive; `empty_precision` if there are none."""
        called = self.tp + self.skew * self.fp
        if called > 0:
            return self.tp / called
        return math.nan if self.empty_precision is None else self.empty_precision

    @property
    def alert_rate(self) -> float:
        """The proportion of all rows that are predicted positive."""
        return _ratio(self.tp + self.skew * self.fp, self.n_pos + self.skew * self.n_neg)

    @property
    def accuracy(self) -> float:
        """The proportion of all predictions that are right."""
        return _ratio(self.tp + self.skew * self.tn, self.n_pos + self.skew * self.n_neg)

    @property
    def balanced_accuracy(self) -> float:
        """The mean of `tpr` and `tnr`."""
        return (self.tpr + self.tnr) / 2

    @property
    def youden(self) -> float:
        """`tpr` - `fpr`, computed from integers where the counts are."""
        return _ratio(self.tp * self.n_neg - self.fp * self.n_pos, self.n_pos * self.n_neg)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f_beta(1.0)

    @property
    def mcc(self) -> float:
        """Matthews' correlation; NaN if only one class is predicted."""
        fp, tn = self.skew * self.fp, self.skew * self.tn
        spread = math.sqrt(self.tp + fp) * math.sqrt(self.tp + self.fn) * math.sqrt(tn + fp) * math.sqrt(tn + self.fn)
        return (self.tp * tn - fp * self.fn) / spread if spread > 0 else math.nan

    def f_beta(self, beta: float) -> float:
        """F-measure in which recall counts `beta` times as much as precision.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> point = scores.roc().at(threshold=4)
        >>> round(point.f_beta(1), 4), round(point.f_beta(2), 4)
        (0.6667, 0.7143)
        """
        if not (math.isfinite(beta) and beta > 0):
            raise InvalidInputError(f"`beta` must be positive and finite; got {beta!r}. Hint: 1 gives F1.")
        weight = beta * beta
        return _ratio((1 + weight) * self.tp, (1 + weight) * self.tp + weight * self.fn + self.skew * self.fp)

    def lr_positive(self) -> CutOffFigure:
        """Return the positive likelihood ratio TPR / FPR, with intervals.

        By how much a positive call multiplies the odds of being positive. This and the next four hold at a cut-off
        that was fixed before these rows were seen; at one chosen on them they are optimistic.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88])
        >>> ratio = scores.roc().at(threshold=1).lr_positive()
        >>> ratio.value, [round(end, 2) for end in ratio.confidence_interval()]
        (7.5, [4.46, 14.17])
        """
        return self._figure("lr_positive")

    def lr_negative(self) -> CutOffFigure:
        """Return the negative likelihood ratio FNR / TNR, with intervals.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88])
        >>> round(float(scores.roc().at(threshold=1).lr_negative()), 4)
        0.1136
        """
        return self._figure("lr_negative")

    def dor(self) -> CutOffFigure:
        """Return the diagnostic odds ratio TP TN / (FP FN), with intervals.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88])
        >>> scores.roc().at(threshold=1).dor()
        dor 66, 95% interval 23 to 261 (bayes)
        """
        return self._figure("dor")

    def ppv(self, *, prevalence: float | None = None) -> CutOffFigure:
        """Return the positive predictive value, with intervals.

        Parameters
        ----------
        prevalence : float, optional
            The proportion of positives where the test will be used. By default that of the sample, or of the curve
            from which the point came.

        Examples
        --------
        >>> import thresher as th
        >>> point = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).roc().at(threshold=1)
        >>> round(point.ppv().value, 3), round(point.ppv(prevalence=0.01).value, 3)
        (0.789, 0.07)
        """
        return self._figure("ppv", prevalence)

    def npv(self, *, prevalence: float | None = None) -> CutOffFigure:
        """Return the negative predictive value, with intervals.

        Parameters
        ----------
        prevalence : float, optional
            As in `ppv`.

        Examples
        --------
        >>> import thresher as th
        >>> point = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).roc().at(threshold=1)
        >>> round(point.npv().value, 3), round(point.npv(prevalence=0.01).value, 4)
        (0.946, 0.9989)
        """
        return self._figure("npv", prevalence)

    def _figure(self, name: str, prevalence: float | None = None) -> CutOffFigure:
        # The one import upwards: intervals stand above the curves, and a point is where they are asked for.
        from thresher._inference.rates.two_rates import cut_off_figure

        if prevalence is None and self.skew != 1.0 and name in ("ppv", "npv") and min(self.n_pos, self.n_neg) > 0:
            prevalence = self.prevalence
        return cut_off_figure(name, self.tp, self.fp, self.fn, self.tn, prevalence, self.sample)

    def _facts(self) -> Row:
        names = ("threshold", "tp", "fp", "fn", "tn", "recall", "fpr", "precision", "f1", "accuracy", "prevalence")
        facts = {name: getattr(self, name) for name in names}
        if self.mix is not None:
            facts |= {f"mix_{name}": getattr(self.mix, name) for name in ("high", "low", "probability")}
        return facts

    def _repr_html_(self) -> str:
        """Return the matrix with its rates at the margins, for a notebook."""
        where = f"threshold {self.threshold_text}" if self.mix is None else f"mixture: {self.mix!r}"

        def row(side: str, *cells: str) -> str:
            return f'<tr><th scope="row" style="text-align:left">{side}</th>' + "".join(cells) + "</tr>"

        def cell(count: float, name: str) -> str:
            return f'<td style="text-align:center"><b>{count_text(count)}</b><br/><small>{name}</small></td>'

        def rate(name: str, value: float, *cells: str) -> str:
            return f'<td style="text-align:center">{name} {self._shown_rate(value, *cells)}</td>'

        heads = "".join(f'<th scope="col">{name}</th>' for name in ("predicted positive", "predicted negative"))
        prevalence = f"{self.prevalence:.4g}" if self.skew != 1.0 else self._shown_rate(self.prevalence, *_CELLS)
        npv = _ratio(self.skew * self.tn, self.skew * self.tn + self.fn)
        rows = (
            row(
                "positive",
                cell(self.tp, "true positives"),
                cell(self.fn, "false negatives"),
                rate("recall", self.recall, "tp", "fn"),
            ),
            row(
                "negative",
                cell(self.fp, "false positives"),
                cell(self.tn, "true negatives"),
                rate("FPR", self.fpr, "fp", "tn"),
            ),
            row(
                "",
                rate("precision", self.precision, "tp", "fp"),
                rate("NPV", npv, "fn", "tn"),
                rate("F1", self.f1, "tp", "fn"),
            ),
        )
        return (
            f"<table><caption>{escape(where)}, prevalence {prevalence}</caption><thead><tr><td></td>{heads}"
            f"<td></td></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )

    def _shown_rate(self, value: float, *cells: str) -> str:
        """Return a rate with the digits that the rows in its cells support; with weights, the rows they are worth."""
        rows = sum(getattr(self, name) for name in cells)
        squares = None if self.sample is None else self.sample.squares
        if squares is not None:
            rows = _ratio(rows * rows, sum(squares[_CELLS.index(name)] for name in cells))
        return rate_text(value, rows)

    def _written_rates(self) -> dict[str, str]:
        """Return recall, fpr and precision as they are printed."""
        cells = {"recall": ("tp", "fn"), "fpr": ("fp", "tn"), "precision": ("tp", "fp")}
        return {name: self._shown_rate(getattr(self, name), *of) for name, of in cells.items()}

    def __repr__(self) -> str:
        where = f"threshold={self.threshold_text}" if self.mix is None else f"mix={self.mix}"
        if self.predicts_nothing:
            where += ", predicts nothing positive"
        counts = ", ".join(f"{name}={count_text(getattr(self, name))}" for name in _CELLS)
        rates = ", ".join(f"{name}={shown}" for name, shown in self._written_rates().items())
        chosen = "" if self.choice is None else f", chosen on these rows for {self.choice}"
        # The counts are those of the sample; precision then is not their quotient.
        share = "" if self.skew == 1.0 else f" at prevalence {self.prevalence:.4g}"
        return f"OperatingPoint({where}, {counts}, {rates}{share}{chosen})"
