"""Bands of curves whose rows have unequal weights or belong together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.random_streams import batch_rows, run_batches, stream_key
from thresher._inference.bands.bayes_envelope import rank_envelope
from thresher._inference.bands.binomial_beta import beta_cdf, normal_root
from thresher._inference.bands.weighted_cuts import WeightedCuts, read_curve, weighted_cuts
from thresher._inference.rates.effective_counts import effective_size
from thresher._inference.rates.proportion import ADVERSE
from thresher._inference.sampling import CensoredUnits, Influence, check_weights, clusters_of, sampling_of
from thresher._table import Clusters, Counts, Outcome
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = ["needs_weights", "weighted_pr_band", "weighted_roc_band"]

Ends = tuple[FloatArray, FloatArray]

_NODES = np.linspace(-4.0, 4.0, 21)  # normal scores that stand for the uncertain prevalence
_POINTS = 64
_NO_WEIGHT = 1e-9
_REACH = 7.0  # standard deviations of the binomial that are kept
_NUMBERS_AT_ONCE = 1 << 22


class _Mixture(NamedTuple):
    """Beta components with weights, one group for each abscissa; and the weights of seeing none and all."""

    owner: NDArray[np.intp]
    a: FloatArray
    b: FloatArray
    weight: FloatArray
    at_none: FloatArray
    at_all: FloatArray

    def cdf(self, value: FloatArray) -> FloatArray:
        """Return the distribution function of each group at its own value; components at the ends left out."""
        parts = self.weight * beta_cdf(self.a, self.b, value[self.owner])
        return np.bincount(self.owner, parts, value.size).astype(np.float64)

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return a rough mean and standard deviation of the log odds of each group."""
        size = self.at_none.size
        log_odds = np.log(self.a / self.b)
        mass = np.maximum(np.bincount(self.owner, self.weight, size), _NO_WEIGHT)
        mean = np.bincount(self.owner, self.weight * log_odds, size) / mass
        away = np.square(log_odds - mean[self.owner]) + 1.0 / self.a + 1.0 / self.b
        return mean, np.sqrt(np.bincount(self.owner, self.weight * away, size) / mass)


def _mixture(cuts: WeightedCuts, x: FloatArray, *, without: str, adverse: bool = False) -> _Mixture:
    """Return the binomial mixture at each x, without the components that saw none, or all, of the other class.

    J of N cases stand above the true cut, N being what the share x of the along class is worth; the other class above
    it is that strictly above the along-quantile of J / N, or at or above that of (J + 1) / N, each with half the
    weight, or where `adverse` the one that is further out. Its share p, worth n cases, has the confidence distribution
    Beta(n p + 1/2, n (1 - p) + 1/2).
    """
    sizes = cuts.size(x)
    owners, cut, weights = [], [], []
    for i, (share, size) in enumerate(zip(x.tolist(), sizes.tolist(), strict=True)):
        reach = _REACH * np.sqrt(size * share * (1.0 - share)) + 20.0
        j = np.arange(max(int(size * share - reach), 0), min(int(size * share + reach) + 1, size) + 1)
        log = -np.log(size + 1.0) - scipy.special.betaln(size - j + 1.0, j + 1.0)
        mass = np.exp(log + scipy.special.xlogy(j, share) + scipy.special.xlog1py(size - j, -share))
        mass /= mass.sum()
        both = cuts.fewest(j / size), cuts.most((j + 1.0) / size)
        seen = np.concatenate((both[without == "all"],) * 2 if adverse else both)
        place, inverse = np.unique(seen, return_inverse=True)
        owners.append(np.full(place.size, i))
        cut.append(place)
        weights.append(np.bincount(inverse.reshape(-1), np.tile(0.5 * mass, 2), place.size))
    owner, place, weight = (np.concatenate(part) for part in (owners, cut, weights))
    share, worth = cuts.across.share[place], cuts.across.worth[place]
    none, every = share <= 0.0, share >= 1.0
    ends = [np.bincount(owner, weight * end, x.size).astype(np.float64) for end in (none, every)]
    kept = (weight > _NO_WEIGHT) & ~(none if without == "none" else every)
    owner, weight, share, worth = owner[kept], weight[kept], share[kept], worth[kept]
    return _Mixture(owner, worth * share + 0.5, worth * (1.0 - share) + 0.5, weight, ends[0], ends[1])


