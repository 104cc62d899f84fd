"""Files in: labels, the scores of one model or several, and optionally weights and groups."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._read.sources import NamedColumns, open_columns
from thresher.cli._chosen_columns import chosen_columns
from thresher.cli._errors import UsageError
from thresher.cli._progress import Work
from thresher.exceptions import InvalidInputError

__all__ = ["ColumnNames", "ReadRequest", "TimedColumns", "TimedWanted", "horizons_in", "open_file", "read_columns"]


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


@dataclass(frozen=True, eq=False)
class ColumnNames:
    """What a file holds: element i of every column belongs to row i."""

    name: str
    y_true: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    weight: NDArray[Any] | None
    group: NDArray[Any] | None
    label_name: str
    frequency: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    timed: TimedColumns | None = None


@dataclass(frozen=True)
class ReadRequest:
    """The columns that the options name."""

    y_true: str | None = None
    y_score: tuple[str, ...] = ()
    weight: str | None = None
    frequency: str | None = None
    cluster: str | None = None
    group: str | None = None
    model: str | None = None
    timed: TimedWanted | None = None

    def extra(self) -> list[str]:
        """Return the columns beside labels and scores."""
        timed = [] if self.timed is None else self.timed.extra()
        given = (self.weight, self.frequency, self.cluster, self.group, self.model, *timed)
        return [name for name in given if name is not None]

    def options(self) -> dict[str, object]:
        """Return what each option was given."""
        return {
            "--y-true": self.y_true,
            "--y-score": self.y_score,
            "--weight": self.weight,
            "--frequency": self.frequency,
            "--cluster": self.cluster,
            "--group": self.group,
            "--model-column": self.model,
        }


@contextmanager
def open_file(file: str) -> Iterator[NamedColumns]:
    """Open the columns of a file; "-" is standard input."""
    if file == "-" and sys.stdin is None:
        raise InvalidInputError(
            "Standard input must be open to be read; it is closed. Hint: name a file, or pipe the rows in."
        )
    with open_columns(sys.stdin.buffer, "standard input") if file == "-" else open_columns(file, file) as columns:
        yield columns


def read_columns(file: str, wanted: ReadRequest, work: Work | None = None) -> ColumnNames:
    """Read the columns wanted; columns are guessed only when there is no doubt.

    Parameters
    ----------
    file
        CSV or TSV (any delimiter, with or without header, gzip too), Parquet, JSON lines, Arrow or Feather, NPZ, or
        "-" for standard input.
    work
        Where progress is shown.
    """
    with open_file(file) as source, _watched(source, work):
        extra = wanted.extra()
        named = wanted.y_true if wanted.timed is None else wanted.timed.event
        label, scores = chosen_columns(source, named, list(dict.fromkeys(wanted.y_score)), extra)
        names = list(dict.fromkeys([label, *scores, *extra]))
        numbers = [*scores, *(name for name in (wanted.weight, wanted.frequency) if name is not None)]
        numbers += [] if wanted.timed is None else wanted.timed.numbers()
        data = source.fetch(names, numbers=numbers)
    for name, what in ((wanted.group, "group"), (wanted.cluster, "cluster"), (wanted.model, "model-column")):
        if name is not None and np.ma.is_masked(data[name]):
            row = int(np.flatnonzero(np.ma.getmaskarray(data[name]))[0])
            raise InvalidInputError(
                f"{show(source.shown, 200)}, column {show(name)}: {what}s must not be missing; row {row} has none. "
                f"Hint: fill them or leave out --{what}. Rows are counted from 0, without the header."
            )
    columns = ColumnNames(
        source.shown,
        data[label],
        {name: data[name] for name in scores},
        None if wanted.weight is None else data[wanted.weight],
        None if wanted.group is None else data[wanted.group],
        label,
        None if wanted.frequency is None else data[wanted.frequency],
        None if wanted.cluster is None else np.asarray(data[wanted.cluster]).astype(str),
        None if wanted.timed is None else wanted.timed.columns(data),
    )
    return columns if wanted.model is None else _side_by_side(columns, wanted.model, data[wanted.model])


def _side_by_side(columns: ColumnNames, model: str, named: NDArray[Any]) -> ColumnNames:
    """Return a column of scores for each model of a file that has them one below the other."""
    where = f"{show(columns.name, 200)}, column {show(model)}"
    if len(columns.scores) != 1:
        raise InvalidInputError(
            f"{where}: must come with one column of scores; got {len(columns.scores)}. Hint: choose one with --y-score."
        )
    (scores,) = columns.scores.values()
    models, first = np.unique(np.asarray(named).astype(str), return_index=True)
    rows = {name: np.flatnonzero(np.asarray(named).astype(str) == name) for name in models[np.argsort(first)].tolist()}
    top = next(iter(rows.values()))
    others = (columns.y_true, columns.weight, columns.group, columns.frequency, columns.cluster)
    shared = [column for column in others if column is not None]
    for name, mine in rows.items():
        if mine.size != top.size or any(not np.array_equal(column[mine], column[top]) for column in shared):
            raise InvalidInputError(
                f"{where}: models must have the same rows in the same order; {show(name)} has {mine.size:,} rows and "
                f"{show(next(iter(rows)))} {top.size:,}, or their labels differ. Hint: sort the file by model and row."
            )
    taken = [None if column is None else column[top] for column in others]
    side = {name: scores[mine] for name, mine in rows.items()}
    return ColumnNames(columns.name, taken[0], side, taken[1], taken[2], columns.label_name, taken[3], taken[4])  # type: ignore[arg-type]  # labels are there


@contextmanager
def _watched(source: NamedColumns, work: Work | None) -> Iterator[None]:
    if work is None:
        yield
        return
    with work.stage(f"reading {show(source.shown)}", percent=source.percent):
        yield
