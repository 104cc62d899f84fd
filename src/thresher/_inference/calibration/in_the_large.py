"""Calibration in the large: positives seen against positives expected."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import scipy
from numpy.typing import NDArray

from thresher._core.presented import Presented
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._inference.calibration.proper_scores import integers_of
from thresher._inference.interval import normal_quantile
from thresher._inference.sampling import Spread, quantile
from thresher._table import Counts
from thresher.typing import FloatArray

__all__ = ["InTheLarge", "in_the_large"]


@value(repr=False)
class InTheLarge(Presented):
    """Positives seen against positives expected.

    Attributes
    ----------
    observed, expected : float
        The number of positives, and the sum of the scores.
    ratio, difference : float
        Observed over expected, and the difference as a proportion of all rows.
    low, high : float
        Interval of the difference.
    pvalue : float
        Of the sum being what calibrated scores predict.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Scores(data.y_true, data.logistic).calibration().in_the_large()
    >>> found.observed, round(found.ratio, 3)
    (174, 1.007)
    >>> found
    calibration in the large: 174 observed, 172.743 expected, ratio 1.007
      difference +0.0007 [-0.0087, +0.0101], p = 0.908
    """

    observed: float
    expected: float
    ratio: float
    difference: float
    low: float
    high: float
    pvalue: float

    def __repr__(self) -> str:
        return (
            f"calibration in the large: {self.observed:,.6g} observed, {self.expected:,.6g} expected, ratio "
            f"{self.ratio:.3f}\n  difference {self.difference:+.4f} [{self.low:+.4f}, {self.high:+.4f}], "
            f"p = {self.pvalue:.3g}"
        )


def in_the_large(counts: Counts, x: FloatArray, level: float, seen: Spread | None) -> InTheLarge:
    """Compare the positives with the sum of the scores `x`; `seen`, of rows with weights, is the spread to be taken."""
    observed, total = counts.n_pos, counts.n_pos + counts.n_neg
    expected = _exact_dot(counts.pos + counts.neg, x)
    difference = float((Fraction(observed) - expected) / Fraction(total))
    # The rows' differences are 1 - x for positives and -x for negatives.
    spread = (dot(counts.pos, (1.0 - x - difference) ** 2) + dot(counts.neg, (x + difference) ** 2)) / float(total) ** 2
    reach = normal_quantile(level) * math.sqrt(spread)
    null = dot(counts.pos + counts.neg, x * (1.0 - x))
    gap = float(Fraction(observed) - expected)
    if seen is not None:
        reach = quantile(level, seen.df) * math.sqrt(seen.variance)
        null = seen.variance * float(total) ** 2
    chance = 1.0 if gap == 0.0 else 0.0
    if null > 0.0:
        chance = float(2.0 * scipy.special.ndtr(-abs(gap) / math.sqrt(null)))
    ratio = float(Fraction(observed) / expected) if expected else math.inf
    return InTheLarge(observed, float(expected), ratio, difference, difference - reach, difference + reach, chance)


def _exact_dot(rows: NDArray[Any], x: FloatArray) -> Fraction:
    if rows.size > 10_000:
        return Fraction(dot(rows, x))
    many, scale = integers_of(rows)
    at, unit = integers_of(x)
    return Fraction(sum(map(operator.mul, many, at)), scale * unit)
