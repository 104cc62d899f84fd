"""Where the bytes of a file are: a file that can be read again, under a name of our own."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path
from typing import BinaryIO

from thresher._core.checks import show
from thresher._read.sources.file_form import is_packed
from thresher.exceptions import InvalidInputError

__all__ = ["linked", "regular_file", "spooled"]

_PIECE = 2**20


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
