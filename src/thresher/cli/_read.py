"""Files in: labels, the scores of one model or several, and optionally weights and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher.cli._progress import Work
from thresher.cli._sources import Source, open_source
from thresher.exceptions import InvalidInputError

__all__ = ["Columns", "read_columns"]

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


def read_columns(
    file: str,
    *,
    y_true: str | None = None,
    y_score: Sequence[str] = (),
    weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    group: str | None = None,
    work: Work | None = None,
) -> Columns:
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
        extra = [name for name in (weight, frequency, cluster, group) if name is not None]
        label, scores = _chosen(source, y_true, list(dict.fromkeys(y_score)), extra)
        wanted = list(dict.fromkeys([label, *scores, *extra]))
        data = source.fetch(wanted, numbers=[*scores, *(name for name in (weight, frequency) if name is not None)])
    for name, what in ((group, "group"), (cluster, "cluster")):
        if name is not None and np.ma.is_masked(data[name]):
            row = int(np.flatnonzero(np.ma.getmaskarray(data[name]))[0])
            raise InvalidInputError(
                f"{show(source.shown, 200)}, column {show(name)}: {what}s must not be missing; row {row} has none. "
                f"Hint: fill them or leave out --{what}. Rows are counted from 0, without the header."
            )
    return Columns(
        source.shown,
        data[label],
        {name: data[name] for name in scores},
        None if weight is None else data[weight],
        None if group is None else data[group],
        label,
        None if frequency is None else data[frequency],
        None if cluster is None else np.asarray(data[cluster]).astype(str),
    )


@contextmanager
def _watched(source: Source, work: Work | None) -> Iterator[None]:
    if work is None:
        yield
        return
    with work.stage(f"reading {show(source.shown)}", percent=source.percent):
        yield


def _chosen(source: Source, label: str | None, scores: list[str], taken: list[str]) -> tuple[str, list[str]]:
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
        scores = _guessed_scores(source, [name for name in names if name not in (label, *taken)], listed)
    return label, scores


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
