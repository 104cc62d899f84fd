"""Uno's concordance index: how often the row with the earlier event has the higher score, up to a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._horizons.at_horizon import HorizonValue
from thresher._table import Outcome
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray, ScoreArray


def concordance_at(rows: Outcome, score: ScoreArray, tau: float) -> HorizonValue:
    """Return Uno's C of events before tau, with influence values that account for the estimated weights."""
    if rows.entry is not None or rows.known is not None or np.unique(rows.event[rows.event > 0]).size > 1:
        raise InvalidInputError(
            "Uno's C needs one kind of event, rows that are followed from the start and `censoring='kaplan-meier'`. "
            "Hint: `mean_roc_auc()` takes competing events, late entry and known probabilities."
        )
    v, censored = rows.v, ~rows.happened
    weight = rows.followed.weights(tau, v)
    early = rows.happened & (rows.time < tau)
    # The earlier row of a pair has its weight twice: once for itself and once for the other, seen until then.
    first = np.where(early, weight * weight / v, 0.0)
    rank = np.unique(score, return_inverse=True)[1].reshape(-1)
    # By time, events before censorings; events of the same time are no pair, so the lower score comes first.
    order = np.lexsort((rank, censored, rows.time))
    wins, beaten = pairs_out_of_order(rank[order], first[order], v[order])
    ties_first, ties_second = _tied(rank, rows.time, censored, first, v)
    win, lose = np.empty(v.size), np.empty(v.size)
    win[order], lose[order] = wins, beaten
    later, before = _comparable(rows.time, censored, first, v)
    total = float((first * later).sum())
    if not total > 0.0:
        raise UndefinedMetricError(
            f"No pair of rows has an event before tau = {tau:g} and a row that is followed longer. Hint: a larger tau."
        )
    value = float((first * (win + ties_first / 2.0)).sum()) / total
    a = first * (win + ties_first / 2.0 - value * later) / total
    b = v * (lose + ties_second / 2.0 - value * before) / total
    influence = rows.by_unit(a + b + 2.0 * (rows.followed.chained(tau, v, a) - a))
    m = influence.size
    return HorizonValue(value, influence, float(influence @ influence) * m / (m - 1.0))


def pairs_out_of_order(rank: NDArray[np.intp], first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return for each row the sum of `second` over later rows of lower rank, and of `first` over earlier of higher.

    From the highest bit of the rank to the lowest: rows that agree in the bits above form a block, in their order, and
    those with the bit set are above those without.
    """
    wins, beaten = np.zeros(rank.size), np.zeros(rank.size)
    at = np.arange(rank.size)  # the row at each place, block after block
    for bit in range(int(rank.max(initial=0)).bit_length() - 1, -1, -1):
        own = rank[at]
        block = own >> (bit + 1)
        upper = ((own >> bit) & 1).astype(np.bool_)
        starts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
        sizes = np.diff(np.append(starts, at.size))
        lower_mass = np.cumsum(np.where(upper, 0.0, second[at]))
        upper_mass = np.cumsum(np.where(upper, first[at], 0.0))
        end = np.repeat(lower_mass[starts + sizes - 1], sizes)
        begin = np.repeat(np.append(0.0, upper_mass)[starts], sizes)
        wins[at[upper]] += (end - lower_mass)[upper]
        beaten[at[~upper]] += (upper_mass - begin)[~upper]
        zeros = np.cumsum(~upper)
        zeros_before = zeros - ~upper - np.repeat(np.append(0, zeros)[starts], sizes)
        number = np.repeat(np.add.reduceat(~upper, starts, dtype=np.intp), sizes)
        place = np.arange(at.size) - np.repeat(starts, sizes)
        moved = np.repeat(starts, sizes) + np.where(upper, number + place - zeros_before, zeros_before)
        again = np.empty_like(at)
        again[moved] = at
        at = again
    return wins, beaten


def _comparable(
    time: FloatArray, censored: NDArray[np.bool_], first: FloatArray, second: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return for each row the sum of `second` over rows that outlast it, and of `first` over rows that it outlasts."""
    return _tied(np.zeros(time.size, dtype=np.intp), time, censored, first, second)


def _tied(
    rank: NDArray[np.intp],
    time: FloatArray,
    censored: NDArray[np.bool_],
    first: FloatArray,
    second: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the same among rows of equal rank: a row censored at the time of an event outlasts it."""
    order = np.lexsort((censored, time, rank))
    r, x, c = rank[order], time[order], censored[order]
    new_rank = np.append(True, r[1:] != r[:-1])
    new_time = new_rank | np.append(True, (x[1:] != x[:-1]) | (c[1:] != c[:-1]))
    starts, rank_starts = np.flatnonzero(new_time), np.flatnonzero(new_rank)
    ends = np.append(starts[1:], r.size)
    group, of_rank = np.cumsum(new_time) - 1, np.cumsum(new_rank) - 1
    rank_ends = np.append(rank_starts[1:], r.size)
    sum_first, sum_second = (np.append(0.0, np.cumsum(own[order])) for own in (first, second))
    later = sum_second[rank_ends[of_rank]] - sum_second[ends[group]]
    before = sum_first[starts[group]] - sum_first[rank_starts[of_rank]]
    out_later, out_before = np.empty(r.size), np.empty(r.size)
    out_later[order], out_before[order] = later, before
    return out_later, out_before
