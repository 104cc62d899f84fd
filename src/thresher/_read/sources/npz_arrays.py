"""The arrays of an NPZ file, read without trusting it."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show, show_text
from thresher.exceptions import InvalidInputError

__all__ = ["one_length", "read_npz"]


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
