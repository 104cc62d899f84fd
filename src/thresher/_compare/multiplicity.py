"""Many comparisons: adjusted p values, one test that all are equal, intervals that hold together, and ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy

from thresher._compare.combined_estimate import correlations, t_pvalue
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Drawn
from thresher._core.root_search import rising_root
from thresher._core.sums import dots
from thresher._core.values import value
from thresher._inference import ConfidenceInterval
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

_RANK = 1e-10
_SAME = 1e-9  # eigenvalues that differ by less count as equal
_POINTS = 1 << 13
_NODES = 400


@value
class OmnibusTest(Presented):
    """A test that all models have the same value of the metric.

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
        root = _principal_axes(correlation)
        self._rank = root.shape[1]
        points = _normal_points(self._rank)
        points /= np.linalg.norm(points, axis=1)[:, None]
        self._reach = np.concatenate([np.abs(part @ root.T).max(axis=1) for part in np.array_split(points, 32)])

    def __call__(self, at: FloatArray) -> FloatArray:
        return np.array([float(scipy.special.chdtrc(self._rank, (q / self._reach) ** 2).mean()) for q in at.tolist()])


def _principal_axes(correlation: FloatArray) -> FloatArray:
    """Return columns whose products are the correlations, the same ones on every machine.

    Signs of eigenvectors, and vectors of equal eigenvalues, differ between libraries of linear algebra; what an
    eigenvalue spans does not, and is divided into columns by Cholesky's method, the variable with most variance first.
    """
    sizes, vectors = np.linalg.eigh(correlation)
    kept = sizes > _RANK * sizes.max()
    sizes, vectors = sizes[kept], vectors[:, kept]
    columns = []
    for span in np.split(np.arange(sizes.size), np.flatnonzero(np.diff(sizes) > _SAME * sizes[-1]) + 1):
        axes = vectors[:, span] * np.sqrt(sizes[span])
        left = axes @ axes.T
        for _ in span:
            variances = left.diagonal()
            first = int((variances > (1.0 - _SAME) * variances.max()).argmax())
            columns.append(left[first] / math.sqrt(left[first, first]))
            left = left - np.outer(columns[-1], columns[-1])
    return np.stack(columns, axis=1)


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


_MOST = 2000


@value(repr=False)
class SimultaneousIntervals(Drawn, Presented):
    """Contrasts of estimates with simultaneous intervals.

    Attributes
    ----------
    names : tuple of str
        The contrasts, such as ``"new - old"``.
    values, standard_errors : ndarray of shape (m,)
        Of each contrast.
    low, high : ndarray of shape (m,)
        The limits.
    pvalues : ndarray of shape (m,)
        Two-sided p values of each contrast alone.
    pvalues_adjusted : ndarray of shape (m,)
        The probability that the largest of all statistics is as large, if no contrast differs from 0.
    pvalues_holm : ndarray of shape (m,)
        The p values adjusted by Holm's method, which needs no correlations.
    critical_value : float
        By how many standard errors the intervals reach: the quantile of the largest of correlated normal variables.
    confidence_level : float
        Of all intervals together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.estimates(data.y_true, data.models).simultaneous()
    >>> found.names, found.pvalues_adjusted < 0.01
    (('logistic - tree',), array([ True]))
    """

    _display = "ForestDisplay"

    names: tuple[str, ...]
    values: FloatArray
    standard_errors: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    pvalues_adjusted: FloatArray
    pvalues_holm: FloatArray
    critical_value: float
    confidence_level: float

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        columns = (column.tolist() for column in (self.values, self.low, self.high))
        return "Difference", list(zip(self.names, *columns, strict=True)), 0.0

    def __len__(self) -> int:
        return len(self.names)

    @property
    def largest_gap(self) -> ConfidenceInterval:
        """Limits of the largest absolute value of all contrasts: of pairs, the largest value minus the smallest."""
        away = np.maximum(np.maximum(self.low, -self.high), 0.0)
        reach = np.maximum(np.abs(self.low), np.abs(self.high))
        return ConfidenceInterval(float(away.max()), float(reach.max()), self.confidence_level, "max-t")

    def _columns(self) -> dict[str, Any]:
        return {
            "name": list(self.names),
            "value": self.values,
            "standard_error": self.standard_errors,
            "low": self.low,
            "high": self.high,
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalues_adjusted,
            "pvalue_holm": self.pvalues_holm,
        }

    def __repr__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{len(self)} contrasts, simultaneous {self.confidence_level:.0%} intervals"]
        for i, name in enumerate(self.names[:20]):
            numbers = (float(one[i]) for one in (self.low, self.high, self.values))
            found, low, high = beside_interval(*numbers, sign="+")
            lines.append(f"  {name:<{width}}  {found} [{low}, {high}], adjusted p = {self.pvalues_adjusted[i]:.2g}")
        return "\n".join(lines + ([f"  ... and {len(self) - 20} more"] if len(self) > 20 else []))


