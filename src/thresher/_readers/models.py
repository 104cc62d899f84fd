"""Obuchowski and Rockette's analysis with Hillis' degrees of freedom, and the same as a contrast of each reader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.values import ReadOnlyDict
from thresher._inference.delong import paired_test
from thresher._readers.covariance import ReadingValues
from thresher._readers.readings import Readings
from thresher._readers.results import ReaderComponents, ReaderDifference, ReaderMean, ReaderOmnibus
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray


class VarianceModel(NamedTuple):
    """What a conclusion is about: readers and cases like these, or these very ones."""

    random_readers: bool
    random_cases: bool


class Variance(NamedTuple):
    """A variance with its degrees of freedom."""

    variance: float
    df: float = math.inf


def _mean(parts: FloatArray) -> float:
    """Return the mean; NaN for nothing."""
    return float(parts.mean()) if parts.size else math.nan


def _off(square: FloatArray) -> float:
    """Return the mean of what is off the diagonal; 0 if there is nothing."""
    k = square.shape[0]
    return (float(square.sum()) - float(np.trace(square))) / (k * (k - 1)) if k > 1 else 0.0


def _hillis(whole: float, reader_part: float, df: float) -> Variance:
    """Return a variance with Hillis' degrees of freedom, of which only a part is estimated from readers."""
    return Variance(whole, whole**2 / (reader_part**2 / df) if reader_part > 0.0 else math.inf)


def _none(number: float) -> float | None:
    return None if math.isnan(number) else number


def _covariances(readings: Readings, found: ReadingValues, cells: NDArray[np.intp]) -> dict[str, float]:
    """Return the mean variance over cases of some cells, and the mean covariances of each kind of pair."""
    c, modality, reader = found.covariance[np.ix_(cells, cells)], readings.modality[cells], readings.reader[cells]
    same, own = modality[:, None] == modality, reader[:, None] == reader
    return {
        "var_error": float(np.diag(c).mean()),
        "cov1": _mean(c[~same & own]),
        "cov2": _mean(c[same & ~own]),
        "cov3": _mean(c[~same & ~own]),
    }


def components_of(readings: Readings, found: ReadingValues) -> ReaderComponents:
    """Return mean squares and components; of a design with holes from the readers of all modalities."""
    modality, t = readings.modality, len(readings.modalities)
    means = ReadOnlyDict(
        {name: float(found.values[modality == i].mean()) for i, name in enumerate(readings.modalities)}
    )
    parts = _covariances(readings, found, np.arange(modality.size))
    if readings.design == "nested":
        rows = np.bincount(modality)
        total = int(rows.sum())
        own = np.array(list(means.values()))
        grand = float(found.values.mean())
        spread = found.values - own[modality]
        square = float((rows * (own - grand) ** 2).sum()) / (t - 1)
        within = float((spread**2).sum()) / (total - t) if total > t else math.nan
        r0 = (total**2 - float((rows**2).sum())) / (total * (t - 1))
        nested = {name: one for name, one in parts.items() if name != "cov1"}
        return ReaderComponents(
            means,
            **{name: _none(one) for name, one in nested.items()},  # type: ignore[arg-type]  # var_error is a number
            ms_modality=square,
            ms_reader_in_modality=_none(within),
            r0=r0,
            df_modality=t - 1,
            df_interaction=total - t,
        )
    complete = shared_by(readings, range(t))
    cells = np.array([[_cell(readings, i, j) for j in complete] for i in range(t)], dtype=np.intp).reshape(t, -1)
    r = cells.shape[1]
    if readings.design == "incomplete" and r:
        parts = _covariances(readings, found, cells.reshape(-1))
    if not r:
        return ReaderComponents(means, **{name: _none(one) for name, one in parts.items()})  # type: ignore[arg-type]
    theta = found.values[cells]
    by_modality, by_reader, grand = theta.mean(axis=1), theta.mean(axis=0), float(theta.mean())
    rest = theta - by_modality[:, None] - by_reader + grand
    ms_t = r * float(((by_modality - grand) ** 2).sum()) / (t - 1) if t > 1 else math.nan
    ms_r = t * float(((by_reader - grand) ** 2).sum()) / (r - 1) if r > 1 else math.nan
    ms_tr = float((rest**2).sum()) / ((t - 1) * (r - 1)) if t > 1 and r > 1 else math.nan
    error, cov1, cov2, cov3 = parts.values()
    squares = {
        "ms_modality": ms_t,
        "ms_reader": ms_r,
        "ms_modality_reader": ms_tr,
        "var_reader": (ms_r - ms_tr) / t - cov1 + cov3,
        "var_modality_reader": ms_tr - error + cov1 + (cov2 - cov3),
    }
    return ReaderComponents(
        means,
        **{name: _none(one) for name, one in (parts | squares).items()},  # type: ignore[arg-type]  # as above
        df_modality=t - 1 if t > 1 else None,
        df_reader=r - 1 if r > 1 else None,
        df_interaction=(t - 1) * (r - 1) if t > 1 and r > 1 else None,
    )


