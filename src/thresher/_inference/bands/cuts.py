"""A curve as cuts along one class, and whole curves drawn again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.decimals import portion
from thresher._core.random_streams import batch_rows, run_batches, stream_key
from thresher._core.resampling import Requested
from thresher._inference.sampling import CountDraws, Influence, at_once, effective_size, sampling_of, worth_above
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray, IntArray

# So many standard errors a bend of the sample may be from that of the population.
_REACH = 2.0
_SLACK = 1e-12  # sums of weights that are equal on paper


class Position(NamedTuple):
    """A place on the curve: at a vertex, a vertical stretch of it, or inside a block of ties.

    `low` and `high` of the other class are above it, with what one of them is worth there. Inside a block `share` of it
    stands above, and `rise` of the other class and `width` of this one are in it.
    """

    low: FloatArray
    high: FloatArray
    worth: tuple[FloatArray, FloatArray]
    share: FloatArray
    rise: CountArray
    width: CountArray


class Cuts(NamedTuple):
    """The count table seen along one class: places between its j-th and its (j+1)-th highest member.

    `along` and `across` are cumulative counts of the two classes, from 0; of weighted or clustered rows the proportions
    of the class, times the `n_along` and `n_across` rows that they are worth, and `worth` how many each proportion is
    worth. Without `tied` (a compressed table) blocks stand for scores that differ, and any path through them is
    possible.
    """

    along: CountArray
    across: CountArray
    n_along: int
    n_across: int
    tied: bool = True
    worth: tuple[FloatArray, FloatArray] | None = None

    def size(self, x: FloatArray) -> FloatArray:
        """Return how many cases the share x of the along class is worth, whole."""
        if self.worth is None:
            return np.full(x.shape, float(self.n_along))
        return np.maximum(np.rint(np.interp(x, self.along / self.n_along, self.worth[0])), 1.0)

    def fewest(self, j: CountArray) -> CountArray:
        """Return the members of the other class strictly above the j-th highest; 0 for j = 0."""
        block = np.searchsorted(self.along[1:], self._met(j), side="left")
        return np.where(j > 0, self.across[block], 0)

    def most(self, j: CountArray, step: FloatArray | int = 1) -> CountArray:
        """Return the members of the other class at or above the next case (worth a `step`) after the j-th."""
        block = np.searchsorted(self.along[1:], self._met(j + step), side="left")
        return self.across[np.minimum(block + 1, self.across.size - 1)]

    def at(self, position: FloatArray) -> Position:
        """Return where the curve stands at a number of the along class, which need not be whole."""
        position = self._met(position)
        block = np.searchsorted(self.along, position, side="right") - 1
        after = np.minimum(block + 1, self.along.size - 1)
        width = self.along[after] - self.along[block]
        share = np.where(width > 0, (position - self.along[block]) / np.where(width > 0, width, 1), 0.0)
        first = np.searchsorted(self.along, position, side="left")
        rise = np.where(share > 0.0, self.across[after] - self.across[block], 0)
        inside = self.across[block] + share * rise
        each = np.ones(1), np.ones(1)
        if self.worth is not None:
            worth = self.worth[1] / self.n_across
            within = worth[block] + share * (worth[after] - worth[block])
            each = np.where(share > 0.0, within, worth[first]), within
        return Position(np.where(share > 0.0, inside, self.across[first]), inside, each, share, rise, width)

    def _met(self, position: CountArray) -> CountArray:
        """Return places of the along class; one that equals a sum of weights but for rounding is met."""
        if self.along.dtype.kind != "f":
            return position
        near = np.minimum(np.searchsorted(self.along, position * (1.0 - _SLACK), side="left"), self.along.size - 1)
        return np.where(np.abs(self.along[near] - position) <= _SLACK * self.n_along, self.along[near], position)

    def reflected(self) -> Cuts:
        """Return both classes counted from the other end: the same curve turned by half a turn."""
        along, across = self.n_along - self.along[::-1], self.n_across - self.across[::-1]
        worth = None if self.worth is None else (self.worth[0][::-1], self.worth[1][::-1])
        return self._replace(along=along, across=across, worth=worth)

    def next_bend(self, x: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which x may be the place of a bend just above, and the cut of that bend.

        After a bend the curve rises less: if the sample's is too far right, the place is still on the steep side, and
        its curve too low. That matters if a block of ties is wider than the place of a bend is uncertain.
        """
        at = self._met(portion(x, self.n_along))
        size = self.size(x)
        reach = _REACH * np.sqrt(x * (1.0 - x) / size) * self.n_along
        bend = np.clip(np.searchsorted(self.along, at, side="left"), 1, self.along.size - 1)
        top = np.searchsorted(self.along, self.along[bend], side="right") - 1
        after = np.minimum(top + 1, self.along.size - 1)
        width, rise = self.along[bend] - self.along[bend - 1], self.across[top] - self.across[bend - 1]
        then, further = self.along[after] - self.along[top], self.across[after] - self.across[top]
        flatter = rise.astype(np.float64) * then > further.astype(np.float64) * width
        found = np.flatnonzero(
            self.tied
            & (width >= np.maximum(reach, 2.0 * self.n_along / size))
            & (self.along[bend] - at <= reach)
            & flatter
            & (x > 0.0)
        )
        return found, top[found]

    def value(self, x: FloatArray, *, at_jumps: str = "lower") -> FloatArray:
        """Return the proportion of the other class above the cut that holds the share x.

        Linear between two points of the table, as for mixtures of two thresholds; at a jump its lower or its upper end.
        """
        wanted = self._met(portion(x, self.n_along))
        if at_jumps == "lower":
            after = np.minimum(np.searchsorted(self.along, wanted, side="left"), self.along.size - 1)
            before = np.maximum(after - 1, 0)
        else:
            before = np.searchsorted(self.along, wanted, side="right") - 1
            after = np.minimum(before + 1, self.along.size - 1)
        width = self.along[after] - self.along[before]
        share = np.clip((wanted - self.along[before]) / np.where(width > 0, width, 1), 0.0, 1.0)
        rise = self.across[after] - self.across[before]
        return np.where(width > 0, self.across[before] + share * rise, self.across[after]) / self.n_across


