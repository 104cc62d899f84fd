"""Files of any known form as columns that can be looked at before they are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from thresher._core.checks import show
from thresher._core.files import own_folder
from thresher._read.sources.batch_files import ArrowFile
from thresher._read.sources.duckdb_files import connection, read_relation
from thresher._read.sources.file_form import find_form
from thresher._read.sources.named_columns import ArrayColumns, NamedColumns
from thresher._read.sources.npz_arrays import read_npz
from thresher._read.sources.placed_file import linked, regular_file, spooled
from thresher._read.sources.table_columns import TableColumns
from thresher.exceptions import InvalidInputError

__all__ = ["open_columns"]


@contextmanager
def open_columns(file: str | BinaryIO, shown: str) -> Iterator[NamedColumns]:
    """Open the columns of a file, by its name or as a stream of bytes; messages call it `shown`."""
    with own_folder() as folder:
        path = regular_file(file, folder) if isinstance(file, str) else spooled(file, folder)
        if path.stat().st_size == 0:
            raise InvalidInputError(f"{show(shown, 200)} must have at least one row; it is empty.")
        form = find_form(path, shown)
        if form == "npz":
            yield ArrayColumns(read_npz(path, shown), shown)
            return
        with connection() as database:
            if form == "arrow":
                relation, names = _arrow_relation(database, path, shown)
            else:
                relation, names = read_relation(database, linked(path, folder), form, shown)
            _refuse_twice(names, shown)
            text, rounded = form == "text", form.startswith("json")
            yield TableColumns(database, relation, names, shown, text=text, rounded=rounded)


def _arrow_relation(database: Any, path: Path, shown: str) -> tuple[Any, list[str]]:
    file = ArrowFile(path, shown)
    return database.from_arrow(file.table().rename_columns([f"c{i}" for i in range(len(file.names))])), file.names


def _refuse_twice(names: Sequence[str], shown: str) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise InvalidInputError(
            f"{show(shown, 200)} must name its columns differently; {show(twice)} occurs twice. Hint: rename one."
        )
