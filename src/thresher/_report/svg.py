"""Figures that need no script: SVG written here, coloured by the page's style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from thresher._report.plain_data import Area, Histogram, LabelledSpan, Model
from thresher._report.words import rate, short
from thresher.typing import FloatArray

_WIDTH, _HEIGHT = 460, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 14, 12, 44
_SIDE_X, _SIDE_Y = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
_STEPS = 12
_FINE = 1_000
_SPAN_WORTH_BENDING = 0.01
_LEGEND_ROWS = 3


_DASHES = (0, 1, 2, 3, 4, 5, 2, 1)


def line_class(index: int) -> str:
    """Return the colour and the dashes of a model's line; both together repeat after forty-eight."""
    return f"s{index % 8} d{(_DASHES[index % 8] + index // 8) % 6}"


def _x(value: FloatArray) -> FloatArray:
    return np.asarray(_LEFT + _SIDE_X * value)


def _y(value: FloatArray) -> FloatArray:
    return np.asarray(_TOP + _SIDE_Y * (1.0 - value))


def isolated(name: str) -> str:
    """Return a short name, escaped, whose direction of writing leaves its neighbours alone."""
    return f"\u2068{escape(short(name, 26))}\u2069"


def path_data(x: FloatArray, y: FloatArray) -> str:
    """Return an SVG path through pixels, without points that no screen tells apart."""
    points = np.round(np.column_stack((x, y)), 1)
    # The first of those that fall into the same square of half a pixel, or of one on long curves; both ends stay.
    square = np.floor(points * (2.0 if len(points) <= _FINE else 1.0))
    keep = np.append(True, (np.diff(square, axis=0) != 0).any(axis=1))
    keep[-1] = True
    return "M" + "L".join(f"{a:g},{b:g}" for a, b in points[keep].tolist())


def bent(tp: FloatArray, fp: FloatArray, n_pos: float) -> tuple[FloatArray, FloatArray]:
    """Return counts with points between those that are far apart, where a PR curve is a hyperbola."""
    wide = np.diff(tp) / n_pos > _SPAN_WORTH_BENDING
    share = np.linspace(0.0, 1.0, _STEPS, endpoint=False)
    parts_tp, parts_fp = [], []
    edges = np.flatnonzero(wide)
    last = 0
    for i in edges.tolist():
        parts_tp += [tp[last:i], tp[i] + share * (tp[i + 1] - tp[i])]
        parts_fp += [fp[last:i], fp[i] + share * (fp[i + 1] - fp[i])]
        last = i + 1
    return np.concatenate([*parts_tp, tp[last:]]), np.concatenate([*parts_fp, fp[last:]])


def _axes(x_label: str, y_label: str) -> Iterable[str]:
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = float(_x(np.asarray(tick))), float(_y(np.asarray(tick)))
        yield f'<path class="grid" d="M{x:g},{_TOP}V{_TOP + _SIDE_Y}M{_LEFT},{y:g}H{_LEFT + _SIDE_X}"/>'
        yield f'<text class="tick" x="{x:g}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{tick:g}</text>'
        yield f'<text class="tick" x="{_LEFT - 8}" y="{y + 4:g}" text-anchor="end">{tick:g}</text>'
    yield (
        f'<text class="axis-label" x="{_LEFT + _SIDE_X / 2:g}" y="{_HEIGHT - 8}" text-anchor="middle">{x_label}</text>'
    )
    middle = _TOP + _SIDE_Y / 2
    yield (
        f'<text class="axis-label" x="12" y="{middle:g}" text-anchor="middle" '
        f'transform="rotate(-90 12 {middle:g})">{y_label}</text>'
    )


