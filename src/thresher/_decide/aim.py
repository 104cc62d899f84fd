"""What a planned test is to find: areas or a rate, their variance, the hypothesis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from thresher._core.arrays import as_labels, as_scores
from thresher._core.checks import check_choice, check_confidence_level, show, warn
from thresher._decide.closed_form_power import Variance, area_power, auc_variance, two_auc_variance
from thresher._inference.delong import ALTERNATIVES, delong_covariance, delong_of
from thresher._inference.sampling import clusters_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import roc_auc_value

__all__ = ["Aim"]

_FEW = 10


@dataclass(frozen=True, slots=True)
class Aim:
    """A planned test of areas, or of a rate."""

    difference: float
    variances: tuple[Variance, Variance]
    """Of the estimated difference under the null hypothesis, and as supposed."""
    level: float
    alternative: str
    null: float
    margin: float | None = None
    rate: float | None = None
    correlation: float | None = None
    method: str = "hanley-mcneil"

    @classmethod
    def checked(
        cls,
        auc: object,
        rate: object,
        null: object,
        margin: object,
        correlation: object,
        pilot: object,
        significance_level: float,
        alternative: str,
    ) -> Aim:
        """Check what was asked for."""
        level = check_confidence_level(significance_level, "significance_level")
        side = check_choice(alternative, "alternative", ALTERNATIVES)
        gap = None if margin is None else _margin(margin)
        if gap is not None and side == "two-sided":
            side = "greater"
        if rate is not None:
            if auc is not None or pilot is not None or gap is not None:
                raise InvalidInputError("`rate` must be given alone, with `null`. Hint: leave the others out.")
            return _of_rate(cls, rate, null, level, side)
        if pilot is not None:
            return _of_pilot(cls, auc, pilot, level, side, _null_area(null), gap)
        if isinstance(auc, tuple | list):
            a, b = _two(auc)
            rho = _correlation(correlation)
            variance = two_auc_variance(a, b, rho)
            return cls(a - b, (variance, variance), level, side, 0.0, gap, correlation=rho)
        if auc is None:
            raise InvalidInputError("one of a population, `auc`, `rate`, `calls` and `pilot` must be given; got none.")
        area, at = _share(auc, "auc"), _null_area(null)
        return cls(area - at, (auc_variance(at), auc_variance(area)), level, side, at, gap)

    def power(self, sizes: tuple[int, int]) -> float:
        """Return the power with so many positives and negatives."""
        return area_power(self.difference, self.variances, sizes, self.level, self.alternative, self.margin)

    def warn_few(self, sizes: tuple[int, int]) -> None:
        """Warn where the normal distribution is too rough."""
        if min(sizes) < _FEW:
            warn(
                f"A power with {min(sizes)} cases of a class is rough: it takes the normal distribution. "
                "Hint: give populations and `n_replicates`, which makes the real test in simulated studies."
            )


def _of_rate(cls: type[Aim], rate: object, null: object, level: float, side: str) -> Aim:
    if null is None:
        raise InvalidInputError("`null` must be given with `rate`: the rate under the null hypothesis.")
    share, at = _share(rate, "rate"), _share(null, "null")
    return cls(share - at, (_nothing, _nothing), level, side, at, rate=share)


def _null_area(null: object) -> float:
    return 0.5 if null is None else _share(null, "null")


def _of_pilot(
    cls: type[Aim], auc: object, pilot: object, level: float, side: str, null: float, margin: float | None
) -> Aim:
    if isinstance(pilot, Counts):
        return _of_one_marker(cls, auc, pilot, level, side, null, margin)
    if not (isinstance(pilot, tuple) and len(pilot) == 2 and isinstance(pilot[1], Mapping) and len(pilot[1]) == 2):
        raise InvalidInputError(
            "`pilot` must be Scores, or labels with the scores of two markers; got "
            f"{show(pilot)}. Hint: for example `pilot=(y, {{'new': new, 'old': old}})`."
        )
    labels, scorers = pilot
    return _of_two_markers(cls, auc, labels, scorers, level, side, margin)


def _of_one_marker(
    cls: type[Aim], auc: object, pilot: Counts, level: float, side: str, null: float, margin: float | None
) -> Aim:
    if clusters_of(pilot) is not None:
        raise InvalidInputError(
            "`pilot` must have independent rows; got clusters. "
            "Hint: keep one row of each cluster, and plan in numbers of clusters."
        )
    found = delong_of(pilot)
    area = found.auc if auc is None else _share(auc, "auc")

    def one(n_pos: int, n_neg: int) -> float:
        return found.spread_pos / n_pos + found.spread_neg / n_neg

    return cls(area - null, (one, one), level, side, null, margin, method="pilot")


def _of_two_markers(
    cls: type[Aim], auc: object, labels: Any, scorers: Mapping[Any, Any], level: float, side: str, margin: float | None
) -> Aim:
    positive = as_labels(labels)
    scores = [as_scores(column, f"pilot[{name!r}]").astype(np.float64) for name, column in scorers.items()]
    covariance, _ = delong_covariance(positive, scores)
    tables = [Counts(positive, column) for column in scores]
    parts = [_difference_spread(positive, scores, tables, of_positives=side_) for side_ in (True, False)]
    difference = roc_auc_value(tables[0]) - roc_auc_value(tables[1])
    if auc is not None:
        a, b = _two(auc)
        difference = a - b
    spread = math.sqrt(covariance[0, 0] * covariance[1, 1])
    rho = float(covariance[0, 1] / spread) if spread > 0 else 0.0

    def two(n_pos: int, n_neg: int) -> float:
        return parts[0] / n_pos + parts[1] / n_neg

    return cls(difference, (two, two), level, side, 0.0, margin, correlation=rho, method="pilot")


def _difference_spread(positive: Any, scores: list[Any], tables: list[Counts], *, of_positives: bool) -> float:
    """Return the sample variance, over the cases of a class, of the difference of their two placements."""
    own = positive if of_positives else ~positive
    placements = []
    for column, table in zip(scores, tables, strict=True):
        place = np.searchsorted(-table.thresholds.astype(np.float64), -column[own])
        beaten = (table.n_neg - table.fp + table.neg / 2) / table.n_neg
        under = (table.tp - table.pos / 2) / table.n_pos
        placements.append((beaten if of_positives else under)[place])
    return float(np.var(placements[0] - placements[1], ddof=1))


def _nothing(n_pos: int, n_neg: int) -> float:
    del n_pos, n_neg
    return 0.0


def _share(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0.0 < float(value) < 1.0:
        raise InvalidInputError(f"`{name}` must be a number in (0, 1); got {show(value)}.")
    return float(value)


def _two(value: object) -> tuple[float, float]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InvalidInputError(f"`auc` must be two areas for two markers; got {show(value)}. Hint: `auc=(0.85, 0.8)`.")
    return _share(value[0], "auc"), _share(value[1], "auc")


def _margin(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0.0 < float(value) < 1.0:
        raise InvalidInputError(
            f"`margin` must be in (0, 1); got {show(value)}. Hint: it is the largest loss that is still acceptable."
        )
    return float(value)


def _correlation(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not -1 <= float(value) <= 1:
        raise InvalidInputError(f"`correlation` must be in [-1, 1]; got {show(value)}.")
    return float(value)
