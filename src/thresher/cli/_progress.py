"""A progress bar for long work, on stderr, and only for people who watch."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

__all__ = ["Work", "working"]

_PATIENCE = 0.5
_PERIOD = 0.1


class Work:
    """Stages of a task, one after another; `stage` says which one runs and, where known, how far it is."""

    def __init__(self, bar: Progress | None = None, task: TaskID | None = None) -> None:
        self._bar, self._task = bar, task
        self._percent: Callable[[], float] | None = None

    @contextmanager
    def stage(self, label: str, percent: Callable[[], float] | None = None) -> Iterator[None]:
        """Show a stage for as long as it runs."""
        self._percent = percent
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=label, total=None, completed=0)
        try:
            yield
        finally:
            self._percent = None

    def report(self, done: int, total: int | None) -> None:
        """Say how far the stage is."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total)

    def poll(self) -> None:
        """Ask the stage how far it is, if it can tell."""
        ask = self._percent
        if ask is None or self._bar is None or self._task is None:
            return
        try:
            percent = ask()
        except Exception:  # the query ended between two looks; a bar is not worth an error
            return
        if percent >= 0:
            self._bar.update(self._task, completed=percent, total=100)


@contextmanager
def working() -> Iterator[Work]:
    """Give a Work; nothing is drawn unless stderr is a terminal and the work takes a while."""
    if not sys.stderr.isatty():
        yield Work()
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    work = Work(bar, bar.add_task("", total=None))
    done = threading.Event()

    def draw() -> None:
        if done.wait(_PATIENCE):
            return
        bar.start()
        while not done.wait(_PERIOD):
            work.poll()
            bar.refresh()
        bar.stop()

    artist = threading.Thread(target=draw, name="progress", daemon=True)
    artist.start()
    try:
        yield work
    finally:
        done.set()
        artist.join(timeout=1.0)
