"""Results out: tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["FORMATS", "csv_text", "number", "print_rows", "safe_cell"]

FORMATS = ("table", "json", "csv")

Row = Mapping[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def number(value: float | None, digits: int = 4) -> str:
    """Return a figure for a person to read."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "-"
    plain = value == 0 or 1e-3 <= abs(value) < 1e4
    return f"{value:.{digits}f}" if plain else f"{value:.3g}"


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_text(rows: Sequence[Row]) -> str:
    """Return rows as CSV with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if rows:
        writer.writerow(list(rows[0]))
        for row in rows:
            writer.writerow([safe_cell("" if cell is None else cell) for cell in row.values()])
    return out.getvalue()


def print_rows(rows: Sequence[Row], form: str, *, title: str = "", notes: Sequence[str] = ()) -> None:
    """Print rows to stdout in the form asked for; notes for people go to stderr."""
    if form == "json":
        sys.stdout.write(json.dumps([_plain(row) for row in rows], indent=2, ensure_ascii=False) + "\n")
    elif form == "csv":
        sys.stdout.write(csv_text(rows))
    else:
        table = Table(title=title or None, title_justify="left", show_edge=False, pad_edge=False)
        for name in rows[0] if rows else ():
            right = any(isinstance(row[name], int | float) for row in rows)
            table.add_column(name.replace("_", " "), justify="right" if right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(_cell(value) for value in row.values()))
        Console(highlight=False, width=None if sys.stdout.isatty() else 200).print(table)
    for note in notes:
        sys.stderr.write(f"{note}\n")


def _cell(value: Any) -> Text:
    if isinstance(value, bool | str) or value is None:
        return Text("" if value is None else str(value))
    return Text(number(value))


def _plain(row: Row) -> dict[str, Any]:
    """Return a row that JSON can hold: no NaN, no infinity."""
    return {
        name: (None if isinstance(value, float) and not math.isfinite(value) else value) for name, value in row.items()
    }
