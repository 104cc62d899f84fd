"""One number made from estimates that share rows: one of them, a difference, a ratio or a mean, with its interval."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_number, held_warnings, warn
from thresher._core.digits import beside_interval
from thresher._core.json_state import travels
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Numeric
from thresher._core.values import StandardError, Value, value
from thresher._inference import ConfidenceInterval
from thresher._inference.delong import ALTERNATIVES, logit_interval
from thresher._inference.delong.published import newcombe_ends
from thresher._inference.interval import normal_quantile
from thresher._inference.sampling import quantile
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

_same_value: Any = Value.__eq__  # the decorator makes a Value of the class
_NEAR = 0.5  # standard errors of a distance from the end of the range
METHODS = ("plain", "logit", "log", "square-and-add", "wider")


def correlations(covariance: FloatArray) -> FloatArray:
    """Return the correlations that belong to covariances; 0 beside a variance of 0."""
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.where(error > 0.0, error, 1.0)
    found = covariance / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)


@value(repr=False)
class JointAreas:
    """ROC areas in a weighted mean, with what intervals that hold near 1 need of each."""

    weights: FloatArray
    values: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray
    correlation: FloatArray

    def limits(self, value: float, confidence_level: float) -> tuple[float, float]:
        """Return the square-and-add limits of the mean: Newcombe's of each area, joined by their correlations."""
        z = normal_quantile(confidence_level)
        own = [
            newcombe_ends(float(area), float(pos), float(neg), z)
            for area, pos, neg in zip(self.values, self.n_pos, self.n_neg, strict=True)
        ]
        out = []
        for end, sign in ((0, -1.0), (1, 1.0)):
            reach = self.weights * np.array(
                [abs(ends[end] - area) for ends, area in zip(own, self.values, strict=True)]
            )
            out.append(value + sign * math.sqrt(max(float(reach @ self.correlation @ reach), 0.0)))
        return out[0], out[1]


_FIELDS = ("weights", "values", "n_pos", "n_neg", "correlation")
travels(
    "JointAreas",
    JointAreas,
    lambda one: [getattr(one, name).tolist() for name in _FIELDS],
    lambda lists: JointAreas(*(np.array(one, dtype=np.float64) for one in lists)),
)


