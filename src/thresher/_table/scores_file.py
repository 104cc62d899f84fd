"""The `.scores` file: a magic line, a JSON header, little-endian arrays, a SHA-256 of all before it.

The header lists the arrays and says what else is known of the table. Nothing in a file is executed, and no size in it
is trusted before it was compared with the file's own size.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.counting import Table
from thresher._core.files import opened_bytes, written_whole
from thresher._table.clusters import Clusters
from thresher._table.exact_figures import Figures
from thresher._table.outcome import Horizon, Outcome
from thresher._table.squares import Squares, can_be_squares
from thresher.exceptions import InvalidInputError
from thresher.typing import ScoreArray

_MAGIC = b"thresher scores\n"
_VERSION = 1
_MOST_HEADER = 1 << 14
_DIGEST = 32
_SAMPLE = 1 << 16
_WORTH = 0.9  # of its size, below which a plane is compressed
_RAW, _ZLIB = 0, 1
_WHOLE, _REAL, _BYTE = np.dtype("<i8"), np.dtype("<f8"), np.dtype("u1")
_TYPES = {np.dtype(kind).str for kind in ("<f2", "<f4", "<f8", "i1", "<i2", "<i4", "<i8", "u1", "<u2", "<u4", "<u8")}
_LOW = " low"
"""What the array of the rest of a score of extended precision is called behind its column's name."""

Arrays = dict[str, NDArray[Any]]


class Contents(NamedTuple):
    """What a file holds."""

    table: Table
    highest: ScoreArray | None = None
    figures: Figures | None = None
    squares: Squares | None = None
    clusters: Clusters | None = None
    outcome: Outcome | None = None


def write_table(path: str | os.PathLike[str] | BinaryIO, contents: Contents, *, compressed: bool = False) -> None:
    """Write the file, whole or not at all."""
    arrays = {
        name: column.astype(column.dtype.newbyteorder("<"), copy=False) for name, column in _arrays_of(contents).items()
    }
    header: dict[str, Any] = {"version": _VERSION, "packed": compressed}
    header["arrays"] = [[name, column.dtype.str, column.size] for name, column in arrays.items()]
    if contents.figures is not None:
        header["figures"] = contents.figures.as_json()
    if contents.squares is not None:
        header["squares"] = contents.squares.facts()
    if contents.outcome is not None:
        header["outcome"] = [float(contents.outcome.horizon.t).hex(), *contents.outcome.horizon[1:]]
    text = json.dumps(header).encode()
    body = [column.tobytes() for column in arrays.values()]
    if compressed:
        body = [packed(body, [column.itemsize for column in arrays.values()])]
    digest = hashlib.sha256()
    with written_whole(path) as temporary, temporary.open("wb") as file:
        for block in (_MAGIC, len(text).to_bytes(4, "little"), text, *body):
            file.write(block)
            digest.update(block)
        file.write(digest.digest())


# A table as arrays by name


def _arrays_of(contents: Contents) -> Arrays:
    (thresholds, pos, neg), highest, _, squares, clusters, outcome = contents
    out = _halves("scores", thresholds) | _halves("highest", highest) | {"pos": pos, "neg": neg}
    if squares is not None:
        columns = {"pos squares": squares.pos, "neg squares": squares.neg, "both squares": squares.both}
        out |= {name: column for name, column in columns.items() if column is not None}
    if clusters is not None:
        out |= {f"cluster {name}": column for name, column in clusters._asdict().items() if name != "labels"}
        out |= {"cluster positive": clusters.positive.astype(np.uint8), "cluster labels": _as_bytes(clusters.labels)}
    if outcome is not None and outcome.score is not None:
        out |= _halves("outcome score", outcome.score.astype(thresholds.dtype))
        for name, column in outcome.columns().items():
            if name in ("cluster", "strata") and column is not None:
                labels, out[f"outcome {name}"] = np.unique(column, return_inverse=True)
                out[f"outcome {name} labels"] = _as_bytes(labels)
            elif name != "score" and column is not None:
                out[f"outcome {name}"] = column
    return out


