"""A file whose columns can be looked at before any is chosen: of which kind each is, and which values it repeats."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show, show_text
from thresher._read.sources.dialect import number_remedy
from thresher.exceptions import InvalidInputError


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


def read_npz(path: Path, shown: str) -> dict[str, NDArray[Any]]:
    """Return all arrays by name; archives with anything else in them are refused."""
    try:
        if not zipfile.is_zipfile(path):
            raise zipfile.BadZipFile("it is no archive")
        _refuse_members(path)
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:  # an archive can be wrong in as many ways as zip, zlib and NumPy have errors
        reason = "it holds Python objects" if "pickle" in str(error) else show_text(str(error))
        raise InvalidInputError(
            f"{show(shown, 200)} must be an NPZ file of plain arrays: {reason}. Hint: write it with numpy.savez."
        ) from None


def one_length(arrays: dict[str, NDArray[Any]], shown: str) -> dict[str, NDArray[Any]]:
    """Return the arrays if element i of every one can belong to row i."""
    sizes = {array.shape for array in arrays.values()}
    if len(sizes) > 1 or any(len(shape) != 1 for shape in sizes):
        found = ", ".join(f"{show(name)} {array.shape}" for name, array in arrays.items())
        raise InvalidInputError(f"{show(shown, 200)} must hold one-dimensional arrays of one length; got {found}.")
    return arrays


def _refuse_members(path: Path) -> None:
    """Raise for what stands in an archive beside arrays, is locked, or is larger unpacked than the memory."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    for member in members:
        if not member.filename.endswith(".npy"):
            raise ValueError(f"{show(member.filename)} in it is no array")
        if member.flag_bits & 1:
            raise ValueError(f"{show(member.filename)} in it is encrypted")
    size = sum(member.file_size for member in members)
    if size > _memory():
        raise ValueError(f"its arrays take {size:,} bytes unpacked, more than this machine's memory")


def _memory() -> int:
    """Return the bytes of this machine's memory, or more than any file has where that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**62
