"""A temporary file for what does not fit in memory: written in pieces, read in any order, gone when closed."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.exceptions import SpillError

__all__ = ["Spill"]

_MOST_VIEWS = 512  # written at once


class Spill:
    """A file in a private folder, made when first written to and removed with it by `close`.

    The folder is created in Python's temporary directory (`TMPDIR`) with access for its owner only.
    """

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._descriptor = -1
        self._lock = threading.Lock()
        self.size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def write(self, pieces: Iterable[NDArray[Any]]) -> int:
        """Append arrays one after another; return where the first begins."""
        start = self.size
        try:
            if self._descriptor < 0:
                self._open()
            views = deque(np.ascontiguousarray(piece).data.cast("B") for piece in pieces)
            while views:
                written = _write(self._descriptor, list(islice(views, _MOST_VIEWS)))
                self.size += written
                while views and written >= len(views[0]):
                    written -= len(views.popleft())
                if written:
                    views[0] = views[0][written:]
        except OSError as error:
            folder = str(self._folder or tempfile.gettempdir())
            raise SpillError(
                f"The temporary folder must have room for rows that do not fit in memory; writing to {folder!r} failed "
                f"after {self.size:,} bytes: {error.strerror or error}. Hint: free some space, let the environment "
                "variable TMPDIR name a folder on a larger disk, or raise `memory`."
            ) from error
        return start

    def read_into(self, out: NDArray[Any], at: int) -> None:
        """Fill a contiguous array with what was written at a place."""
        view = out.data.cast("B")
        while view:
            read = self._read(view, at)
            if read == 0:
                raise SpillError(f"The temporary file in {str(self._folder)!r} was cut short by another program.")
            view = view[read:]
            at += read

    def close(self) -> None:
        """Remove the file and its folder; safe to call twice."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None

    def _open(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="thresher-"))
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(self._folder / "rows", flags, 0o600)

    def _read(self, view: memoryview, at: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._descriptor, [view], at)
        with self._lock:  # one position for all threads
            os.lseek(self._descriptor, at, os.SEEK_SET)
            data = os.read(self._descriptor, len(view))
            os.lseek(self._descriptor, 0, os.SEEK_END)
        view[: len(data)] = data
        return len(data)


def _write(descriptor: int, views: list[memoryview]) -> int:
    return os.writev(descriptor, views) if hasattr(os, "writev") else os.write(descriptor, views[0])
