"""Outcomes in time: what is known of each row at a horizon, and how much it counts there."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import frozen, lossless_common_dtype
from thresher._core.checks import show
from thresher._table.risk_sets import EnteredLate, Followed, FollowedFromStart
from thresher.exceptions import UndefinedMetricError
from thresher.typing import BoolArray, FloatArray, ScoreArray

_COLUMNS = ("time", "event", "weight", "cluster", "strata", "entry", "known", "score")


class Horizon(NamedTuple):
    """The horizon and what counts as a case and as a control there."""

    t: float
    cause: int = 1
    controls: str = "all"
    censored_at_t: str = "event-free"

    @property
    def exact(self) -> float:
        """The time at which rows are looked at: just after t if rows censored at t are of unknown status."""
        return self.t if self.censored_at_t == "event-free" else float(np.nextafter(self.t, np.inf))

    def differs(self, other: Horizon) -> str | None:
        """Return the name of an option in which two horizons differ."""
        return next((name for name in self._fields if getattr(self, name) != getattr(other, name)), None)


class Outcome:
    """Times and events of rows, looked at from a horizon. Trusts its arguments; `read_outcome` checks them.

    Attributes
    ----------
    time : array of float64
        When the event came, or until when the row was followed.
    event : array of int64
        0 for a censored row, else the code of the event.
    horizon : Horizon
        The horizon.
    weight : array of float64 or None
        The row's own sampling weight.
    cluster, strata : array or None
        Labels: of rows that depend on each other, and of rows with a censoring distribution of their own.
    entry : array of float64 or None
        When the row came under observation.
    known : array of float64 or None
        The probability of not being censored, if it is given instead of estimated.
    score : array or None
        The scores of the rows, in a table.
    """

    def __init__(
        self,
        time: FloatArray,
        event: NDArray[np.int64],
        horizon: Horizon,
        *,
        weight: FloatArray | None = None,
        cluster: NDArray[Any] | None = None,
        strata: NDArray[Any] | None = None,
        entry: FloatArray | None = None,
        known: FloatArray | None = None,
        score: ScoreArray | None = None,
    ) -> None:
        self.horizon = horizon
        self.rows: NDArray[np.intp] | None = None  # which of the rows given, if some had no weight
        self._before = time.size
        self.time, self.event = frozen(time), frozen(event)
        self.weight, self.cluster, self.strata, self.entry, self.known, self.score = (
            None if column is None else frozen(np.ascontiguousarray(column))
            for column in (weight, cluster, strata, entry, known, score)
        )

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.time.size)

    def columns(self) -> dict[str, Any]:
        """Return the columns by name; None for one that was not given."""
        return {name: getattr(self, name) for name in _COLUMNS}

    def _with(self, **changed: Any) -> Outcome:
        """Return the rows with another score or horizon; what both share is not computed again."""
        out = object.__new__(Outcome)
        out.__dict__.update(self.__dict__, **changed)
        return out

    def scored(self, score: ScoreArray) -> Outcome:
        """Return the rows with their scores."""
        return self._with(score=frozen(score))

    def mirrored(self, score: ScoreArray) -> Outcome:
        """Return the rows with cases and controls exchanged, and these scores."""
        _ = self.mass, self.kept, self.plain, self.free  # found before the classes change
        return self._with(score=frozen(score), positive=~self.positive)

    def at(self, horizon: Horizon, known: FloatArray | None = None) -> Outcome:
        """Return the same rows at another horizon."""
        out = self._with(horizon=horizon, known=known)
        for name in ("kept", "positive", "mass", "plain", "free", "rows_at_risk", "_at_once"):
            out.__dict__.pop(name, None)
        return out

    @property
    def before(self) -> int:
        """How many rows there were before those without weight were left out."""
        return self.size if self.rows is None else self._before

    def of_given(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of a column that came with the rows as they were given."""
        return column if self.rows is None else column[self.rows]

    def weighing(self) -> Outcome:
        """Return the rows that have a weight, which know their places among all."""
        if self.weight is None or bool((self.weight > 0).all()):
            return self
        rows = np.flatnonzero(self.weight > 0)
        out = self.take(rows)
        out.__dict__.update(rows=rows, _before=self.size)
        return out

    def settled(self) -> Outcome:
        """Return the rows as if no others had been given."""
        return self._with(rows=None)

    def take(self, rows: NDArray[np.intp]) -> Outcome:
        """Return some of the rows, in a new order."""
        columns: dict[str, Any] = {
            name: None if column is None else column[rows] for name, column in self.columns().items()
        }
        time, event = columns.pop("time"), columns.pop("event")
        return Outcome(time, event, self.horizon, **columns)

    @cached_property
    def v(self) -> FloatArray:
        """What each row counts before it is weighted for censoring."""
        return np.ones(self.size) if self.weight is None else self.weight

    @cached_property
    def happened(self) -> BoolArray:
        """Whether an event of any cause came."""
        return self.event > 0

    @cached_property
    def followed(self) -> Followed:
        """The rows at risk at each time."""
        if self.entry is not None:
            return EnteredLate(self.time, self.happened, self.entry)
        return FollowedFromStart(self.time, self.happened, self.strata)

    @cached_property
    def plain(self) -> bool:
        """Whether nobody is censored before the horizon, so that the table is that of labels and scores."""
        if self.known is not None or self.entry is not None:
            return False
        return bool((self.happened | (self.time >= self.horizon.exact)).all())

    @property
    def estimated(self) -> bool:
        """Whether the weights are estimated from the rows, which variances must account for."""
        return not self.plain and self.known is None

    @cached_property
    def free(self) -> BoolArray:
        """Whether the row is under observation and free of any event at the horizon."""
        t = self.horizon.exact
        found = (self.time > t) | (~self.happened & (self.time == t))
        return np.asarray(found if self.entry is None else found & (self.entry < t))

    @cached_property
    def positive(self) -> BoolArray:
        """Whether the row is a case: its event of the cause came by the horizon."""
        return np.asarray((self.event == self.horizon.cause) & (self.time <= self.horizon.exact))

    @cached_property
    def kept(self) -> BoolArray:
        """Whether the status at the horizon is known and of a class."""
        competing = self.happened & (self.time <= self.horizon.exact) & ~self.positive
        controls = self.free | competing if self.horizon.controls == "all" else self.free
        return self.positive | controls

    def masses(self, v: FloatArray) -> FloatArray:
        """Return what rows stand for at the horizon if they count `v`, of shape (..., n); 0 for unknown status."""
        if self.known is not None:
            return v * np.where(self.kept, 1.0 / np.where(self.kept, self.known, 1.0), 0.0)
        if self.plain:
            return v * self.kept
        return np.where(self.kept, self.followed.weights(self.horizon.exact, v), 0.0)

    @cached_property
    def _at_once(self) -> tuple[FloatArray, bool] | None:
        """The masses, and whether no censored row lacks a substitute, by the kernel that orders early rows alone.

        None where it does not apply, or the rows are in the order of time already, for several horizons.
        """
        alike = self.weight is None and self.entry is None and self.strata is None
        if not (alike and self.estimated and native.available()) or "followed" in self.__dict__:
            return None
        return native.censoring(self.time, self.happened, self.kept, self.horizon.exact)

    @cached_property
    def mass(self) -> FloatArray:
        """What each row stands for at the horizon."""
        return self.masses(self.v) if self._at_once is None else self._at_once[0]

    def chained(self, u: FloatArray) -> FloatArray:
        """Return influence values with the weights estimated, from those with the weights held: shape (..., n)."""
        return self.followed.chained(self.horizon.exact, self.v, u) if self.estimated else u

    @cached_property
    def unit(self) -> NDArray[np.intp] | None:
        """The number of the cluster of each row; None if rows are independent."""
        if self.cluster is None:
            return None
        labels, code = np.unique(self.cluster, return_inverse=True)
        return None if labels.size == self.size else code.reshape(-1)

    def by_unit(self, u: FloatArray) -> FloatArray:
        """Return the sums over clusters, for independent rows the rows; the last axis runs over rows."""
        if self.unit is None:
            return u
        if u.ndim == 1:
            return np.bincount(self.unit, u).astype(np.float64)
        return np.stack([np.bincount(self.unit, own).astype(np.float64) for own in u])

    def added(self, u: FloatArray) -> FloatArray:
        """Return what estimating the weights adds to the covariance of influence values `u`, of shape (k, n)."""
        if not self.estimated:
            return np.zeros((u.shape[0], u.shape[0]))
        held, full = self.by_unit(u), self.by_unit(self.chained(u))
        return np.asarray(full @ full.T - held @ held.T)

    def cells(self, thresholds: ScoreArray) -> NDArray[np.intp]:
        """Return the place of each row in a table: the highest threshold that is not above its score."""
        assert self.score is not None  # noqa: S101  # for the type checker
        place = thresholds.size - np.searchsorted(thresholds[::-1], self.score, side="right")
        return np.asarray(np.minimum(place, thresholds.size - 1), dtype=np.intp)

    # At the horizon

    @property
    def at_horizon(self) -> int:
        """How many rows are censored exactly at the horizon and count as free of the event."""
        if self.horizon.censored_at_t != "event-free":
            return 0
        return int(np.count_nonzero(~self.happened & (self.time == self.horizon.t)))

    @property
    def unknown(self) -> int:
        """How many rows are censored before the horizon."""
        return int(np.count_nonzero(~self.happened & (self.time < self.horizon.exact)))

    @cached_property
    def heaviest(self) -> float:
        """What a row that is free of the event at the horizon stands for at most, in rows."""
        found = self.mass[self.free] / self.v[self.free]
        return float(found.max()) if found.size else 0.0

    def checked(self) -> Outcome:
        """Return the rows, or refuse a horizon at which a class is empty or part of the mass has no row."""
        t = self.horizon.t
        cases = self.positive if self.weight is None else self.positive & (self.weight > 0)
        if not cases.any():
            own = self.time[self.event == self.horizon.cause]
            if not own.size:
                swapped = bool(np.isin(self.time, (0.0, 1.0)).all())
                hint = (
                    "are `time` and `event` in each other's place?" if swapped else "`cause=` is the code of interest."
                )
                raise UndefinedMetricError(
                    f"No row has the event {self.horizon.cause}; got {_codes(self.event)}. Hint: {hint}"
                )
            raise UndefinedMetricError(
                f"No event has come by t = {t:g}; the first comes at {own.min():g}. Hint: t >= {own.min():g}."
            )
        if not self.free.any():
            last = float(self.time.max())
            ended = bool((~self.happened[self.time == last]).any())
            raise UndefinedMetricError(
                f"Nobody is known to be free of the event at t = {t:g}; the last time is {last:g}. "
                f"Hint: t {'<=' if ended and self.horizon.censored_at_t == 'event-free' else '<'} {last:g}."
            )
        if self.known is not None:
            return self
        if self._at_once is None:
            gone = None if self.plain else self.followed.lost(self.horizon.exact, self.v)
        else:
            gone = None if self._at_once[1] else True
        if gone is None:
            return self
        if self.entry is not None:
            raise UndefinedMetricError(
                f"Everyone under observation at {gone:g} has the event then, so nothing is known of what follows until "
                f"t = {t:g}. Hint: t < {gone:g}, or leave out the rows that were followed before many had entered."
            )
        what = "The rows have some" if self.strata is None else f"Stratum {show(_plain(gone))} has rows"
        raise UndefinedMetricError(
            f"{what} that are censored before t = {t:g} and none that is followed until then, so part of its mass has "
            "no row to stand for it. Hint: join strata, or choose an earlier t."
        )

    def refusal_to_join(self, other: Outcome | None) -> str | None:
        """Return why two tables cannot be added; None if they can."""
        if other is None:
            return "one is of an outcome in time, the other is not"
        name = self.horizon.differs(other.horizon)
        if name is not None:
            mine, others = getattr(self.horizon, name), getattr(other.horizon, name)
            return f"`{name}` is {show(mine)} in one and {show(others)} in the other"
        for name in ("entry", "known", "strata", "cluster"):
            if (getattr(self, name) is None) != (getattr(other, name) is None):
                said = {"known": "an array for `censoring`"}.get(name, f"`{name}`")
                return f"one has {said}, the other has not"
        return None

    def joined(self, other: Outcome) -> Outcome:
        """Return the rows of both, in one order whatever came first."""
        both: dict[str, Any] = {}
        for name, mine in self.columns().items():
            others = getattr(other, name)
            if mine is None and others is None:
                both[name] = None
                continue
            mine, others = (
                np.ones(part.size) if column is None else column for part, column in ((self, mine), (other, others))
            )
            if name == "score":
                kind = lossless_common_dtype(mine, others)
                mine, others = mine.astype(kind, copy=False), others.astype(kind, copy=False)
            elif "U" in (mine.dtype.kind, others.dtype.kind):
                mine, others = mine.astype(np.str_), others.astype(np.str_)
            both[name] = np.concatenate((mine, others))
        time, event = both.pop("time"), both.pop("event")
        return Outcome(time, event, self.horizon, **both)

    def same_as(self, other: Outcome) -> bool:
        """Return whether both hold the same rows at the same horizon."""
        pairs = zip(self.columns().values(), other.columns().values(), strict=True)
        return self.horizon == other.horizon and all(
            a is b or (a is not None and b is not None and np.array_equal(a, b)) for a, b in pairs
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.columns(), tuple(self.horizon))


def _rebuilt(columns: dict[str, Any], horizon: tuple[Any, ...]) -> Outcome:
    columns = dict(columns)
    return Outcome(columns.pop("time"), columns.pop("event"), Horizon(*horizon), **columns)


def _codes(event: NDArray[np.int64]) -> str:
    found = np.unique(event[event > 0]).tolist()
    return f"the codes {', '.join(map(str, found[:10]))}" if found else "censored rows only"


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
