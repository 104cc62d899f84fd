"""Options with several values behind them: `--y-score a b` is `--y-score a --y-score b`."""

from __future__ import annotations

from collections.abc import Sequence

from thresher._core.files import is_there

__all__ = ["one_by_one"]

_OPTION = "--y-score"


def one_by_one(words: Sequence[str]) -> list[str]:
    """Return the words with the option repeated before each of its values.

    A file may stand behind the values too, unless one stands before the options: the last word is the file then, if
    it exists.
    """
    file_first = len(words) > 1 and (words[1] == "-" or not words[1].startswith("-"))
    out: list[str] = []
    i = 0
    while i < len(words):
        out.append(words[i])
        i += 1
        if words[i - 1] == _OPTION and i < len(words):
            end = next((k for k in range(i + 1, len(words)) if words[k].startswith("-")), len(words))
            values = words[i:end]
            n_files = int(not file_first and _ends_in_file(values, last=end == len(words)))
            for value in values[: len(values) - n_files]:
                out += [value, _OPTION]
            out[-1:] = values[len(values) - n_files :]  # the option behind the last value gives way to the file
            i = end
    return out


def _ends_in_file(values: Sequence[str], *, last: bool) -> bool:
    """Return whether the last of several values is the file: nothing follows, or there is a file of that name."""
    return len(values) > 1 and (last or is_there(values[-1]))
