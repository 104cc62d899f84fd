"""Many comparisons: adjusted p values, one test that all are equal, and the largest of correlated statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import scipy

from thresher._core.presented import Presented
from thresher._core.root_search import rising_root
from thresher._core.sums import dots
from thresher._core.values import value
from thresher.typing import FloatArray

__all__ = ["OmnibusTest", "adjusted", "holm", "max_t_exceeds", "max_t_quantile", "wald_omnibus", "wald_test"]

_RANK = 1e-10
_POINTS = 1 << 13
_NODES = 400


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


def max_t_quantile(correlation: FloatArray, confidence_level: float) -> float:
    """Return q with P(max |Z| <= q) equal to the level for normal Z with these correlations.

    With one common factor (independent estimates, equal correlations, differences from one reference with disjoint
    rows) the probability is an integral in one variable. Otherwise a normal vector is its length times its direction:
    the length has a chi distribution, and the mean over directions is taken at fixed quasi-random points.
    """
    exceeds = _exceeds(correlation)
    alpha = 1.0 - confidence_level
    one = -float(scipy.special.ndtri(alpha / 2.0))
    most = -float(scipy.special.ndtri(alpha / (2.0 * max(len(correlation), 1)))) + 1e-9
    return rising_root(lambda q: alpha - float(exceeds(np.array([q]))[0]), one - 1e-9, most, near=one, step=0.1)


def max_t_exceeds(correlation: FloatArray, at: FloatArray) -> FloatArray:
    """Return P(max |Z| >= q) for each q: p values that are adjusted for all of the tests at once."""
    single = 2.0 * scipy.special.ndtr(-np.abs(at))
    found = _exceeds(correlation)(np.abs(at))
    return np.asarray(np.clip(found, single, np.minimum(len(correlation) * single, 1.0)))


class _OneFactor:
    """Z_i = l_i F + sqrt(1 - l_i^2) E_i with independent F and E_i: an integral over F."""

    def __init__(self, loadings: FloatArray) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        self._factor = 9.0 * nodes
        self._density = 9.0 * weights * np.exp(-0.5 * self._factor**2) / math.sqrt(2.0 * math.pi)
        self._loadings, self._rest = loadings, np.sqrt(1.0 - loadings**2)

    def __call__(self, at: FloatArray) -> FloatArray:
        shift = self._loadings[:, None] * self._factor
        rest = self._rest[:, None]
        out = np.empty(at.size)
        for i, q in enumerate(at.tolist()):
            outside = scipy.special.ndtr((shift - q) / rest) + scipy.special.ndtr((-q - shift) / rest)
            # Of a product of probabilities near 1 the difference from 1, without loss of digits.
            out[i] = -float((self._density * np.expm1(np.log1p(-np.minimum(outside, 1.0 - 1e-16)).sum(axis=0))).sum())
        return out


class _Directions:
    """Any correlations: the mean over directions of the probability that the length goes beyond."""

    def __init__(self, correlation: FloatArray) -> None:
        sizes, vectors = np.linalg.eigh(correlation)
        kept = sizes > _RANK * sizes.max()
        self._rank = int(kept.sum())
        root = vectors[:, kept] * np.sqrt(sizes[kept])
        points = _normal_points(self._rank)
        points /= np.linalg.norm(points, axis=1)[:, None]
        self._reach = np.concatenate([np.abs(part @ root.T).max(axis=1) for part in np.array_split(points, 32)])

    def __call__(self, at: FloatArray) -> FloatArray:
        return np.array([float(scipy.special.chdtrc(self._rank, (q / self._reach) ** 2).mean()) for q in at.tolist()])


def _exceeds(correlation: FloatArray) -> _OneFactor | _Directions:
    loadings = _one_factor(correlation)
    return _Directions(correlation) if loadings is None else _OneFactor(loadings)


def _one_factor(correlation: FloatArray) -> FloatArray | None:
    """Return loadings whose products are the correlations, up to signs of variables; None if there are none."""
    k = len(correlation)
    sizes = np.abs(correlation)
    if k == 1:
        return np.zeros(1)
    if k == 2:
        return None if sizes[0, 1] > 1.0 - 1e-12 else np.full(2, math.sqrt(sizes[0, 1]))
    if not (sizes - np.diag(np.diag(sizes))).any():
        return np.zeros(k)
    row = int(np.argmax(np.where(np.eye(k, dtype=bool), np.inf, sizes).min(axis=1)))
    others = [i for i in range(k) if i != row]
    i, j = others[:2]
    if not (correlation[row, others] != 0.0).all() or correlation[i, j] == 0.0:
        return None
    square = correlation[row, i] * correlation[row, j] / correlation[i, j]
    if not 0.0 < square < 1.0 - 1e-9:
        return None
    loadings = correlation[row] / math.sqrt(square)
    loadings[row] = math.sqrt(square)
    if (np.abs(loadings) >= 1.0 - 1e-9).any():
        return None
    model = np.outer(loadings, loadings)
    np.fill_diagonal(model, 1.0)
    return loadings if np.allclose(model, correlation, atol=1e-9) else None


def _normal_points(columns: int) -> FloatArray:
    """Return fixed quasi-random normal points: a lattice with the roots of primes, each point with its opposite."""
    steps = np.sqrt(np.array(_primes(columns), dtype=np.float64)) % 1.0
    uniform = (np.arange(1, _POINTS + 1)[:, None] * steps + 0.5) % 1.0
    uniform = np.abs(2.0 * uniform - 1.0)  # the tent, which makes the lattice rule one of higher order
    return np.asarray(scipy.special.ndtri(np.clip(uniform, 1e-12, 1.0 - 1e-12)))


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % one for one in found if one * one <= number):
            found.append(number)
        number += 1
    return found
