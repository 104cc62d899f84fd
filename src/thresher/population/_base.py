"""Two score distributions: their curves, operating points and areas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from thresher._core.checks import check_choice, check_count, check_fractions, check_prevalence, show
from thresher._core.shared_docs import with_texts
from thresher._core.values import Frozen, Value
from thresher._curves import OperatingPoint, PrCurve, RocCurve
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.population._areas import PR_ESTIMATORS, pr_area, roc_area
from thresher.population._combined import transformed
from thresher.population._distributions import Distribution, plain
from thresher.population._maps import cross, jumps, pr_auc_sigma, roc_auc_sigma, slope_at, trace
from thresher.population._value import value_of
from thresher.population._wrap import as_distribution
from thresher.typing import ArrayLike, FloatArray


class PopulationArea(Frozen, float):
    """An area under a population curve: a float with a bound of its numerical error.

    Attributes
    ----------
    error : float
        Estimate of the absolute error of the quadrature.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> population = CASES["A"].with_prevalence(0.2)
    >>> area = population.pr_auc()
    >>> round(area, 4), area.error < 1e-9
    (0.6046, True)
    """

    error: float

    def __new__(cls, value: float, error: float) -> PopulationArea:
        """Make the number and attach its error."""
        area = super().__new__(cls, value)
        area.__dict__["error"] = error
        return area

    def __reduce__(self) -> tuple[type[PopulationArea], tuple[float, float]]:
        return type(self), (float(self), self.error)

    @property
    def value(self) -> float:
        """The plain number."""
        return float(self)


class PrJump(NamedTuple):
    """A discontinuity of the population PR curve.

    Attributes
    ----------
    recall : float
        Where it is.
    left, value, right : float
        Precision just below, at, and just above that recall.

    Examples
    --------
    >>> from thresher.population import CASES
    >>> population = CASES["F"].with_prevalence(0.2)
    >>> jump = population.pr_jumps()[0]
    >>> round(jump.recall, 3), round(jump.left, 3), round(jump.right, 3)
    (0.4, 1.0, 0.333)
    """

    recall: float
    left: float
    value: float
    right: float


CASE_TEXT = """
>>> from thresher.population import CASES
>>> population = CASES["A"].with_prevalence(0.2)"""


@with_texts(case=CASE_TEXT)
class PopulationCurves(Value):
    """What two score distributions and a prevalence say about curves, points and areas; see `Population`."""

    _pos: Distribution
    _neg: Distribution
    _prevalence: float | None

    def __init__(self, pos: Any, neg: Any, prevalence: float | None = None) -> None:
        share = None if prevalence is None else check_prevalence(prevalence)
        self.__dict__.update(_pos=as_distribution(pos, "pos"), _neg=as_distribution(neg, "neg"), _prevalence=share)

    def __repr__(self) -> str:
        share = "" if self._prevalence is None else f", prevalence={self._prevalence:g}"
        return f"Population({self._pos!r}, {self._neg!r}{share})"

    @property
    def pos(self) -> Distribution:
        """Distribution of the scores of positives."""
        return self._pos

    @property
    def neg(self) -> Distribution:
        """Distribution of the scores of negatives."""
        return self._neg

    @property
    def prevalence(self) -> float | None:
        """Proportion of positives, if it was given."""
        return self._prevalence

    def _share(self, prevalence: float | None) -> float:
        if prevalence is not None:
            return check_prevalence(prevalence)
        if self._prevalence is None:
            raise InvalidInputError(
                "`prevalence` must be given for anything about precision; got None. "
                "Hint: pass prevalence= here or to Population."
            )
        return self._prevalence

    def _skew(self, prevalence: float | None) -> float:
        share = self._share(prevalence)
        return (1.0 - share) / share

    def with_prevalence(self, prevalence: float) -> Self:
        """Return the same score distributions with another proportion of positives.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> CASES["A"].with_prevalence(0.01).prevalence
        0.01
        """
        return type(self)(self._pos, self._neg, prevalence=prevalence)

    def transform(self, function: Callable[..., Any], *, inverse: Callable[..., Any]) -> Self:
        """Return the population of the transformed scores.

        Parameters
        ----------
        function, inverse : callable
            A strictly increasing function of an array of scores, and its inverse.

        Notes
        -----
        Property P7: a strictly increasing and continuous function leaves every curve as it is. The paper asks for
        "increasing" only. With a jump of the function at an atom of one class a single value may change, and functions
        that are merely nondecreasing (rounding, clipping) do change the curves.

        Examples
        --------
        >>> import numpy as np
        >>> from thresher.population import CASES
        >>> population = CASES["A"]
        >>> odds = population.transform(np.exp, inverse=np.log)
        >>> round(float(odds.roc_auc()), 6) == round(float(population.roc_auc()), 6)
        True
        """
        return type(self)(
            transformed(self._pos, function, inverse=inverse),
            transformed(self._neg, function, inverse=inverse),
            prevalence=self._prevalence,
        )

    # Curves
    def roc(self, fpr: ArrayLike) -> Any:
        """Return the true positive rate at each false positive rate.

        Parameters
        ----------
        fpr : array_like
            Values in [0, 1].

        Returns
        -------
        ndarray or float
            Element i is ROC(fpr[i]): P(S+ > M-) at 0, M- being the largest negative score, and 1 at 1.

        Examples
        --------
        {case}
        >>> population.roc([0.05, 0.1, 0.5]).round(4)
        array([0.4033, 0.5471, 0.9192])
        """
        return self._map(self._neg, self._pos, check_fractions(fpr, "fpr"))

    def fpr_at(self, recall: ArrayLike) -> Any:
        """Return the false positive rate at each recall, element i for `recall[i]` in [0, 1].

        Examples
        --------
        {case}
        >>> population.fpr_at([0.25, 0.5, 0.75]).round(4)
        array([0.019 , 0.0808, 0.2341])
        """
        return self._map(self._pos, self._neg, check_fractions(recall, "recall"))

    def pr(self, recall: ArrayLike, *, prevalence: float | None = None) -> Any:
        """Return the precision at each recall.

        Parameters
        ----------
        recall : array_like
            Values in [0, 1].
        prevalence : float, optional
            Proportion of positives, by default the population's.

        Returns
        -------
        ndarray or float
            Element i is PR(recall[i]). At recall 1 it is the prevalence, as everything must be predicted positive; the
            limit is `limits().pr_at_1`. At recall 0 it is 0 if negatives exceed every positive and NaN otherwise;
            the limit is `limits().pr_at_0`.

        Examples
        --------
        {case}
        >>> population.pr([0.25, 0.5, 0.75]).round(4)
        array([0.7667, 0.6075, 0.4448])
        >>> population.pr([0.25, 0.5, 0.75], prevalence=0.01).round(4)
        array([0.1172, 0.0589, 0.0314])
        """
        x = check_fractions(recall, "recall")
        skew = self._skew(prevalence)
        alpha = np.asarray(self._map(self._pos, self._neg, x))
        with np.errstate(invalid="ignore", divide="ignore"):
            return (x / (x + skew * alpha))[()]

    def _map(self, held: Distribution, other: Distribution, x: FloatArray) -> Any:
        flat = x.ravel()
        out = np.ones(flat.shape)
        inner = (flat > 0) & (flat < 1)
        out[inner] = cross(held, other, flat[inner])
        if (flat == 0).any():
            top = held.upper
            out[flat == 0] = other.sf_at(plain(top))[0] if math.isfinite(top) else 0.0
        return out.reshape(x.shape)[()]

    def slope(self, recall: ArrayLike) -> Any:
        """Return the derivative of the false positive rate with respect to recall, f-(t) / f+(t).

        Parameters
        ----------
        recall : array_like
            Values in (0, 1).

        Returns
        -------
        ndarray or float
            Element i belongs to `recall[i]`. Where the ratio jumps it is that of the densities at the threshold itself,
            supports taken as closed; NaN at an atom of either class.

        Examples
        --------
        {case}
        >>> population.slope([0.25, 0.5, 0.75]).round(4)
        array([0.146 , 0.3753, 0.9649])
        """
        x = inner_recall(recall)
        return slope_at(self._pos, self._neg, x.ravel(), kinks=True).reshape(x.shape)[()]

    def pr_jumps(self, *, prevalence: float | None = None) -> tuple[PrJump, ...]:
        """Return the discontinuities of the PR curve in (0, 1), by rising recall.

        At such a recall the empirical PR curve is not consistent: half of the samples end near each side.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> population = CASES["F"].with_prevalence(0.2)
        >>> [round(jump.recall, 3) for jump in population.pr_jumps()]
        [0.4, 0.6, 0.8]
        """
        skew = self._skew(prevalence)
        found = jumps(self._pos, self._neg)
        values = [found.x / (found.x + skew * alpha) for alpha in (found.left, found.value, found.right)]
        return tuple(PrJump(*(float(v) for v in row)) for row in zip(found.x, *values, strict=True))

    def at(self, *, threshold: float, prevalence: float | None = None) -> OperatingPoint:
        """Return the confusion matrix at a threshold, as proportions of the population.

        Parameters
        ----------
        threshold : float
            A case is predicted positive when its score is at least this, as everywhere in thresher.
        prevalence : float, optional
            Proportion of positives, by default the population's.

        Returns
        -------
        OperatingPoint
            Its counts add to 1.

        Examples
        --------
        {case}
        >>> point = population.at(threshold=1.0)
        >>> round(point.recall, 4), round(point.precision, 4)
        (0.6554, 0.5081)
        """
        if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or math.isnan(threshold):
            raise InvalidInputError(f"`threshold` must be a number; got {show(threshold)}.")
        share, point = self._share(prevalence), plain(float(threshold))
        tpr, fpr = float(self._pos.ge_at(point)[0]), float(self._neg.ge_at(point)[0])
        tp, fp = share * tpr, (1 - share) * fpr
        return OperatingPoint(float(threshold), tp, fp, share - tp, (1 - share) - fp)

    def curve(
        self, kind: Literal["roc", "pr"] = "roc", *, n_points: int = 512, prevalence: float | None = None
    ) -> RocCurve | PrCurve:
        """Return the curve as the ordinary object that plots, hulls and threshold choice work on.

        Parameters
        ----------
        kind : {"roc", "pr"}
            Which view.
        n_points : int
            About how many thresholds to use where the scores are continuous; atoms are all kept.
        prevalence : float, optional
            Proportion of positives, by default the population's. A ROC curve without one has equal class totals.

        Returns
        -------
        RocCurve or PrCurve
            Point i is the operating point of ``thresholds[i]`` in proportions of the population.

        Examples
        --------
        {case}
        >>> curve = population.curve("pr", n_points=64)
        >>> type(curve).__name__, round(curve.at(recall=0.5).precision, 3)
        ('PrCurve', 0.607)
        """
        check_choice(kind, "kind", ("roc", "pr"))
        check_count(n_points, "n_points", minimum=2)
        share = 0.5 if kind == "roc" and prevalence is None and self._prevalence is None else self._share(prevalence)
        thresholds, tpr, fpr = trace(self._pos, self._neg, n_points)
        tp, fp = share * tpr, (1.0 - share) * fpr
        return RocCurve(thresholds, tp, fp) if kind == "roc" else PrCurve(thresholds, tp, fp)

    # Areas
    def roc_auc(self, *, ties: Literal["half", "strict"] = "half") -> PopulationArea:
        """Return the area under the ROC curve.

        Parameters
        ----------
        ties : {"half", "strict"}
            "half" counts P(S+ > S-) + P(S+ = S-) / 2; "strict" counts P(S+ > S-), the integral of `roc`.

        Examples
        --------
        {case}
        >>> round(float(population.roc_auc()), 6)
        0.838901
        """
        check_choice(ties, "ties", ("half", "strict"))
        return PopulationArea(*roc_area(self._pos, self._neg, ties=0.5 if ties == "half" else 0.0))

    def pr_auc(self, *, prevalence: float | None = None, estimator: str = "interpolated") -> PopulationArea:
        """Return the area under the PR curve.

        Parameters
        ----------
        prevalence : float, optional
            Proportion of positives, by default the population's.
        estimator : {"interpolated", "functional", "inclusive", "average_precision"}
            How a tied block of both classes counts: "functional" integrates `pr`, letting positives win their ties;
            "inclusive" lets them lose; "interpolated" breaks ties at random, which is what scores with ties can reach
            and lies between the two; "average_precision" is the limit of the sample's average precision. Without ties
            all four agree.

        Examples
        --------
        {case}
        >>> round(float(population.pr_auc()), 6), round(float(population.pr_auc(prevalence=0.01)), 6)
        (0.604627, 0.094835)
        """
        check_choice(estimator, "estimator", PR_ESTIMATORS)
        return PopulationArea(*pr_area(self._pos, self._neg, self._skew(prevalence), estimator=estimator))

    def roc_auc_sigma(self) -> float:
        """Return the standard deviation of sqrt(n) times the error of a sample's ROC area.

        It is the same whether the number of positives is left to chance or fixed.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> round(CASES["A"].with_prevalence(0.2).roc_auc_sigma(), 4)
        0.487
        """
        return roc_auc_sigma(self._pos, self._neg, self._share(None))

    def pr_auc_sigma(self, *, random: bool = True) -> float:
        """Return the standard deviation of sqrt(n) times the error of a sample's PR area.

        Parameters
        ----------
        random : bool, default=True
            Whether the number of positives is left to chance.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> round(CASES["A"].with_prevalence(0.2).pr_auc_sigma(), 4)
        1.1468
        """
        return pr_auc_sigma(self._pos, self._neg, self._share(None), random=random)

    def measure(self, metric: str | Measure, **options: Any) -> float:
        """Return what samples of this population estimate, for any measure that has a population value.

        Parameters
        ----------
        metric : str or Measure
            A name of `thresher.measures.names()`, or an object of `thresher.measures`.
        **options
            Options of the measure.

        Examples
        --------
        >>> from thresher.population import CASES
        >>> round(CASES["A"].with_prevalence(0.2).measure("recall_at_fpr", fpr=0.1), 4)
        0.5471
        """
        return value_of(as_measure(metric, **options), self)


def inner_recall(value: ArrayLike, name: str = "recall") -> FloatArray:
    """Return values strictly between 0 and 1."""
    x = check_fractions(value, name)
    if ((x <= 0) | (x >= 1)).any():
        raise InvalidInputError(f"`{name}` must be strictly between 0 and 1; got {show(value)}.")
    return x
