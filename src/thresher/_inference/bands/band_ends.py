"""The ends of a band by each method: quantiles, rectangles with a guarantee, and the normal intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from thresher._cells import proportion_bounds
from thresher._inference.bands.binomial_beta import alpha_interval, mixtures, odds_interval, with_bends
from thresher._inference.bands.cuts import Cuts, draw_curves, rank_envelope
from thresher._inference.interval import normal_quantile
from thresher._inference.order_bounds import DkwBounds, LocalLevelBounds, OrderBounds
from thresher.typing import FloatArray

# The slope is taken over this many standard deviations of the threshold on either side.
_SLOPE_REACH = 1.5
_FEW_ACROSS, _FEW_ALONG = 10, 5


class _Local(NamedTuple):
    """The curve near each abscissa: its value, the value away from 0 and 1, and the slope of its logarithm."""

    value: FloatArray
    inside: FloatArray
    log_slope: FloatArray


def _local(cuts: Cuts, x: FloatArray) -> _Local:
    def log_share(at: FloatArray) -> FloatArray:
        return np.log((cuts.value(at) * cuts.n_across + 0.5) / (cuts.n_across + 1.0))

    reach = _SLOPE_REACH * np.sqrt(x * (1.0 - x) / cuts.n_along)
    left, right = np.maximum(x - reach, 0.0), np.minimum(x + reach, 1.0)
    width = np.where(right > left, right - left, 1.0)
    slope = np.where(right > left, (log_share(right) - log_share(left)) / width, 0.0)
    return _Local(cuts.value(x), np.exp(log_share(x)), slope)


def wald_share(cuts: Cuts, x: FloatArray, z: float, *, on_logit: bool) -> tuple[FloatArray, FloatArray]:
    """Return the interval of the proportion of the other class above the cut with share x: a ROC band."""
    value, inside, log_slope = _local(cuts, x)
    along = np.square(log_slope * inside) * x * (1.0 - x) / cuts.n_along
    if on_logit:
        se = np.sqrt(inside * (1.0 - inside) / cuts.n_across + along) / (inside * (1.0 - inside))
        centre = np.log(inside / (1.0 - inside))
        return scipy.special.expit(centre - z * se), scipy.special.expit(centre + z * se)
    se = np.sqrt(value * (1.0 - value) / cuts.n_across + along)
    return np.clip(value - z * se, 0.0, 1.0), np.clip(value + z * se, 0.0, 1.0)


def wald_precision(
    cuts: Cuts, x: FloatArray, z: float, *, skew: float, variance_of_log_skew: float, on_logit: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the interval of precision at recalls x > 0."""
    value, inside, log_slope = _local(cuts, x)
    along = np.square(log_slope) * x * (1.0 - x) / cuts.n_along
    if on_logit:
        se = np.sqrt(variance_of_log_skew + (1.0 - inside) / (cuts.n_across * inside) + along)
        centre = np.log(x / (skew * inside))
        return scipy.special.expit(centre - z * se), scipy.special.expit(centre + z * se)
    precision = x / (x + skew * value)
    variance = np.square(value) * variance_of_log_skew + value * (1.0 - value) / cuts.n_across
    variance += along * np.square(inside)
    se = np.square(precision) / x * skew * np.sqrt(variance)
    return np.clip(precision - z * se, 0.0, 1.0), np.clip(precision + z * se, 0.0, 1.0)


def distrust(cuts: Cuts, x: FloatArray, names: tuple[str, str]) -> list[str]:
    """Return the reasons not to trust a normal approximation; `names` are those of the class along and across."""
    along, across = names
    seen = cuts.value(x) * cuts.n_across
    checks = (
        (seen < _FEW_ACROSS, f"fewer than {_FEW_ACROSS} {across} above the threshold"),
        (x * cuts.n_along < _FEW_ALONG, f"fewer than {_FEW_ALONG} {along} above it"),
        ((1.0 - x) * cuts.n_along < _FEW_ALONG, f"fewer than {_FEW_ALONG} {along} below it"),
    )
    reasons = [f"{reason} at {int(bad.sum())} of {x.size} points" for bad, reason in checks if bad.any()]
    distinct = int(np.count_nonzero(np.diff(cuts.along)))
    if 2 * distinct < cuts.n_along:
        reasons.append(f"only {distinct} distinct scores among {cuts.n_along} {along}, so they have no density")
    return reasons


def swept(cuts: Cuts, x: FloatArray, along: OrderBounds, across: OrderBounds) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest proportion of the other class above the cut with share x.

    That cut stands between the j-th and the (j+1)-th highest of the along class only if U(j) <= x <= U(j+1); over all j
    that the bounds allow, the proportion of the other class is bounded in the same way, with or without ties.
    """
    least = cuts.fewest(along.fewest_below(x))
    most = cuts.most(along.most_below(x))
    return across.low(least), across.high(most + 1)


WALD = ("logit", "normal")
Ends = tuple[FloatArray, FloatArray]


def share_band(cuts: Cuts, x: FloatArray, method: str, level: float, n_draws: int, rng: np.random.Generator) -> Ends:
    """Return the band of the proportion of the other class above the cut with share x."""
    if method in WALD:
        return wald_share(cuts, x, normal_quantile(level), on_logit=method == "logit")
    if method == "binomial-beta":
        return _shares(cuts, x, (1.0 - level) / 2.0)
    if method == "envelope":
        return rank_envelope(*draw_curves(cuts, x, n_draws, rng), level)
    return _rectangle(cuts, x, method, level ** (1.0 / 2.0))


def _shares(cuts: Cuts, x: FloatArray, tail: float) -> Ends:
    """Return the binomial-beta limits of the proportion of the other class."""
    return with_bends(alpha_interval(mixtures(cuts, x), tail), cuts, x, lambda bends: alpha_interval(bends, tail))


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
            ends = odds_interval(shares, *totals, tail)
            low, high = with_bends(ends, cuts, x, lambda bends: odds_interval((bends, bends), *totals, tail))
            return precision_of(x, high), precision_of(x, low)
        low, high = _shares(cuts, x, tail)
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
