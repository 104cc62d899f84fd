"""Murphy diagrams: the mean cost of scores at every threshold, from which every proper score is a weighted mean."""

from __future__ import annotations

import numpy as np

from thresher._core.arrays import frozen
from thresher._core.checks import check_fractions
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._curves import HullBlocks, block_values, odds_factor
from thresher._table import Counts, running_counts
from thresher.typing import ArrayLike, FloatArray

__all__ = ["MurphyCurve", "murphy_curve"]

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
