"""What most commands take: a file, its columns, and the models in it."""

from __future__ import annotations

import glob
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from os.path import samestat
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter, validators
from numpy.typing import NDArray

import thresher as th
from thresher._core.arrays import as_labels
from thresher._core.checks import is_percentage, show
from thresher._core.files import is_folder, is_there
from thresher.cli._counted import choose, is_counts, is_streamed, load_counts, scanned
from thresher.cli._errors import UsageError, file_columns, within
from thresher.cli._progress import Work
from thresher.cli._read import ColumnNames, ReadRequest, TimedWanted, horizons_in, read_columns
from thresher.exceptions import InvalidInputError

__all__ = [
    "Confidence",
    "File",
    "Format",
    "GroupedSelection",
    "Level",
    "OptionalFile",
    "Rate",
    "Resamplings",
    "RowsFile",
    "Seed",
    "Selection",
    "Share",
    "at_each",
    "counts_only",
    "groups_of",
    "labels_of",
    "models_of",
    "number_in",
    "positives",
    "read_groups",
    "read_models",
    "read_selected",
    "refuse_inputs",
]

Format = Annotated[Literal["table", "json", "csv"], Parameter(help="A table to read, or json or csv for programs.")]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0))]
Resamplings = Annotated[int, Parameter(validator=validators.Number(gte=1))]


# Numbers on the command line


def _number(text: str) -> float:
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
        number = _number(text)
        return None if math.isnan(number) else number


def _convert(_: Any, tokens: Sequence[Any]) -> float:
    number = _number(tokens[0].value)
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

    def timed(self) -> TimedWanted | None:
        """Return the columns of an outcome in time; None if it is not one."""
        if self.time is None and self.event is None and not self.at:
            if self.strata is not None or self.entry is not None:
                raise UsageError(
                    "--strata and --entry belong to an outcome in time. Hint: add --time, --event and --at."
                )
            return None
        if self.time is None or self.event is None or not self.at:
            raise UsageError(
                "An outcome in time needs --time, --event and --at. Hint: --time days --event relapse --at 365."
            )
        for name, given in (
            ("--y-true", self.y_true),
            ("--frequency", self.frequency),
            ("--model-column", self.model_column),
        ):
            if given is not None:
                raise UsageError(f"{name} must not be given with --time, --event and --at. Hint: leave it out.")
        options = {"cause": self.cause, "controls": self.controls}
        return TimedWanted(self.time, self.event, horizons_in(self.at), self.strata, self.entry, options)

    def wanted(self) -> ReadRequest:
        """Return the columns that are named."""
        return ReadRequest(
            self.y_true,
            self.y_score,
            self.weight,
            self.frequency,
            self.cluster,
            getattr(self, "group", None),
            self.model_column,
            self.timed(),
        )


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


def read_selected(file: str, selection: Selection, work: Work | None = None) -> ColumnNames:
    """Read the selected columns, row by row."""
    if is_counts(file):
        raise InvalidInputError(
            f"{show(file, 200)} must hold rows for this; it is a file of counts. "
            "Hint: give the file it was counted from."
        )
    if is_folder(file) or (file != "-" and not is_there(file) and glob.has_magic(file)):
        raise InvalidInputError(
            f"{show(file, 200)} must be one file for this, whose rows are loaded. Hint: write the files into one."
        )
    return read_columns(file, selection.wanted(), work)


def counts_only(file: str) -> bool:
    """Return whether a file's rows are not loaded: it holds counts, or it is counted batch by batch."""
    return is_counts(file) or is_streamed(file)


def read_models(file: str, selection: Selection, work: Work | None = None, **options: Any) -> dict[str, th.Scores]:
    """Return the Scores of each model in a file, in the order of its columns; options are those of `th.scan`."""
    work = work or Work()
    wanted = selection.wanted()
    if is_counts(file) and wanted.timed is None:
        return load_counts(file, wanted)
    if wanted.timed is not None or (not is_streamed(file) and not options):
        return dict(models_of(read_selected(file, selection, work), selection.pos_label, work))
    chosen = choose(file, wanted, selection.pos_label)
    if wanted.model is None:
        return dict(scanned(chosen, work, **options))
    if len(chosen.scores) != 1:
        raise InvalidInputError(
            f"{show(file, 200)}: --model-column must come with one column of scores; got {len(chosen.scores)}. "
            "Hint: choose one with --y-score."
        )
    ((_, models),) = scanned(chosen, work, group=wanted.model, **options)
    return {str(name): scores for name, scores in models.items()}


