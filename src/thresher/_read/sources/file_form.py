"""Of which form a file is: by its first bytes, else by the ending of its name, else by its first character."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path, PurePath
from typing import Literal

from thresher._core.checks import show
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError

__all__ = ["FOLDER_ENDINGS", "Form", "find_form", "form_by_name", "is_packed", "opened"]

Form = Literal["parquet", "arrow", "json lines", "json", "npz", "text"]

_GZIP = b"\x1f\x8b"
_COUNTS = b"thresher"
_ENDINGS: dict[str, Form] = {
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
    **dict.fromkeys((".csv", ".tsv", ".txt", ".dat", ".data", ".tab", ".psv"), "text"),
    **dict.fromkeys((".jsonl", ".ndjson"), "json lines"),
    ".npz": "npz",
    ".json": "json",
}
_STARTS: tuple[tuple[bytes, Form], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),
    (b"PK\x03\x04", "npz"),
    (b"PK\x05\x06", "npz"),
)
_CHARACTERS: tuple[tuple[bytes, Form], ...] = ((b"{", "json lines"), (b"[", "json"))
_WORKBOOKS = (".xlsx", ".xls", ".ods")

FOLDER_ENDINGS = (
    *(ending for ending in _ENDINGS if ending != ".json"),  # which describes the others more often than not
    *(f"{ending}.gz" for ending, form in _ENDINGS.items() if form in ("text", "json lines")),
)
"""How the names of files end that are read within folders; others are passed over."""


def is_packed(path: Path) -> bool:
    """Return whether a file is packed by gzip, whatever its name."""
    with path.open("rb") as file:
        return file.read(2) == _GZIP


def opened(path: Path) -> io.BufferedIOBase:
    """Open a file that may be packed by gzip."""
    return gzip.open(path, "rb") if is_packed(path) else path.open("rb")


def find_form(path: Path, shown: str) -> Form:
    """Return the form of a file that messages call `shown`; what is no table of rows is refused with the remedy."""
    start, ending = _start(path, shown), _ending(shown)
    if start.startswith(_COUNTS):
        raise InvalidInputError(
            f"`source` must hold rows; {show(shown, 200)} is a file of counts. Hint: read it with `th.Scores.load`."
        )
    if ending in _WORKBOOKS:
        raise InvalidInputError(
            f"{show(shown, 200)} must be a plain table; it is a workbook of a spreadsheet program. Hint: save the "
            "sheet as CSV (UTF-8), or write it with `pandas.read_excel(path).to_parquet(...)`."
        )
    by_bytes = next((form for magic, form in _STARTS if start.startswith(magic)), None)
    if by_bytes is not None:
        return by_bytes
    by_name = _ENDINGS.get(ending)
    if by_name is not None:
        return by_name
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((form for mark, form in _CHARACTERS if first.startswith(mark)), "text")


def form_by_name(name: str) -> Form | None:
    """Return the form that the ending of a name stands for."""
    return _ENDINGS.get(_ending(name))


def _ending(name: str) -> str:
    """Return the ending of a name, without the one that says it is packed."""
    endings = [suffix.lower() for suffix in PurePath(name).suffixes if suffix.lower() != ".gz"]
    return "".join(endings[-1:])


def _start(path: Path, shown: str) -> bytes:
    try:
        with opened(path) as file:
            return file.read(64)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""  # whoever reads on will say where it breaks off
    except OSError as error:
        raise unreadable(shown, error.strerror or str(error), hint="choose a file that you may read.") from error
