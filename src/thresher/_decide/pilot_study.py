"""Planning from pilot data, for any measure: how wide its interval and how strong its test are at other sizes."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from thresher._compare import compare
from thresher._decide.closed_form_power import rejection
from thresher._decide.question import Cases, Question, check_test, two_models
from thresher._decide.studies import chance_of_both, prevalence_of, studies
from thresher._decide.study_results import SampleSize
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure
from thresher.population import Population

__all__ = ["PilotQuestion", "assured_size", "pilot_precision"]

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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PilotQuestion(Question):
    """Any metric of one model against a value, or of two on the same rows, if the pilot's is the true one."""

    lead: float
    """The difference, plus the margin; positive leads are better."""
    spread: float
    """The standard error times the root of the rows."""
    prevalence: float
    method: str = "pilot"

    def _cases(self, size: int, ratio: float = 1.0) -> Cases:
        """Return the expected numbers of both classes."""
        del ratio
        return Cases(size, size * self.prevalence, size * (1.0 - self.prevalence))

    def _standard_error(self, cases: Cases) -> float:
        """Return that of the pilot at another size."""
        return self.spread / math.sqrt(cases.n)

    def _reached(self, cases: Cases) -> float:
        """Return the power."""
        error = self._standard_error(cases)
        return rejection(self.lead, error, error, self.level, self.alternative)

    def _check_possible(self, power: float) -> None:
        """Refuse a lead in the wrong direction."""
        wrong = {"greater": self.lead <= 0.0, "less": self.lead >= 0.0, "two-sided": self.lead == 0.0}
        if wrong[self.alternative] or self.spread == 0.0:
            raise InvalidInputError(
                f"no number of cases has the power {power:g}: the pilot shows a difference of {self.lead:g} in the "
                "direction that counts. Hint: check the alternative and the margin."
            )

    @classmethod
    def of_one(cls, pilot: Counts, measure: Measure, null: float, level: float, alternative: str) -> PilotQuestion:
        """Return the test of a metric of one model against a value."""
        tested = check_test(level, alternative)
        pilot = _plain(pilot)
        estimate = measure.estimate(pilot)
        error = float(estimate.standard_error(rng=0))
        if not (math.isfinite(estimate.value) and math.isfinite(error)):
            raise UndefinedMetricError(
                f"{measure.title!r} has no finite value with a standard error in the pilot. Hint: use a larger pilot."
            )
        lead, rows = estimate.value - null, float(pilot.n_pos + pilot.n_neg)
        return cls(
            difference=lead,
            lead=lead * measure.sign,
            spread=error * math.sqrt(rows),
            prevalence=pilot.prevalence,
            metric=measure.described(),
            **tested,
        )

    @classmethod
    def of_two(
        cls, pilot: Any, measure: Measure, margin: object, level: float, alternative: str, rng: Any
    ) -> PilotQuestion:
        """Return the paired comparison of two models.

        The difference of the pilot is taken for the true one, its standard error for that of as many cases.
        """
        tested = check_test(level, alternative, margin)
        gap = tested.pop("margin", None)
        labels, models = two_models(pilot)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)
            method = "normal" if "normal" in measure.tests else "bootstrap"
            try:
                found = compare(labels, models, metric=measure, method=method, rng=rng)
            except ThresherError:
                found = compare(labels, models, metric=measure, method="bootstrap", rng=rng)
        if gap is not None:
            tested["alternative"] = "greater"
        return cls(
            difference=found.difference,
            lead=found.difference * measure.sign + (gap or 0.0),
            spread=float(found.standard_error) * math.sqrt(np.size(labels)),
            prevalence=found.pair._counts[0].prevalence,
            metric=measure.described(),
            **tested,
        )
