"""What a text file looks like: its delimiter, and whether its first line names the columns.

DuckDB can find this out too, but it leaves out lines that do not fit its guess; here such a line is an error.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from thresher._core.checks import show
from thresher._read.sources.file_form import opened
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError

SPACES = " \t"
"""What may stand around a number."""
NUMBER = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
WORD = r"[+-]?(inf|infinity|nan)"
"""In lower case; nan is a missing value, which is refused where it is counted."""
_GROUPED = r"[0-9]{1,3}([,.'_\x{A0}\x{202F} ][0-9]{3})+"
NUMBER_LIKE = rf"{NUMBER}|[+-]?(({_GROUPED}|[0-9]+(_[0-9]+)*)([.,][0-9]+)?|[.,][0-9]+)([eE][+-]?[0-9]+)?[ ]?%?"
"""What people and programs write for numbers in other ways: with decimal commas, digits in groups, percent signs."""

_NUMBER, _WORD = re.compile(NUMBER), re.compile(WORD)
_LIKE = re.compile(NUMBER_LIKE.replace(r"\x{A0}\x{202F}", "\xa0\u202f"))
_MISSING = ("na", "n/a", "null", "none", "-", "?", ".", "")


def is_number(cell: object) -> bool:
    """Return whether text is a number by the grammar, and not beyond the largest double."""
    if not isinstance(cell, str):
        return False
    text = cell.strip(SPACES)
    if _WORD.fullmatch(text.lower()):
        return True
    return bool(_NUMBER.fullmatch(text)) and math.isfinite(float(text))


def number_remedy(cell: object) -> str:
    """Return what to do about a cell that is no number."""
    text = cell.strip(SPACES) if isinstance(cell, str) else ""
    if isinstance(cell, str) and text.lower() in _MISSING:
        return "missing values are never dropped silently; remove those rows or fill them"
    if is_number(cell):
        return "convert the column to numbers"
    if _NUMBER.fullmatch(text):
        return "it is beyond the largest double; write inf if it is meant to be infinite"
    if text.count(",") == 1 and re.fullmatch(r"[+-]?[0-9]*,[0-9]+", text):
        return "write decimals with a point, and thousands without a separator"
    if text and _LIKE.fullmatch(text):
        return "write plain digits with a point for decimals, without separators or signs after them"
    return "replace it by a number, or name another column"


_USUAL = (",", "\t", ";", "|", " ")
_NEVER = frozenset("._+-\"'\r\n#%()/\\")
_SAMPLE_BYTES = 4 * 1024 * 1024
_SAMPLE_ROWS = 200
_MOST_RARE = 20


@dataclass(frozen=True)
class Dialect:
    """How to read a text file.

    `names` has one name for each column; `line_end` is how lines end, or None where DuckDB is to find out;
    `quoted_lines` says that a line end was seen within quotes, `blank` how many blank lines stand above the others.
    """

    delimiter: str
    header: bool
    names: tuple[str, ...]
    line_end: str | None
    quoted_lines: bool = False
    blank: int = 0


def find_dialect(path: Path, shown: str) -> Dialect:
    """Find the delimiter under which the lines agree best, and see whether the first one is a header."""
    text = _sample(path, shown)
    blank = re.match(r"( *(\r\n|\n|\r))*", text)[0]  # type: ignore[index]  # it matches nothing at least
    text = text[len(blank) :]
    delimiter, rows = _best_split(text, shown)
    header = _has_header(rows)
    quoted_lines = any("\n" in field or "\r" in field for row in rows for field in row)
    names = _names(rows[0], header)
    return Dialect(delimiter, header, names, _line_end(text), quoted_lines, len(blank.splitlines()))


def _best_split(text: str, shown: str) -> tuple[str, list[list[str]]]:
    """Return the delimiter under which the lines agree best, and the first of them split by it."""
    candidates = [(_rating(rows, order), mark, rows) for order, mark, rows in _splits(text)]
    if not candidates:
        raise InvalidInputError(
            f"{show(shown, 200)} must have at least two columns; its first line is {show(text.splitlines()[0])}. "
            "Hint: labels and scores stand side by side, separated by a comma, tab, semicolon or the like."
        )
    _, delimiter, rows = max(candidates)
    return delimiter, rows


def _names(first: list[str], header: bool) -> tuple[str, ...]:
    """Return a name for each column; those that have none are numbered."""
    names = [field.strip() if header else "" for field in first]
    # pandas leaves the name of the row numbers empty, which it writes first.
    if len(names) > 2 and not names[0] and all(names[1:]) and "index" not in names:
        names[0] = "index"
    return tuple(name or f"column{i}" for i, name in enumerate(names))


def _line_end(text: str) -> str | None:
    """Return how the first line ends, in DuckDB's spelling; line ends within quotes are part of a name."""
    quoted = False
    for found in re.finditer(r'"|\r\n|\n|\r', text):
        if found[0] == '"':
            quoted = not quoted
        elif not quoted:
            return {"\n": "\\n", "\r\n": "\\r\\n"}.get(found[0])
    return None


