"""Scores as a notebook shows them: the facts, both areas with intervals, and both curves."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from thresher._core.digits import beside_interval
from thresher._core.notebook_html import figure_html
from thresher.exceptions import ThresherError, ThresherWarning

if TYPE_CHECKING:
    from thresher._facade.scores import Scores


# Showing a value must not take seconds: longer tables have their areas without intervals.
_MOST_ROWS = 1_000_000


def scores_html(scores: Scores, facts: str) -> str:
    """Return facts, areas and curves as HTML that needs no script; facts alone where a class is missing."""
    if not (scores.n_pos > 0 and scores.n_neg > 0):
        return facts
    figures = []
    for name, curve, which in (("ROC", scores.roc(), "roc_auc"), ("PR", scores.pr(), "pr_auc")):
        area = _area(scores, which)
        figures.append(figure_html(curve._picture(), name=f"{name} curve, area {area}", caption=f"{name} AUC {area}"))
    return f'{facts}<div style="display:flex;flex-wrap:wrap;gap:16px">{"".join(figures)}</div>'


def _area(scores: Scores, which: str) -> str:
    """Return an area with its interval in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        area = getattr(scores, which)()
        value = f"{area.value:.4f}"
        if len(scores) > _MOST_ROWS:
            return value
        try:
            shown, low, high = beside_interval(*area.confidence_interval(), area.value)
        except ThresherError:
            return f"{value}, no interval"
    return f"{shown} ({low} to {high})"
