"""The `.scores` file: a magic line, a JSON header, little-endian arrays, a SHA-256 of all before it.

Nothing in a file is executed, and no size in it is trusted before it was compared with the file's own size.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.counting import Table
from thresher._core.files import as_path, written_whole
from thresher._table.exact_figures import Figures
from thresher.exceptions import InvalidInputError
from thresher.typing import ScoreArray

__all__ = ["read_table", "write_table"]

_MAGIC = b"thresher scores\n"
_VERSION = 1
_MOST_HEADER = 4096
_DIGEST = 32
_SCORE_TYPES = ("<f2", "<f4", "<f8", "<i1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "pair")
_COUNT_TYPES = ("<i8", "<f8")


def write_table(
    path: str | os.PathLike[str], table: Table, highest: ScoreArray | None, figures: Figures | None = None
) -> None:
    """Write the file, whole or not at all."""
    scores = [table[0]] if highest is None else [table[0], highest]
    score_type = "pair" if table[0].dtype == np.longdouble != np.float64 else _little(table[0]).dtype.str
    count_type = _little(table[1]).dtype.str
    header: dict[str, Any] = {
        "version": _VERSION,
        "rows": int(table[0].size),
        "score_type": score_type,
        "count_type": count_type,
        "merged": highest is not None,
    }
    if figures is not None:
        header["figures"] = figures.as_json()
    text = json.dumps(header).encode()
    blocks = [_MAGIC, len(text).to_bytes(4, "little"), text]
    for column in scores:
        blocks += [part.tobytes() for part in _score_parts(column)]
    blocks += [_little(column).tobytes() for column in table[1:]]
    digest = hashlib.sha256()
    with written_whole(path) as temporary, temporary.open("wb") as file:
        for block in blocks:
            file.write(block)
            digest.update(block)
        file.write(digest.digest())


def _little(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _score_parts(column: ScoreArray) -> list[NDArray[Any]]:
    """Return the arrays that hold a column; extended precision becomes an exact sum of two doubles."""
    if column.dtype == np.longdouble != np.float64:
        high = column.astype(np.float64)
        low = np.where(np.isfinite(high), column - np.where(np.isfinite(high), high, 0), 0).astype(np.float64)
        return [_little(high), _little(low)]
    return [_little(column)]


def read_table(path: str | os.PathLike[str]) -> tuple[Table, ScoreArray | None, Figures | None]:
    """Read and verify a file; every way in which it can be wrong has its message."""
    file = as_path(path)
    shown = show(str(file), 200)
    try:
        with file.open("rb") as stream:
            data = stream.read(len(_MAGIC))
            if data != _MAGIC:  # before the rest, of which there may be any amount
                raise InvalidInputError(
                    f"{shown} must be a file written by `Scores.save`; it starts with {show(data)}. "
                    "Hint: read labels and scores with `Scores.from_frame`."
                )
            data += stream.read()
    except OSError as error:
        raise InvalidInputError(f"Cannot read {shown}: {error.strerror}.") from error
    damaged = InvalidInputError(f"{shown} is damaged or cut short. Hint: copy it again from its source.")
    start = len(_MAGIC) + 4
    length = int.from_bytes(data[len(_MAGIC) : start], "little")
    if length > _MOST_HEADER or start + length + _DIGEST > len(data):
        raise damaged
    header = _header(data[start : start + length], damaged, shown)
    score_type, count_type = header["score_type"], header["count_type"]
    rows, columns = header["rows"], 2 if header["merged"] else 1
    width = 16 if score_type == "pair" else np.dtype(score_type).itemsize
    if start + length + rows * (columns * width + 16) + _DIGEST != len(data):
        raise damaged
    if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise damaged
    at = start + length
    scores = []
    for _ in range(columns):
        scores.append(_score_column(data, at, rows, score_type))
        at += rows * width
    pos, neg = (
        np.frombuffer(data, dtype=count_type, count=rows, offset=at + i * rows * 8).astype(np.dtype(count_type[1:]))
        for i in (0, 1)
    )
    highest = scores[1] if columns == 2 else None
    _check(scores[0], pos, neg, highest, shown)
    figures = _figures_of(header, (pos, neg), highest, shown)
    return (scores[0], pos, neg), highest, figures


def _figures_of(
    header: dict[str, Any], counts: tuple[NDArray[Any], NDArray[Any]], highest: ScoreArray | None, shown: str
) -> Figures | None:
    """Return the sums over all scores that a header may hold, if they can belong to the table."""
    if "figures" not in header:
        return None
    wrong = InvalidInputError(
        f"{shown} holds sums that its table cannot have. Hint: write it again with `save`, or copy it again."
    )
    try:
        figures = Figures.from_json(header["figures"])
    except ValueError:
        raise wrong from None
    n_pos, n_neg = (column.sum().item() for column in counts)
    if highest is None or not figures.fit(counts[0].size, n_pos, n_neg):
        raise wrong
    return figures


def _header(text: bytes, damaged: InvalidInputError, shown: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise damaged from None
    if not isinstance(header, dict) or not isinstance(header.get("version"), int):
        raise damaged
    if header["version"] != _VERSION:
        raise InvalidInputError(
            f"{shown} must be of format version {_VERSION}; got {header['version']}. Hint: upgrade thresher."
        )
    sound = (
        type(header.get("rows")) is int
        and header["rows"] > 0
        and header.get("score_type") in _SCORE_TYPES
        and header.get("count_type") in _COUNT_TYPES
        and isinstance(header.get("merged"), bool)
    )
    if not sound:
        raise damaged
    return header


def _score_column(data: bytes, at: int, rows: int, score_type: str) -> ScoreArray:
    if score_type != "pair":
        return np.frombuffer(data, dtype=score_type, count=rows, offset=at).astype(np.dtype(score_type[1:]))
    high = np.frombuffer(data, dtype="<f8", count=rows, offset=at).astype(np.longdouble)
    return high + np.frombuffer(data, dtype="<f8", count=rows, offset=at + 8 * rows).astype(np.longdouble)


def _check(
    thresholds: ScoreArray, pos: NDArray[Any], neg: NDArray[Any], highest: ScoreArray | None, shown: str
) -> None:
    """Refuse a table that no data can give, however it came to be written."""
    columns = (thresholds,) if highest is None else (thresholds, highest)
    sound = not any(column.dtype.kind == "f" and np.isnan(column).any() for column in columns)
    sound = sound and bool((thresholds[1:] < thresholds[:-1]).all())
    sound = sound and (highest is None or bool((highest >= thresholds).all()))
    sound = sound and all(bool(np.isfinite(counts).all() and (counts >= 0).all()) for counts in (pos, neg))
    sound = sound and bool(((pos > 0) | (neg > 0)).all())
    if not sound:
        raise InvalidInputError(f"{shown} holds a table that no scores can have. Hint: write it again with `save`.")