def _share_interval(cuts: WeightedCuts, x: FloatArray, tail: float) -> Ends:
    """Return the tails of the proportion of the other class: 0 where it may be that none is seen, 1 where all are."""
    low, high = _mixture(cuts, x, without="none"), _mixture(cuts, x, without="all")
    none, every = low.at_none >= tail, high.at_all >= tail
    first = _quantile(low, np.where(none, 0.5, tail - low.at_none))
    last = _quantile(high, np.where(every, 0.5, 1.0 - tail))
    return np.where(none, 0.0, first), np.where(every, 1.0, last)


def _quantile(mixture: _Mixture, p: FloatArray) -> FloatArray:
    found = normal_root(lambda u: mixture.cdf(scipy.special.expit(u)), np.maximum(p, _NO_WEIGHT), *mixture.moments())
    return np.asarray(scipy.special.expit(found))


def _odds_interval(cuts: WeightedCuts, x: FloatArray, tail: float, prevalence: tuple[float, float]) -> Ends:
    """Return the tails of share times odds, where the prevalence is uncertain too: (share, worth so many cases)."""
    share, worth = prevalence
    weight = np.exp(-np.square(_NODES) / 2.0)
    weight /= weight.sum()
    ends = []
    for without, p, more in (("none", tail, (ADVERSE, 0.0)), ("all", 1.0 - tail, (0.0, ADVERSE))):
        # Part of a case at the adverse end, as in the default interval of a share.
        a, b = worth * share + more[0], worth * (1.0 - share) + more[1]
        above, below = (
            scipy.special.betaincinv(*shape, scipy.special.ndtr(s))
            for shape, s in (((a, b), _NODES), ((b, a), -_NODES))
        )
        log_odds = np.log(below / above)
        mixture = _mixture(cuts, x, without=without, adverse=True)
        # The distribution of the log share on a grid, then moved by every node of the log odds.
        mass = np.bincount(mixture.owner, mixture.weight, x.size)
        # Beyond the far end of the wanted quantile little has to be known.
        between = (1e-5, 1.0 - 1e-2) if without == "none" else (1e-2, 1.0 - 1e-5)
        lowest, highest = (np.log(np.maximum(_quantile(mixture, np.maximum(mass * at, 1e-8)), 1e-12)) for at in between)
        highest = np.where(mixture.at_all > 0.0, 0.0, highest)
        steps = np.linspace(0.0, 1.0, _POINTS)
        log_share = lowest[:, None] + np.maximum(highest - lowest, 1e-9)[:, None] * steps
        table = np.stack([mixture.cdf(np.exp(column)) for column in log_share.T], axis=1)
        # Lines between its points are drawn on the normal scale, where it is nearly straight.
        score = scipy.special.ndtri(np.clip(table / np.maximum(mass, _NO_WEIGHT)[:, None], 1e-15, 1.0 - 1e-15))
        t = np.linspace(lowest + log_odds.min(), np.maximum(highest, lowest) + log_odds.max(), 4 * _POINTS).T
        found = np.zeros(t.shape)
        for node, part in zip(log_odds, weight, strict=True):
            at = t - node
            inside = np.array([np.interp(at[i], log_share[i], score[i]) for i in range(x.size)])
            found += part * mass[:, None] * scipy.special.ndtr(inside)
        # Where all are seen the share is 1 and the odds are left; where none are, it is below everything.
        if without == "none":
            found += mixture.at_none[:, None]
        else:
            found += mixture.at_all[:, None] * scipy.special.betainc(b, a, scipy.special.expit(t))
        place = np.minimum((found < p).sum(axis=1), t.shape[1] - 1)
        before = np.maximum(place - 1, 0)
        row = np.arange(x.size)
        rise = found[row, place] - found[row, before]
        part = np.clip((p - found[row, before]) / np.where(rise > 0.0, rise, 1.0), 0.0, 1.0)
        end = np.exp(t[row, before] + part * (t[row, place] - t[row, before]))
        ends.append(np.where(mixture.at_none >= tail, 0.0, end) if without == "none" else end)
    return ends[0], ends[1]


_Masses = Callable[[np.random.Generator, int], list[FloatArray]]
"""Draws the masses of positives and negatives at each score, one row for each of so many draws."""


def _masses(counts: Counts, sums: list[FloatArray]) -> _Masses:
    clusters, rows = clusters_of(counts), counts._outcome
    if rows is not None and rows.estimated:
        return partial(_censored_masses, rows, rows.cells(counts.thresholds), len(counts))
    if clusters is not None:
        return partial(_cluster_masses, clusters, len(counts))
    squared = sums if counts._weight_squares is None else [counts._weight_squares.pos, counts._weight_squares.neg]
    pairs = list(zip(sums, squared, strict=True))
    shapes = [np.divide(w * w, q, out=np.zeros(w.size), where=q > 0.0) for w, q in pairs]
    scales = [np.divide(q, w, out=np.zeros(w.size), where=w > 0.0) for w, q in pairs]
    return partial(_row_masses, list(zip(shapes, scales, strict=True)))


