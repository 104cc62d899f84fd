"""Planning from pilot data, for any measure: how wide its interval and how strong its test are at other sizes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._compare import compare
from thresher._decide.closed_form_power import rejection
from thresher._decide.drawn_studies import chance_of_both, prevalence_of, studies
from thresher._decide.study_results import Power, SampleSize
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure
from thresher.population import Population

__all__ = [
    "OneModel",
    "assured_size",
    "one_model",
    "one_model_power",
    "one_model_size",
    "pilot_power",
    "pilot_precision",
    "pilot_size",
]

_STUDIES, _SEED = 60, 20261116
_LEAST = 4
_CLOSE = 0.1  # of a size, from which the next one is known to about a hundredth
_MOST_ROWS = 100_000_000


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


def pilot_precision(
    pilot: Counts, measure: Measure, *, level: float, width: float, design: str, assurance: float
) -> SampleSize:
    """Return the size at which the default interval is short enough, if new cases are like those of the pilot."""
    pilot = _plain(pilot)
    estimate = measure.estimate(pilot)
    rows = float(pilot.n_pos + pilot.n_neg)
    error = float(estimate.standard_error(rng=0, design=design))
    z = float(scipy.special.ndtri(0.5 + level / 2.0))
    share = pilot.prevalence
    n = max(math.ceil(rows * (z * error / width) ** 2), math.ceil(1.0 / min(share, 1.0 - share)))
    if assurance:
        n = assured_size(pilot, measure, n, design, level, width, assurance)
    return SampleSize(
        n, n * share, n * (1.0 - share), measure.described(), estimate.value, error * math.sqrt(rows / n), width, level,
        None, assurance=assurance or None,
    )  # fmt: skip


def _plain(pilot: Counts) -> Counts:
    pilot = pilot._even
    if pilot._weighted or not pilot._independent:
        raise InvalidInputError(
            "`pilot` must have independent rows of equal weight; got weights or clusters. "
            "Hint: keep one row of each cluster, and plan in numbers of clusters."
        )
    return pilot


class OneModel(NamedTuple):
    """A planned test of one model's metric against a value: what a pilot says of it."""

    measure: Measure
    lead: float
    spread: float
    """The standard error times the root of the rows."""
    prevalence: float
    level: float
    alternative: str


def one_model(pilot: Counts, measure: Measure, null: float, level: float, alternative: str) -> OneModel:
    """Return the test of a metric against a value, if the pilot's is the true one; positive leads are better."""
    pilot = _plain(pilot)
    estimate = measure.estimate(pilot)
    error = float(estimate.standard_error(rng=0))
    if not (math.isfinite(estimate.value) and math.isfinite(error)):
        raise UndefinedMetricError(
            f"{measure.title!r} has no finite value with a standard error in the pilot. Hint: use a larger pilot."
        )
    lead = (estimate.value - null) * measure.sign
    return OneModel(
        measure, lead, error * math.sqrt(float(pilot.n_pos + pilot.n_neg)), pilot.prevalence, level, alternative
    )


def one_model_power(test: OneModel, n: int) -> Power:
    """Return the power on n cases like those of the pilot."""
    error = test.spread / math.sqrt(n)
    reached = rejection(test.lead, error, error, test.level, test.alternative)
    return Power(reached, test.lead * test.measure.sign, error, n, test.level, "pilot", None)


def one_model_size(test: OneModel, wanted: float) -> SampleSize:
    """Return how many cases the test needs for a power."""
    _check_lead(test.lead, test.spread, test.alternative, wanted)
    return _least_size(test.measure, test.lead, 0.0, test.spread, test.prevalence, test.level, test.alternative, wanted)


def _check_lead(lead: float, error: float, side: str, wanted: float) -> None:
    if (side == "greater" and lead <= 0.0) or (side == "less" and lead >= 0.0) or error == 0.0 or lead == 0.0:
        raise InvalidInputError(
            f"no number of cases has the power {wanted:g}: the pilot shows a difference of {lead:g} in the "
            "direction that counts. Hint: check the alternative and the margin."
        )


def _least_size(
    measure: Measure, lead: float, margin: float, spread: float, share: float, level: float, side: str, wanted: float
) -> SampleSize:
    """Return the least number of cases whose test reaches a power; `spread` is the error times the root of the rows."""

    def reached(n: int) -> float:
        own = spread / math.sqrt(n)
        return rejection(lead, own, own, level, side)

    high = 2
    while reached(high) < wanted:
        high *= 2
        if high > _MOST_ROWS:
            raise InvalidInputError(f"more than {_MOST_ROWS:,} cases are needed for the power {wanted:g}.")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= wanted else (middle, high)
    return SampleSize(
        high, high * share, high * (1.0 - share), measure.described(), (lead - margin) * measure.sign,
        spread / math.sqrt(high), None, 1.0 - level, None, reached(high),
    )  # fmt: skip


def _pilot_difference(pilot: Any, measure: Measure, rng: Any) -> tuple[float, float, int, float]:
    """Return the difference of two models in a pilot, its standard error, the rows and the prevalence."""
    if not (isinstance(pilot, tuple) and len(pilot) == 2 and isinstance(pilot[1], Mapping) and len(pilot[1]) == 2):
        raise InvalidInputError(
            f"`pilot` must be labels with the scores of two models for metric {measure.title!r}. "
            "Hint: for example `pilot=(y, {'new': new, 'old': old})`."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        method = "normal" if "normal" in measure.tests else "bootstrap"
        try:
            found = compare(pilot[0], pilot[1], metric=measure, method=method, rng=rng)
        except ThresherError:
            found = compare(pilot[0], pilot[1], metric=measure, method="bootstrap", rng=rng)
    labels = np.asarray(pilot[0])
    table = found.pair._counts[0]
    return found.difference * measure.sign, float(found.standard_error), int(labels.size), table.prevalence


def pilot_power(
    pilot: Any, measure: Measure, n: int, *, level: float, alternative: str, margin: float | None, rng: Any
) -> Power:
    """Return the power of the paired comparison of two models on n cases like those of the pilot.

    The difference of the pilot is taken for the true one, its standard error for that of as many cases.
    """
    difference, error, rows, _ = _pilot_difference(pilot, measure, rng)
    own = error * math.sqrt(rows / n)
    lead = difference if margin is None else difference + margin
    reached = rejection(lead, own, own, level, "greater" if margin is not None else alternative)
    return Power(reached, difference * measure.sign, own, n, level, "pilot", None)


def pilot_size(
    pilot: Any, measure: Measure, wanted: float, *, level: float, alternative: str, margin: float | None, rng: Any
) -> SampleSize:
    """Return how many cases the paired comparison needs for a power."""
    difference, error, rows, share = _pilot_difference(pilot, measure, rng)
    lead = difference if margin is None else difference + margin
    side = "greater" if margin is not None else alternative
    _check_lead(lead, error, side, wanted)
    return _least_size(measure, lead, margin or 0.0, error * math.sqrt(rows), share, level, side, wanted)
