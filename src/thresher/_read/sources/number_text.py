"""The one grammar of numbers in text files: docs/reference/text-files.md states it."""

from __future__ import annotations

import math
import re

__all__ = ["NUMBER", "NUMBER_LIKE", "SPACES", "WORD", "is_number", "number_remedy"]

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