def read_groups(
    file: str, selection: GroupedSelection, work: Work, **options: Any
) -> Iterator[tuple[str, dict[str, th.Scores]]]:
    """Give each group's name and the Scores of each model in it, counted batch by batch."""
    chosen = choose(file, selection.wanted(), selection.pos_label)
    found = dict(scanned(chosen, work, group=selection.group, **options))
    for group in next(iter(found.values())):
        yield str(group), {name: groups[group] for name, groups in found.items()}


def models_of(columns: ColumnNames, pos_label: str | None, work: Work | None = None) -> Iterator[tuple[str, th.Scores]]:
    """Give the name and the Scores of each model; errors name the file and the column."""
    positive = positives(columns, pos_label)
    for name in columns.scores:
        yield name, _counted(columns, name, positive, work or Work())


def groups_of(columns: ColumnNames, pos_label: str | None) -> Iterator[tuple[str, dict[str, th.Scores]]]:
    """Give each group's name and the Scores of each model in it, in the order in which groups first occur."""
    if columns.group is None:
        return
    positive = positives(columns, pos_label)
    values, first, inverse = np.unique(np.asarray(columns.group).astype(str), return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.searchsorted(inverse[order], np.arange(values.size), side="right")
    starts = np.concatenate(([0], ends[:-1]))
    for i in np.argsort(first, kind="stable").tolist():
        rows = np.sort(order[starts[i] : ends[i]])
        part = ColumnNames(
            columns.name,
            positive[rows],
            {name: scores[rows] for name, scores in columns.scores.items()},
            None if columns.weight is None else columns.weight[rows],
            None,
            columns.label_name,
            None if columns.frequency is None else columns.frequency[rows],
            None if columns.cluster is None else columns.cluster[rows],
            None if columns.timed is None else columns.timed.take(rows),
        )
        yield str(values[i]), {name: _counted(part, name, part.y_true, Work()) for name in part.scores}


def _counted(columns: ColumnNames, name: str, positive: NDArray[np.bool_], work: Work) -> th.Scores:
    where = file_columns(columns.name, columns.label_name, name)
    with within(where), work.stage(f"counting {show(name)}"):
        if columns.timed is not None:
            given, t = columns.timed.given(), columns.timed.one()
            given |= {"sample_weight": columns.weight, "cluster": columns.cluster}
            return th.Scores.at_time(given.pop("time"), positive, columns.scores[name], t, **given)
        return th.Scores(
            positive,
            columns.scores[name],
            sample_weight=columns.weight,
            frequency=columns.frequency,
            cluster=columns.cluster,
        )


def labels_of(columns: ColumnNames, pos_label: str | None) -> dict[str, Any]:
    """Return what a function of rows takes for their labels: `y_true`, or times, events and a horizon."""
    positive = positives(columns, pos_label)
    if columns.timed is None:
        return {"y_true": positive}
    return {"y_true": None, "event": positive, "at": columns.timed.one(), **columns.timed.given()}


def at_each(columns: ColumnNames) -> list[tuple[float | None, ColumnNames]]:
    """Return the rows at each horizon, or as they are if they have labels."""
    if columns.timed is None:
        return [(None, columns)]
    return [(one.one(), replace(columns, timed=one)) for one in columns.timed.each()]


def positives(columns: ColumnNames, pos_label: str | None) -> NDArray[Any]:
    """Return which rows are positive; of an outcome in time the codes of their events."""
    with within(file_columns(columns.name, columns.label_name)):
        if columns.timed is not None:
            wanted = None if pos_label is None else _label_value(columns.y_true, pos_label)
            return columns.y_true if wanted is None else np.asarray(columns.y_true == wanted)
        return as_labels(columns.y_true, _label_value(columns.y_true, pos_label))


def _label_value(labels: NDArray[Any], text: str | None) -> Any:
    """Return the positive label as the column's type; it must occur."""
    if text is None or np.ma.getmaskarray(labels).any():
        return text
    wanted = _as_label(labels.dtype.kind, text)
    if wanted is not None and bool(np.any(labels == wanted)):
        return wanted
    found = sorted({str(value) for value in np.unique(labels.astype(str) if labels.dtype.kind == "O" else labels)[:6]})
    listed = ", ".join(show(value) for value in found[:5]) + (", ..." if len(found) > 5 else "")
    raise InvalidInputError(f"--pos-label must be one of the labels; got {show(text)}. Hint: they are {listed}.")


def _as_label(kind: str, text: str) -> Any:
    """Return what a text names in a column of labels, by its kind of type; None where it names nothing there."""
    if kind in "OUS":
        return text
    if kind == "b":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower())
    number = _number(text)
    return None if math.isnan(number) else number
