"""A classifier that predicts at a tuned operating point: one threshold, or a randomised mixture of two."""

from __future__ import annotations

from inspect import Parameter, signature
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, _fit_context, clone
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import _safe_indexing, assert_all_finite, check_random_state, column_or_1d, indexable
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples, check_is_fitted

from thresher._core.checks import warn
from thresher._core.shared_docs import with_texts
from thresher._curves import OperatingPoint
from thresher._decide import GuaranteeTerms, Target, can_mix, choose, corrected_target, guarantee_terms, target_of
from thresher._facade import Scores
from thresher.sklearn._coin import row_numbers
from thresher.sklearn._scorers import METHODS, SECOND, fitted_on, positive_class, positive_scores

_MODEL = """
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.tree import DecisionTreeClassifier
>>> from thresher.sklearn import AchievableClassifier
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = AchievableClassifier(DecisionTreeClassifier(max_depth=3, random_state=0), min_recall=0.95)"""
_RATE = [Interval(Real, 0, 1, closed="both"), None]
_LIMITS = ("min_recall", "min_precision", "max_fpr", "min_specificity", "max_alert_rate")
_AIMS: dict[str, Any] = dict.fromkeys(("maximize", "minimize", *_LIMITS, "max_alerts", "prevalence", "constraints"))
_CHOICES = ("confidence", *(name for name in _AIMS if name != "constraints"))
"""Without any of them the Youden index is maximised, for which the classes are alike."""
_NAMED: dict[str, Any] = {**_AIMS, "mix": False, "refit": True, "n_jobs": None}
"""What is taken by name beside the parameters of the signature, with defaults."""


