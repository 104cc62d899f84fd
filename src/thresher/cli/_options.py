"""What most commands take: a file, its columns, and the models in it."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from os.path import samestat
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter, validators

from thresher._core.checks import is_percentage, show
from thresher.cli._errors import UsageError

Format = Annotated[Literal["table", "json", "csv"], Parameter(help="A table to read, or json or csv for programs.")]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0))]
Resamplings = Annotated[int, Parameter(validator=validators.Number(gte=1))]


# Numbers on the command line


def as_number(text: str) -> float:
    """Return a decimal number or a quotient such as 1/11."""
    try:
        return float(Fraction(text)) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def number_in(text: str) -> int | float | None:
    """Return the number that a text is, whole if it is written so; None if it is not a number."""
    try:
        return int(text)
    except ValueError:
        number = as_number(text)
        return None if math.isnan(number) else number


def _convert(_: Any, tokens: Sequence[Any]) -> float:
    number = as_number(tokens[0].value)
    if math.isnan(number):
        raise ValueError(f"must be a number such as 0.05 or 1/20; got {show(tokens[0].value)}.")
    return number


def _inside(_: Any, value: Any) -> None:
    if value is not None and not 0 < value < 1:
        hint = f" Hint: give {value / 100:g}, not a percentage." if is_percentage(value) else ""
        raise ValueError(f"It must be strictly between 0 and 1.{hint}")


def _within(_: Any, value: Any) -> None:
    if value is not None and not 0 <= value <= 1:
        raise ValueError("It must be between 0 and 1; it is a fraction, not a percentage.")


Level = Annotated[float, Parameter(converter=_convert, validator=_inside)]
"""A number strictly between 0 and 1."""

Confidence = Annotated[float, Parameter(converter=_convert, validator=_inside, help="Strictly between 0 and 1.")]
"""The level of intervals."""

Share = Annotated[float | None, Parameter(converter=_convert, validator=_inside)]
"""The same, or nothing."""

Rate = Annotated[float | None, Parameter(converter=_convert, validator=_within)]
"""A number in [0, 1], or nothing."""


def _no_option(_: Any, value: Any) -> None:
    if value is not None and value != "-" and value.startswith("-"):
        raise ValueError("There is no such option; a file of that name is given as ./" + value)


File = Annotated[str, Parameter(allow_leading_hyphen=True, validator=_no_option)]
"""A file to read, or "-" for standard input."""

_ANY_FORM = 'CSV, TSV, Parquet, JSON lines, Arrow, Feather, ORC or NPZ; "-" reads standard input.'

RowsFile = Annotated[str, Parameter(allow_leading_hyphen=True, validator=_no_option, help=_ANY_FORM)]
"""A file of labels and scores."""

OptionalFile = Annotated[str | None, Parameter(allow_leading_hyphen=True, validator=_no_option, help=_ANY_FORM)]
"""The same, or nothing."""


def refuse_inputs(output: str | Path, *files: str) -> None:
    """Refuse an output that is one of the files to read, whatever it is called there."""
    for file in files:
        try:
            same = samestat(Path(output).stat(), os.fstat(sys.stdin.fileno()) if file == "-" else Path(file).stat())
        except (OSError, ValueError, AttributeError):  # one of them does not exist, or standard input is no file
            continue
        if same:
            read = "standard input" if file == "-" else show(file, 200)
            raise UsageError(
                f"--output must not be a file that is read; got {show(str(output), 200)}, which is the same file as "
                f"{read}. Hint: give the output another name."
            )


@Parameter(name="*")
@dataclass(frozen=True)
class Selection:
    """Which columns of the file are what.

    Parameters
    ----------
    y_true
        The column of labels. Required unless it can be inferred.
    y_score
        A column of scores, once for each model. By default all columns that are clearly scores.
    pos_label
        The label of the positive class, unless labels are 0 and 1, false and true, or -1 and 1.
    weight
        A column of sampling weights: how much each row counts. Only their ratios matter.
    frequency
        A column of whole numbers: how many identical independent rows each row stands for.
    cluster
        A column that says which rows belong together, such as those of a patient: they are not independent, and
        intervals and tests account for it.
    model_column
        A column that says which model a row's score is of, in files that have models one below the other.
    time
        For an outcome in time: the column of times, of the event or until when a row was followed. With --event and
        --at; rows censored before the horizon are accounted for by weights.
    event
        The column of events: 0 or false for censored rows, 1 for the event, 2 and so on for competing events.
    at
        The horizon, in the unit of --time; several for auc, compare and report.
    cause
        The code of the event of interest.
    controls
        all: rows with a competing event are controls. event-free: they are left out.
    strata
        A column of groups, such as sites, within which censoring is estimated.
    entry
        A column of times at which rows came under observation, if not at 0.
    """

    y_true: Annotated[str | None, Parameter(name="--y-true")] = None
    y_score: Annotated[tuple[str, ...], Parameter(name="--y-score", negative=(), show_default=False)] = ()
    pos_label: Annotated[str | None, Parameter(name="--pos-label", allow_leading_hyphen=True)] = None
    weight: Annotated[str | None, Parameter(name="--weight")] = None
    frequency: Annotated[str | None, Parameter(name="--frequency")] = None
    cluster: Annotated[str | None, Parameter(name="--cluster")] = None
    model_column: Annotated[str | None, Parameter(name="--model-column")] = None
    time: Annotated[str | None, Parameter(name="--time")] = None
    event: Annotated[str | None, Parameter(name="--event")] = None
    at: Annotated[tuple[str, ...], Parameter(name="--at", negative=(), consume_multiple=True, show_default=False)] = ()
    cause: Annotated[int, Parameter(name="--cause")] = 1
    controls: Annotated[Literal["all", "event-free"], Parameter(name="--controls")] = "all"
    strata: Annotated[str | None, Parameter(name="--strata")] = None
    entry: Annotated[str | None, Parameter(name="--entry")] = None

    def horizons(self) -> tuple[float, ...]:
        """Return the horizons of an outcome in time; none if it is not one."""
        if self.time is None and self.event is None and not self.at:
            if self.strata is not None or self.entry is not None:
                raise UsageError(
                    "--strata and --entry belong to an outcome in time. Hint: add --time, --event and --at."
                )
            return ()
        if self.time is None or self.event is None or not self.at:
            raise UsageError(
                "An outcome in time needs --time, --event and --at. Hint: --time days --event relapse --at 365."
            )
        for option in ("--y-true", "--frequency", "--model-column"):
            if self.given()[option]:
                raise UsageError(f"{option} must not be given with --time, --event and --at. Hint: leave it out.")
        return horizons_in(self.at)

    def given(self) -> dict[str, Any]:
        """Return what the options that name columns of rows were given."""
        names = ("y_true", "y_score", "weight", "frequency", "cluster", "group", "model_column")
        return {f"--{name.replace('_', '-')}": getattr(self, name, None) for name in names}

    def extra(self) -> list[str]:
        """Return the columns beside labels and scores."""
        names = ("weight", "frequency", "cluster", "group", "model_column", "time", "strata", "entry")
        return [column for name in names if (column := getattr(self, name, None)) is not None]


@Parameter(name="*")
@dataclass(frozen=True)
class GroupedSelection(Selection):
    """Which columns of the file are what, groups among them.

    Parameters
    ----------
    group
        A column of segments, such as sites or queries: areas are given for each of them too. For rows that belong
        together, such as those of a patient, use --cluster.
    """

    group: Annotated[str | None, Parameter(name="--group")] = None


def horizons_in(texts: tuple[str, ...]) -> tuple[float, ...]:
    """Return the horizons of --at: numbers apart by spaces or commas."""
    try:
        return tuple(dict.fromkeys(float(text) for one in texts for text in one.split(",") if text))
    except ValueError as error:
        wrong = str(error).partition(": ")[2].strip("'")
        raise UsageError(f"--at must be numbers in the unit of --time; got {show(wrong)}.") from None
