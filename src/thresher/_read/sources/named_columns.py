"""A file whose columns can be looked at before any is chosen: of which kind each is, and which values it repeats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._read.sources.npz_arrays import one_length
from thresher._read.sources.number_text import number_remedy
from thresher.exceptions import InvalidInputError

__all__ = ["ArrayColumns", "NamedColumns", "no_rows", "text_in"]


class NamedColumns:
    """Something with named columns, each of a kind: "bool", "whole", "real", "text", or "mixed" of numbers and text."""

    shown: str
    names: list[str]
    folders: frozenset[str] = frozenset()
    """Columns that are not in the files, but named by their folders."""

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        """Return the kind of each column, by all of its rows."""
        raise NotImplementedError

    def is_binary(self, name: str) -> bool:
        """Return whether a column holds nothing but {0, 1}, {-1, 1} or booleans."""
        raise NotImplementedError

    def counted(self, name: str, most: int) -> list[tuple[str | None, int]]:
        """Return values of a column with their row counts: all of them, or more than `most`."""
        raise NotImplementedError

    def fetch(self, names: Sequence[str], *, numbers: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Return columns; those in `numbers` must be numbers in every row."""
        raise NotImplementedError

    def percent(self) -> float:
        """Return how far the query now running has come, or a negative number."""
        return -1.0


class ArrayColumns(NamedColumns):
    """Arrays by name, as an NPZ file has them."""

    def __init__(self, data: dict[str, NDArray[Any]], shown: str) -> None:
        self.shown = shown
        self.names = list(data)
        self._data = data

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        known = {"b": "bool", "i": "whole", "u": "whole", "f": "real"}
        return {name: known.get(self._data[name].dtype.kind, "text") for name in names}

    def is_binary(self, name: str) -> bool:
        if self._data[name].dtype.kind not in "biuf":
            return False
        values = set(np.unique(self._data[name]).tolist())
        return values <= {0, 1} or values <= {-1, 1}

    def counted(self, name: str, most: int) -> list[tuple[str | None, int]]:
        values, counts = np.unique(self._data[name].astype(str), return_counts=True)
        return list(zip(values.tolist(), counts.tolist(), strict=True))[: most + 1]

    def fetch(self, names: Sequence[str], *, numbers: Sequence[str]) -> dict[str, NDArray[Any]]:
        found = one_length({name: self._data[name] for name in names}, self.shown)
        for name in numbers:
            if found[name].dtype.kind not in "biuf":
                raise text_in(self.shown, name, 0, found[name][:1].tolist()[0] if found[name].size else "")
        return found


def no_rows(shown: str) -> InvalidInputError:
    """Return the error for a file with names and nothing below them."""
    return InvalidInputError(
        f"{show(shown, 200)} must have at least one row; it has none. "
        "Hint: it holds the names of columns only; look at what wrote it."
    )


def text_in(shown: str, name: str, row: int, value: object) -> InvalidInputError:
    """Return the error for a cell that is no number where numbers are wanted."""
    return InvalidInputError(
        f"{show(shown, 200)}, column {show(name)}: must hold numbers only; row {row} holds {show(value)}. "
        f"Hint: {number_remedy(value)}. Rows are counted from 0, without the header."
    )
