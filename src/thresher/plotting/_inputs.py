"""What displays are made from: scores, curves of either kind, and operating points to be marked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from thresher._core.checks import show
from thresher._curves import Curve, OperatingPoint, PrCurve, RocCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, FloatArray


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


_MOST_CANDIDATES = 400
_LEAST_DISTANCE = 0.04
_LEAST_TPR = 0.05
_MOST_FPR = 0.75
_VISIBLE = 0.015
_MOST_DIGITS = 17


@dataclass(frozen=True, slots=True)
class Mark:
    """One operating point as it is drawn: the same confusion matrix in both spaces."""

    text: str
    point: OperatingPoint
    precision: float


def number_text(value: float) -> str:
    """Return a threshold or share as a reader would write it."""
    number = float(value)
    text = f"{number:.4g}" if abs(number) < 1e4 else f"{number:.6g}"
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")


def marks_of(curve: PrCurve, marks: object) -> list[Mark]:
    """Return the marks of thresholds and operating points; None means no mark."""
    if marks is None:
        return []
    items = [marks] if isinstance(marks, OperatingPoint | Real) else marks
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        raise _unmarkable(marks)
    return [_mark(curve, item) for item in items]


def _mark(curve: PrCurve, item: object) -> Mark:
    if isinstance(item, bool) or not isinstance(item, OperatingPoint | Real):
        raise _unmarkable(item)
    # Any real number can be compared with the scores.
    point = item if isinstance(item, OperatingPoint) else curve.at(threshold=item)  # type: ignore[arg-type]
    return Mark(_text(point, item), point, _precision(curve, point))


def _unmarkable(value: object) -> InvalidTypeError:
    return InvalidTypeError(
        f"`marks` must be thresholds or operating points; got {show(value)} of type {type(value).__name__}. "
        "Hint: pass numbers such as [0.5, 0.9], or what `curve.at(...)` returns."
    )


def _text(point: OperatingPoint, item: object) -> str:
    if point.mix is not None:
        return f"{number_text(point.mix.high)} | {number_text(point.mix.low)}"
    if math.isnan(point.threshold):
        return "predicts nothing" if point.predicts_nothing else ""
    return f"\N{GREATER-THAN OR EQUAL TO} {number_text(float(item)) if isinstance(item, Real) else _shown(point)}"


def _shown(point: OperatingPoint) -> str:
    """Return a threshold that makes the same calls when it is typed in from the drawing, but for its minus sign."""
    return point.threshold_text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")


def _precision(curve: PrCurve, point: OperatingPoint) -> float:
    """Return precision at the curve's prevalence; rates do not depend on it (Theorem 3.1 goes through them)."""
    if not (point.tp > 0 or point.fp > 0):
        return float(curve.precision[0])
    share = curve.prevalence
    found, false = share * point.tpr, (1.0 - share) * point.fpr
    return found / (found + false)


def chosen_thresholds(curve: Curve, most: int) -> list[float]:
    """Return at most so many thresholds, highest first, whose points lie well apart in both spaces.

    Points are taken one after the other, each the one farthest from those before it, counting the smaller of its
    distances in ROC and in PR space; the first is the point of the largest TPR - FPR. Thresholds are then rounded.
    """
    thresholds = np.asarray(curve.thresholds[1:], dtype=np.float64)
    if most == 0 or np.isnan(thresholds).any():
        return []
    tpr, fpr = np.asarray(curve.tp[1:] / curve.n_pos), np.asarray(curve.fp[1:] / curve.n_neg)
    share = curve.prevalence
    points = np.column_stack([fpr, tpr, share * tpr / (share * tpr + (1.0 - share) * fpr)])
    index = _candidates(tpr, fpr)
    taken = [int(index[np.argmax((tpr - fpr)[index])])]
    nearest = np.full(index.size, np.inf)
    while len(taken) < min(most, index.size):
        nearest = np.minimum(nearest, np.min(_distances(points[index], points[taken[-1]]), axis=0))
        if nearest.max() < _LEAST_DISTANCE:
            break
        taken.append(int(index[np.argmax(nearest)]))
    return [_rounded(thresholds, points, i) for i in sorted(taken)]


def _distances(points: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far points (FPR, TPR, precision) lie from another in ROC space and in PR space."""
    fpr, tpr, precision = (points - other).T
    return np.hypot(fpr, tpr), np.hypot(tpr, precision)


def _candidates(tpr: FloatArray, fpr: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return points spread over the curve, without those that call almost nothing or everything, if others exist."""
    inner = np.flatnonzero((tpr >= _LEAST_TPR) & (fpr <= _MOST_FPR))
    if inner.size == 0:
        inner = np.flatnonzero((tpr > 0) & ((tpr < 1) | (fpr < 1)))
    if inner.size == 0:
        return np.array([tpr.size - 1], dtype=np.intp)
    length = (tpr + fpr)[inner]
    targets = np.linspace(length[0], length[-1], _MOST_CANDIDATES)
    return np.unique(inner[np.searchsorted(length, targets)])


def _rounded(thresholds: FloatArray, points: FloatArray, index: int) -> float:
    """Return a threshold with as few digits as keep its point in place, to the eye, in both spaces."""
    exact = float(thresholds[index])
    if not math.isfinite(exact) or exact == 0.0:
        return exact
    exponent = math.floor(math.log10(abs(exact)))
    for digits in range(_MOST_DIGITS):
        nearest = float(f"{exact:.{digits}e}")
        below = float(f"{nearest - 10.0 ** (exponent - digits):.{digits}e}")
        for short in (nearest, below):
            at = int(np.searchsorted(-thresholds, -short, side="right")) - 1
            if at >= 0 and np.max(_distances(points[at : at + 1], points[index])) < _VISIBLE:
                return short
    return exact
