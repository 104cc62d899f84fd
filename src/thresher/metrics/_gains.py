"""Discounted cumulative gain with scikit-learn's signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import type_of_target

from thresher._core import native
from thresher._core.shared_docs import with_texts
from thresher._core.sums import dots
from thresher.metrics._checks import accepted
from thresher.metrics._labels import blocks, falling_rows, ranked
from thresher.typing import FloatArray

# Rows beyond this are sorted by the kernel for long columns, or by NumPy.
_WIDE = 4096
_SCORES = """
y_score : array-like of shape (n, n_documents)
    Finite scores.
k : int, optional
    Only the first `k` places count."""
_ROWS = """
sample_weight : array-like of shape (n,), optional
    Weights of the rows.
ignore_ties : bool, default=False
    Take ties in any order, instead of the mean over all orders."""
_TARGETS = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


@with_texts(scores=_SCORES, rows=_ROWS)
def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the discounted cumulative gain: true relevances, summed in the order of the scores.

    Parameters
    ----------
    y_true : array-like of shape (n, n_documents)
        Relevances.
    {scores}
    log_base : float, default=2
        Base of the logarithm by which places are discounted.
    {rows}

    Returns
    -------
    float
        The mean over rows.

    Examples
    --------
    >>> from thresher.metrics import dcg_score
    >>> round(dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 4)
    9.4995
    """
    y_true, y_score, sample_weight = accepted(
        "dcg_score",
        y_true=y_true,
        y_score=y_score,
        k=k,
        log_base=log_base,
        sample_weight=sample_weight,
        ignore_ties=ignore_ties,
    )
    y_true, y_score = _matrices(y_true, y_score, sample_weight)
    _check_target(y_true)
    gains, _ = _gains_and_best(y_true, y_score, _discounts(y_true.shape[1], k, log_base), bool(ignore_ties))
    return float(np.average(gains, weights=sample_weight))


@with_texts(scores=_SCORES, rows=_ROWS)
def ndcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None, ignore_ties: bool = False
) -> float:
    """Return the discounted cumulative gain as a proportion of the best possible one.

    Parameters
    ----------
    y_true : array-like of shape (n, n_documents)
        Relevances, not negative.
    {scores}
    {rows}

    Returns
    -------
    float
        The mean over rows; a row without relevant documents counts 0.

    Examples
    --------
    >>> from thresher.metrics import ndcg_score
    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 4)
    0.6957
    """
    y_true, y_score, sample_weight = accepted(
        "ndcg_score", y_true=y_true, y_score=y_score, k=k, sample_weight=sample_weight, ignore_ties=ignore_ties
    )
    y_true, y_score = _matrices(y_true, y_score, sample_weight)
    if y_true.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if y_true.ndim > 1 and y_true.shape[1] <= 1:
        raise ValueError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {y_true.shape[1]} instead."
        )
    _check_target(y_true)
    gains, best = _gains_and_best(y_true, y_score, _discounts(y_true.shape[1], k, 2), bool(ignore_ties))
    none = best == 0
    gains[none] = 0.0
    gains[~none] /= best[~none]
    return float(np.average(gains, weights=sample_weight))


def _matrices(y_true: Any, y_score: Any, sample_weight: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    y_true, y_score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(y_true, y_score, sample_weight)
    return y_true, y_score


def _check_target(y_true: NDArray[Any]) -> None:
    if y_true.ndim == 2 and y_true.shape[1] > 1 and y_true.dtype.kind in "biuf":
        return  # whatever the numbers are, scikit-learn has a name for it that it takes
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type not in _TARGETS:
        raise ValueError(f"Only {_TARGETS} formats are supported. Got {y_type} instead")


def _discounts(width: int, k: int | None, log_base: float) -> FloatArray:
    discounts = 1 / (np.log(np.arange(width) + 2) / np.log(log_base))
    if k is not None:
        discounts[k:] = 0
    return np.asarray(discounts)


def _gains_and_best(
    y_true: NDArray[Any], y_score: NDArray[Any], discounts: FloatArray, ignore_ties: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the gain of each row, and that of the best order."""
    # The kernel takes doubles, which must not tie scores that differ.
    plain = y_true.shape == y_score.shape and y_true.dtype.kind in "biuf" and y_score.dtype.char in "?bBhHiIefd"
    if not (native.available() and plain and y_true.shape[1] < _WIDE):
        return gains_numpy(y_true, y_score, discounts, ignore_ties)
    gains, best, tied = native.gains(y_true, y_score, discounts)
    if ignore_ties and tied.any():
        # Any order of ties will do, but scikit-learn's is the one people compare with.
        gains[tied] = _sorted_gains(y_true[tied], y_score[tied], discounts)
    return gains, best


def gains_numpy(
    y_true: NDArray[Any], y_score: NDArray[Any], discounts: FloatArray, ignore_ties: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the same by NumPy alone."""
    gains, best = np.empty(y_true.shape[0]), np.empty(y_true.shape[0])
    metric = _sorted_gains if ignore_ties else _expected_gains
    for rows in blocks(*y_true.shape):
        gains[rows] = metric(y_true[rows], y_score[rows], discounts)
        best[rows] = dots(falling_rows(y_true[rows]), discounts)
    return gains, best


def _sorted_gains(y_true: NDArray[Any], y_score: NDArray[Any], discounts: FloatArray) -> FloatArray:
    """Return the gain with ties in the order in which `np.argsort` leaves them, backwards."""
    order = np.argsort(y_score, axis=1)[:, ::-1]
    return np.asarray(dots(np.take_along_axis(y_true, order, axis=1), discounts))


def _expected_gains(y_true: NDArray[Any], y_score: NDArray[Any], discounts: FloatArray) -> FloatArray:
    """Return the mean gain over all orders of ties: the mean relevance of a group times its discounts."""
    ranking = ranked(y_score)
    relevance = ranking.sort(y_true)
    if ranking.starts.all():
        return np.asarray(dots(relevance, discounts))
    starts = np.flatnonzero(ranking.starts)
    size = np.diff(np.append(starts, relevance.size))
    mean = np.add.reduceat(relevance.ravel().astype(np.float64), starts) / size
    weight = np.add.reduceat(np.broadcast_to(discounts, relevance.shape).ravel(), starts)
    first_group = np.searchsorted(starts, np.arange(relevance.shape[0]) * relevance.shape[1])
    return np.add.reduceat(mean * weight, first_group)
