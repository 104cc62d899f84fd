"""Several estimates with their covariance: contrasts, tests and intervals that allow for the rows they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from thresher._compare.combined_estimate import CombinedEstimate, JointAreas, correlations, t_pvalue
from thresher._compare.multiplicity import (
    EstimateRanks,
    OmnibusTest,
    SimultaneousIntervals,
    ranks_of,
    simultaneous_intervals,
    wald_test,
)
from thresher._core.arrays import frozen, unequal
from thresher._core.checks import OneWarning, check_choice, check_confidence_level, did_you_mean, show
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Drawn
from thresher._core.values import value
from thresher._inference.sampling import Moments, Stratum, satterthwaite_df
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Measure, RocAuc
from thresher.typing import FloatArray

_CONTRASTS = ("pairs", "reference", "mean")
MomentSource = Callable[[], Moments]
"""What computes the covariance when it is first asked for."""


@value(slots=False, repr=False)
class Estimates(Drawn, Presented):
    """Several estimates, of metrics, models, classes, groups or folds, with their covariance.

    ``estimates["name"]`` is one of them with its interval; so are differences, ratios, means and other contrasts.

    Attributes
    ----------
    names : tuple of str
        What the estimates are of.
    values : ndarray of shape (k,)
        Their values.
    measures : tuple of Measure
        What was measured, for each of them.

    Notes
    -----
    A row of weight w adds u = w (sqrt(kappa) d -+ beta) / W to an estimate, with d its influence value, W the weight of
    its side, kappa the factor n / (n - 1) and beta the derivative by the odds of a negative. The covariance of two
    estimates is the sum of products of u over cases; rows that an estimate does not see add 0. For two ROC areas on the
    same rows it is DeLong's. Degrees of freedom follow Satterthwaite, from the variance in each true class.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> both = th.estimates(data.y_true, data.models)
    >>> both.difference("logistic", "tree")
    logistic - tree = 0.096, 95% interval 0.064 to 0.128, p = 1.4e-08
    """

    _display = "ForestDisplay"

    names: tuple[str, ...]
    values: FloatArray
    measures: tuple[Measure, ...]
    _n_pos: FloatArray
    _n_neg: FloatArray
    _known: tuple[Any, ...] | None = None
    _source: MomentSource | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self._known is not None:  # as plain tuples, which is what JSON gives back
            covariance, strata = self._known
            object.__setattr__(self, "_known", (frozen(covariance), tuple(tuple(one) for one in strata)))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def by_name(self) -> dict[str, float]:
        """The values by name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    @cached_property
    def _moments(self) -> Moments:
        if self._known is not None:
            covariance, strata = self._known
            return Moments(covariance, tuple(Stratum(*one) for one in strata))
        if self._source is None:
            raise InvalidInputError(
                "The covariance needs the rows, which estimates read from JSON do not have. Hint: `th.estimates(...)`."
            )
        with OneWarning():
            return self._source()

    @property
    def standard_errors(self) -> FloatArray:
        """The standard error of each estimate."""
        return frozen(np.sqrt(np.maximum(np.diag(self._moments.covariance), 0.0)))

    def covariance(self) -> FloatArray:
        """Return the covariance matrix of the estimates, of shape (k, k).

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.estimates(data.y_true, data.models).covariance().shape
        (2, 2)
        """
        return frozen(np.array(self._moments.covariance))

    def correlation(self) -> FloatArray:
        """Return the correlations of the estimates; 0 beside an estimate without variance.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> scores = th.Scores(data.y_true, data.tree)
        >>> scores.measure(["roc_auc", "average_precision"]).correlation().round(2)
        array([[1.  , 0.68],
               [0.68, 1.  ]])
        """
        return frozen(correlations(self._moments.covariance))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> CombinedEstimate:
        return self._combined(self._unit(name), str(name))

    def contrast(
        self, weights: Sequence[float] | Mapping[str, float], *, name: str | None = None, scale: str | None = None
    ) -> CombinedEstimate:
        """Return a weighted sum of the estimates.

        Parameters
        ----------
        weights : sequence of k numbers, or mapping from name to number
            Estimates that a mapping does not name have weight 0.
        name : str, optional
            The name of the result.
        scale : {"plain", "logit", "log"}, optional
            On which scale its interval is symmetric: by default "logit" for means of estimates between 0 and 1, of ROC
            areas "wider" (see `CombinedEstimate`), otherwise "plain".

        Returns
        -------
        CombinedEstimate

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> found = th.estimates(data.y_true, data.models).contrast({"logistic": 1, "tree": -1})
        >>> round(found.value, 4), round(found.standard_error, 4)
        (0.0957, 0.0161)
        """
        vector = self._weights(weights)
        return self._combined(vector, name or self._sum_of_names(vector), scale)

    def difference(self, a: str, b: str) -> CombinedEstimate:
        """Return the first estimate minus the second.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.estimates(data.y_true, data.models).difference("logistic", "tree").pvalue < 1e-6
        True
        """
        return self._combined(self._unit(a) - self._unit(b), f"{a} - {b}")

    def ratio(self, a: str, b: str) -> CombinedEstimate:
        """Return the first estimate divided by the second, with an interval on the logarithmic scale.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> found = th.estimates(data.y_true, data.models).ratio("logistic", "tree")
        >>> round(found.value, 3), round(found.confidence_interval().low, 3)
        (1.109, 1.069)
        """
        top, bottom = (float(self.values[self._place(name)]) for name in (a, b))
        if not (top > 0.0 and bottom > 0.0):
            raise UndefinedMetricError(
                f"A ratio needs two values above 0; got {top:g} and {bottom:g}. Hint: take the difference."
            )
        vector = self._unit(a) / top - self._unit(b) / bottom
        variance = self._variance(vector)
        ratio = top / bottom
        df = satterthwaite_df(variance, self._moments.strata, vector)
        return CombinedEstimate(f"{a} / {b}", ratio, ratio * math.sqrt(variance), df, "log", 1.0, (0.0, math.inf))

    def mean(self, weights: Sequence[float] | Mapping[str, float] | None = None) -> CombinedEstimate:
        """Return the mean of all estimates, each counting once unless weights are given.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> round(th.estimates(data.y_true, data.models).mean().value, 4)
        0.9272
        """
        vector = np.ones(len(self)) if weights is None else self._weights(weights)
        if not vector.sum() > 0.0 or (vector < 0.0).any():
            raise InvalidInputError("`weights` of a mean must not be negative, and some must be above 0.")
        return self._combined(vector / vector.sum(), "mean")

    def omnibus(self, contrasts: str | Any = "equal") -> OmnibusTest:
        """Test that all estimates are equal, or that several contrasts are all 0.

        Parameters
        ----------
        contrasts : "equal", "zero" or array of shape (m, k)
            "zero" tests that every estimate is 0, as of differences.

        Returns
        -------
        OmnibusTest
            Wald's chi-square; with two classes of independent cases Hotelling's T-squared.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.estimates(data.y_true, data.models).omnibus().pvalue < 1e-6
        True
        """
        k = len(self)
        if isinstance(contrasts, str):
            kind = check_choice(contrasts, "contrasts", ("equal", "zero"))
            matrix = np.eye(k) if kind == "zero" else np.eye(k)[:-1] - np.eye(k)[-1]
        else:
            matrix = self._matrix(contrasts)
        if not len(matrix):
            raise InvalidInputError("An omnibus test must have two estimates or more; got one.")
        moments = self._moments
        strata = moments.strata
        freedom = None
        if len(strata) == 2 and all(one.columns.size == k for one in strata):

            def freedom(directions: FloatArray) -> float:
                return moments.joint_df(matrix.T @ directions)

        values = matrix @ self.values
        single = [
            t_pvalue(float(v), math.sqrt(self._variance(c)), math.inf) for v, c in zip(values, matrix, strict=True)
        ]
        return wald_test(values, matrix @ moments.covariance @ matrix.T, "wald", pvalues=single, joint_df=freedom)

    def simultaneous(
        self,
        contrasts: str | Any = "pairs",
        *,
        reference: str | None = None,
        names: Sequence[str] | None = None,
        confidence_level: float = 0.95,
    ) -> SimultaneousIntervals:
        """Return simultaneous intervals of many contrasts, with adjusted p values.

        Parameters
        ----------
        contrasts : {"pairs", "reference", "mean"} or array of shape (m, k)
            Each two estimates; each against the reference; each against the mean of all; or your own weights.
        reference : str, optional
            With which the others are compared; given alone it stands for ``contrasts="reference"``.
        names : sequence of m names, optional
            Names of your own contrasts.
        confidence_level : float, default=0.95
            Of all intervals together.

        Returns
        -------
        SimultaneousIntervals
            By the quantile of the largest of correlated normal variables ("max-t").

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> models = data.models | {"both": data.logistic + data.tree}
        >>> found = th.estimates(data.y_true, models).simultaneous(reference="both")
        >>> found.names, found.pvalues_adjusted.round(3)
        (('logistic - both', 'tree - both'), array([0.474, 0.   ]))
        """
        level = check_confidence_level(confidence_level)
        if reference is not None and isinstance(contrasts, str) and contrasts == "pairs":
            contrasts = "reference"
        called, matrix = self._contrasts(contrasts, reference)
        if names is not None and len(names) != len(called):
            raise unequal("names", len(names), "contrasts", len(called))
        covariance = matrix @ self._moments.covariance @ matrix.T
        covariance[np.abs(covariance) < 1e-15 * max(float(np.abs(self._moments.covariance).max()), 1e-300)] = 0.0
        df = np.array([satterthwaite_df(self._variance(row), self._moments.strata, row) for row in matrix])
        return simultaneous_intervals(tuple(names or called), matrix @ self.values, covariance, df, level)

    def ranking(self, confidence_level: float = 0.95) -> EstimateRanks:
        """Return which rank each estimate may have, and so which may be the best.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.estimates(data.y_true, data.models).ranking().may_be_best
        ('logistic',)
        """
        signs = {one.sign for one in self.measures}
        if len({one.title for one in self.measures}) > 1 or len(signs) > 1:
            raise InvalidInputError("A ranking must be of one metric. Hint: th.estimates(..., metrics=['roc_auc']).")
        if len(self) < 2:
            raise InvalidInputError("A ranking must be of two estimates or more; got one.")
        pairs = self.simultaneous(confidence_level=confidence_level)
        return ranks_of(self.names, self.values, pairs, signs.pop())

    # What these are made of

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise InvalidInputError(
                f"There must be an estimate called {show(name)}; there are {', '.join(map(repr, self.names[:5]))}."
                f"{did_you_mean(name, self.names)}"
            )
        return self.names.index(name)

    def _unit(self, name: str) -> FloatArray:
        return np.asarray(np.eye(1, len(self), self._place(name))[0])

    def _weights(self, weights: Sequence[float] | Mapping[str, float]) -> FloatArray:
        if isinstance(weights, Mapping):
            vector = np.zeros(len(self))
            for name, weight in weights.items():
                vector[self._place(name)] = weight
            return vector
        return np.asarray(self._matrix([weights])[0])

    def _matrix(self, contrasts: Any) -> FloatArray:
        try:
            matrix = np.array(contrasts, dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidTypeError(f"`contrasts` must be a matrix of numbers; got {show(contrasts)}.") from None
        if matrix.ndim != 2 or matrix.shape[1] != len(self) or not np.isfinite(matrix).all():
            raise InvalidInputError(
                f"Contrasts must have a finite weight for each of the {len(self)} estimates; got shape {matrix.shape}."
            )
        return matrix

    def _contrasts(self, contrasts: str | Any, reference: str | None) -> tuple[tuple[str, ...], FloatArray]:
        if not isinstance(contrasts, str):
            matrix = self._matrix(contrasts)
            return tuple(self._sum_of_names(row) for row in matrix), matrix
        kind = check_choice(contrasts, "contrasts", _CONTRASTS)
        if len(self) < 2:
            raise InvalidInputError("Contrasts must be between two estimates or more; got one.")
        eye = np.eye(len(self))
        if kind == "mean":
            return tuple(f"{name} - mean" for name in self.names), eye - 1.0 / len(self)
        if kind == "pairs":
            pairs = list(combinations(range(len(self)), 2))
            names = tuple(f"{self.names[i]} - {self.names[j]}" for i, j in pairs)
            return names, eye[[i for i, _ in pairs]] - eye[[j for _, j in pairs]]
        if reference is None:
            raise InvalidInputError(
                f"`reference` must name one of the estimates for contrasts='reference'. Hint: {self.names[0]!r}."
            )
        at = self._place(reference)
        others = [i for i in range(len(self)) if i != at]
        return tuple(f"{self.names[i]} - {reference}" for i in others), eye[others] - eye[at]

    def _sum_of_names(self, vector: FloatArray) -> str:
        parts = []
        for name, weight in zip(self.names, vector.tolist(), strict=True):
            if weight != 0.0:
                size = "" if abs(weight) == 1.0 else f"{abs(weight):.3g} "
                parts.append(f"{'-' if weight < 0.0 else '+'} {size}{name}")
        return " ".join(parts).removeprefix("+ ")

    def _variance(self, vector: FloatArray) -> float:
        used = np.flatnonzero(vector)
        own, part = vector[used], self._moments.covariance[np.ix_(used, used)]
        found = float(own @ part @ own)
        # What is left of terms that cancel is no variance.
        least = 1e-14 * float(np.abs(own) @ np.abs(part) @ np.abs(own))
        return found if not found <= least else 0.0  # NaN stays NaN

    def _combined(self, vector: FloatArray, name: str, scale: str | None = None) -> CombinedEstimate:
        variance = self._variance(vector)
        used = np.flatnonzero(vector)
        bounds = np.array([self.measures[i].bounds for i in used])
        ends = vector[used, None] * bounds
        low, high = float(ends.min(axis=1).sum()), float(ends.max(axis=1).sum())
        contrast = abs(float(vector.sum())) < 1e-12
        joint = None
        if scale is None:
            scale = "plain"
            if not contrast and (vector >= 0.0).all() and math.isfinite(low) and math.isfinite(high):
                scale = "logit"
                joint = self._areas(vector, used)
                scale = "wider" if joint is not None else scale
        else:
            check_choice(scale, "scale", ("plain", "logit", "log"))
        df = satterthwaite_df(variance, self._moments.strata, vector)
        null = 0.0 if contrast else math.nan
        total = float(vector @ self.values)
        return CombinedEstimate(name, total, math.sqrt(variance), df, scale, null, (low, high), joint)

    def _areas(self, vector: FloatArray, used: Any) -> JointAreas | None:
        """Return what a mean of ROC areas needs for limits that hold near 1; None for other means."""
        if not all(self.measures[i] == RocAuc() for i in used) or not (self._n_pos[used] > 0.0).all():
            return None
        part = np.ix_(used, used)
        return JointAreas(
            vector[used], self.values[used], self._n_pos[used], self._n_neg[used], self.correlation()[part]
        )

    def _singles(self) -> list[CombinedEstimate]:
        return [self[name] for name in self.names]

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        labels = {one.described() for one in self.measures}
        rows = [(name, one.value, *one._quiet()) for name, one in zip(self.names, self._singles(), strict=True)]
        return labels.pop() if len(labels) == 1 else "Value", rows, None

    def _facts(self) -> Row:
        return {"metrics": [one.title for one in self.measures]}

    def _columns(self) -> dict[str, Any]:
        singles = [one._facts() for one in self._singles()]
        columns: dict[str, Any] = {"name": list(self.names), "metric": [one.title for one in self.measures]}
        for part in ("value", "standard_error", "df", "low", "high"):
            columns[part] = [one[part] for one in singles]
        return columns

    def __repr__(self) -> str:
        described = {one.described() for one in self.measures}
        of = f" of {described.pop()}" if len(described) == 1 else ""
        width = max(len(name) for name in self.names)
        lines = [f"{len(self)} estimates{of}, 95% intervals"]
        for one in self._singles()[:20]:
            found, low, high = beside_interval(*one._quiet(), one.value)
            lines.append(f"  {one.name:<{width}}  {found} ({'no interval' if low == 'nan' else f'{low} to {high}'})")
        return "\n".join(lines + ([f"  ... and {len(self) - 20} more"] if len(self) > 20 else []))
