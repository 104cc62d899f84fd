"""Where legends and labels go: beside the curves, never on each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from thresher._core.optional import require
from thresher.plotting._axes import BAND
from thresher.plotting._style import AID
from thresher.typing import FloatArray

__all__ = ["add_labels", "add_legend", "settle"]

_CURVE_LEVEL = 2.0  # aids such as the chance line are drawn below this z-order and may be covered
_AID_COST = 0.1
_MOST_COVERED = 20.0
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


def add_legend(ax: Any, places: Sequence[str]) -> Any:
    """Add a legend at the first free place, or the one that covers least; None if there is nothing to say."""
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return None
    # Curves come first, then what helps to read them.
    order = sorted(range(len(handles)), key=lambda i: handles[i].get_zorder() < _CURVE_LEVEL)
    named = [_handle(ax, handles[i]) for i in order], [labels[i] for i in order]
    style = {"fontsize": "small", "framealpha": 0.9, "edgecolor": "none", "handlelength": 3.0}
    legend = ax.legend(*named, loc=places[0], **style)
    points, cost = _drawn_points(ax)
    texts = [_box_of(text) for text in ax.texts if text.get_visible()]
    costs = []
    frame = _box_of(ax.patch)
    for place in places:
        legend.set_loc(place)
        box = _box_of(legend)
        outside = box[2] - box[0] > frame[2] - frame[0] or box[3] - box[1] > frame[3] - frame[1]
        price = float(cost[_inside(points, box)].sum()) + 100.0 * sum(_overlap(box, text) for text in texts)
        costs.append(price + (1e6 if outside else 0.0))
    legend.set_loc(places[int(np.argmin(costs))])
    if min(costs) > _MOST_COVERED:
        legend = _beside(ax, legend, named, style)
    legend.set_zorder(6)
    return legend


def _handle(ax: Any, handle: Any) -> Any:
    """Return what the legend shows: where several models have bands, a grey one stands for all of them."""
    if handle.get_gid() != BAND or sum(region.get_gid() == BAND for region in ax.collections) < 2:
        return handle
    patch = require("matplotlib.patches", extra="plot", purpose="A plot").Patch
    return patch(facecolor=AID, alpha=0.35, linewidth=0)


def _beside(ax: Any, legend: Any, named: tuple[list[Any], list[str]], style: dict[str, Any]) -> Any:
    """Return the legend below the axes or to their right, wherever more of the figure is left to the axes."""
    figure = ax.figure.canvas.figure
    if figure.get_layout_engine() is None:
        return legend  # nothing would make room for it
    box, frame, rows = _box_of(legend), _box_of(ax.patch), len(named[1])
    wide, tall = box[2] - box[0], box[3] - box[1]
    alone = len(figure.axes) == 1
    around = 46.0 * figure.dpi / 72.0  # ticks and the label of an axis
    across, up = frame[2] - frame[0], frame[3] - frame[1]
    if alone:
        across, up = figure.bbox.width - around, figure.bbox.height - around
    # What is left to the axes, below the legend in two columns or in one, and beside it.
    room = {
        ("below", 2): min(across, up - tall * (-(-rows // 2)) / rows) if 2.0 * wide < 1.2 * across else 0.0,
        ("below", 1): min(across, up - tall) if wide < 1.2 * across else 0.0,
        ("right", 1): 0.8 * min(across - wide, up) if alone and tall < up else 0.0,
    }
    best = max(room, key=lambda place: room[place])
    if room[best] < 0.3 * min(across, up):
        return legend
    shift = require("matplotlib.transforms", extra="plot", purpose="A plot").ScaledTranslation
    if best[0] == "right":
        spot = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        away = shift(6 / 72, 0, figure.dpi_scale_trans)
    else:
        # Below the label of the axis, however far that stands from the axes.
        depth = (_box_of(ax.patch)[1] - _box_of(ax.xaxis.label)[1]) / figure.dpi
        spot = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0)}
        away = shift(0, -max(depth, 0.3) - 2 / 72, figure.dpi_scale_trans)
    moved = ax.legend(*named, ncols=best[1], bbox_transform=ax.transAxes + away, **spot, **style)
    settle(ax)
    return moved


def add_labels(ax: Any, labels: Sequence[Label]) -> list[Any]:
    """Write labels beside their points (x, y, text, colour).

    A label covers no other label, no marked point and no legend; one that finds no such place is left out. Labels of
    one point become one.
    """
    labels = _merged(labels)
    dots = ax.transData.transform([(x, y) for x, y, _, _ in labels]) if labels else np.empty((0, 2))
    points, cost = _drawn_points(ax)
    legend = ax.get_legend()
    taken = [_box_of(text) for text in ax.texts if text.get_visible()]
    taken += [_box_of(legend)] if legend is not None else []
    scale = ax.figure.dpi / 72.0
    half = 5.0 * scale
    occupied = [(x - half, y - half, x + half, y + half) for x, y in dots]
    frame = _box_of(ax.patch)
    effects = require("matplotlib.patheffects", extra="plot", purpose="A plot")
    halo = effects.withStroke(linewidth=2.5, foreground=ax.get_facecolor(), alpha=0.8)
    written = []
    for (x, y, text, colour), dot in zip(labels, dots, strict=True):
        note = ax.annotate(
            text, (x, y), xytext=(0, 0), textcoords="offset points", ha="center", va="center", fontsize="small",
            color=colour, zorder=7, annotation_clip=False, path_effects=[halo],
        )  # fmt: skip
        box = _box_of(note)
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
            if any(_overlap(box, other) for other in (*taken, *occupied)):
                continue
            if gap > _GAPS[1] and _crosses(dot, box, taken, occupied):
                continue
            price = 3.0 * float(cost[_inside(points, box)].sum()) + gap + 0.2 * turn
            if price < lowest:
                best, lowest = ((dx, dy), gap, box), price
    return best


def _crosses(dot: FloatArray, box: Box, taken: list[Box], occupied: list[Box]) -> bool:
    """Return whether a leader from the dot to the box would run through another label or mark."""
    end = _nearest_edge(dot, box)
    line = np.linspace(dot, end, 12)
    own = [other for other in occupied if not (other[0] < dot[0] < other[2] and other[1] < dot[1] < other[3])]
    return any(bool(_inside(line, other).any()) for other in (*taken, *own))


def _add_leader(ax: Any, dot: FloatArray, box: Box, colour: Any) -> None:
    style = {"arrowstyle": "-", "linewidth": 0.7, "alpha": 0.7, "shrinkA": 0, "shrinkB": 0}
    ends = ax.transData.inverted().transform([dot, _nearest_edge(dot, box)])
    ax.annotate(
        "", xy=tuple(ends[0]), xytext=tuple(ends[1]), annotation_clip=False, zorder=4.5,
        arrowprops={**style, "color": colour},
    )  # fmt: skip


def _nearest_edge(dot: FloatArray, box: Box) -> tuple[float, float]:
    return (min(max(float(dot[0]), box[0]), box[2]), min(max(float(dot[1]), box[1]), box[3]))


def _drawn_points(ax: Any) -> tuple[FloatArray, FloatArray]:
    """Return points every few pixels along all drawn lines, with the cost of covering each."""
    found, costs = [np.empty((0, 2))], [np.empty(0)]
    frame = _box_of(ax.patch)
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
        inside = along[_inside(along, frame)]
        found.append(inside)
        costs.append(np.full(len(inside), 1.0 if line.get_zorder() >= _CURVE_LEVEL else _AID_COST))
    for region in ax.collections:
        across, up = np.arange(frame[0], frame[2], _GRID), np.arange(frame[1], frame[3], _GRID)
        grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        for path in region.get_paths():
            covered = grid[path.contains_points(grid, transform=region.get_transform())]
            found.append(covered)
            costs.append(np.full(len(covered), _AID_COST))
    return np.concatenate(found), np.concatenate(costs)


def _box_of(artist: Any) -> Box:
    extent = artist.get_window_extent()
    return (extent.x0, extent.y0, extent.x1, extent.y1)


def _inside(points: FloatArray, box: Box) -> Any:
    x, y = points[:, 0], points[:, 1]
    return (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
