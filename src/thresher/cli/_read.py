"""Files in: labels, the scores of one model or several, weights and groups, as rows or counted batch by batch."""

from __future__ import annotations

import glob
import math
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher._core.arrays import as_labels
from thresher._core.checks import show
from thresher._core.files import is_file, is_folder, is_there
from thresher._read.sources import NamedColumns, find_files, is_address, open_columns
from thresher._read.sources.file_form import unpacks_beyond
from thresher.cli._chosen_columns import chosen_columns, label_value
from thresher.cli._errors import UsageError, file_columns, within
from thresher.cli._options import GroupedSelection, Selection, as_number
from thresher.cli._output import Work
from thresher.exceptions import InvalidInputError, ThresherWarning

_MAGIC = b"thresher scores\n"
_LARGE = 1 << 26  # bytes, above which rows are not loaded


class Timed(NamedTuple):
    """What is known of an outcome in time beside its events, with the horizons at which it is looked at."""

    columns: dict[str, NDArray[Any] | None]
    options: dict[str, Any]
    at: tuple[float, ...]

    def one(self) -> float | int:
        """Return the horizon, if there is one; a whole number as one."""
        if len(self.at) != 1:
            raise UsageError(
                f"--at must be one horizon for this command; got {len(self.at)}. "
                "Hint: `auc`, `compare` and `report` take several."
            )
        t = self.at[0]
        return int(t) if t.is_integer() else t

    def alone(self, t: float) -> Timed:
        """Return the same at one horizon."""
        return self._replace(at=(t,))

    def given(self) -> dict[str, Any]:
        """Return what a function takes beside the events and the horizon."""
        return {**self.columns, **self.options}


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
    timed: Timed | None = None

    def take(self, rows: NDArray[Any], **changed: Any) -> ColumnNames:
        """Return some of the rows, without groups, and with columns that are `changed`."""
        parts: dict[str, Any] = {"group": None, "scores": {name: one[rows] for name, one in self.scores.items()}}
        for name in ("y_true", "weight", "frequency", "cluster"):
            column = getattr(self, name)
            parts[name] = None if column is None else column[rows]
        if self.timed is not None:
            columns = {name: None if one is None else one[rows] for name, one in self.timed.columns.items()}
            parts["timed"] = self.timed._replace(columns=columns)
        return replace(self, **(parts | changed))

    def weights(self) -> dict[str, Any]:
        """Return what a function of rows takes beside labels and scores."""
        return {"sample_weight": self.weight, "frequency": self.frequency, "cluster": self.cluster}


# Rows


@contextmanager
def open_file(file: str) -> Iterator[NamedColumns]:
    """Open the columns of a file; "-" is standard input."""
    if file == "-" and sys.stdin is None:
        raise InvalidInputError(
            "Standard input must be open to be read; it is closed. Hint: name a file, or pipe the rows in."
        )
    with open_columns(sys.stdin.buffer, "standard input") if file == "-" else open_columns(file, file) as columns:
        yield columns


