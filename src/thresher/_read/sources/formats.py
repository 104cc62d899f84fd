"""Files of any form as one source of batches, with the columns that their folders name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from thresher._core.checks import require
from thresher._read.sources.batch_files import BATCH_ROWS, batch_file
from thresher._read.sources.found_files import FoundFile, find_files
from thresher._read.sources.source import Source, arguments, no_column

__all__ = ["files_source", "is_path"]


def is_path(value: object) -> bool:
    """Return whether this names a file or a pattern of files."""
    return isinstance(value, str | os.PathLike)


def files_source(paths: Sequence[Any], names: dict[str, str], chosen: Any = None) -> Source:
    """Return the rows of all files, in the order of their names; `names` maps arguments to columns.

    `chosen` is a condition of Arrow for the rows.
    """
    found = find_files(paths)
    kinds = _partition_kinds(found)
    files = [_File(file, names, chosen, kinds) for file in found]
    known = [file.rows if chosen is None else None for file in files]
    total = None if any(rows is None for rows in known) else sum(rows for rows in known if rows is not None)
    types = {
        argument: [file.score_types[argument] for file in files if argument in file.score_types]
        for argument in arguments(names, "y_score")
    }
    reading = [""]

    def batches() -> Iterator[Any]:
        for file in files:
            reading[0] = file.shown if len(files) > 1 else ""
            yield from file.batches()

    # What is one batch anyway is not worth a thread that reads ahead.
    return Source(batches, total, types, overlap=total is None or total > BATCH_ROWS, where=lambda: reading[0])


def _partition_kinds(files: Sequence[FoundFile]) -> dict[str, type]:
    """Return for each column that folders are named after whether all of its values are whole numbers, or text."""
    kinds: dict[str, type] = {}
    for file in files:
        for name, value in file.partition.items():
            whole = value is None or (value.isascii() and value.lstrip("-").isdigit() and len(value) < 19)
            kinds[name] = int if whole and kinds.get(name, int) is int else str
    return kinds


class _File:
    """What is read of one file: its own columns, and those that its folders name."""

    def __init__(self, found: FoundFile, names: dict[str, str], chosen: Any, kinds: dict[str, type]) -> None:
        self._file = batch_file(found.path)
        self._chosen = chosen
        self.shown, self.rows = self._file.shown, self._file.rows
        schema = self._file.schema
        wanted = list(dict.fromkeys(names.values()))
        # A column that the file has is the file's; folders name only what is left out of it.
        self._partition = {
            name: value if value is None else kinds[name](value)
            for name, value in found.partition.items()
            if name in wanted and not schema.get_all_field_indices(name)
        }
        for argument, name in names.items():
            times = len(schema.get_all_field_indices(name))
            if times != 1 and name not in self._partition:
                raise no_column(argument, name, self._file.names, repeated=times > 1, file=self.shown)
        self._columns = [name for name in wanted if name not in self._partition]
        scores = {argument: names[argument] for argument in arguments(names, "y_score")}
        self._scores = [name for name in dict.fromkeys(scores.values()) if name not in self._partition]
        self.score_types = {
            argument: self._file.score_type(name) for argument, name in scores.items() if name in self._scores
        }
        # A condition may name the folders too: they are columns before it is asked.
        self._folders = (
            {}
            if chosen is None
            else {
                name: value if value is None else kinds[name](value)
                for name, value in found.partition.items()
                if not schema.get_all_field_indices(name)
            }
        )

    def batches(self) -> Iterator[Any]:
        if not self._folders:
            batches = self._file.batches(self._columns, self._scores, self._chosen)
            yield from map(self._completed, batches)
            return
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        for batch in self._file.batches(self._file.names, self._scores):
            for name, value in self._folders.items():
                batch = batch.append_column(name, arrow.repeat(value, batch.num_rows))
            yield batch.filter(self._chosen).select([*self._columns, *self._partition])

    def _completed(self, batch: Any) -> Any:
        """Return a batch with the columns that its folders name."""
        if not self._partition:
            return batch
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        for name, value in self._partition.items():
            column = arrow.nulls(batch.num_rows, arrow.string()) if value is None else None
            if column is None:
                index = arrow.array(np.zeros(batch.num_rows, dtype=np.int32))
                column = arrow.DictionaryArray.from_arrays(index, arrow.array([value]))
            batch = batch.append_column(name, column)
        return batch
