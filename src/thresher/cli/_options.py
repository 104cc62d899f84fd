"""What most commands take: a file, its columns, and the models in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

import thresher as th
from thresher._core.checks import show
from thresher.cli._read import Columns, read_columns
from thresher.exceptions import InvalidInputError, ThresherError

__all__ = ["Source", "label_value", "models_of", "read_models"]


@Parameter(name="*")
@dataclass(frozen=True)
class Source:
    """Which columns of the file are what.

    Parameters
    ----------
    y_true
        The column of labels; needed unless one column is clearly it.
    y_score
        A column of scores, once for each model; all others that are clearly scores if none is named.
    pos_label
        The label of the positive class, unless labels are 0 and 1, false and true, or -1 and 1.
    weight
        A column of weights.
    group
        A column of groups.
    """

    y_true: Annotated[str | None, Parameter(name="--y-true")] = None
    y_score: Annotated[tuple[str, ...], Parameter(name="--y-score", negative=())] = ()
    pos_label: Annotated[str | None, Parameter(name="--pos-label")] = None
    weight: Annotated[str | None, Parameter(name="--weight")] = None
    group: Annotated[str | None, Parameter(name="--group")] = None


def read_models(file: str, source: Source) -> dict[str, th.Scores]:
    """Return the Scores of each model in a file, in the order of its columns."""
    columns = read_columns(file, y_true=source.y_true, y_score=source.y_score, weight=source.weight, group=source.group)
    return models_of(columns, source.pos_label)


def models_of(columns: Columns, pos_label: str | None) -> dict[str, th.Scores]:
    """Return the Scores of each model; errors name the file and the column."""
    label = label_value(columns.y_true, pos_label)
    models = {}
    for name, values in columns.scores.items():
        try:
            models[name] = th.Scores(columns.y_true, values, pos_label=label, sample_weight=columns.weight)
        except ThresherError as error:
            where = f"{show(columns.name, 200)}, columns {show(columns.label_name)} and {show(name)}"
            raise type(error)(f"{where}: {error}") from None
    return models


def label_value(labels: NDArray[Any], text: str | None) -> Any:
    """Return the positive label as the column's type."""
    if text is None or labels.dtype.kind in "OUS":
        return text
    if labels.dtype.kind == "b":
        known = {"true": True, "1": True, "false": False, "0": False}
        if text.lower() in known:
            return known[text.lower()]
    else:
        try:
            return labels.dtype.type(text) if labels.dtype.kind == "f" else int(text)
        except ValueError:
            pass
    found = ", ".join(show(value) for value in np.unique(np.ma.compressed(labels))[:5].tolist())
    raise InvalidInputError(f"--pos-label must be one of the labels; got {show(text)}. Hint: they are {found}.")
