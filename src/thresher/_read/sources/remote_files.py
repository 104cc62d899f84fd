"""Files of object stores and web servers, by their addresses: s3://, gs://, https:// and what fsspec knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from thresher._core.checks import show, show_text
from thresher._core.optional import require
from thresher._read.sources.file_form import FOLDER_ENDINGS, form_by_name
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError, MissingDependencyError

__all__ = ["are_addresses", "is_address", "is_local", "remote_dataset"]

_PURPOSE = "Reading files by address"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_SECRET = re.compile(r"://[^/@:]*:([^/@]+)@")
_FORMATS = {"parquet": "parquet", "text": "csv", "arrow": "ipc", "json lines": "json"}
_CREDENTIALS = (
    "credentials come from where the cloud's own tools find them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "AWS_PROFILE or the machine's role for s3://; a bucket open to all needs `s3://anonymous@bucket/...`."
)
_SERVER = (
    "name a server that can be reached, in AWS_ENDPOINT_URL or as "
    "`s3://bucket/...?endpoint_override=host:9000&scheme=http`, and the region, in AWS_DEFAULT_REGION."
)
_REGION = "name the bucket's region, in AWS_DEFAULT_REGION or as `s3://bucket/...?region=eu-west-1`."
_STATUS = r"(?:HTTP|status|code)\D{0,20}"  # a bare number may be part of a path
_WAYS = (
    (
        re.compile(rf"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|forbidden|{_STATUS}40[13]\b|credential", re.I),
        _CREDENTIALS,
    ),
    (re.compile(r"NETWORK_CONNECTION|curlCode|resolve host|refused", re.I), _SERVER),
    (re.compile(rf"region|PermanentRedirect|{_STATUS}301\b", re.I), _REGION),
)
_OTHERWISE = "check the address; or give a `pyarrow.dataset.dataset(..., filesystem=...)`."


def is_address(value: object) -> bool:
    """Return whether this names a file or a folder by its address, as in ``s3://bucket/scores``."""
    return isinstance(value, str) and _ADDRESS.match(value) is not None


def are_addresses(value: object) -> bool:
    """Return whether this is an address, or a list of nothing else."""
    return is_address(value) or (isinstance(value, list | tuple) and bool(value) and all(map(is_address, value)))


def is_local(dataset: Any) -> bool:
    """Return whether a dataset's files lie on this machine, where reading ahead only takes memory."""
    filesystem = getattr(dataset, "filesystem", None)
    return filesystem is None or getattr(filesystem, "type_name", "") in ("local", "subtree")


def remote_dataset(addresses: str | Sequence[str]) -> Any:
    """Return a pyarrow dataset of files, folders or patterns elsewhere; hive partitions are columns."""
    given = [addresses] if isinstance(addresses, str) else list(addresses)
    secrets = [secret for address in given for secret in _SECRET.findall(address)]
    try:
        return _dataset_of(given)
    except InvalidInputError as error:
        if not secrets:
            raise
        told = str(error)
        for secret in secrets:
            told = told.replace(secret, "***")
        raise InvalidInputError(told) from None  # a message may end up in a log, and what it stems from beside it


def _dataset_of(given: list[str]) -> Any:
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    opened = [_opened(address, arrow) for address in given]
    filesystem = opened[0][0]
    for address, (other, _) in zip(given, opened, strict=True):
        if not filesystem.equals(other):
            raise InvalidInputError(
                f"`source` must lie in one store; got {show(given[0], 200)} and {show(address, 200)}. "
                "Hint: scan each and add the results: `a + b`."
            )
    files: list[str] = []
    for address, (_, path) in zip(given, opened, strict=True):
        try:
            files += _files(filesystem, path, address)
        except (OSError, arrow.ArrowException) as error:
            raise unreadable(address, error, hint=_hint(error)) from error
    if len(set(files)) < len(files):
        twice = next(file for file in files if files.count(file) > 1)
        raise InvalidInputError(
            f"`source` must name each file once, or its rows would count twice; got {show(twice, 200)} twice. "
            "Hint: leave one of them out."
        )
    try:
        return dataset.dataset(files, filesystem=filesystem, format=_format(files), partitioning="hive")
    except (OSError, ValueError, arrow.ArrowException) as error:
        if isinstance(error, InvalidInputError):
            raise
        raise unreadable(given[0], error, hint=_hint(error)) from error


