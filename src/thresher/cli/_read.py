"""Files in: labels, the scores of one model or several, and optionally weights and groups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher.cli._progress import Work
from thresher.cli._sources import Source, open_source
from thresher.exceptions import InvalidInputError

__all__ = ["Columns", "Wanted", "chosen_columns", "label_value", "read_columns"]

_LABEL_NAMES = ("label", "labels", "y_true", "y", "target", "class", "outcome", "truth")
_NOT_SCORES = (
    "weight",
    "weights",
    "sample_weight",
    "frequency",
    "cluster",
    "patient",
    "group",
    "groups",
    "fold",
    "id",
    "index",
    "time",
    "timestamp",
)

_INDEX = ("index", "Unnamed: 0", "__index_level_0__")
_MODEL_NAMES = ("model", "classifier", "method", "algorithm", "estimator", "scorer")


@dataclass(frozen=True, eq=False)
class Columns:
    """What a file holds: element i of every column belongs to row i."""

    name: str
    y_true: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    weight: NDArray[Any] | None
    group: NDArray[Any] | None
    label_name: str
    frequency: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None


@dataclass(frozen=True)
class Wanted:
    """The columns that the options name."""

    y_true: str | None = None
    y_score: tuple[str, ...] = ()
    weight: str | None = None
    frequency: str | None = None
    cluster: str | None = None
    group: str | None = None
    model: str | None = None

    def extra(self) -> list[str]:
        """Return the columns beside labels and scores."""
        given = (self.weight, self.frequency, self.cluster, self.group, self.model)
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


def read_columns(file: str, wanted: Wanted, work: Work | None = None) -> Columns:
    """Read the columns wanted; columns are guessed only when there is no doubt.

    Parameters
    ----------
    file
        CSV or TSV (any delimiter, with or without header, gzip too), Parquet, JSON lines, Arrow or Feather, NPZ, or
        "-" for standard input.
    work
        Where progress is shown.
    """
    with open_source(file) as source, _watched(source, work):
        extra = wanted.extra()
        label, scores = chosen_columns(source, wanted.y_true, list(dict.fromkeys(wanted.y_score)), extra)
        names = list(dict.fromkeys([label, *scores, *extra]))
        numbers = [*scores, *(name for name in (wanted.weight, wanted.frequency) if name is not None)]
        data = source.fetch(names, numbers=numbers)
    for name, what in ((wanted.group, "group"), (wanted.cluster, "cluster"), (wanted.model, "model-column")):
        if name is not None and np.ma.is_masked(data[name]):
            row = int(np.flatnonzero(np.ma.getmaskarray(data[name]))[0])
            raise InvalidInputError(
                f"{show(source.shown, 200)}, column {show(name)}: {what}s must not be missing; row {row} has none. "
                f"Hint: fill them or leave out --{what}. Rows are counted from 0, without the header."
            )
    columns = Columns(
        source.shown,
        data[label],
        {name: data[name] for name in scores},
        None if wanted.weight is None else data[wanted.weight],
        None if wanted.group is None else data[wanted.group],
        label,
        None if wanted.frequency is None else data[wanted.frequency],
        None if wanted.cluster is None else np.asarray(data[wanted.cluster]).astype(str),
    )
    return columns if wanted.model is None else _side_by_side(columns, wanted.model, data[wanted.model])


def _side_by_side(columns: Columns, model: str, named: NDArray[Any]) -> Columns:
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
    return Columns(columns.name, taken[0], side, taken[1], taken[2], columns.label_name, taken[3], taken[4])  # type: ignore[arg-type]  # labels are there


@contextmanager
def _watched(source: Source, work: Work | None) -> Iterator[None]:
    if work is None:
        yield
        return
    with work.stage(f"reading {show(source.shown)}", percent=source.percent):
        yield


def chosen_columns(source: Source, label: str | None, scores: list[str], taken: list[str]) -> tuple[str, list[str]]:
    """Return the column of labels and those of scores: as named, or found where there is no doubt."""
    names = source.names
    listed = ", ".join(show(name, 40) for name in names[:20]) + (", ..." if len(names) > 20 else "")
    for name in [label, *scores, *taken]:
        if name is not None and name not in names:
            raise InvalidInputError(f"{show(source.shown, 200)} has no column {show(name)}. Hint: it has {listed}.")
    if label is not None and label in scores:
        raise InvalidInputError(
            f"{show(source.shown, 200)}, column {show(label)}: must be the label or a score, not both."
        )
    if label is None:
        label = _guessed_label(source, [name for name in names if name not in (*scores, *taken)], listed)
    if not scores:
        left = [name for name in names if name not in (label, *taken)]
        scores = _guessed_scores(source, [name for name in left if not _is_index(source, name)], listed)
        _refuse_tidy(source, [name for name in left if name not in scores], scores)
    return label, scores


def _is_index(source: Source, name: str) -> bool:
    """Return whether a column is the one of row numbers that pandas writes before the others."""
    return name in _INDEX and source.kinds([name])[name] == "whole"


def _refuse_tidy(source: Source, names: list[str], scores: list[str]) -> None:
    """Raise where models stand one below the other: taken together they would be one model that nobody made."""
    if len(scores) != 1:
        return
    text = [name for name in names if name.lower() in _MODEL_NAMES or source.kinds([name])[name] == "text"]
    for name in text:
        values = source.repeated(name)
        if values is not None:
            listed = ", ".join(show(value, 40) for value in values[:5]) + (", ..." if len(values) > 5 else "")
            raise InvalidInputError(
                f"{show(source.shown, 200)} must have one model in a column of scores; the values of {show(name)} "
                f"({listed}) have the same number of rows each, as models below one another have. Hint: --model-column "
                f"{name} takes them apart; --y-score {scores[0]} takes all rows for one model."
            )


def _guessed_label(source: Source, names: list[str], listed: str) -> str:
    by_name = [name for name in names if name.lower() in _LABEL_NAMES]
    if len(by_name) == 1:
        return by_name[0]
    kinds = source.kinds(names)
    whole = [name for name in names if kinds[name] in ("bool", "whole")]
    by_value = [name for name in by_name or whole if source.is_binary(name)]
    if len(by_value) == 1:
        return by_value[0]
    raise InvalidInputError(
        f"{show(source.shown, 200)} must have one column that is clearly the label. Hint: name it with --y-true; the "
        f"columns are {listed}."
    )


def _guessed_scores(source: Source, names: list[str], listed: str) -> list[str]:
    kinds = source.kinds(names)
    # A column of numbers but for some rows is a score with a flaw, which reading it will name; never one to pass over.
    real = [name for name in names if kinds[name] in ("real", "mixed")]
    whole = [name for name in names if kinds[name] in ("whole", "bool")]
    doubtful = [name for name in real if name.lower() in _NOT_SCORES]
    if real and not whole and not doubtful:
        return real
    if len(whole) == 1 and not real and whole[0].lower() not in _NOT_SCORES:
        return whole
    if len(names) == 1:
        return names  # there is no choice; if it holds text, reading it will say in which row
    raise InvalidInputError(
        f"{show(source.shown, 200)} must have columns that are clearly scores. Hint: name them with --y-score, once "
        f"for each model; the columns are {listed}."
    )


def label_value(kind: str, text: str | None) -> object:
    """Return the positive label as a column of that kind holds it."""
    if text is None or kind in ("text", "mixed"):
        return text
    if kind == "bool":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
