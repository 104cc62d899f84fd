"""The `.scores` file: a magic line, a JSON header, little-endian arrays, a SHA-256 of all before it.

Version 1 holds counts; version 2 may hold sums of squared weights, clusters and the rows of an outcome in time after
them. Tables that need neither
are written as version 1, so that older readers know them. Version 3 is version 2 with everything after the header
packed.

Nothing in a file is executed, and no size in it is trusted before it was compared with the file's own size.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.counting import Table
from thresher._core.files import opened_bytes, written_whole
from thresher._table.clusters import Clusters
from thresher._table.exact_figures import Figures
from thresher._table.outcome import Outcome
from thresher._table.outcome_file import (
    is_sound,
    outcome_body,
    outcome_bytes,
    outcome_header,
    outcome_layout,
    outcome_of,
)
from thresher._table.packed_columns import packed, unpacked
from thresher._table.squares import Span, Squares
from thresher.exceptions import InvalidInputError
from thresher.typing import ScoreArray

__all__ = ["Contents", "read_table", "write_table"]

_MAGIC = b"thresher scores\n"
_VERSIONS = (1, 2, 3)
_MOST_HEADER = 4096
_DIGEST = 32
_SCORE_TYPES = ("<f2", "<f4", "<f8", "<i1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "pair")
_COUNT_TYPES = ("<i8", "<f8")


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
    table, highest, _, squares, clusters, outcome = contents
    header = _first_header(contents, compressed=compressed)
    arrays = [*_score_parts(table[0]), *_score_parts(highest), *map(_little, table[1:])]
    body = [array.tobytes() for array in arrays]
    if squares is not None:
        header |= _squares_header(squares)
        body += _squares_body(squares)
    if clusters is not None:
        parts = _clusters_body(clusters)
        header["clusters"] = {"entries": int(clusters.code.size), "label_bytes": len(parts[-1])}
        body += parts
    if outcome is not None and outcome.score is not None:
        header["outcome"] = outcome_header(outcome)
        body += outcome_body(outcome, _score_parts(outcome.score.astype(table[0].dtype)))
    text = json.dumps(header).encode()
    if compressed:
        body = [packed(body, [width for _, width in _layout(header)])]
    _write(path, [_MAGIC, len(text).to_bytes(4, "little"), text, *body])


def _first_header(contents: Contents, *, compressed: bool) -> dict[str, Any]:
    """Return what a reader must know of every file before its arrays."""
    table, highest, figures, squares, clusters, outcome = contents
    small = squares is None and clusters is None and outcome is None
    header: dict[str, Any] = {
        "version": 3 if compressed else 1 if small else 2,
        "rows": int(table[0].size),
        "score_type": "pair" if _is_extended(table[0]) else _little(table[0]).dtype.str,
        "count_type": _little(table[1]).dtype.str,
        "merged": highest is not None,
    }
    if figures is not None:
        header["figures"] = figures.as_json()
    if header["version"] > 1:
        header["weights"] = "none" if squares is None else "sampling"
    return header


def _squares_body(squares: Squares) -> list[bytes]:
    columns = (squares.pos, squares.neg, squares.both)
    return [_little(column).tobytes() for column in columns if column is not None]


def _clusters_body(clusters: Clusters) -> list[bytes]:
    """Return the columns of clusters, and their labels last."""
    whole = [_little(column.astype(np.int64)) for column in (clusters.code, clusters.cell, clusters.rows)]
    columns = [*whole, clusters.positive.astype(np.uint8), _little(clusters.weight)]
    labels = json.dumps(clusters.labels.tolist(), ensure_ascii=False).encode()
    return [*(column.tobytes() for column in columns), labels]


def _write(path: str | os.PathLike[str] | BinaryIO, blocks: list[bytes]) -> None:
    digest = hashlib.sha256()
    with written_whole(path) as temporary, temporary.open("wb") as file:
        for block in blocks:
            file.write(block)
            digest.update(block)
        file.write(digest.digest())


def _layout(header: dict[str, Any]) -> list[tuple[int, int]]:
    """Return how many items of how many bytes stand after the header, block by block."""
    rows = header["rows"]
    width = 8 if header["score_type"] == "pair" else np.dtype(header["score_type"]).itemsize
    columns = (2 if header["merged"] else 1) * (2 if header["score_type"] == "pair" else 1)
    out = [(rows, width)] * columns + [(rows, 8)] * (2 + _square_columns(header))
    found = header.get("clusters")
    if found is not None:
        entries = found["entries"]
        out += [(entries, 8)] * 3 + [(entries, 1), (entries, 8), (found["label_bytes"], 1)]
    if "outcome" in header:
        out += outcome_layout(header["outcome"], _score_widths(header))
    return out


def _score_widths(header: dict[str, Any]) -> list[int]:
    """Return the bytes of a score in each of the blocks of a column of scores."""
    return [8, 8] if header["score_type"] == "pair" else [np.dtype(header["score_type"]).itemsize]


def _squares_header(squares: Squares) -> dict[str, Any]:
    rows = (None, None) if squares.rows is None else squares.rows
    spans = None if squares.spans is None else [[end.hex() for end in map(float, span)] for span in squares.spans]
    return {
        "rows_pos": rows[0],
        "rows_neg": rows[1],
        "spans": spans,
        "soft": squares.both is not None,
        "integers": squares.integers,
    }


def _little(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _is_extended(column: ScoreArray) -> bool:
    return bool(column.dtype == np.longdouble != np.float64)


def _score_parts(column: ScoreArray | None) -> list[NDArray[Any]]:
    """Return the arrays that hold a column; extended precision becomes an exact sum of two doubles."""
    if column is None:
        return []
    if _is_extended(column):
        high = column.astype(np.float64)
        low = np.where(np.isfinite(high), column - np.where(np.isfinite(high), high, 0), 0).astype(np.float64)
        return [_little(high), _little(low)]
    return [_little(column)]


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
    if header["version"] == 3:
        try:
            body = unpacked(data[start + length : -_DIGEST], *zip(*_layout(header), strict=True))
        except (ValueError, MemoryError):
            raise damaged from None
        data = b"".join((data[: start + length], body, data[-_DIGEST:]))
    score_type, count_type = header["score_type"], header["count_type"]
    rows, columns = header["rows"], 2 if header["merged"] else 1
    width = 16 if score_type == "pair" else np.dtype(score_type).itemsize
    beside = outcome_bytes(header.get("outcome"), _score_widths(header))
    more = 8 * rows * _square_columns(header) + _cluster_bytes(header) + beside
    if start + length + rows * (columns * width + 16) + more + _DIGEST != len(data):
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
    at += 16 * rows
    highest = scores[1] if columns == 2 else None
    _check(scores[0], pos, neg, highest, shown)
    figures = _figures_of(header, (pos, neg), highest, shown)
    squares = _squares_of(header, data, at, (pos, neg), shown)
    clusters = _clusters_of(header, data, at + 8 * rows * _square_columns(header), (pos, neg), shown)
    outcome = None
    if "outcome" in header:
        end = len(data) - _DIGEST
        outcome = _outcome_of(header, data[end - beside : end], (scores[0], pos, neg), shown)
    return Contents((scores[0], pos, neg), highest, figures, squares, clusters, outcome)


def _outcome_of(header: dict[str, Any], data: bytes, table: Table, shown: str) -> Outcome:
    """Return the rows of an outcome in time, if they are those of the table."""
    found, widths = header["outcome"], _score_widths(header)
    blocks = outcome_layout(found, widths)
    first = 1 + sum(name in found["columns"] for name in ("time", "weight", "entry", "known"))
    at = sum(count * width for count, width in blocks[:first])
    score = _score_column(data, at, found["rows"], header["score_type"])
    try:
        rows = outcome_of(found, data, score, widths).checked()
    except (ValueError, TypeError):
        raise _impossible(shown) from None
    for positive, sums in ((True, table[1]), (False, table[2])):
        mass = np.where(rows.positive == positive, rows.mass, 0.0)
        own = np.bincount(rows.cells(table[0]), mass, table[0].size)
        if not np.allclose(own, sums, rtol=1e-9, atol=1e-12):
            raise _impossible(shown)
    return rows


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


def _square_columns(header: dict[str, Any]) -> int:
    return 0 if header.get("weights") != "sampling" else 3 if header.get("soft") else 2


def _cluster_bytes(header: dict[str, Any]) -> int:
    found = header.get("clusters")
    return 0 if found is None else 33 * found["entries"] + found["label_bytes"]


def _impossible(shown: str) -> InvalidInputError:
    return InvalidInputError(f"{shown} holds a table that no scores can have. Hint: write it again with `save`.")


def _squares_of(
    header: dict[str, Any], data: bytes, at: int, counts: tuple[NDArray[Any], NDArray[Any]], shown: str
) -> Squares | None:
    """Return the sums of squares if they can belong to the sums of weights."""
    size = _square_columns(header)
    if not size:
        return None
    rows = header["rows"]
    found = [
        np.frombuffer(data, dtype="<f8", count=rows, offset=at + 8 * rows * i).astype(np.float64) for i in range(size)
    ]
    sound = all(map(_is_mass, found)) and all(map(_can_be_squares, found[:2], counts))
    if not sound:
        raise _impossible(shown)
    try:
        numbers, spans = _numbers_of(header), _spans_of(header.get("spans"))
    except (TypeError, ValueError):
        raise _impossible(shown) from None
    both = found[2] if size == 3 else None
    return Squares(found[0], found[1], both, numbers, spans, bool(header.get("integers")))


def _is_mass(column: NDArray[Any]) -> bool:
    return bool(np.isfinite(column).all() and (column >= 0).all())


def _can_be_squares(column: NDArray[Any], sums: NDArray[Any]) -> bool:
    most = np.square(sums.astype(np.float64)) * (1.0 + 1e-12)
    return bool(((column > 0) == (sums > 0)).all() and (column <= most).all())


def _numbers_of(header: dict[str, Any]) -> tuple[int, int] | None:
    """Return the rows of each class that a header holds, or None; ValueError if they are not row counts."""
    pos, neg = header.get("rows_pos"), header.get("rows_neg")
    if pos is None and neg is None:
        return None
    if type(pos) is not int or type(neg) is not int or min(pos, neg) < 0:
        raise ValueError
    return pos, neg


def _spans_of(spans: Any) -> tuple[Span, Span] | None:
    """Return the least and greatest weight of each class that a header holds, or None; ValueError or TypeError else."""
    if spans is None:
        return None
    (low_pos, high_pos), (low_neg, high_neg) = spans
    read = float.fromhex
    return (read(low_pos), read(high_pos)), (read(low_neg), read(high_neg))


def _clusters_of(
    header: dict[str, Any], data: bytes, at: int, counts: tuple[NDArray[Any], NDArray[Any]], shown: str
) -> Clusters | None:
    """Return the list of clusters if it can belong to the table."""
    if "clusters" not in header:
        return None
    entries, rows = header["clusters"]["entries"], header["rows"]
    code, cell, sizes = (
        np.frombuffer(data, dtype="<i8", count=entries, offset=at + 8 * entries * i).astype(np.int64) for i in range(3)
    )
    at += 24 * entries
    positive = np.frombuffer(data, dtype=np.uint8, count=entries, offset=at).astype(np.bool_)
    weight = np.frombuffer(data, dtype="<f8", count=entries, offset=at + entries).astype(np.float64)
    try:
        names = json.loads(data[at + 9 * entries : at + 9 * entries + header["clusters"]["label_bytes"]])
    except (ValueError, RecursionError):
        raise _impossible(shown) from None
    labels = _labels_of(names, shown)
    inside = ((sizes > 0) & (code >= 0) & (code < labels.size) & (cell >= 0) & (cell < rows)).all()
    if not (inside and np.isfinite(weight).all() and (weight > 0).all()):
        raise _impossible(shown)
    for mine, sums in ((positive, counts[0]), (~positive, counts[1])):
        if not np.allclose(np.bincount(cell[mine], weight[mine], rows), sums, rtol=1e-9, atol=0.0):
            raise _impossible(shown)
    return Clusters(labels, code, cell, positive, weight, sizes)


def _labels_of(names: Any, shown: str) -> NDArray[Any]:
    """Return the names of clusters: integers or text, each once."""
    kinds = set(map(type, names)) if isinstance(names, list) else set()
    if kinds not in ({int}, {str}):
        raise _impossible(shown)
    labels = np.array(names)
    if np.unique(labels).size != labels.size:
        raise _impossible(shown)
    return labels


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
    if header["version"] not in _VERSIONS:
        raise InvalidInputError(
            f"{shown} must be of format version {_VERSIONS[0]} to {_VERSIONS[-1]}; got {header['version']}. "
            "Hint: upgrade thresher."
        )
    sound = (
        type(header.get("rows")) is int
        and header["rows"] > 0
        and header.get("score_type") in _SCORE_TYPES
        and header.get("count_type") in _COUNT_TYPES
        and isinstance(header.get("merged"), bool)
        and _sound_extras(header)
    )
    if not sound:
        raise damaged
    return header


def _sound_extras(header: dict[str, Any]) -> bool:
    """Return whether what version 2 adds is as it writes it, or version 3; version 1 has none of it."""
    if header["version"] == 1:
        return not {"weights", "clusters", "outcome"} & set(header)
    if "outcome" in header and not is_sound(header["outcome"]):
        return False
    if header.get("weights") not in ("none", "sampling"):
        return False
    if header["weights"] == "sampling" and not isinstance(header.get("soft"), bool):
        return False
    if "clusters" not in header:
        return True
    found = header["clusters"]
    return isinstance(found, dict) and all(
        type(found.get(name)) is int and found[name] > 0 for name in ("entries", "label_bytes")
    )


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
    sound = sound and _is_mass(pos) and _is_mass(neg)
    sound = sound and bool(((pos > 0) | (neg > 0)).all())
    if not sound:
        raise _impossible(shown)
