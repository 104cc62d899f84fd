"""Maximum likelihood of the binormal model for ordered scores (Dorfman and Alf 1969), in time linear in the groups."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import linalg, special

from thresher._core.sums import dot, dots
from thresher.exceptions import UndefinedMetricError
from thresher.population._distributions import invert
from thresher.typing import BoolArray, FloatArray

_LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)
_ROUNDS = 2000


class OrdinalFit(NamedTuple):
    """Binormal ROC parameters: TPR = Phi(a + b Phi^-1(FPR))."""

    a: float
    b: float
    covariance: FloatArray
    log_likelihood: float
    cuts: FloatArray


def truth_runs(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Merge neighbouring groups that hold one class only, which leaves the estimate as it is (Metz et al. 1998)."""
    kind = np.where(neg == 0, 1, np.where(pos == 0, -1, 0))
    start = np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 0))
    label = np.cumsum(start) - 1
    merged = [np.bincount(label, weights=column).astype(np.float64) for column in (pos, neg)]
    return merged[0], merged[1]


def _density(x: FloatArray) -> FloatArray:
    inside = np.isfinite(x)
    return np.where(inside, np.exp(-0.5 * np.where(inside, x, 0.0) ** 2 - _LOG_ROOT_2PI), 0.0)


def _between(x: FloatArray) -> FloatArray:
    """Return the normal probability between neighbouring points, from the tail that keeps its digits."""
    up = x[:-1] > 0
    above, below = special.ndtr(-x[:-1]) - special.ndtr(-x[1:]), special.ndtr(x[1:]) - special.ndtr(x[:-1])
    return np.asarray(np.where(up, above, below))


