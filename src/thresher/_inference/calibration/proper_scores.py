"""Proper scores of a table, and what of them is miscalibration, discrimination and uncertainty.

With S the mean of a proper score over rows: S(x) of the scores, S(q) of their isotonic values, S(pi) of the prevalence.
Miscalibration is S(x) - S(q), discrimination S(pi) - S(q), uncertainty S(pi); none is negative.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import frozen
from thresher._core.checks import check_fractions, show
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._curves import BatchBlocks, HullBlocks, block_values, odds_factor
from thresher._table import Counts, running_counts
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, CountArray, FloatArray

# With no more scores than this sums are formed in fractions, and rounded once.
_FEW = 2048


@value
class ProperScore(Presented):
    """A proper score by its weight over thresholds: the Brier score, the logarithm, one threshold, or a beta weight.

    `kind` is "brier", "log", "theta" (with `a` the threshold) or "beta" (with the parameters `a` and `b`, which may be
    arrays of one for each forecast).
    """

    kind: str
    a: Any = 1.0
    b: Any = 1.0

    @property
    def name(self) -> str:
        """As it is asked for."""
        return {"theta": f"theta={self.a:g}", "beta": f"beta({self.a:g}, {self.b:g})"}.get(self.kind, self.kind)

    def of_negative(self, x: FloatArray) -> FloatArray:
        """Return the loss of a negative with score x."""
        if self.kind == "brier":
            return np.asarray(x * x)
        if self.kind == "log":
            with np.errstate(divide="ignore"):
                return np.asarray(-np.log1p(-x))
        if self.kind == "theta":
            return np.where(x > self.a, self.a, 0.0)
        return np.asarray(self.a / (self.a + self.b) * scipy.special.betainc(self.a + 1.0, self.b, x))

    def of_positive(self, x: FloatArray, rest: FloatArray | None = None) -> FloatArray:
        """Return the loss of a positive with score x; `rest` is 1 - x where it is known better."""
        other = 1.0 - x if rest is None else rest
        if self.kind == "brier":
            return np.asarray(other * other)
        if self.kind == "log":
            with np.errstate(divide="ignore"):
                return np.asarray(-np.log(x))
        if self.kind == "theta":
            return np.where(x <= self.a, 1.0 - self.a, 0.0)
        return np.asarray(self.b / (self.a + self.b) * scipy.special.betainc(self.b + 1.0, self.a, other))

    def at_least(self, p: FloatArray, q: FloatArray) -> FloatArray:
        """Return the loss p of-positive + q of-negative of the best forecast p / (p + q); p + q is 1."""
        if self.kind == "brier":
            return np.asarray(p * q)
        if self.kind == "log":
            return np.asarray(scipy.special.entr(p) + scipy.special.entr(q))
        if self.kind == "theta":
            return np.asarray(np.minimum(self.a * q, (1.0 - self.a) * p))
        return np.asarray(q * self.of_negative(p) + p * self.of_positive(p, q))


def _is_beta_parameter(value: object) -> bool:
    return isinstance(value, int | float) and 0.0 < value < math.inf


def as_score(score: object) -> ProperScore:
    """Read "brier", "log", a threshold in (0, 1) or a pair of beta parameters."""
    if isinstance(score, ProperScore):
        return score
    if isinstance(score, str) and score in ("brier", "log"):
        return ProperScore(score)
    if isinstance(score, int | float) and 0.0 < score < 1.0:  # True is 1 and False is 0
        return ProperScore("theta", float(score))
    if isinstance(score, tuple) and len(score) == 2 and all(map(_is_beta_parameter, score)):
        return ProperScore("beta", float(score[0]), float(score[1]))
    raise InvalidInputError(
        "`score` must be 'brier', 'log', a threshold in (0, 1), or a pair (a, b) of positive beta parameters; "
        f"got {show(score)}."
    )


@value
class Parts:
    """The three parts of a mean score, and the mean itself."""

    mean: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    recalibrated: float


def parts_of(
    score: ProperScore,
    scores: NDArray[np.floating[Any]],
    tp: CountArray,
    fp: CountArray,
    blocks: HullBlocks,
    prevalence: Fraction | None,
) -> Parts:
    """Return the decomposition; `tp` and `fp` are running counts, `prevalence` one other than the table's own."""
    n_pos, n_neg = tp[-1].item(), fp[-1].item()
    weights = class_weights(n_pos, n_neg, prevalence)
    if score.kind == "brier" and scores.size > _FEW and native.available() and tp.dtype.kind == "i":
        return _brier_in_one_pass(scores, tp, fp, blocks, weights)
    x = np.asarray(scores, dtype=np.float64)
    if score.kind == "brier" and x.size <= _FEW:
        return _brier_in_fractions(x, tp, fp, blocks, weights)
    pos, neg = np.diff(tp, prepend=tp.dtype.type(0)), np.diff(fp, prepend=fp.dtype.type(0))
    w1, w0 = (float(weight) for weight in weights)
    total = float(n_pos) + float(n_neg)
    share, other = w1 * n_pos / total, w0 * n_neg / total
    uncertainty = float(score.at_least(np.asarray(share), np.asarray(other)))
    p, q = w1 * blocks.pos, w0 * blocks.neg
    size = p + q
    recalibrated = _sum(size * score.at_least(p / size, q / size)) / total
    discrimination = _discrimination(score, blocks, weights, n_pos, n_neg, total, uncertainty, recalibrated)
    mean = (w1 * _lost(pos, score.of_positive(x)) + w0 * _lost(neg, score.of_negative(x))) / total
    if math.isinf(mean):
        return Parts(mean, math.inf, discrimination, uncertainty, recalibrated)
    if score.kind in ("brier", "log"):
        miscalibration = _miscalibration(score.kind, x, tp, fp, blocks, w1, w0) / total
    else:
        miscalibration = max(mean - recalibrated, 0.0)
    return Parts(mean, miscalibration, discrimination, uncertainty, recalibrated)


