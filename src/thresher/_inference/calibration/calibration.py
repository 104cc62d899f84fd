"""Everything that a table says about whether its scores are probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import (
    check_choice,
    check_confidence_level,
    check_count,
    check_prevalence,
    check_resamples,
    warn,
)
from thresher._core.notebook_html import Picture, figure_html
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import Rng
from thresher._core.result_bases import Drawn
from thresher._core.values import Value
from thresher._curves import (
    CalibrationBlock,
    CalibrationCurve,
    HullBlocks,
    blocks_of,
    calibration_curve,
    check_probabilities,
    check_unit_range,
    listed_blocks,
    odds_factor,
    shifted,
)
from thresher._inference.calibration.calibration_tests import (
    CalibrationTest,
    consistency_limits,
    cumulative_test,
    evidence_test,
    expected_calibration_error,
    honest_limits,
    hosmer_lemeshow,
    miscalibration_test,
    spiegelhalter,
)
from thresher._inference.calibration.decomposition import Decomposition, warn_infinite
from thresher._inference.calibration.logistic import InTheLarge, LogisticCalibration, in_the_large, logistic_calibration
from thresher._inference.calibration.proper_scores import MurphyCurve, as_score, murphy_curve, parts_of
from thresher._inference.interval import CurveBand
from thresher._inference.sampling import Spread, check_weights, mean_influence, sampling_of
from thresher._table import Counts, running_counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import ArrayLike, FloatArray

TESTS = ("mcb", "cox", "cumulative", "spiegelhalter", "hosmer-lemeshow", "e-value")
_BANDS = ("confidence", "consistency")
_BLOCK = ("high", "low", "pos", "neg", "calibrated")


class Calibration(Drawn, Presented, Value):
    """The calibration of scores as probabilities.

    Made by `Scores.calibration`. With a `prevalence` every metric refers to it, under label
    shift: the scores within each class are as they were.

    Parameters
    ----------
    counts : Scores
        Distinct scores in [0, 1] with their positives and negatives.
    prevalence : float, optional
        The prevalence to which the results refer.
    shift_scores : bool
        Whether the scores are moved to that prevalence, too, by their odds.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.Scores(data.y_true, data.logistic).calibration()
    Calibration of 1,797 rows: 1,797 scores in 19 blocks
      brier 0.04125 = miscalibration 0.01218 - discrimination 0.05839 + uncertainty 0.08745; skill 0.5284
      observed over expected 1.007
    """

    _parts = ("counts", "_prevalence", "shift_scores")

    counts: Counts
    _prevalence: float | None
    shift_scores: bool

    def __init__(self, counts: Counts, prevalence: float | None = None, shift_scores: bool = False) -> None:
        self.__dict__.update(counts=counts, _prevalence=prevalence, shift_scores=shift_scores)

    def _facts(self) -> Row:
        brier = self.decomposition()
        parts = {name: getattr(brier, name) for name in ("miscalibration", "discrimination", "uncertainty")}
        return {"prevalence": self.prevalence, "brier": brier.mean, **parts}

    def _columns(self) -> Row:
        return {name: [getattr(block, name) for block in self.blocks] for name in _BLOCK}

    @property
    def prevalence(self) -> float:
        """The prevalence to which the results refer."""
        return self.counts.prevalence if self._prevalence is None else self._prevalence

    @cached_property
    def _factor(self) -> float:
        return odds_factor(self._prevalence, self.counts.prevalence)

    @cached_property
    def _blocks(self) -> HullBlocks:
        return blocks_of(self.counts)

    @cached_property
    def scores(self) -> FloatArray:
        """The distinct scores, highest first."""
        x = check_probabilities(self.counts, "`calibration`")
        return frozen(shifted(x, self._factor)) if self.shift_scores else frozen(x)

    @property
    def _as_counted(self) -> NDArray[np.floating[Any]]:
        """The distinct scores, in single precision where the table has them so: no copy is made to read them."""
        single = self.counts.thresholds.dtype == np.float32 and not self.shift_scores
        return self.counts.thresholds if single else self.scores

    @property
    def calibrated(self) -> FloatArray:
        """The isotonic value of each score."""
        return self.curve.calibrated

    @cached_property
    def blocks(self) -> tuple[CalibrationBlock, ...]:
        """The blocks of isotonic regression, highest first: the edges of the ROC convex hull."""
        return listed_blocks(self.scores, self._blocks, self._factor)

    @cached_property
    def curve(self) -> CalibrationCurve:
        """The calibration curve."""
        return calibration_curve(self._as_counted, self._blocks, self._factor)

    def decomposition(self, score: object = "brier") -> Decomposition:
        """Return a mean proper score as miscalibration - discrimination + uncertainty.

        Parameters
        ----------
        score : {"brier", "log"}, float or pair of float
            The Brier score, the log loss (nats), the cost at one threshold in (0, 1), or the score whose thresholds
            have a beta distribution with these parameters; (1, 1) is half the Brier score.

        Returns
        -------
        Decomposition

        Warns
        -----
        ThresherWarning
            When the log loss is infinite: a positive has score 0 or a negative score 1. Nothing is clipped.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> calibration = th.Scores(data.y_true, data.logistic).calibration()
        >>> calibration.decomposition("log")
        log 0.1508 = miscalibration 0.05333 - discrimination 0.2205 + uncertainty 0.3181; skill 0.5257
        """
        rule = as_score(score)
        share = None if self._prevalence is None else Fraction(repr(float(self._prevalence)))
        tp, fp = running_counts(self.counts)
        parts = parts_of(rule, self._as_counted, tp, fp, self._blocks, share)
        if math.isinf(parts.mean):
            warn_infinite(self.counts, self.scores)
        return Decomposition(
            rule.name,
            parts.mean,
            parts.miscalibration,
            parts.discrimination,
            parts.uncertainty,
            parts.recalibrated,
            self,
            rule,
        )

    @property
    def _weighed(self) -> bool:
        """Whether rows are known to have weights or to belong together; sums alone are taken for row counts."""
        return not self.counts._independent

    def _spread(self, pos: FloatArray, neg: FloatArray) -> Spread:
        """Return the variance of a mean over weighted or clustered rows."""
        check_weights(self.counts)
        return sampling_of(self.counts).spread(mean_influence(pos, neg, self.counts))

    def _refuse_shift(self, what: str) -> None:
        if self._prevalence is not None:
            raise InvalidInputError(
                f"{what} must refer to the prevalence of the data; got prevalence={self._prevalence:g}. "
                "Hint: ask `scores.calibration()` without it."
            )

    def _whole_counts(self, what: str) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
        """Return scores and counts, highest first, for what needs independent rows at the data's own prevalence."""
        self._refuse_shift(what)
        if self._weighed or self.counts._weighted:
            weights = "weights" if self.counts._outcome is None else "weights of an outcome in time"
            got = weights if self.counts._weighted else "clusters"
            raise InvalidInputError(
                f"{what} needs whole counts of independent rows; got {got}. "
                "Hint: the curve, the decomposition and calibration in the large take them."
            )
        return self.scores, self.counts.pos, self.counts.neg

    def band(
        self,
        confidence_level: float = 0.95,
        *,
        method: str = "confidence",
        simultaneous: bool = True,
        groups: int = 50,
        n_resamples: int = 999,
        rng: Rng = None,
    ) -> CurveBand:
        """Return a band over the scores.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : {"confidence", "consistency"}
            "confidence": where the true curve lies, simultaneously and in finite samples, if it rises at all. The whole
            band inside score +- eps proves calibration to eps. "consistency": where the estimated curve of a
            calibrated model with these scores would lie; it belongs to the diagonal.
        simultaneous : bool, default=True
            For "consistency": for the whole curve, or for each score alone. "confidence" is always simultaneous.
        groups : int, default=50
            For "confidence": scores are joined into so many groups of equally many rows, without looking at the labels.
        n_resamples, rng : int, optional
            For "consistency".

        Returns
        -------
        CurveBand
            Lowest score first. For "consistency" the value is the score itself.

        Warns
        -----
        ThresherWarning
            When the confidence band crosses itself: no rising curve fits the data.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.logistic).calibration().band()
        >>> outside = (band.low > band.x) | (band.high < band.x)
        >>> bool(outside.any())
        True
        """
        level = check_confidence_level(confidence_level)
        how = check_choice(method, "method", _BANDS)
        x, pos, neg = self._whole_counts(f'The band "{how}"')
        if how == "confidence":
            low, high = honest_limits(pos[::-1], neg[::-1], level, check_count(groups, "groups", minimum=2))
            if (low > high).any():
                warn("The confidence band crosses itself: no rising calibration curve fits these data.")
            values = self.curve.calibrated[::-1]
            simultaneous = True
        else:
            size = check_count(n_resamples, "n_resamples", minimum=100)
            ends = consistency_limits(x, pos + neg, level, size, rng, simultaneous=simultaneous)
            low, high = (end[::-1] for end in ends)
            values = x[::-1]
        return CurveBand(x[::-1], low, high, values, level, how, simultaneous, "calibration")

    def murphy(self, theta: ArrayLike | None = None) -> MurphyCurve:
        """Return the Murphy diagram: the mean elementary cost at each threshold, and its parts.

        Parameters
        ----------
        theta : array-like, optional
            Thresholds in (0, 1); 0.005, 0.010, ..., 0.995 if left out.

        Returns
        -------
        MurphyCurve

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.Scores(data.y_true, data.logistic).calibration().murphy([0.1, 0.5]).mean.round(4)
        array([0.018 , 0.0287])
        """
        return murphy_curve(self.scores, self.counts, self._blocks, self._prevalence, theta)

    def in_the_large(self, confidence_level: float = 0.95) -> InTheLarge:
        """Return the observed and the expected number of positives.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.Scores([1, 0, 1, 0], [0.8, 0.6, 0.7, 0.3]).calibration().in_the_large()
        >>> found.observed, round(found.expected, 2), round(found.difference, 2)
        (2, 2.4, -0.1)
        """
        self._refuse_shift("Calibration in the large")
        level = check_confidence_level(confidence_level)
        # Of weighted or clustered rows the variance seen takes the place of that under calibration.
        seen = self._spread(1.0 - self.scores, -self.scores) if self._weighed else None
        return in_the_large(self.counts, self.scores, level, seen)

    def logistic(
        self, confidence_level: float = 0.95, *, method: str = "profile", clip: float | None = None
    ) -> LogisticCalibration:
        """Return calibration intercept and slope.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : {"profile", "wald"}
            Of the intervals.
        clip : float, optional
            Scores 0 and 1 have no logit; with this they become `clip` and 1 - `clip`. Without it they are refused.

        Returns
        -------
        LogisticCalibration

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> fit = th.Scores(data.y_true, data.logistic).calibration().logistic()
        >>> round(fit.intercept, 3), round(fit.slope, 3)
        (0.011, 2.561)
        """
        if self._weighed:
            self._whole_counts("An interval of calibration intercept and slope")
        self._refuse_shift("Calibration intercept and slope")
        level = check_confidence_level(confidence_level)
        check_choice(method, "method", ("profile", "wald"))
        return logistic_calibration(self.scores, self.counts.pos, self.counts.neg, level, method, clip)

    def test(
        self,
        method: str = "mcb",
        *,
        score: object = "log",
        groups: int = 10,
        reference: Any = None,
        n_resamples: int = 999,
        rng: Rng = None,
    ) -> CalibrationTest:
        """Test whether the scores are the probabilities.

        Parameters
        ----------
        method : {"mcb", "cox", "cumulative", "spiegelhalter", "hosmer-lemeshow", "e-value"}
            "mcb": miscalibration against that of labels drawn from the scores; exact level, no bins, and consistent
            against every departure that rises. "cox": likelihood ratio of intercept 0 and slope 1; the most powerful
            against scores that are too extreme or underconfident. "cumulative": range of cumulative differences; strong
            against a shift. "spiegelhalter": sees the Brier mean only. "hosmer-lemeshow": depends on the groups.
            "e-value": evidence against calibration that may be multiplied over batches; needs `reference`.
        score : str, float or pair
            For "mcb": the proper score, as in `decomposition`.
        groups : int, default=10
            For "hosmer-lemeshow".
        reference : Calibrator, optional
            For "e-value": a calibrator fitted on *other* data that never says 0 or 1.
        n_resamples, rng : int, optional
            For "mcb".

        Returns
        -------
        CalibrationTest

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> x = rng.random(500)
        >>> calibrated = th.Scores(rng.random(500) < x, x).calibration()
        >>> overconfident = th.Scores(rng.random(500) < 0.25 + x / 2, x).calibration()
        >>> calibrated.test(rng=1).pvalue > 0.05, overconfident.test(rng=1).pvalue
        (True, 0.001)
        """
        how = check_choice(method, "method", TESTS)
        x, pos, neg = self._whole_counts(f'The test "{how}"')
        if how == "mcb":
            rule, size = as_score(score), check_resamples(n_resamples)
            statistic = self.decomposition(rule).miscalibration
            return miscalibration_test(rule, statistic, x, pos, neg, self._blocks, size, rng)
        if how == "cox":
            fit = self.logistic()
            if fit.statistic is None or fit.pvalue is None:
                raise UndefinedMetricError('The test "cox" needs two distinct scores; got one.')
            return CalibrationTest(fit.statistic, fit.pvalue, how)
        if how == "spiegelhalter":
            return spiegelhalter(x, pos, neg)
        if how == "hosmer-lemeshow":
            return hosmer_lemeshow(x, pos, neg, check_count(groups, "groups", minimum=2))
        if how == "cumulative":
            return cumulative_test(x, pos, neg)
        return evidence_test(reference, x, pos, neg)

    def ece(self, *, bins: int = 10, strategy: str = "width") -> float:
        """Return the binned expected calibration error, for comparison with papers that report it.

        It depends on the bins, is biased upwards where the model is calibrated and downwards where errors cancel in a
        bin; `decomposition().miscalibration` needs no bins.

        Parameters
        ----------
        bins : int, default=10
            How many.
        strategy : {"width", "count"}
            Bins of equal width, each with its lower end, or of equally many rows, ties kept together.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> calibration = th.Scores(data.y_true, data.logistic).calibration()
        >>> round(calibration.ece(), 4), round(calibration.ece(bins=15), 4)
        (0.0589, 0.0589)
        """
        self._refuse_shift("The expected calibration error")
        number = check_count(bins, "bins", minimum=1)
        check_choice(strategy, "strategy", ("width", "count"))
        return expected_calibration_error(self.scores, self.counts.pos, self.counts.neg, number, strategy)

    def _repr_html_(self) -> str:
        """Return the calibration curve over the diagonal, for a notebook."""
        axes = ("score", "proportion of positives")
        picture = Picture(self.scores[::-1], self.calibrated[::-1], axes, ((0, 1), (0, 1)))
        return figure_html(picture, name="Calibration curve", caption=repr(self))

    def __repr__(self) -> str:
        counts = self.counts
        where = "" if self._prevalence is None else f", at prevalence {self._prevalence:g}"
        known = counts._rows_pos, counts._rows_neg
        rows = f"{counts.n_pos + counts.n_neg:,} rows"
        if counts._weighted:  # a sum of weights is no number of rows
            rows = "weighted rows" if None in known else f"{sum(filter(None, known)):,} weighted rows"
        lines = [
            f"Calibration of {rows}{where}: {len(counts):,} scores in {self._blocks.ends.size:,} blocks",
            f"  {self.decomposition()!r}",
        ]
        if self._prevalence is None:
            lines.append(f"  observed over expected {self.in_the_large().ratio:.3f}")
        return "\n".join(lines)


