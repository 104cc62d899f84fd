"""The rows of an outcome in time in a `.scores` file: columns and labels behind the table."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._table.outcome import Horizon, Outcome
from thresher.typing import ScoreArray

__all__ = ["is_sound", "outcome_body", "outcome_bytes", "outcome_header", "outcome_layout", "outcome_of"]

_NUMBERS = ("time", "weight", "entry", "known")
_LABELS = ("cluster", "strata")
_HORIZON = {"cause": int, "controls": str, "censored_at_t": str}


def outcome_header(rows: Outcome) -> dict[str, Any]:
    """Return what a reader must know before the columns."""
    header: dict[str, Any] = {"rows": rows.size, "t": float(rows.horizon.t).hex()}
    header |= {name: getattr(rows.horizon, name) for name in _HORIZON}
    header["columns"] = [name for name, column in rows.columns().items() if column is not None]
    header["label_bytes"] = [len(_labels(rows, name)) for name in _LABELS if getattr(rows, name) is not None]
    return header


def _labels(rows: Outcome, name: str) -> bytes:
    return json.dumps(np.unique(getattr(rows, name)).tolist(), ensure_ascii=False).encode()


def outcome_body(rows: Outcome, score_parts: list[NDArray[Any]]) -> list[bytes]:
    """Return the columns in the order of `outcome_layout`."""
    columns: list[NDArray[Any]] = [rows.event.astype("<i8")]
    columns += [getattr(rows, name).astype("<f8") for name in _NUMBERS if getattr(rows, name) is not None]
    columns += score_parts
    out = [column.tobytes() for column in columns]
    for name in _LABELS:
        column = getattr(rows, name)
        if column is not None:
            out += [np.unique(column, return_inverse=True)[1].astype("<i8").tobytes(), _labels(rows, name)]
    return out


def outcome_layout(header: dict[str, Any], score_widths: list[int]) -> list[tuple[int, int]]:
    """Return how many items of how many bytes stand in the body, block by block."""
    n, names = header["rows"], header["columns"]
    out = [(n, 8)] + [(n, 8) for name in _NUMBERS if name in names] + [(n, width) for width in score_widths]
    for size in header["label_bytes"]:
        out += [(n, 8), (size, 1)]
    return out


def outcome_bytes(header: dict[str, Any] | None, score_widths: list[int]) -> int:
    """Return the size of the body."""
    return 0 if header is None else sum(count * width for count, width in outcome_layout(header, score_widths))


def is_sound(header: Any) -> bool:
    """Return whether a header is as `outcome_header` writes it."""
    if not isinstance(header, dict) or type(header.get("rows")) is not int or header["rows"] < 1:
        return False
    names, sizes = header.get("columns"), header.get("label_bytes")
    known = {*_NUMBERS, *_LABELS, "event", "score"}
    if not isinstance(names, list) or not isinstance(sizes, list) or not {"time", "event", "score"} <= set(names):
        return False
    sound = set(names) <= known and len(sizes) == sum(name in names for name in _LABELS)
    sound = sound and all(type(size) is int and size > 0 for size in sizes)
    return sound and all(type(header.get(name)) is kind for name, kind in _HORIZON.items())


def outcome_of(header: dict[str, Any], data: bytes, score: ScoreArray, score_widths: list[int]) -> Outcome:
    """Return the rows; any ValueError means that they are not what `outcome_body` writes."""
    n, names, at = header["rows"], header["columns"], 0
    columns: dict[str, Any] = {"event": np.frombuffer(data, "<i8", n).astype(np.int64)}
    at += 8 * n
    for name in _NUMBERS:
        if name in names:
            columns[name] = np.frombuffer(data, "<f8", n, at).astype(np.float64)
            at += 8 * n
            if not np.isfinite(columns[name]).all():
                raise ValueError(name)
    at += n * sum(score_widths)
    for name, size in zip([name for name in _LABELS if name in names], header["label_bytes"], strict=True):
        code = np.frombuffer(data, "<i8", n, at).astype(np.int64)
        at += 8 * n
        labels = np.array(json.loads(data[at : at + size]))
        at += size
        if labels.ndim != 1 or labels.dtype.kind not in "iU" or code.min() < 0 or code.max() >= labels.size:
            raise ValueError(name)
        columns[name] = labels[code]
    if (columns["event"] < 0).any():
        raise ValueError("event")
    horizon = Horizon(float.fromhex(header["t"]), *(header[name] for name in _HORIZON))
    if not np.isfinite(horizon.t) or horizon.controls not in ("all", "event-free"):
        raise ValueError("horizon")
    return Outcome(columns.pop("time"), columns.pop("event"), horizon, score=score, **columns)
