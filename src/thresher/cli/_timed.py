"""Outcomes in time on the command line: which columns are times and events, and at which horizons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher.cli._errors import UsageError

__all__ = ["TimedColumns", "TimedWanted", "horizons_in"]


@dataclass(frozen=True)
class TimedWanted:
    """The columns and options of an outcome in time."""

    time: str
    event: str
    at: tuple[float, ...]
    strata: str | None
    entry: str | None
    options: dict[str, Any]

    def extra(self) -> list[str]:
        """Return the columns beside the events."""
        return [name for name in (self.time, self.strata, self.entry) if name is not None]

    def numbers(self) -> list[str]:
        """Return the columns that hold numbers."""
        return [name for name in (self.time, self.entry) if name is not None]

    def columns(self, data: dict[str, NDArray[Any]]) -> TimedColumns:
        """Return the columns read."""
        strata = None if self.strata is None else np.asarray(data[self.strata]).astype(str)
        entry = None if self.entry is None else data[self.entry]
        return TimedColumns(data[self.time], strata, entry, self.at, self.options)


@dataclass(frozen=True, eq=False)
class TimedColumns:
    """The times of rows, with the horizons at which they are looked at."""

    time: NDArray[Any]
    strata: NDArray[Any] | None
    entry: NDArray[Any] | None
    at: tuple[float, ...]
    options: dict[str, Any]

    def take(self, rows: NDArray[Any]) -> TimedColumns:
        """Return some of the rows."""
        strata, entry = (None if column is None else column[rows] for column in (self.strata, self.entry))
        return replace(self, time=self.time[rows], strata=strata, entry=entry)

    def each(self) -> list[TimedColumns]:
        """Return the rows at each horizon."""
        return [replace(self, at=(t,)) for t in self.at]

    def one(self) -> float | int:
        """Return the horizon, if there is one; a whole number as one."""
        if len(self.at) != 1:
            raise UsageError(
                f"--at must be one horizon for this command; got {len(self.at)}. "
                "Hint: `auc`, `compare` and `report` take several."
            )
        t = self.at[0]
        return int(t) if t.is_integer() else t

    def given(self) -> dict[str, Any]:
        """Return what a function takes beside the events and the horizon."""
        return {"time": self.time, "strata": self.strata, "entry": self.entry, **self.options}


def horizons_in(texts: tuple[str, ...]) -> tuple[float, ...]:
    """Return the horizons of --at: numbers apart by spaces or commas."""
    found = []
    for text in (part for one in texts for part in one.split(",") if part):
        try:
            found.append(float(text))
        except ValueError:
            raise UsageError(f"--at must be numbers in the unit of --time; got {show(text)}.") from None
    return tuple(dict.fromkeys(found))
