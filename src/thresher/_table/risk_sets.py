"""Rows at risk of censoring at each time: weights of inverse probability, and what estimating them adds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher.typing import BoolArray, FloatArray


class RiskStratum(NamedTuple):
    """The rows of a stratum in the order of time; rows of the same time are a group.

    Attributes
    ----------
    rows : array of shape (m,)
        The numbers of the rows, earliest first.
    starts : array of shape (k,)
        The first row of each group.
    group : array of shape (m,)
        The group of each row.
    times : array of shape (k,)
        The time of each group.
    """

    rows: NDArray[np.intp]
    starts: NDArray[np.intp]
    group: NDArray[np.intp]
    times: FloatArray

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sum of each group; the last axis runs over the rows of the stratum."""
        if self.starts.size == self.rows.size:
            return values
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1))


def _stratum(time: FloatArray, rows: NDArray[np.intp] | None) -> RiskStratum:
    """Put the rows of a stratum in the order of time."""
    own = time if rows is None else time[rows]
    sorted_by_kernel = native.available() and native.takes(own)
    order = native.order(own) if sorted_by_kernel else np.argsort(own, kind="stable")
    ordered = own[order]
    first = np.ones(ordered.size, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    rows = order if rows is None else rows[order]
    starts = np.flatnonzero(first)
    if starts.size == ordered.size:
        return RiskStratum(rows, starts, starts, ordered)
    group = np.repeat(np.arange(starts.size), np.diff(np.append(starts, ordered.size)))
    return RiskStratum(rows, starts, group, ordered[starts])


class _Counted(NamedTuple):
    """Of one stratum, by time: at risk of censoring, rows that stay after it, censored, and 1 / G just before it."""

    at_risk: FloatArray
    stay: FloatArray
    censored: FloatArray
    inverse: FloatArray


class Followed:
    """Rows that are followed from an origin until an event or until they are censored.

    `happened` says in which rows an event of any cause came, `v` what each row counts.
    """

    late = False

    def weights(self, t: float, v: FloatArray) -> FloatArray:
        """Return v times the inverse probability of being seen at t, of every row as if its status were known.

        `v` has shape (..., n): other multiplicities of the rows give other probabilities.
        """
        raise NotImplementedError

    def chained(self, t: float, v: FloatArray, u: FloatArray) -> FloatArray:
        """Return the influence values with the probabilities estimated, from those `u` with the weights held."""
        raise NotImplementedError

    def lost(self, t: float, v: FloatArray) -> Any:
        """Return the label of a stratum in which nobody is left to stand for rows censored before t; else None."""
        raise NotImplementedError


class FollowedFromStart(Followed):
    """Rows that are all followed from time 0: Kaplan-Meier's estimate of the time to censoring, within strata.

    Events come before censorings of the same time, so a row with an event is not at risk of being censored then.
    """

    def __init__(self, time: FloatArray, happened: BoolArray, strata: NDArray[Any] | None = None) -> None:
        self._happened = happened
        self._last: tuple[FloatArray, list[_Counted]] | None = None
        self._labels: NDArray[Any] | None = None
        if strata is None:
            self.strata = [_stratum(time, None)]
            return
        self._labels, code = np.unique(strata, return_inverse=True)
        order = np.argsort(code.reshape(-1), kind="stable")
        ends = np.cumsum(np.bincount(code.reshape(-1)))
        self.strata = [_stratum(time, rows) for rows in np.split(order, ends[:-1])]

    def _count(self, part: RiskStratum, v: FloatArray) -> _Counted:
        """Return the counts of a stratum at each of its times."""
        happened = self._happened[part.rows]
        if v.ndim == 1 and bool((v == 1.0).all()):  # rows are counted, which needs no sums
            censored = part.sums((~happened).astype(np.float64))
            stay = np.zeros(part.starts.size)
            np.subtract(part.rows.size, part.starts[1:], out=stay[:-1])
        else:
            own = v[..., part.rows]
            censored = part.sums(np.where(happened, 0.0, own))
            from_here = np.cumsum(part.sums(own)[..., ::-1], axis=-1)[..., ::-1]
            stay = np.zeros_like(from_here)
            stay[..., :-1] = from_here[..., 1:]
        at_risk = stay + censored
        factor = np.divide(at_risk, stay, out=np.ones_like(stay), where=stay > 0.0)
        inverse = np.ones((*factor.shape[:-1], factor.shape[-1] + 1))
        np.cumprod(factor, axis=-1, out=inverse[..., 1:])
        return _Counted(at_risk, stay, censored, inverse)

    def counted(self, v: FloatArray) -> list[_Counted]:
        """Return the counts of every stratum; those of the last array are kept, as every horizon needs them."""
        if self._last is None or self._last[0] is not v:
            found = [self._count(part, v) for part in self.strata]
            if v.ndim > 1:
                return found
            self._last = v, found
        return self._last[1]

    def weights(self, t: float, v: FloatArray) -> FloatArray:
        """Return v / G(min(X, t)-)."""
        out = np.empty(v.shape)
        for part, found in zip(self.strata, self.counted(v), strict=True):
            before = int(np.searchsorted(part.times, t))
            early = int(np.searchsorted(part.group, before))
            out[..., part.rows[:early]] = found.inverse[..., part.group[:early]]
            out[..., part.rows[early:]] = found.inverse[..., before, None]
        return out * v

    def chained(self, t: float, v: FloatArray, u: FloatArray) -> FloatArray:
        """Return U: a row censored before t has the mean influence of the rows that stay; who was at risk pays for it.

        See the section on the censoring term in the explanation of outcomes in time.
        """
        out = u.copy()
        for part, found in zip(self.strata, self.counted(v), strict=True):
            before = int(np.searchsorted(part.times, t))
            if not found.censored[..., :before].any():
                continue
            sums = part.sums(u[..., part.rows])
            later = np.cumsum(sums[..., ::-1], axis=-1)[..., ::-1][..., 1 : before + 1]
            if later.shape[-1] < before:  # nobody is followed to t
                later = np.concatenate((later, np.zeros((*later.shape[:-1], 1))), axis=-1)
            some = found.censored[..., :before] > 0.0
            stay, at_risk = found.stay[..., :before], found.at_risk[..., :before]
            mean = np.divide(later, stay, out=np.zeros_like(later), where=some & (stay > 0.0))
            share = np.divide(found.censored[..., :before], at_risk, out=np.zeros_like(at_risk), where=some)
            paid = np.zeros((*mean.shape[:-1], before + 1))
            np.cumsum(share * mean, axis=-1, out=paid[..., 1:])
            group = np.minimum(part.group, before)
            early = (part.group < before) & ~self._happened[part.rows]
            own = paid[..., np.where(early, np.minimum(group + 1, before), group)]
            gained = np.where(early, mean[..., np.minimum(group, before - 1)], 0.0)
            out[..., part.rows] += v[..., part.rows] * (gained - own)
        return out

    def lost(self, t: float, v: FloatArray) -> Any:
        """Return the label of a stratum whose last row before t was censored."""
        for number, (part, found) in enumerate(zip(self.strata, self.counted(v), strict=True)):
            before = int(np.searchsorted(part.times, t))
            gone = (found.censored[:before] > 0.0) & (found.stay[:before] <= 0.0)
            if gone.any():
                return True if self._labels is None else self._labels[number]
        return None


class EnteredLate(Followed):
    """Rows that come under observation at times of their own: cases weigh n S(X-)/Y(X), controls n S(t)/R(t)."""

    late = True

    def __init__(self, time: FloatArray, happened: BoolArray, entry: FloatArray) -> None:
        self._time, self._happened, self._entry = time, happened, entry
        self._by_time, self._by_entry = np.argsort(time, kind="stable"), np.argsort(entry, kind="stable")
        self._times = np.unique(time[happened])
        self._place = np.searchsorted(self._times, time)

    def _events(self, t: float) -> tuple[FloatArray, BoolArray]:
        return self._times[self._times <= t], self._happened & (self._time <= t)

    def _count(self, t: float, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return at each time of an event up to t the rows at risk and the events, and the rows free of it at t."""
        times, event = self._events(t)
        entered, left = (
            np.concatenate((np.zeros((*v.shape[:-1], 1)), np.cumsum(v[..., order], axis=-1)), axis=-1)
            for order in (self._by_entry, self._by_time)
        )
        n_in = np.searchsorted(self._entry[self._by_entry], times)
        n_out = np.searchsorted(self._time[self._by_time], times)
        at_risk = entered[..., n_in] - left[..., n_out]
        events = _summed(np.where(event, v, 0.0), np.minimum(self._place, max(times.size - 1, 0)), times.size)
        free = np.where(self._free(t), v, 0.0).sum(axis=-1)
        return at_risk, events, np.asarray(free)

    def _free(self, t: float) -> BoolArray:
        at_t = ~self._happened & (self._time == t)
        return np.asarray(((self._time > t) | at_t) & (self._entry < t))

    def weights(self, t: float, v: FloatArray) -> FloatArray:
        """Return the mass that each row stands for; rows that enter after t have none."""
        at_risk, events, free = self._count(t, v)
        whole = v.sum(axis=-1)[..., None]
        some = at_risk > 0.0
        left = np.divide(at_risk - events, at_risk, out=np.ones_like(at_risk), where=some)
        survival = np.ones((*left.shape[:-1], left.shape[-1] + 1))
        np.cumprod(left, axis=-1, out=survival[..., 1:])
        mass = np.divide(whole * survival[..., :-1], at_risk, out=np.zeros_like(at_risk), where=some)
        _, event = self._events(t)
        last = max(mass.shape[-1] - 1, 0)
        of_events = mass[..., np.minimum(self._place, last)] if mass.shape[-1] else np.zeros(v.shape)
        none = np.zeros_like(free)
        of_free = np.divide(whole[..., 0] * survival[..., -1], free, out=none, where=free > 0.0)
        return v * np.where(event, of_events, np.where(self._free(t), of_free[..., None], 0.0))

    def chained(self, t: float, v: FloatArray, u: FloatArray) -> FloatArray:
        """Return U by the counts of events instead of those of censorings."""
        at_risk, events, free = self._count(t, v)
        times, event = self._events(t)
        place = np.minimum(self._place, max(times.size - 1, 0))
        of_free = np.where(self._free(t), u, 0.0).sum(axis=-1)[..., None]
        e = _summed(np.where(event, u, 0.0), place, times.size)
        later = np.cumsum(e[..., ::-1], axis=-1)[..., ::-1] - e + of_free
        rest = at_risk - events
        q = np.divide(later, rest, out=np.zeros_like(later), where=rest > 0.0)
        each = np.divide(q * events - e, at_risk, out=np.zeros_like(e), where=at_risk > 0.0)
        running = np.concatenate((np.zeros((*each.shape[:-1], 1)), np.cumsum(each, axis=-1)), axis=-1)
        until = np.searchsorted(times, np.minimum(self._time, t), side="right")
        since = np.minimum(np.searchsorted(times, self._entry, side="right"), until)
        mean = of_free / free if free > 0.0 else np.zeros_like(of_free)
        own = np.where(event, q[..., place] if times.size else 0.0, 0.0)
        paid = running[..., since] - running[..., until] + own + np.where(self._free(t), mean, 0.0)
        return np.asarray(u - v * paid)

    def lost(self, t: float, v: FloatArray) -> Any:
        """Return a time before t at which every row under observation has its event, if there is one."""
        at_risk, events, free = self._count(t, v)
        times, _ = self._events(t)
        empty = np.flatnonzero(at_risk - events <= 1e-12 * at_risk)
        return float(times[empty[0]]) if empty.size and (free > 0.0 or empty[0] < times.size - 1) else None


def _summed(values: FloatArray, place: NDArray[np.intp], size: int) -> FloatArray:
    """Return sums by place; the last axis runs over rows."""
    if values.ndim == 1:
        return np.bincount(place, values, size)[:size].astype(np.float64)
    return np.stack([np.bincount(place, own, size)[:size].astype(np.float64) for own in values])
