"""The binomial-beta distribution of a curve at one abscissa, and its quantiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._cells import ADVERSE
from thresher._core.decimals import portion
from thresher._inference.bands.cuts import Cuts
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, FloatArray, IntArray

# Terms of the binomial beyond this many standard deviations (and a few counts) weigh less than 1e-9 together.
_REACH, _EXTRA = 6.0, 20.0
_MOST_TERMS = 4096
# Beta components closer than this, in units of their own spread, are taken together.
_BIN = 0.2
_BIN_INSIDE = 0.02
# However large a block of ties, its cases count at most as so many.
_MOST_GAIN = 50.0
# From this shape on the tail formula is within 3e-5 of the incomplete beta function and much faster.
_LARGE_SHAPE = 30.0
# Places of single counts stand far from those of bins.
_OWN_PLACE = 2**62
_MOST_CASES = 10**12
_INSIDE_PLACE = 2**60
# Further from the mean, in standard deviations, a large beta has no probability that could be seen.
_FAR = 9.0
# Components that weigh less cannot be seen in a quantile.
_NO_WEIGHT = 1e-9
# What rounding leaves of whole numbers that are known as shares.
_WHOLE = 1e-9
# Quantiles are found to this many standard deviations.
_CLOSE, _MOST_STEPS = 1e-6, 60


class Mixtures(NamedTuple):
    """Weighted beta components, one group for each abscissa.

    Component c of abscissa `owner[c]` stands for Beta(scale seen + 1/2, scale (total - seen) + 1/2), with a `scale` of
    1 but inside blocks of ties. `at_none` and `at_all` are the probabilities that none, or all, stand above the cut.
    """

    owner: NDArray[np.intp]
    seen: FloatArray
    weight: FloatArray
    total: int
    at_none: FloatArray
    at_all: FloatArray
    scale: FloatArray

    def shapes(self) -> tuple[FloatArray, FloatArray]:
        """Return both shapes of each component."""
        return self.scale * self.seen + 0.5, self.scale * (self.total - self.seen) + 0.5

    def cdf(self, value: FloatArray) -> FloatArray:
        """Return the distribution function of each group at its own value."""
        parts = self.weight * beta_cdf(*self.shapes(), value[self.owner])
        return _sums(self.owner, parts, value.size)

    def without(self, seen: int) -> Mixtures:
        """Return the components that saw another number; their weights then add up to less than 1."""
        kept = self.seen != seen
        columns = (self.owner, self.seen, self.weight, self.scale)
        owner, some, weight, scale = (column[kept] for column in columns)
        return self._replace(owner=owner, seen=some, weight=weight, scale=scale)

    def log_moments(self) -> tuple[FloatArray, FloatArray]:
        """Return a rough mean and standard deviation of the log odds of each group, for starting values."""
        a, b = self.shapes()
        log_odds = np.log(a / b)
        size = self.at_none.size
        mass = np.maximum(_sums(self.owner, self.weight, size), _NO_WEIGHT)
        mean = _sums(self.owner, self.weight * log_odds, size) / mass
        away = np.square(log_odds - mean[self.owner]) + 1.0 / a + 1.0 / b
        return mean, np.sqrt(_sums(self.owner, self.weight * away, size) / mass)


def _sums(owner: NDArray[np.intp], values: FloatArray, size: int) -> FloatArray:
    """Return the sum of the values of each group."""
    return np.bincount(owner, weights=values, minlength=size).astype(np.float64, copy=False)


def mixtures(cuts: Cuts, x: FloatArray, of: tuple[str, ...] = ("fewest", "most")) -> Mixtures:
    """Return the binomial mixture of the curve at each x.

    The number J of the along class above the true cut is Bin(n_along, x), and given J the proportion of the other class
    has a beta distribution around what the sample's curve shows there; both ends of a vertical stretch weigh one half.

    Inside a block of ties a case counts by the proportion of the block that is called, which varies less than a case
    that is in or out: so the binomial there is that of more trials, and the beta distribution that of more cases; in
    small blocks the reduction is tempered, since how many cases they hold is itself a matter of chance.
    """
    if max(cuts.n_along, cuts.n_across) > _MOST_CASES:
        raise InvalidInputError(
            f'A band by "binomial-beta" must have at most 10**12 cases of each class; got {cuts.n_along} and '
            f'{cuts.n_across}. Hint: method="logit" has no limit and for so many cases the same width.'
        )
    ends: tuple[CountArray, CountArray]
    trials = _trials(cuts, x) if cuts.tied else cuts.size(x)
    j, weight = _binomial_window(trials, x)
    # The quotient is rounded correctly, so that it meets a vertex exactly where it is one.
    here = j * cuts.n_along / trials[:, None]
    place, gain = cuts.at(here), np.ones(j.shape)
    if cuts.tied:
        ends = place.low, place.high
        share = place.low / cuts.n_across
        rise = place.rise * place.worth[0]
        gain = _gain(share * (1.0 - share), _less(place.share, rise, rise, cuts.n_across * place.worth[0]))
    else:
        ends = cuts.fewest(here), cuts.most(here, cuts.n_along / trials[:, None])
    taken = [end for end, name in enumerate(("fewest", "most")) if name in of]
    parts = [_binned(ends[end], gain * place.worth[end], weight / len(taken), cuts.n_across) for end in taken]
    owner, where, moment, mass, size = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    # Without ties the fewest above one cut are the most above the cut before, so most components meet a twin here.
    order = np.lexsort((where, owner))
    owner, where, moment, mass, size = owner[order], where[order], moment[order], mass[order], size[order]
    starts = np.flatnonzero(np.append(True, (owner[1:] != owner[:-1]) | (where[1:] != where[:-1])))
    mass, moment, size = (np.add.reduceat(column, starts) for column in (mass, moment, size))
    owner = owner[starts]
    # A place that holds one count gets that count back, free of rounding.
    own = np.abs(where[starts]) >= _OWN_PLACE // 2
    seen = np.where(own, np.rint(moment / mass), moment / mass)
    none, all_ = (_sums(owner, mass * (seen == end), x.size) for end in (0, cuts.n_across))
    return Mixtures(owner, seen, mass, cuts.n_across, none, all_, size / mass)


def _trials(cuts: Cuts, x: FloatArray) -> FloatArray:
    """Return of how many trials the number of the along class above the cut is a binomial count."""
    n = cuts.size(x)
    place = cuts.at(portion(x, cuts.n_along))
    width = place.width if cuts.worth is None else place.width / cuts.n_along * n
    less = _less(place.share, width - 1, width, n)
    return np.floor(_gain(x * (1.0 - x), less) * n + 0.5)


def _less(share: FloatArray, held: CountArray, block: CountArray, total: FloatArray) -> FloatArray:
    """Return by how much the variance of a share is smaller inside a block of ties, times the number of cases."""
    held = np.maximum(held, 0)
    return share * (1.0 - share) * np.square(held, dtype=np.float64) / ((block + 2.0) * total)


def _gain(variance: FloatArray, less: FloatArray) -> FloatArray:
    """Return how many times more cases would have the variance that is left; 1 where none is taken off."""
    left = np.maximum(variance - less, variance / _MOST_GAIN)
    return np.where(less > 0.0, variance / np.where(left > 0.0, left, 1.0), 1.0)


def _binomial_window(n: FloatArray | IntArray, x: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the values of Bin(n, x) that matter and their probabilities; of very many only every so many-th."""
    n = np.asarray(n, dtype=np.float64)
    reach = np.ceil(_REACH * np.sqrt(n * x * (1.0 - x)) + _EXTRA)
    first = np.maximum(np.floor(n * x - reach), 0.0)
    stride = np.maximum(np.ceil((2.0 * reach + 2.0) / _MOST_TERMS), 1.0)
    width = int(min((2.0 * reach / stride).max() + 2.0, n.max() + 1.0))
    j = first[:, None] + stride[:, None] * np.arange(width)
    most = n[:, None]
    inside = j <= most
    j = np.minimum(j, most)
    log_choose = -np.log(most + 1.0) - scipy.special.betaln(most - j + 1.0, j + 1.0)
    log_weight = log_choose + scipy.special.xlogy(j, x[:, None]) + scipy.special.xlog1py(most - j, -x[:, None])
    with np.errstate(under="ignore"):
        weight = np.exp(log_weight) * inside
        return j.astype(np.int64), weight / weight.sum(axis=1, keepdims=True)


