"""Files counted without loading their rows: files of counts, large files, folders, patterns and addresses."""

from __future__ import annotations

import glob
import os
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import thresher as th
from thresher._core.checks import show
from thresher._core.files import is_file, is_folder, is_there
from thresher._read.sources import find_files, is_address
from thresher._read.sources.file_form import unpacks_beyond
from thresher.cli._chosen_columns import chosen_columns, label_value
from thresher.cli._errors import file_columns, within
from thresher.cli._progress import Work
from thresher.cli._read import ReadRequest, open_file
from thresher.exceptions import InvalidInputError, ThresherWarning

__all__ = ["ChosenColumns", "choose", "is_counts", "is_streamed", "load_counts", "scanned"]

_MAGIC = b"thresher scores\n"
_LARGE = 1 << 26  # bytes, above which rows are not loaded


def is_counts(file: str) -> bool:
    """Return whether a file was written by `thresher count` or `Scores.save`."""
    if not is_file(file):
        return False  # what comes through a pipe can be read only once
    try:
        with Path(file).open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def load_counts(file: str, wanted: ReadRequest) -> dict[str, th.Scores]:
    """Return the one model of a file of counts, called by the file's name."""
    given = [name for name, value in wanted.options().items() if value]
    if given:
        raise InvalidInputError(
            f"{show(file, 200)} must be a file of rows where columns are named; it holds counts, which have none. "
            f"Hint: leave out {', '.join(given)}."
        )
    return {Path(file).stem: th.Scores.load(file)}


def is_streamed(file: str) -> bool:
    """Return whether rows are counted batch by batch: those of an address, a folder, a pattern, or a large file."""
    if is_address(file):
        return True
    if is_file(file):
        return find_spec("pyarrow") is not None and unpacks_beyond(Path(file), _LARGE)
    return is_folder(file) or (file != "-" and not is_there(file) and glob.has_magic(file))


class ChosenColumns(NamedTuple):
    """What is read of files: the label, the scores of each model, and the positive label as its column holds it."""

    file: str
    label: str
    scores: list[str]
    pos_label: object
    wanted: ReadRequest


def choose(file: str, wanted: ReadRequest, pos_label: str | None) -> ChosenColumns:
    """Choose the columns by a look at the first of the files."""
    first, folders = (file, set()) if is_address(file) else _first_of(file)
    with open_file(first) as source:
        given = [name for name in wanted.extra() if name not in folders | source.folders]
        label, scores = chosen_columns(source, wanted.y_true, list(dict.fromkeys(wanted.y_score)), given)
        kind = source.kinds([label])[label]
    return ChosenColumns(file, label, scores, label_value(kind, pos_label), wanted)


def _first_of(file: str) -> tuple[str, set[str]]:
    """Return the first of the files, and the columns that its folders name."""
    try:
        first = find_files([file])[0]
    except InvalidInputError as error:
        raise InvalidInputError(str(error).replace("`source`", show(file, 200), 1)) from None
    return os.fspath(first.path), set(first.partition)


def scanned(
    chosen: ChosenColumns, work: Work, *, group: str | None = None, **options: Any
) -> Iterator[tuple[str, Any]]:
    """Give the name and the Scores of each model, or the Scores of each group of it."""
    named = file_columns(chosen.file, chosen.label, *(chosen.scores if len(chosen.scores) == 1 else ()))
    shown = show(chosen.scores[0]) if len(chosen.scores) == 1 else f"{len(chosen.scores)} models"
    with within(named), work.stage(f"counting {shown}"), warnings.catch_warnings():
        # A positive label that no row has is an error here, said below.
        warnings.filterwarnings("ignore", "No row of `y_true` has the label", ThresherWarning)
        found: dict[str, Any] = th.scan(
            chosen.file,
            y_true=chosen.label,
            y_score=chosen.scores,
            pos_label=chosen.pos_label,
            sample_weight=chosen.wanted.weight,
            frequency=chosen.wanted.frequency,
            cluster=chosen.wanted.cluster,
            by=group,
            progress=work.report,
            **options,
        )
    for one in found.values():
        tables = one.values() if group is not None else (one,)
        if chosen.pos_label is not None and not any(table.n_pos for table in tables):
            raise InvalidInputError(
                f"--pos-label must be one of the labels; got {show(chosen.pos_label)}, which no row of "
                f"{show(chosen.file, 200)} has."
            )
    yield from found.items()
