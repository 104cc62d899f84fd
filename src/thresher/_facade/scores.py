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
from thresher._core.result_bases import own_constructors
from thresher._facade.notebook_view import scores_html
from thresher._table import Counts, read_outcome, table_at_time
from thresher.exceptions import InvalidTypeError
from thresher.measures import Estimate, Measure, PartialRocAuc, PrAuc, RocAuc, as_call, as_measure
from thresher.typing import ArrayLike

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
        """Count an outcome in time at a horizon: which rows have had the event by t, with weights for censoring.

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
            If there is no event by `t`, or no row that is known to be free of it at `t`.

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
          positives        4.89 (0.611 of all)
          negatives        3.11
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

    # Methods that are functions of a table, written where the rest of their subject is.
    roc = _curves.roc_curve
    pr = _curves.pr_curve
    achievable_pr = _curves.achievable_pr
    pr_function = _curves.pr_function
    det = _curves.det_curve
    lift = _curves.lift_curve
    gain = _curves.gain_curve
    cost_curve = _curves.cost_curve
    pr_gain = _curves.pr_gain_curve
    roc_band = _inference.roc_band
    pr_band = _inference.pr_band
    pr_gain_band = _inference.pr_gain_band
    pr_gain_interval = _inference.pr_gain_interval
    choose_threshold = _decide.choose_threshold
    threshold_interval = _decide.threshold_interval
    diagnostic_table = _decide.diagnostic_table
    metric_curve = _decide.metric_curve
    metric_table = _decide.metric_table
    calibration = _inference.calibration
    decision_curve = _decide.decision_curve

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
        roc_auc = 0.75, 95% interval 0.07 to 1.00
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
        pr_auc (interpolated) = 0.52, 95% interval 0.13 to 0.83
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
        """Return any metric of the library, with its uncertainty.

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
