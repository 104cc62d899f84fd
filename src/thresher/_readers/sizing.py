"""The power of a reader study, and how many cases it needs, from the components of another one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.result_bases import Numeric
from thresher._core.values import value
from thresher._readers.models import VarianceModel
from thresher._readers.results import Keyed, ReaderComponents
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray, IntArray

_MOST_CASES = 10_000_000


@value
class ReaderPower(Numeric, Keyed):
    """The probability that a reader study finds a difference.

    Attributes
    ----------
    power : float
        Probability that the test of two modalities rejects; `float(power)` gives it too.
    difference : float
        The true difference of the two modalities.
    readers : int
        Number of readers; of each modality if readers are nested in modalities.
    cases : int
        Number of cases, with the pilot's proportion of positives.
    case_ratio : float
        `cases` divided by the pilot's number.
    noncentrality, df2 : float
        Of the distribution of the test; the first is "lambda" by key.
    significance_level : float
        Level of the two-sided test.

    Examples
    --------
    >>> from thresher.results import ReaderPower
    >>> float(ReaderPower(0.8, 0.05, 6, 120, 1.2, 8.0, 14.2, 0.05))
    0.8
    """

    power: float
    difference: float
    readers: int
    cases: int
    case_ratio: float
    noncentrality: float
    df2: float
    significance_level: float

    @property
    def value(self) -> float:  # type: ignore[override]  # the power
        """The power."""
        return self.power

    def _known(self) -> dict[str, float]:
        return self._facts() | {"lambda": self.noncentrality}


@value
class ReaderSizes(Keyed):
    """How many cases a reader study needs with each number of readers.

    Attributes
    ----------
    readers : ndarray of int
        Numbers of readers; of each modality if readers are nested in modalities.
    cases : ndarray of int
        The fewest cases with the power asked for; 0 if no number of cases has it.
    power : ndarray of float
        The power with these cases; for 0 cases what it approaches with ever more.
    difference, target, significance_level : float
        What was asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.results import ReaderSizes
    >>> ReaderSizes(np.array([5, 6]), np.array([210, 160]), np.array([0.8, 0.8]), 0.05, 0.8, 0.05).cases.tolist()
    [210, 160]
    """

    readers: IntArray
    cases: IntArray
    power: FloatArray
    difference: float
    target: float
    significance_level: float


class Pilot(NamedTuple):
    """What sizing takes from a study."""

    parts: ReaderComponents
    model: VarianceModel
    cases: int
    modalities: int


def power_of(pilot: Pilot, difference: float, readers: int, cases: float, alpha: float) -> ReaderPower:
    """Return the power with so many readers and cases; infinitely many cases give its limit."""
    parts, model = pilot.parts, pilot.model
    ratio = cases / pilot.cases
    error, c1, c2, c3 = (
        (one or 0.0) / ratio if math.isfinite(ratio) else 0.0
        for one in (parts.var_error, parts.cov1, parts.cov2, parts.cov3)
    )
    gap = c2 - c3
    df = float(readers - 1)
    if parts.ms_reader_in_modality is not None:
        # Readers nested in modalities: their variance within one, and of two modalities with as many readers each.
        between = max(parts.ms_reader_in_modality - parts.var_error + (parts.cov2 or 0.0), 0.0)
        square, df = between + error - c2, 2.0 * df
    else:
        square = max(parts.var_modality_reader or 0.0, 0.0) + error - c1 - gap
    if not model.random_readers:
        whole, df2 = error - c1 + (readers - 1.0) * gap, math.inf
    elif model.random_cases:
        whole = square + readers * max(gap, 0.0)
        df2 = whole**2 / (square**2 / df) if square > 0.0 else math.inf
    else:
        whole, df2 = square, df
    if not whole > 0.0:
        if math.isfinite(ratio):
            raise UndefinedMetricError(
                f"Sizing needs a pilot whose variance of a difference is above 0; got {whole:g}. "
                "Hint: a pilot with more readers and cases has better components."
            )
        return ReaderPower(1.0, difference, readers, 0, ratio, math.inf, df2, alpha)
    shift = readers * difference**2 / (2.0 * whole)
    if math.isinf(df2):
        found = 1.0 - float(scipy.special.chndtr(scipy.special.chdtri(1.0, alpha), 1.0, shift))
    else:
        found = 1.0 - float(scipy.special.ncfdtr(1.0, df2, shift, scipy.special.fdtri(1.0, df2, 1.0 - alpha)))
    size = round(cases) if math.isfinite(cases) else 0
    return ReaderPower(min(max(found, 0.0), 1.0), difference, readers, size, ratio, shift, df2, alpha)


def fewest_cases(pilot: Pilot, difference: float, readers: list[int], target: float, alpha: float) -> ReaderSizes:
    """Return how many cases each number of readers needs."""
    cases, power = [], []
    for number in readers:
        most = power_of(pilot, difference, number, math.inf, alpha).power

        def enough(size: int, number: int = number) -> bool:
            return power_of(pilot, difference, number, size, alpha).power >= target

        if most < target or not enough(_MOST_CASES):
            cases.append(0)
            power.append(most)
            continue
        low, high = 3, _MOST_CASES
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        cases.append(high)
        power.append(power_of(pilot, difference, number, high, alpha).power)
    return ReaderSizes(np.array(readers), np.array(cases), np.array(power), difference, target, alpha)


def check_readers(number: int, model: VarianceModel) -> None:
    """Refuse fewer readers than the test needs."""
    if number < (2 if model.random_readers else 1):
        raise InvalidInputError(
            f"`readers` must be at least {2 if model.random_readers else 1}; got {number}. "
            "Hint: 5 or more are usual for conclusions about readers in general."
        )