def _legend(models: Sequence[Model], key: str, x: float, anchor: str, lift: float = 0.0) -> Iterable[str]:
    # The table beside the figures names them all; more than a few names would cover the curves.
    shown = list(models) if len(models) <= _LEGEND_ROWS else []
    top = _TOP + _SIDE_Y - 16 * len(shown) - 6 - lift
    for i, model in enumerate(shown):
        y = top + 16 * i + 10
        text = f"{isolated(model.name)} {rate(model.areas[key].value)}"
        yield f'<text class="legend t{i % 8}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _figure(title: str, description: str, width: float, height: float, body: Iterable[str]) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}. '
        f'{escape(description)}"><title>{escape(title)}</title>{"".join(body)}</svg>'
    )


def roc_figure(models: Sequence[Model]) -> str:
    """Return the ROC curves of all models."""
    body = list(_axes("False positive rate", "True positive rate (recall)"))
    body.append(f'<path class="chance" d="M{_LEFT},{_TOP + _SIDE_Y}L{_LEFT + _SIDE_X},{_TOP}"/>')
    for i, model in reversed(list(enumerate(models))):
        x, y = _x(np.asarray(model.drawn.fp) / model.n_neg), _y(np.asarray(model.drawn.tp) / model.n_pos)
        body.append(f'<path class="curve {line_class(i)}" d="{path_data(x, y)}"/>')
    body += _legend(models, "roc_auc", _LEFT + _SIDE_X - 8, "end")
    described = "; ".join(f"{short(model.name)}: area {rate(model.areas['roc_auc'].value)}" for model in models)
    return _figure("ROC curves", described, _WIDTH, _HEIGHT, body)


def pr_figure(models: Sequence[Model], prevalence: float | None = None) -> str:
    """Return the precision-recall curves of all models, at a prevalence if one is given."""
    body = list(_axes("Recall (true positive rate)", "Precision"))
    share = models[0].prevalence if prevalence is None else prevalence
    body.append(f'<path class="chance" d="M{_LEFT},{float(_y(np.asarray(share))):.1f}H{_LEFT + _SIDE_X}"/>')
    for i, model in reversed(list(enumerate(models))):
        tp, fp = (np.asarray(part, dtype=np.float64)[1:] for part in (model.drawn.tp, model.drawn.fp))
        # The start takes the limit at the first group of scores.
        skew = 1.0 if prevalence is None else (1.0 - prevalence) / prevalence * (model.n_pos / model.n_neg)
        first = tp[0] / (tp[0] + skew * fp[0])
        tp, fp = bent(tp, fp, model.n_pos)
        fp = fp * skew
        x, y = np.append(0.0, tp / model.n_pos), np.append(first, tp / (tp + fp))
        body.append(f'<path class="curve {line_class(i)}" d="{path_data(_x(x), _y(y))}"/>')
    # Above the line of chance where it would run through the names.
    lift = _SIDE_Y * share if _SIDE_Y * share < 16 * len(models) + 10 else 0.0
    body += _legend(models, "interpolated", _LEFT + 8, "start", lift)
    described = "; ".join(f"{short(model.name)}: area {rate(model.areas['interpolated'].value)}" for model in models)
    return _figure("Precision-recall curves", described, _WIDTH, _HEIGHT, body)


def histogram_figure(name: str, histogram: Histogram) -> str:
    """Return the scores of both classes as proportions: positives above the line, negatives below."""
    width, height, middle, reach = 460, 150, 68, 56
    edges = np.asarray(histogram.edges)
    span = edges[-1] / 2 - edges[0] / 2
    place = 8 + (width - 16) * ((edges / 2 - edges[0] / 2) / span)
    body = []
    columns = [np.asarray(part, dtype=np.float64) for part in (histogram.pos, histogram.neg)]
    columns = [part / max(part.sum(), 1e-300) for part in columns]
    # Square roots, so that small bars beside a tall one can still be seen.
    top = np.sqrt(max(part.max() for part in columns))
    for part, side, kind in ((columns[0], -1, "pos"), (columns[1], 1, "neg")):
        bars = []
        for i in np.flatnonzero(part > 0).tolist():
            tall, wide = reach * float(np.sqrt(part[i]) / top), max(place[i + 1] - place[i] - 1, 1)
            bars.append(f"M{place[i] + 0.5:.1f},{middle}v{side * tall:.1f}h{wide:.1f}v{-side * tall:.1f}z")
        body.append(f'<path class="bar {kind}" d="{"".join(bars)}"/>')
    body.append(f'<path class="axis" d="M8,{middle}H{width - 8}"/>')
    body.append(f'<text class="tick" x="8" y="{height - 8}">{edges[0]:.4g}</text>')
    body.append(f'<text class="tick" x="{width - 8}" y="{height - 8}" text-anchor="end">{edges[-1]:.4g}</text>')
    body.append(f'<text class="axis-label" x="{width / 2}" y="{height - 8}" text-anchor="middle">score</text>')
    return _figure(f"Scores of {short(name)}", "positives above the line, negatives below", width, height, body)


