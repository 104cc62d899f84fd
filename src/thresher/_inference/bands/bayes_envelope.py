"""Simultaneous bands from draws of whole curves: the Bayesian bootstrap, cut by ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._inference.bands.class_cuts import Cuts
from thresher.typing import FloatArray

__all__ = ["Draws", "draw_curves", "rank_envelope"]

# Draws are made in groups of about this many numbers, so that memory stays small; the numbers do not depend on it.
_BLOCK = 1 << 22


class Draws(NamedTuple):
    """Proportions of the other class above each cut: row i is a draw, column j an abscissa.

    `low` has 0 wherever a draw saw none of them, `high` has 1 wherever it saw all: the two end rules.
    """

    low: FloatArray
    high: FloatArray


def draw_curves(cuts: Cuts, x: FloatArray, n_draws: int, rng: np.random.Generator) -> Draws:
    """Draw whole curves at increasing abscissas.

    The members of the along class above the cuts are multinomial counts. Inside a block of ties the other class is
    interpolated; where the curve is vertical it is between two counts, and each draw takes one of them at random. Its
    shares then are sums of a Dirichlet vector whose shapes are the increments of the count, with one half added at both
    ends, so that each share alone is Beta(count + 1/2, rest + 1/2).
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
