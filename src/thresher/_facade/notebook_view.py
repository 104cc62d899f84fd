"""Scores as a notebook shows them: the facts, both areas with intervals, and both curves."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from thresher.exceptions import ThresherError, ThresherWarning
from thresher.typing import FloatArray

if TYPE_CHECKING:
    from thresher._facade.scores import Scores

__all__ = ["scores_html"]

# Showing a value must not take seconds: longer tables have their areas without intervals.
_MOST_ROWS = 20_000
_SIDE, _PAD = 150, 22
_MOST_POINTS = 400


def scores_html(scores: Scores, facts: str) -> str:
    """Return facts, areas and curves as HTML that needs no script; facts alone where a class is missing."""
    if not (scores.n_pos > 0 and scores.n_neg > 0):
        return facts
    roc, pr = scores.roc(), scores.pr()
    figures = (
        _figure("ROC", roc.fpr, roc.tpr, "false positive rate", _area(scores, "roc_auc"), (0.0, 1.0)),
        _figure("PR", pr.recall, pr.precision, "recall", _area(scores, "pr_auc"), (scores.prevalence,) * 2),
    )
    return f'{facts}<div style="display:flex;flex-wrap:wrap;gap:16px">{"".join(figures)}</div>'


def _area(scores: Scores, which: str) -> str:
    """Return an area with its interval in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        try:
            estimate = getattr(scores, which)()
            if len(scores) > _MOST_ROWS:
                return f"{estimate.value:.4f}"
            low, high = estimate.confidence_interval()
        except ThresherError:
            return "no interval" if which == "roc_auc" else ""
    return f"{estimate.value:.4f} ({low:.4f} to {high:.4f})"


def _figure(name: str, x: FloatArray, y: FloatArray, axis: str, area: str, chance: tuple[float, float]) -> str:
    points = np.round(np.column_stack((_PAD + _SIDE * x, 4 + _SIDE * (1.0 - y))), 1)
    if len(points) > _MOST_POINTS:
        # Even steps along the curve, so that steep parts keep their shape.
        length = np.append(0.0, np.cumsum(np.abs(np.diff(points, axis=0)).sum(axis=1)))
        points = points[np.unique(np.searchsorted(length, np.linspace(0.0, length[-1], _MOST_POINTS)))]
    path = "M" + "L".join(f"{a:g},{b:g}" for a, b in points.tolist())
    start, stop = (4 + _SIDE * (1 - share) for share in chance)
    bottom = 4 + _SIDE
    return (
        f'<figure style="margin:4px 0"><svg width="{_SIDE + _PAD + 6}" height="{_SIDE + 24}" role="img" '
        f'aria-label="{name} curve, area {area}" fill="none" stroke="currentColor">'
        f'<rect x="{_PAD}" y="4" width="{_SIDE}" height="{_SIDE}" stroke-opacity="0.3"/>'
        f'<path d="M{_PAD},{start:.1f}l{_SIDE},{stop - start:.1f}" stroke-opacity="0.5" stroke-dasharray="4 4"/>'
        f'<path d="{path}" stroke="#0068ad" stroke-width="2"/>'
        f'<g stroke="none" fill="currentColor" font-size="10"><text x="{_PAD - 4}" y="12" text-anchor="end">1</text>'
        f'<text x="{_PAD - 4}" y="{bottom}" text-anchor="end">0</text><text x="{_PAD + _SIDE}" y="{bottom + 14}" '
        f'text-anchor="end">{axis} 1</text></g></svg><figcaption>AUC-{name} {area}</figcaption></figure>'
    )
