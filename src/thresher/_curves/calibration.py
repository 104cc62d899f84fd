"""The calibration curve: isotonic regression of labels on scores, which is the ROC convex hull seen another way."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import check_fractions
from thresher._core.hull import upper_hull
from thresher._core.presented import Presented, Row
from thresher._core.values import Value, value
from thresher._table import Counts, running_counts
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, CountArray, FloatArray


@value
class CalibrationBlock(Presented):
    """Neighbouring scores with one value by isotonic regression: an edge of the ROC convex hull.

    Attributes
    ----------
    high, low : float
        The highest and the lowest score in it.
    pos, neg : number
        Positives and negatives in it.
    calibrated : float
        Its proportion of positives, at the prevalence asked for.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.1])
    >>> scores.calibration().blocks[1]
    CalibrationBlock(high=0.7, low=0.6, pos=1, neg=1, calibrated=0.5)
    """

    high: float
    low: float
    pos: float
    neg: float
    calibrated: float

    def as_fraction(self) -> Fraction:
        """Return the proportion of positives exactly, at the prevalence of the data.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 0, 0, 1, 0, 0], [0.9, 0.7, 0.7, 0.6, 0.4, 0.1])
        >>> scores.calibration().blocks[1].as_fraction()
        Fraction(1, 3)
        """
        return Fraction(self.pos) / (Fraction(self.pos) + Fraction(self.neg))


@value
class HullBlocks:
    """The edges of the ROC convex hull of a table: where each ends, and what it holds.

    `ends[j]` is the index of the last (lowest) distinct score of block j; blocks run from the highest score down.
    """

    ends: NDArray[np.intp]
    pos: CountArray
    neg: CountArray

    @property
    def starts(self) -> NDArray[np.intp]:
        """The index of the first score of each block."""
        return np.append(0, self.ends[:-1] + 1)

    def of_rows(self) -> NDArray[np.intp]:
        """Return the block of each distinct score."""
        return np.repeat(np.arange(self.ends.size), np.diff(self.ends, prepend=-1).astype(np.intp))


class BatchBlocks(NamedTuple):
    """The blocks of many tables, one table after another."""

    pos: CountArray
    neg: CountArray
    starts: NDArray[np.intp]
    """Where the blocks of each table begin."""
    n_pos: FloatArray
    n_neg: FloatArray

    @property
    def parts(self) -> list[slice]:
        """Where the blocks of each table stand."""
        return [slice(*ends) for ends in pairwise([*self.starts.tolist(), self.pos.size])]

    @property
    def table(self) -> NDArray[np.intp]:
        """The table of each block."""
        return np.repeat(np.arange(self.starts.size), np.diff(self.starts, append=self.pos.size))


def hull_blocks(tp: CountArray, fp: CountArray) -> HullBlocks:
    """Return the blocks of isotonic regression from running counts; exact for integers.

    (FP, TP) -> (FP + TP, TP) is linear and keeps order and orientation, so the upper hull of the ROC points is the
    least concave majorant of the cumulative sums, whose slopes are the isotonic values.
    """
    # The hull of the origin and the hull of the rest is the hull of both.
    rest = upper_hull(fp, tp)
    wide = np.float64 if tp.dtype.kind == "f" else np.int64
    some_tp = np.append(wide(0), tp[rest].astype(wide))
    some_fp = np.append(wide(0), fp[rest].astype(wide))
    vertices = upper_hull(some_fp, some_tp)
    return HullBlocks(rest[vertices[1:] - 1], np.diff(some_tp[vertices]), np.diff(some_fp[vertices]))


def batch_blocks(pos: FloatArray, neg: FloatArray) -> BatchBlocks:
    """Return the blocks of tables with the same columns, a row for each; exact where all counts of a row are whole."""
    held = pos.any(axis=0) | neg.any(axis=0)
    if not held.all():
        pos, neg = pos[:, held], neg[:, held]
    tp, fp = np.zeros((2, pos.shape[0], pos.shape[1] + 1))
    np.cumsum(pos, axis=1, out=tp[:, 1:])
    np.cumsum(neg, axis=1, out=fp[:, 1:])
    whole = np.all((pos == np.rint(pos)) & (neg == np.rint(neg)), axis=1)
    seen = pos + neg > 0.0
    full = np.all(seen, axis=1)
    corners, origin = [], np.zeros(1, dtype=np.intp)
    for i, (x, y) in enumerate(zip(fp, tp, strict=True)):
        if whole[i]:
            x, y = x.astype(np.int64), y.astype(np.int64)
        # The hull of the origin and the hull of the rest is the hull of both.
        if full[i]:
            rest = upper_hull(x[1:], y[1:]) + 1
        else:
            at = np.flatnonzero(seen[i]) + 1
            rest = at[upper_hull(x[at], y[at])]
        some = np.concatenate((origin, rest))
        corners.append(some[upper_hull(x[some], y[some])])
    sizes = np.array([own.size for own in corners])
    at, row = np.concatenate(corners), np.repeat(np.arange(sizes.size), sizes)
    inner = at[1:] > 0
    held_pos, held_neg = (np.diff(side[row, at])[inner] for side in (tp, fp))
    return BatchBlocks(held_pos, held_neg, np.cumsum(sizes - 1) - (sizes - 1), tp[:, -1], fp[:, -1])


def blocks_of(counts: Counts) -> HullBlocks:
    """Return the blocks of a count table."""
    return hull_blocks(*running_counts(counts))


def check_probabilities(counts: Counts, what: str) -> FloatArray:
    """Return the distinct scores as float64 if all of them lie in [0, 1]."""
    check_unit_range(counts, what)
    return np.asarray(counts.thresholds, dtype=np.float64)


def check_unit_range(counts: Counts, what: str) -> None:
    """Refuse scores outside [0, 1]."""
    scores = counts.thresholds
    if not (scores[0] <= 1 and scores[-1] >= 0):
        outside = int(np.count_nonzero((scores < 0) | (scores > 1)))
        wrong = scores[0] if scores[0] > 1 else scores[-1]
        raise InvalidInputError(
            f"{what} reads scores as probabilities in [0, 1]; got {float(wrong):g} (and {outside - 1:,} other scores). "
            "Hint: th.Calibrator.fit(tuning).apply(scores), or a metric that needs ranks only, such as `roc_auc`."
        )


def odds_factor(prevalence: float | None, own: float) -> float:
    """Return by how much another prevalence multiplies the odds of being positive."""
    if prevalence is None:
        return 1.0
    return prevalence / (1.0 - prevalence) * (1.0 - own) / own


def shifted(share: FloatArray, factor: float) -> FloatArray:
    """Return probabilities whose odds are multiplied."""
    if factor == 1.0:
        return share
    return np.asarray(factor * share / (factor * share + (1.0 - share)))


class CalibrationCurve(Presented, Value):
    """The proportion of positives as a non-decreasing function of the score.

    Points are the distinct scores, highest first, with their isotonic value; between them it is linear, and beyond the
    lowest and the highest score it is not defined.

    Parameters
    ----------
    scores, calibrated : ndarray of shape (k,)
        Element i: a score, and the proportion of positives that isotonic regression gives it.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan, "Stable reliability diagrams for probabilistic classifiers",
       PNAS 118 (2021), e2016191118, doi:10.1073/pnas.2016191118

    Examples
    --------
    >>> import thresher as th
    >>> curve = th.Scores([1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.1]).calibration().curve
    >>> curve.scores, curve.calibrated
    (array([0.9, 0.7, 0.6, 0.4, 0.1]), array([1. , 0.5, 0.5, 0. , 0. ]))
    """

    _parts = ("_at", "_blocks", "_values")

    _at: NDArray[np.floating[Any]]
    _blocks: NDArray[np.intp]
    _values: FloatArray

    def __init__(self, scores: NDArray[np.floating[Any]], blocks: NDArray[np.intp], values: FloatArray) -> None:
        self.__dict__.update(_at=frozen(scores), _blocks=frozen(blocks), _values=frozen(values))

    def _columns(self) -> Row:
        return {"scores": self.scores, "calibrated": self.calibrated}

    @cached_property
    def scores(self) -> FloatArray:
        """The distinct scores, highest first."""
        return frozen(np.asarray(self._at, dtype=np.float64))

    @cached_property
    def calibrated(self) -> FloatArray:
        """The isotonic value of each score."""
        return frozen(np.repeat(self._values, np.diff(self._blocks, prepend=-1).astype(np.intp)))

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score, between which the curve is defined."""
        return float(self._at[-1]), float(self._at[0])

    def at(self, score: ArrayLike) -> FloatArray:
        """Return the proportion of positives at scores; NaN outside of the range of the data.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.1]).calibration().curve
        >>> curve.at([0.65, 0.8, 0.95])
        array([0.5 , 0.75,  nan])
        """
        x = check_fractions(score, "score")
        return np.asarray(np.interp(x, self.scores[::-1], self.calibrated[::-1], left=np.nan, right=np.nan))

    def __len__(self) -> int:
        return int(self._at.size)

    def __repr__(self) -> str:
        low, high = self.ends
        return f"CalibrationCurve: {len(self):,} scores from {low:g} to {high:g} in {self._values.size:,} blocks"


def block_values(blocks: HullBlocks, factor: float) -> tuple[FloatArray, FloatArray]:
    """Return the rates of positives and negatives in each block; neither is one minus the other, rounded."""
    pos, neg = factor * blocks.pos.astype(np.float64), blocks.neg.astype(np.float64)
    total = pos + neg
    return pos / total, neg / total


def calibration_curve(scores: NDArray[np.floating[Any]], blocks: HullBlocks, factor: float) -> CalibrationCurve:
    """Return the curve of scores and blocks, with odds multiplied by a factor."""
    return CalibrationCurve(scores, blocks.ends, block_values(blocks, factor)[0])


def listed_blocks(scores: FloatArray, blocks: HullBlocks, factor: float) -> tuple[CalibrationBlock, ...]:
    """Return the blocks one by one, the highest first."""
    values = block_values(blocks, factor)[0].tolist()
    columns: list[list[Any]] = [
        scores[blocks.starts].tolist(), scores[blocks.ends].tolist(), blocks.pos.tolist(), blocks.neg.tolist(), values
    ]  # fmt: skip
    return tuple(CalibrationBlock(*row) for row in zip(*columns, strict=True))