def calibration(counts: Counts, *, prevalence: float | None = None, shift_scores: bool = False) -> Calibration:
    """Return the calibration of the scores as probabilities: curve, decomposition, bands and tests.

    Parameters
    ----------
    prevalence : float, optional
        The proportion of positives where the scores will be used. Valid under label shift: the scores within each
        class are as in these data.
    shift_scores : bool, default=False
        Move the scores to that prevalence too, by their odds; otherwise the model still prints what it printed.

    Returns
    -------
    Calibration
        Its curve, bands, decompositions, tests and diagrams; scores must lie in [0, 1].

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> calibration = th.Scores(data.y_true, data.logistic).calibration()
    >>> calibration.curve.at([0.2, 0.5]).round(2)
    array([0.25, 1.  ])
    """
    if not counts._complete:
        raise InvalidInputError(
            "`calibration` needs every score; got a compressed table, whose rows stand for ranges of scores. "
            "Hint: ask the full table."
        )
    check_unit_range(counts, "`calibration`")
    counts = counts._even
    if prevalence is None:
        if shift_scores:
            raise InvalidInputError("`shift_scores=True` must come with a `prevalence` to shift to; got none.")
        return Calibration(counts)
    check_prevalence(prevalence)
    if not (counts.n_pos > 0 and counts.n_neg > 0):
        raise UndefinedMetricError("Calibration at another prevalence needs both classes; one is missing.")
    return Calibration(counts, float(prevalence), shift_scores)
