"""Where labels and the legend go: beside their points, off the curves, never on each other."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from thresher._core.checks import require
from thresher.plotting._axes import AID
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


_MOST_COVERED = 20.0
_SMALLER = (7.0, 6.0)
"""Points of the letters where there is little room; journals print none smaller."""
_ENOUGH = 0.5
_LEAST = 0.3
_STYLE = {"framealpha": 0.9, "edgecolor": "none", "handlelength": 3.0, "columnspacing": 1.2}
_AROUND = 46.0
"""Points that ticks and the label of an axis take."""


class _Spot(NamedTuple):
    """A place outside of the axes, how the legend is set there, and the pixels that it leaves to the axes."""

    side: str
    style: dict[str, Any]
    room: float


def add_legend(ax: Any, places: Sequence[str]) -> Any:
    """Add a legend at the first free place, or beside the axes where each would cover curves; None without names."""
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return None
    # Curves come first, then what helps to read them.
    order = sorted(range(len(handles)), key=lambda i: handles[i].get_zorder() < AID_LEVEL)
    named = [_handle(ax, handles[i]) for i in order], [labels[i] for i in order]
    legend = ax.legend(*named, loc=places[0], fontsize="small", **_STYLE)
    points, cost = drawn_points(ax)
    texts = [box_of(text) for text in ax.texts if text.get_visible()]
    costs = []
    frame = box_of(ax.patch)
    for place in places:
        legend.set_loc(place)
        box = box_of(legend)
        outside = box[2] - box[0] > frame[2] - frame[0] or box[3] - box[1] > frame[3] - frame[1]
        price = float(cost[inside(points, box)].sum()) + 100.0 * sum(overlap(box, text) for text in texts)
        costs.append(price + (1e6 if outside else 0.0))
    cheapest = places[int(np.argmin(costs))]
    legend.set_loc(cheapest)
    if min(costs) > _MOST_COVERED:
        laid = ax.figure.canvas.figure.get_layout_engine() is not None
        legend.remove()
        before = ax.get_tightbbox()
        slot = _slot(ax) if laid else (before.x0, before.y0, before.x1, before.y1)
        legend = _beside(ax, named, legend.get_texts()[0].get_fontsize(), slot)
        if legend is None:
            legend = ax.legend(*named, loc=cheapest, fontsize="small", **_STYLE)
        elif not laid:
            _make_room(ax, legend, before)
    legend.set_zorder(6)
    return legend


def _handle(ax: Any, handle: Any) -> Any:
    """Return what the legend shows: where several models have a part of the same kind, a grey one stands for all."""
    kind = handle.get_gid()
    if kind is None or sum(part.get_gid() == kind for part in (*ax.lines, *ax.collections)) < 2:
        return handle
    if hasattr(handle, "get_linestyle") and hasattr(handle, "get_xdata"):
        line = require("matplotlib.lines", extra="plot", purpose="A plot").Line2D
        return line([], [], color=AID, linestyle=handle.get_linestyle(), linewidth=handle.get_linewidth())
    patch = require("matplotlib.patches", extra="plot", purpose="A plot").Patch
    return patch(facecolor=AID, alpha=0.35, linewidth=0)


def _beside(ax: Any, named: tuple[list[Any], list[str]], usual: float, slot: Box) -> Any:
    """Return a legend below the axes or to their right, wherever more is left to the axes; None where too little is."""
    figure = ax.figure.canvas.figure
    least = min(slot[2] - slot[0], slot[3] - slot[1]) - _AROUND * figure.dpi / 72.0
    sizes = (usual, *(size for size in _SMALLER if size < usual))
    best = _Spot("", {}, 0.0)
    for size, short in itertools.product(sizes, (False, True)):
        found = max(_spots(ax, named[0], _words(named[1], short), slot, size), key=lambda spot: spot.room)
        best = found if found.room > 1.1 * best.room else best
        if best.room >= _ENOUGH * least:
            break
    if best.room < _LEAST * least:
        return None
    shift = require("matplotlib.transforms", extra="plot", purpose="A plot").ScaledTranslation
    if best.side == "right":
        spot = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        away = shift(6 / 72, 0, figure.dpi_scale_trans)
    else:
        # Below the label of the axis, however far that stands from the axes.
        depth = (box_of(ax.patch)[1] - box_of(ax.xaxis.label)[1]) / figure.dpi
        spot = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0)}
        away = shift(0, -max(depth, 0.3) - 2 / 72, figure.dpi_scale_trans)
    moved = ax.legend(handles=named[0], bbox_transform=ax.transAxes + away, **spot, **best.style)
    settle(ax)
    return moved


def _make_room(ax: Any, legend: Any, before: Any) -> None:
    """Shrink axes in a figure without a layout until they and the legend stand where the axes stood alone."""
    figure = ax.figure.canvas.figure
    for _ in range(10):  # a square in the middle of its place moves by half of what the place does
        settle(ax)
        here, own = legend.get_window_extent(), ax.get_position()
        wide = max(here.x1 - before.x1, before.x0 - here.x0, 0.0) / figure.bbox.width
        tall = max(before.y0 - here.y0, 0.0) / figure.bbox.height
        if wide < 1e-3 and tall < 1e-3:
            break
        right = here.x0 >= before.x1 - 1.0 or here.x0 > ax.get_window_extent().x1
        if right:
            ax.set_position([own.x0, own.y0, max(own.width - wide, 0.2 * own.width), own.height])
        else:
            ax.set_position([own.x0, own.y0 + tall, own.width, max(own.height - tall, 0.2 * own.height)])
    settle(ax)


def _words(labels: list[str], short: bool) -> dict[str, Any]:
    """Return what the legend says; in short, the name of the area stands once above all models."""
    parts = [re.fullmatch(r"(.*) \(([A-Za-z]+(?: [A-Za-z]+)?) ([^()]*)\)", label) for label in labels]
    if not short or parts[0] is None:
        return {"labels": labels}
    title = parts[0][2]
    said = [
        f"{part[1]}  {part[3]}" if part is not None and part[2] == title else label
        for part, label in zip(parts, labels, strict=True)
    ]
    return {"labels": said, "title": title}


def _spots(ax: Any, handles: list[Any], words: dict[str, Any], slot: Box, size: float) -> Iterator[_Spot]:
    """Yield where a legend in letters of a size could stand: below the axes in columns, or to their right."""
    figure = ax.figure.canvas.figure
    around = _AROUND * figure.dpi / 72.0
    across, up = slot[2] - slot[0], slot[3] - slot[1]
    alone = len(ax.figure.axes) == 1
    for columns in (2, 1, 3):
        style = {**_STYLE, **words, "fontsize": size, "title_fontsize": size, "ncols": columns}
        box = box_of(ax.legend(handles=handles, loc="center", **style))
        wide, tall = box[2] - box[0], box[3] - box[1]
        yield _Spot("below", style, min(across, up - tall) - around if wide < 0.95 * across else 0.0)
        if columns == 1:
            yield _Spot("right", style, 0.8 * (min(across - wide, up) - around) if alone and tall < up else 0.0)


def _slot(ax: Any) -> Box:
    """Return the part of the figure that the axes share with their labels and legend, in pixels."""
    whole = ax.figure.bbox
    spec = ax.get_subplotspec()
    if spec is None or spec.get_topmost_subplotspec() is not spec:
        return (whole.x0, whole.y0, whole.x1, whole.y1)
    grid = spec.get_gridspec()
    wide, tall = (np.append(0.0, np.cumsum(r)) / sum(r) for r in (grid.get_width_ratios(), grid.get_height_ratios()))
    return (
        whole.x0 + whole.width * wide[spec.colspan.start],
        whole.y0 + whole.height * (1.0 - tall[spec.rowspan.stop]),
        whole.x0 + whole.width * wide[spec.colspan.stop],
        whole.y0 + whole.height * (1.0 - tall[spec.rowspan.start]),
    )


def fit_labels(ax: Any) -> None:
    """Break the labels of axes that are longer than their place, and write them smaller where that is not enough."""
    slot, changed = _slot(ax), False
    for label, side in ((ax.xaxis.label, 0), (ax.yaxis.label, 1)):
        if _within(box_of(label), slot, side):
            continue
        changed = True
        label.set_text(label.get_text().replace(" (", "\n(", 1))
        box = box_of(label)
        if not _within(box, slot, side):
            middle = (box[side] + box[side + 2]) / 2.0
            room = 2.0 * min(middle - slot[side], slot[side + 2] - middle)
            label.set_fontsize(max(0.97 * label.get_fontsize() * room / (box[side + 2] - box[side]), _SMALLER[-1]))
    if changed:
        settle(ax)


def _within(box: Box, slot: Box, side: int) -> bool:
    return slot[side] <= box[side] and box[side + 2] <= slot[side + 2]