def _brier_in_one_pass(
    x: NDArray[np.floating[Any]],
    tp: CountArray,
    fp: CountArray,
    blocks: HullBlocks,
    weights: tuple[Fraction, Fraction],
) -> Parts:
    """Return the parts of the Brier score of many scores, by the compiled kernel."""
    rule = ProperScore("brier")
    n_pos, n_neg = tp[-1].item(), fp[-1].item()
    w1, w0 = (float(weight) for weight in weights)
    total = float(n_pos) + float(n_neg)
    positives, negatives, off = native.brier(x, tp, fp, blocks.ends.astype(np.int64, copy=False), w1, w0)
    uncertainty = (w1 * n_pos / total) * (w0 * n_neg / total)
    p, q = w1 * blocks.pos, w0 * blocks.neg
    recalibrated = _sum(p * q / (p + q)) / total
    discrimination = _discrimination(rule, blocks, weights, n_pos, n_neg, total, uncertainty, recalibrated)
    return Parts((w1 * positives + w0 * negatives) / total, off / total, discrimination, uncertainty, recalibrated)


def class_weights(n_pos: float, n_neg: float, prevalence: Fraction | None) -> tuple[Fraction, Fraction]:
    """Return how much one positive and one negative count at another prevalence; their total stays."""
    if prevalence is None:
        return Fraction(1), Fraction(1)
    total = Fraction(n_pos) + Fraction(n_neg)
    return prevalence * total / Fraction(n_pos), (1 - prevalence) * total / Fraction(n_neg)


def _lost(counts: NDArray[Any], losses: FloatArray) -> float:
    """Return the sum of counts times losses; 0 x inf is 0."""
    if np.isfinite(losses.max(initial=0.0)):
        return _sum(counts * losses)
    with np.errstate(invalid="ignore"):
        return _sum(np.where(counts == 0, 0.0, counts * losses))


def _sum(terms: NDArray[Any]) -> float:
    return math.fsum(terms.tolist()) if terms.size <= _FEW else float(terms.sum())