def cuts_along_positives(counts: Counts) -> Cuts:
    """Return the cuts of a PR curve: x is recall, across are the false positives."""
    return _cuts(counts.tp, counts.fp, counts._complete)


def cuts_along_negatives(counts: Counts) -> Cuts:
    """Return the cuts of a ROC curve: x is the false positive rate, across are the true positives."""
    return _cuts(counts.fp, counts.tp, counts._complete)


def _cuts(along: CountArray, across: CountArray, tied: bool) -> Cuts:
    first, second = _whole(along), _whole(across)
    return Cuts(np.append(0, first), np.append(0, second), int(first[-1]), int(second[-1]), tied)


def _whole(cumulative: CountArray) -> IntArray:
    """Return cumulative counts as whole rows; sums of weights are rounded so that their total is a number of rows."""
    if cumulative.dtype.kind != "f":
        return np.asarray(cumulative, dtype=np.int64)
    total = max(1.0, float(np.rint(cumulative[-1])))
    return np.asarray(np.rint(cumulative * (total / cumulative[-1])), dtype=np.int64)


def weighted_cuts(counts: Counts, *, along_positives: bool, confidence_level: float) -> Cuts:
    """Return the cuts of a table with sampling weights or clusters, along one of its classes."""
    sides = []
    for share, worth in worth_above(counts, confidence_level):
        size = max(1, round(float(worth[-1])))
        sides.append((share * size, size, worth))
    (along, n_along, first), (across, n_across, second) = sides if along_positives else sides[::-1]
    return Cuts(along, across, n_along, n_across, counts._complete, (first, second))


# Draws are made in groups of about this many numbers, so that memory stays small; the numbers do not depend on it.
_BLOCK = 1 << 22


class Draws(NamedTuple):
    """Proportions of the other class (draw i, abscissa j): `low` is 0 where none was seen, `high` 1 where all were."""

    low: FloatArray
    high: FloatArray


