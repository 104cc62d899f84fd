"""Files of object stores and web servers, by their addresses: s3://, gs://, https:// and what fsspec knows."""

from __future__ import annotations

import re
from typing import Any

from thresher._core.checks import show, show_text
from thresher._core.optional import require
from thresher._read.sources.file_form import form_by_name
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError, MissingDependencyError

__all__ = ["is_address", "is_local", "remote_dataset"]

_PURPOSE = "Reading files by address"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_FORMATS = {"text": "csv", "arrow": "ipc"}


def is_address(value: object) -> bool:
    """Return whether this names a file or a folder by its address, as in ``s3://bucket/scores``."""
    return isinstance(value, str) and _ADDRESS.match(value) is not None


def is_local(dataset: Any) -> bool:
    """Return whether a dataset's files lie on this machine, where reading ahead only takes memory."""
    filesystem = getattr(dataset, "filesystem", None)
    return filesystem is None or getattr(filesystem, "type_name", "") in ("local", "subtree")


def remote_dataset(address: str) -> Any:
    """Return a pyarrow dataset of a file or folder elsewhere; hive partitions are columns."""
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    filesystem, path = _opened(address, arrow)
    kind = _FORMATS.get(form_by_name(path) or "", "parquet")
    try:
        if filesystem.get_file_info(f"{path.rstrip('/')}/_delta_log").type.name != "NotFound":
            raise InvalidInputError(
                f"`source` must be plain files; {show(address, 200)} is a Delta table, whose log says which of its "
                "files count. Hint: `th.scan(deltalake.DeltaTable(address).to_pyarrow_dataset(), ...)`."
            )
        found = dataset.dataset(path, filesystem=filesystem, format=kind, partitioning="hive")
    except (OSError, ValueError, arrow.ArrowException) as error:
        if isinstance(error, InvalidInputError):
            raise
        hint = (
            "name a file or a folder, no pattern; credentials come from the environment, or give a "
            "`pyarrow.dataset.dataset(..., filesystem=...)`."
        )
        raise unreadable(address, error, hint=hint) from error
    if not found.files:
        raise InvalidInputError(f"`source` must hold files to read; {show(address, 200)} has none.")
    return found


def _opened(address: str, arrow: Any) -> tuple[Any, str]:
    """Return pyarrow's file system of an address and the path there; fsspec's where pyarrow has none."""
    places = require("pyarrow.fs", extra="engines", purpose=_PURPOSE)
    try:
        filesystem, path = places.FileSystem.from_uri(address)
    except (OSError, ValueError, NotImplementedError, arrow.ArrowException):
        try:
            core = require("fsspec.core", extra="engines", purpose=_PURPOSE)
            found, path = core.url_to_fs(address)
        except (MissingDependencyError, ImportError, ValueError, OSError) as error:
            raise InvalidInputError(
                f"`source` must be an address that pyarrow or fsspec can open; got {show(address, 200)}: "
                f"{show_text(str(error).rstrip('. '), 150)}. Hint: pass a relation, `duckdb.read_parquet({address!r})`."
            ) from error
        filesystem = places.PyFileSystem(places.FSSpecHandler(found))
    return filesystem, path