def _binned(
    seen: CountArray, scale: FloatArray, weight: FloatArray, total: int
) -> tuple[NDArray[np.intp], IntArray, FloatArray, FloatArray, FloatArray]:
    """Return components (owner, place, weight times seen, weight, weight times scale), near ones added up."""
    angle = np.arcsin(np.sqrt((seen + 0.25) / (total + 0.5)))
    place = np.floor(angle * (2.0 * np.sqrt(total + 0.5) / _BIN)).astype(np.int64)
    # Counts near 0 and near the total each keep a place of their own: there the beta changes shape with every count.
    count = np.rint(seen).astype(np.int64)
    place = np.where(
        seen < _LARGE_SHAPE, count - _OWN_PLACE, np.where(total - seen < _LARGE_SHAPE, count + _OWN_PLACE, place)
    )
    # Inside blocks of ties there are no counts; narrower bins do.
    fine = np.floor(angle * (2.0 * np.sqrt(total + 0.5) / _BIN_INSIDE)).astype(np.int64)
    whole = (np.abs(scale - 1.0) < _WHOLE) & (np.abs(count - seen) < _WHOLE)
    inside = ~whole & (seen != 0) & (seen != total)
    place = np.where(inside, fine + _INSIDE_PLACE, place)
    change = np.ones(seen.shape, dtype=bool)
    change[:, 1:] = place[:, 1:] != place[:, :-1]
    starts = np.flatnonzero(change)
    mass = np.add.reduceat(weight.ravel(), starts)
    kept = mass > _NO_WEIGHT
    moment, size = (np.add.reduceat((weight * column).ravel(), starts)[kept] for column in (seen, scale))
    return (starts // seen.shape[1])[kept], place.ravel()[starts][kept], moment, mass[kept], size


def beta_cdf(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """Return P(Beta(a, b) <= x); where both shapes are large, within 3e-5.

    There by Barndorff-Nielsen's modified signed root of the deviance.
    """
    total = a + b
    mean, rest = a / total, b / total
    wald = (x - mean) * np.sqrt(total / (mean * rest))
    large = (a >= _LARGE_SHAPE) & (b >= _LARGE_SHAPE)
    out = (wald > 0.0).astype(np.float64)
    exact = ~large
    out[exact] = scipy.special.betainc(a[exact], b[exact], x[exact])
    use = np.flatnonzero(large & (np.abs(wald) < _FAR) & (x > 0.0) & (x < 1.0))
    a, b, mean, rest, wald, x = a[use], b[use], mean[use], rest[use], wald[use], x[use]
    away = x - mean
    deviance = -2.0 * (a * np.log1p(away / mean) + b * np.log1p(-away / rest))
    root = np.copysign(np.sqrt(np.maximum(deviance, 0.0)), away)
    # Near the mean the quotient is its limit, a third of the skewness.
    near = np.abs(wald) < 1e-2
    safe = np.where(near, 1.0, root)
    shift = np.log(np.where(near, 1.0, wald / safe)) / safe
    out[use] = scipy.special.ndtr(root + np.where(near, (rest - mean) / np.sqrt((a + b) * mean * rest) / 3.0, shift))
    return out


def alpha_interval(mixture: Mixtures, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper `tail` quantile of the proportion of the other class above each cut.

    If none were seen the share may be 0, if all it may be 1: on its own side each of these events stands at the very
    end.
    """
    none, all_ = mixture.at_none >= tail, mixture.at_all >= tail
    low = quantile(mixture.without(0), np.where(none, 0.5, tail - mixture.at_none))
    high = quantile(mixture.without(mixture.total), np.where(all_, 0.5, 1.0 - tail))
    return np.where(none, 0.0, low), np.where(all_, 1.0, high)


def of_bends(cuts: Cuts, bend: NDArray[np.intp]) -> Mixtures:
    """Return the distribution of the proportion of the other class above some cuts."""
    seen = cuts.across[bend].astype(np.float64)
    ones = np.ones(seen.size)
    ends = [np.asarray(seen == end, dtype=np.float64) for end in (0, cuts.n_across)]
    scale = ones if cuts.worth is None else cuts.worth[1][bend] / cuts.n_across
    return Mixtures(np.arange(seen.size), seen, ones, cuts.n_across, ends[0], ends[1], scale)


def with_bends(
    ends: tuple[FloatArray, FloatArray], cuts: Cuts, x: FloatArray, of: Callable[[Mixtures], tuple[FloatArray, ...]]
) -> tuple[FloatArray, FloatArray]:
    """Return limits at x that reach those of bends of the curve, whose place may be x; `of` gives their limits."""
    low, high = ends[0].copy(), ends[1].copy()
    above, bend = cuts.next_bend(x)
    high[above] = np.maximum(high[above], of(of_bends(cuts, bend))[1])
    below, bend = cuts.reflected().next_bend(1.0 - x)
    low[below] = np.minimum(low[below], of(of_bends(cuts, cuts.along.size - 1 - bend))[0])
    return low, high


def quantile(mixture: Mixtures, p: FloatArray) -> FloatArray:
    """Return where each group's distribution function reaches p; anything where it never does."""
    centre, spread = mixture.log_moments()
    return np.asarray(
        scipy.special.expit(
            normal_root(lambda u: mixture.cdf(scipy.special.expit(u)), np.maximum(p, _NO_WEIGHT), centre, spread)
        )
    )


def normal_root(
    cdf: Callable[[FloatArray], FloatArray], p: FloatArray, centre: FloatArray, spread: FloatArray
) -> FloatArray:
    """Return the p quantile of distributions that are roughly normal with this centre and spread.

    By secant steps on the normal scale, where the distribution function is nearly straight, kept inside a bracket.
    """
    z = scipy.special.ndtri(p)

    def away(u: FloatArray) -> FloatArray:
        # Weights add up to 1 within rounding only.
        return np.asarray(np.clip(scipy.special.ndtri(np.clip(cdf(u), 0.0, 1.0)), -40.0, 40.0) - z)

    spread = np.maximum(spread, 1e-9)
    old = centre + np.clip(z, -4.0, 4.0) * spread
    f_old = away(old)
    low, high = np.where(f_old <= 0.0, old, -np.inf), np.where(f_old > 0.0, old, np.inf)
    new = old - np.clip(f_old, -1.5, 1.5) * spread
    for _ in range(_MOST_STEPS):
        f_new = away(new)
        low, high = np.where(f_new <= 0.0, new, low), np.where(f_new > 0.0, new, high)
        done = (np.abs(f_new) < _CLOSE) | (high - low < _CLOSE * spread) | (np.abs(new) > 700.0)
        if done.all():
            break
        rise = np.where(f_new == f_old, 1.0, f_new - f_old)
        step = np.clip(-f_new * (new - old) / rise, -2.0 * spread, 2.0 * spread)
        lost = (f_new == f_old) | (new + step <= low) | (new + step >= high) | (step * f_new > 0.0)
        with np.errstate(invalid="ignore"):
            halfway = np.where(np.isfinite(high - low), (low + high) / 2.0, new - np.sign(f_new) * spread)
        old, f_old, new = new, f_new, np.where(done, new, np.where(lost, halfway, new + step))
    return np.asarray(new)


# Points at which a distribution is tabulated, and the normal scores that stand for the uncertain prevalence.
_POINTS = 64
_NODES = np.linspace(-4.0, 4.0, 21)
# Probability that a table leaves out at the end of the wanted quantile, and at the other one.
_LEFT_OUT, _LEFT_OUT_FAR = 1e-5, 1e-2
_HIGHEST_SCORE = 8.0


def odds_interval(
    shares: tuple[Mixtures, Mixtures], n_pos: float, n_neg: float, tail: float
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper `tail` quantile of share x (1 - prevalence) / prevalence, by these two mixtures.

    The prevalence is that of the default interval of a share: Beta(n_pos + 3/4, n_neg) below and Beta(n_pos, n_neg +
    3/4) above. None seen means a proportion of 0 on the lower side, all seen means 1 on the upper.
    """
    below_of, above_of = shares
    none = below_of.at_none >= tail

    log_odds = _log_odds_nodes(n_pos + ADVERSE, n_neg)
    t, below = _tabulated(below_of.without(0), log_odds, (_LEFT_OUT, 1.0 - _LEFT_OUT_FAR))
    low = np.exp(_crossing(t, below + below_of.at_none[:, None], tail))

    log_odds = _log_odds_nodes(n_pos, n_neg + ADVERSE)
    t, below = _tabulated(above_of.without(above_of.total), log_odds, (_LEFT_OUT_FAR, 1.0 - _LEFT_OUT))
    # Where all were seen the share is 1 and only the prevalence is uncertain: that part needs no table.
    known = above_of.at_all[:, None] * scipy.special.betainc(n_neg + ADVERSE, n_pos, scipy.special.expit(t))
    high = np.exp(_crossing(t, below + known, 1.0 - tail))
    return np.where(none, 0.0, low), high


def _log_odds_nodes(pos: float, neg: float) -> FloatArray:
    """Return the log odds of a prevalence of this beta distribution at the quantiles of the normal nodes."""
    share = scipy.special.betaincinv(pos, neg, scipy.special.ndtr(_NODES))
    rest = scipy.special.betaincinv(neg, pos, scipy.special.ndtr(-_NODES))
    return np.asarray(np.log(share / rest))


def _tabulated(mixture: Mixtures, log_odds: FloatArray, between: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return, for each group, a grid of t and P(log share - log odds <= t) on it (less than 1 at the end)."""
    low, high = _range_of_log_share(mixture, between)
    # A proportion of 1 may stand aside from the components: the grid has to reach it.
    high = np.where(mixture.at_all > 0.0, 0.0, high)
    steps = np.linspace(0.0, 1.0, _POINTS)
    width = np.maximum(high - low, 1e-9)[:, None]
    shares = np.minimum(np.exp(low[:, None] + width * steps), 1.0)
    table = np.stack([mixture.cdf(column) for column in shares.T], axis=1)
    mass = np.maximum(np.bincount(mixture.owner, weights=mixture.weight, minlength=low.size), 1e-300)[:, None]
    # Straight lines between the points of the table are drawn on the normal scale, where it is nearly straight.
    score = np.clip(scipy.special.ndtri(np.clip(table / mass, 0.0, 1.0)), -_HIGHEST_SCORE, _HIGHEST_SCORE)

    t = (low - log_odds[-1])[:, None] + (width + (log_odds[-1] - log_odds[0])) * steps
    weight = np.exp(-np.square(_NODES) / 2.0)
    row = np.arange(low.size)[:, None]
    below = np.zeros(t.shape)
    with np.errstate(under="ignore"):
        for node, part in zip(log_odds, weight / weight.sum(), strict=True):
            place = np.clip((t + node - low[:, None]) / width * (_POINTS - 1), 0.0, _POINTS - 1.0)
            left = np.minimum(place.astype(np.intp), _POINTS - 2)
            share = place - left
            inside = scipy.special.ndtr(score[row, left] * (1.0 - share) + score[row, left + 1] * share)
            below += part * inside
        return t, below * mass


def _range_of_log_share(mixture: Mixtures, between: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return logs of shares below and above those at which each group has these two probabilities."""
    size = mixture.at_none.size
    if mixture.owner.size == 0:
        return np.full(size, -1.0), np.zeros(size)
    running = np.cumsum(mixture.weight)
    ends = []
    first = np.searchsorted(mixture.owner, np.arange(size), side="left")
    last = np.maximum(np.searchsorted(mixture.owner, np.arange(size), side="right") - 1, 0)
    before = np.append(0.0, running)[first]
    shapes = mixture.shapes()
    for p in between:
        target = before + p * (running[last] - before)
        place = np.clip(np.searchsorted(running, target), np.minimum(first, last), last)
        a, b = (shape[place] for shape in shapes)
        ends.append(np.log(scipy.special.betaincinv(a, b, p)))
    return ends[0], ends[1]


def _crossing(t: FloatArray, below: FloatArray, p: float) -> FloatArray:
    """Return where each row of an increasing table reaches p; its last point where it never does."""
    score = scipy.special.ndtri(np.clip(below, 1e-300, 1.0 - 1e-16))
    z = float(scipy.special.ndtri(p))
    after = np.clip((score < z).sum(axis=1), 1, _POINTS - 1)
    row = np.arange(t.shape[0])
    left, right = score[row, after - 1], score[row, after]
    share = np.clip((z - left) / np.where(right > left, right - left, 1.0), 0.0, 1.0)
    return np.asarray(t[row, after - 1] + share * (t[row, after] - t[row, after - 1]))
