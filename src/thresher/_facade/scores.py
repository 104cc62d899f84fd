"""The public Scores: the count table with everything that can be asked of it, each answered by its own layer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, Self, overload

from thresher import _curves, _decide, _inference
from thresher._compare import Estimates
from thresher._compare.estimation import table_estimates
from thresher._core.arrays import as_scores
from thresher._core.checks import did_you_mean, show
from thresher._core.json_state import as_file
from thresher._core.random_streams import Progress, Rng
from thresher._core.result_bases import own_constructors
from thresher._curves import (
    AchievablePrCurve,
    CostCurve,
    DetCurve,
    GainCurve,
    LiftCurve,
    OperatingPoint,
    PrCurve,
    PrGainCurve,
    RocCurve,
)
from thresher._decide import DecisionCurve, DiagnosticTable, MetricCurve, MetricTable, ThresholdInterval
from thresher._facade.notebook_view import scores_html
from thresher._inference import Calibration, ConfidenceInterval, CurveBand
from thresher._table import Counts, read_outcome, table_at_time
from thresher.exceptions import InvalidTypeError
from thresher.measures import Estimate, Measure, PartialRocAuc, PrAuc, RocAuc, as_call, as_measure
from thresher.typing import ArrayLike, FloatArray

__all__ = ["Scores"]

_ARGUMENTS = tuple(signature(Counts).parameters)
# What other libraries call the arguments.
_MEANT = {
    "freq": "frequency",
    "group": "cluster",
    "groups": "cluster",
    "labels": "y_true",
    "positive": "pos_label",
    "probabilities": "y_score",
    "weight": "sample_weight",
    "weights": "sample_weight",
    "y": "y_true",
    "y_pred": "y_score",
    "y_prob": "y_score",
    "y_proba": "y_score",
}


@as_file
class Scores(Counts):
    """Labels and scores, counted once: the distinct scores with the positives and negatives at each.

    A ROC curve and a PR curve are the same list of confusion matrices; this is that list. Curves, areas, intervals
    and decisions are computed from it. `a + b` is the exact Scores of the union. Instances are frozen.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: {0, 1}, {False, True} or {-1, 1}; any others with `pos_label`.
    y_score : array-like of shape (n,)
        Real scores; larger means more positive, and a row is predicted positive when its score is at least the
        threshold. Scores tie when they are equal numbers. +inf and -inf are legal, NaN is refused.
    pos_label : object, optional
        The label of the positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        Sampling weights, floats or integers alike: how much each row counts. Only their ratios matter, and a row stays
        one observation whatever its weight. Rows of weight 0 are left out.
    frequency : array-like of shape (n,), optional
        Whole numbers: how many identical independent rows each row stands for, the same as repeating it so often.
        Beside `sample_weight` each of them has that weight.
    cluster : array-like of shape (n,), optional
        The cluster of each row, such as its patient: integers or text. Rows of a cluster may depend on each other.

    See Also
    --------
    Scores.from_pos_neg : From two samples.
    Scores.from_counts : From an aggregated table.
    Scores.from_soft_labels : From probabilities to be positive.
    Scores.from_frame : From columns of a dataframe.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.6, 0.3, 0.2, 0.1])
    >>> scores
    Scores
      rows             8
      positives        4 (0.5 of all)
      negatives        4
      distinct scores  7, from 0.9 down to 0.1
      ties             1 scores shared by both classes, 25.0% of the positives
    >>> scores.roc_auc().value
    0.65625
    >>> round(scores.pr_auc().value, 6)
    0.773395
    """

    if not TYPE_CHECKING:  # the types are those of `__init__`

        def __new__(cls, *unnamed: object, **named: object) -> Self:
            """Refuse a third argument without a name, in words of the public class."""
            if len(unnamed) > 2:
                raise InvalidTypeError(
                    "`Scores` takes two arguments without a name, `y_true` and `y_score`; "
                    f"got {len(unnamed)}, the third {show(unnamed[2])}. "
                    "Hint: name it, for example `pos_label=...` or `sample_weight=...`."
                )
            for name in named:
                if name not in _ARGUMENTS:
                    meant = _MEANT.get(name)
                    hint = f" Hint: it is `{meant}`." if meant else did_you_mean(name, _ARGUMENTS)
                    raise InvalidTypeError(f"`Scores` takes no argument `{name}`.{hint}")
            return object.__new__(cls)

        __signature__ = signature(Counts)

    def _own_hint(self, name: str) -> str:
        call = as_call(name)
        return "" if call is None else f" Hint: it is a metric, `{call}`."

    def _repr_html_(self) -> str:
        return scores_html(self, super()._repr_html_())

    @classmethod
    def at_time(
        cls,
        time: ArrayLike,
        event: ArrayLike,
        y_score: ArrayLike,
        t: float,
        *,
        cause: int = 1,
        controls: str = "all",
        censoring: str | ArrayLike = "kaplan-meier",
        strata: ArrayLike | None = None,
        entry: ArrayLike | None = None,
        censored_at_t: str = "event-free",
        sample_weight: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
    ) -> Self:
        """Count an outcome in time as it stands at a horizon: who has had the event by t, with censored rows.

        A case has had the event by `t`, a control has not. Rows censored before `t` have no class; the others are
        weighted by the inverse probability of not having been censored, so that the prevalence of the table is one
        minus Kaplan-Meier's estimate. Every method of `Scores` works on the table, and intervals and tests account for
        the estimated weights.

        Parameters
        ----------
        time : array-like of shape (n,)
            When the event came, or until when the row was followed, in any unit.
        event : array-like of shape (n,)
            Whether the event came: booleans, or whole numbers, 0 for censored rows and 1, 2 and so on for events.
        y_score : array-like of shape (n,)
            Scores, larger for rows at higher risk: the predicted risk by `t`, not the probability of survival.
        t : float
            The horizon, in the unit of `time`.
        cause : int, default=1
            The code of the event of interest; other events compete with it.
        controls : {"all", "event-free"}
            Whether rows with a competing event by `t` are controls, or are left out.
        censoring : {"kaplan-meier"} or array-like of shape (n,)
            How the probability of not being censored is estimated; or that probability for each row, just before the
            smaller of its time and `t`, such as from a Cox model of censoring. It is then taken as known.
        strata : array-like of shape (n,), optional
            Estimate it within groups, such as sites, where censoring depends on the group.
        entry : array-like of shape (n,), optional
            When each row came under observation, if not at time 0; before its time.
        censored_at_t : {"event-free", "unknown"}
            A row censored exactly at `t` was free of the event until then and is a control. "unknown" leaves it out, as
            scikit-survival, timeROC and riskRegression do.
        sample_weight, cluster : array-like of shape (n,), optional
            As in `Scores`.

        Returns
        -------
        Scores
            Tables of the same horizon and options add up: weights are then estimated from the rows of both.

        Raises
        ------
        UndefinedMetricError
            If no event has come by `t`, or nobody is known to be free of it at `t`.

        See Also
        --------
        thresher.time_dependent : Several models and several horizons.

        Notes
        -----
        Events come before censorings of the same time. What is estimated, and how, is in the explanation
        "Outcomes in time".

        Examples
        --------
        >>> import thresher as th
        >>> days, relapse = [30, 90, 120, 200, 365, 400, 500, 700], [1, 0, 1, 1, 0, 1, 0, 0]
        >>> risk = [0.9, 0.4, 0.8, 0.7, 0.2, 0.75, 0.3, 0.1]
        >>> scores = th.Scores.at_time(days, relapse, risk, 450)
        >>> scores
        Scores
          rows             8 at t = 450: 4 cases, 2 controls, 2 censored before
          positives        4.88889 (0.611 of all)
          negatives        3.11111
          distinct scores  6, from 0.9 down to 0.1
          ties             no score shared by both classes
          censoring        a control at t stands for up to 1.56 rows
        """
        scores = as_scores(y_score)
        rows = read_outcome(
            time,
            event,
            t,
            cause=cause,
            controls=controls,
            censoring=censoring,
            strata=strata,
            entry=entry,
            censored_at_t=censored_at_t,
            sample_weight=sample_weight,
            cluster=cluster,
            y_score=scores,
        )
        return table_at_time(cls, rows)

    def roc(self) -> RocCurve:
        """Return the ROC curve.

        Returns
        -------
        RocCurve
            With `thresholds`, `fpr` and `tpr` of equal length, from (0, 0) at threshold +inf to (1, 1).

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 1, 1], [0.2, 0.2, 0.7]).roc().tpr
        array([0. , 0.5, 1. ])
        """
        return _curves.roc_curve(self)

    def pr(self, *, prevalence: float | None = None, start: str = "group") -> PrCurve:
        """Return the precision-recall curve.

        Parameters
        ----------
        prevalence : float, optional
            The proportion of positives where the classifier will be used; precision is redrawn for it.
        start : {"group", "one"}
            The precision of point 0, which predicts nothing positive: that of the first group of scores, or 1.

        Returns
        -------
        PrCurve
            With `thresholds`, `recall` and `precision` of equal length.

        Examples
        --------
        A balanced test set says little about a deployment with one positive in a hundred:

        >>> import thresher as th
        >>> scores = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> scores.pr().at(recall=1).precision
        0.75
        >>> round(scores.pr(prevalence=0.01).at(recall=1).precision, 3)
        0.029
        """
        return _curves.pr_curve(self, prevalence=prevalence, start=start)

    def achievable_pr(self, *, prevalence: float | None = None) -> AchievablePrCurve:
        """Return the achievable PR curve: the ROC convex hull seen in PR space.

        Parameters
        ----------
        prevalence : float, optional
            The proportion of positives to which precision refers.

        Returns
        -------
        AchievablePrCurve
            Its ``mix(recall=r)`` gives the two thresholds and the mixing probability that reach a recall.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([1, 0, 0, 1], [4, 3, 2, 1]).achievable_pr().mix(recall=0.75)
        Mix(high=4.0, low=1.0, probability=0.5)
        """
        return _curves.achievable_pr(self, prevalence=prevalence)

    def pr_function(self, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
        """Return Hughes-Oliver's functional estimate of precision at recalls.

        Parameters
        ----------
        recall : array-like
            Values in [0, 1]; at 0 the limit is returned, at 1 the prevalence.
        prevalence : float, optional
            The proportion of positives to which precision refers.

        Returns
        -------
        ndarray
            Of the shape of `recall`. Without ties across the classes this is the interpolated PR curve at the lower
            end of its vertical pieces; with ties it is above what any threshold achieves.

        References
        ----------
        J. M. Hughes-Oliver (2018), "Population and empirical PR curves for assessment of ranking algorithms".

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores.from_pos_neg([5, 3], [4, 1]).pr_function([0.25, 0.5, 0.75, 1])
        array([1. , 0.5, 0.6, 0.5])
        """
        return _curves.pr_function(self, recall, prevalence=prevalence)

    def det(self) -> DetCurve:
        """Return the detection error trade-off curve: misses against false alarms.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).det().equal_error_rate()
        0.25
        """
        return _curves.det_curve(self)

    def lift(self) -> LiftCurve:
        """Return the lift curve: how many times the base rate the called rows hold.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 0, 0, 1], [1, 2, 3, 4]).lift().lift.round(2)
        array([4.  , 4.  , 2.  , 1.33, 1.  ])
        """
        return _curves.lift_curve(self)

    def gain(self) -> GainCurve:
        """Return the cumulative gain curve: positives found against rows called.

        Examples
        --------
        >>> import thresher as th
        >>> gain = th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).gain()
        >>> gain.depth, gain.recall
        (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 1. , 1. , 1. ]))
        """
        return _curves.gain_curve(self)

    def cost_curve(self) -> CostCurve:
        """Return the cost curve: the lowest expected cost under every operating condition.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).cost_curve()
        >>> curve.evaluate(0.5), curve.best_threshold(0.5)
        (array(0.25), np.float64(2.0))
        """
        return _curves.cost_curve(self)

    def pr_gain(self) -> PrGainCurve:
        """Return the precision-recall-gain curve, in which straight lines are right.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).pr_gain().area
        1.0
        """
        return _curves.pr_gain_curve(self)

    def roc_band(
        self,
        fpr: ArrayLike | None = None,
        *,
        confidence_level: float = 0.95,
        simultaneous: bool = False,
        method: str | None = None,
        design: str = "random",
        n_resamples: int = 4000,
        rng: object = None,
    ) -> CurveBand:
        """Return a confidence band of the ROC curve.

        Parameters
        ----------
        fpr : array-like, optional
            False positive rates at which the band is wanted; 0, 0.01, ..., 1 if left out.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        simultaneous : bool, default=False
            Whether the confidence level applies to the whole curve instead of to each point.
        method : str, optional
            Pointwise: "binomial-beta" (default), "logit", "normal", "bootstrap". Simultaneous: "envelope" (default),
            "equal-local-level" (finite-sample guarantee), "dkw", "bootstrap".
        design : {"random", "fixed"}
            Whether the class totals were left to chance; for ROC both give the same band.
        n_resamples, rng : int, optional
            For "envelope" and "bootstrap": how many curves are drawn, and a seed.

        Returns
        -------
        CurveBand
            With `x`, `low`, `value` and `high` of equal length.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.logistic).roc_band([0.05, 0.1])
        >>> band.low.round(3), band.high.round(3)
        (array([0.777, 0.883]), array([0.909, 0.961]))
        """
        return _inference.roc_band(
            self,
            fpr,
            confidence_level=confidence_level,
            simultaneous=simultaneous,
            method=method,
            design=design,
            n_resamples=n_resamples,
            rng=rng,
        )

    def pr_band(
        self,
        recall: ArrayLike | None = None,
        *,
        confidence_level: float = 0.95,
        simultaneous: bool = False,
        method: str | None = None,
        design: str = "random",
        prevalence: float | None = None,
        n_resamples: int = 4000,
        rng: object = None,
    ) -> CurveBand:
        """Return a confidence band of the precision-recall curve.

        Parameters
        ----------
        recall : array-like, optional
            Recalls at which the band is wanted; 0.01, 0.02, ..., 1 if left out.
        confidence_level, simultaneous, method, n_resamples, rng
            As in `roc_band`.
        design : {"random", "fixed"}
            Whether the number of positives was left to chance, so that the prevalence is uncertain too.
        prevalence : float, optional
            The known proportion of positives to which precision refers.

        Returns
        -------
        CurveBand

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.logistic).pr_band([0.5, 0.9])
        >>> band.low.round(2), band.value.round(2), band.high.round(2)
        (array([0.92, 0.41]), array([0.98, 0.6 ]), array([1.  , 0.68]))
        """
        return _inference.pr_band(
            self,
            recall,
            confidence_level=confidence_level,
            simultaneous=simultaneous,
            method=method,
            design=design,
            prevalence=prevalence,
            n_resamples=n_resamples,
            rng=rng,
        )

    def pr_gain_band(
        self,
        recall_gain: ArrayLike | None = None,
        *,
        confidence_level: float = 0.95,
        simultaneous: bool = False,
        method: str | None = None,
        n_resamples: int = 4000,
        rng: object = None,
    ) -> CurveBand:
        """Return a confidence band of the precision-recall-gain curve; the class totals are taken as given.

        Parameters
        ----------
        recall_gain : array-like, optional
            Recall gains in [0, 1] at which the band is wanted; 0, 0.01, ..., 1 if left out.
        confidence_level, simultaneous, method, n_resamples, rng
            As in `roc_band`.

        Returns
        -------
        CurveBand
            The band of `pr_band` seen in the other space; gains below 0 are worse than calling everything positive.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.logistic).pr_gain_band([0.9, 0.99])
        >>> band.low.round(3), band.value.round(3), band.high.round(3)
        (array([0.989, 0.827]), array([0.998, 0.907]), array([1.   , 0.943]))
        """
        return _inference.pr_gain_band(
            self,
            recall_gain,
            confidence_level=confidence_level,
            simultaneous=simultaneous,
            method=method,
            n_resamples=n_resamples,
            rng=rng,
        )

    def pr_gain_interval(
        self, confidence_level: float = 0.95, *, method: str = "log", n_resamples: int = 2000, rng: Any = None
    ) -> ConfidenceInterval:
        """Return a confidence interval of the area under the precision-recall-gain curve.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Strictly between 0 and 1.
        method : {"log", "percentile"}, default "log"
            A normal interval on the scale of log(1 - area), its standard error from the resamples; or their quantiles,
            which lie too high when the area is near 1 and the classes are small.
        n_resamples : int, default 2000
            How many resamples of the counts are drawn; each class keeps its size.
        rng : Generator or int, optional
            Source of randomness.

        Returns
        -------
        ConfidenceInterval

        Warns
        -----
        ThresherWarning
            When the area is 1: the interval is a point.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> scores = th.Scores(data.y_true, data.logistic)
        >>> round(scores.pr_gain().area, 4), f"{scores.pr_gain_interval(rng=1):.3f}"
        (0.9961, '0.994 to 0.997')
        """
        return _inference.pr_gain_interval(
            self, confidence_level=confidence_level, method=method, n_resamples=n_resamples, rng=rng
        )

    def choose_threshold(
        self,
        maximize: _decide.Goal | None = None,
        *,
        minimize: _decide.Goal | None = None,
        prevalence: float | None = None,
        mix: bool = False,
        confidence: float | None = None,
        guarantee: str = "population",
        n_next: int | None = None,
        **constraints: Any,
    ) -> OperatingPoint:
        """Return the operating point that is best by a metric among those that keep all constraints.

        Choose on tuning data: a threshold evaluated on the data used to choose it looks better than it is (see `tune`,
        and `OperatingPoint.optimism`).

        Parameters
        ----------
        maximize, minimize : str or callable, optional
            The metric: any of the confusion matrix, such as "f1", "mcc", "youden", "cost" or "closest_corner", or a
            function of four arrays ``(tp, fp, fn, tn)``. Without it: the highest precision if `min_recall` is the only
            constraint, the highest recall under others, else the highest Youden index.
        prevalence : float, optional
            The prevalence at which the threshold will be used.
        mix : bool, default=False
            Meet one constraint with equality, by a randomised mixture of two vertices of the convex hull.
        confidence : float, optional
            The proportion of tuning samples in which the constraints are to hold in the population, not only in these
            data; the point's `guarantee` says what is guaranteed. Exact for recall, false positive rate and alert rate.
        guarantee : {"population", "next", "expected"}
            What is to keep the constraints: the population, the next `n_next` rows, or the mean over tuning samples.
        n_next : int, optional
            For guarantee="next": how many rows of the constraint's class will come.
        **constraints : float
            ``min_<metric>`` and ``max_<metric>`` for any metric, such as ``min_recall=0.9`` or ``max_fdr=0.1``, meant
            as written: ``max_fpr=1 - 0.9`` is one tenth. ``max_alerts``: the most rows of these data that are predicted
            positive. And the options of the metric, such as `beta`, `cost_fp` and `cost_fn`.

        Returns
        -------
        OperatingPoint
            Ties are decided exactly: of equally good points the one with the highest threshold, except for precision,
            of which it is the lowest. It prints its threshold in as few digits as make the same predictions when they
            are typed back, and its ``predict(y_score)`` makes them. With `mix`, ``mix`` may hold two thresholds and a
            probability; ``threshold`` then is the one of the two that keeps the constraint alone.

        References
        ----------
        W. J. Youden (1950), "Index for rating diagnostic tests", Cancer 3(1), 32-35.
        C. E. Metz (1978), "Basic principles of ROC analysis", doi:10.1016/S0001-2998(78)80014-2, for costs.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> scores.choose_threshold(min_recall=0.75).threshold
        5.0
        >>> scores.choose_threshold("mcc", max_fdr=0.4).threshold
        7.0
        >>> scores.choose_threshold(minimize="cost", cost_fn=5, cost_fp=1).threshold
        2.0
        >>> scores.choose_threshold(min_specificity=0.75).predict([6.5, 5.5])
        array([ True,  True])

        A recall of 0.9 that 95 of 100 tuning samples keep in the population:

        >>> data = th.datasets.load_digits_eight()
        >>> th.Scores(data.y_true, data.logistic).choose_threshold(min_recall=0.9, confidence=0.95).guarantee
        Guarantee(min_recall=0.9 in the population, confidence 0.95, order-statistic; ...)
        """
        target = _decide.target_of(maximize, minimize=minimize, prevalence=prevalence, **constraints)
        return _decide.choose(self, target, mix=mix, promise=_decide.as_promise(confidence, guarantee, n_next))

    def threshold_interval(
        self,
        maximize: _decide.Goal | None = None,
        *,
        minimize: _decide.Goal | None = None,
        prevalence: float | None = None,
        confidence_level: float = 0.95,
        method: str | None = None,
        n_resamples: int = 1000,
        rng: Rng = None,
        progress: Progress | None = None,
        **constraints: Any,
    ) -> ThresholdInterval:
        """Return an interval for the population's threshold: the one that would be chosen there.

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
        threshold 0.1715, 95% interval 0.116454 to 0.205364 (exact)
        >>> found = scores.threshold_interval("youden", n_resamples=200, rng=1)
        >>> found.low < found.point.threshold < found.high
        True
        """
        return _decide.threshold_interval(
            self,
            maximize,
            minimize=minimize,
            prevalence=prevalence,
            confidence_level=confidence_level,
            method=method,
            n_resamples=n_resamples,
            rng=rng,
            progress=progress,
            **constraints,
        )

    def diagnostic_table(
        self, *, threshold: float, prevalence: float | None = None, confidence_level: float = 0.95
    ) -> DiagnosticTable:
        """Return the table of a diagnostic accuracy study: counts, rates, predictive values, likelihood ratios, area.

        Parameters
        ----------
        threshold : float
            The cut-off, fixed before these data were seen; a case is predicted positive at this score or above.
        prevalence : float, optional
            The proportion of positives where the test will be used; predictive values refer to it.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        DiagnosticTable
            Prints itself; ``to_latex()`` and ``to_dict()`` for papers and programs.

        Notes
        -----
        Proportions have the interval of `proportion_interval`; likelihood ratios join the limits of both rates, and
        predictive values at a given prevalence follow from them. The odds ratio has a logarithmic interval. At a
        threshold chosen on the same data all of them are optimistic: see `choose_threshold` with a `confidence`.

        References
        ----------
        .. [1] P. M. Bossuyt and others, "STARD 2015", BMJ 351 (2015), h5527, doi:10.1136/bmj.h5527

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> table = th.Scores(data.y_true, data.tree).diagnostic_table(threshold=0.5, prevalence=0.01)
        >>> round(table["ppv"].value, 3), round(table["sensitivity"].low, 3)
        (0.257, 0.646)
        """
        return _decide.diagnostic_table(
            self, threshold=threshold, prevalence=prevalence, confidence_level=confidence_level
        )

    def metric_curve(
        self, *metrics: str, x: str = "threshold", prevalence: float | None = None, **options: Any
    ) -> MetricCurve:
        """Return metrics of the confusion matrix at every threshold, against the threshold, the depth or each other.

        Parameters
        ----------
        *metrics : str
            Names of metrics, such as "mcc" and "f1".
        x : str, default="threshold"
            "threshold", "depth" (the proportion of rows that are predicted positive), or a metric such as "recall".
        prevalence : float, optional
            The prevalence to which the metrics refer.
        **options
            Options of the metrics, such as `beta`.

        Returns
        -------
        MetricCurve
            With ``band(name)`` for the band of one of the metrics, and ``plot()``.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).metric_curve("mcc", x="recall")
        >>> curve.x, curve["mcc"].round(3)
        (array([0. , 0.5, 0.5, 1. , 1. ]), array([0.   , 0.577, 0.   , 0.577, 0.   ]))
        """
        return _decide.metric_curve(self, metrics, x=x, prevalence=prevalence, options=options)

    def metric_table(
        self,
        metrics: Sequence[str] = ("precision", "recall"),
        *,
        at: Sequence[float] | None = None,
        top: Sequence[float] | None = None,
        alerts: Sequence[int] | None = None,
        prevalence: float | None = None,
    ) -> MetricTable:
        """Return metrics with intervals at chosen thresholds, proportions of the ranking, or numbers of alerts.

        Parameters
        ----------
        metrics : sequence of str, default=("precision", "recall")
            Names of metrics of the confusion matrix.
        at : sequence of float, optional
            Thresholds.
        top : sequence of float, optional
            Proportions of all rows: 0.01 is the highest-ranked 1%. The threshold is the lowest that predicts no more
            of them positive.
        alerts : sequence of int, optional
            Row counts instead.
        prevalence : float, optional
            The prevalence to which the metrics refer.

        Returns
        -------
        MetricTable

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.Scores(data.y_true, data.logistic).metric_table(["precision", "recall"], top=[0.05, 0.1])
        Metrics by threshold, 95% intervals
          threshold 0.452694, 89 alerts: precision 0.978 (0.925 to 0.997), recall 0.500 (0.424 to 0.576)
          threshold 0.254979, 179 alerts: precision 0.760 (0.691 to 0.820), recall 0.782 (0.714 to 0.840)
        """
        return _decide.metric_table(self, metrics, at=at, top=top, alerts=alerts, prevalence=prevalence)

    def plot(self, axes: Any = None, *, prevalence: float | None = None, **options: Any) -> Any:
        """Draw the ROC and the precision-recall curve side by side, with the same thresholds marked on both.

        Parameters
        ----------
        axes : pair of matplotlib Axes, optional
            Where to draw; new ones by default.
        prevalence : float, optional
            The prevalence to which precision refers.
        **options
            Options of `thresher.plotting.LinkedDisplay.plot`.

        Returns
        -------
        LinkedDisplay

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.Scores(data.y_true, data.tree).plot()
        >>> display.ax_pr_.get_ylabel()
        'Precision'
        >>> plt.close(display.figure_)
        """
        display: Any = import_module("thresher.plotting").LinkedDisplay
        return display.from_scores(self, axes=axes, prevalence=prevalence, **options)

    def calibration(self, *, prevalence: float | None = None, shift_scores: bool = False) -> Calibration:
        """Return whether the scores, read as probabilities, agree with what happened.

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
        return _inference.calibration(self, prevalence=prevalence, shift_scores=shift_scores)

    def decision_curve(
        self,
        thresholds: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        calibrate: str | None = None,
        recalibrate: bool = False,
        harm: float = 0.0,
    ) -> DecisionCurve:
        """Return the decision curve: net benefit over the probabilities at which one would act.

        Parameters
        ----------
        thresholds : array-like, optional
            Threshold probabilities in [0, 1); 0.01, 0.02, ..., 0.99 if left out.
        prevalence : float, optional
            The proportion of positives where the score will be used; that of the data by default.
        calibrate : {"hull"}, optional
            Without it scores must be probabilities in [0, 1], and a row is called from the threshold probability on.
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
        return _decide.decision_curve(
            self, thresholds, prevalence=prevalence, calibrate=calibrate, recalibrate=recalibrate, harm=harm
        )

    def roc_auc(self) -> Estimate:
        """Return the area under the ROC curve; tied pairs count one half.

        Returns
        -------
        Estimate
            Without weights its value is the correctly rounded quotient of integers, whatever the order of the rows.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
        roc_auc = 0.75, 95% interval 0.07 to 0.998
        """
        return RocAuc().estimate(self)

    def partial_roc_auc(
        self,
        *,
        fpr: tuple[float, float] | None = None,
        tpr: tuple[float, float] | None = None,
        standardize: bool = False,
    ) -> Estimate:
        """Return the area over a range of FPR or of TPR.

        Parameters
        ----------
        fpr : (low, high), optional
            The area of sensitivity over this range of false positive rates.
        tpr : (low, high), optional
            The area of specificity over this range of true positive rates.
        standardize : bool, default=False
            McClish's correction: 1 for a perfect and 1/2 for a worthless score; below 1/2 for one worse than chance.

        Returns
        -------
        Estimate

        References
        ----------
        D. K. McClish (1989), doi:10.1177/0272989X8900900307.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> scores.partial_roc_auc(fpr=(0, 0.5)).value
        0.25
        >>> round(scores.partial_roc_auc(fpr=(0, 0.5), standardize=True).value, 6)
        0.666667
        """
        return PartialRocAuc(fpr, tpr, standardize).estimate(self)

    def pr_auc(
        self,
        *,
        estimator: str = "interpolated",
        prevalence: float | None = None,
        recall: tuple[float, float] | None = None,
        normalize: bool = False,
    ) -> Estimate:
        """Return the area under the precision-recall curve.

        Parameters
        ----------
        estimator : str
            ``"interpolated"``: the exact integral of the Davis-Goadrich curve, what mixtures of thresholds achieve.
            ``"average_precision"``: the precision of the next threshold, held (scikit-learn's).
            ``"unit_steps"``: trapezoids at whole true positives, the 2006 paper's approximation of the first.
            ``"trapezoid"``: straight lines from (0, 1); wrong across ties and gaps, here for comparison.
            ``"functional"``: Hughes-Oliver's estimator, in which positives win ties.
            ``"achievable"``: the integral of the achievable curve (convex hull); optimistic on the data that made it.
        prevalence : float, optional
            The proportion of positives where the classifier will be used.
        recall : (low, high), optional
            Only this range of recall; the area then is at most high - low.
        normalize : bool, default=False
            Place the area between the smallest possible (0) and the largest (1), as Boyd et al. (2012) do.

        Returns
        -------
        Estimate

        References
        ----------
        J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874.

        Examples
        --------
        Ties make the estimators differ; the estimate says so.

        >>> import thresher as th
        >>> tied = th.Scores.from_counts([1.0, 0.0], pos=[5, 5], neg=[0, 990])
        >>> tied.pr_auc()
        pr_auc (interpolated) = 0.52, 95% interval 0.12 to 0.81
          50.0% of the positives share their score with negatives; breaking ties could give 0.504 to 1
          other estimators differ: average_precision -0.011, trapezoid +0.24, functional +0.48
          only two distinct scores, as predictions have; probabilities or decision values would show the whole curve
        """
        return PrAuc(estimator, prevalence, recall, normalize).estimate(self)

    @overload
    def measure(self, metric: str | Measure, **options: Any) -> Estimate: ...
    @overload
    def measure(self, metric: Sequence[str | Measure], **options: Any) -> Estimates: ...
    def measure(self, metric: str | Measure | Sequence[str | Measure], **options: Any) -> Estimate | Estimates:
        """Return any metric that the library has, with its uncertainty.

        Parameters
        ----------
        metric : str or Measure, or a list of them
            A name or an alias of `thresher.measures.names()`, or an object of `thresher.measures`.
        **options
            The options of the measure.

        Returns
        -------
        Estimate or Estimates
            For a list the values of all with their covariance.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
        >>> round(scores.measure("recall_at_fpr", fpr=0.4), 4)
        0.6667
        >>> scores.measure("auc") == scores.roc_auc()
        True
        >>> data = th.datasets.load_digits_eight()
        >>> both = th.Scores(data.y_true, data.tree).measure(["roc_auc", "average_precision"])
        >>> both.correlation().round(2)
        array([[1.  , 0.68],
               [0.68, 1.  ]])
        """
        if isinstance(metric, list | tuple):
            return table_estimates(self, metric, options)
        return as_measure(metric, **options).estimate(self)


own_constructors(Scores, "from_pos_neg", "from_counts", "from_arrow", "from_soft_labels", "from_frame", "load")
