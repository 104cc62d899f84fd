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
        if words[i - 1] != _OPTION or i == len(words):
            continue
        end = i + 1
        while end < len(words) and not words[end].startswith("-"):
            end += 1
        values, rest = list(words[i:end]), words[end:]
        file = [values.pop()] if not file_first and len(values) > 1 and (not rest or is_there(values[-1])) else []
        out += [word for k, value in enumerate(values) for word in ([_OPTION] if k else []) + [value]] + file
        i = end
    return out
