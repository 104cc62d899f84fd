"""What is said of a file that cannot be read: the libraries' findings in our words, without their advice."""

from __future__ import annotations

import re

from thresher._core.checks import show, show_text
from thresher.exceptions import InvalidInputError

_MEND = "mend that line"
_WHOLE = "is it complete, and of the kind its name says?"

# What DuckDB and Arrow say of text, what that means, and what to do about it; the first that fits is taken.
_FOUND: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), meaning, remedy)
    for pattern, meaning, remedy in (
        (
            r"CSV Error on Line: (\d+).*Expected Number of Columns: (\d+) Found: (\d+)",
            r"line \1 has \3 fields where the first has \2",
            _MEND,
        ),
        (r"CSV Error on Line: (\d+).*(?:utf-8|Invalid unicode)", r"line \1 is not UTF-8", "save the file in UTF-8"),
        (r"CSV Error on Line: (\d+).*quote", r"line \1 has a quote that does not end", _MEND),
        (r"CSV Error on Line: (\d+)", r"line \1 is not understood", _MEND),
        (
            r"state machine",
            "it is not regular CSV: lines end in different ways, or a quote does not end",
            "save it as CSV once more",
        ),
        (
            r"CSV parse error: Row #(\d+): Expected (\d+) columns, got (\d+)",
            r"line \1 has \3 fields where the first has \2",
            _MEND,
        ),
        (
            r"CSV parse error: Expected (\d+) columns, got (\d+)",
            r"a line has \2 fields where the first has \1",
            _MEND,
        ),
        (r"Row #(\d+): CSV conversion error to \w+: invalid UTF8", r"line \1 is not UTF-8", "save the file in UTF-8"),
        (
            r"Row #(\d+): CSV conversion error to \w+: invalid value ('[^']*')",
            r"line \1 holds \2 where numbers stand above it",
            "replace it by a number",
        ),
    )
)


def is_interruption(error: object) -> bool:
    """Return whether an error is DuckDB's word for Ctrl-C."""
    name, text = type(error).__name__, str(error)
    return name == "InterruptException" or (isinstance(error, RuntimeError) and text == "Query interrupted")


def unreadable(shown: str, error: object, *, path: str = "", hint: str = "") -> InvalidInputError:
    """Return the error for a file that messages call `shown`; `path` is what the library knew it by."""
    if is_interruption(error):
        raise KeyboardInterrupt from None
    said, remedy = _in_our_words(str(error).strip() or type(error).__name__)
    if path:
        said = said.replace(path, shown)
    said = show_text(said.rstrip(". "))
    return InvalidInputError(f"{show(shown, 200)} cannot be read: {said}. Hint: {hint or remedy}")


def _in_our_words(text: str) -> tuple[str, str]:
    """Return what a library found, and what to do about it."""
    for pattern, meaning, remedy in _FOUND:
        found = pattern.search(text)
        if found:
            return found.expand(meaning), f"{remedy}."
    said = text.splitlines()[0].removeprefix("Invalid Input Error: ").removeprefix("IO Error: ")
    return said, f"{_MEND}." if re.search(r"\bline \d", said) else _WHOLE