@with_texts(model=_MODEL, fitted=f"{_MODEL}\n>>> model = model.fit(X[:400], y[:400])")
class AchievableClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # sklearn untyped
    """Wrap a classifier so that it predicts at a chosen operating point.

    The operating point is chosen on data that did not train the scores: a tuning split, or every row in turn by
    cross-validation. `predict` returns the positive class for a row whose score reaches the threshold. With
    ``mix=True`` a single constraint that lies between two vertices of the ROC convex hull is met exactly, by a
    randomised mixture of two thresholds: a recall of at least 0.9 then is 0.9, and the false positive rate that the
    next threshold would add is saved.

    Parameters
    ----------
    estimator : estimator
        A binary classifier with `predict_proba` or `decision_function`.
    confidence : float, optional
        The confidence that the constraints hold on new rows, as in `Scores.choose_threshold`. It gives one threshold
        instead of a mixture, and `n_resamples` is not used. It is a guarantee for the scores of a fitted
        model: with ``cv="prefit"``, or ``refit=False`` and a held-out part.
    mixture_by : {"hash", "random"}, default="hash"
        Where the random numbers of a mixture come from: a hash of the row, so that a row always gets the same
        prediction, or a random stream seeded by `random_state`, which treats equal rows independently.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What to threshold.
    pos_label : int, float, bool or str, optional
        The positive class; needed unless the classes are 0 and 1, False and True, or -1 and 1. ``"classes_[1]"`` asks
        for the class that sorts last, which is what scikit-learn's own classifiers take. Without a metric and
        constraints the highest Youden index is chosen, which is the same whichever class is positive, and the class
        that sorts last is taken.
    cv : int, float, "prefit", splitter or iterable, optional
        How scores for tuning are made: by so many folds (5 by default), on a held-out share, or from an estimator that
        is fitted already and data that did not train it.
    n_resamples : int, default=100
        How often the tuning rows are drawn again to learn how much the chosen point overstates; a single limit
        is tightened by that much. 0 takes the guarantee as it is.
    random_state : int, RandomState instance or None, default=None
        Seeds a held-out share, the drawing of rows, and the mixture.
    **named
        The metric and the constraints, as in `Scores.choose_threshold`: `maximize` or `minimize`, `min_recall`,
        `min_precision`, `max_fpr`, `min_specificity`, `max_alert_rate`, `max_alerts` and `prevalence`, each a parameter
        that `set_params` and searches know; `constraints` is a dict of any others, such as ``{"min_npv": 0.95}``, and
        of options of the metric, such as ``{"beta": 2}``. And three that are rarely needed: ``mix=True`` allows a
        randomised mixture of two thresholds; ``refit=False``, which needs a single split, keeps the estimator of that
        split instead of training one on all rows; ``n_jobs`` folds are done at a time.

    Warns
    -----
    ThresherWarning
        If `confidence` is given and the final estimator is another than those that scored the tuning rows.

    Attributes
    ----------
    estimator_ : estimator
        The fitted classifier that scores.
    classes_ : ndarray of shape (2,)
        The classes.
    pos_label_ : object
        The positive class.
    operating_point_ : OperatingPoint
        The point, with its rates on the tuning scores. On new rows expect the limit that was asked for: the point keeps
        one that is tightened by `optimism_`.
    optimism_ : float
        By how much the limit was tightened.
    thresholds_ : tuple of float
        The stricter and the looser threshold; equal if there is only one.
    coin_probability_ : float
        The chance to use the looser one.
    tuning_scores_ : Scores
        What the point was found on.
    n_features_in_, feature_names_in_
        Those of the fitted estimator, if it has them.

    See Also
    --------
    thresher.tune : The same protocol on scores that you have already.

    References
    ----------
    J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874, sections 3 and 4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from thresher.sklearn import AchievableClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> model = AchievableClassifier(tree, max_fpr=0.05, mix=True).fit(X, y)
    >>> round(model.operating_point_.fpr + model.optimism_, 3), len(set(model.thresholds_))
    (0.05, 2)
    """

    # scikit-learn reads this to check the parameters in `fit`; what thresher can say better is checked by `Target`.
    _parameter_constraints: dict[str, Any] = {  # noqa: RUF012  # as scikit-learn's own estimators have it
        "estimator": [HasMethods(["fit", "predict_proba"]), HasMethods(["fit", "decision_function"])],
        "confidence": [Interval(Real, 0, 1, closed="neither"), None],
        "maximize": [str, callable, None],
        "minimize": [str, callable, None],
        "constraints": [dict, None],
        "min_recall": _RATE,
        "min_precision": _RATE,
        "max_fpr": _RATE,
        "min_specificity": _RATE,
        "max_alert_rate": _RATE,
        "max_alerts": [Interval(Integral, 0, None, closed="left"), None],
        "prevalence": [Interval(Real, 0, 1, closed="neither"), None],
        "mix": ["boolean"],
        "mixture_by": [StrOptions({"hash", "random"})],
        "response_method": [StrOptions(set(METHODS))],
        "pos_label": [Real, str, "boolean", None],
        "cv": ["cv_object", StrOptions({"prefit"}), Interval(Real, 0, 1, closed="neither")],
        "refit": ["boolean"],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        confidence: float | None = None,
        mixture_by: str = "hash",
        response_method: str = "auto",
        pos_label: Any = None,
        cv: Any = None,
        n_resamples: int = 100,
        random_state: Any = None,
        **named: Any,
    ) -> None:
        self.estimator = estimator
        self.confidence = confidence
        self.mixture_by = mixture_by
        self.response_method = response_method
        self.pos_label = pos_label
        self.cv = cv
        self.n_resamples = n_resamples
        self.random_state = random_state
        for name in named:
            if name not in _NAMED:
                raise TypeError(f"AchievableClassifier() got an unexpected keyword argument {name!r}")
        for name, value in (_NAMED | named).items():
            setattr(self, name, value)

    @_fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]  # sklearn untyped
    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Find the operating point, and fit the estimator.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels of two classes.
        **params : dict
            For the estimator's `fit` (and the splitter's `split`), by metadata routing where that is enabled. A
            ``sample_weight`` that reaches the estimator also weights the counts on which the point is found.

        Returns
        -------
        AchievableClassifier
            This estimator.

        Examples
        --------
        {fitted}
        >>> round(model.operating_point_.recall, 3)
        0.952
        """
        target, terms = self._target(), guarantee_terms(self.confidence, "population", None)
        X, y = indexable(X, y)
        assert_all_finite(np.asarray(y), input_name="y")  # before the next line, which would warn of infinity only
        y_type = type_of_target(y, input_name="y")
        if y_type != "binary":
            raise ValueError(f"Only binary classification is supported. Unknown label type: {y_type}")
        y = column_or_1d(y, warn=True)
        classes = np.unique(y)
        if classes.size == 2:
            self._positive(classes)  # before anything is fitted
        fit_params, split_params = self._routed(params)
        parts = self._scored_parts(X, y, fit_params, split_params)
        self.pos_label_ = parts[0][2]
        labels = np.concatenate([np.asarray(_safe_indexing(y, rows)) == self.pos_label_ for rows, _, _ in parts])
        scores = np.concatenate([part for _, part, _ in parts])
        weight = fit_params.get("sample_weight")
        if weight is not None:
            weight = np.concatenate([np.asarray(_safe_indexing(weight, rows)) for rows, _, _ in parts])
        self.tuning_scores_ = Scores(labels, scores, sample_weight=weight)
        self._choose(target, terms)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _target(self) -> Target:
        given = {name: getattr(self, name) for name in _AIMS if name != "constraints"}
        return target_of(given.pop("maximize"), **given, **(self.constraints or {}))

    def _routed(self, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        from sklearn import get_config

        if not get_config()["enable_metadata_routing"]:
            return params, {}
        routed = process_routing(self, "fit", **params)
        return routed.estimator.fit, routed.splitter.split

    def _scored_parts(
        self, X: Any, y: Any, fit_params: dict[str, Any], split_params: dict[str, Any]
    ) -> list[tuple[NDArray[np.intp], NDArray[Any], Any]]:
        """Return (rows, scores, positive class) of each part that was scored by a model it did not train."""
        if isinstance(self.cv, str):
            check_is_fitted(self.estimator, "classes_")
            self.estimator_ = self.estimator
            everything = np.arange(_num_samples(y))
            return [(everything, *self._scores(self.estimator_, X))]
        if isinstance(self.cv, Real) and not isinstance(self.cv, Integral):
            cv: Any = StratifiedShuffleSplit(n_splits=1, test_size=self.cv, random_state=self.random_state)
        else:
            cv = check_cv(self.cv, y=y, classifier=True)
        splits = list(cv.split(X, y, **split_params))
        if not self.refit and len(splits) > 1:
            raise ValueError("refit=False must have a single split; got several. Hint: pass a share, such as cv=0.3.")
        done = Parallel(n_jobs=self.n_jobs)(
            delayed(fitted_on)(clone(self.estimator), X, y, fit_params, train) for train, _ in splits
        )
        self.estimator_ = done[0] if not self.refit else clone(self.estimator).fit(X, y, **fit_params)
        return [
            (np.asarray(rows), *self._scores(model, _safe_indexing(X, rows)))
            for model, (_, rows) in zip(done, splits, strict=True)
        ]

    def _scores(self, model: Any, X: Any) -> tuple[NDArray[Any], Any]:
        label = self._positive(model.classes_) if len(model.classes_) == 2 else None
        return positive_scores(model, X, method=self.response_method, pos_label=label)

    def _positive(self, classes: NDArray[Any]) -> Any:
        asked = self.pos_label
        either = asked is None and not self.constraints and all(getattr(self, name) is None for name in _CHOICES)
        if either or (isinstance(asked, str) and asked == SECOND):
            return classes[1]
        return positive_class(classes, asked)

    def _choose(self, target: Target, terms: GuaranteeTerms | None) -> None:
        """Find the point on the tuning scores: with confidence, or with a constraint moved by its optimism."""
        scores = self.tuning_scores_
        if terms is not None:
            if self.refit and not isinstance(self.cv, str):
                warn(
                    "The tuning rows were scored by other models than the final one, of which `confidence` guarantees "
                    'nothing then. Hint: pass cv="prefit" with rows that did not train, or refit=False with cv=0.3.'
                )
            self.optimism_ = 0.0
            self._set_point(choose(scores, target, terms=terms))
            return
        mix = self.mix and not target.named and can_mix(target)
        seed = self.random_state if isinstance(self.random_state, Integral) else 0
        target, self.optimism_ = corrected_target(scores, target, mix=mix, n_resamples=self.n_resamples, seed=int(seed))
        self._set_point(choose(scores, target, mix=mix))

    def _set_point(self, point: OperatingPoint) -> None:
        self.operating_point_ = point
        if point.mix is None:
            self.thresholds_, self.coin_probability_ = (point.threshold, point.threshold), 1.0
        else:
            self.thresholds_, self.coin_probability_ = point.mix.thresholds, point.mix.probability

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes."""
        found: NDArray[Any] = self.estimator_.classes_
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict rows by the threshold, or at random between two thresholds.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            Classes.

        Examples
        --------
        {model}
        >>> model.fit(X[:400], y[:400]).predict(X[400:406])
        array([0, 1, 1, 1, 1, 1])
        """
        margin = self.decision_function(X)
        first, second = self.classes_
        return np.asarray(np.where(margin > 0, second, first))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return how far each row's score is above its threshold: above 0 exactly where `predict` says ``classes_[1]``.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            With a mixture of two thresholds these values rank rows worse than the scores behind
            them; to rank, use ``estimator_``, which also has the probabilities.

        Examples
        --------
        {fitted}
        >>> bool(((model.decision_function(X[400:]) > 0) == model.predict(X[400:])).all())
        True
        """
        check_is_fitted(self, "operating_point_")
        scores, _ = positive_scores(self.estimator_, X, method=self.response_method, pos_label=self.pos_label_)
        ends = np.asarray(self.thresholds_, dtype=np.float64)
        used = np.full(scores.shape, ends[0])
        between = np.flatnonzero((scores >= ends[1]) & (scores < ends[0]))
        if between.size:
            used[between[self._numbers(indexable(X)[0], between) < self.coin_probability_]] = ends[1]
        if self.classes_[1] == self.pos_label_:
            # Measured from the next number below the threshold, a score that reaches it lies strictly above 0.
            return np.asarray(scores - np.nextafter(used, -np.inf), dtype=np.float64)
        return np.asarray(used - scores, dtype=np.float64)

    def _numbers(self, X: Any, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the random numbers of some of the rows."""
        if self.mixture_by == "random":
            stream = check_random_state(self.random_state)
            return np.asarray(stream.random_sample(_num_samples(X))[rows])
        seed = self.random_state if isinstance(self.random_state, Integral) else 0
        return row_numbers(_safe_indexing(X, rows), int(seed))

    def get_metadata_routing(self) -> Any:
        """Return which metadata go where: to the estimator's `fit` and the splitter's `split`.

        Examples
        --------
        {model}
        >>> sorted(name for name, _ in model.get_metadata_routing())
        ['estimator', 'splitter']
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)
        return router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # there from 1.6 on, as is what calls this method

        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        inner = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def _more_tags(self) -> dict[str, Any]:
        from sklearn.utils._tags import _safe_tags  # until 1.5, as is what calls this method

        return {"binary_only": True, "allow_nan": _safe_tags(self.estimator, "allow_nan")}


# scikit-learn asks the signature for the parameters and their defaults; those in `**named` are parameters too.
_plain = signature(AchievableClassifier.__init__)
AchievableClassifier.__init__.__signature__ = _plain.replace(  # type: ignore[attr-defined]  # `inspect` looks for it
    parameters=[
        *(one for one in _plain.parameters.values() if one.kind is not Parameter.VAR_KEYWORD),
        *(Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in _NAMED.items()),
    ]
)
