"""Object stores and whatever else has addresses: read whole, written whole, and what each says when it refuses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from thresher._core.checks import require, show, show_text
from thresher.exceptions import InvalidInputError, MissingDependencyError

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


class WithOSErrors:
    """A file system or a file; what it raises that is no OSError is one, so that pyarrow and we can tell it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WithOSErrors) and bool(self._inner == other._inner)

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        def call(*words: Any, **named: Any) -> Any:
            try:
                made = found(*words, **named)
            except (OSError, MemoryError):
                raise
            except Exception as error:  # whatever the library of this store has
                said = (str(error).strip() or type(error).__name__).splitlines()[0]
                raise OSError(f"{said} ({type(error).__name__})") from error
            return WithOSErrors(made) if hasattr(made, "read") else made

        return call


_PASSWORD = re.compile(r"://[^/@:]*:([^/@]+)@")
_SECRET_OPTION = re.compile(r"[?&][^=&]*(?:key|secret|token|password|signature|sig)[^=&]*=([^&#]+)", re.IGNORECASE)
_GOOGLE_PATIENCE = 30  # seconds; Google's client tries for a quarter of an hour by itself

_STATUS = r"(?:HTTP|status|code)\D{0,20}"  # a bare number may be part of a path
_REFUSED = re.compile(
    rf"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|forbidden|{_STATUS}40[13]\b|credential|authenticat|Authorization"
    r"|UNAUTHENTICATED|PERMISSION_DENIED",
    re.IGNORECASE,
)
_SILENT = re.compile(r"NETWORK_CONNECTION|curl ?(?:Code|error)|resolve host|refused|cannot connect", re.IGNORECASE)
_ELSEWHERE = re.compile(rf"region|PermanentRedirect|{_STATUS}301\b", re.IGNORECASE)
_OTHERWISE = "check the address; or give a `pyarrow.dataset.dataset(..., filesystem=...)`."


class _Store(NamedTuple):
    refused: str
    silent: str
    elsewhere: str = _OTHERWISE


_AMAZON = _Store(
    refused="credentials come from where the cloud's own tools find them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "AWS_PROFILE or the machine's role for s3://; a bucket open to all needs `s3://anonymous@bucket/...`.",
    silent="name a server that can be reached, in AWS_ENDPOINT_URL or as "
    "`s3://bucket/...?endpoint_override=host:9000&scheme=http`, and the region, in AWS_DEFAULT_REGION.",
    elsewhere="name the bucket's region, in AWS_DEFAULT_REGION or as `s3://bucket/...?region=eu-west-1`.",
)
_GOOGLE = _Store(
    refused="credentials come from where the cloud's own tools find them: the file that GOOGLE_APPLICATION_CREDENTIALS "
    "names, `gcloud auth application-default login` or the machine's account for gs://; a bucket open to all needs "
    "`gs://anonymous@bucket/...`.",
    silent="name a server that can be reached: `gs://bucket/...?endpoint_override=host:4443&scheme=http`; a bucket "
    "open to all is `gs://anonymous@bucket/...`, for which nobody is asked who you are.",
)
_AZURE = _Store(
    refused="name the account, `abfss://container@account.dfs.core.windows.net/...`, with the credentials that Azure's "
    "own tools find; or install adlfs, set AZURE_STORAGE_CONNECTION_STRING and write `az://container/...`.",
    silent="name a server that can be reached: the account in `abfss://container@account.dfs.core.windows.net/...`, or "
    "with adlfs BlobEndpoint in AZURE_STORAGE_CONNECTION_STRING.",
)
_STORES = {"s3": _AMAZON, "gs": _GOOGLE, "gcs": _GOOGLE, "abfs": _AZURE, "abfss": _AZURE, "az": _AZURE}


def hint_of_store(address: str, error: object) -> str:
    """Return what to do about what the store of an address said."""
    store = _STORES.get(address.partition("://")[0].lower())
    if store is not None:
        for pattern, hint in zip((_REFUSED, _SILENT, _ELSEWHERE), store, strict=True):
            if pattern.search(str(error)):
                return hint
    return _OTHERWISE


def patient(address: str) -> str:
    """Return the address with a limit to how long Google's client tries again, where it names none."""
    if address.partition("://")[0].lower() not in ("gs", "gcs") or "retry_limit_seconds=" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}retry_limit_seconds={_GOOGLE_PATIENCE}"


def without_secrets(text: str, addresses: Iterable[str]) -> str:
    """Return the text without what no message may show of these addresses: passwords, keys and tokens."""
    for address in addresses:
        for kind in (_PASSWORD, _SECRET_OPTION):
            for secret in kind.findall(address):
                text = text.replace(secret, "***")
    return text