def _cell(readings: Readings, modality: int, reader: int) -> int:
    """Return the cell of a modality and a reader, which must be there."""
    return int(np.flatnonzero((readings.modality == modality) & (readings.reader == reader))[0])


def shared_by(readings: Readings, modalities: Sequence[int]) -> list[int]:
    """Return the readers of all of some modalities."""
    have = [set(readings.reader[readings.modality == one].tolist()) for one in modalities]
    return sorted(set.intersection(*have))


def means_of(
    readings: Readings, found: ReadingValues, model: VarianceModel, level: float, bounds: tuple[float, float]
) -> tuple[ReaderMean, ...]:
    """Return the mean of each modality with its interval, from that modality alone."""
    out = []
    for i, name in enumerate(readings.modalities):
        cells = np.flatnonzero(readings.modality == i)
        values, square, r = found.values[cells], found.covariance[np.ix_(cells, cells)], cells.size
        error, cov2 = float(np.trace(square)) / r, _off(square)
        between = float(values.var(ddof=1)) if r > 1 else math.nan
        if not model.random_readers:
            spread = Variance(max(error + (r - 1) * max(cov2, 0.0), 0.0) / r)
        elif model.random_cases:
            spread = _hillis(between / r + max(cov2, 0.0), between / r, r - 1)
        else:
            spread = Variance(between / r, r - 1)
        mean = float(values.mean())
        test = paired_test(mean, spread.variance, df=spread.df, confidence_level=level, reach=math.inf)
        low, high = max(test.low, bounds[0]), min(test.high, bounds[1])
        error_of = math.sqrt(spread.variance)
        out.append(ReaderMean(name, mean, error_of, spread.df, low, high, r, between, error, cov2, level, bounds))
    return tuple(out)


def _pooled(readings: Readings, parts: ReaderComponents, model: VarianceModel) -> tuple[float, float]:
    """Return the denominator of the test of modalities, and its degrees of freedom."""
    gap = (parts.cov2 or 0.0) - (parts.cov3 or 0.0)
    if parts.ms_reader_in_modality is not None and parts.r0 is not None:
        square, readers, df = parts.ms_reader_in_modality, parts.r0, float(parts.df_interaction or 0)
    else:
        readers, df = float(len(readings.readers)), float(parts.df_interaction or 0)
        if not model.random_readers:
            return parts.var_error - (parts.cov1 or 0.0) + (readers - 1.0) * gap, math.inf
        square = parts.ms_modality_reader or 0.0
    if not model.random_cases:
        return square, df
    return _hillis(square + readers * max(gap, 0.0), square, df)


