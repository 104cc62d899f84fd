"""A progress bar for long work, on stderr, and only for people who watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["progress_bar"]

_PATIENCE = 0.5


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give a callback (done, total); nothing is drawn unless stderr is a terminal and the work takes a while."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    started = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(label, visible=False)

        def report(done: int, total: int) -> None:
            if time.monotonic() - started > _PATIENCE:
                bar.update(task, completed=done, total=total, visible=True, refresh=True)

        yield report