@value(repr=False)
class EstimateRanks(Presented):
    """The ranks that each estimate may have, all at once at the confidence level.

    Attributes
    ----------
    names : tuple of str
        The estimates, the best first.
    values : ndarray of shape (k,)
        Their values.
    best_rank, worst_rank : ndarray of int, shape (k,)
        The least and the greatest rank that the simultaneous intervals of all pairs leave open; 1 is the best.
    confidence_level : float
        Of all statements together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.estimates(data.y_true, data.models).ranking()
    Ranks with 95% confidence
      1  logistic  0.9751  rank 1
      2  tree      0.8794  rank 2
    """

    names: tuple[str, ...]
    values: FloatArray
    best_rank: Any
    worst_rank: Any
    confidence_level: float

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """The estimates that no other one significantly exceeds."""
        return tuple(name for name, rank in zip(self.names, self.best_rank.tolist(), strict=True) if rank == 1)

    def _facts(self) -> Row:
        return {"confidence_level": self.confidence_level, "may_be_best": list(self.may_be_best)}

    def _columns(self) -> dict[str, Any]:
        return {
            "name": list(self.names),
            "value": self.values,
            "best_rank": self.best_rank,
            "worst_rank": self.worst_rank,
        }

    def __repr__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"Ranks with {self.confidence_level:.0%} confidence"]
        for i, (name, first, last) in enumerate(
            zip(self.names, self.best_rank.tolist(), self.worst_rank.tolist(), strict=True)
        ):
            rank = f"rank {first}" if first == last else f"ranks {first} to {last}"
            lines.append(f"  {i + 1}  {name:<{width}}  {self.values[i]:.4g}  {rank}")
        return "\n".join(lines)


def simultaneous_intervals(
    names: tuple[str, ...], values: FloatArray, covariance: FloatArray, df: FloatArray, confidence_level: float
) -> SimultaneousIntervals:
    """Return the intervals of contrasts with this covariance; single p values have Student's t with these df."""
    if len(names) > _MOST:
        raise InvalidInputError(
            f"Simultaneous intervals are for at most {_MOST:,} contrasts; got {len(names):,}. "
            "Hint: compare each with one reference, contrasts='reference'."
        )
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    real = errors > 0.0
    quantile, together = math.nan, np.where(values == 0.0, 1.0, 0.0)
    if real.any():
        correlation = correlations(covariance)[np.ix_(real, real)]
        quantile = max_t_quantile(correlation, confidence_level)
        together[real] = max_t_exceeds(correlation, values[real] / errors[real])
    single = np.array(
        [t_pvalue(float(v), float(e), float(f)) for v, e, f in zip(values, errors, df, strict=True)], dtype=np.float64
    )
    reach = np.where(real, errors * quantile, 0.0)
    # The single test has Student's t, which few cases make the more careful of the two.
    together = np.maximum(together, single)
    low, high = values - reach, values + reach
    return SimultaneousIntervals(
        names, values, errors, low, high, single, together, adjusted(single, "holm"), quantile, confidence_level
    )


def ranks_of(names: tuple[str, ...], values: FloatArray, pairs: SimultaneousIntervals, sign: float) -> EstimateRanks:
    """Return the ranks that the intervals of all pairs, in the order of `combinations`, leave open."""
    k = len(names)
    first, second = np.triu_indices(k, 1)
    low, high = (pairs.low, pairs.high) if sign > 0 else (-pairs.high, -pairs.low)
    worse = np.bincount(second[low > 0.0], minlength=k) + np.bincount(first[high < 0.0], minlength=k)
    better = np.bincount(first[low > 0.0], minlength=k) + np.bincount(second[high < 0.0], minlength=k)
    order = np.argsort(-sign * values, kind="stable")
    return EstimateRanks(
        tuple(names[i] for i in order.tolist()),
        values[order],
        (1 + worse)[order].astype(np.int64),
        (k - better)[order].astype(np.int64),
        pairs.confidence_level,
    )
