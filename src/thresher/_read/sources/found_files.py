"""Which files a path, a folder or a pattern stands for, and what their folders say about their rows."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple
from urllib.parse import unquote

from thresher._core.checks import show
from thresher._core.files import is_folder, is_there
from thresher._core.stores import is_address
from thresher._read.sources.file_form import FOLDER_ENDINGS
from thresher.exceptions import InvalidInputError

_NONE = "__HIVE_DEFAULT_PARTITION__"
_LOGS = {
    "_delta_log": ("Delta", "`th.scan(deltalake.DeltaTable(path).to_pyarrow_dataset(), ...)`"),
    ".hoodie": ("Hudi", "a Spark DataFrame of it"),
}
_ICEBERG = "`th.scan(pyiceberg_table.scan().to_arrow_batch_reader(), ...)`"


class FoundFile(NamedTuple):
    """A file with the columns that its folders name, as in ``day=2026-01-01/part-0.parquet``."""

    path: Path
    partition: dict[str, str | None]


def find_files(paths: Sequence[str | os.PathLike[str]]) -> list[FoundFile]:
    """Return the files that paths, folders and patterns stand for, folder by folder in the order of their names.

    Names that begin with a dot or an underscore belong to the program that writes the folder, and are passed over:
    files that are not finished, logs, checksums. A folder whose log says which of its files count is refused.
    """
    out: list[FoundFile] = []
    for given in paths:
        text = os.fspath(given)
        if not text:
            raise InvalidInputError("`source` must name a file; got ''. Hint: '.' stands for the working folder.")
        if is_address(text):
            raise InvalidInputError(
                f"`source` must be addresses, or files of this machine, not both; got {show(text, 200)} in a list of "
                "both. Hint: scan each and add the results: `a + b`."
            )
        path = Path(text)
        if is_folder(path):
            out += _inside(path)
        elif is_there(path):
            out.append(FoundFile(path, _partition(path.parent)))
        else:
            out += _matched(text)
    if not out:
        raise InvalidInputError("`source` must name at least one file; got an empty list.")
    _refuse_twice(out)
    return out


def _inside(folder: Path) -> list[FoundFile]:
    _refuse_log(folder)
    found = [
        FoundFile(path, _partition(path.parent))
        for path in _walked(folder)
        if path.name.lower().endswith(FOLDER_ENDINGS)
    ]
    if not found:
        raise InvalidInputError(
            f"`source` must hold files to read; the folder {show(str(folder), 200)} has none that end in "
            f"{', '.join(FOLDER_ENDINGS[:6])}. Hint: name the files, or give a pattern such as '*.parquet'."
        )
    return found


def _walked(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of those in it, in the order of their names."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            _refuse_log(path)
            if not is_hidden(path.name):
                yield from _walked(path)
        elif not is_hidden(path.name) and path.is_file():
            yield path


def is_hidden(name: str) -> bool:
    """Return whether a name belongs to the program that writes a folder; columns may begin with an underscore."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _matched(pattern: str) -> list[FoundFile]:
    # `Path.glob` takes no absolute patterns.
    named = map(Path, glob.glob(pattern, recursive=True))  # noqa: PTH207
    spelled = set(PurePath(pattern).parts)
    found = sorted(
        path
        for path in named
        if path.is_file() and not any(is_hidden(part) and part not in spelled for part in path.parts if part != "..")
    )
    if not found:
        rule = "match at least one file" if glob.has_magic(pattern) else "name a file that exists"
        raise InvalidInputError(
            f"`source` must {rule}; got {show(pattern, 200)}. Hint: the working folder is {show(str(Path.cwd()), 200)}."
        )
    for folder in {path.parent for path in found}:
        _refuse_log(folder)
    return [FoundFile(path, _partition(path.parent)) for path in found]


def _partition(folder: Path) -> dict[str, str | None]:
    """Return the columns that folders are named after, the innermost last."""
    out: dict[str, str | None] = {}
    for part in folder.parts:
        name, is_named, value = part.partition("=")
        if is_named and name:
            out[unquote(name)] = None if value == _NONE else unquote(value)
    return out


def _refuse_log(folder: Path) -> None:
    """Raise for a table whose log decides which files count: reading all of them would count rows that were deleted."""
    for name, (kind, way) in _LOGS.items():
        if (folder / name).is_dir():
            raise _logged(folder, f"a {kind}", way)
    if any((folder / "metadata").glob("*.metadata.json")):
        raise _logged(folder, "an Iceberg", _ICEBERG)


def _logged(folder: Path, kind: str, way: str) -> InvalidInputError:
    return InvalidInputError(
        f"`source` must be plain files; {show(str(folder), 200)} is {kind} table, whose log says which of its files "
        f"count. Hint: {way} reads the rows it holds now."
    )


def _refuse_twice(files: Sequence[FoundFile]) -> None:
    seen: dict[str, Path] = {}
    for file in files:
        other = seen.setdefault(os.path.realpath(file.path), file.path)
        if other is not file.path:
            also = "" if other == file.path else f", also as {show(str(file.path), 200)}"
            raise InvalidInputError(
                f"`source` must name each file once, or its rows would count twice; got {show(str(other), 200)} "
                f"twice{also}. Hint: leave one of them out."
            )
