"""Results out: tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

GATE_FAILED = 3
"""The exit code of a gate that stays closed."""

OutputRow = Mapping[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_LONGEST = 200


class Shown(float):
    """A number that people read in a form of its own, and programs with all its digits."""

    text: str

    def __new__(cls, value: float, text: str) -> Self:
        """Return the number with its text."""
        made = super().__new__(cls, value)
        made.text = text
        return made


def number(value: float | None, digits: int = 4) -> str:
    """Return a figure for a person to read."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "-"
    plain = value == 0 or 1e-3 <= abs(value) < 1e4
    return f"{value:.{digits}f}" if plain else f"{value:.4g}"


def printable(text: str, limit: int = _LONGEST) -> str:
    """Return a name that neither moves the cursor, nor turns the direction of the line, nor fills the screen."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_text(rows: Sequence[OutputRow]) -> str:
    """Return rows as CSV with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if rows:
        writer.writerow([safe_cell(name) for name in rows[0]])
        for row in rows:
            writer.writerow([safe_cell("" if cell is None else cell) for cell in row.values()])
    return out.getvalue()


def plain_row(row: OutputRow) -> dict[str, Any]:
    """Return a row that JSON can hold: NaN is null, infinities are the texts "inf" and "-inf"."""
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def console() -> Console:
    """Return where tables are printed; lines are not broken for a file or a pipe."""
    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 240)


def print_rows(
    rows: Sequence[OutputRow],
    form: str,
    *,
    title: str = "",
    notes: Sequence[str] = (),
    narrow: Sequence[OutputRow] | None = None,
) -> None:
    """Print rows to stdout in the form asked for; notes for people go to stderr.

    `narrow` has the same rows with fewer columns, for a window in which all of them have no place.
    """
    if form == "json":
        sys.stdout.write(json.dumps([plain_row(row) for row in rows], indent=2) + "\n")
    elif form == "csv":
        sys.stdout.write(csv_text(rows))
    else:
        out = console()
        # Neither a number nor a name is broken in two: what is too wide for the window goes line by line.
        if narrow is not None and not _fits(rows, out.width):
            rows = narrow
        if _fits(rows, out.width):
            if title:  # not broken at the width of the table
                out.print(Text(title), soft_wrap=True)
            out.print(_table(rows))
        else:
            out.print(_listed(rows, title), soft_wrap=True)
    sys.stdout.flush()
    for note in notes:
        sys.stderr.write(f"{note}\n")


def judged(failed: Sequence[str]) -> int:
    """Say which gates failed, and return the exit code."""
    for text in failed:
        sys.stderr.write(f"gate failed: {text}\n")
    return GATE_FAILED if failed else 0


def _table(rows: Sequence[OutputRow]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for name in _names(rows):
        right = any(isinstance(row[name], int | float) for row in rows)
        table.add_column(_head(name), justify="right" if right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    return table


def _names(rows: Sequence[OutputRow]) -> list[str]:
    return list(rows[0]) if rows else []


def _head(name: str) -> Text:
    return Text(name.replace("_", " "))


def _fits(rows: Sequence[OutputRow], width: int) -> bool:
    """Return whether a table of the rows is no wider than the window."""
    widths = [_wide(rows, name) for name in _names(rows)]
    return not widths or sum(widths) + 3 * len(widths) - 3 <= width


def _wide(rows: Sequence[OutputRow], name: str) -> int:
    """Return the columns that the head and the longest cell take."""
    return max(_head(name).cell_len, *(_cell(row[name]).cell_len for row in rows))


def _listed(rows: Sequence[OutputRow], title: str) -> Text:
    """Return each row as a block of names and values."""
    wide = max(len(name) for name in rows[0])
    blocks = [
        "\n".join(f"{name.replace('_', ' '):<{wide}}  {_cell(value)}" for name, value in row.items()) for row in rows
    ]
    return Text("\n\n".join(([title] if title else []) + blocks))


def _cell(value: Any) -> Text:
    if isinstance(value, bool | str) or value is None:
        return Text("" if value is None else printable(str(value)))
    return Text(value.text if isinstance(value, Shown) else number(value))


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
