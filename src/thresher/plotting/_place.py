"""Where labels go: beside their points, off the curves and never on each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from thresher._core.checks import require
from thresher.typing import FloatArray

AID_LEVEL = 2.0
"""Aids such as the chance line are drawn below this z-order and may be covered."""
_AID_COST = 0.1
_STEP = 2.0
_GRID = 8.0
_GAPS = (6.0, 11.0, 18.0, 27.0, 38.0, 52.0)
_ANGLES = tuple(math.radians(angle) for angle in (0, 180, -45, 135, -90, 90, 45, -135, -22, 158, 22, -158, -68, 112))
_PADDING = 1.5

Label = tuple[float, float, str, Any]
"""A point in data coordinates, its text and colour."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in pixels."""


def settle(ax: Any) -> None:
    """Lay the figure out, so that positions in pixels are final."""
    ax.figure.canvas.figure.draw_without_rendering()


def add_labels(ax: Any, labels: Sequence[Label]) -> list[Any]:
    """Write labels beside their points (x, y, text, colour).

    A label covers no other label, no marked point and no legend; one that finds no such place is left out. Labels of
    one point become one.
    """
    labels = _merged(labels)
    dots = ax.transData.transform([(x, y) for x, y, _, _ in labels]) if labels else np.empty((0, 2))
    points, cost = drawn_points(ax)
    legend = ax.get_legend()
    taken = [box_of(text) for text in ax.texts if text.get_visible()]
    taken += [box_of(legend)] if legend is not None else []
    scale = ax.figure.dpi / 72.0
    half = 5.0 * scale
    occupied = [(x - half, y - half, x + half, y + half) for x, y in dots]
    frame = box_of(ax.patch)
    effects = require("matplotlib.patheffects", extra="plot", purpose="A plot")
    halo = effects.withStroke(linewidth=2.5, foreground=ax.get_facecolor(), alpha=0.8)
    written = []
    for (x, y, text, colour), dot in zip(labels, dots, strict=True):
        note = ax.annotate(
            text, (x, y), xytext=(0, 0), textcoords="offset points", ha="center", va="center", fontsize="small",
            color=colour, zorder=7, annotation_clip=False, path_effects=[halo],
        )  # fmt: skip
        box = box_of(note)
        place = _best_place(dot, (box[2] - box[0], box[3] - box[1]), scale, frame, taken, occupied, points, cost)
        if place is None or not text:
            note.remove()
            continue
        offset, gap, box = place
        note.set_position((offset[0] / scale, offset[1] / scale))
        if gap > _GAPS[1]:
            _add_leader(ax, dot, box, colour)
        taken.append(box)
        written.append(note)
    return written


def _merged(labels: Sequence[Label]) -> list[Label]:
    texts: dict[tuple[float, float, Any], list[str]] = {}
    for x, y, text, colour in labels:
        texts.setdefault((x, y, colour), []).append(text)
    return [(x, y, ", ".join(filter(None, found)), colour) for (x, y, colour), found in texts.items()]


def _best_place(
    dot: FloatArray,
    size: tuple[float, float],
    scale: float,
    frame: Box,
    taken: list[Box],
    occupied: list[Box],
    points: FloatArray,
    cost: FloatArray,
) -> tuple[tuple[float, float], float, Box] | None:
    """Return the offset in pixels, the gap in points and the box of the cheapest free place."""
    best, lowest = None, math.inf
    near = np.hypot(points[:, 0] - dot[0], points[:, 1] - dot[1]) < (max(_GAPS) + 10.0) * scale + max(size)
    points, cost = points[near], cost[near]
    for gap in _GAPS:
        for turn, angle in enumerate(_ANGLES):
            direction = (math.cos(angle), math.sin(angle))
            reach = gap * scale
            # The nearest edge of the box, not its middle, stands off by the gap.
            dx = direction[0] * reach + math.copysign(min(abs(direction[0]) * 1.5, 1.0), direction[0]) * size[0] / 2
            dy = direction[1] * reach + math.copysign(min(abs(direction[1]) * 1.5, 1.0), direction[1]) * size[1] / 2
            middle = (dot[0] + dx, dot[1] + dy)
            pad = _PADDING * scale
            box = (
                middle[0] - size[0] / 2 - pad,
                middle[1] - size[1] / 2 - pad,
                middle[0] + size[0] / 2 + pad,
                middle[1] + size[1] / 2 + pad,
            )
            if box[0] < frame[0] or box[1] < frame[1] or box[2] > frame[2] or box[3] > frame[3]:
                continue
            if any(overlap(box, other) for other in (*taken, *occupied)):
                continue
            if gap > _GAPS[1] and _crosses(dot, box, taken, occupied):
                continue
            price = 3.0 * float(cost[inside(points, box)].sum()) + gap + 0.2 * turn
            if price < lowest:
                best, lowest = ((dx, dy), gap, box), price
    return best


