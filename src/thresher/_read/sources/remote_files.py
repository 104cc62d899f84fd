"""Files of object stores and web servers, by their addresses: s3://, gs://, https:// and what fsspec knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any

from thresher._core.checks import require, show
from thresher._core.stores import hint_of_store, is_address, open_store, without_secrets
from thresher._read.sources.file_form import FOLDER_ENDINGS, FORMS, form_by_name
from thresher._read.sources.found_files import is_hidden
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError

_PURPOSE = "Reading files by address"
_PACKED = re.compile(r"\.(csv|tsv|txt|dat|data|tab|psv|jsonl|ndjson)\.gz$", re.IGNORECASE)
_ENDING = re.compile(r"\.[a-z0-9]+$", re.IGNORECASE)


def are_addresses(value: object) -> bool:
    """Return whether this is an address, or a list of nothing else."""
    return is_address(value) or (isinstance(value, list | tuple) and bool(value) and all(map(is_address, value)))


def is_local(dataset: Any) -> bool:
    """Return whether a dataset's files lie on this machine, where reading ahead only takes memory."""
    filesystem = getattr(dataset, "filesystem", None)
    return filesystem is None or getattr(filesystem, "type_name", "") in ("local", "subtree")


@contextmanager
def reading(addresses: str | Sequence[str]) -> Iterator[None]:
    """Tell what a store or a file there says in one sentence, without the secrets of the addresses."""
    given = _listed(addresses)
    shown = [without_secrets(address, given) for address in given]
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    try:
        yield
    except (InvalidInputError, OSError, arrow.ArrowException) as error:
        if isinstance(error, InvalidInputError):
            if shown == given:
                raise
            told = InvalidInputError(without_secrets(str(error), given))
        else:
            hint = hint_of_store(given[0], error)
            told = unreadable(", ".join(shown), without_secrets(str(error), given), hint=hint)
        # A message may end up in a log, and what it stems from beside it.
        raise told from (error if shown == given else None)


def remote_dataset(addresses: str | Sequence[str]) -> Any:
    """Return a pyarrow dataset of files, folders or patterns elsewhere; hive partitions are columns."""
    with reading(addresses):
        return _dataset_of(_listed(addresses))


def _listed(addresses: str | Sequence[str]) -> list[str]:
    return [addresses] if isinstance(addresses, str) else list(addresses)


def _dataset_of(given: list[str]) -> Any:
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    shown = [show(without_secrets(address, given), 200) for address in given]
    opened = []
    for address in given:
        with reading(address):
            opened.append(open_store(address))
    filesystem = opened[0][0]
    for name, (other, _) in zip(shown, opened, strict=True):
        if not filesystem.equals(other):
            raise InvalidInputError(
                f"`source` must lie in one store; got {shown[0]} and {name}. "
                "Hint: scan each and add the results: `a + b`."
            )
    files: list[str] = []
    for address, name, (_, path) in zip(given, shown, opened, strict=True):
        with reading(address):
            files += _files(filesystem, path, name)
    if len(set(files)) < len(files):
        twice = next(file for file in files if files.count(file) > 1)
        raise InvalidInputError(
            f"`source` must name each file once, or its rows would count twice; got {show(twice, 200)} twice. "
            "Hint: leave one of them out."
        )
    return dataset.dataset(files, filesystem=filesystem, format=_format(files), partitioning="hive")


def remote_files(addresses: Sequence[str]) -> list[str]:
    """Return the addresses of the files that these stand for: files, folders and patterns elsewhere."""
    out: list[str] = []
    for address in addresses:
        with reading(address):
            filesystem, path = open_store(address)
            head, _, options = address.partition("?")
            start = head[: head.rindex(path)] if path and path in head else head[: head.index("://") + 3]
            tail = f"?{options}" if options else ""
            found = _files(filesystem, path, show(without_secrets(address, [address]), 200))
            out += [address] if found == [path] else [f"{start}{file}{tail}" for file in found]
    return out


def packed_files(addresses: str | Sequence[str]) -> list[str]:
    """Return the addresses of all files if each is packed text or lines of JSON; else none."""
    given = _listed(addresses)
    if not all(
        _PACKED.search(address.partition("?")[0]) or not _ENDING.search(address.partition("?")[0]) for address in given
    ):
        return []
    found = remote_files(given)
    return found if all(_PACKED.search(file.partition("?")[0]) for file in found) else []


def _files(filesystem: Any, path: str, shown: str) -> list[str]:
    """Return the files that a path of a store stands for, in the order of their names."""
    if "*" in path:
        spelled = path.split("/")
        base = "/".join(spelled[: next(k for k, part in enumerate(spelled) if "*" in part)])
        found = [file for file in _inside(filesystem, base, set(spelled)) if _matches(file.split("/"), spelled)]
        if not found:
            raise InvalidInputError(f"`source` must match at least one file; got {shown}.")
        return found
    kind = filesystem.get_file_info(path.rstrip("/")).type.name
    if kind == "NotFound":
        raise InvalidInputError(
            f"`source` must name a file or a folder that exists; {shown} does not, or may not be seen. "
            "Hint: check the bucket and the path, and whose credentials these are."
        )
    if kind == "File":
        return [path]
    if filesystem.get_file_info(f"{path.rstrip('/')}/_delta_log").type.name != "NotFound":
        raise InvalidInputError(
            f"`source` must be plain files; {shown} is a Delta table, whose log says which of its "
            "files count. Hint: `th.scan(deltalake.DeltaTable(address).to_pyarrow_dataset(), ...)`."
        )
    found = _inside(filesystem, path.rstrip("/"))
    known = [file for file in found if file.lower().endswith(FOLDER_ENDINGS)]
    if not found:
        raise InvalidInputError(f"`source` must hold files to read; {shown} has none.")
    return known or found


def _inside(filesystem: Any, folder: str, spelled: set[str] | None = None) -> list[str]:
    """Return the files in a folder and below it, but for those of the program that writes it."""
    places = require("pyarrow.fs", extra="engines", purpose=_PURPOSE)
    listed = filesystem.get_file_info(places.FileSelector(folder, recursive=True))
    files = [file.path for file in listed if file.type.name == "File"]
    parts = {file: file.removeprefix(folder).strip("/").split("/") for file in files}
    return sorted(file for file in files if not any(is_hidden(part) for part in set(parts[file]) - (spelled or set())))


def _matches(parts: list[str], pattern: list[str]) -> bool:
    """Return whether a path matches a pattern, name by name; ``**`` stands for any number of folders."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[k:], pattern[1:]) for k in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _format(files: Sequence[str]) -> str:
    """Return pyarrow's name of the form of all files; those whose names say nothing are taken for Parquet."""
    found = {form_by_name(file) or FORMS[0] for file in files}
    if len(found) > 1 or not all(form.dataset for form in found):
        known = ", ".join(form.name for form in FORMS if form.dataset)
        raise InvalidInputError(
            f"`source` must be files of one form, and one of {known}, where they lie elsewhere; got "
            f"{', '.join(sorted(form.name for form in found))}. Hint: name them by a pattern such as `s3://bucket/scored/*.parquet`."
        )
    return found.pop().dataset
