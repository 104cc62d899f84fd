"""Two score distributions and a prevalence: the curves, properties and sampling distributions that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import stats

from thresher._core.checks import check_choice, check_count
from thresher._core.random_streams import random_generator
from thresher._core.result_bases import own_constructors
from thresher._core.shared_docs import with_texts
from thresher._core.values import Frozen
from thresher._curves import pr_lower_bound
from thresher.population._base import CASE_TEXT, PopulationCurves, inner_recall
from thresher.population._combined import Mixture, affine
from thresher.population._distributions import Discrete
from thresher.population._fit import Fit, fitted
from thresher.population._maps import sigma
from thresher.population._shape import Limits, Shape, find_limits, find_shape
from thresher.population._wrap import as_distribution
from thresher.typing import ArrayLike, FloatArray, IntArray

if TYPE_CHECKING:
    from thresher._table import Counts


@with_texts(case=CASE_TEXT)
class Population(PopulationCurves):
    r"""Score distributions of the two classes, and the proportion of positives.

    Parameters
    ----------
    pos, neg : distribution
        Distribution of the scores of positives and of negatives: a scipy.stats frozen distribution, continuous or
        discrete; a distribution of `thresher.population` (`Mixture`, `Discrete`, `affine`, `transformed`); an object
        with `cdf`, `sf`, `ppf` and `isf`, taken to be continuous unless it has a `pmf` on the integers; or a sample of
        scores.
    prevalence : float, optional
        Proportion of positives, in (0, 1). ROC curves do without it.

    Notes
    -----
    The curves are the functions of Hughes-Oliver (2018): with thresholds used as "score > t" and generalized inverses,

    .. math:: ROC(x) = P(S_+ > Q_-(1-x)), \quad \alpha(x) = P(S_- > Q_+(1-x)),

    .. math:: PR(x) = \frac{\pi x}{\pi x + (1-\pi)\alpha(x)}, \quad 0 < x < 1.

    With ties between the classes these functions lean in opposite directions: all scores equal gives ROC = 0 and
    PR = 1. `pr_auc(estimator="interpolated")` is the area that a classifier can reach with such scores.

    Two populations are equal if their distributions, their prevalence and their fit are.

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
    array([0.9647, 0.8609, 0.6653])
    """

    _parts = ("_pos", "_neg", "_prevalence", "_fit")
    _fit: Fit | None = None

    @property
    def fit_result(self) -> Fit | None:
        """The result of the fit, if the population was fitted to data."""
        return self._fit

    # Properties
    def limits(self, *, prevalence: float | None = None) -> Limits:
        """Return the one-sided limits of the curves at 0 and 1 (properties P1 and P2).

        Parameters
        ----------
        prevalence : float, optional
            Proportion of positives, by default the population's.

        Notes
        -----
        Two statements of the paper are corrected. P1(a): ROC(0+) is P(S+ >= M-) unless the negatives have an atom at
        their maximum M-, then it is P(S+ > M-). P2(b): PR(0+) follows from the limit of false positive rate over
        recall, which exists less often than the limit of the density ratio suggests; it is given here only when the
        supports or the closed forms of the tails prove it.

        Examples
        --------
        {case}
        >>> limits = population.limits()
        >>> limits.pr_at_0, limits.pr_at_1
        (1.0, 0.2)
        """
        return find_limits(self._pos, self._neg, self._skew(prevalence))

    def shape(self) -> Shape:
        """Return what can be proved about concavity and monotonicity (property P3).

        Notes
        -----
        P3(a) of the paper is false as printed: positives below every negative do not show in a concave ROC curve and
        make precision rise again. Here a concave ROC curve must also end at 1. P3(b) needs only that a convex ROC
        curve starts at 0; its other conditions follow.

        Examples
        --------
        {case}
        >>> shape = population.shape()
        >>> shape.roc, shape.pr
        ('concave', 'nonincreasing')
        """
        return find_shape(self._pos, self._neg, find_limits(self._pos, self._neg, 1.0))

    def chance(self) -> Population:
        """Return the population of a useless score: both classes with the same distribution (property P4).

        For continuous scores ROC(x) = x and PR(x) = prevalence. With atoms ROC(x) <= x and PR(x) >= prevalence, with
        equality where 1 - x is a value of the distribution function; the distribution is then that of all cases
        together.

        Examples
        --------
        {case}
        >>> useless = population.chance()
        >>> useless.pr([0.25, 0.5]).round(12), round(float(useless.roc_auc()), 12)
        (array([0.2, 0.2]), 0.5)
        """
        if self._pos.continuous and self._neg.continuous:
            distribution = as_distribution(stats.uniform(), "distribution")
        else:
            distribution = Mixture([self._pos, self._neg], [self._share(None), 1.0 - self._share(None)])
        return Population(distribution, distribution, prevalence=self._prevalence)

    def lower_bound(self, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
        """Return the smallest precision that any score can have at each recall (property P6).

        Examples
        --------
        {case}
        >>> population.lower_bound([0.25, 0.5, 1.0]).round(4)
        array([0.0588, 0.1111, 0.2   ])
        """
        return pr_lower_bound(recall, self._share(prevalence))

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
            Proportion of positives, by default the population's.

        Returns
        -------
        ndarray or float
            Element i belongs to `recall[i]`; NaN where the scores have no density ratio.

        Notes
        -----
        The paper says that the variance grows with the skew. It does not: it vanishes as the skew grows without bound;
        what grows is the standard deviation relative to the precision.

        Examples
        --------
        {case}
        >>> population.asymptotic_sd([0.25, 0.5, 0.75], 1000).round(4)
        array([0.0635, 0.052 , 0.04  ])
        """
        x = inner_recall(recall)
        size = check_count(n, "n", minimum=1)
        random = check_choice(design, "design", ("random", "fixed")) == "random"
        sd = sigma(self._pos, self._neg, x.ravel(), self._skew(prevalence), random=random)
        return (sd / math.sqrt(size)).reshape(x.shape)[()]

    # Samples
    def sample(self, n: int, rng: Any = None) -> tuple[IntArray, FloatArray]:
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

        Examples
        --------
        >>> import thresher as th
        >>> y_true, y_score = th.population.CASES["A"].with_prevalence(0.2).sample(500, rng=0)
        >>> th.Scores(y_true, y_score).n_pos
        96
        """
        size, share = check_count(n, "n", minimum=1), self._share(None)
        generator = random_generator(rng)
        y_true = (generator.random(size) < share).astype(np.int64)
        y_score = np.empty(size)
        n_pos = int(y_true.sum())
        y_score[y_true == 1] = self._pos.draw(n_pos, generator)
        y_score[y_true == 0] = self._neg.draw(size - n_pos, generator)
        return y_true, y_score

    @classmethod
    def fit(cls, scores: Counts, family: str = "binormal", *, method: str | None = None) -> Population:
        """Fit score distributions to data.

        Parameters
        ----------
        scores : Scores
            The data, both classes present.
        family : {"binormal", "bilognormal", "bibeta", "bigamma", "biexponential", "kde"}
            The distribution of the scores in each class. "kde" is a Gaussian kernel density.
        method : str, optional
            For "binormal": "ordinal" (default) is maximum likelihood of normal scores behind an unknown increasing
            transformation, using the order and the ties only, as ROC software has done since Dorfman and Alf; "normal"
            takes the scores as normal themselves; "least_squares" is the straight line through the probits of the
            empirical ROC points, specificity on sensitivity, as in pROC's smooth. Other families have one method.

        Returns
        -------
        Population
            With the sample's prevalence; its `fit_result` holds parameters, standard errors and goodness of fit.

        References
        ----------
        .. [1] Dorfman, D. D. and Alf, E. (1969). Maximum-likelihood estimation of parameters of signal-detection theory
           and determination of confidence intervals. J. Math. Psychol. 6, 487-496. doi:10.1016/0022-2496(69)90019-4.
        .. [2] Metz, C. E., Herman, B. A. and Shen, J.-H. (1998). Maximum likelihood estimation of receiver operating
           characteristic (ROC) curves from continuously-distributed data. Statist. Med. 17, 1033-1053.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> fitted = th.Population.fit(th.Scores(data.y_true, data.logistic), family="binormal")
        >>> round(float(fitted.roc_auc()), 3)
        0.973
        """
        found: Population = fitted(cls, scores, family, method)
        return found


own_constructors(Population)
_MAKERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "A": lambda: (stats.norm(1.4, 1), stats.norm(0, 1)),
    "A*": lambda: (stats.lognorm(s=1, scale=math.exp(1.4)), stats.lognorm(s=1)),
    "B": lambda: (affine(stats.lognorm(s=1, scale=math.exp(1.4)), shift=8, scale=-1), stats.norm(0, 1)),
    "C": lambda: (stats.beta(5, 2), stats.beta(2, 5)),
    "D": lambda: (stats.uniform(0.5, 1), stats.uniform(0, 1)),
    "E": lambda: (stats.uniform(0, 1), stats.uniform(0.5, 1)),
    "F": lambda: (
        Discrete([0.2, 0.35, 0.5, 0.75, 0.9]),
        Discrete([0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7]),
    ),
}


class _Cases(Frozen, Mapping[str, Population]):
    """The populations by name, made when first asked for, with balanced classes."""

    _made: dict[str, Population]

    def __init__(self) -> None:
        self.__dict__["_made"] = {}

    def __getitem__(self, name: str) -> Population:
        if name not in self._made:
            self._made[name] = Population(*_MAKERS[name](), prevalence=0.5)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)

    def __repr__(self) -> str:
        return f"CASES({', '.join(_MAKERS)})"


CASES: Mapping[str, Population] = _Cases()
"""The paper's cases "A", "A*", "B", "C", "D", "E", "F", each a `Population` with prevalence 1/2.

A is binormal and A* its lognormal image; B has positives 8 - W with W lognormal; C is bibeta; D and E are overlapping
uniform scores; F is discrete. Figures 3 to 6 draw them.
"""
