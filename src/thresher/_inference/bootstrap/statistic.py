"""What is resampled: a metric with its options, as a function of many count tables at once."""

from __future__ import annotations

import numpy as np

from thresher._core.checks import check_choice, check_prevalence, check_range, show
from thresher._core.resampling import Replicates, Wanted
from thresher._core.values import value
from thresher._curves import min_average_precision
from thresher._curves.area_floors import least_pr_area, mcclish
from thresher._inference.bootstrap import replicate_areas as kernels
from thresher._inference.delong.partial import partial_delong
from thresher._inference.pr.asymptotic import pr_auc_standard_error
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray, IntArray

__all__ = ["METRICS", "Statistic", "make_statistic"]

METRICS = ("roc_auc", "partial_roc_auc", "pr_auc", "average_precision", "precision_at_recall")

Span = tuple[float, float]
_ALL: Span = (0.0, 1.0)
# Between thresholds these depend on more than the path of the curve, so positives in a row must stay apart.
_STEPWISE = ("average_precision", "unit_steps", "trapezoid")


@value
class Statistic:
    """A metric with its options.

    Parameters
    ----------
    metric : str
        One of `METRICS`, except that average precision is ``"pr_auc"`` with that estimator.
    estimator : str
        How an area under the PR curve is computed.
    prevalence : float or None
        The share of positives to which precision refers.
    along : {"fpr", "tpr", "recall"}
        To which rate `span` refers.
    span : (low, high)
        The range of that rate.
    recall : float
        For the precision at a recall.
    standardize : bool
        McClish's correction of a partial area, Boyd's of an area under the PR curve.
    """

    metric: str
    estimator: str = "interpolated"
    prevalence: float | None = None
    along: str = "recall"
    span: Span = _ALL
    recall: float = 1.0
    standardize: bool = False

    @property
    def path_only(self) -> bool:
        """Whether only the path of the ROC curve matters, so that positives in a row may be counted together."""
        return not (self.metric == "pr_auc" and self.estimator in _STEPWISE)

    @property
    def bounds(self) -> Span:
        """The least and the greatest value that intervals may have."""
        partial = self.metric in ("partial_roc_auc", "pr_auc") and not self.standardize
        return (0.0, self.span[1] - self.span[0] if partial else 1.0)

    @property
    def has_variance(self) -> bool:
        """Whether `variances` gives a standard error for each table."""
        return self.metric == "roc_auc" or (self.metric in ("partial_roc_auc", "pr_auc") and not self.standardize)

    def values(self, pos: FloatArray, neg: FloatArray, at: kernels.Columns) -> FloatArray:
        """Return the metric of each table; row i of `pos` and `neg` is table i, `at` the columns with positives."""
        if self.metric == "roc_auc":
            return kernels.roc_auc(pos, neg, at)
        if self.metric == "precision_at_recall":
            return kernels.precision_at(pos, neg, at, recall=self.recall, prevalence=self.prevalence)
        if self.metric == "partial_roc_auc":
            area = self._of_range(kernels.partial_area(pos, neg, at, along=self.along, span=self.span))
        else:
            area = kernels.pr_area(pos, neg, at, estimator=self.estimator, prevalence=self.prevalence, span=self.span)
        return self._standardized(area, pos.sum(axis=1), neg.sum(axis=1))

    def wanted(self) -> Wanted | None:
        """Return what the compiled bootstrap has to measure; None where it does not know this metric."""
        odds = 0.0 if self.prevalence is None else (1.0 - self.prevalence) / self.prevalence
        if self.metric == "roc_auc":
            return Wanted(roc_auc=True)
        if self.metric == "precision_at_recall":
            return Wanted(odds, recalls=(self.recall,))
        if self.metric == "partial_roc_auc":
            return Wanted(spans=(self.span,), along_tp=self.along == "tpr")
        if self.span != _ALL or self.estimator not in ("interpolated", "functional", "average_precision"):
            return None
        if self.estimator == "average_precision":
            return Wanted(odds, average_precision=True)
        return Wanted(odds, interpolated=True, positives_first=self.estimator == "functional")

    def measured(self, found: Replicates) -> FloatArray:
        """Return the metric of each replicate from what was measured; the only point holds the class totals."""
        if self.metric == "roc_auc":
            return np.asarray(found.roc_auc)
        if self.metric == "precision_at_recall":
            return found.precision_at[:, 0]
        if self.metric == "partial_roc_auc":
            area = found.partial[:, 0]
        else:
            area = np.asarray(found.average_precision if found.interpolated is None else found.interpolated)
        totals = found.points[:, 0].astype(np.float64)
        return self._standardized(area, totals[:, 0], totals[:, 1])

    @property
    def is_sum(self) -> bool:
        """Whether the metric is a sum over groups of tied scores, which `left_out` needs."""
        return self.metric == "partial_roc_auc" or (self.metric == "pr_auc" and self.estimator in kernels.TERMS)

    def left_out(self, pos: IntArray, neg: IntArray, *, positive: bool) -> FloatArray:
        """Return the metric with one case of a class taken out, at every column that has one.

        What stands above the case adds what it added, what stands below adds what it would with one case less above it:
        three passes over the table give all values.
        """
        counts = pos if positive else neg
        less = float(positive), float(not positive)
        tp, fp, p, q = (column.astype(np.float64) for column in (np.cumsum(pos) - pos, np.cumsum(neg) - neg, pos, neg))
        totals = np.array([pos.sum() - less[0]]), np.array([neg.sum() - less[1]])
        above = self._terms(kernels.Pieces(tp, fp, p, q, *totals))
        there = self._terms(kernels.Pieces(tp, fp, np.maximum(p - less[0], 0.0), np.maximum(q - less[1], 0.0), *totals))
        below = self._terms(kernels.Pieces(np.maximum(tp - less[0], 0.0), np.maximum(fp - less[1], 0.0), p, q, *totals))
        summed = np.cumsum(above) - above + there + (np.cumsum(below[::-1])[::-1] - below)
        area = summed[counts > 0] / totals[0]
        if self.metric == "partial_roc_auc":
            area = self._of_range(area / totals[1])
        return self._standardized(area, np.broadcast_to(totals[0], area.shape), np.broadcast_to(totals[1], area.shape))

    def _terms(self, pieces: kernels.Pieces) -> FloatArray:
        if self.metric == "partial_roc_auc":
            return kernels.partial_terms(pieces, along=self.along, span=self.span)
        return kernels.TERMS[self.estimator](pieces.at_prevalence(self.prevalence), self.span)

    def variances(self, pos: FloatArray, neg: FloatArray, at: kernels.Columns, *, stratified: bool) -> FloatArray:
        """Return the analytic variance of each table's value; NaN where a class has not more than one case.

        `stratified` says whether the class totals are fixed; areas under the PR curve vary more where they are not.
        """
        enough = (pos.sum(axis=1) > 1) & (neg.sum(axis=1) > 1)
        out = np.full(pos.shape[0], np.nan)
        if self.metric == "roc_auc":
            out[enough] = kernels.delong_variances(pos[enough], neg[enough], at)
            return out
        for row in np.flatnonzero(enough).tolist():
            seen = (pos[row] > 0) | (neg[row] > 0)
            table = pos[row, seen], neg[row, seen]
            if self.metric == "partial_roc_auc":
                out[row] = partial_delong(*table, span=self.span, axis=self.along).variance
            else:
                counts = Counts._from_table((-np.arange(table[0].size), *table))
                out[row] = (
                    pr_auc_standard_error(
                        counts,
                        estimator=self.estimator,
                        prevalence=self.prevalence,
                        recall=None if self.span == _ALL else self.span,
                        design="fixed" if stratified else "random",
                    )
                    ** 2
                )
        return out

    def _of_range(self, area: FloatArray) -> FloatArray:
        """Return the partial area from the area between the curve and the axis of the range."""
        return area if self.along == "fpr" else (self.span[1] - self.span[0]) - area

    def _standardized(self, area: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        if not self.standardize:
            return area
        if self.metric == "partial_roc_auc":
            return np.asarray(mcclish(area, self.along, self.span))
        return self._boyd(area, n_pos, n_neg)

    @property
    def scale(self) -> float:
        """How much the metric grows with a partial area of the ROC curve."""
        if self.metric != "partial_roc_auc" or not self.standardize:
            return 1.0
        return float(mcclish(1.0, self.along, self.span) - mcclish(0.0, self.along, self.span))

    def _boyd(self, area: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        kinds, which = np.unique(np.stack((n_pos, n_neg), axis=1), axis=0, return_inverse=True)
        least = np.array([self._least(float(some), float(others)) for some, others in kinds])[which.reshape(-1)]
        return np.asarray((area - least) / (self.span[1] - self.span[0] - least))

    def _least(self, n_pos: float, n_neg: float) -> float:
        """Return the smallest area that a ranking of as many cases can have."""
        whole = n_pos.is_integer() and n_neg.is_integer()
        if self.estimator == "average_precision" and self.span == _ALL and self.prevalence is None and whole:
            return min_average_precision(int(n_pos), int(n_neg))
        return least_pr_area(n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence, self.span)


def make_statistic(
    metric: object,
    *,
    estimator: object = None,
    prevalence: object = None,
    fpr: object = None,
    tpr: object = None,
    recall: object = None,
    standardize: bool = False,
) -> Statistic:
    """Check a metric and its options; an option that the metric does not take is refused, not ignored."""
    name = check_choice(metric, "metric", METRICS)
    takes = {
        "roc_auc": (),
        "partial_roc_auc": ("fpr", "tpr", "standardize"),
        "pr_auc": ("estimator", "prevalence", "recall", "standardize"),
        "average_precision": ("prevalence", "recall", "standardize"),
        "precision_at_recall": ("prevalence", "recall"),
    }[name]
    given = {
        "estimator": estimator is not None,
        "prevalence": prevalence is not None,
        "fpr": fpr is not None,
        "tpr": tpr is not None,
        "recall": recall is not None,
        "standardize": bool(standardize),
    }
    for option, present in given.items():
        if present and option not in takes:
            listed = ", ".join(f"`{taken}`" for taken in takes) or "no options"
            raise InvalidInputError(
                f"`{option}` must not be given with metric {name!r}. Hint: {name!r} takes {listed}."
            )
    if name == "roc_auc":
        return Statistic("roc_auc", "roc_auc")
    if name == "partial_roc_auc":
        return _partial(fpr, tpr, standardize)
    share = None if prevalence is None else check_prevalence(prevalence)
    if name == "precision_at_recall":
        return Statistic(name, name, share, recall=_one_recall(recall))
    kind = "average_precision" if name == "average_precision" else "interpolated"
    if estimator is not None:
        kind = check_choice(estimator, "estimator", kernels.PR_ESTIMATORS)
    span = _ALL if recall is None else check_range(recall, "recall")
    if kind == "unit_steps" and span != _ALL:
        raise InvalidInputError(
            f"`estimator='unit_steps'` must have the whole range of recall; got recall={span}. "
            "Hint: 'interpolated' is its exact limit."
        )
    return Statistic("pr_auc", kind, share, "recall", span, standardize=standardize)


def _partial(fpr: object, tpr: object, standardize: bool) -> Statistic:
    if (fpr is None) == (tpr is None):
        given = "neither" if fpr is None else "both"
        raise InvalidInputError(
            f"`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got {given}. Hint: for example `fpr=(0, 0.1)`."
        )
    along, span = ("fpr", fpr) if fpr is not None else ("tpr", tpr)
    return Statistic(
        "partial_roc_auc", "partial_roc_auc", None, along, check_range(span, along), standardize=standardize
    )


def _one_recall(recall: object) -> float:
    if isinstance(recall, bool) or not isinstance(recall, int | float | np.number) or not 0.0 < recall <= 1.0:
        raise InvalidInputError(
            f"`recall` must be one number in (0, 1] for metric 'precision_at_recall'; got {show(recall)}. "
            "Hint: for example `recall=0.8`."
        )
    return float(recall)
