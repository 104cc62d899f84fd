"""Two score distributions and a prevalence: the curves, areas and laws that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from thresher._core.checks import check_choice, check_count, check_fractions, check_prevalence, show
from thresher.curves import OperatingPoint, PrCurve, RocCurve, pr_lower_bound
from thresher.exceptions import InvalidInputError
from thresher.population import _asymptotic, _sampling
from thresher.population._areas import PR_ESTIMATORS, pr_area, roc_area, y_minus_log1p
from thresher.population._combined import Mixture, transformed
from thresher.population._laws import Law
from thresher.population._limits import Limits, find_limits
from thresher.population._maps import cross, jumps
from thresher.population._points import plain
from thresher.population._reference import Separation, find_separation
from thresher.population._shape import Shape, find_shape
from thresher.population._trace import trace
from thresher.population._wrap import as_law
from thresher.typing import ArrayLike, FloatArray, IntArray

if TYPE_CHECKING:
    from thresher.population._fit import Fit
    from thresher.scores import Counts

__all__ = ["Population", "PopulationArea", "PrJump"]


class PopulationArea(float):
    """An area under a population curve: a float that knows how far it may be off.

    Attributes
    ----------
    error : float
        Estimate of the absolute error of the quadrature.
    """

    error: float

    def __new__(cls, value: float, error: float) -> PopulationArea:
        """Make the number and attach its error."""
        area = super().__new__(cls, value)
        area.error = error
        return area

    def __getnewargs__(self) -> tuple[float, float]:
        return float(self), self.error

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
    """

    recall: float
    left: float
    value: float
    right: float


