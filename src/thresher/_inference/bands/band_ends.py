"""The ends of a band by each method, for a curve of shares and for one of precision."""

from __future__ import annotations

import numpy as np

from thresher._inference.bands.bayes_envelope import draw_curves, rank_envelope
from thresher._inference.bands.binomial_beta import alpha_interval, mixtures
from thresher._inference.bands.class_cuts import Cuts
from thresher._inference.bands.random_prevalence import odds_interval
from thresher._inference.bands.rectangles import DkwBounds, LocalLevelBounds, swept
from thresher._inference.bands.wald_band import wald_precision, wald_share
from thresher._inference.interval import normal_quantile
from thresher._inference.rates.proportion import proportion_bounds
from thresher.typing import FloatArray

__all__ = ["WALD", "Ends", "precision_band", "precision_of", "share_band"]

WALD = ("logit", "normal")
Ends = tuple[FloatArray, FloatArray]


def share_band(cuts: Cuts, x: FloatArray, method: str, level: float, n_draws: int, rng: np.random.Generator) -> Ends:
    """Return the band of the proportion of the other class above the cut with share x."""
    if method in WALD:
        return wald_share(cuts, x, normal_quantile(level), on_logit=method == "logit")
    if method == "binomial-beta":
        return alpha_interval(mixtures(cuts, x), (1.0 - level) / 2.0)
    if method == "envelope":
        return rank_envelope(*draw_curves(cuts, x, n_draws, rng), level)
    return _rectangle(cuts, x, method, level ** (1.0 / 2.0))


def _rectangle(cuts: Cuts, x: FloatArray, method: str, level: float) -> Ends:
    """Return the swept band when each class has its own band at this level."""
    kind = LocalLevelBounds if method == "equal-local-level" else DkwBounds
    return swept(cuts, x, kind.at(cuts.n_along, level), kind.at(cuts.n_across, level))


def precision_band(
    cuts: Cuts,
    x: FloatArray,
    method: str,
    level: float,
    skew: float,
    totals: tuple[float, float] | None,
    n_draws: int,
    rng: np.random.Generator,
) -> Ends:
    """Return the band of precision; `totals` are the class totals if they are random, None if the skew is known."""
    tail = (1.0 - level) / 2.0
    if method in WALD:
        return _wald_precision_band(cuts, x, method, level, skew, totals)
    if method == "binomial-beta":
        if totals is not None:
            shares = mixtures(cuts, x, ("fewest",)), mixtures(cuts, x, ("most",))
            low, high = odds_interval(shares, *totals, tail)
            return precision_of(x, high), precision_of(x, low)
        low, high = alpha_interval(mixtures(cuts, x), tail)
    elif method == "envelope":
        draws = draw_curves(cuts, x, n_draws, rng)
        odds = np.full((n_draws, 1), skew)
        if totals is not None:
            share = rng.beta(totals[0] + 0.5, totals[1] + 0.5, size=(n_draws, 1))
            odds = (1.0 - share) / share
        return rank_envelope(precision_of(x, odds * draws.high), precision_of(x, odds * draws.low), level)
    elif totals is not None:
        low, high = _rectangle(cuts, x, method, level ** (1.0 / 3.0))
        n_pos, n = np.asarray(float(totals[0])), np.asarray(float(sum(totals)))
        least, most = (float(end) for end in proportion_bounds(n_pos, n, level ** (1.0 / 3.0), "clopper-pearson"))
        return precision_of(x, high * (1.0 - least) / least), precision_of(x, low * (1.0 - most) / most)
    else:
        low, high = _rectangle(cuts, x, method, level ** (1.0 / 2.0))
    return precision_of(x, skew * high), precision_of(x, skew * low)


def _wald_precision_band(
    cuts: Cuts, x: FloatArray, method: str, level: float, skew: float, totals: tuple[float, float] | None
) -> Ends:
    uncertain = 0.0 if totals is None else 1.0 / totals[0] + 1.0 / totals[1]
    low, high = np.zeros(x.shape), np.ones(x.shape)
    some = x > 0.0
    low[some], high[some] = wald_precision(
        cuts,
        x[some],
        normal_quantile(level),
        skew=skew,
        variance_of_log_skew=uncertain,
        on_logit=method == "logit",
    )
    return low, high


def precision_of(x: FloatArray, false_positives: FloatArray) -> FloatArray:
    """Return x / (x + false positives per positive); 1 where both are 0."""
    total = x + false_positives
    return np.asarray(np.where(total > 0.0, x / np.where(total > 0.0, total, 1.0), 1.0))