@value(repr=False)
class CombinedEstimate(Numeric, Presented):
    """A value computed from one or more estimates on shared rows.

    Attributes
    ----------
    name : str
        What it is, such as ``"new - old"`` or ``"macro roc_auc"``.
    value : float
        The number; a combined estimate calculates, rounds, is formatted and is ordered by it.
    standard_error : float
        From the covariance of the estimates. It can also be called as a method.
    df : float
        Degrees of freedom of Student's t for its intervals and tests; infinite for the normal distribution.
    scale : {"plain", "logit", "log", "wider"}
        The method of its interval unless another is chosen.
    null : float
        The value that `pvalue` tests: 0 for differences, 1 for ratios, NaN where there is no natural one.
    bounds : (float, float)
        The least and the greatest value it can have.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.estimates(data.y_true, data.models).difference("logistic", "tree")
    >>> found
    logistic - tree = 0.096, 95% interval 0.064 to 0.128, p = 1.4e-08
    >>> round(found.standard_error, 4)
    0.0161
    """

    name: str
    value: float
    standard_error: float
    df: float
    scale: str
    null: float
    bounds: tuple[float, float]
    _joint: JointAreas | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_error", StandardError(self.standard_error))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Real):
            return bool(self.value == other)
        return _same_value(self, other)  # type: ignore[no-any-return]  # or NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it may hold arrays

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceInterval:
        """Return a confidence interval by Student's t.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : {"plain", "logit", "log", "square-and-add", "wider"}, optional
            The scale on which it is symmetric. ``"square-and-add"``, for means of ROC areas, joins Newcombe's interval
            of each area and has length for classes that are separated; ``"wider"``, their default, takes at each end
            the wider of this and ``"logit"``, each of which undercovers in cases that the other covers.

        Returns
        -------
        ConfidenceInterval
            Unpacks as ``(low, high)``.

        Examples
        --------
        >>> import thresher as th
        >>> y = ["a", "a", "b", "b", "c", "c", "a", "b", "c"]
        >>> proba = [[5, 3, 2], [4, 5, 1], [2, 6, 2], [3, 4, 3], [1, 2, 7], [4, 2, 4], [7, 1, 2], [4, 3, 3], [3, 3, 4]]
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")  # nine cases
        ...     low, high = th.multiclass(y, proba).macro("roc_auc").confidence_interval(0.9)
        >>> round(low, 2), round(high, 2)
        (0.63, 0.99)
        """
        level = check_confidence_level(confidence_level)
        chosen = self.scale if method is None else check_choice(method, "method", METHODS)
        if chosen in ("square-and-add", "wider") and self._joint is None:
            raise InvalidInputError(f"`method={chosen!r}` must have a mean of ROC areas. Hint: method='logit'.")
        ends = []
        if chosen in ("square-and-add", "wider") and self._joint is not None:
            ends.append(self._joint.limits(self.value, level))
        away = min(self.value - self.bounds[0], self.bounds[1] - self.value)
        if chosen == "logit" and float(self.standard_error) > _NEAR * away > 0.0:
            warn(
                f"{self.name} is so close to the end of its range that few cases decide it, and the interval "
                "undercovers. Hint: collect more cases that are hard to tell apart."
            )
        if chosen != "square-and-add" and not (chosen == "wider" and self._at_an_end):
            ends.append(self._symmetric(level, "logit" if chosen == "wider" else chosen))
        low, high = min(one[0] for one in ends), max(one[1] for one in ends)
        return ConfidenceInterval(max(low, self.bounds[0]), min(high, self.bounds[1]), level, chosen)

    @property
    def _at_an_end(self) -> bool:
        return self.standard_error == 0.0 or not self.bounds[0] < self.value < self.bounds[1]

    def _symmetric(self, level: float, scale: str) -> tuple[float, float]:
        """Return the ends of an interval that is symmetric on a scale."""
        error = float(self.standard_error)
        if math.isnan(error):
            raise UndefinedMetricError(
                f"{self.name} has no standard error: a class has one case. Hint: collect more, or leave the class out."
            )
        if error == 0.0 and self.value != self.null:
            raise UndefinedMetricError(
                f"{self.name} has no interval: no case differs from another, so its standard error is 0. "
                "Hint: intervals of single metrics, `scores.measure(metric).confidence_interval()`, have length."
            )
        z = quantile(level, self.df)
        if scale == "logit" and not self._at_an_end:
            width = self.bounds[1] - self.bounds[0]
            low, high = logit_interval((self.value - self.bounds[0]) / width, (error / width) ** 2, z)
            return self.bounds[0] + low * width, self.bounds[0] + high * width
        if scale == "log":
            if not self.value > 0.0:
                raise UndefinedMetricError(f"`method='log'` needs a value above 0; {self.name} is {self.value:g}.")
            factor = math.exp(min(z * error / self.value, 700.0))
            return self.value / factor, self.value * factor
        return self.value - z * error, self.value + z * error

    @property
    def pvalue(self) -> float:
        """The two-sided p value of the natural null hypothesis; NaN where there is none."""
        return math.nan if math.isnan(self.null) else self.test()

    def test(self, null: float | None = None, *, alternative: str = "two-sided") -> float:
        """Return the p value against a null hypothesis.

        Parameters
        ----------
        null : float, optional
            The value under the null hypothesis; the natural one by default.
        alternative : {"two-sided", "greater", "less"}
            On which side of it the value is.

        Returns
        -------
        float
            By Student's t: of a ratio on the logarithmic scale, else on the plain one. 1 if value and null are equal.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.estimates(data.y_true, data.models)["logistic"].test(0.9, alternative="greater") < 0.001
        True
        """
        side = check_choice(alternative, "alternative", ALTERNATIVES)
        at = self.null if null is None else check_number(null, "null")
        if math.isnan(at):
            raise InvalidInputError(f"`null` must be given for {self.name}, which has no natural one. Hint: null=0.5.")
        if self.scale == "log":
            if not (at > 0.0 and self.value > 0.0):
                raise InvalidInputError(f"`null` of a ratio must be above 0; got {at:g}.")
            return t_pvalue(math.log(self.value / at), float(self.standard_error) / self.value, self.df, side)
        return t_pvalue(self.value - at, float(self.standard_error), self.df, side)

    def _quiet(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the limits of the default interval; NaN if there is none."""
        with held_warnings():
            try:
                low, high = self.confidence_interval(confidence_level)
            except UndefinedMetricError:
                return math.nan, math.nan
        return low, high

    def _facts(self) -> Row:
        low, high = self._quiet()
        return {
            "name": self.name,
            "value": self.value,
            "standard_error": float(self.standard_error),
            "df": self.df,
            "low": low,
            "high": high,
            "confidence_level": 0.95,
            "pvalue": self.pvalue,
            "scale": self.scale,
        }

    def _columns(self) -> Any:
        return None

    def __repr__(self) -> str:
        shown, low, high = beside_interval(*self._quiet(), self.value)
        spread = "no interval" if low == "nan" else f"95% interval {low} to {high}"
        tested = "" if math.isnan(self.null) else f", p = {self.pvalue:.2g}"
        return f"{self.name} = {shown}, {spread}{tested}"


def t_pvalue(away: float, error: float, df: float, alternative: str = "two-sided") -> float:
    """Return the p value of a distance from the null hypothesis; 1 for none, whatever its standard error."""
    if math.isnan(error):
        return math.nan
    if away == 0.0 and error == 0.0:
        return 1.0
    statistic = away / error if error > 0.0 else math.copysign(math.inf, away)

    def tail(at: float) -> float:
        if math.isinf(df) or math.isinf(at):
            return float(scipy.special.ndtr(at))
        return float(scipy.special.stdtr(df, at))

    if alternative == "two-sided":
        return min(2.0 * tail(-abs(statistic)), 1.0)
    return tail(-statistic if alternative == "greater" else statistic)
