"""How the rows of a table were drawn: the variances that follow, and how to draw such tables again.

A table knows its design; `sampling_of` gives it. Squares of weights and clusters are dealt with here, so that a measure
has to know nothing but its influence values, and a method of inference nothing but the design.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import warn
from thresher._core.sums import dot
from thresher._inference.sampling.draws import Draws, WeightedDraws, count_draws, drawn_by_case
from thresher._inference.sampling.influence import Influence, Moments, Pull, Spread, Stratum, factor, strata_of
from thresher._inference.sampling.units import CensoredDraws, CensoredUnits, ClusterDraws, by_cell
from thresher._table import Clusters, Counts, Needs, Outcome, Squares, grid_of
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import BoolArray, FloatArray

FEW_CLUSTERS = 20
_SIDES = ("positives", "negatives")

Sides = tuple[FloatArray, FloatArray]
"""Of the positives and of the negatives at each score."""


class Sampling:
    """Rows that are independent and count alike; the base of the other designs.

    `weights` returns those of each class at each score, so that a table on a device is fetched only if they are asked
    for.
    """

    def __init__(self, weights: Callable[[], Sides], squares: Sides | None = None) -> None:
        self._weights, self._squares = weights, squares

    @cached_property
    def weights(self) -> Sides:
        """The weight of each class at each score."""
        return self._weights()

    @property
    def squares(self) -> Sides:
        """The sums of squared weights."""
        return self.weights if self._squares is None else self._squares

    @cached_property
    def totals(self) -> tuple[float, float]:
        """The weight of each class."""
        return float(self.weights[0].sum()), float(self.weights[1].sum())

    @property
    def effective(self) -> tuple[float, float]:
        """How many independent rows of equal weight each class is worth."""
        worth = [t * t / float(q.sum()) if t else 0.0 for t, q in zip(self.totals, self.squares, strict=True)]
        return worth[0], worth[1]

    dependent = False
    """Whether rows may depend on each other."""

    def spread(self, influence: Influence, *, design: str = "random", corrected: bool = True) -> Spread:
        """Return the variance of a measure with its degrees of freedom; a mean over rows is not `corrected`.

        A row of weight w adds u = w d / W to the measure, with W the total of its class; a random sample also moves the
        odds, so that u = w (d - beta) / W for a positive and w (d + beta) / W for a negative. The variance is the sum
        of u^2, with W^2 / (W^2 - Q) for each class in the place of n / (n - 1), Q being the sum of squared weights.
        """
        sums = [
            _class_sums(d, q, total)
            for d, q, total in zip((influence.pos, influence.neg), self.squares, self.totals, strict=True)
        ]
        if not corrected:
            sums = [part._replace(kappa=1.0) for part in sums]
        beta = influence.odds
        if design == "class" and beta != 0.0:
            variance = self._by_class(sums, beta)
        else:
            variance = _random_variance(sums, beta if design == "random" else 0.0)
        return Spread(max(variance + self._shared(influence, design), 0.0))

    def added(self, influence: Influence, design: str = "random") -> float:
        """Return what estimating the weights adds to the variance."""
        del influence, design
        return 0.0

    def _by_class(self, sums: list[_Sums], beta: float) -> float:
        del sums, beta
        raise InvalidInputError(
            "`design='class'` must know how many rows each class has; this table has sums of weights only. "
            "Hint: count the rows with `sample_weight=`."
        )

    def _shared(self, influence: Influence, design: str) -> float:
        """Return what rows add that stand in both classes."""
        del influence, design
        return 0.0

    def moments(self, influences: Sequence[Influence], *, design: str = "random") -> Moments:
        """Return the covariance of several measures; rows of a class at one score count together."""
        columns = []
        for influence in influences:
            parts = []
            for d, w, q, total, sign, name in zip(
                (influence.pos, influence.neg),
                self.weights,
                self.squares,
                self.totals,
                (-1.0, 1.0),
                _SIDES,
                strict=True,
            ):
                del w
                kappa = factor(float((q / total / total).sum()), name, "case", spread=bool(d.any())) if total else 1.0
                beta = sign * influence.odds if design == "random" else 0.0
                parts.append(np.sqrt(q) * (math.sqrt(kappa) * d + beta) / (total or 1.0))
            columns.append(np.concatenate(parts))
        matrix = np.stack(columns, axis=1)
        code = np.repeat([0, 1], matrix.shape[0] // 2)
        return self._joined(strata_of(matrix, code, self.effective), influences, design)

    def _joined(self, strata: tuple[Stratum, ...], influences: Sequence[Influence], design: str) -> Moments:
        """Return the moments of rows that stand in one class each."""
        del influences, design
        return Moments(strata[0].covariance + strata[1].covariance, strata)

    def pulls(self, influence: Influence, *, design: str) -> list[Pull]:
        """Return what single rows add to the error of the measure, from which its skewness follows."""
        shift = influence.odds if design == "random" else 0.0
        out = []
        for d, w, q, total in zip(
            (influence.pos - shift, influence.neg + shift), self.weights, self.squares, self.totals, strict=True
        ):
            some = w > 0.0
            each = q[some] / w[some]  # the typical weight of a row there
            out.append((w[some] / each, d[some] * each / total))
        return out

    def masses(self, rng: np.random.Generator, size: int) -> list[FloatArray]:
        """Return Bayesian-bootstrap masses of the positives and of the negatives at each score, a row for each draw."""
        out = []
        for w, q in zip(self.weights, self.squares, strict=True):
            shape = np.divide(w * w, q, out=np.zeros(w.size), where=q > 0.0)
            out.append(rng.standard_gamma(shape, (size, w.size)) * np.divide(q, w, out=np.zeros(w.size), where=w > 0.0))
        return out

    def draws(self, table: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> Draws:
        """Return how to draw tables again that a measure with such needs can be computed on."""
        raise NotImplementedError


class Independent(Sampling):
    """Independent rows that count alike."""

    def draws(self, table: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> Draws:
        """Return draws of single rows: on the device that holds them if that can be."""
        return count_draws(table, needs, threshold, stratified=stratified)


class Weighted(Sampling):
    """Independent rows with sampling weights, of which only ratios count."""

    def __init__(self, weights: Callable[[], Sides], squares: Squares) -> None:
        super().__init__(weights, (squares.pos, squares.neg))
        self._facts = squares

    def _by_class(self, sums: list[_Sums], beta: float) -> float:
        if self._facts.rows is None:
            return super()._by_class(sums, beta)
        total = 0.0
        for part, n, sign in zip(sums, self._facts.rows, (-1.0, 1.0), strict=True):
            u_squared = part.s + sign * 2.0 * beta * part.x + beta * beta * part.q
            total += n / (n - 1.0) * (u_squared - beta * beta / n)
        return total

    def _shared(self, influence: Influence, design: str) -> float:
        if self._facts.both is None:
            return 0.0
        shift = influence.odds if design == "random" else 0.0
        product = (influence.pos - shift) * (influence.neg + shift)
        return 2.0 * dot(self._facts.both, product) / self.totals[0] / self.totals[1]

    def _joined(self, strata: tuple[Stratum, ...], influences: Sequence[Influence], design: str) -> Moments:
        """Add what rows add that stand in both classes; their degrees of freedom nobody knows."""
        found = super()._joined(strata, influences, design)
        if self._facts.both is None:
            return found
        shifts = [one.odds if design == "random" else 0.0 for one in influences]
        pos = np.stack([one.pos - shift for one, shift in zip(influences, shifts, strict=True)])
        neg = np.stack([one.neg + shift for one, shift in zip(influences, shifts, strict=True)])
        product = (pos * self._facts.both) @ neg.T / self.totals[0] / self.totals[1]
        return Moments(found.covariance + product + product.T, ())

    def draws(self, table: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> Draws:
        """Return draws of rows of the typical weight at each score."""
        grid = grid_of("scores" if needs != "threshold" else needs, table.thresholds, table.pos, table.neg, threshold)
        facts = self._facts
        return WeightedDraws(self.weights, self.squares, grid, facts.rows, facts.constant, stratified=stratified)


class Clustered(Sampling):
    """Rows in clusters that are drawn whole; rows of a cluster may depend on each other, and may have weights."""

    dependent = True

    def __init__(self, weights: Callable[[], Sides], clusters: Clusters) -> None:
        super().__init__(weights)
        self.clusters = clusters

    @property
    def effective(self) -> tuple[float, float]:
        """How many clusters hold positives, and how many hold negatives."""
        ones = np.ones(self.weights[0].size)
        mass = self.clusters.sums(ones, ones)
        return float(np.count_nonzero(mass[0])), float(np.count_nonzero(mass[1]))

    def spread(self, influence: Influence, *, design: str = "random", corrected: bool = True) -> Spread:
        """Return Obuchowski's variance (doi:10.2307/2533958), and its counterpart where the prevalence matters."""
        if design == "class" and influence.odds != 0.0:
            raise InvalidInputError("`design='class'` must have independent rows; got clusters. Hint: design='random'.")
        ones = np.ones(self.weights[0].size)
        columns = (*self.clusters.sums(influence.pos, influence.neg), *self.clusters.sums(ones, ones))
        products = np.array([[dot(a, b) for b in columns] for a in columns])
        numbers = [int(np.count_nonzero(part)) for part in columns[2:]]
        size = int(np.count_nonzero((columns[2] > 0.0) | (columns[3] > 0.0)))
        held = (numbers[0], numbers[1], size)
        return cluster_spread(products, held, self.totals, influence.odds, design, corrected=corrected)

    def columns(self, influences: Sequence[Influence], *, design: str = "random") -> FloatArray:
        """Return what each cluster (rows) adds to each of several measures (columns)."""
        ones = np.ones(self.weights[0].size)
        mass = self.clusters.sums(ones, ones)
        columns = []
        for influence in influences:
            column = np.zeros(self.clusters.size)
            for own, held, total, sign, name in zip(
                self.clusters.sums(influence.pos, influence.neg), mass, self.totals, (-1.0, 1.0), _SIDES, strict=True
            ):
                if total:
                    kappa = factor(1.0 / np.count_nonzero(held), name, "cluster", spread=bool(own.any()))
                    beta = sign * influence.odds if design == "random" else 0.0
                    column += (math.sqrt(kappa) * own + beta * held) / total
            columns.append(column)
        return np.stack(columns, axis=1)

    def by_cluster(self, influence: Influence) -> tuple[NDArray[Any], FloatArray]:
        """Return the clusters, and what each adds to a measure."""
        return self.clusters.labels, self.columns([influence])[:, 0]

    def moments(self, influences: Sequence[Influence], *, design: str = "random") -> Moments:
        """Return the covariance of several measures of one table, from what each cluster adds."""
        strata = strata_of(self.columns(influences, design=design), None, (float(self.clusters.size),))
        return Moments(strata[0].covariance, strata)

    def pulls(self, influence: Influence, *, design: str) -> list[Pull]:
        """Return what each cluster adds."""
        shift = influence.odds if design == "random" else 0.0
        pos, neg = self.clusters.sums(influence.pos - shift, influence.neg + shift)
        each = sum(own / total if total else own for own, total in zip((pos, neg), self.totals, strict=True))
        return [(np.ones(self.clusters.size), np.asarray(each))]

    def masses(self, rng: np.random.Generator, size: int) -> list[FloatArray]:
        """Return masses of which the rows of a cluster share one factor."""
        clusters, factor = self.clusters, rng.standard_exponential((size, self.clusters.size))
        sides = (clusters.positive, ~clusters.positive)
        width = self.weights[0].size
        return [
            by_cell(clusters.weight[mine] * factor[:, clusters.code[mine]], clusters.cell[mine], width)
            for mine in sides
        ]

    def draws(self, table: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> Draws:
        """Return draws of whole clusters."""
        grid = grid_of("scores" if needs != "threshold" else needs, table.thresholds, table.pos, table.neg, threshold)
        return ClusterDraws(self.clusters, grid, stratified=stratified)


def cluster_spread(
    products: FloatArray,
    numbers: tuple[int, int, int],
    totals: tuple[float, float],
    odds: float,
    design: str,
    *,
    corrected: bool = True,
) -> Spread:
    """Return Obuchowski's variance from sums over clusters.

    `products` are sums of products of four numbers of each cluster: the influence of its positives and of its
    negatives, and its weight in each class; `numbers` are the clusters with positives, with negatives, and all.
    """
    for number, total, name in zip(numbers, totals, ("positives", "negatives"), strict=False):
        if number < 2 and total:
            raise UndefinedMetricError(
                f"The {name} must come from at least two clusters; got {number}. "
                "Hint: nothing shows how clusters differ; leave `cluster` out only if rows are independent."
            )
    size = numbers[2]
    if size < FEW_CLUSTERS:
        warn(f"There are only {size} clusters; intervals are rough with fewer than {FEW_CLUSTERS}.")
    factors = [number / max(number - 1.0, 1.0) if corrected else 1.0 for number in numbers]
    scale = np.array([1.0 / total if total else 1.0 for total in (*totals, *totals)])
    shares = products * scale[:, None] * scale
    variance = factors[0] * shares[0, 0] + factors[1] * shares[1, 1] + 2.0 * factors[2] * shares[0, 1]
    if variance <= 0.0:
        variance = factors[2] * (shares[0, 0] + shares[1, 1] + 2.0 * shares[0, 1])
    if design == "random" and odds != 0.0:
        balance = np.array([0.0, 0.0, -1.0, 1.0])
        both = np.array([1.0, 1.0, 0.0, 0.0])
        variance += odds * odds * (balance @ shares @ balance) + 2.0 * odds * (balance @ shares @ both)
    return Spread(max(float(variance), 0.0), size - 1.0)


def row_spread(
    sums: tuple[tuple[float, float, float], tuple[float, float, float]], totals: tuple[float, float], odds: float
) -> Spread:
    """Return the variance of a random sample from the sums of w^2 d^2, of w^2 d and of w^2 over each class."""
    parts = [_scaled(s, x, q, total) for (s, x, q), total in zip(sums, totals, strict=True)]
    return Spread(max(_random_variance(parts, odds), 0.0))


def _random_variance(sums: list[_Sums], beta: float) -> float:
    """Return the variance of a measure whose class balance is left to chance."""
    variance = sum(part.kappa * part.s for part in sums)
    return variance + beta * beta * (sums[0].q + sums[1].q) + 2.0 * beta * (sums[1].x - sums[0].x)


def _scaled(s: float, x: float, q: float, total: float) -> _Sums:
    """Return the sums of a class over its squared total."""
    if total == 0.0:
        return _Sums(0.0, 0.0, 0.0, 1.0)
    s, x, q = (one / total / total for one in (s, x, q))
    if q >= 1.0 and s > 0.0:
        raise UndefinedMetricError("A variance needs more than one row in each class; got one.")
    return _Sums(s, x, q, 1.0 / (1.0 - q) if q < 1.0 else 1.0)


class Censored(Sampling):
    """A design of weights or clusters (`base`) whose weights are estimated; `place[i]` is the score of row i."""

    def __init__(self, base: Sampling, rows: Outcome, place: NDArray[np.intp]) -> None:
        super().__init__(lambda: base.weights, None if base._squares is None else base.squares)
        self._base, self._rows, self._place = base, rows, place
        self.dependent = base.dependent

    @property
    def effective(self) -> tuple[float, float]:
        """How many independent rows of equal weight each class is worth, with the weights held."""
        return self._base.effective

    def _by_row(self, influence: Influence, design: str) -> FloatArray:
        """Return what each row adds to the error of a measure with its weight held."""
        return influence_by_row(self._rows, self._base, influence, self._place, design=design)

    def added(self, influence: Influence, design: str = "random") -> float:
        """Return what estimating the weights adds to the variance; it is rarely positive."""
        return float(self._rows.added(self._by_row(influence, design)[None])[0, 0])

    def spread(self, influence: Influence, *, design: str = "random", corrected: bool = True) -> Spread:
        """Return the variance with the weights held, plus the sums of squares with them estimated less those held."""
        if design == "class" and influence.odds != 0.0:
            raise InvalidInputError(
                "`design='class'` must have classes that were drawn apart; those of an outcome in time are found out "
                "by waiting. Hint: design='random'."
            )
        variance, df = self._base.spread(influence, design=design, corrected=corrected)
        return Spread(max(variance + self.added(influence, design), 0.0), df)

    def moments(self, influences: Sequence[Influence], *, design: str = "random") -> Moments:
        """Return the covariance with the weights held, plus what estimating them adds."""
        found = self._base.moments(influences, design=design)
        u = np.stack([self._by_row(influence, design) for influence in influences])
        return Moments(found.covariance + self._rows.added(u), found.strata)

    def pulls(self, influence: Influence, *, design: str) -> list[Pull]:
        """Return what each row or cluster adds, censored ones too."""
        rows = self._rows
        each = rows.by_unit(rows.chained(self._by_row(influence, design)))
        return [(np.ones(each.size), each)]

    def by_cluster(self, influence: Influence) -> tuple[NDArray[Any], FloatArray]:
        """Return the clusters, and what each adds, its censored rows too."""
        rows = self._rows
        labels = np.arange(rows.size) if rows.cluster is None else rows.cluster
        each = rows.by_unit(rows.chained(self._by_row(influence, "random")))
        return (labels if rows.unit is None else np.unique(labels)), each

    def masses(self, rng: np.random.Generator, size: int) -> list[FloatArray]:
        """Return masses of rows or clusters with the censoring weights estimated in each draw."""
        rows, units = self._rows, CensoredUnits(self._rows)
        mass = rows.masses(rows.v * units.of_rows(rng.standard_exponential((size, units.size))))
        width = self.weights[0].size
        return [by_cell(mass[:, side], self._place[side], width) for side in (rows.positive, ~rows.positive)]

    def draws(self, table: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> Draws:
        """Return draws of rows or clusters, with the weights estimated again in each."""
        grid = grid_of("scores" if needs != "threshold" else needs, table.thresholds, table.pos, table.neg, threshold)
        return CensoredDraws(self._rows, self._place, grid, stratified=stratified)


def influence_by_row(
    rows: Outcome, sampling: Sampling, influence: Influence, place: NDArray[np.intp], *, design: str = "random"
) -> FloatArray:
    """Return what each row of an outcome in time adds to the error of a measure with its weight held."""
    shift = influence.odds if design == "random" else 0.0
    n_pos, n_neg = (total or 1.0 for total in sampling.totals)
    each = np.where(rows.positive, (influence.pos[place] - shift) / n_pos, (influence.neg[place] + shift) / n_neg)
    return np.where(rows.mass > 0.0, rows.mass * each, 0.0)


class _Sums(NamedTuple):
    """Of one class, over its squared total: sums of Q d^2, of Q d and of Q; and W^2 / (W^2 - Q)."""

    s: float
    x: float
    q: float
    kappa: float


def _class_sums(d: FloatArray, squared: FloatArray, total: float) -> _Sums:
    if total == 0.0:
        return _Sums(0.0, 0.0, 0.0, 1.0)
    # Divided one by one: the square of a total may be beyond what a double holds.
    each = squared / total / total
    return _scaled(dot(each, d * d), dot(each, d), float(each.sum()), 1.0)


def clusters_of(counts: Counts) -> Clusters | None:
    """Return the clusters of a table; None also if each has one row only, which is to say there are none."""
    return None if counts._each_its_own else counts._clusters


def drawn_rows(table: Counts, columns: int) -> tuple[float, bool, bool]:
    """Return how many rows resampling draws, whether one by one (of so many columns), and whether they have weights."""
    clusters, weights = clusters_of(table), table._weight_squares is not None
    rows = float(table.n_pos + table.n_neg) if clusters is None else float(clusters.code.size)
    rows = rows if math.isfinite(rows) and not weights else float(len(table))
    return rows, clusters is not None or drawn_by_case(int(rows), columns), weights


def sampling_of(table: Counts, *, shared: bool = False) -> Sampling:
    """Return how the rows of a table were drawn; with `shared`, clusters of one row count, as others may hold more."""

    def weights() -> Sides:
        return table.pos.astype(np.float64), table.neg.astype(np.float64)

    clusters, rows = table._clusters if shared else clusters_of(table), table._outcome
    if clusters is not None:
        found: Sampling = Clustered(weights, clusters)
    else:
        found = Independent(weights) if table._weight_squares is None else Weighted(weights, table._weight_squares)
    return found if rows is None or not rows.estimated else Censored(found, rows, rows.cells(table.thresholds))


def rows_sampling(
    positive: BoolArray,
    weight: NDArray[np.float64] | None,
    cluster: NDArray[Any] | None,
    rows: Outcome | None = None,
    place: NDArray[np.intp] | None = None,
) -> Sampling:
    """Return the design of single rows, each a score of its own; row i of them is `place[i]` of an outcome in time."""
    found = _single_rows(positive, weight, cluster)
    if rows is None or place is None or not rows.estimated:
        return found
    at = np.zeros(rows.size, dtype=np.intp)
    at[place] = np.arange(place.size)
    return Censored(found, rows, at)


def _single_rows(positive: BoolArray, weight: NDArray[np.float64] | None, cluster: NDArray[Any] | None) -> Sampling:
    w = np.ones(positive.size) if weight is None else weight

    def weights() -> Sides:
        return np.where(positive, w, 0.0), np.where(positive, 0.0, w)

    if cluster is not None:
        _, code = np.unique(cluster, return_inverse=True)
        code = code.reshape(-1).astype(np.int64)
        labels = np.arange(int(code.max()) + 1)
        ones = np.ones(positive.size, dtype=np.int64)
        return Clustered(weights, Clusters(labels, code, np.arange(positive.size), positive, w, ones))
    if weight is None:
        return Independent(weights)
    rows = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
    pos, neg = weights()
    return Weighted(weights, Squares(pos**2, neg**2, None, rows))
