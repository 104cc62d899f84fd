"""The binomial-beta interval of precision when the number of positives is random as well."""

from __future__ import annotations

import numpy as np
import scipy

from thresher._inference.bands.binomial_beta import Mixtures
from thresher._inference.rates.proportion import ADVERSE
from thresher.typing import FloatArray

__all__ = ["odds_interval"]

# Points at which a distribution is tabulated, and the normal scores that stand for the uncertain prevalence.
_POINTS = 64
_NODES = np.linspace(-4.0, 4.0, 21)
# Probability that a table leaves out at the end of the wanted quantile, and at the other one.
_LEFT_OUT, _LEFT_OUT_FAR = 1e-5, 1e-2
_HIGHEST_SCORE = 8.0


def odds_interval(
    shares: tuple[Mixtures, Mixtures], n_pos: float, n_neg: float, tail: float
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper `tail` quantile of share · (1 - prevalence) / prevalence.

    The lower side takes the first mixture, the upper side the second. The prevalence is
    that of the default interval of a share: Beta(n_pos + 3/4, n_neg) on the lower side and Beta(n_pos, n_neg + 3/4) on
    the upper. They are independent. Both end rules hold: none seen means a proportion of 0 on the lower side,
    all seen means 1 on the upper.
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