def _halves(name: str, column: ScoreArray | None) -> Arrays:
    """Return the arrays that hold a column; extended precision becomes an exact sum of two doubles."""
    if column is None:
        return {}
    if not (column.dtype == np.longdouble != np.float64):
        return {name: column}
    high = column.astype(np.float64)
    low = np.where(np.isfinite(high), column - np.where(np.isfinite(high), high, 0), 0).astype(np.float64)
    return {name: high, name + _LOW: low}


def _as_bytes(labels: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(labels.tolist(), ensure_ascii=False).encode(), dtype=np.uint8)


# Arrays as a table; any KeyError, TypeError or ValueError means that they are not one


def read_table(path: str | os.PathLike[str] | BinaryIO) -> Contents:
    """Read and verify a file; every way in which it can be wrong has its message."""
    data, shown = _bytes_of(path)
    damaged = InvalidInputError(f"{shown} is damaged or cut short. Hint: copy it again from its source.")
    start = len(_MAGIC) + 4
    length = int.from_bytes(data[len(_MAGIC) : start], "little")
    if length > _MOST_HEADER or start + length + _DIGEST > len(data):
        raise damaged
    header = _header(data[start : start + length], damaged, shown)
    if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise damaged
    try:
        arrays = _arrays_in(header, data[start + length : -_DIGEST])
    except (ValueError, MemoryError):
        raise damaged from None
    try:
        return _contents(arrays, header)
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InvalidInputError(
            f"{shown} holds a table that no scores can have. Hint: write it again with `save`."
        ) from None


def _bytes_of(path: Any) -> tuple[bytes, str]:
    """Return what a file of ours holds, and what messages call it."""
    with opened_bytes(path) as (stream, shown):
        data = stream.read(len(_MAGIC))
        if data != _MAGIC:  # before the rest, of which there may be any amount
            raise InvalidInputError(
                f"{shown} must be a file written by `Scores.save`; it starts with {show(data)}. "
                "Hint: read labels and scores with `Scores.from_frame`."
            )
        return data + stream.read(), shown


