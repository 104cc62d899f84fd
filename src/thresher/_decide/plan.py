"""`th.sample_size` and `th.power`: the question that arguments ask, and its answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import scipy

from thresher._core.checks import check_number, show
from thresher._decide.planned_areas import area
from thresher._decide.planned_cutoffs import cutoff
from thresher._decide.planned_pilots import pilot
from thresher._decide.planned_populations import populations
from thresher._decide.planned_precision import precision
from thresher._decide.planned_rates import rate
from thresher._decide.question import Power, Question, SampleSize
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.population import Population

_FUNCTIONS: dict[str, Callable[..., Question]] = {"calls": cutoff, "rate": rate, "pilot": pilot, "auc": area}


def _question(first: object, second: object, given: dict[str, Any]) -> Question:
    """Return the question that arguments are about, each of which must be part of it."""
    given = {name: value for name, value in given.items() if value is not None}
    kinds = [kind for kind in _FUNCTIONS if kind in given and not (kind == "auc" and "pilot" in given)]
    function: Callable[..., Question]
    subject: tuple[Any, ...]
    if first is not None or second is not None:
        if kinds:
            raise InvalidInputError(
                "exactly one of a population, `auc`, `rate`, `calls` and `pilot` must be given (`auc` may go with "
                "`pilot`); got a population and another."
            )
        function, subject = populations, (first, second)
    elif not kinds:
        if "metric" in given and (measure := as_measure(given["metric"], **_options(given))) != RocAuc():
            raise _undescribed(measure)
        raise InvalidInputError("one of a population, `auc`, `rate`, `calls` and `pilot` must be given; got none.")
    elif len(kinds) > 1:
        raise InvalidInputError(
            f"`{kinds[0]}` must be given alone; got {' and '.join(f'`{kind}`' for kind in kinds[1:])} beside it. "
            "Hint: leave the others out."
        )
    else:
        function, subject = _FUNCTIONS[kinds[0]], (given.pop(kinds[0]),)
    if function is area and "metric" in given:
        measure = as_measure(given.pop("metric"), **_options(given))
        if measure != RocAuc():
            raise _undescribed(measure)
    takes = signature(function).parameters
    others = given.keys() - takes.keys()
    if any(one.kind is Parameter.VAR_KEYWORD for one in takes.values()):
        others &= _known()  # the rest are options of the metric
    for name in others:
        raise InvalidInputError(
            f"`{name}` is no part of this question. Hint: see `th.planning.{function.__name__}`, which asks it."
        )
    return function(*subject, **given)


def _known() -> set[str]:
    """Return the arguments of all questions."""
    return {name for function in (*_FUNCTIONS.values(), populations) for name in signature(function).parameters}


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Return what only a metric can take."""
    return {name: value for name, value in given.items() if name not in _known()}


def _undescribed(measure: Measure) -> InvalidInputError:
    return InvalidInputError(
        f"`auc` and `rate` do not describe {measure.title!r}; got no pilot. Hint: pilot=Scores(...) with "
        "`null`, or pilot=(y, {'new': new, 'old': old}) for two models."
    )


