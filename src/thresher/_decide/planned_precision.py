"""Planning for the precision of an estimate: how many cases an interval of some width needs."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_count, show
from thresher._core.random_streams import random_generator
from thresher._decide.planned_pilots import equal_rows
from thresher._decide.studies import (
    DESIGNS,
    chance_of_both,
    check_population,
    population_sigma,
    prevalence_of,
    simulated_values,
    studies,
)
from thresher._decide.study_results import SampleSize, SimulatedCheck
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure, as_measure
from thresher.population import Population

_SOME, _PER_CLASS = 200, 30
_MOST_CASES = 20_000_000  # drawn in one simulated check
_STUDIES, _SEED = 60, 20261116
_LEAST = 4
_CLOSE = 0.1  # of a size, from which the next one is known to about a hundredth
_MOST_ROWS = 100_000_000


def precision(
    source: Population | Counts,
    metric: str | Measure = "pr_auc",
    *,
    half_width: float,
    assurance: float = 0.5,
    confidence_level: float = 0.95,
    design: str = "random",
    n_replicates: int = 500,
    rng: Any = None,
    **options: Any,
) -> SampleSize:
    """Return how many cases an interval of some width needs.

    Parameters
    ----------
    source : Population or Scores
        The supposed score distributions with their prevalence, or a pilot study of independent rows.
    metric : str or Measure, default="pr_auc"
        What is to be estimated: any measure.
    half_width : float
        Half of the width of the confidence interval, above 0 and below the range of the metric.
    assurance : float, default=0.5
        In which proportion of studies the default interval is to be that short, found by simulating studies and their
        intervals. 0 takes the asymptotic formula, which is short of what the default interval needs.
    confidence_level : float, default=0.95
        Level of the interval.
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    n_replicates : int, default=500
        Number of simulated studies of that size in the check of a population; 0 for none. Fewer are drawn if the size
        is very large.
    rng : Generator or int, optional
        Source of randomness of the check.
    **options
        Options of the metric, such as `threshold` or `fpr`.

    Returns
    -------
    SampleSize

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.planning.precision(population, "roc_auc", half_width=0.05, n_replicates=0)
    >>> round(found.n, -2)
    700
    >>> th.planning.precision(population, "roc_auc", half_width=0.05, assurance=0, n_replicates=0).n
    648
    """
    measure = as_measure(metric, **options)
    level = check_confidence_level(confidence_level)
    check_choice(design, "design", DESIGNS)
    if isinstance(half_width, bool) or not isinstance(half_width, int | float | np.number):
        raise InvalidTypeError(f"`half_width` must be a positive number; got {show(half_width)}.")
    width = float(half_width)
    if not 0 < width < measure.reach:
        raise InvalidInputError(f"`half_width` must be in (0, {measure.reach:g}); got {show(half_width)}.")
    sure = 0.0 if assurance == 0 else check_confidence_level(assurance, "assurance")
    z = float(scipy.special.ndtri(0.5 + level / 2))
    replicates = 0
    if isinstance(source, Counts):  # new cases are like those of the pilot
        source = equal_rows(source)
        estimate, rows = measure.estimate(source), float(source.n_pos + source.n_neg)
        error, value, share = float(estimate.standard_error(rng=0, design=design)), estimate.value, source.prevalence
        n = math.ceil(rows * (z * error / width) ** 2)
    else:
        check_population(source, "population")
        replicates, share = check_count(n_replicates, "n_replicates"), prevalence_of(source)
        # Simulated studies plan with any metric; for those without a formula they say where to start, too.
        several = max(_SOME, math.ceil(_PER_CLASS / min(share, 1 - share))) if sure else None
        error, rows = population_sigma(measure, source, random=design == "random", n=several), 1.0
        value = source.measure(measure)
        n = math.ceil((z * error / width) ** 2)
    n = max(n, math.ceil(1 / min(share, 1 - share)))
    if sure:
        n = assured_size(source, measure, n, design, level, width, sure)
    check = _simulated_check(source, measure, n, design, width, value, replicates, rng)
    sizes, error = (n * share, n * (1 - share)), error * math.sqrt(rows / n) if rows > 1.0 else error / math.sqrt(n)
    return SampleSize(n, *sizes, measure.described(), value, error, width, level, check, assurance=sure or None)


def assured_size(
    source: Population | Counts, measure: Measure, start: int, design: str, level: float, width: float, assurance: float
) -> int:
    """Return about the least size at which so many studies have a default interval that is short enough.

    An interval shrinks about as the root of the size, so a few sizes are simulated, each from what the last one showed.
    From the first of them on both classes occur in so many studies.
    """
    share = prevalence_of(source)
    least = max(_LEAST, math.ceil(1.0 / min(share, 1.0 - share)))
    while chance_of_both(source, least, design) < assurance:
        least += max(least // 50, 1)
    n, short, enough = max(start, least), least - 1, _MOST_ROWS + 1
    while n <= _MOST_ROWS:
        found = (_width_reached(source, measure, n, design, level, assurance) / (2.0 * width)) ** 2
        short, enough = (short, n) if found <= 1.0 else (n, enough)
        ahead = math.ceil(n * found) if math.isfinite(found) else 2 * n
        if abs(found - 1.0) <= _CLOSE or enough - short == 1:
            return min(max(ahead, short + 1), enough)
        # A width that does not follow the root may point beyond sizes that are known to be enough, or too few.
        n = ahead if enough > _MOST_ROWS or short < ahead < enough else (short + enough) // 2
        n = max(n, short + 1)
    raise InvalidInputError(
        f"`half_width={width:g}` needs more than {_MOST_ROWS:,} cases. Hint: ask for a wider interval."
    )


def _width_reached(
    source: Population | Counts, measure: Measure, n: int, design: str, level: float, assurance: float
) -> float:
    """Return the width that so large a proportion of studies does not exceed; without both classes it is infinite."""
    drawn = studies(source, n, design, np.random.default_rng([_SEED, n]))
    widths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        for _ in range(_STUDIES):
            try:
                widths.append(measure.estimate(next(drawn)).confidence_interval(level, design=design, rng=0).width)
            except UndefinedMetricError:
                widths.append(math.inf)
    of_those = min(assurance / chance_of_both(source, n, design), 1.0)
    return float(np.quantile(widths, of_those, method="higher"))


def _simulated_check(
    source: Population | Counts,
    measure: Measure,
    n: int,
    design: str,
    width: float,
    value: float,
    replicates: int,
    rng: Any,
) -> SimulatedCheck | None:
    replicates = min(replicates, _MOST_CASES // n)
    if replicates < 2:
        return None
    found = simulated_values(measure, source, n, replicates, random_generator(rng), design)
    found = found[np.isfinite(found)]
    if found.size < 2:
        return None
    return SimulatedCheck(
        int(found.size),
        float(found.std(ddof=1)),
        float(found.mean() - value),
        float(np.mean(np.abs(found - value) <= width)),
    )
