"""Columns in few bytes: their bytes in planes, and each plane compressed where that pays."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["packed", "unpacked"]

_SAMPLE = 1 << 16
_WORTH = 0.9  # of its size, below which a plane is compressed
_RAW, _ZLIB = 0, 1


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
