"""Where the bytes of a file are, and of which form: by its first ones, else its name, else its first character."""

from __future__ import annotations

import gzip
import io
import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple

from thresher._core.checks import show, show_text
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError


class Form(NamedTuple):
    """A kind of file: how names end and contents begin, and what pyarrow calls it in datasets, where it reads them."""

    name: str
    endings: tuple[str, ...]
    starts: tuple[bytes, ...] = ()
    character: bytes = b""
    """The first one of text of this form whose name says nothing."""
    dataset: str = ""
    text: bool = False
    """Whether such files are often packed by gzip."""


FORMS = (
    Form("parquet", (".parquet", ".pq"), (b"PAR1",), dataset="parquet"),
    Form("arrow", (".arrow", ".feather", ".ipc"), (b"ARROW1", b"\xff\xff\xff\xff"), dataset="ipc"),
    Form("text", (".csv", ".tsv", ".txt", ".dat", ".data", ".tab", ".psv"), dataset="csv", text=True),
    Form("json lines", (".jsonl", ".ndjson"), character=b"{", dataset="json", text=True),
    Form("orc", (".orc",), (b"ORC",), dataset="orc"),
    Form("npz", (".npz",), (b"PK\x03\x04", b"PK\x05\x06")),
    Form("json", (".json",), character=b"["),
)
"""Every form that is read, by its class in `batch_files.py`; the command reads some of them by DuckDB."""

_GZIP = b"\x1f\x8b"
_COUNTS = b"thresher"
_PACKED = ((b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
_PIECE = 2**20
_WORKBOOKS = (".xlsx", ".xls", ".ods")

FOLDER_ENDINGS = (
    *(ending for form in FORMS for ending in form.endings if ending != ".json"),  # which describes the others mostly
    *(f"{ending}.gz" for form in FORMS if form.text for ending in form.endings),
)
"""How the names of files end that are read within folders; others are passed over."""


def is_packed(path: Path) -> bool:
    """Return whether a file is packed by gzip, whatever its name."""
    with path.open("rb") as file:
        return file.read(2) == _GZIP


def opened(path: Path) -> io.BufferedIOBase:
    """Open a file that may be packed by gzip."""
    return gzip.open(path, "rb") if is_packed(path) else path.open("rb")


def unpacks_beyond(path: Path, most: int) -> bool:
    """Return whether a packed file holds more bytes than this, by unpacking no more than that."""
    if not is_packed(path):
        return path.stat().st_size > most
    left = most
    try:
        with gzip.open(path, "rb") as file:
            while left >= 0 and (piece := file.read(_PIECE)):
                left -= len(piece)
    except (EOFError, OSError, zlib.error):  # who reads on will say where it breaks off
        pass
    return left < 0


def find_form(path: Path, shown: str) -> str:
    """Return the name of the form of a file that messages call `shown`; what is no table of rows is refused."""
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
    _refuse_archive(path, shown, start, ending)
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    found = next((form for form in FORMS if start.startswith(form.starts)), None) or form_by_name(shown)
    if found is None:
        found = next((form for form in FORMS if form.character and first.startswith(form.character)), None)
    return "text" if found is None else found.name


def _refuse_archive(path: Path, shown: str, start: bytes, ending: str) -> None:
    """Refuse files that are packed in ways that are not read, NPZ files apart, which are archives of arrays."""
    packed = next((name for magic, name in _PACKED if start.startswith(magic)), None)
    if packed is not None:
        raise InvalidInputError(
            f"{show(shown, 200)} must be a table, optionally gzip-compressed; it is compressed by {packed}. "
            f"Hint: unpack it first, for example with `{packed} -d`."
        )
    if not start.startswith(b"PK") or ending == ".npz":
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return  # who reads on will say what is wrong
    if not names or all(name.endswith(".npy") for name in names):
        return
    raise InvalidInputError(
        f"{show(shown, 200)} must be a table; it is a zip archive, of {show_text(names[0], 60)}"
        f"{f' and {len(names) - 1:,} more' if len(names) > 1 else ''}. Hint: unpack it first, for example with `unzip`."
    )


def form_by_name(name: str) -> Form | None:
    """Return the form that the ending of a name stands for."""
    ending = _ending(name)
    return next((form for form in FORMS if ending in form.endings), None)


def _ending(name: str) -> str:
    """Return the ending of a name, without the one that says it is packed."""
    endings = [suffix.lower() for suffix in PurePath(name).suffixes if suffix.lower() != ".gz"]
    return "".join(endings[-1:])


def _start(path: Path, shown: str) -> bytes:
    try:
        with opened(path) as file:
            return file.read(64)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""  # the reader will say where it breaks off
    except OSError as error:
        raise unreadable(shown, error.strerror or str(error), hint="choose a file that you may read.") from error


def regular_file(file: str, folder: Path) -> Path:
    """Return a file that can be read again: the one named, or a copy of what comes through a pipe."""
    path = Path(file)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InvalidInputError(f"{show(file, 200)} must be a file; it is a folder. Hint: name a file in it.")
        with path.open("rb") as stream:
            if stat.S_ISREG(mode):
                return path
            return spooled(stream, folder)
    except InvalidInputError:
        raise
    except FileNotFoundError:
        raise InvalidInputError(f"{show(file, 200)} must be a file that exists. Hint: check the path.") from None
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(f"{show(file, 200)} must be a file that can be read: {reason}.") from None


def spooled(stream: BinaryIO, folder: Path) -> Path:
    """Return a copy of all that a stream has, unless it has no end or nothing but zeros."""
    copy = folder / "spooled"
    most = shutil.disk_usage(folder).free // 2
    size = 0
    try:
        with copy.open("wb") as out:
            while piece := stream.read(_PIECE):
                if size == 0 and len(piece) == _PIECE and not piece.strip(b"\0"):
                    raise InvalidInputError(
                        f"A stream of rows must hold text or a table; its first {_PIECE:,} bytes are zeros. "
                        "Hint: name the file with the rows."
                    )
                size += len(piece)
                if size > most:
                    raise InvalidInputError(
                        f"A stream of rows must fit in half of what is free in the temporary folder; it has more than "
                        f"{most:,} bytes. Hint: write it to a file, which needs no copy, or set TMPDIR."
                    )
                out.write(piece)
    except OSError as error:  # the temporary folder is full, or the stream broke off
        raise OSError(error.errno, error.strerror, str(copy)) from None
    return copy


def linked(path: Path, folder: Path) -> Path:
    """Return a link to a file, for DuckDB: its name is no pattern, and its ending says whether the file is packed."""
    link = folder / ("input.gz" if is_packed(path) else "input")
    link.symlink_to(path.resolve())
    return link
