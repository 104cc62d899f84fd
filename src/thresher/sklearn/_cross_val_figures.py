"""Figures of a cross-validation with intervals, and two models compared over the same folds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._compare import compare
from thresher._compare.combined_estimate import t_pvalue
from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_confidence_level, warn
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Numeric
from thresher._core.shared_docs import with_texts
from thresher._core.values import value
from thresher._facade import Scores
from thresher._inference import ConfidenceInterval, clipped, normal_quantile
from thresher._inference.delong import logit_interval
from thresher._inference.sampling import quantile
from thresher.exceptions import InvalidInputError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure
from thresher.typing import FloatArray

_METHODS = ("logit", "normal")
DATA_TEXT = """
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.naive_bayes import GaussianNB
>>> from thresher.sklearn import cross_val_scores
>>> X, y = load_breast_cancer(return_X_y=True)"""


@value(repr=False)
class FoldRows:
    """The rows that one split left out: which they are, and how they were scored."""

    rows: NDArray[Any]
    positive: NDArray[Any]
    scores: NDArray[Any]
    weight: NDArray[Any] | None = None
    n_train: int | None = None

    def counted(self) -> Scores:
        """Return their Scores."""
        return Scores(self.positive, self.scores, sample_weight=self.weight)


@with_texts(data=DATA_TEXT)
@value(repr=False)
class CrossValEstimate(Numeric, Presented):
    """The mean of a metric over the folds of a cross-validation, for the models that were fitted there.

    Attributes
    ----------
    value : float
        The mean over folds.
    metric : str
        What was computed.
    fold_values : ndarray of shape (n_folds,)
        The metric of each fold.
    standard_error : float
        Of the mean, from the rows that each fold left out; NaN where a fold has too few.

    Notes
    -----
    What it estimates is how good *these* models are on new rows, on average. How good the method is when it is fitted
    to other data of this size varies more, because all folds share training rows: as an interval for that, those from
    one cross-validation are too short, the more so the fewer rows there are. `nested_cross_val`, or data kept apart,
    are for that question.

    Examples
    --------
    {data}
    >>> area = cross_val_scores(GaussianNB(), X, y, cv=5, pos_label=1).measure("pr_auc")
    >>> round(area, 3), area.fold_values.size
    (0.993, 5)
    """

    value: float
    metric: str
    fold_values: FloatArray
    standard_error: float
    _bounds: tuple[float, float]

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "logit") -> ConfidenceInterval:
        """Return an interval for the mean of the metric of these models on new rows.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : {"logit", "normal"}
            The scale on which the interval is symmetric; figures that are not shares have the normal one.

        Examples
        --------
        {data}
        >>> area = cross_val_scores(GaussianNB(), X, y, cv=5, pos_label=1).measure("pr_auc")
        >>> area.value in area.confidence_interval()
        True
        """
        level = check_confidence_level(confidence_level)
        kind = check_choice(method, "method", _METHODS)
        names = ("influence-logit" if kind == "logit" else "", "influence")
        return interval_of_mean(self.value, self.standard_error, level, self._bounds, names)

    def _facts(self) -> Row:
        low, high = self.confidence_interval()
        return {"metric": self.metric, "value": self.value, "low": low, "high": high, "confidence_level": 0.95,
                "standard_error": self.standard_error, "n_folds": int(self.fold_values.size)}  # fmt: skip

    def _columns(self) -> None:
        return None

    def __repr__(self) -> str:
        shown, low, high = beside_interval(*self.confidence_interval(), self.value)
        return (
            f"{self.metric} = {shown}, the mean of {self.fold_values.size} folds, 95% interval {low} to {high} "
            "for these models"
        )


@value(repr=False)
class CrossValDifference(Numeric, Presented):
    """The mean difference of two models over the same folds, the first minus the second.

    Attributes
    ----------
    value : float
        The mean difference.
    low, high : float
        Its two-sided interval, inside [-1, 1] for shares.
    standard_error : float
        Of the mean: for "models" from the rows that each fold left out, both models on the same ones; for "learner"
        from how the folds differ, corrected for the training rows that they share.
    df : float
        Degrees of freedom of Student's t; infinite for the normal distribution.
    pvalue : float
        Of no difference, two-sided.
    metric : str
        What was compared.
    fold_differences : ndarray of shape (n_folds,)
        The difference in each fold.
    confidence_level : float
        Of the interval.
    target : {"models", "learner"}
        What it is about: the models that were fitted, or the learners that fitted them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from thresher.sklearn import cross_val_scores
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> bayes = cross_val_scores(GaussianNB(), X, y, cv=5, pos_label=1)
    >>> tree = cross_val_scores(DecisionTreeClassifier(random_state=0), X, y, cv=5, pos_label=1)
    >>> found = bayes.compare(tree)
    >>> found > 0, found.low < found.value < found.high
    (True, True)
    """

    value: float
    low: float
    high: float
    standard_error: float
    df: float
    pvalue: float
    metric: str
    fold_differences: FloatArray
    confidence_level: float
    target: str

    def _columns(self) -> None:
        return None

    def __repr__(self) -> str:
        shown, low, high = beside_interval(self.low, self.high, self.value, sign="+")
        return (
            f"{self.metric} {shown} ({low} to {high}) over {self.fold_differences.size} "
            f"folds, p = {self.pvalue:.3g}, for {'these models' if self.target == 'models' else 'the learners'}"
        )


def interval_of_mean(
    value: float, error: float, level: float, bounds: tuple[float, float], names: tuple[str, str]
) -> ConfidenceInterval:
    """Return a logit interval inside (0, 1), if that has a name, and the normal one within the bounds elsewhere."""
    z = normal_quantile(level)
    if names[0] and bounds == (0.0, 1.0) and 0.0 < value < 1.0 and error > 0.0:
        return clipped(*logit_interval(value, error**2, z), level, names[0])
    reach = z * error
    return ConfidenceInterval(max(value - reach, bounds[0]), min(value + reach, bounds[1]), level, names[1])


def cross_val_estimate(folds: Sequence[Scores], measure: Measure) -> CrossValEstimate:
    """Return the mean over folds: given the models, the rows that folds left out are independent samples."""
    values = np.array([measure.of(fold) for fold in folds])
    try:
        variances = [measure.estimate(fold).standard_error(rng=0) ** 2 for fold in folds]
        error = math.sqrt(math.fsum(variances)) / len(folds)
    except UndefinedMetricError:  # of a single case of a class, say; the mean is known
        error = math.nan
    return CrossValEstimate(float(values.mean()), measure.described(), frozen(values), error, measure.bounds)


def cross_val_difference(
    first: Sequence[FoldRows] | None,
    second: Sequence[FoldRows] | None,
    measure: Measure,
    *,
    confidence_level: float,
    n_resamples: int,
    rng: Any,
    target: str = "models",
) -> CrossValDifference:
    """Return the mean difference over folds; within each, both models are compared on the same rows."""
    level = check_confidence_level(confidence_level)
    aim = check_choice(target, "target", ("models", "learner"))
    if first is None or second is None:
        raise InvalidInputError(
            "A comparison over folds needs the rows of both, which one of them does not have. "
            "Hint: make both by `cross_val_scores`."
        )
    alike = len(first) == len(second) and all(
        np.array_equal(a.rows, b.rows) and np.array_equal(a.positive, b.positive)
        for a, b in zip(first, second, strict=False)
    )
    if not alike:
        raise InvalidInputError(
            "`other` must have been cross-validated over the same folds; its folds hold other rows. "
            "Hint: give both the same `cv`, such as StratifiedKFold(5, shuffle=True, random_state=0)."
        )
    if aim == "learner":
        return _of_learners(first, second, measure, level)
    differences, variances = [], []
    for a, b in zip(first, second, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)  # a single fold is small; the mean over all is not
            pair = compare(
                a.positive,
                {"a": a.scores, "b": b.scores},
                metric=measure,
                confidence_level=level,
                n_resamples=n_resamples,
                rng=rng,
                sample_weight=a.weight,
            ).pair
        differences.append(pair.difference)
        variances.append(pair.standard_error**2)
    mean = math.fsum(differences) / len(differences)
    error = math.sqrt(math.fsum(variances)) / len(differences)
    return _tested(measure, np.array(differences), mean, error, math.inf, level, aim)


def _tested(
    measure: Measure, each: FloatArray, mean: float, error: float, df: float, level: float, target: str
) -> CrossValDifference:
    """Return the mean difference with its interval and p-value, by Student's t."""
    reach = quantile(level, df) * error
    low, high = max(mean - reach, -measure.reach), min(mean + reach, measure.reach)
    pvalue = t_pvalue(mean, error, df)
    return CrossValDifference(mean, low, high, error, df, pvalue, measure.described(), frozen(each), level, target)


def _of_learners(
    first: Sequence[FoldRows], second: Sequence[FoldRows], measure: Measure, level: float
) -> CrossValDifference:
    """Return Nadeau and Bengio's test that two learners are equally good at this training size."""
    each = np.array([measure.of(a.counted()) - measure.of(b.counted()) for a, b in zip(first, second, strict=True)])
    folds = each.size
    rows = np.concatenate([one.rows for one in first])
    total = np.unique(rows).size
    if folds < 3:
        raise InvalidInputError(f"A comparison of learners needs 3 folds or more; got {folds}. Hint: cv=5.")
    if rows.size > total:
        warn(
            f"The folds hold {rows.size:,} rows, of which {total:,} are different: with repeated splits this test "
            "rejects 8 to 9% of equal learners at the 5% level. Hint: one 5-fold cross-validation."
        )
    tested = rows.size / folds
    trained = float(np.mean([total - one.rows.size if one.n_train is None else one.n_train for one in first]))
    mean = float(each.mean())
    error = math.sqrt(float(each.var(ddof=1)) * (1.0 / folds + tested / trained))
    return _tested(measure, each, mean, error, folds - 1.0, level, "learner")