def _by_pair(
    readings: Readings, found: ReadingValues, model: VarianceModel, a: int, b: int
) -> tuple[float, Variance, int]:
    """Return the difference of two modalities from the readers of both, its variance, and how many readers."""
    if readings.design == "nested":
        return _apart(readings, found, model, a, b)
    readers = shared_by(readings, (a, b))
    r = len(readers)
    if r < (2 if model.random_readers else 1):
        names = readings.modalities
        raise InvalidInputError(
            f"At least {2 if model.random_readers else 1} readers must read in both {names[a]!r} and {names[b]!r}; "
            f"got {r}. Hint: analyse the modalities that share readers."
        )
    first, second = (np.array([_cell(readings, one, j) for j in readers]) for one in (a, b))
    away = found.values[first] - found.values[second]
    c = found.covariance
    cross = c[np.ix_(first, second)]
    square = c[np.ix_(first, first)] + c[np.ix_(second, second)] - cross - cross.T
    between = float(away.var(ddof=1)) if r > 1 else math.nan
    if not model.random_readers:
        spread = Variance(float(square.mean()))
    elif model.random_cases:
        spread = _hillis(between / r + max(_off(square), 0.0), between / r, r - 1)
    else:
        spread = Variance(between / r, r - 1)
    return float(away.mean()), spread, r


def _apart(
    readings: Readings, found: ReadingValues, model: VarianceModel, a: int, b: int
) -> tuple[float, Variance, int]:
    """Return the same of modalities that share no reader, by Welch's degrees of freedom."""
    cells = [np.flatnonzero(readings.modality == one) for one in (a, b)]
    first, second = (found.values[own] for own in cells)
    c, sizes = found.covariance, [own.size for own in cells]
    difference = float(first.mean() - second.mean())
    inner = [_off(c[np.ix_(own, own)]) for own in cells]
    cross = c[np.ix_(*cells)]
    if not model.random_readers:
        whole = [float(c[np.ix_(own, own)].mean()) for own in cells]
        return difference, Variance(sum(whole) - 2.0 * float(cross.mean())), sum(sizes)
    parts = [float(own.var(ddof=1)) / own.size for own in (first, second)]
    shared = max(inner[0] + inner[1] - 2.0 * float(cross.mean()), 0.0) if model.random_cases else 0.0
    lower = sum(part**2 / (size - 1) for part, size in zip(parts, sizes, strict=True))
    whole_variance = sum(parts) + shared
    return difference, Variance(whole_variance, whole_variance**2 / lower if lower > 0 else math.inf), sum(sizes)


def differences_of(
    readings: Readings,
    found: ReadingValues,
    parts: ReaderComponents,
    model: VarianceModel,
    level: float,
    *,
    pooled: bool,
) -> tuple[ReaderDifference, ...]:
    """Return the difference of each two modalities over readers."""
    out = []
    names = readings.modalities
    pooled = is_pooled(readings, model, pooled=pooled)
    for a, b in combinations(range(len(names)), 2):
        if pooled:
            rows = np.bincount(readings.modality)
            each, df = _pooled(readings, parts, model)
            spread = Variance(each * float(1.0 / rows[a] + 1.0 / rows[b]), df)
            difference = parts.modality_means[names[a]] - parts.modality_means[names[b]]
            r = int(rows[a]) if readings.design == "crossed" else int(rows[a] + rows[b])
        else:
            difference, spread, r = _by_pair(readings, found, model, a, b)
        out.append(difference_of(names[a], names[b], difference, spread, level, r))
    return tuple(out)


def is_pooled(readings: Readings, model: VarianceModel, *, pooled: bool) -> bool:
    """Return whether one error serves all pairs: not in designs with holes, nor for fixed readers of one modality."""
    return pooled and (readings.design == "crossed" or (readings.design == "nested" and model.random_readers))


