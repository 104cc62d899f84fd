"""What a notebook shows of results: tables and small figures in HTML that needs no script and follows its colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from thresher.typing import FloatArray

_SIDE, _PAD, _TOP = 150, 46, 8
_MOST_POINTS = 400
MOST_ROWS = 20
"""How many rows of a long table are shown, the first and the last."""
_LINE = "#0068ad"


class Picture(NamedTuple):
    """A line to be drawn: its points, what the axes are called, a line beside it to judge it by, and a band."""

    x: FloatArray
    y: FloatArray
    axes: tuple[str, str]
    aid: tuple[Sequence[float], Sequence[float]] | None = None
    band: tuple[FloatArray, FloatArray] | None = None
    height: tuple[float, float] = (0.0, 1.0)


def figure_html(picture: Picture, *, name: str, caption: str) -> str:
    """Return a figure with its caption; `x` reaches from 0 to 1."""
    low, high = picture.height
    size = f'width="{_SIDE + _PAD + 8}" height="{_SIDE + _TOP + 34}"'
    shapes = []
    if picture.band is not None:
        around = np.append(picture.x, picture.x[::-1]), np.append(picture.band[0], picture.band[1][::-1])
        shapes.append(f'<path d="{_path(*around, picture)}Z" fill="{_LINE}" fill-opacity="0.2" stroke="none"/>')
    if picture.aid is not None:
        aid = _path(np.asarray(picture.aid[0], dtype=float), np.asarray(picture.aid[1], dtype=float), picture)
        shapes.append(f'<path d="{aid}" stroke-opacity="0.5" stroke-dasharray="4 4"/>')
    shapes.append(f'<path d="{_path(*_thinned(picture.x, picture.y), picture)}" stroke="{_LINE}" stroke-width="2"/>')
    bottom, right = _TOP + _SIDE, _PAD + _SIDE
    words = [
        (_PAD - 4, _TOP + 8, "end", f"{round(high, 9):.3g}"),
        (_PAD - 4, bottom, "end", f"{round(low, 9):.3g}"),
        (_PAD, bottom + 12, "start", "0"),
        (right, bottom + 12, "end", "1"),
        (_PAD + _SIDE // 2, bottom + 26, "middle", picture.axes[0]),
    ]
    texts = "".join(f'<text x="{x}" y="{y}" text-anchor="{to}">{escape(text)}</text>' for x, y, to, text in words)
    up = (
        f'<text transform="translate(10,{_TOP + _SIDE // 2}) rotate(-90)" text-anchor="middle">{picture.axes[1]}</text>'
    )
    return (
        f'<figure style="margin:4px 0;max-width:22em"><svg {size} role="img" aria-label="{escape(name, quote=True)}" '
        f'fill="none" stroke="currentColor"><rect x="{_PAD}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" '
        f'stroke-opacity="0.3"/>{"".join(shapes)}<g stroke="none" fill="currentColor" font-size="10">{texts}{up}</g>'
        f"</svg><figcaption>{escape(caption)}</figcaption></figure>"
    )


def words_html(words: str) -> str:
    """Return words as they stand, with their line ends."""
    return f'<pre style="white-space:pre-wrap;margin:0 0 4px">{escape(words)}</pre>'


def table_html(head: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]], left_out: int = 0) -> str:
    """Return a table of texts; between its first and its last half `left_out` rows are missing, which is said."""
    half = len(rows) // 2 if left_out else len(rows)
    gap = f'<tr><td colspan="{len(head)}">… {left_out:,} more rows</td></tr>' if left_out else ""
    body = _rows(rows[:half], right) + gap + _rows(rows[half:], right)
    names = "".join(
        f'<th scope="col" style="text-align:{_side(at)}">{escape(name)}</th>'
        for name, at in zip(head, right, strict=True)
    )
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def _rows(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    cells = (
        "".join(f'<td style="text-align:{_side(at)}">{escape(cell)}</td>' for cell, at in zip(row, right, strict=True))
        for row in rows
    )
    return "".join(f"<tr>{row}</tr>" for row in cells)


def _side(right: bool) -> str:
    return "right" if right else "left"


def _path(x: FloatArray, y: FloatArray, picture: Picture) -> str:
    low, high = picture.height
    up = np.clip((y - low) / (high - low), 0.0, 1.0)
    points = np.round(np.column_stack((_PAD + _SIDE * np.clip(x, 0.0, 1.0), _TOP + _SIDE * (1.0 - up))), 1)
    return "M" + "L".join(f"{a:g},{b:g}" for a, b in points.tolist())


def _thinned(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return even steps along the curve, so that steep parts keep their shape."""
    if len(x) <= _MOST_POINTS:
        return x, y
    length = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
    kept = np.unique(np.append(np.searchsorted(length, np.linspace(0.0, length[-1], _MOST_POINTS - 1)), len(x) - 1))
    return x[kept], y[kept]