class _State:
    """The model at one set of parameters: negatives Phi(c), positives Phi(b c - a) at the cuts c."""

    def __init__(self, a: float, b: float, cuts: FloatArray, pos: FloatArray, neg: FloatArray) -> None:
        self.a, self.b, self.cuts, self.pos, self.neg = a, b, cuts, pos, neg
        full = np.concatenate([[-np.inf], cuts, [np.inf]])
        self.p, self.q = _between(full), _between(b * full - a)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = special.xlogy(neg, self.p) + special.xlogy(pos, self.q)
        self.value = float(parts.sum()) if np.isfinite(parts).all() else -math.inf

    def system(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the score and the expected information: tridiagonal in the cuts, bordered by (a, b)."""
        n_pos, n_neg = self.pos.sum(), self.neg.sum()
        f, u = _density(self.cuts), self.b * self.cuts - self.a
        g = _density(u)
        p, q = np.maximum(self.p, 1e-300), np.maximum(self.q, 1e-300)
        score_p, score_q = self.neg / p, self.pos / q
        border_g = np.concatenate([[0.0], g, [0.0]])
        border_cg = np.concatenate([[0.0], self.cuts * g, [0.0]])
        d_a, d_b = -np.diff(border_g), np.diff(border_cg)
        cut_score = f * -np.diff(score_p) + self.b * g * -np.diff(score_q)
        score = np.array([dot(score_q, d_a), dot(score_q, d_b)])
        diagonal = n_neg * f**2 * (1 / p[:-1] + 1 / p[1:]) + n_pos * (self.b * g) ** 2 * (1 / q[:-1] + 1 / q[1:])
        off = -n_neg * f[:-1] * f[1:] / p[1:-1] - n_pos * self.b**2 * g[:-1] * g[1:] / q[1:-1]
        cross = np.stack([-n_pos * self.b * g * np.diff(d / q) for d in (d_a, d_b)], axis=1)
        corner = n_pos * np.array([[dot(d / q, e) for e in (d_a, d_b)] for d in (d_a, d_b)])
        band = np.zeros((2, self.cuts.size))
        band[0, 1:], band[1] = off, diagonal
        return score, cut_score, band, cross, corner

    def step(self) -> tuple[FloatArray, FloatArray, float, FloatArray]:
        """Return the scoring step for (a, b) and the cuts, its decrement, and the covariance of (a, b)."""
        score, cut_score, band, cross, corner = self.system()
        band[1] *= 1 + 1e-12
        solved = linalg.solveh_banded(band, np.column_stack([cut_score, cross]), check_finite=False)
        schur = corner - dots(cross.T[:, None], solved[:, 1:].T)
        covariance: FloatArray = np.asarray(np.linalg.inv(schur), dtype=np.float64)
        move = dots(covariance, score - dots(cross.T, solved[:, 0]))
        cuts = solved[:, 0] - dots(solved[:, 1:], move)
        return move, cuts, dot(score, move) + dot(cut_score, cuts), covariance


def _check_overlap(pos: FloatArray, neg: FloatArray) -> None:
    if pos.size < 3 or not _overlapping(pos, neg):
        raise UndefinedMetricError(
            "An ordinal binormal fit needs classes that overlap in at least 3 groups of scores; "
            f"got {pos.size} group{'' if pos.size == 1 else 's'}. "
            'Hint: use method="normal", which fits the scores themselves.'
        )


def _better(state: _State, move: FloatArray, cuts: FloatArray) -> _State | None:
    """Return the state after the longest of the halved steps that raises the likelihood; None if none does."""
    size = 1.0
    while size > 1e-12:
        b = state.b + size * move[1]
        new = state.cuts + size * cuts
        if b > 0 and (np.diff(new) > 0).all():
            trial = _State(state.a + size * move[0], b, new, state.pos, state.neg)
            if trial.value > state.value:
                return trial
        size /= 2
    return None


def fit_ordinal(pos: FloatArray, neg: FloatArray) -> OrdinalFit:
    """Fit the binormal model to ordered groups by Fisher scoring."""
    pos, neg = truth_runs(pos, neg)
    _check_overlap(pos, neg)
    state = _start(pos, neg)
    for _ in range(_ROUNDS):
        move, cuts, decrement, covariance = state.step()
        if not math.isfinite(decrement):
            break
        at_top = decrement < 1e-13 * max(abs(state.value), 1.0)
        better = None if at_top else _better(state, move, cuts)
        if better is None:
            if at_top or decrement < 1e-6:
                return OrdinalFit(state.a, state.b, covariance, state.value, state.cuts)
            break
        state = better
        if abs(state.a) > 100 or not 1e-3 < state.b < 1e3:
            break
    raise UndefinedMetricError(
        "The ordinal binormal likelihood must have its maximum at finite parameters; it runs off towards "
        f'a={state.a:.3g}, b={state.b:.3g}. Hint: the data are degenerate for this model; use method="normal".'
    )


def _overlapping(pos: FloatArray, neg: FloatArray) -> bool:
    first_pos, last_neg = np.flatnonzero(pos)[0], np.flatnonzero(neg)[-1]
    first_neg, last_pos = np.flatnonzero(neg)[0], np.flatnonzero(pos)[-1]
    return bool(first_pos < last_neg and first_neg < last_pos)


def _start(pos: FloatArray, neg: FloatArray) -> _State:
    """Return first guesses: the normal line through the middle of the empirical ROC curve."""
    n_pos, n_neg = pos.sum(), neg.sum()
    x = special.ndtri((np.cumsum(neg)[:-1] + 0.5) / (n_neg + 1))
    y = special.ndtri((np.cumsum(pos)[:-1] + 0.5) / (n_pos + 1))
    spread_x, spread_y = x.std(), y.std()
    b = float(np.clip(spread_y / spread_x, 0.2, 5.0)) if min(spread_x, spread_y) > 1e-6 else 1.0
    a = float(b * x.mean() - y.mean())
    level = np.cumsum(pos + neg)[:-1] / (n_pos + n_neg)
    share = n_pos / (n_pos + n_neg)

    def reached(c: FloatArray, active: BoolArray) -> BoolArray:
        pooled = (1 - share) * special.ndtr(c) + share * special.ndtr(b * c - a)
        return np.asarray(pooled >= level[active])

    ends = np.full(level.shape, 40.0 + abs(a)) / min(b, 1.0)
    return _State(a, b, invert(reached, -ends, ends), pos, neg)