def _hint(error: object) -> str:
    return next((way for told, way in _WAYS if told.search(str(error))), _OTHERWISE)


def _opened(address: str, arrow: Any) -> tuple[Any, str]:
    """Return pyarrow's file system of an address and the path there; fsspec's where pyarrow has none."""
    places = require("pyarrow.fs", extra="engines", purpose=_PURPOSE)
    try:
        filesystem, path = places.FileSystem.from_uri(address)
    except (OSError, ValueError, NotImplementedError, arrow.ArrowException) as first:
        try:
            core = require("fsspec.core", extra="engines", purpose=_PURPOSE)
            found, path = core.url_to_fs(address)
        except (MissingDependencyError, ImportError, ValueError, OSError) as error:
            if isinstance(first, OSError):  # pyarrow knows the store, which did not answer
                raise unreadable(address, first, hint=_hint(first)) from first
            raise InvalidInputError(
                f"`source` must be an address that pyarrow or fsspec can open; got {show(address, 200)}: "
                f"{show_text(str(error).rstrip('. '), 150)}. Hint: pass a relation, `duckdb.read_parquet({address!r})`."
            ) from error
        filesystem = places.PyFileSystem(places.FSSpecHandler(found))
    return filesystem, path


def _files(filesystem: Any, path: str, address: str) -> list[str]:
    """Return the files that a path of a store stands for, in the order of their names."""
    if "*" in path:
        spelled = path.split("/")
        base = "/".join(spelled[: next(k for k, part in enumerate(spelled) if "*" in part)])
        found = [file for file in _inside(filesystem, base, set(spelled)) if _matches(file.split("/"), spelled)]
        if not found:
            raise InvalidInputError(f"`source` must match at least one file; got {show(address, 200)}.")
        return found
    kind = filesystem.get_file_info(path.rstrip("/")).type.name
    if kind == "NotFound":
        raise InvalidInputError(
            f"`source` must name a file or a folder that exists; {show(address, 200)} does not, or may not be seen. "
            "Hint: check the bucket and the path, and whose credentials these are."
        )
    if kind == "File":
        return [path]
    if filesystem.get_file_info(f"{path.rstrip('/')}/_delta_log").type.name != "NotFound":
        raise InvalidInputError(
            f"`source` must be plain files; {show(address, 200)} is a Delta table, whose log says which of its "
            "files count. Hint: `th.scan(deltalake.DeltaTable(address).to_pyarrow_dataset(), ...)`."
        )
    found = _inside(filesystem, path.rstrip("/"))
    known = [file for file in found if file.lower().endswith(FOLDER_ENDINGS)]
    if not found:
        raise InvalidInputError(f"`source` must hold files to read; {show(address, 200)} has none.")
    return known or found


def _inside(filesystem: Any, folder: str, spelled: set[str] | None = None) -> list[str]:
    """Return the files in a folder and below it, but for those that belong to whoever writes it."""
    places = require("pyarrow.fs", extra="engines", purpose=_PURPOSE)
    listed = filesystem.get_file_info(places.FileSelector(folder, recursive=True))
    files = [file.path for file in listed if file.type.name == "File"]
    parts = {file: file.removeprefix(folder).strip("/").split("/") for file in files}
    return sorted(file for file in files if not any(_hidden(part) for part in set(parts[file]) - (spelled or set())))


def _hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _matches(parts: list[str], pattern: list[str]) -> bool:
    """Return whether a path matches a pattern, name by name; ``**`` stands for any number of folders."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[k:], pattern[1:]) for k in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _format(files: Sequence[str]) -> str:
    """Return pyarrow's name of the form of all files; those whose names say nothing are taken for Parquet."""
    forms = {form_by_name(file) or "parquet" for file in files}
    if len(forms) > 1 or not forms <= _FORMATS.keys():
        raise InvalidInputError(
            f"`source` must be files of one form, and one of {', '.join(_FORMATS)}, where they lie elsewhere; got "
            f"{', '.join(sorted(forms))}. Hint: name them by a pattern such as `s3://bucket/scored/*.parquet`."
        )
    return _FORMATS[forms.pop()]