def strip_figure(title: str, spans: Sequence[LabelledSpan], described: str) -> str:
    """Return a strip from 0 to 1, coloured by the model that leads."""
    width, height = 300, 18
    body = []
    for span in spans:
        kind = "even" if span.leader is None else f"f{span.leader % 8}"
        kind += "" if span.supported or span.leader is None else " unsure"
        x, wide = width * span.low, width * (span.high - span.low)
        body.append(f'<rect class="{kind}" x="{x:.2f}" y="0" width="{max(wide, 0.3):.2f}" height="{height}"/>')
    return (
        f'<svg class="strip" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(title)}: {escape(described)}">{"".join(body)}</svg>'
    )


def forest_figure(
    title: str, rows: Sequence[tuple[int, str, Area]], best: int = 1, within: tuple[float, float] = (0.0, 1.0)
) -> str:
    """Return values with their intervals as lines below each other, the best first; under each name its numbers."""
    order = sorted(rows, key=lambda row: -best * row[2].value)
    ends = [end for _, _, area in order for end in (area.low, area.high, area.value) if end is not None]
    low, high = min(ends), max(ends)
    pad = 0.06 * (high - low) or 0.05
    low, high = max(low - pad, within[0]), min(high + pad, within[1])
    width, left, right, tall = 430.0, 200.0, 16.0, 36.0
    bottom = 10.0 + tall * len(order)

    def place(value: float) -> float:
        return left + (width - left - right) * (value - low) / (high - low)

    body = []
    for tick in _round_ticks(low, high):
        x = place(tick)
        body.append(f'<path class="grid" d="M{x:.1f},6V{bottom:g}"/>')
        body.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 16:g}" text-anchor="middle">{tick:g}</text>')
    for number, (model, name, area) in enumerate(order):
        y, x = 10.0 + tall * (number + 0.5), place(area.value)
        said = rate(area.value)
        if area.low is not None and area.high is not None:
            ends_of = place(area.low), place(area.high)
            body.append(f'<path class="whisker s{model % 8}" d="M{ends_of[0]:.1f},{y:g}H{ends_of[1]:.1f}"/>')
            said += f" ({rate(area.low)} to {rate(area.high)})"
        body.append(f'<circle class="f{model % 8}" cx="{x:.1f}" cy="{y:g}" r="4.5"/>')
        for kind, text, down in (("name", isolated(name), -2), ("value", said, 13)):
            place_of = f'x="{left - 14:g}" y="{y + down:g}" text-anchor="end"'
            body.append(f'<text class="forest-{kind}" {place_of}>{text}</text>')
    described = "; ".join(f"{short(name)}: {rate(area.value)}" for _, name, area in order[:40])
    return _figure(title, described, width, bottom + 24.0, body)


def _round_ticks(low: float, high: float) -> list[float]:
    """Return a few round numbers between two limits."""
    step = next(
        size for size in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / size <= 6 or size == 0.5
    )
    first = int(np.ceil(low / step - 1e-9))
    return [round(number * step, 6) for number in range(first, int(np.floor(high / step + 1e-9)) + 1)]