def draw_curves(cuts: Cuts, x: FloatArray, n_draws: int, rng: np.random.Generator) -> Draws:
    """Draw whole curves at increasing abscissas.

    The members of the along class above the cuts are multinomial counts. Inside a block of ties the other class is
    interpolated; where the curve is vertical it is between two counts, and each draw takes one of them at random. Its
    shares are sums of a Dirichlet vector whose shapes are the increments of the count, with one half at both ends.
    """
    parts = [_draw(cuts, x, rows, rng) for rows in _groups(n_draws, x.size)]
    return Draws(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _groups(n_draws: int, points: int) -> list[int]:
    size = max(1, _BLOCK // max(points, 1))
    return [min(size, n_draws - start) for start in range(0, n_draws, size)]


def _draw(cuts: Cuts, x: FloatArray, rows: int, rng: np.random.Generator) -> Draws:
    steps = np.diff(x, prepend=0.0, append=1.0)
    j = np.cumsum(rng.multinomial(cuts.n_along, np.maximum(steps, 0.0) / steps.sum(), size=rows)[:, :-1], axis=1)
    coin = rng.random(rows) < 0.5
    if cuts.tied:
        place = cuts.at(j.astype(np.float64))
        seen = np.where(coin[:, None], place.low, place.high)
    else:
        seen = np.where(coin[:, None], cuts.fewest(j), cuts.most(j))
    shape = np.maximum(np.diff(seen, axis=1, prepend=0, append=cuts.n_across), 0.0)
    shape[:, 0] += 0.5
    shape[:, -1] += 0.5
    mass = np.cumsum(rng.standard_gamma(shape), axis=1)
    share = mass[:, :-1] / mass[:, -1:]
    return Draws(np.where(seen == 0, 0.0, share), np.where(seen == cuts.n_across, 1.0, share))


def rank_envelope(low: FloatArray, high: FloatArray, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Return the narrowest envelope of equal ranks that holds the wanted proportion of the draws as a whole."""
    draws = low.shape[0]
    sorted_low, sorted_high = np.sort(low, axis=0), np.sort(high, axis=0)
    worst = np.full(draws, draws)
    for column in range(low.shape[1]):
        # The rank from an end counts the values that are not nearer to it; equal values share the better rank.
        from_below = np.searchsorted(sorted_low[:, column], low[:, column], side="right")
        from_above = draws - np.searchsorted(sorted_high[:, column], high[:, column], side="left")
        np.minimum(worst, np.minimum(from_below, from_above), out=worst)
    # The largest rank k such that enough draws are nowhere further out than rank k.
    wanted = int(np.ceil(confidence_level * draws))
    k = int(np.sort(worst)[draws - wanted])
    return sorted_low[k - 1], sorted_high[draws - k]


def hardly_differ(cuts: Cuts, x: FloatArray) -> int:
    """Return at how many points resampled curves hardly differ: almost none, or almost all, of a class stand above."""
    above = cuts.value(x) * cuts.n_across
    few = (above < FEW_ACROSS) | (cuts.n_across - above < FEW_ACROSS)
    # Where everything is predicted positive the curve is known.
    return int(np.count_nonzero(few & (x < 1.0)))


def bootstrap_band(curves: FloatArray, level: float, *, simultaneous: bool) -> tuple[FloatArray, FloatArray]:
    """Return quantiles at each point, or the narrowest envelope of equal ranks that holds enough whole curves."""
    if simultaneous:
        return rank_envelope(curves, curves, level)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(curves, (tail, 1.0 - tail), axis=0)
    return low, high


_NUMBERS_AT_ONCE = 1 << 22
FEW_ACROSS = 5


def worth_of_classes(counts: Counts) -> tuple[float, float]:
    """Return how many positives and negatives the prevalence is worth."""
    pos, neg = counts._typical
    yes, no = float(counts.n_pos), float(counts.n_neg)
    worth = float(effective_size(yes, no, float(pos.above[-1]), float(neg.above[-1])))
    sampling, none = sampling_of(counts), np.zeros(len(counts))
    influence = Influence(none, none, -counts.prevalence * (1.0 - counts.prevalence))
    full = sampling.spread(influence, corrected=False).variance
    held = full - sampling.added(influence)
    worth = worth * held / full if held > 0.0 and full > 0.0 else worth
    return worth * counts.prevalence, worth * (1.0 - counts.prevalence)


def drawn_curves(
    counts: Counts, x: FloatArray, n_draws: int, rng: np.random.Generator, *, along_positives: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Bayesian-bootstrap draws of the curve, for the lower and the upper end, and the odds of each draw.

    Half a row more stands beyond both ends of each class.
    """
    sums = [counts.pos.astype(np.float64), counts.neg.astype(np.float64)]
    masses = sampling_of(counts).masses
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


def resampled_curves(
    counts: Counts,
    x: FloatArray,
    n_draws: int,
    rng: np.random.Generator,
    *,
    along_positives: bool,
    stratified: bool,
    odds: float | None = None,
) -> FloatArray:
    """Return curves of redrawn rows or clusters: row i is a resample, column j an abscissa.

    Recalls of ROC curves, or along the positives precisions at recalls above 0, for so many negatives for each
    positive.
    """
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=stratified)
    key = stream_key(rng)
    wanted = Requested(odds or 0.0, recalls=x) if along_positives else Requested(fprs=x)

    def read(pos: FloatArray, neg: FloatArray) -> FloatArray:
        one, other = (np.append(0.0, np.cumsum(side)) / side.sum() for side in (pos, neg))
        if not along_positives:
            return Cuts(other, one, 1, 1).value(x, at_jumps="upper")
        skew = neg.sum() / pos.sum() if odds is None else odds
        return np.asarray(x / (x + skew * Cuts(one, other, 1, 1).value(x)))

    def drawn(first: int, count: int) -> FloatArray:
        return np.stack([read(pos, neg) for pos, neg in zip(*draws.draw(key, first, count), strict=True)])

    if not (isinstance(draws, CountDraws) and draws.measurable):
        return run_batches(drawn, n_draws, rows=batch_rows(len(counts)))

    def measured(first: int, count: int) -> FloatArray:
        found = draws.measured(wanted, key, first, count)
        return found.precision_at if along_positives else found.tpr_at

    return run_batches(measured, n_draws, rows=at_once(sum(draws.units)))
