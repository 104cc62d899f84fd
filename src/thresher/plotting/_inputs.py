"""What displays are made from: scores, or curves of either kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thresher._core.checks import show
from thresher._curves import Curve, PrCurve, RocCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike

__all__ = ["as_pr", "as_roc", "check_scores", "counted", "named", "pr_area", "roc_area"]


def check_scores(scores: object) -> Scores:
    """Return the scores, or say how to make some."""
    if not isinstance(scores, Scores):
        raise InvalidTypeError(
            f"`scores` must be thresher.Scores; got {show(scores)} of type {type(scores).__name__}. "
            "Hint: use `from_predictions(y_true, y_score)` for arrays and `from_curve` for a curve."
        )
    return scores


def named(items: object, what: str, name: str | None = None) -> dict[str, Any]:
    """Return what is drawn by name; a single one has the name given, or "" without one."""
    if not isinstance(items, Mapping):
        return {name or "": items}
    if name is not None:
        raise InvalidInputError(
            f"`name` must not be given for several models, which have their own; got {name!r}. Hint: leave it out."
        )
    if not items:
        raise InvalidInputError(f"`{what}` must hold at least one model; got an empty dict.")
    return {str(key): item for key, item in items.items()}


def counted(y_true: ArrayLike, y_score: ArrayLike | Mapping[str, ArrayLike], **how: Any) -> Any:
    """Return the Scores of one model, or those of several by name."""
    if isinstance(y_score, Mapping):
        return {name: Scores(y_true, values, **how) for name, values in y_score.items()}
    return Scores(y_true, y_score, **how)


def as_roc(curve: object) -> RocCurve:
    """Return a curve of either kind as a ROC curve."""
    if isinstance(curve, RocCurve):
        return curve
    if isinstance(curve, PrCurve):
        return curve.to_roc()
    raise _no_curve(curve)


def as_pr(curve: object, *, prevalence: float | None = None) -> PrCurve:
    """Return a curve of either kind as a PR curve, at another prevalence if one is given."""
    if isinstance(curve, PrCurve) and prevalence is None:
        return curve
    if isinstance(curve, PrCurve | RocCurve):
        return as_roc(curve).to_pr(prevalence=prevalence)
    raise _no_curve(curve)


def _no_curve(curve: object) -> InvalidTypeError:
    return InvalidTypeError(
        f"`curve` must be a RocCurve or a PrCurve; got {show(curve)} of type {type(curve).__name__}. "
        "Hint: pass what `scores.roc()` or `scores.pr()` returns, or use `from_scores`."
    )


def roc_area(curve: Curve) -> float:
    """Return the area under the ROC curve of a curve that has lost its scores."""
    return _ranked(curve).roc_auc().value


def pr_area(curve: Curve) -> float:
    """Return the area under the PR curve, at the curve's prevalence."""
    prevalence = None if curve.skew == 1.0 else curve.prevalence
    return _ranked(curve).pr_auc(prevalence=prevalence).value


def _ranked(curve: Curve) -> Scores:
    # Published points may have no thresholds; areas depend on the order only.
    rank = np.arange(len(curve) - 1, 0, -1)
    return Scores.from_counts(rank, np.diff(curve.tp), np.diff(curve.fp))
