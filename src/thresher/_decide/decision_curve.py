"""Decision curves: the net benefit of acting on a score, over the threshold probabilities at which one would act."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.arrays import frozen
from thresher._core.checks import (
    check_choice,
    check_confidence_level,
    check_count,
    check_fractions,
    check_prevalence,
    show,
)
from thresher._core.notebook_html import Picture
from thresher._core.presented import Presented
from thresher._core.random_streams import random_generator
from thresher._core.result_bases import Drawn
from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._inference import CurveBand
from thresher._inference.rates import (
    NET_BENEFIT_METHODS,
    effective_calls,
    max_t_band,
    net_benefit,
    net_benefit_bounds,
    rectangle_band,
)
from thresher._table import CellSample, Counts, cell_sample, check_two_classes, running_counts
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, BoolArray, CountArray, FloatArray

_GRID = np.arange(1, 100) / 100.0
_SIMULTANEOUS = ("bootstrap", "equal-local-level")


@value(repr=False)
class DecisionCurve(Drawn, Presented):
    """Net benefit over threshold probabilities.

    Element i of every array belongs to ``threshold_probability[i]``, which rises with i. Acting on a positive
    prediction at a probability of p weighs a false one p / (1 - p) times as much as a right one; net benefit counts
    right calls per case, less false ones so weighed.

    Attributes
    ----------
    threshold_probability : array of float64
        At which probability of being positive one would act.
    net_benefit : array of float64
        TP/n - w FP/n with w = p/(1-p), less `harm`; at another prevalence, its proportion of TPR and FPR.
    treat_all : array of float64
        The net benefit of acting on every case; that of acting on none is 0.
    thresholds : array
        The score from which a case is predicted positive at this probability.
    tp, fp : array
        True and false positives there.
    n_pos, n_neg : number
        Class totals.
    prevalence : float
        The proportion of positives to which net benefit refers.
    given_prevalence : bool
        Whether it was given, and not that of the sample.
    calibrated : bool
        Whether the scores were recalibrated by the convex hull of these data; then the curve is what is achievable in
        sample, and optimistic.
    harm : float
        What taking the score costs per case, in net benefit.
    samples : tuple of CellSample or None
        The rows behind each point where they have weights or belong together; bands then take the independent cases of
        equal weight that they are worth.

    References
    ----------
    .. [1] A. J. Vickers and E. B. Elkin, "Decision curve analysis", Medical Decision Making 26 (2006), 565-574,
       doi:10.1177/0272989X06295361

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> curve = th.Scores(data.y_true, data.logistic).decision_curve([0.05, 0.1, 0.2])
    >>> curve.net_benefit.round(4), curve.treat_all.round(4)
    (array([0.0785, 0.0769, 0.0721]), array([ 0.0493, -0.0035, -0.129 ]))
    >>> curve.range_of_use()
    ((0.05, 0.2),)
    """

    threshold_probability: FloatArray
    net_benefit: FloatArray
    treat_all: FloatArray
    thresholds: FloatArray
    tp: CountArray
    fp: CountArray
    n_pos: float
    n_neg: float
    prevalence: float
    given_prevalence: bool
    calibrated: bool
    harm: float
    samples: tuple[CellSample, ...] | None = None

    def _picture(self) -> Picture:
        top = max(float(self.net_benefit.max()), self.prevalence)
        x, axes = self.threshold_probability, ("threshold probability", "net benefit")
        return Picture(x, self.net_benefit, axes, (x.tolist(), self.treat_all.tolist()), height=(-0.15 * top, top))

    @property
    def standardized(self) -> FloatArray:
        """Net benefit as a proportion of the most that is possible, which is the prevalence."""
        return frozen(self.net_benefit / self.prevalence)

    @property
    def interventions_avoided(self) -> FloatArray:
        """How many interventions per 100 cases are avoided, against acting on all, at no loss of right ones."""
        with np.errstate(divide="ignore", invalid="ignore"):
            avoided = 100.0 * (self.net_benefit - self.treat_all) / self._weight
        return frozen(np.where(self._weight > 0.0, avoided, np.nan))

    @property
    def _weight(self) -> FloatArray:
        return np.asarray(self.threshold_probability / (1.0 - self.threshold_probability))

    @property
    def _known(self) -> float | None:
        return self.prevalence if self.given_prevalence else None

    def band(
        self,
        confidence_level: float = 0.95,
        *,
        simultaneous: bool = False,
        method: str | None = None,
        n_resamples: int = 2000,
        rng: object = None,
    ) -> CurveBand:
        """Return a confidence band of net benefit.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        simultaneous : bool, default=False
            Whether the confidence level applies to all threshold probabilities together.
        method : str, optional
            Pointwise: "score" (default; Wilson limits of both shares joined), "normal". Simultaneous: "bootstrap"
            (default; the largest studentised deviation), "equal-local-level" (guaranteed at the given prevalence or
            that of the sample; wide).
        n_resamples, rng : int, optional
            For "bootstrap".

        Returns
        -------
        CurveBand

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.logistic).decision_curve([0.1]).band()
        >>> band.low.round(3), band.high.round(3)
        (array([0.064]), array([0.091]))
        """
        level = check_confidence_level(confidence_level)
        allowed = _SIMULTANEOUS if simultaneous else NET_BENEFIT_METHODS
        how = allowed[0] if method is None else check_choice(method, "method", allowed)
        self._check_fixed()
        if self.samples is not None and simultaneous:
            raise InvalidInputError(
                "`simultaneous=True` must have independent rows of equal weight; got weights or clusters. "
                "Hint: pointwise bands take them."
            )
        counts = self._cases(level)
        if how == "equal-local-level":
            low, high = rectangle_band(*counts, self._weight, self.prevalence, level)
        elif how == "bootstrap":
            draws = check_count(n_resamples, "n_resamples", minimum=100)
            generator = random_generator(rng)
            low, high = max_t_band(*counts, self._weight, self._known, level, draws, generator)
        else:
            low, high = net_benefit_bounds(*counts, self._weight, self._known, level, how)
        return CurveBand(
            self.threshold_probability,
            frozen(low - self.harm),
            frozen(high - self.harm),
            self.net_benefit,
            level,
            how,
            simultaneous,
            "decision",
        )

    def _cases(self, level: float) -> tuple[FloatArray, FloatArray, Any, Any]:
        """Return the calls and the cases, or what weighted or clustered rows are worth at each probability."""
        tp, fp = self.tp.astype(np.float64), self.fp.astype(np.float64)
        n_pos, n_neg = float(self.n_pos), float(self.n_neg)
        if self.samples is None:
            return tp, fp, n_pos, n_neg
        worth = [
            effective_calls(
                {"tp": found, "fp": wrong, "fn": n_pos - found, "tn": n_neg - wrong}, sample, weight, self._known, level
            )
            for found, wrong, weight, sample in zip(
                tp.tolist(), fp.tolist(), self._weight.tolist(), self.samples, strict=True
            )
        ]
        columns = np.array(worth).T
        return columns[0], columns[1], columns[2], columns[3]

    def _check_fixed(self) -> None:
        if self.calibrated:
            raise InvalidInputError(
                "A band must belong to thresholds fixed beforehand; this curve chose the best ones on the same data. "
                "Hint: fit a `th.Calibrator` on tuning data and draw the decision curve of the calibrated scores."
            )

    def range_of_use(self, confidence_level: float | None = None) -> tuple[tuple[float, float], ...]:
        """Return the threshold probabilities at which acting on the score is better than acting on all and on none.

        Parameters
        ----------
        confidence_level : float, optional
            Only where both are beaten with this confidence, each by a one-sided test at every probability alone.

        Returns
        -------
        tuple of (low, high)
            The ends are points of the grid.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> curve = th.Scores(data.y_true, data.tree).decision_curve()
        >>> curve.range_of_use(), curve.range_of_use(0.95)
        (((0.03, 0.8),), ((0.04, 0.74),))
        """
        if confidence_level is None:
            better = (self.net_benefit > 0.0) & (self.net_benefit > self.treat_all)
        else:
            self._check_fixed()
            # Both one-sided tests must reject, so neither needs a correction.
            level = 2.0 * check_confidence_level(confidence_level) - 1.0
            if level <= 0.0:
                raise InvalidInputError(f"`confidence_level` must be above 0.5 here; got {confidence_level!r}.")
            counts = (*self._cases(level), self._weight, self._known, level)
            better = net_benefit_bounds(*counts)[0] > self.harm
            better &= net_benefit_bounds(*counts, over_all=True)[0] > self.harm
        return _stretches(self.threshold_probability, better)

    def __len__(self) -> int:
        return int(self.threshold_probability.size)

    def __repr__(self) -> str:
        used = ", ".join(f"{low:g} to {high:g}" for low, high in self.range_of_use()) or "nowhere"
        how = ", on the hull: achievable in sample" if self.calibrated else ""
        return (
            f"DecisionCurve: {len(self):,} threshold probabilities, prevalence {self.prevalence:.4g}{how}; "
            f"beats acting on all and on none: {used}"
        )


def _stretches(x: FloatArray, inside: BoolArray) -> tuple[tuple[float, float], ...]:
    edges = np.diff(np.concatenate(([False], inside, [False])).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return tuple((float(x[i]), float(x[j])) for i, j in zip(starts, ends, strict=True))


def decision_curve(
    counts: Counts,
    thresholds: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    calibrate: str | None = None,
    recalibrate: bool = False,
    harm: float = 0.0,
) -> DecisionCurve:
    """Return the decision curve: net benefit over threshold probabilities.

    Parameters
    ----------
    thresholds : array-like, optional
        Threshold probabilities in [0, 1); 0.01, 0.02, ..., 0.99 if left out.
    prevalence : float, optional
        The proportion of positives where the score will be used; that of the data by default.
    calibrate : {"hull"}, optional
        Without it scores must be probabilities in [0, 1], and rows are predicted positive from that probability on.
        "hull" takes any scores and, at each probability, the best threshold on these data: what is achievable, in
        sample and optimistic. The difference is what miscalibration costs.
    recalibrate : bool, default=False
        With `prevalence`: move the probabilities to it by their odds before they are compared.
    harm : float, default=0.0
        What taking the score costs per row, in net benefit.

    Returns
    -------
    DecisionCurve

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> scores.decision_curve([0.1]).net_benefit.round(4)
    array([0.0769])
    >>> scores.decision_curve([0.1], calibrate="hull").net_benefit.round(4)
    array([0.0809])
    """
    check_two_classes(counts, "A decision curve")
    grid = np.unique(check_fractions(_GRID if thresholds is None else thresholds, "thresholds"))
    if grid.size == 0 or grid[-1] >= 1.0:
        raise InvalidInputError(
            f"`thresholds` must be probabilities in [0, 1), at least one; got {show(thresholds)}. "
            "Hint: net benefit is not defined at 1."
        )
    if calibrate is not None:
        check_choice(calibrate, "calibrate", ("hull",))
    known = None if prevalence is None else check_prevalence(prevalence)
    if recalibrate and (known is None or calibrate is not None):
        raise InvalidInputError(
            "`recalibrate=True` moves probabilities to another prevalence; it must come with `prevalence` and without "
            "`calibrate`. Hint: the hull is recalibrated already."
        )
    share = counts.prevalence if known is None else known
    weight = grid / (1.0 - grid)
    if calibrate == "hull":
        cuts, tp, fp = _best_on_hull(counts, weight, share)
    else:
        cuts = grid
        if recalibrate:
            # A score calibrated at the sample's prevalence reaches `grid` at the other one from here.
            odds = weight * (1.0 - share) / share * counts.prevalence / (1.0 - counts.prevalence)
            cuts = odds / (1.0 + odds)
        tp, fp = _called(counts, cuts)
    gained = net_benefit(tp, fp, float(counts.n_pos), float(counts.n_neg), weight, known) - harm
    return DecisionCurve(
        frozen(grid),
        frozen(gained),
        frozen(share - (1.0 - share) * weight),
        frozen(np.asarray(cuts, dtype=np.float64)),
        frozen(tp),
        frozen(fp),
        counts.n_pos,
        counts.n_neg,
        share,
        known is not None,
        calibrate is not None,
        float(harm),
        _samples(counts, np.asarray(cuts, dtype=np.float64)),
    )


def _samples(counts: Counts, cuts: FloatArray) -> tuple[CellSample, ...] | None:
    """Return the rows behind each cut; None where they are counted and independent."""
    if counts._plain_rows:
        return None
    found = [cell_sample(counts, cut) for cut in cuts.tolist()]
    return tuple(sample for sample in found if sample is not None)


def _called(counts: Counts, cuts: FloatArray) -> tuple[CountArray, CountArray]:
    scores = counts.thresholds
    if not (scores[0] <= 1 and scores[-1] >= 0):
        outside = int(np.count_nonzero((scores < 0) | (scores > 1)))
        wrong = scores[0] if scores[0] > 1 else scores[-1]
        raise InvalidInputError(
            f"A decision curve reads scores as probabilities in [0, 1]; got {float(wrong):g} (and {outside - 1:,} "
            "other scores). Hint: pass probabilities, or `calibrate='hull'` for what is achievable in sample."
        )
    # How many distinct scores are at least each cut; nothing as long as the table is made.
    rows = scores.size - np.searchsorted(scores[::-1], cuts.astype(scores.dtype) if scores.dtype.kind == "f" else cuts)
    tp, fp = (
        np.where(
            rows > 0, column[np.maximum(rows - 1, 0)].astype(counts.pos.dtype if counts._weighted else np.int64), 0
        )
        for column in running_counts(counts)
    )
    return tp, fp


def _best_on_hull(counts: Counts, weight: FloatArray, share: float) -> tuple[FloatArray, CountArray, CountArray]:
    """Return, at each weight, the vertex of the ROC convex hull with the most net benefit; ties call fewer."""
    hull = roc_curve(counts).hull()
    tp, fp = hull.tp, hull.fp
    gain = np.diff(tp) * (share / counts.n_pos)
    with np.errstate(divide="ignore"):
        # An edge is worth taking as long as it gains more than it costs; its break-even weights fall along the hull.
        worth = gain / (np.diff(fp) * ((1.0 - share) / counts.n_neg))
    taken = np.searchsorted(-worth, -weight * (1.0 + 1e-12), side="left")
    return np.asarray(hull.thresholds, dtype=np.float64)[taken], tp[taken], fp[taken]
