"""Files that are whole or absent."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError, InvalidTypeError

__all__ = ["as_path", "discard_unfinished", "own_folder", "written_whole"]

_unfinished: set[Path] = set()


def discard_unfinished() -> None:
    """Remove every temporary file and folder that is in use now: for a process that ends without unwinding."""
    for path in list(_unfinished):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def as_path(value: object) -> Path:
    """Return the path of a file that a user named."""
    if not isinstance(value, str | os.PathLike):
        raise InvalidTypeError(
            f"`path` must be the name of a file; got {show(value)} of type {type(value).__name__}. "
            "Hint: for example 'site.scores'."
        )
    return Path(value)


@contextmanager
def own_folder() -> Iterator[Path]:
    """Give a new folder that is removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="thresher-"))
    _unfinished.add(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _unfinished.discard(folder)


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name beside the file's own, and rename it at the end; after an error nothing is left.

    The temporary name keeps the ending, by which some writers choose a format.
    """
    target = as_path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".thresher-", suffix=target.suffix, dir=target.parent)
        os.close(handle)
        temporary = Path(name)
        _unfinished.add(temporary)
        try:
            yield temporary
            # `mkstemp` makes files private; a result has the permissions that any new file would have.
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        finally:
            _unfinished.discard(temporary)
    except OSError as error:
        hint = _remedy(error, target)
        raise InvalidInputError(f"Cannot write {show(str(target), 200)}: {error.strerror}.{hint}") from error


def _remedy(error: OSError, target: Path) -> str:
    if isinstance(error, FileNotFoundError) and not target.parent.is_dir():
        return f" Hint: make the folder {show(str(target.parent), 200)} first."
    if isinstance(error, IsADirectoryError):
        return " Hint: name a file; this is a folder."
    if isinstance(error, PermissionError):
        return " Hint: choose a place where you may write."
    return ""
