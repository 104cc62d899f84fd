"""Files that are whole or absent, and temporary ones that no ended process leaves behind for long."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from thresher._core.checks import show
from thresher._core.stores import is_address, put_file, stored_bytes, without_secrets
from thresher.exceptions import InvalidInputError, InvalidTypeError

try:
    import fcntl
except ImportError:  # Windows: there nothing tells whether a process still uses a file, and nothing is cleared away
    fcntl = None  # type: ignore[assignment]

_PREFIX = ".thresher-"
_FOLDER = "thresher-"
_LOCK = ".in-use"
_unfinished: set[Path] = set()
_looked_at: set[tuple[Path, str]] = set()


def discard_unfinished() -> None:
    """Remove every temporary file and folder that is in use now: for a process that ends without unwinding."""
    for path in list(_unfinished):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _mode(path: str | os.PathLike[str]) -> int:
    # Not `Path.exists` and the like, which raise for a name that no file can have.
    try:
        return os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def is_there(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to anything at all."""
    return _mode(path) != 0


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to a folder."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to a file that can be read again: no pipe, no device."""
    return stat.S_ISREG(_mode(path))


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
    _clear_away(Path(tempfile.gettempdir()), f"{_FOLDER}*", _LOCK)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER))
    _unfinished.add(folder)
    try:
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            _hold(lock)
            yield folder
        finally:
            os.close(lock)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _unfinished.discard(folder)


@contextmanager
def opened_bytes(source: Any) -> Iterator[tuple[BinaryIO, str]]:
    """Open a path, an address or an open binary file to read bytes, with what messages call it."""
    if hasattr(source, "read"):
        yield source, show(str(getattr(source, "name", f"the {type(source).__name__}")), 200)
        return
    if is_address(source):
        with stored_bytes(source) as stream:
            yield stream, show(without_secrets(source, [source]), 200)
        return
    file = as_path(source)
    shown = show(str(file), 200)
    try:
        with file.open("rb") as stream:
            yield stream, shown
    except OSError as error:
        raise InvalidInputError(f"Cannot read {shown}: {error.strerror}.") from error


@contextmanager
def written_whole(path: Any) -> Iterator[Path]:
    """Give a temporary file, and put it where it belongs at the end: to a path, an address or an open binary file."""
    if not hasattr(path, "write") and not is_address(path):
        with _written_here(path) as temporary:
            yield temporary
        return
    with own_folder() as folder:
        temporary = folder / ("written" if hasattr(path, "write") else PurePosixPath(path.partition("?")[0]).name)
        yield temporary
        if is_address(path):
            put_file(temporary, path)
        else:
            with temporary.open("rb") as stream:
                shutil.copyfileobj(stream, path)


@contextmanager
def _written_here(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name beside the file's own, and rename it at the end; after an error nothing is left.

    The temporary name keeps the ending, by which some writers choose a format. A link is followed, a file that exists
    keeps its permissions, and what is no regular file is refused. The process' umask is applied by the system, never
    read or set here, because it is that of all threads.
    """
    target = as_path(path)
    try:
        place = Path(os.path.realpath(target))
        mode = _mode_of(place, target)
        _clear_away(place.parent, f"{_PREFIX}*")
        # Nobody else may read what replaces a private file while it is written.
        lock, temporary = _temporary(place, 0o666 if mode is None else 0o600)
        _unfinished.add(temporary)
        try:
            yield temporary
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(place)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        finally:
            _unfinished.discard(temporary)
            os.close(lock)
    except OSError as error:
        hint = _remedy(error, target)
        raise InvalidInputError(f"Cannot write {show(str(target), 200)}: {error.strerror}.{hint}") from error


def _mode_of(place: Path, target: Path) -> int | None:
    """Return the permissions of the file that is replaced, None if there is none."""
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(None, "Is a directory")
    if not stat.S_ISREG(mode):
        raise InvalidInputError(
            f"Cannot write {show(str(target), 200)}: it is a device, a pipe or a socket, which would be replaced by a "
            "file. Hint: write to a file and copy that."
        )
    return stat.S_IMODE(mode)


def _temporary(place: Path, mode: int) -> tuple[int, Path]:
    """Make an empty file beside another one; return a descriptor that says it is in use, and its name."""
    while True:
        name = place.with_name(f"{_PREFIX}{os.urandom(8).hex()}{place.suffix}")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        lock = os.open(name, flags, mode)
        _hold(lock)
        if name.exists():  # someone may have cleared it away before it was held
            return lock, name
        os.close(lock)


def _hold(descriptor: int) -> None:
    """Say that a file is in use until its descriptor is closed, by whatever ends the process."""
    if fcntl is not None:
        with suppress(OSError):  # some network folders know no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _clear_away(folder: Path, pattern: str, lock: str | None = None) -> None:
    """Remove our temporary files in a folder that no process holds any more; looks into each folder once."""
    if fcntl is None or (folder, pattern) in _looked_at:
        return
    _looked_at.add((folder, pattern))
    with suppress(OSError):
        for path in folder.glob(pattern):
            held = path / lock if lock else path
            with suppress(OSError):
                if path in _unfinished or path.lstat().st_uid != os.getuid() or not stat.S_ISREG(held.lstat().st_mode):
                    continue
                descriptor = os.open(held, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    _remove(path)
                finally:
                    os.close(descriptor)


def _remedy(error: OSError, target: Path) -> str:
    if isinstance(error, FileNotFoundError) and not target.parent.is_dir():
        return f" Hint: make the folder {show(str(target.parent), 200)} first."
    if isinstance(error, IsADirectoryError):
        return " Hint: name a file; this is a folder."
    if isinstance(error, PermissionError):
        return " Hint: choose a place where you may write."
    return ""