def sample_size(
    population: Population | None = None,
    *,
    half_width: float | None = None,
    power: float | None = None,
    pilot: Any = None,
    metric: str | Measure | None = None,
    ratio: float = 1.0,
    **question: Any,
) -> SampleSize:
    """Return how many cases a study needs for an interval of a given width or for the power of a test.

    Parameters
    ----------
    population : Population, optional
        The supposed score distributions and prevalence.
    half_width : float, optional
        Half of the width of the confidence interval of a metric. Exactly one of it and `power` is given.
    power : float, optional
        The power of a test.
    pilot : (y_true, mapping of str to array-like) or Scores, optional
        A pilot study, in the place of a population.
    metric : str or Measure, optional
        What is to be estimated or compared: any measure. By default "pr_auc" with `half_width`, "roc_auc" with `power`.
    ratio : float, default=1.0
        With `power`: negatives for each positive.
    **question
        With `half_width` the arguments of `planning.precision`, such as `assurance`; `auc=` with `prevalence=` (0.5)
        stands for normal scores of equal variance with that ROC area. With `power` those of the function
        of `planning` that asks the question, with its first argument by name: `auc=` for `area`, `rate=` for `rate`,
        `calls=` for `cutoff`.

    Returns
    -------
    SampleSize

    See Also
    --------
    planning.precision, planning.area, planning.rate, planning.cutoff, planning.pilot, planning.populations

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=0)
    >>> round(found.n, -2)
    700
    >>> th.sample_size(auc=0.85, null=0.75, power=0.8, ratio=3).n_pos
    66.0
    >>> th.sample_size(auc=0.85, prevalence=0.1, half_width=0.05, assurance=0, n_replicates=0).n
    601
    >>> th.sample_size(rate=0.95, null=0.9, power=0.8).n
    255
    """
    if (half_width is None) == (power is None):
        given = "neither" if power is None else "both"
        raise InvalidInputError(
            f"exactly one of `half_width` and `power` must be given; got {given}. "
            "Hint: a half width plans an interval, a power a test."
        )
    if power is not None:
        return _question(population, None, {**question, "pilot": pilot, "metric": metric}).size(power, ratio=ratio)
    if pilot is not None and population is not None:
        raise InvalidInputError("`population` and `pilot` must not both be given. Hint: leave one of them out.")
    if ratio != 1.0:
        raise InvalidInputError("`ratio` must go with `power`. Hint: the prevalence says how many cases are positive.")
    source: Any = population if pilot is None else pilot
    wanted = "pr_auc" if metric is None else metric
    if "auc" in question:
        if source is not None:
            raise InvalidInputError("`auc` must not be given beside a population or a pilot. Hint: leave it out.")
        source = _of_area(question.pop("auc"), question.pop("prevalence", 0.5))
        wanted = "roc_auc" if metric is None else metric
    return precision(source, wanted, half_width=half_width, **question)  # type: ignore[arg-type]  # one was given


def _of_area(auc: Any, prevalence: Any) -> Population:
    """Return normal scores of equal variance with an ROC area."""
    supposed = check_number(auc, "auc")
    if not 0.0 < supposed < 1.0:
        raise InvalidInputError(f"`auc` must be in (0, 1); got {show(auc)}. Hint: for example 0.8.")
    from scipy import stats

    shift = math.sqrt(2.0) * float(scipy.special.ndtri(supposed))
    return Population(stats.norm(shift), stats.norm(), prevalence=prevalence)


def power(
    population_a: Population | None = None,
    population_b: Population | None = None,
    *,
    n: int | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    pilot: Any = None,
    metric: str | Measure | None = None,
    **question: Any,
) -> Power:
    """Return the power of a test that two models differ, or that one has another value than the null hypothesis.

    Parameters
    ----------
    population_a, population_b : Population, optional
        The supposed populations. Without `population_b` the null hypothesis is an ROC area of 1/2.
    n : int, optional
        Cases in each sample of populations, cases like those of a pilot, or those of which a rate is a proportion.
    n_pos, n_neg : int, optional
        Positives and negatives, for ROC areas without populations and for likelihood ratios.
    pilot : (y_true, mapping of str to array-like) or Scores, optional
        A pilot study, in the place of populations.
    metric : str or Measure, default="roc_auc"
        What is compared: any measure.
    **question
        The arguments of the function of `planning` that asks the question, with its first argument by name: `auc=` for
        `area`, `rate=` for `rate`, `calls=` for `cutoff`.

    Returns
    -------
    Power

    See Also
    --------
    planning.area, planning.rate, planning.cutoff, planning.pilot, planning.populations

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> weak = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.3)
    >>> strong = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> round(th.power(strong, weak, n=400).power, 3)
    0.654
    >>> round(th.power(auc=0.85, null=0.75, n_pos=83, n_neg=83).power, 2)
    0.8
    >>> test = th.planning.SupposedCalls(tpr=0.8, fpr=0.3, prevalence=0.1)
    >>> round(th.power(calls=test, metric=th.measures.NetBenefit(0.1), n=300).power, 2)
    0.96
    """
    asked = _question(population_a, population_b, {**question, "pilot": pilot, "metric": metric})
    return asked.power(n, n_pos=n_pos, n_neg=n_neg)