def read_selected(file: str, selection: Selection, work: Work | None = None) -> ColumnNames:
    """Read the selected columns, row by row; columns are guessed only when there is no doubt."""
    if is_counts(file):
        raise InvalidInputError(
            f"{show(file, 200)} must hold rows for this; it is a file of counts. "
            "Hint: give the file it was counted from."
        )
    if is_folder(file) or (file != "-" and not is_there(file) and glob.has_magic(file)):
        raise InvalidInputError(
            f"{show(file, 200)} must be one file for this, whose rows are loaded. Hint: write the files into one."
        )
    at, extra, group = selection.horizons(), selection.extra(), getattr(selection, "group", None)
    with open_file(file) as source, (work or Work()).stage(f"reading {show(source.shown)}", percent=source.percent):
        named = selection.event if at else selection.y_true
        label, scores = chosen_columns(source, named, list(dict.fromkeys(selection.y_score)), extra)
        timed = (selection.time, selection.entry) if at else ()
        numbers = [name for name in (*scores, selection.weight, selection.frequency, *timed) if name is not None]
        data = source.fetch(list(dict.fromkeys([label, *scores, *extra])), numbers=numbers)
    for name, what in ((group, "group"), (selection.cluster, "cluster"), (selection.model_column, "model-column")):
        if name is not None and np.ma.is_masked(data[name]):
            row = int(np.flatnonzero(np.ma.getmaskarray(data[name]))[0])
            raise InvalidInputError(
                f"{show(source.shown, 200)}, column {show(name)}: {what}s must not be missing; row {row} has none. "
                f"Hint: fill them or leave out --{what}. Rows are counted from 0, without the header."
            )

    def column(name: str | None, *, text: bool = False) -> Any:
        return None if name is None else np.asarray(data[name]).astype(str) if text else data[name]

    s = selection
    outcome = {"time": column(s.time), "strata": column(s.strata, text=True), "entry": column(s.entry)} if at else {}
    columns = ColumnNames(
        source.shown,
        data[label],
        {name: data[name] for name in scores},
        column(s.weight),
        column(group),
        label,
        column(s.frequency),
        column(s.cluster, text=True),
        Timed(outcome, {"cause": s.cause, "controls": s.controls}, at) if at else None,
    )
    return columns if s.model_column is None else _side_by_side(columns, s.model_column, data[s.model_column])


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
    side = {name: scores[mine] for name, mine in rows.items()}
    return columns.take(top, scores=side, group=None if columns.group is None else columns.group[top])


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
        part = columns.take(rows, y_true=positive[rows])
        yield str(values[i]), {name: _counted(part, name, part.y_true, Work()) for name in part.scores}


def _counted(columns: ColumnNames, name: str, positive: NDArray[np.bool_], work: Work) -> th.Scores:
    where = file_columns(columns.name, columns.label_name, name)
    with within(where), work.stage(f"counting {show(name)}"):
        if columns.timed is not None:
            given, t = columns.timed.given(), columns.timed.one()
            given |= {"sample_weight": columns.weight, "cluster": columns.cluster}
            return th.Scores.at_time(given.pop("time"), positive, columns.scores[name], t, **given)
        return th.Scores(positive, columns.scores[name], **columns.weights())


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
    return [
        (one.one(), replace(columns, timed=one)) for one in (columns.timed._replace(at=(t,)) for t in columns.timed.at)
    ]


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
    number = as_number(text)
    return None if math.isnan(number) else number


# Files whose rows are not loaded: counts, large files, folders, patterns and addresses


def is_counts(file: str) -> bool:
    """Return whether a file was written by `thresher count` or `Scores.save`."""
    if not is_file(file):
        return False  # what comes through a pipe can be read only once
    try:
        with Path(file).open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def is_streamed(file: str) -> bool:
    """Return whether rows are counted batch by batch: those of an address, a folder, a pattern, or a large file."""
    if is_address(file):
        return True
    if is_file(file):
        return find_spec("pyarrow") is not None and unpacks_beyond(Path(file), _LARGE)
    return is_folder(file) or (file != "-" and not is_there(file) and glob.has_magic(file))


def counts_only(file: str) -> bool:
    """Return whether a file's rows are not loaded: it holds counts, or it is counted batch by batch."""
    return is_counts(file) or is_streamed(file)


def read_models(file: str, selection: Selection, work: Work | None = None, **options: Any) -> dict[str, th.Scores]:
    """Return the Scores of each model in a file, in the order of its columns; options are those of `th.scan`."""
    work, timed = work or Work(), bool(selection.horizons())
    if is_counts(file) and not timed:
        return _loaded_counts(file, selection)
    if timed or (not is_streamed(file) and not options):
        return dict(models_of(read_selected(file, selection, work), selection.pos_label, work))
    chosen = choose(file, selection)
    if selection.model_column is None:
        return _scanned(file, chosen, work, **options)
    scores = chosen["y_score"]
    if len(scores) != 1:
        raise InvalidInputError(
            f"{show(file, 200)}: --model-column must come with one column of scores; got {len(scores)}. "
            "Hint: choose one with --y-score."
        )
    (models,) = _scanned(file, chosen, work, by=selection.model_column, **options).values()
    return {str(name): found for name, found in models.items()}


