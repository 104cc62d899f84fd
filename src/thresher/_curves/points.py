"""Between two confusion matrices: straight in counts, hence a hyperbola in PR space.

This is section 4 of Davis and Goadrich (2006), at any recall instead of whole true positives only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_scores, rows_text, unequal
from thresher._core.checks import check_fractions, check_positive_total
from thresher._table import empty_threshold
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, CountArray, FloatArray

_ROUNDING = 1e-14

Bracket = tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]
"""Indices (before, after) and how far between them, in [0, 1]."""


def bracket_tp(tp: CountArray, target: FloatArray) -> Bracket:
    """Return where the curve first reaches each number of true positives: the fewest false positives for it."""
    target = _landed(tp, target)
    after = np.minimum(np.searchsorted(tp, target, side="left"), tp.size - 1)
    return _between(tp, target, np.maximum(after - 1, 0), after)


def bracket_fp(fp: CountArray, target: FloatArray) -> Bracket:
    """Return where the curve last has each number of false positives: the most true positives for it."""
    target = _landed(fp, target)
    before = np.searchsorted(fp, target, side="right") - 1
    return _between(fp, target, before, np.minimum(before + 1, fp.size - 1))


def _landed(counts: CountArray, target: FloatArray) -> FloatArray:
    """Return targets, those that are a sum of weights but for rounding as that sum; curves jump at some of them."""
    if counts.dtype.kind != "f":
        return target
    place = np.clip(np.searchsorted(counts, target), 1, counts.size - 1)
    below, above = counts[place - 1], counts[place]
    nearest = np.where(target - below < above - target, below, above)
    return np.where(np.abs(nearest - target) <= _ROUNDING * np.abs(target), nearest, target)


def _between(counts: CountArray, target: FloatArray, before: NDArray[Any], after: NDArray[Any]) -> Bracket:
    width = counts[after] - counts[before]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(width > 0, (target - counts[before]) / np.where(width > 0, width, 1), 0.0)
    return before, after, np.clip(share, 0.0, 1.0)


def counts_between(counts: CountArray, bracket: Bracket) -> FloatArray:
    """Return the counts at the bracketed points; exact at the ends."""
    before, after, share = bracket
    low, high = counts[before].astype(np.float64), counts[after].astype(np.float64)
    return np.where(share == 1.0, high, low + share * (high - low))


GivenPoints = tuple[NDArray[Any], CountArray, CountArray]
"""Thresholds, true positives, false positives; from (0, 0) to all."""

_SLACK = 1e-9


def counts_of_roc(
    fpr: ArrayLike, tpr: ArrayLike, n_pos: object, n_neg: object, thresholds: ArrayLike | None
) -> GivenPoints:
    """Return the counts of ROC points, completed by both ends."""
    x, y = _columns(fpr, tpr, "fpr", "tpr")
    positives, negatives = check_positive_total(n_pos, "n_pos"), check_positive_total(n_neg, "n_neg")
    labels = _labels_of(thresholds, x.size)
    if (x[0], y[0]) > (x[-1], y[-1]):
        x, y, labels = x[::-1], y[::-1], labels[::-1]
    return _completed(y * positives, x * negatives, positives, negatives, labels)


def counts_of_pr(
    recall: ArrayLike, precision: ArrayLike, n_pos: object, n_neg: object, thresholds: ArrayLike | None
) -> GivenPoints:
    """Return the counts of PR points, completed by both ends.

    A point at recall 0 fixes no confusion matrix (Theorem 3.1 excludes it). Precision above 0 there only says where
    the drawing starts; precision 0 says that false positives come first, as many as the next point has.
    """
    x, y = _columns(recall, precision, "recall", "precision")
    positives, negatives = check_positive_total(n_pos, "n_pos"), check_positive_total(n_neg, "n_neg")
    labels = _labels_of(thresholds, x.size)
    if x[0] > x[-1]:
        x, y, labels = x[::-1], y[::-1], labels[::-1]
    impossible = (y == 0) & (x > 0)
    if impossible.any():
        row = int(np.flatnonzero(impossible)[0])
        raise InvalidInputError(
            f"`precision` must be above 0 where recall is; got precision 0 at recall {float(x[row])!r} (row {row}). "
            "Hint: a found positive makes precision positive."
        )
    tp = x * positives
    with np.errstate(divide="ignore", invalid="ignore"):
        fp = np.where(x > 0, tp * (1.0 - y) / y, 0.0)
    excess = fp > negatives * (1 + _SLACK)
    if excess.any():
        row = int(np.flatnonzero(excess)[0])
        raise InvalidInputError(
            f"No confusion matrix has recall {float(x[row])!r} with precision {float(y[row])!r} (row {row}): it needs "
            f"{float(fp[row]):.6g} false positives of {negatives:,} negatives. "
            "Hint: check `n_pos` and `n_neg`; see `pr_lower_bound` for the lowest precision possible."
        )
    start = x == 0
    if start.all():
        raise InvalidInputError("`recall` must have a value above 0; got only points at recall 0.")
    lead = bool((start & (y == 0)).any())
    kept = ~start
    first_fp = fp[kept][0]
    tp, fp, labels = tp[kept], fp[kept], labels[kept]
    if lead and first_fp > 0:
        tp, fp, labels = np.append(0.0, tp), np.append(first_fp, fp), np.append(np.nan, labels)
    return _completed(tp, fp, positives, negatives, labels)


def _columns(a: ArrayLike, b: ArrayLike, a_name: str, b_name: str) -> tuple[FloatArray, FloatArray]:
    x, y = _fractions(a, a_name), _fractions(b, b_name)
    if x.size != y.size:
        raise unequal(b_name, y.size, a_name, x.size)
    return x, y


def _fractions(values: ArrayLike, name: str) -> FloatArray:
    return check_fractions(_numbers(values, name, "leave those points out"), name)


def _numbers(values: ArrayLike, name: str, remedy: str) -> FloatArray:
    numbers = as_scores(values, name, look_for_nan=False).astype(np.float64)
    missing = np.isnan(numbers)
    if missing.any():
        raise InvalidInputError(f"`{name}` must not contain NaN; got NaN in {rows_text(missing)}. Hint: {remedy}.")
    return numbers


def _labels_of(thresholds: ArrayLike | None, size: int) -> NDArray[Any]:
    if thresholds is None:
        return np.full(size, np.nan)
    labels = _numbers(thresholds, "thresholds", "leave out those points, or `thresholds` altogether")
    if labels.size != size:
        raise unequal("thresholds", labels.size, "the points", size)
    return labels


def _completed(tp: FloatArray, fp: FloatArray, n_pos: float, n_neg: float, labels: NDArray[Any]) -> GivenPoints:
    """Return snapped, ordered counts with (0, 0) first and (n_pos, n_neg) last."""
    tp, fp = _snapped(np.minimum(tp, n_pos)), _snapped(np.minimum(fp, n_neg))
    if tp[0] > 0 or fp[0] > 0:
        tp, fp = np.append(0.0, tp), np.append(0.0, fp)
    else:
        labels = labels[1:]
    labels = np.append(empty_threshold(labels[0] if labels.size else None), labels)
    # A last point that is there already is passed over below, like any other that stands twice.
    tp, fp = np.append(tp, n_pos), np.append(fp, n_neg)
    labels = np.append(labels, np.nan if np.isnan(labels[1:]).any() else -np.inf)
    back = (np.diff(tp) < -_SLACK * n_pos) | (np.diff(fp) < -_SLACK * n_neg)
    if back.any():
        row = int(np.flatnonzero(back)[0])
        raise InvalidInputError(
            f"Points must be in order of the threshold, with counts that never fall; got (tp, fp) = "
            f"({tp[row]:.6g}, {fp[row]:.6g}) followed by ({tp[row + 1]:.6g}, {fp[row + 1]:.6g}). "
            "Hint: sort the points by recall, and among equal recalls by falling precision."
        )
    tp, fp = np.maximum.accumulate(tp), np.maximum.accumulate(fp)
    moved = np.append(True, (np.diff(tp) > 0) | (np.diff(fp) > 0))
    tp, fp, labels = tp[moved], fp[moved], labels[moved]
    if bool((tp == np.rint(tp)).all() and (fp == np.rint(fp)).all()):
        return labels, tp.astype(np.int64), fp.astype(np.int64)
    return labels, tp, fp


def _snapped(counts: FloatArray) -> FloatArray:
    """Return counts with those within rounding of an integer made that integer."""
    nearest = np.rint(counts)
    return np.where(np.abs(counts - nearest) <= _SLACK * np.maximum(nearest, 1.0), nearest, counts)