def _crosses(dot: FloatArray, box: Box, taken: list[Box], occupied: list[Box]) -> bool:
    """Return whether a leader from the dot to the box would run through another label or mark."""
    end = _nearest_edge(dot, box)
    line = np.linspace(dot, end, 12)
    own = [other for other in occupied if not (other[0] < dot[0] < other[2] and other[1] < dot[1] < other[3])]
    return any(bool(inside(line, other).any()) for other in (*taken, *own))


def _add_leader(ax: Any, dot: FloatArray, box: Box, colour: Any) -> None:
    style = {"arrowstyle": "-", "linewidth": 0.7, "alpha": 0.7, "shrinkA": 0, "shrinkB": 0}
    ends = ax.transData.inverted().transform([dot, _nearest_edge(dot, box)])
    ax.annotate(
        "", xy=tuple(ends[0]), xytext=tuple(ends[1]), annotation_clip=False, zorder=4.5,
        arrowprops={**style, "color": colour},
    )  # fmt: skip


def _nearest_edge(dot: FloatArray, box: Box) -> tuple[float, float]:
    return (min(max(float(dot[0]), box[0]), box[2]), min(max(float(dot[1]), box[1]), box[3]))


def drawn_points(ax: Any) -> tuple[FloatArray, FloatArray]:
    """Return points every few pixels along all drawn lines, with the cost of covering each."""
    found, costs = [np.empty((0, 2))], [np.empty(0)]
    frame = box_of(ax.patch)
    for line in ax.lines:
        if not line.get_visible() or len(line.get_xdata()) == 0:
            continue
        vertices = line.get_transform().transform(
            np.column_stack([line.get_xdata(orig=False), line.get_ydata(orig=False)])
        )
        # Far outside, as on a logarithmic axis, there is nothing to cover.
        vertices[:, 0] = np.clip(vertices[:, 0], frame[0] - 50.0, frame[2] + 50.0)
        vertices[:, 1] = np.clip(vertices[:, 1], frame[1] - 50.0, frame[3] + 50.0)
        length = np.append(0.0, np.cumsum(np.hypot(*np.diff(vertices, axis=0).T)))
        at = np.linspace(0.0, length[-1], int(length[-1] / _STEP) + 1)
        along = np.column_stack([np.interp(at, length, vertices[:, i]) for i in (0, 1)])
        seen = along[inside(along, frame)]
        found.append(seen)
        costs.append(np.full(len(seen), 1.0 if line.get_zorder() >= AID_LEVEL else _AID_COST))
    for region in ax.collections:
        across, up = np.arange(frame[0], frame[2], _GRID), np.arange(frame[1], frame[3], _GRID)
        grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        for path in region.get_paths():
            covered = grid[path.contains_points(grid, transform=region.get_transform())]
            found.append(covered)
            costs.append(np.full(len(covered), _AID_COST))
    return np.concatenate(found), np.concatenate(costs)


def box_of(artist: Any) -> Box:
    """Return where an artist is drawn, in pixels."""
    extent = artist.get_window_extent()
    return (extent.x0, extent.y0, extent.x1, extent.y1)


def inside(points: FloatArray, box: Box) -> Any:
    """Return which points lie in a box."""
    x, y = points[:, 0], points[:, 1]
    return (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes share any pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
