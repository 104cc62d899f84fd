"""What a planned study comes to: how many cases, which power, and what simulated studies of it gave."""

from __future__ import annotations

from thresher._core.presented import Presented
from thresher._core.values import value


@value
class SimulatedCheck(Presented):
    """The result of simulated studies of the planned size.

    Attributes
    ----------
    n_replicates : int
        Number of simulated studies.
    sd : float
        Standard deviation of their estimates.
    bias : float
        Mean of their estimates minus the population's value.
    within : float
        Proportion of the estimates that lie within the asked half width of the population's value.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> check = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=50, rng=0).check
    >>> check.n_replicates, check.within > 0.8
    (50, True)
    """

    n_replicates: int
    sd: float
    bias: float
    within: float


@value(repr=False)
class SampleSize(Presented):
    """The number of cases that a study needs.

    Attributes
    ----------
    n : int
        Number of cases, both classes together.
    n_pos, n_neg : float
        Expected numbers of positives and negatives among them.
    metric : str
        What is estimated.
    value : float
        The population's value of it.
    standard_error : float
        Asymptotic standard error of the estimate at `n`.
    half_width, confidence_level : float
        What was asked for; the half width is None where a power was.
    check : SimulatedCheck or None
        What simulated studies of that size gave.
    power : float or None
        The power at that size, where one was asked for.
    assurance : float or None
        In which proportion of simulated studies the default interval was short enough, where that decided.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, assurance=0, n_replicates=0)
    >>> found.n, round(found.n_pos, 1), found.metric
    (648, 64.8, 'roc_auc')
    """

    n: int
    n_pos: float
    n_neg: float
    metric: str
    value: float
    standard_error: float
    half_width: float | None
    confidence_level: float
    check: SimulatedCheck | None
    power: float | None = None
    assurance: float | None = None

    def __repr__(self) -> str:
        classes = f" (about {self.n_pos:,.6g} positive)" if self.n_neg else ""
        if self.half_width is None:
            what = f"power {self.power:.4g} for a value of {self.value:.4g}"
        else:
            what = f"{self.confidence_level * 100:g}% interval of {self.value:.4g} +/- {self.half_width:g}"
        sure = "" if self.assurance is None else f" in {self.assurance * 100:g}% of studies"
        return f"{self.n:,} cases{classes}: {self.metric}, {what}{sure}, standard error {self.standard_error:.3g}"


@value(repr=False)
class Power(Presented):
    """The probability that a study detects a difference.

    Attributes
    ----------
    power : float
        Probability of rejecting equality.
    difference : float
        The population difference, a minus b (or minus the null value).
    standard_error : float
        Asymptotic standard error of the estimated difference.
    n : int
        Cases in each study (unpaired), or in the common one (paired).
    significance_level : float
        Level of the test.
    method : str
        How the variance was found.
    simulated : float or None
        Proportion of simulated studies in which the real test rejects.
    correlation : float or None
        Correlation of the two estimates that was taken, given or found in the pilot.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.5)
    >>> found = th.power(population, n=40)
    >>> found.method, 0.5 < found.power < 1
    ('asymptotic', True)
    """

    power: float
    difference: float
    standard_error: float
    n: int
    significance_level: float
    method: str
    simulated: float | None
    correlation: float | None = None

    def __repr__(self) -> str:
        simulated = "" if self.simulated is None else f", {self.simulated:.4g} in simulated studies"
        return (
            f"power {self.power:.4g} with {self.n:,} cases{simulated}: difference {self.difference:.4g}, "
            f"standard error {self.standard_error:.3g}, level {self.significance_level:g}, {self.method}"
        )