def difference_of(
    a: str, b: str, difference: float, spread: Variance, level: float, readers: int, reader: str | None = None
) -> ReaderDifference:
    """Return a difference tested; without variance it can only be no difference, or that of one reader."""
    if reader is not None and spread.variance < 1e-15:  # no error in either, or an unbiased estimate below 0
        error = 0.0 if spread.variance > -1e-15 else math.nan
        pvalue = 1.0 if difference == error == 0.0 else math.nan
        ends = difference + error, difference - error
        return ReaderDifference(a, b, difference, error, math.inf, *ends, math.nan, pvalue, readers, reader)
    if not spread.variance > 0.0 and (spread.variance < 0.0 or abs(difference) > 1e-14):
        raise UndefinedMetricError(
            f"The difference of {a!r} and {b!r} must have a variance above 0 to be tested; got "
            f"{spread.variance:g}. Hint: readers or cases are too few or too alike; more of them would show a spread."
        )
    test = paired_test(difference, spread.variance, df=spread.df, confidence_level=level, reach=math.inf)
    error = math.sqrt(spread.variance)
    return ReaderDifference(
        a, b, difference, error, spread.df, test.low, test.high, test.statistic, test.pvalue, readers, reader
    )


def omnibus_of(
    readings: Readings,
    found: ReadingValues,
    parts: ReaderComponents,
    model: VarianceModel,
    differences: tuple[ReaderDifference, ...],
    *,
    pooled: bool,
) -> ReaderOmnibus | None:
    """Return the test that all modalities are equal; None if the design has none."""
    if len(differences) == 0:
        return None
    t = len(readings.modalities)
    if is_pooled(readings, model, pooled=pooled) and parts.ms_modality is not None:
        each, df2 = _pooled(readings, parts, model)
        if each <= 0.0:  # no difference anywhere, or the pairs would have been refused
            return ReaderOmnibus(0.0, t - 1, df2, 1.0, each)
        ratio = parts.ms_modality / each
        if math.isinf(df2):
            chi2 = (t - 1) * ratio
            return ReaderOmnibus(chi2, t - 1, df2, float(scipy.special.chdtrc(t - 1, chi2)), each)
        return ReaderOmnibus(ratio, t - 1, df2, float(scipy.special.fdtrc(t - 1, df2, ratio)), each)
    if t == 2:
        (only,) = differences
        return ReaderOmnibus(only.statistic**2, 1, only.df, only.pvalue, math.nan)
    if model.random_readers or readings.design == "incomplete":
        return None
    # Wald's test of the differences of neighbours, from the covariance of the means.
    weights = np.stack([(readings.modality == i) / float((readings.modality == i).sum()) for i in range(t)])
    contrasts = np.stack([weights[i] - weights[j] for i, j in pairwise(range(t))])
    whole = np.einsum("ai,ij,bj->ab", contrasts, found.covariance, contrasts)
    away = np.einsum("ai,i->a", contrasts, found.values)
    chi2 = float(np.einsum("a,a->", away, np.linalg.pinv(whole, hermitian=True, rcond=1e-10) @ away))
    rank = int(np.linalg.matrix_rank(whole, hermitian=True, tol=1e-10 * float(np.linalg.norm(whole, 2))))
    return ReaderOmnibus(chi2, rank, math.inf, float(scipy.special.chdtrc(max(rank, 1), chi2)), math.nan)


def by_reader(readings: Readings, found: ReadingValues, level: float, *, pooled: bool) -> tuple[ReaderDifference, ...]:
    """Return the differences of each reader alone; pooled over modalities the error is the same for all pairs."""
    out = []
    c, names = found.covariance, readings.modalities
    for j, reader in enumerate(readings.readers):
        cells = np.flatnonzero(readings.reader == j)
        own = c[np.ix_(cells, cells)]
        for a, b in combinations(range(cells.size), 2):
            if pooled:
                variance = 2.0 * (float(np.trace(own)) / cells.size - _off(own))
            else:
                variance = float(own[a, a] + own[b, b] - 2.0 * own[a, b])
            first, second = cells[a], cells[b]
            difference = float(found.values[first] - found.values[second])
            pair = names[readings.modality[first]], names[readings.modality[second]]
            out.append(difference_of(*pair, difference, Variance(variance), level, 1, reader))
    return tuple(out)