def _header(text: bytes, damaged: InvalidInputError, shown: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise damaged from None
    if not isinstance(header, dict) or type(header.get("version")) is not int:
        raise damaged
    if header["version"] != _VERSION:
        raise InvalidInputError(
            f"{shown} must be of format version {_VERSION}; got {header['version']}. Hint: upgrade thresher."
        )
    listed = header.get("arrays")
    if not isinstance(listed, list) or not all(map(_is_sound, listed)) or type(header.get("packed")) is not bool:
        raise damaged
    return header


def _is_sound(item: Any) -> bool:
    """Return whether this is the name of an array with its type and its size."""
    if not isinstance(item, list) or len(item) != 3:
        return False
    name, kind, size = item
    return isinstance(name, str) and isinstance(kind, str) and kind in _TYPES and type(size) is int and size > 0


def _arrays_in(header: dict[str, Any], body: bytes) -> Arrays:
    names, kinds, sizes = zip(*header["arrays"], strict=True)
    widths = [np.dtype(kind).itemsize for kind in kinds]
    if header["packed"]:
        body = unpacked(body, sizes, widths)
    if len(body) != sum(size * width for size, width in zip(sizes, widths, strict=True)):
        raise ValueError("of another length")
    out: Arrays = {}
    at = 0
    for name, kind, size, width in zip(names, kinds, sizes, widths, strict=True):
        out[name] = np.frombuffer(body, dtype=kind, count=size, offset=at).astype(np.dtype(kind[1:]))
        at += size * width
    return out


def _contents(arrays: Arrays, header: dict[str, Any]) -> Contents:
    thresholds = _joined(arrays, "scores")
    highest = _joined(arrays, "highest") if "highest" in arrays else None
    size = thresholds.size
    kind = _REAL if arrays["pos"].dtype == _REAL else _WHOLE
    pos, neg = (_taken(arrays, name, kind, size) for name in ("pos", "neg"))
    columns = (thresholds,) if highest is None else (thresholds, highest)
    _require(not any(column.dtype.kind == "f" and np.isnan(column).any() for column in columns))
    _require((thresholds[1:] < thresholds[:-1]).all())
    _require(highest is None or (highest >= thresholds).all())
    _require(_is_mass(pos) and _is_mass(neg) and ((pos > 0) | (neg > 0)).all())
    table = (thresholds, pos, neg)
    figures = None
    if "figures" in header:
        figures = Figures.from_json(header["figures"])
        _require(highest is not None and figures.fit(size, pos.sum().item(), neg.sum().item()))
    squares = _squares_of(arrays, header["squares"], table) if "squares" in header else None
    clusters = _clusters_of(arrays, table) if "cluster labels" in arrays else None
    outcome = _outcome_of(arrays, header["outcome"], table) if "outcome" in header else None
    return Contents(table, highest, figures, squares, clusters, outcome)


def _require(sound: Any) -> None:
    if not sound:
        raise ValueError("no table has this")


def _taken(arrays: Arrays, name: str, kind: np.dtype[Any], size: int) -> NDArray[Any]:
    column = arrays[name]
    _require(column.dtype == kind and column.size == size)
    return column


def _joined(arrays: Arrays, name: str) -> ScoreArray:
    """Return a column of scores that `_halves` took apart."""
    if name + _LOW not in arrays:
        return arrays[name]
    high, low = (column.astype(np.longdouble) for column in (arrays[name], arrays[name + _LOW]))
    return high + low


def _is_finite(column: NDArray[Any]) -> bool:
    return bool(np.isfinite(column).all())


def _is_mass(column: NDArray[Any]) -> bool:
    return _is_finite(column) and bool((column >= 0).all())


def _squares_of(arrays: Arrays, facts: Any, table: Table) -> Squares:
    """Return the sums of squares if they can belong to the sums of weights."""
    pos, neg = (_taken(arrays, name, _REAL, table[0].size) for name in ("pos squares", "neg squares"))
    both = _taken(arrays, "both squares", _REAL, pos.size) if "both squares" in arrays else None
    _require(all(map(_is_mass, (pos, neg) if both is None else (pos, neg, both))))
    _require(all(can_be_squares(own, sums).all() for own, sums in ((pos, table[1]), (neg, table[2]))))
    return Squares(pos, neg, both).with_facts(facts)


def _clusters_of(arrays: Arrays, table: Table) -> Clusters:
    """Return the list of clusters if it can belong to the table."""
    size = arrays["cluster code"].size
    kinds: dict[str, np.dtype[Any]] = {
        "code": _WHOLE,
        "cell": _WHOLE,
        "positive": _BYTE,
        "weight": _REAL,
        "rows": _WHOLE,
    }
    code, cell, positive, weight, rows = (_taken(arrays, f"cluster {name}", kinds[name], size) for name in kinds)
    labels = _labels(arrays["cluster labels"])
    cells = table[0].size
    _require(((rows > 0) & (code >= 0) & (code < labels.size) & (cell >= 0) & (cell < cells)).all())
    _require(_is_mass(weight) and weight.all())
    positive = positive.astype(np.bool_)
    for mine, sums in ((positive, table[1]), (~positive, table[2])):
        _require(np.allclose(np.bincount(cell[mine], weight[mine], cells), sums, rtol=1e-9, atol=0.0))
    return Clusters(labels, code, cell, positive, weight, rows)


def _labels(text: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the names of clusters: integers or text, each once."""
    names = json.loads(text.tobytes())
    _require(isinstance(names, list) and set(map(type, names)) in ({int}, {str}))
    labels = np.array(names)
    _require(labels.dtype.kind in "iU" and np.unique(labels).size == labels.size)
    return labels


def _outcome_of(arrays: Arrays, horizon: Any, table: Table) -> Outcome:
    """Return the rows of an outcome in time, if they are those of the table."""
    t, cause, controls, censored_at_t = horizon
    _require(type(cause) is int and controls in ("all", "event-free") and isinstance(censored_at_t, str))
    score = _joined(arrays, "outcome score")
    numbers = ["time", *_given(arrays, ("weight", "entry", "known"))]
    columns = {name: _taken(arrays, f"outcome {name}", _REAL, score.size) for name in numbers}
    event = _taken(arrays, "outcome event", _WHOLE, score.size)
    at = Horizon(float.fromhex(t), cause, controls, censored_at_t)
    _require((event >= 0).all() and math.isfinite(at.t) and all(map(_is_finite, columns.values())))
    for name in _given(arrays, ("cluster", "strata")):
        code, labels = _taken(arrays, f"outcome {name}", _WHOLE, score.size), _labels(arrays[f"outcome {name} labels"])
        _require((code >= 0).all() and (code < labels.size).all())
        columns[name] = labels[code]
    rows = Outcome(columns.pop("time"), event, at, score=score, **columns).checked()
    for positive, sums in ((True, table[1]), (False, table[2])):
        own = np.bincount(rows.cells(table[0]), np.where(rows.positive == positive, rows.mass, 0.0), table[0].size)
        _require(np.allclose(own, sums, rtol=1e-9, atol=1e-12))
    return rows


def _given(arrays: Arrays, names: Iterable[str]) -> list[str]:
    return [name for name in names if f"outcome {name}" in arrays]


# Columns in few bytes: their bytes in planes, and each plane compressed if that pays


def packed(blocks: Sequence[bytes], widths: Sequence[int]) -> bytes:
    """Return blocks of items of so many bytes as one block.

    Sorted scores share their leading bytes and counts are mostly zeros, so that like bytes are put side by side. What
    is as good as random is left as it is: it costs time and wins nothing.
    """
    out = []
    for block, width in zip(blocks, widths, strict=True):
        items = np.frombuffer(block, dtype=np.uint8).reshape(-1, width)
        for k in range(width):
            plane = np.ascontiguousarray(items[:, k]).tobytes()
            middle = len(plane) // 2
            sample = plane[max(middle - _SAMPLE // 2, 0) : middle + _SAMPLE // 2]
            worth = len(zlib.compress(sample, 1)) < _WORTH * len(sample)
            body = zlib.compress(plane, 6) if worth else plane
            out += [bytes([_ZLIB if worth else _RAW]), len(body).to_bytes(8, "little"), body]
    return b"".join(out)


def unpacked(data: bytes, items: Sequence[int], widths: Sequence[int]) -> bytes:
    """Return the blocks, one after another; ValueError unless `data` holds exactly so many items of these widths."""
    out = []
    at = 0
    for rows, width in zip(items, widths, strict=True):
        block: NDArray[np.uint8] = np.empty((rows, width), dtype=np.uint8)
        for k in range(width):
            kind, size = data[at : at + 1], int.from_bytes(data[at + 1 : at + 9], "little")
            at += 9
            if kind not in (b"\0", b"\1") or at + size > len(data):
                raise ValueError("cut short")
            block[:, k] = np.frombuffer(_plane(data[at : at + size], kind == b"\1", rows), dtype=np.uint8)
            at += size
        out.append(block.tobytes())
    if at != len(data):
        raise ValueError("too long")
    return b"".join(out)


def _plane(body: bytes, small: bool, rows: int) -> bytes:
    if small:
        machine = zlib.decompressobj()
        try:
            body = machine.decompress(body, rows + 1)  # no more than that, whatever the block would become
        except zlib.error as error:
            raise ValueError("damaged") from error
    if len(body) != rows:
        raise ValueError("of another length")
    return body