Part: TypeAlias = "tuple[float | None, dict[str, th.Scores], Groups | None, ColumnNames | None]"
"""A horizon, the models of all rows, those of each group where groups are asked for, and rows that are loaded."""

Groups: TypeAlias = Iterator[tuple[str, dict[str, th.Scores]]]


def read_parts(file: str, selection: GroupedSelection, work: Work) -> Iterator[Part]:
    """Give what a file holds at each horizon of an outcome in time, or of rows with labels."""
    grouped = selection.group is not None
    if not selection.horizons() and counts_only(file):
        models = read_models(file, selection, work)
        yield None, models, read_groups(file, selection, work) if grouped else None, None
        return
    for t, columns in at_each(read_selected(file, selection, work)):
        models = dict(models_of(columns, selection.pos_label, work))
        yield t, models, groups_of(columns, selection.pos_label) if grouped else None, columns


def _loaded_counts(file: str, selection: Selection) -> dict[str, th.Scores]:
    """Return the one model of a file of counts, called by the file's name."""
    given = [option for option, value in selection.given().items() if value]
    if given:
        raise InvalidInputError(
            f"{show(file, 200)} must be a file of rows where columns are named; it holds counts, which have none. "
            f"Hint: leave out {', '.join(given)}."
        )
    return {Path(file).stem: th.Scores.load(file)}


def read_groups(
    file: str, selection: GroupedSelection, work: Work, **options: Any
) -> Iterator[tuple[str, dict[str, th.Scores]]]:
    """Give each group's name and the Scores of each model in it, counted batch by batch."""
    found = _scanned(file, choose(file, selection), work, by=selection.group, **options)
    for group in next(iter(found.values())):
        yield str(group), {name: groups[group] for name, groups in found.items()}


def choose(file: str, selection: Selection, *also: str) -> dict[str, Any]:
    """Return the columns and the positive label for `th.scan`, by a look at the first of the files.

    Columns that are `also` named are no scores.
    """
    first, folders = (file, set()) if is_address(file) else _first_of(file)
    selection.horizons()
    with open_file(first) as source:
        given = [name for name in (*selection.extra(), *also) if name not in folders | source.folders]
        label, scores = chosen_columns(source, selection.y_true, list(dict.fromkeys(selection.y_score)), given)
        kind = source.kinds([label])[label]
    return {
        "y_true": label,
        "y_score": scores,
        "pos_label": label_value(kind, selection.pos_label),
        "sample_weight": selection.weight,
        "frequency": selection.frequency,
        "cluster": selection.cluster,
    }


def _first_of(file: str) -> tuple[str, set[str]]:
    """Return the first of the files, and the columns that its folders name."""
    try:
        first = find_files([file])[0]
    except InvalidInputError as error:
        raise InvalidInputError(str(error).replace("`source`", show(file, 200), 1)) from None
    return os.fspath(first.path), set(first.partition)


def _scanned(file: str, chosen: dict[str, Any], work: Work, **options: Any) -> dict[str, Any]:
    """Return the Scores of each model, or the Scores of each group of it."""
    scores, pos_label = chosen["y_score"], chosen["pos_label"]
    named = file_columns(file, chosen["y_true"], *(scores if len(scores) == 1 else ()))
    shown = show(scores[0]) if len(scores) == 1 else f"{len(scores)} models"
    with within(named), work.stage(f"counting {shown}"), warnings.catch_warnings():
        # A positive label that no row has is an error here, said below.
        warnings.filterwarnings("ignore", "No row of `y_true` has the label", ThresherWarning)
        found: dict[str, Any] = th.scan(file, progress=work.report, **chosen, **options)
    for one in found.values():
        tables = one.values() if isinstance(one, dict) else (one,)
        if pos_label is not None and not any(table.n_pos for table in tables):
            raise InvalidInputError(
                f"--pos-label must be one of the labels; got {show(pos_label)}, which no row of {show(file, 200)} has."
            )
    return found
