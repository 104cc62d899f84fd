"""Object stores and whatever else has addresses, by pyarrow or fsspec: read whole, written whole."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from thresher._core.checks import show, show_text
from thresher._core.optional import require
from thresher._core.own_errors import WithOSErrors
from thresher._core.store_words import hint_of_store, patient, without_secrets
from thresher.exceptions import InvalidInputError, MissingDependencyError

__all__ = ["is_address", "open_store", "put_file", "stored_bytes"]

_PURPOSE = "Reading and writing files by address"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_address(value: object) -> bool:
    """Return whether this names a file or a folder by its address, as in ``s3://bucket/scores``."""
    return isinstance(value, str) and _ADDRESS.match(value) is not None


def open_store(address: str, argument: str = "source") -> tuple[Any, str]:
    """Return pyarrow's file system of an address and the path there; fsspec's where pyarrow has none."""
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    places = require("pyarrow.fs", extra="engines", purpose=_PURPOSE)
    try:
        filesystem, path = places.FileSystem.from_uri(patient(address))
    except (OSError, ValueError, NotImplementedError, arrow.ArrowException) as first:
        try:
            core = require("fsspec.core", extra="engines", purpose=_PURPOSE)
            found, path = core.url_to_fs(address)
        except (MissingDependencyError, ImportError, ValueError, OSError) as error:
            if isinstance(first, OSError):  # pyarrow knows the store, which did not answer
                raise first from None
            shown = without_secrets(address, [address])
            raise InvalidInputError(
                f"`{argument}` must be an address that pyarrow or fsspec can open; got {show(shown, 200)}: "
                f"{show_text(str(error).rstrip('. '), 150)}. Hint: pass a relation, `duckdb.read_parquet({shown!r})`."
            ) from error
        filesystem = places.PyFileSystem(places.FSSpecHandler(WithOSErrors(found)))
    return filesystem, path


@contextmanager
def _told(address: str, doing: str) -> Iterator[None]:
    """Say what a store says in one sentence, without the secrets of the address."""
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    try:
        yield
    except (OSError, arrow.ArrowException) as error:
        said = show_text(without_secrets(str(error), [address]).strip().splitlines()[0].rstrip("."), 300)
        shown = show(without_secrets(address, [address]), 200)
        raise InvalidInputError(f"Cannot {doing} {shown}: {said}. Hint: {hint_of_store(address, error)}") from None


@contextmanager
def stored_bytes(address: str) -> Iterator[BinaryIO]:
    """Open a file by its address to read it from its start."""
    with _told(address, "read"):
        filesystem, path = open_store(address, "path")
        with filesystem.open_input_file(path) as stream:
            yield stream


def put_file(file: Path, address: str) -> None:
    """Put a file to an address; stores show it once all of it is there."""
    with _told(address, "write"):
        filesystem, path = open_store(address, "path")
        with file.open("rb") as source, filesystem.open_output_stream(path, compression=None) as target:
            shutil.copyfileobj(source, target, 1 << 20)
