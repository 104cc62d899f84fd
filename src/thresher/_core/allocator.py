"""Memory that nobody needs any more, given back to the system where the allocator keeps it for later."""

from __future__ import annotations

import sys
from contextlib import suppress

from thresher._core import native

__all__ = ["give_back", "trim_memory"]


def give_back() -> None:
    """Ask glibc, which keeps what threads have freed; other allocators give it back by themselves.

    After a scan of fifty million rows that is a hundred megabytes, on which a report would stack its own.
    """
    if sys.platform == "linux":
        import ctypes  # which takes a while to load

        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


def trim_memory() -> None:
    """Give memory that is kept for the next call back to the system.

    The compiled kernels keep blocks that they have used, because new pages cost as much as sorting: up to 512 MiB, or
    as many as the environment variable `THRESHER_MOST_KEPT` says (0 keeps none of the large ones). Results are not
    touched, and the next call works as before.

    Examples
    --------
    >>> import thresher as th
    >>> th.config.trim_memory()
    """
    native.trim_memory()
    give_back()