def _discrimination(
    score: ProperScore,
    blocks: HullBlocks,
    weights: tuple[Fraction, Fraction],
    n_pos: float,
    n_neg: float,
    total: float,
    uncertainty: float,
    recalibrated: float,
) -> float:
    if score.kind not in ("brier", "log"):
        return max(uncertainty - recalibrated, 0.0)
    w1, w0 = (float(weight) for weight in weights)
    p, q = w1 * blocks.pos, w0 * blocks.neg
    size = p + q
    share, other = w1 * n_pos / total, w0 * n_neg / total
    # p N - q P is an integer without weights: no digits are lost where a block is close to the prevalence.
    gap = (blocks.pos * float(n_neg) - blocks.neg * float(n_pos)) * (w1 * w0) / (size * total)
    if score.kind == "brier":
        return _sum(size * gap * gap) / total
    return _sum(size * divergence(p / size, q / size, -gap, share, other)) / total


def divergence(p: Any, q: Any, gap: Any, x: Any, y: Any) -> NDArray[Any]:
    """Return KL((p, q) || (x, y)), where gap = x - p, without cancellation where the two are close."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(p > 0.0, p * _excess(gap / p), x)
        second = np.where(q > 0.0, q * _excess(-gap / q), y)
        # Where p is 0 the first term is x itself and the second -log(y) - x: the sum of both is what is wanted.
        return np.asarray(np.where(p == 0.0, -np.log(y), np.where(q == 0.0, -np.log(x), first + second)))


def _excess(r: NDArray[Any]) -> NDArray[Any]:
    """Return r - log(1 + r)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = r - np.log1p(r)
    # Near 0 by the series r^2/2 - r^3/3 + ...
    tail = np.zeros_like(plain)
    for k in range(14, 1, -1):
        tail = (1.0 if k % 2 == 0 else -1.0) / k + r * tail
    return np.asarray(np.where(np.abs(r) < 0.05, r * r * tail, plain))


def _miscalibration(
    kind: str, x: FloatArray, tp: CountArray, fp: CountArray, blocks: HullBlocks, w1: float, w0: float
) -> float:
    """Return n (S(x) - S(q)) as a sum of terms none of which is negative.

    Inside a block: m D(q, x) for each score, and R (eta(x) - eta(next x)), R being by how much the hull is above.
    """
    which = blocks.of_rows()
    pos_before = np.append(tp.dtype.type(0), tp[blocks.ends[:-1]])
    neg_before = np.append(fp.dtype.type(0), fp[blocks.ends[:-1]])
    block_pos, block_neg = blocks.pos[which], blocks.neg[which]
    size = w1 * block_pos + w0 * block_neg
    p, q = w1 * block_pos / size, w0 * block_neg / size
    rows = w1 * np.diff(tp, prepend=tp.dtype.type(0)) + w0 * np.diff(fp, prepend=fp.dtype.type(0))
    so_far_pos, so_far_neg = tp - pos_before[which], fp - neg_before[which]
    # (m q - p) so far: an integer over the size of the block.
    above = (so_far_neg * block_pos.astype(np.float64) - so_far_pos * block_neg.astype(np.float64)) * (w1 * w0) / size
    above = np.maximum(above[:-1], 0.0)
    step = x[:-1] - x[1:]
    if kind == "brier":
        return _sum(rows * (p - x) ** 2) + _sum(above * 2.0 * step)
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = np.log1p(step / x[1:]) + np.log1p(step / (1.0 - x[:-1]))
        chord = np.where(above > 0.0, above * rise, 0.0)
    return _sum(rows * divergence(p, q, x - p, x, 1.0 - x)) + _sum(chord)