def _sample(path: Path, shown: str) -> str:
    try:
        with opened(path) as file:
            start = file.read(_SAMPLE_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(shown, error, hint="check the file; it may be cut short.") from None
    if b"\x00" in start:
        raise InvalidInputError(
            f"{show(shown, 200)} must be text in UTF-8; it holds zero bytes. Hint: it may be UTF-16 or a binary file; "
            "save it as CSV in UTF-8, or give it the ending of its format."
        )
    if len(start) == _SAMPLE_BYTES:
        whole = _whole_lines(start)
        if not whole:
            raise InvalidInputError(
                f"{show(shown, 200)} must have lines of less than {_SAMPLE_BYTES:,} bytes; its first one is longer. "
                "Hint: a quote may be open, or the file may be no table."
            )
        start = whole
    text = start.decode("utf-8-sig", errors="replace")
    if not text.strip():
        raise InvalidInputError(f"{show(shown, 200)} must have at least one row; it is empty.")
    return text


def _whole_lines(start: bytes) -> bytes:
    """Return the beginning of a file up to its last line end that is not within quotes."""
    end = whole = quotes = 0
    for line in start.split(b"\n")[:-1]:
        quotes += line.count(b'"')
        end += len(line) + 1
        whole = end if quotes % 2 == 0 else whole
    return start[:whole]


def _splits(text: str) -> Iterator[tuple[int, str, list[list[str]]]]:
    """Give (preference, delimiter, rows) for each delimiter that makes at least two columns of most lines."""
    # A header may run over several lines within quotes, so that rare delimiters are sought below it too.
    start = "".join(text.splitlines()[:3])
    rare = sorted({mark for mark in start if not mark.isalnum() and mark not in _NEVER and mark not in _USUAL})[
        :_MOST_RARE
    ]
    former = csv.field_size_limit(len(text) + 1)  # a cell may be as long as it likes
    try:
        yield from _split_by(text, rare)
    finally:
        csv.field_size_limit(former)


def _split_by(text: str, rare: list[str]) -> Iterator[tuple[int, str, list[list[str]]]]:
    for order, mark in enumerate((*_USUAL, *rare)):
        if mark not in text:
            continue
        rows: list[list[str]] = []
        try:
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
                if row:
                    rows.append(row)
                if len(rows) == _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if rows and len(rows[0]) >= 2:
            yield order, mark, rows


def _rating(rows: list[list[str]], order: int) -> tuple[float, float, int]:
    """Return how good a split is: lines of equal width, then fields that are numbers, then the usual delimiters."""
    (width, often), *_ = Counter(len(row) for row in rows).most_common(1)
    fields = [field for row in rows[1:] or rows for field in row]
    numbers = sum(is_number(field) or is_number(field.replace(",", ".")) for field in fields)
    return (often / len(rows) if width >= 2 else 0.0, numbers / max(len(fields), 1), -order)


def _has_header(rows: list[list[str]]) -> bool:
    """Return whether the first line is text above a column of numbers, or all is text."""
    first, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    columns = [[row[i] for row in body] for i in range(len(first))]
    numeric = [i for i, column in enumerate(columns) if _is_numeric(column)]
    if not numeric:
        return not any(map(is_number, first))
    if _numbered(first) and any(all(map(_is_decimal, columns[i])) for i in numeric):
        return True
    return any(not is_number(first[i]) for i in numeric)


def _is_numeric(column: list[str]) -> bool:
    """Return whether all fields of a column that are not empty are numbers, and there are some."""
    filled = [field for field in column if field.strip()]
    return bool(filled) and all(map(is_number, filled))


def _numbered(first: list[str]) -> bool:
    """Return whether a line counts the columns, as a frame without names is written: 0, 1, 2 and so on."""
    return [field.strip() for field in first] == [str(i) for i in range(len(first))]


def _is_decimal(field: str) -> bool:
    return is_number(field) and any(mark in field for mark in ".eE")