def _row_masses(classes: list[Ends], rng: np.random.Generator, size: int) -> list[FloatArray]:
    return [rng.standard_gamma(shape, (size, shape.size)) * scale for shape, scale in classes]


def _censored_masses(
    rows: Outcome, cell: NDArray[np.intp], width: int, rng: np.random.Generator, size: int
) -> list[FloatArray]:
    """Return masses of rows or clusters with the censoring weights estimated in each draw."""
    units = CensoredUnits(rows)
    factor = rng.standard_exponential((size, units.size))
    mass = rows.masses(rows.v * units.of_rows(factor))
    return [
        np.stack([np.bincount(cell[side], own, width).astype(np.float64) for own in mass[:, side]])
        for side in (rows.positive, ~rows.positive)
    ]


def _cluster_masses(clusters: Clusters, width: int, rng: np.random.Generator, size: int) -> list[FloatArray]:
    factor = rng.standard_exponential((size, clusters.size))
    mass = []
    for mine in (clusters.positive, ~clusters.positive):
        each = clusters.weight[mine] * factor[:, clusters.code[mine]]
        cell = clusters.cell[mine]
        mass.append(np.stack([np.bincount(cell, own, width).astype(np.float64) for own in each]))
    return mass


def _drawn_curves(
    counts: Counts, x: FloatArray, n_draws: int, rng: np.random.Generator, *, along_positives: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Bayesian-bootstrap draws of the curve, for the lower and the upper end, and the odds of each draw.

    Rows at a score get a gamma mass with the mean and the variance of their weights, rows of a cluster share one
    exponential factor; half a row more stands beyond both ends of each class.
    """
    sums = [counts.pos.astype(np.float64), counts.neg.astype(np.float64)]
    masses = _masses(counts, sums)
    halves = [(float(t.above[0]), float(t.below[-1])) for t in counts._typical]
    seen = [np.append(0.0, np.cumsum(w)) for w in sums]
    width = len(counts)
    low, high, odds = np.empty((n_draws, x.size)), np.empty((n_draws, x.size)), np.empty(n_draws)
    rows = max(1, _NUMBERS_AT_ONCE // width)
    for first in range(0, n_draws, rows):
        size = min(rows, n_draws - first)
        shares = []
        for own, (top, bottom) in zip(masses(rng, size), halves, strict=True):
            ends = rng.standard_gamma(0.5, (size, 2)) * (top, bottom)
            running = np.concatenate((ends[:, :1], own), axis=1).cumsum(axis=1)
            shares.append((running, running[:, -1:] + ends[:, 1:]))
        odds[first : first + size] = (shares[1][1] / shares[0][1])[:, 0]
        along, across = (0, 1) if along_positives else (1, 0)
        a, b = (shares[side][0] / shares[side][1] for side in (along, across))
        coin = rng.random(size) < 0.5
        whole = seen[across][-1] * (1.0 - 1e-12)
        for i in range(size):
            cut = np.searchsorted(a[i], x, side="right") - 1
            cut = np.clip(cut if coin[i] else cut + 1, 0, width)
            found, above = b[i, cut], seen[across][cut]
            low[first + i] = np.where(above <= 0.0, 0.0, found)
            high[first + i] = np.where(above >= whole, 1.0, found)
    return low, high, odds


def _resampled(
    counts: Counts, x: FloatArray, n_draws: int, rng: np.random.Generator, *, along_positives: bool, stratified: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the curves of redrawn rows or clusters, and the odds of each resample."""
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=stratified)
    key = stream_key(rng)

    def work(first: int, count: int) -> FloatArray:
        out = np.empty((count, x.size + 1))
        for row, (pos, neg) in enumerate(zip(*draws.draw(key, first, count), strict=True)):
            along, across = (pos, neg) if along_positives else (neg, pos)
            shares = [np.append(0.0, np.cumsum(side)) / side.sum() for side in (along, across)]
            how = "lower" if along_positives else "upper"
            out[row, :-1] = read_curve(shares[0], shares[1], x, at_jumps=how)
            out[row, -1] = neg.sum() / pos.sum()
        return out

    found = run_batches(work, n_draws, rows=batch_rows(len(counts)))
    return found[:, :-1], found[:, -1]