class Population:
    """Score distributions of the two classes, and the share of positives.

    Parameters
    ----------
    pos, neg : distribution
        Law of the scores of positives and of negatives: a scipy.stats frozen distribution, continuous or discrete; a
        law of `thresher.population` (`Mixture`, `Discrete`, `PointMass`, `Empirical`, `affine`, `transformed`); an
        object with `cdf`, `sf`, `ppf` and `isf`, taken to be continuous unless it has a `pmf` on the integers; or a
        sample of scores.
    prevalence : float, optional
        Share of positives, in (0, 1). ROC curves do without it.

    Notes
    -----
    The curves are the functions of Hughes-Oliver (2018): with thresholds used as "score > t" and generalized inverses,

    .. math:: ROC(x) = P(S_+ > Q_-(1-x)), \\quad \\alpha(x) = P(S_- > Q_+(1-x)), \\quad
              PR(x) = \\frac{\\pi x}{\\pi x + (1-\\pi)\\alpha(x)}, \\quad 0 < x < 1.

    With ties between the classes these functions lean in opposite directions: all scores equal gives ROC = 0 and
    PR = 1. `pr_auc(estimator="interpolated")` is the area that a classifier can reach with such scores.

    References
    ----------
    .. [1] Hughes-Oliver, J. M. (2018). Population and Empirical PR Curves for Assessment of Ranking Algorithms.
       arXiv:1810.08635.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4, 1), stats.norm(0, 1), prevalence=0.5)
    >>> round(float(population.roc_auc()), 12)
    0.838900596919
    >>> population.pr([0.1, 0.5, 0.9]).round(4)
    array([0.9633, 0.861 , 0.6653])
    """

    def __init__(self, pos: Any, neg: Any, *, prevalence: float | None = None) -> None:
        self._pos, self._neg = as_law(pos, "pos"), as_law(neg, "neg")
        self._prevalence = None if prevalence is None else check_prevalence(prevalence)
        self._fit: Fit | None = None

    def __repr__(self) -> str:
        share = "" if self._prevalence is None else f", prevalence={self._prevalence:g}"
        return f"Population({self._pos!r}, {self._neg!r}{share})"

    @property
    def pos(self) -> Law:
        """Law of the scores of positives."""
        return self._pos

    @property
    def neg(self) -> Law:
        """Law of the scores of negatives."""
        return self._neg

    @property
    def prevalence(self) -> float | None:
        """Share of positives, if it was given."""
        return self._prevalence

    @property
    def fit_result(self) -> Fit | None:
        """How the population was fitted to data, if it was."""
        return self._fit

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

    def with_prevalence(self, prevalence: float) -> Population:
        """Return the same score distributions with another share of positives."""
        return Population(self._pos, self._neg, prevalence=prevalence)

    def transform(self, function: Callable[..., Any], *, inverse: Callable[..., Any]) -> Population:
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
        """
        return Population(
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
        """
        return self._map(self._neg, self._pos, check_fractions(fpr, "fpr"))

    def fpr_at(self, recall: ArrayLike) -> Any:
        """Return the false positive rate at each recall, element i for `recall[i]` in [0, 1]."""
        return self._map(self._pos, self._neg, check_fractions(recall, "recall"))

    def pr(self, recall: ArrayLike, *, prevalence: float | None = None) -> Any:
        """Return the precision at each recall.

        Parameters
        ----------
        recall : array_like
            Values in [0, 1].
        prevalence : float, optional
            Share of positives, by default the population's.

        Returns
        -------
        ndarray or float
            Element i is PR(recall[i]). At recall 1 it is the prevalence, as everything must be called positive; the
            limit is `limits().pr_at_1`. At recall 0 it is 0 if negatives exceed every positive and NaN otherwise;
            the limit is `limits().pr_at_0`.
        """
        x = check_fractions(recall, "recall")
        skew = self._skew(prevalence)
        alpha = np.asarray(self._map(self._pos, self._neg, x))
        with np.errstate(invalid="ignore", divide="ignore"):
            return (x / (x + skew * alpha))[()]

    def _map(self, held: Law, other: Law, x: FloatArray) -> Any:
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
        """
        x = _inner(recall)
        return _asymptotic.slope_at(self._pos, self._neg, x.ravel(), kinks=True).reshape(x.shape)[()]

    def pr_jumps(self, *, prevalence: float | None = None) -> tuple[PrJump, ...]:
        """Return the discontinuities of the PR curve in (0, 1), by rising recall.

        At such a recall the empirical PR curve is not consistent: half of the samples end near each side.
        """
        skew = self._skew(prevalence)
        found = jumps(self._pos, self._neg)
        values = [found.x / (found.x + skew * alpha) for alpha in (found.left, found.value, found.right)]
        return tuple(PrJump(*(float(v) for v in row)) for row in zip(found.x, *values, strict=True))

    def at(self, *, threshold: float, prevalence: float | None = None) -> OperatingPoint:
        """Return the confusion matrix at a threshold, as shares of the population.

        Parameters
        ----------
        threshold : float
            A case is called positive when its score is at least this, as everywhere in thresher.
        prevalence : float, optional
            Share of positives, by default the population's.

        Returns
        -------
        OperatingPoint
            Its counts add to 1.
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
            Share of positives, by default the population's. A ROC curve without one has equal class totals.

        Returns
        -------
        RocCurve or PrCurve
            Point i is the operating point of ``thresholds[i]`` in shares of the population.
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
        """
        check_choice(ties, "ties", ("half", "strict"))
        return PopulationArea(*roc_area(self._pos, self._neg, ties=0.5 if ties == "half" else 0.0))

    def pr_auc(self, *, prevalence: float | None = None, estimator: str = "functional") -> PopulationArea:
        """Return the area under the PR curve.

        Parameters
        ----------
        prevalence : float, optional
            Share of positives, by default the population's.
        estimator : {"functional", "interpolated", "inclusive", "average_precision"}
            How a tied block of both classes counts: "functional" integrates `pr`, letting positives win their ties;
            "inclusive" lets them lose; "interpolated" breaks ties at random, which is what scores with ties can reach
            and lies between the two; "average_precision" is the limit of the sample's average precision. Without ties
            all four agree.
        """
        check_choice(estimator, "estimator", PR_ESTIMATORS)
        return PopulationArea(*pr_area(self._pos, self._neg, self._skew(prevalence), estimator=estimator))

    # Properties
    def limits(self, *, prevalence: float | None = None) -> Limits:
        """Return the one-sided limits of the curves at 0 and 1 (properties P1 and P2).

        Parameters
        ----------
        prevalence : float, optional
            Share of positives, by default the population's.

        Notes
        -----
        Two statements of the paper are corrected. P1(a): ROC(0+) is P(S+ >= M-) unless the negatives have an atom at
        their maximum M-, then it is P(S+ > M-). P2(b): PR(0+) follows from the limit of false positive rate over
        recall, which exists less often than the limit of the density ratio suggests; it is given here only when the
        supports or the closed forms of the tails prove it.
        """
        return find_limits(self._pos, self._neg, self._skew(prevalence))

    def shape(self) -> Shape:
        """Return what can be proved about concavity and monotonicity (property P3).

        Notes
        -----
        P3(a) of the paper is false as printed: positives below every negative do not show in a concave ROC curve and
        make precision rise again. Here a concave ROC curve must also end at 1. P3(b) needs only that a convex ROC
        curve starts at 0; its other conditions follow.
        """
        return find_shape(self._pos, self._neg, find_limits(self._pos, self._neg, 1.0))

    def chance(self) -> Population:
        """Return the population of a useless score: both classes with the same law (property P4).

        For continuous scores ROC(x) = x and PR(x) = prevalence. With atoms ROC(x) <= x and PR(x) >= prevalence, with
        equality where 1 - x is a value of the distribution function; the law is then that of all cases together.
        """
        if self._pos.continuous and self._neg.continuous:
            from scipy import stats

            law = as_law(stats.uniform(), "law")
        else:
            law = Mixture([self._pos, self._neg], [self._share(None), 1.0 - self._share(None)])
        return Population(law, law, prevalence=self._prevalence)

    def separation(self, *, prevalence: float | None = None) -> Separation:
        """Tell whether the scores separate the classes, and give the curves of perfect and reverse separation.

        Properties P5 and P6. The paper asks for M- < m+; equality separates too, unless both laws have an atom there.
        """
        return find_separation(self._pos, self._neg, self._share(prevalence))

    def lower_bound(self, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
        """Return the smallest precision that any score can have at each recall (property P6)."""
        return pr_lower_bound(recall, self._share(prevalence))

    def lower_bound_area(self, *, prevalence: float | None = None) -> float:
        """Return the area under `lower_bound`: 1 + (1 - prevalence) log(1 - prevalence) / prevalence."""
        skew = self._skew(prevalence)
        return float(skew * y_minus_log1p(np.array([1.0 / skew]))[0])

    # Theorem 1
    def asymptotic_sd(
        self,
        recall: ArrayLike,
        n: int,
        *,
        design: Literal["random", "fixed"] = "random",
        prevalence: float | None = None,
    ) -> Any:
        """Return the standard deviation of the empirical precision by Theorem 1, equation (9).

        Parameters
        ----------
        recall : array_like
            Values in (0, 1).
        n : int
            Sample size; 1 gives the sigma of the theorem.
        design : {"random", "fixed"}
            Whether the number of positives varies from sample to sample or is fixed by design.
        prevalence : float, optional
            Share of positives, by default the population's.

        Returns
        -------
        ndarray or float
            Element i belongs to `recall[i]`; NaN where the scores have no density ratio. `theorem` tells when the
            normal approximation can be trusted.

        Notes
        -----
        The paper says that the variance grows with the skew. It does not: it vanishes as the skew grows without bound;
        what grows is the standard deviation relative to the precision.
        """
        x = _inner(recall)
        size = check_count(n, "n", minimum=1)
        random = check_choice(design, "design", ("random", "fixed")) == "random"
        sd = _asymptotic.sigma(self._pos, self._neg, x.ravel(), self._skew(prevalence), random=random)
        return (sd / math.sqrt(size)).reshape(x.shape)[()]

    def asymptotic_process(
        self,
        recall: ArrayLike,
        n_draws: int,
        *,
        design: Literal["random", "fixed"] = "random",
        prevalence: float | None = None,
        rng: Any = None,
    ) -> FloatArray:
        """Draw the Gaussian process (8), the limit of sqrt(n) (PR-hat - PR), on a grid of recalls.

        Parameters
        ----------
        recall : array_like
            A list of values in (0, 1).
        n_draws : int
            Number of independent draws.
        design, prevalence
            As in `asymptotic_sd`.
        rng : Generator or int, optional
            Source of randomness.

        Returns
        -------
        ndarray
            Row i is one draw; column j belongs to `recall[j]`.
        """
        x = np.atleast_1d(_inner(recall))
        random = check_choice(design, "design", ("random", "fixed")) == "random"
        return _asymptotic.process(
            self._pos,
            self._neg,
            x,
            self._skew(prevalence),
            random=random,
            size=check_count(n_draws, "n_draws", minimum=1),
            rng=np.random.default_rng(rng),
        )

    def theorem(
        self, recall: float, n: int, *, epsilon: float = 0.05, prevalence: float | None = None
    ) -> _asymptotic.TheoremCheck:
        """Return whether the conditions of Theorem 1 hold and its approximation can be trusted.

        Parameters
        ----------
        recall : float
            Value in (0, 1).
        n : int
            Sample size.
        epsilon : float
            The conditions on slope and tails are checked over [epsilon, 1 - epsilon].
        prevalence : float, optional
            Share of positives, by default the population's.

        Notes
        -----
        The theorem's remainder is printed as of order log n / sqrt(n). It is of order n ** (-1/4), which is why
        n = 1000 can still be far from normal where the curve is steep; `remainder_share` gives its size.
        """
        x = float(_inner(recall))
        edge = check_fractions(epsilon, "epsilon")
        if not 0.0 < float(edge) < 0.5:
            raise InvalidInputError(f"`epsilon` must be in (0, 0.5); got {show(epsilon)}.")
        size = check_count(n, "n", minimum=1)
        return _asymptotic.check_theorem(self._pos, self._neg, x, self._skew(prevalence), size, float(edge))

    # Samples
    def sample(self, n: int, *, rng: Any = None) -> tuple[IntArray, FloatArray]:
        """Draw cases from the population.

        Parameters
        ----------
        n : int
            Number of cases; how many are positive is random.
        rng : Generator or int, optional
            Source of randomness.

        Returns
        -------
        y_true, y_score : ndarray
            Label and score of case i, as `Scores` takes them.
        """
        size, share = check_count(n, "n", minimum=1), self._share(None)
        generator = np.random.default_rng(rng)
        y_true = (generator.random(size) < share).astype(np.int64)
        y_score = np.empty(size)
        n_pos = int(y_true.sum())
        y_score[y_true == 1] = self._pos.draw(n_pos, generator)
        y_score[y_true == 0] = self._neg.draw(size - n_pos, generator)
        return y_true, y_score

    def sampling(
        self,
        recall: float,
        n: int,
        *,
        design: Literal["random", "fixed"] = "random",
        prevalence: float | None = None,
    ) -> _sampling.SamplingLaw:
        """Return the exact law of the empirical precision at a recall.

        Parameters
        ----------
        recall : float
            Value in (0, 1].
        n : int
            Sample size.
        design : {"random", "fixed"}
            Whether the number of positives is binomial or fixed at round(n * prevalence).
        prevalence : float, optional
            Share of positives, by default the population's.

        Examples
        --------
        The discrete case F at a jump of its PR curve has two modes, far from any normal law:

        >>> from thresher.population import CASES
        >>> law = CASES["F"].sampling(0.4, 100, design="fixed")
        >>> round(law.mean, 3), round(law.sd, 3), round(float(law.pmf(1.0)), 3)
        (0.829, 0.174, 0.486)
        """
        x = _positive(recall)
        if x.ndim:
            raise InvalidInputError(f"`recall` must be one number; got {show(recall)}.")
        size, share = check_count(n, "n", minimum=1), self._share(prevalence)
        check_choice(design, "design", ("random", "fixed"))
        return _sampling.exact_law(self._pos, self._neg, float(x), size, share, design)

    def simulate(
        self,
        n: int,
        n_replicates: int,
        *,
        recalls: ArrayLike,
        rng: Any = None,
        design: Literal["random", "fixed"] = "random",
        prevalence: float | None = None,
    ) -> FloatArray:
        """Draw the empirical PR curve of many samples at some recalls, exactly and without sorting.

        Parameters
        ----------
        n : int
            Sample size; the cost does not depend on it.
        n_replicates : int
            Number of samples.
        recalls : array_like
            A list of values in (0, 1].
        rng : Generator or int, optional
            Source of randomness.
        design, prevalence
            As in `sampling`.

        Returns
        -------
        ndarray
            Row i is sample i, column j the precision at `recalls[j]`; NaN in a row whose sample has no positive.
        """
        x = np.atleast_1d(_positive(recalls, "recalls"))
        size, count = check_count(n, "n", minimum=1), check_count(n_replicates, "n_replicates", minimum=1)
        check_choice(design, "design", ("random", "fixed"))
        share = self._share(prevalence)
        return _sampling.simulate(
            self._pos, self._neg, x.ravel(), size, share, design, count, np.random.default_rng(rng)
        )

    def prevalence_for(self, *, precision: float, recall: float) -> float:
        """Return the prevalence at which precision at a recall is a given value.

        Parameters
        ----------
        precision : float
            Value in (0, 1).
        recall : float
            Value in (0, 1).

        Returns
        -------
        float
            Rarer positives than this give a lower precision at that recall; 0 if no negative is called at all.

        Examples
        --------
        How rare can positives get before precision at recall 0.9 falls below one half?

        >>> from thresher.population import CASES
        >>> round(CASES["A"].prevalence_for(precision=0.5, recall=0.9), 4)
        0.3347
        """
        target, x = check_prevalence(precision, "precision"), float(_inner(recall))
        alpha = float(self._map(self._pos, self._neg, np.array(x)))
        skew = x * (1.0 - target) / (target * alpha) if alpha > 0 else math.inf
        return 1.0 / (1.0 + skew)

    @classmethod
    def fit(cls, scores: Counts, *, family: str = "binormal", method: str | None = None) -> Population:
        """Fit score distributions to data.

        See `thresher.population.fit_population`, which this calls; the result's `fit_result` holds parameters,
        standard errors and goodness of fit.
        """
        from thresher.population._fit import fit_population

        return fit_population(scores, family=family, method=method)


def _inner(value: ArrayLike, name: str = "recall") -> FloatArray:
    x = check_fractions(value, name)
    if ((x <= 0) | (x >= 1)).any():
        raise InvalidInputError(f"`{name}` must be strictly between 0 and 1; got {show(value)}.")
    return x


def _positive(value: ArrayLike, name: str = "recall") -> FloatArray:
    x = check_fractions(value, name)
    if (x <= 0).any():
        raise InvalidInputError(f"`{name}` must be above 0; got {show(value)}. Hint: nothing is called at recall 0.")
    return x