def _brier_in_fractions(
    x: FloatArray, tp: CountArray, fp: CountArray, blocks: HullBlocks, weights: tuple[Fraction, Fraction]
) -> Parts:
    """Return the parts of the Brier score, each correctly rounded."""
    w1, w0 = weights
    lost_pos, lost_neg = _squared_losses(x, *(np.diff(runs, prepend=runs.dtype.type(0)) for runs in (tp, fp)))
    n_pos, n_neg = Fraction(tp[-1].item()), Fraction(fp[-1].item())
    total = n_pos + n_neg
    mean = (w1 * lost_pos + w0 * lost_neg) / total
    # With p and n of a block: w1 p w0 n / (w1 p + w0 n), over integers.
    pos, neg, scale = integers_of(blocks.pos, blocks.neg)
    common = math.lcm(w1.denominator, w0.denominator)
    u1, u0 = int(w1 * common), int(w0 * common)
    over, under = _sum_of_quotients([(u1 * u0 * p * n, u1 * p + u0 * n) for p, n in zip(pos, neg, strict=True)])
    recalibrated = Fraction(over, under * common * scale) / total
    uncertainty = w1 * n_pos * w0 * n_neg / total**2
    discrimination = max(uncertainty - recalibrated, Fraction(0))  # sums of weights are rounded
    parts = mean, mean - recalibrated, discrimination, uncertainty, recalibrated
    return Parts(*(float(part) for part in parts))


def integers_of(*columns: NDArray[Any]) -> tuple[Any, ...]:
    """Return columns of finite numbers as lists of integers, and the power of two that they were multiplied by."""
    if all(column.dtype.kind in "iu" for column in columns):
        return *(column.tolist() for column in columns), 1
    parts = [np.frexp(column.astype(np.float64)) for column in columns]
    digits = [np.ldexp(part[0], 53).astype(np.int64) for part in parts]
    least = min((int(part[1][each != 0].min(initial=53)) for part, each in zip(parts, digits, strict=True)), default=53)
    least = min(least, 53)
    shifted = (
        [one << shift for one, shift in zip(each.tolist(), np.maximum(part[1] - least, 0).tolist(), strict=True)]
        for part, each in zip(parts, digits, strict=True)
    )
    return *shifted, 1 << (53 - least)


def _squared_losses(x: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> tuple[Fraction, Fraction]:
    """Return the sums of p (1 - x)^2 and of n x^2."""
    at, unit = integers_of(x)
    pos_rows, neg_rows, scale = integers_of(pos, neg)
    lost_pos = sum(rows * (unit - one) ** 2 for rows, one in zip(pos_rows, at, strict=True) if rows)
    lost_neg = sum(rows * one**2 for rows, one in zip(neg_rows, at, strict=True) if rows)
    under = unit * unit * scale
    return Fraction(lost_pos, under), Fraction(lost_neg, under)


def _sum_of_quotients(quotients: list[tuple[int, int]]) -> tuple[int, int]:
    """Return a sum of quotients as one, in pairs: halves first, so that long numbers meet few times."""
    while len(quotients) > 1:
        pairs = zip(quotients[::2], quotients[1::2], strict=False)
        added = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs]
        quotients = added + quotients[len(quotients) - len(quotients) % 2 :]
    return quotients[0]


