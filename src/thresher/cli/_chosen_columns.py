"""Which columns of a file are labels and scores: as the options name them, or found where there is no doubt."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from thresher._core.checks import show
from thresher._read.sources import NamedColumns
from thresher.exceptions import InvalidInputError

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
_MOST_GUESSED = 500  # columns whose values are looked at to find labels and scores
_MOST_MODELS = 50
_LEAST_ROWS = 10  # below, equal row counts say nothing


def chosen_columns(
    source: NamedColumns, label: str | None, scores: list[str], taken: list[str]
) -> tuple[str, list[str]]:
    """Return the column of labels and those of scores: as named, or found where there is no doubt."""
    listed = _listed(source.names, 20)
    _check_named(source, label, scores, taken, listed)
    if label is None:
        label = _guessed_label(source, _others(source, (*scores, *taken)), listed)
    if scores:
        return label, scores
    left = _others(source, (label, *taken))
    index = [name for name in left if _is_index(source, name)]
    scores = _guessed_scores(source, [name for name in left if name not in index], listed)
    _refuse_tidy(source, [name for name in left if name not in scores], scores)
    for name in index:
        sys.stderr.write(
            f"note: {show(source.shown, 200)}, column {show(name)} is taken for the row numbers that pandas writes, "
            f"not for a score. Hint: --y-score {name} takes it.\n"
        )
    passed = [name for name in left if name not in scores and name not in index]
    if passed:
        sys.stderr.write(
            f"note: {show(source.shown, 200)} has columns that hold no numbers and are no scores: "
            f"{_listed(passed, 5)}. Hint: --y-score names those to read.\n"
        )
    return label, scores


def _listed(names: Sequence[str], most: int) -> str:
    return ", ".join(show(name, 40) for name in names[:most]) + (", ..." if len(names) > most else "")


def _others(source: NamedColumns, taken: Sequence[str]) -> list[str]:
    return [name for name in source.names if name not in taken]


def _check_named(source: NamedColumns, label: str | None, scores: list[str], taken: list[str], listed: str) -> None:
    for name in [*([] if label is None else [label]), *scores, *taken]:
        if name not in source.names:
            raise InvalidInputError(f"{show(source.shown, 200)} has no column {show(name)}. Hint: it has {listed}.")
    if label in scores:
        raise InvalidInputError(
            f"{show(source.shown, 200)}, column {show(label)}: must be the label or a score, not both."
        )


def _kinds(source: NamedColumns, names: list[str]) -> dict[str, str]:
    """Return the kinds of columns that nobody named, unless there are too many to look at."""
    if len(names) > _MOST_GUESSED:
        raise InvalidInputError(
            f"{show(source.shown, 200)} has {len(source.names):,} columns, too many to look for labels and scores "
            "among them. Hint: name them with --y-true and --y-score."
        )
    return source.kinds(names)


def _is_index(source: NamedColumns, name: str) -> bool:
    """Return whether a column is the one of row numbers that pandas writes before the others."""
    return name in _INDEX and source.kinds([name])[name] == "whole"


def _refuse_tidy(source: NamedColumns, names: list[str], scores: list[str]) -> None:
    """Raise where models stand one below the other: taken together they would be one model that nobody made."""
    if len(scores) != 1:
        return
    text = [name for name in names if name.lower() in _MODEL_NAMES or source.kinds([name])[name] == "text"]
    for name in text:
        values = _even_values(source, name)
        if values:
            raise InvalidInputError(
                f"{show(source.shown, 200)} must have one model in a column of scores; the values of {show(name)} "
                f"({_listed(values, 5)}) have the same number of rows each, as models below one another have. Hint: "
                f"--model-column {name} takes them apart; --y-score {scores[0]} takes all rows for one model."
            )


def _even_values(source: NamedColumns, name: str) -> list[str]:
    """Return the values of a column if there are a few with the same number of rows each, at least ten."""
    counted = source.counted(name, _MOST_MODELS)
    values = [value for value, _ in counted if value is not None]
    rows = {count for _, count in counted}
    few = 2 <= len(values) == len(counted) <= _MOST_MODELS
    return values if few and len(rows) == 1 and min(rows) >= _LEAST_ROWS else []


def _guessed_label(source: NamedColumns, names: list[str], listed: str) -> str:
    by_name = [name for name in names if name.lower() in _LABEL_NAMES]
    if len(by_name) == 1:
        return by_name[0]
    kinds = _kinds(source, names)
    whole = [name for name in names if kinds[name] in ("bool", "whole")]
    by_value = [name for name in by_name or whole if source.is_binary(name)]
    if len(by_value) == 1:
        return by_value[0]
    raise InvalidInputError(
        f"{show(source.shown, 200)} must have one column that is clearly the label. Hint: name it with --y-true; the "
        f"columns are {listed}."
    )


def _guessed_scores(source: NamedColumns, names: list[str], listed: str) -> list[str]:
    kinds = _kinds(source, names)
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
