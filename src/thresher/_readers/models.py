"""Obuchowski and Rockette's analysis with Hillis' degrees of freedom, and the same as a contrast of each reader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)
class ReaderModel:
    """The values of a study, and what conclusions are drawn from them."""

    readings: Readings
    found: ReadingValues
    model: VarianceModel
    level: float
    one_error: bool
    """Whether one error serves all pairs of modalities, if the design allows it."""

    @property
    def pooled(self) -> bool:
        """Whether it does: not in designs with holes, nor for fixed readers of one modality."""
        design = self.readings.design
        return self.one_error and (design == "crossed" or (design == "nested" and self.model.random_readers))

    def _covariances(self, cells: NDArray[np.intp]) -> dict[str, float]:
        """Return the mean variance over cases of some cells, and the mean covariances of each kind of pair."""
        readings = self.readings
        c, modality, reader = (
            self.found.covariance[np.ix_(cells, cells)],
            readings.modality[cells],
            readings.reader[cells],
        )
        same, own = modality[:, None] == modality, reader[:, None] == reader
        return {
            "var_error": float(np.diag(c).mean()),
            "cov1": _mean(c[~same & own]),
            "cov2": _mean(c[same & ~own]),
            "cov3": _mean(c[~same & ~own]),
        }

    @cached_property
    def components(self) -> ReaderComponents:
        """Return mean squares and components; of a design with holes from the readers of all modalities."""
        readings, found = self.readings, self.found
        modality, t = readings.modality, len(readings.modalities)
        means = ReadOnlyDict(
            {name: float(found.values[modality == i].mean()) for i, name in enumerate(readings.modalities)}
        )
        parts = self._covariances(np.arange(modality.size))
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
        complete = self._shared_by(range(t))
        cells = np.array([[self._cell(i, j) for j in complete] for i in range(t)], dtype=np.intp).reshape(t, -1)
        r = cells.shape[1]
        if readings.design == "incomplete" and r:
            parts = self._covariances(cells.reshape(-1))
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

    def _cell(self, modality: int, reader: int) -> int:
        """Return the cell of a modality and a reader, which must be there."""
        return int(np.flatnonzero((self.readings.modality == modality) & (self.readings.reader == reader))[0])

    def _shared_by(self, modalities: Sequence[int]) -> list[int]:
        """Return the readers of all of some modalities."""
        have = [set(self.readings.reader[self.readings.modality == one].tolist()) for one in modalities]
        return sorted(set.intersection(*have))

    def means(self, bounds: tuple[float, float]) -> tuple[ReaderMean, ...]:
        """Return the mean of each modality with its interval, from that modality alone."""
        out = []
        for i, name in enumerate(self.readings.modalities):
            cells = np.flatnonzero(self.readings.modality == i)
            values, square, r = self.found.values[cells], self.found.covariance[np.ix_(cells, cells)], cells.size
            error, cov2 = float(np.trace(square)) / r, _off(square)
            between = float(values.var(ddof=1)) if r > 1 else math.nan
            if not self.model.random_readers:
                spread = Variance(max(error + (r - 1) * max(cov2, 0.0), 0.0) / r)
            elif self.model.random_cases:
                spread = _hillis(between / r + max(cov2, 0.0), between / r, r - 1)
            else:
                spread = Variance(between / r, r - 1)
            mean = float(values.mean())
            test = paired_test(mean, spread.variance, df=spread.df, confidence_level=self.level, reach=math.inf)
            low, high = max(test.low, bounds[0]), min(test.high, bounds[1])
            error_of = math.sqrt(spread.variance)
            out.append(
                ReaderMean(name, mean, error_of, spread.df, low, high, r, between, error, cov2, self.level, bounds)
            )
        return tuple(out)

    def _pooled(self) -> tuple[float, float]:
        """Return the denominator of the test of modalities, and its degrees of freedom."""
        parts, model = self.components, self.model
        gap = (parts.cov2 or 0.0) - (parts.cov3 or 0.0)
        if parts.ms_reader_in_modality is not None and parts.r0 is not None:
            square, readers, df = parts.ms_reader_in_modality, parts.r0, float(parts.df_interaction or 0)
        else:
            readers, df = float(len(self.readings.readers)), float(parts.df_interaction or 0)
            if not model.random_readers:
                return parts.var_error - (parts.cov1 or 0.0) + (readers - 1.0) * gap, math.inf
            square = parts.ms_modality_reader or 0.0
        if not model.random_cases:
            return square, df
        return _hillis(square + readers * max(gap, 0.0), square, df)

    def _by_pair(self, a: int, b: int) -> tuple[float, Variance, int]:
        """Return the difference of two modalities from the readers of both, its variance, and how many readers."""
        if self.readings.design == "nested":
            return self._apart(a, b)
        readers = self._shared_by((a, b))
        r = len(readers)
        least = 2 if self.model.random_readers else 1
        if r < least:
            names = self.readings.modalities
            raise InvalidInputError(
                f"At least {least} readers must read in both {names[a]!r} and {names[b]!r}; "
                f"got {r}. Hint: analyse the modalities that share readers."
            )
        first, second = (np.array([self._cell(one, j) for j in readers]) for one in (a, b))
        away = self.found.values[first] - self.found.values[second]
        c = self.found.covariance
        cross = c[np.ix_(first, second)]
        square = c[np.ix_(first, first)] + c[np.ix_(second, second)] - cross - cross.T
        between = float(away.var(ddof=1)) if r > 1 else math.nan
        if not self.model.random_readers:
            spread = Variance(float(square.mean()))
        elif self.model.random_cases:
            spread = _hillis(between / r + max(_off(square), 0.0), between / r, r - 1)
        else:
            spread = Variance(between / r, r - 1)
        return float(away.mean()), spread, r

    def _apart(self, a: int, b: int) -> tuple[float, Variance, int]:
        """Return the same of modalities that share no reader, by Welch's degrees of freedom."""
        cells = [np.flatnonzero(self.readings.modality == one) for one in (a, b)]
        first, second = (self.found.values[own] for own in cells)
        c, sizes = self.found.covariance, [own.size for own in cells]
        difference = float(first.mean() - second.mean())
        inner = [_off(c[np.ix_(own, own)]) for own in cells]
        cross = c[np.ix_(*cells)]
        if not self.model.random_readers:
            whole = [float(c[np.ix_(own, own)].mean()) for own in cells]
            return difference, Variance(sum(whole) - 2.0 * float(cross.mean())), sum(sizes)
        parts = [float(own.var(ddof=1)) / own.size for own in (first, second)]
        shared = max(inner[0] + inner[1] - 2.0 * float(cross.mean()), 0.0) if self.model.random_cases else 0.0
        lower = sum(part**2 / (size - 1) for part, size in zip(parts, sizes, strict=True))
        whole_variance = sum(parts) + shared
        return difference, Variance(whole_variance, whole_variance**2 / lower if lower > 0 else math.inf), sum(sizes)

    @cached_property
    def differences(self) -> tuple[ReaderDifference, ...]:
        """Return the difference of each two modalities over readers."""
        out = []
        names = self.readings.modalities
        for a, b in combinations(range(len(names)), 2):
            if self.pooled:
                rows = np.bincount(self.readings.modality)
                each, df = self._pooled()
                spread = Variance(each * float(1.0 / rows[a] + 1.0 / rows[b]), df)
                difference = self.components.modality_means[names[a]] - self.components.modality_means[names[b]]
                r = int(rows[a]) if self.readings.design == "crossed" else int(rows[a] + rows[b])
            else:
                difference, spread, r = self._by_pair(a, b)
            out.append(difference_of(names[a], names[b], difference, spread, self.level, r))
        return tuple(out)

    def omnibus(self) -> ReaderOmnibus | None:
        """Return the test that all modalities are equal; None if the design has none."""
        parts, differences = self.components, self.differences
        if len(differences) == 0:
            return None
        t = len(self.readings.modalities)
        if self.pooled and parts.ms_modality is not None:
            each, df2 = self._pooled()
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
        if self.model.random_readers or self.readings.design == "incomplete":
            return None
        # Wald's test of the differences of neighbours, from the covariance of the means.
        weights = np.stack(
            [(self.readings.modality == i) / float((self.readings.modality == i).sum()) for i in range(t)]
        )
        contrasts = np.stack([weights[i] - weights[j] for i, j in pairwise(range(t))])
        whole = np.einsum("ai,ij,bj->ab", contrasts, self.found.covariance, contrasts)
        away = np.einsum("ai,i->a", contrasts, self.found.values)
        chi2 = float(np.einsum("a,a->", away, np.linalg.pinv(whole, hermitian=True, rcond=1e-10) @ away))
        rank = int(np.linalg.matrix_rank(whole, hermitian=True, tol=1e-10 * float(np.linalg.norm(whole, 2))))
        return ReaderOmnibus(chi2, rank, math.inf, float(scipy.special.chdtrc(max(rank, 1), chi2)), math.nan)

    def by_reader(self) -> tuple[ReaderDifference, ...]:
        """Return the differences of each reader alone; pooled over modalities the error is the same for all pairs."""
        pooled = self.one_error and self.readings.design == "crossed"
        out = []
        c, names = self.found.covariance, self.readings.modalities
        for j, reader in enumerate(self.readings.readers):
            cells = np.flatnonzero(self.readings.reader == j)
            own = c[np.ix_(cells, cells)]
            for a, b in combinations(range(cells.size), 2):
                if pooled:
                    variance = 2.0 * (float(np.trace(own)) / cells.size - _off(own))
                else:
                    variance = float(own[a, a] + own[b, b] - 2.0 * own[a, b])
                first, second = cells[a], cells[b]
                difference = float(self.found.values[first] - self.found.values[second])
                pair = names[self.readings.modality[first]], names[self.readings.modality[second]]
                out.append(difference_of(*pair, difference, Variance(variance), self.level, 1, reader))
        return tuple(out)


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