def mean_score(score: ProperScore, x: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> float:
    """Return the mean of a score over the rows of a table."""
    total = float(pos.sum()) + float(neg.sum())
    if score.kind == "brier" and x.size <= _FEW:
        lost = sum(_squared_losses(x, pos, neg), Fraction(0))
        return float(lost / (Fraction(pos.sum().item()) + Fraction(neg.sum().item())))
    return (_lost(pos, score.of_positive(x)) + _lost(neg, score.of_negative(x))) / total


def best_and_constant(
    score: ProperScore | tuple[FloatArray, FloatArray], blocks: BatchBlocks, prevalence: float | None
) -> tuple[FloatArray, FloatArray]:
    """Return the mean scores of the recalibrated forecast and of the constant one, by table; neither needs the scores.

    `score` may be the beta parameters of each table.
    """
    n_pos, n_neg, table = blocks.n_pos, blocks.n_neg, blocks.table
    share = n_pos / (n_pos + n_neg) if prevalence is None else np.full(n_pos.size, prevalence)
    p, q = (share / n_pos)[table] * blocks.pos, ((1.0 - share) / n_neg)[table] * blocks.neg
    size = p + q
    if isinstance(score, tuple):
        every = np.append(table, np.arange(n_pos.size))
        score = ProperScore("beta", *(own[every] for own in score))
    lost = score.at_least(np.append(p / size, share), np.append(q / size, 1.0 - share))
    terms = size * lost[: size.size]
    return np.array([_sum(terms[part]) for part in blocks.parts]), lost[size.size :]


_GRID = np.arange(1, 200) / 200.0


@value(repr=False)
class MurphyCurve(Presented):
    """The mean elementary cost at thresholds, and its parts.

    At threshold theta a negative with a score above theta costs theta, and a positive with a score of at most theta
    costs 1 - theta. A model whose curve is below another's everywhere is better by every proper score.

    Attributes
    ----------
    theta : array of float64
        Thresholds.
    mean : array of float64
        Of the scores as they are.
    miscalibration, discrimination, uncertainty : array of float64
        Element i: the parts of ``mean[i]``, which is miscalibration - discrimination + uncertainty.

    Notes
    -----
    Twice the area under `mean` is the Brier score; the area under mean / (theta (1 - theta)) is the log loss. Net
    benefit at theta is the prevalence minus mean / (1 - theta).

    References
    ----------
    .. [1] W. Ehm, T. Gneiting, A. Jordan and F. Krueger, "Of quantiles and expectiles: consistent scoring functions,
       Choquet representations and forecast rankings", Journal of the Royal Statistical Society B 78 (2016), 505-562,
       doi:10.1111/rssb.12154

    Examples
    --------
    >>> import thresher as th
    >>> curve = th.Scores([1, 0, 1, 0], [0.9, 0.7, 0.6, 0.2]).calibration().murphy([0.25, 0.65])
    >>> curve.mean, curve.miscalibration
    (array([0.0625, 0.25  ]), array([0.    , 0.1625]))
    """

    theta: FloatArray
    mean: FloatArray
    miscalibration: FloatArray
    discrimination: FloatArray
    uncertainty: FloatArray

    @property
    def recalibrated(self) -> FloatArray:
        """The mean cost of the recalibrated scores: the lower envelope over all thresholds."""
        return frozen(self.uncertainty - self.discrimination)

    def __len__(self) -> int:
        return int(self.theta.size)

    def __repr__(self) -> str:
        return f"MurphyCurve: {len(self):,} thresholds, mean cost {float(self.mean.mean()):.4g}"


def murphy_curve(
    x: FloatArray, counts: Counts, blocks: HullBlocks, prevalence: float | None, theta: ArrayLike | None
) -> MurphyCurve:
    """Return the diagram of a table with scores `x`, highest first."""
    at = np.unique(check_fractions(_GRID if theta is None else theta, "theta"))
    own = counts.prevalence
    share = own if prevalence is None else prevalence
    n_pos, n_neg = float(counts.n_pos), float(counts.n_neg)
    w1, w0 = (share / n_pos if n_pos else 0.0), ((1.0 - share) / n_neg if n_neg else 0.0)
    tp, fp = running_counts(counts)

    def cost(found: FloatArray, called: FloatArray) -> FloatArray:
        return np.asarray(at * (w0 * called) + (1.0 - at) * (w1 * (n_pos - found)))

    above = np.searchsorted(-x, -at, side="left")  # scores above theta
    mean = cost(*(np.append(0, column)[above].astype(np.float64) for column in (tp, fp)))
    q = block_values(blocks, 1.0 if prevalence is None else odds_factor(prevalence, own))[0]
    taken = np.searchsorted(-q, -at, side="left")
    best = cost(*(np.append(0, np.cumsum(column))[taken].astype(np.float64) for column in (blocks.pos, blocks.neg)))
    constant = np.minimum(at * (1.0 - share), (1.0 - at) * share)
    parts = (at, mean, np.maximum(mean - best, 0.0), np.maximum(constant - best, 0.0), constant)
    return MurphyCurve(*map(frozen, parts))
