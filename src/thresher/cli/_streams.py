"""Standard streams that may be closed, as under `>&-`, cron or a service."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

__all__ = ["flush_or_drop", "open_streams", "to_nowhere"]


@contextmanager
def open_streams() -> Iterator[None]:
    """Let what goes to a closed stream go nowhere; a closed standard input stays None, but its number is taken.

    Otherwise the next file opened would get the number of the closed stream, and what is meant for the one would end
    up in the other.
    """
    former = sys.stdout, sys.stderr
    with ExitStack() as stack:
        nowhere = [
            None if stream is not None else stack.enter_context(open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123  # a device
            for stream, mode in ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
        ]
        sys.stdout, sys.stderr = former[0] or nowhere[1], former[1] or nowhere[2]
        try:
            yield
        finally:
            sys.stdout, sys.stderr = former


def to_nowhere() -> None:
    """Send what is left for standard output nowhere: there is nobody to read it, and Python must not try at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def flush_or_drop() -> None:
    """Write what is left for standard output, or send it nowhere if that fails too: a buffer keeps it."""
    try:
        sys.stdout.flush()
    except OSError:
        to_nowhere()
