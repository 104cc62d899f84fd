"""Files of any known form as columns that can be looked at before they are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from thresher._core.checks import show
from thresher._core.files import own_folder
from thresher._core.stores import is_address
from thresher._read.sources.batch_files import ArrowFile, OrcFile
from thresher._read.sources.duckdb_files import connection, duckdb_error, read_relation
from thresher._read.sources.file_form import find_form, linked, regular_file, spooled
from thresher._read.sources.named_columns import ArrayColumns, NamedColumns, read_npz
from thresher._read.sources.remote_files import remote_dataset
from thresher._read.sources.table_columns import TableColumns
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError

__all__ = ["open_columns"]


@contextmanager
def open_columns(file: str | BinaryIO, shown: str) -> Iterator[NamedColumns]:
    """Open the columns of a file, by its name or address or as a stream of bytes; messages call it `shown`."""
    if is_address(file):
        with connection() as database:
            yield _remote_columns(database, str(file), shown)
        return
    with own_folder() as folder:
        path = regular_file(file, folder) if isinstance(file, str) else spooled(file, folder)
        if path.stat().st_size == 0:
            raise InvalidInputError(f"{show(shown, 200)} must have at least one row; it is empty.")
        form = find_form(path, shown)
        if form == "npz":
            yield ArrayColumns(read_npz(path, shown), shown)
            return
        with connection() as database:
            if form in ("arrow", "orc"):
                known = ArrowFile(path, shown) if form == "arrow" else OrcFile(path, shown)
                relation, names = _arrow_relation(database, known)
            else:
                relation, names = read_relation(database, linked(path, folder), form, shown)
            _refuse_twice(names, shown)
            text, rounded = form == "text", form.startswith("json")
            yield TableColumns(database, relation, names, shown, text=text, rounded=rounded)


def _remote_columns(database: Any, address: str, shown: str) -> TableColumns:
    """Return the columns of files elsewhere, which are read when they are asked for, and only those."""
    found = remote_dataset(address)
    folders = frozenset(found.partitioning.schema.names) if found.partitioning is not None else frozenset()
    for name in folders:
        found = found.replace_schema(found.schema.remove(found.schema.get_field_index(name)))
    _refuse_twice(found.schema.names, shown)
    columns = TableColumns(database, database.from_arrow(found), found.schema.names, shown, text=False)
    columns.folders = folders
    return columns


def _arrow_relation(database: Any, file: ArrowFile | OrcFile) -> tuple[Any, list[str]]:
    table = file.table().rename_columns([f"c{i}" for i in range(len(file.names))])
    halves = [field.name for field in table.schema if str(field.type) == "halffloat"]
    for name in halves:  # which DuckDB does not know; a float holds each of them
        table = table.set_column(table.column_names.index(name), name, table[name].cast("float32"))
    try:
        return database.from_arrow(table), file.names
    except duckdb_error() as error:
        raise unreadable(file.shown, error, hint="save the columns it needs as numbers or text.") from None


def _refuse_twice(names: Sequence[str], shown: str) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise InvalidInputError(
            f"{show(shown, 200)} must name its columns differently; {show(twice)} occurs twice. Hint: rename one."
        )