def needs_weights(counts: Counts, *, balance: bool) -> bool:
    """Return whether a band must know of weights or clusters; `balance` says whether the class balance matters."""
    if clusters_of(counts) is not None or (not counts._counted and counts._weight_squares is None):
        return True
    return counts._weight_squares is not None and (balance or counts._plain is None)


def _check_method(counts: Counts, method: str) -> None:
    check_weights(counts)
    if method in ("binomial-beta", "envelope", "bootstrap"):
        return
    what = "weights that vary" if clusters_of(counts) is None else "clusters"
    raise InvalidInputError(
        f"`method={method!r}` must have independent rows of equal weight within each class; got {what}. "
        "Hint: 'binomial-beta', 'envelope' and 'bootstrap' take them."
    )


def weighted_roc_band(
    counts: Counts, x: FloatArray, method: str, level: float, n_draws: int, rng: np.random.Generator, *, whole: bool
) -> tuple[Ends, FloatArray]:
    """Return the ends of the ROC band at increasing rates x, and the curve; `whole` if the level is for all points."""
    _check_method(counts, method)
    cuts = weighted_cuts(counts, along_positives=False, confidence_level=level)
    value = cuts.value(x, at_jumps="upper")
    if method == "binomial-beta":
        return _share_interval(cuts, x, (1.0 - level) / 2.0), value
    if method == "envelope":
        low, high, _ = _drawn_curves(counts, x, n_draws, rng, along_positives=False)
        return rank_envelope(low, high, level), value
    curves, _ = _resampled(counts, x, n_draws, rng, along_positives=False, stratified=True)
    return _from_curves(curves, level, whole=whole), value


def weighted_pr_band(
    counts: Counts,
    x: FloatArray,
    method: str,
    level: float,
    odds: float | None,
    n_draws: int,
    rng: np.random.Generator,
    *,
    random: bool,
    whole: bool,
) -> tuple[Ends, FloatArray]:
    """Return the ends of the PR band at increasing recalls x, and the curve.

    `odds` are the negatives for each positive to which precision refers, None for those of the data, which are known
    unless `random`.
    """
    _check_method(counts, method)
    tail = (1.0 - level) / 2.0
    skew = float(counts.n_neg / counts.n_pos) if odds is None else odds
    cuts = weighted_cuts(counts, along_positives=True, confidence_level=level)
    value = _precision(x, skew * cuts.value(x))
    random = random and odds is None
    if method == "binomial-beta":
        if random:
            low, high = _odds_interval(cuts, x, tail, _prevalence(counts))
        else:
            low, high = (skew * end for end in _share_interval(cuts, x, tail))
        return (_precision(x, high), _precision(x, low)), value
    if method == "envelope":
        least, most, drawn = _drawn_curves(counts, x, n_draws, rng, along_positives=True)
        by = drawn[:, None] if random else np.full((n_draws, 1), skew)
        return rank_envelope(_precision(x, by * most), _precision(x, by * least), level), value
    curves, drawn = _resampled(counts, x, n_draws, rng, along_positives=True, stratified=not random)
    by = drawn[:, None] if random else np.full((n_draws, 1), skew)
    return _from_curves(_precision(x, by * curves), level, whole=whole), value


def _prevalence(counts: Counts) -> tuple[float, float]:
    """Return the proportion of positives, and how many cases it is worth."""
    pos, neg = counts._typical
    yes, no = float(counts.n_pos), float(counts.n_neg)
    worth = float(effective_size(yes, no, float(pos.above[-1]), float(neg.above[-1])))
    sampling, none = sampling_of(counts), np.zeros(len(counts))
    influence = Influence(none, none, -counts.prevalence * (1.0 - counts.prevalence))
    full = sampling.spread(influence, corrected=False).variance
    held = full - sampling.added(influence)
    return counts.prevalence, worth * held / full if held > 0.0 and full > 0.0 else worth


def _precision(x: FloatArray, false_positives: FloatArray) -> FloatArray:
    total = x + false_positives
    return np.asarray(np.where(total > 0.0, x / np.where(total > 0.0, total, 1.0), 1.0))


def _from_curves(curves: FloatArray, level: float, *, whole: bool) -> Ends:
    if whole:
        return rank_envelope(curves, curves, level)
    low, high = np.quantile(curves, ((1.0 - level) / 2.0, (1.0 + level) / 2.0), axis=0)
    return low, high
