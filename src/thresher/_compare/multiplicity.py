"""Many comparisons: adjusted p values, and one test that all scorers are equal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import scipy

from thresher._core.presented import Presented
from thresher._core.sums import dots
from thresher._core.values import value
from thresher.typing import FloatArray

__all__ = ["OmnibusTest", "adjusted", "holm", "wald_omnibus", "wald_test"]

_RANK = 1e-10


@value
class OmnibusTest(Presented):
    """A test that all scorers have the same value of the metric.

    Attributes
    ----------
    statistic : float
        Wald's chi-square, or for permutations the sum of squared distances of the values from their mean.
    df : int or None
        Degrees of freedom: the rank of the covariance of the differences; None for permutations.
    df_error : float or None
        How many degrees of freedom the covariance itself has: the statistic then is compared with Hotelling's
        distribution, an F distribution; infinite for chi-square, None where there is none.
    pvalue : float
        1 when all scorers rank alike.
    method : str
        How it was computed.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.compare(data.y_true, data.models).omnibus.pvalue < 0.001
    True
    """

    statistic: float
    df: int | None
    pvalue: float
    method: str
    df_error: float | None = None


def holm(pvalues: Sequence[float]) -> list[float]:
    """Return p values adjusted so that the chance of any false rejection stays below the level.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979),
    65-70. https://www.jstor.org/stable/4615733
    """
    return [float(p) for p in adjusted(np.asarray(pvalues, dtype=np.float64), "holm")]


def adjusted(pvalues: FloatArray, how: str) -> FloatArray:
    """Return p values adjusted for their number by "holm" or "bh"; NaN stays NaN and is no test.

    References
    ----------
    Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57
    (1995), 289-300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
    """
    out = np.full(pvalues.size, np.nan)
    known = np.flatnonzero(~np.isnan(pvalues))
    order = known[np.argsort(pvalues[known], kind="stable")]
    rising, count = pvalues[order], order.size
    if how == "holm":
        stepped = np.maximum.accumulate(np.minimum((count - np.arange(count)) * rising, 1.0))
    else:
        raised = np.minimum(rising * count / (np.arange(count) + 1.0), 1.0)
        stepped = np.minimum.accumulate(raised[::-1])[::-1]
    out[order] = stepped
    return out


def wald_omnibus(
    values: FloatArray,
    difference_variance: FloatArray,
    method: str,
    *,
    pvalues: Sequence[float] = (),
    joint_df: Callable[[FloatArray], float] | None = None,
) -> OmnibusTest:
    """Test that k values are equal, given the variance of each pair's difference.

    The contrasts with the last value have covariances (V_ik + V_jk - V_ij) / 2. Scorers that rank alike make that
    matrix singular; then only the directions with variance are tested.

    `joint_df` gives the degrees of freedom of that covariance for contrasts in the columns of a matrix (k, r). Wald's
    statistic then is Hotelling's: chi-square takes an estimated covariance for the true one, which with few cases and
    many scorers rejects far too often. Where there are not more degrees of freedom than contrasts, the least p value of
    the pairs (`pvalues`) times their number is taken.
    """
    if not (np.isfinite(values).all() and np.isfinite(difference_variance).all()):
        known = [one for one in pvalues if not math.isnan(one)]
        least = min(known) if known else math.nan
        return OmnibusTest(math.nan, None, min(1.0, len(pvalues) * least) if known else math.nan, method)
    contrast = values[:-1] - values[-1]
    to_last = difference_variance[:-1, -1]
    covariance = (to_last[:, None] + to_last[None, :] - difference_variance[:-1, :-1]) / 2.0
    freedom = None if joint_df is None else lambda kept: joint_df(np.vstack((kept, -kept.sum(axis=0))))
    return wald_test(contrast, covariance, method, pvalues=pvalues, joint_df=freedom)


def wald_test(
    contrasts: FloatArray,
    covariance: FloatArray,
    method: str,
    *,
    pvalues: Sequence[float] = (),
    joint_df: Callable[[FloatArray], float] | None = None,
) -> OmnibusTest:
    """Test that contrasts with this covariance are all 0; only the directions with variance are tested.

    `joint_df` gives the degrees of freedom of the covariance for combinations in the columns of a matrix.
    """
    sizes, directions = np.linalg.eigh(covariance)
    along = dots(directions.T, contrasts)
    real = sizes > _RANK * max(float(sizes.max()), 0.0)
    if (np.abs(along[~real]) > 1e-9).any():
        return OmnibusTest(math.inf, int(real.sum()), 0.0, method)
    statistic = float((along[real] ** 2 / sizes[real]).sum())
    df = int(real.sum())
    if not df:
        return OmnibusTest(statistic, df, 1.0, method)
    if joint_df is None:
        return OmnibusTest(statistic, df, float(scipy.special.chdtrc(df, statistic)), method, math.inf)
    freedom = joint_df(directions[:, real])
    if math.isinf(freedom):
        return OmnibusTest(statistic, df, float(scipy.special.chdtrc(df, statistic)), method, freedom)
    spare = freedom - df + 1.0
    if spare <= 1.0:
        return OmnibusTest(statistic, df, min(1.0, len(pvalues) * min(pvalues, default=1.0)), method)
    pvalue = float(scipy.special.fdtrc(df, spare, statistic * spare / (freedom * df)))
    return OmnibusTest(statistic, df, pvalue, method, freedom)
