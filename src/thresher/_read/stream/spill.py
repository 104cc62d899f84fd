"""A temporary file for what does not fit in memory: written in pieces, read in any order, gone when closed."""

from __future__ import annotations

import io
import os
import tempfile
import threading
from collections import deque
from collections.abc import Iterable
from itertools import islice
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.exceptions import SpillError

_MOST_VIEWS = 512  # written at once


class Spill:
    """A file in Python's temporary directory (`TMPDIR`), made when first written to.

    It has no name there, or loses it at once where the system gives it one: nobody else can open it, and its rows are
    gone with the process, whatever ends that.
    """

    def __init__(self) -> None:
        self._file: io.RawIOBase | None = None
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
            folder = tempfile.gettempdir()
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
                raise SpillError(f"The temporary file in {tempfile.gettempdir()!r} was cut short by another program.")
            view = view[read:]
            at += read

    def close(self) -> None:
        """Free the memory; safe to call twice."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file, self._descriptor = None, -1

    def _open(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="thresher-", buffering=0)  # noqa: SIM115  # `close` closes it
        self._descriptor = self._file.fileno()

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
