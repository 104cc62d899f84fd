"""Tests of "the scores are the probabilities": by name, each with its statistic and p-value."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.calibration.bands import grouped
from thresher.exceptions import UndefinedMetricError
from thresher.typing import FloatArray

__all__ = ["CalibrationTest", "cumulative_test", "hosmer_lemeshow", "spiegelhalter"]

# A Brownian path has a smaller range with probability exp(-pi^2 / (2 r^2)) or so, below 1e-20.
_SURE_RANGE = 0.3


@value
class CalibrationTest(Presented):
    """A test of calibration.

    Attributes
    ----------
    statistic : float
        What was computed; see the method.
    pvalue : float
        How often a calibrated model with these scores shows as much or more.
    method : str
        The name of the test.
    evalue : float or None
        For "e-value": the evidence against calibration; values of separate batches may be multiplied.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> calibration = th.Scores(data.y_true, data.logistic).calibration()
    >>> calibration.test(rng=0).pvalue, calibration.test("spiegelhalter").pvalue < 1e-6
    (0.001, True)
    """

    statistic: float
    pvalue: float
    method: str
    evalue: float | None = None


def spiegelhalter(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> CalibrationTest:
    """Test the mean Brier score against what the scores predict; blind where scores are 0, 1/2 or 1."""
    rows = pos + neg
    spread = math.fsum((rows * (1.0 - 2.0 * x) ** 2 * x * (1.0 - x)).tolist())
    if spread == 0.0:
        raise UndefinedMetricError(
            "Spiegelhalter's test needs a score other than 0, 1/2 and 1; got none. Hint: method='mcb' takes any scores."
        )
    # p (1 - x) - n x is p - m x without its cancellation of large counts.
    z = math.fsum(((pos * (1.0 - x) - neg * x) * (1.0 - 2.0 * x)).tolist()) / math.sqrt(spread)
    return CalibrationTest(z, float(2.0 * scipy.special.ndtr(-abs(z))), "spiegelhalter")


def hosmer_lemeshow(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64], groups: int) -> CalibrationTest:
    """Compare observed and expected counts in groups of equally many rows; degrees of freedom are the groups."""
    ends = grouped(pos[::-1], neg[::-1], groups)
    edges = np.append(0, ends[:-1] + 1)
    rows = np.add.reduceat((pos + neg)[::-1], edges).astype(np.float64)
    seen = np.add.reduceat(pos[::-1], edges).astype(np.float64)
    hoped = np.add.reduceat(((pos + neg) * x)[::-1], edges)
    share = hoped / rows
    spread = rows * share * (1.0 - share)
    if (spread <= 0.0).any():
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs expected counts above 0 in each group; a group has only scores 0 or 1. "
            "Hint: method='mcb' takes any scores."
        )
    statistic = float(((seen - hoped) ** 2 / spread).sum())
    return CalibrationTest(statistic, float(scipy.special.chdtrc(float(rows.size), statistic)), "hosmer-lemeshow")


def cumulative_test(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> CalibrationTest:
    """Test the range of cumulative differences over rising scores against that of a Brownian path (Feller 1951)."""
    differences, spread = cumulative_differences(x, pos, neg)
    if spread == 0.0:
        raise UndefinedMetricError("The cumulative test needs a score other than 0 and 1; got none.")
    path = np.append(0.0, np.cumsum(differences))
    statistic = float(path.max() - path.min()) / spread
    return CalibrationTest(statistic, range_tail(statistic), "cumulative")


def cumulative_differences(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> tuple[FloatArray, float]:
    """Return positives minus expected ones, divided by the rows, lowest score first, and the path's final spread."""
    total = float(pos.sum() + neg.sum())
    gaps = (pos * (1.0 - x) - neg * x)[::-1] / total
    return gaps, math.sqrt(math.fsum(((pos + neg) * x * (1.0 - x)).tolist())) / total


def range_tail(r: float) -> float:
    """P(range of a Brownian path on [0, 1] > r) = 8 sum (-1)^(k-1) k sf(k r)."""
    if r <= _SURE_RANGE:
        return 1.0
    k = np.arange(1.0, 40.0 / r + 2.0)
    total = math.fsum((np.where(k % 2.0 == 1.0, k, -k) * scipy.special.ndtr(-k * r)).tolist())
    return min(max(8.0 * total, 0.0), 1.0)
