"""How much a chosen point overstates, and the target that makes up for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher._core.random_streams import stream_key
from thresher._curves import OperatingPoint
from thresher._decide.choose import choose
from thresher._decide.target import Target
from thresher._decide.tune import replayed
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError

_AT_ONCE = 64
_RATES = {
    "min_recall": "recall",
    "min_precision": "precision",
    "max_fpr": "fpr",
    "max_alert_rate": "alert_rate",
}


def corrected_target(
    counts: Counts, target: Target, *, mix: bool = False, n_resamples: int = 100, seed: int = 0
) -> tuple[Target, float]:
    """Return a target whose limit is moved by the optimism of choosing on these data, and that optimism.

    A hull picks thresholds at which the tuning data were lucky, so that on new rows a recall of 0.9 comes out lower.
    How much lower is seen by drawing the tuning rows again, choosing on the drawn rows and counting on the given ones:
    the mean shortfall is added to the limit. Only a target with a single limit on a rate is changed.

    References
    ----------
    B. Efron (1983), "Estimating the error rate of a prediction rule", doi:10.1080/01621459.1983.10477973.
    """
    if len(target.limits) != 1 or n_resamples == 0:
        return target, 0.0
    (name, limit), *_ = target.limits.items()
    if name not in _RATES:
        return target, 0.0
    achieved = []
    for drawn in _drawn(counts._even, n_resamples, seed):
        try:
            point = choose(drawn, target, mix=mix)
        except UndefinedMetricError:  # a drawing in which no threshold keeps the limit
            continue
        rate = _rate(replayed(point, counts, target), name)
        if rate == rate:
            achieved.append(rate)
    if not achieved:
        return target, 0.0
    gap = float(np.mean(achieved)) - limit
    optimism = max(-gap if name.startswith("min") else gap, 0.0)
    moved = min(limit + optimism, 1.0) if name.startswith("min") else max(limit - optimism, 0.0)
    better = target.with_limits(**{name: moved})
    try:
        choose(counts, better, mix=mix)
    except UndefinedMetricError:  # out of reach: keep to what was asked for
        return target, optimism
    return better, optimism


def _rate(point: OperatingPoint, limit: str) -> float:
    return float(getattr(point, _RATES[limit]))


def _drawn(counts: Counts, total: int, seed: int) -> Iterator[Counts]:
    """Return tables of rows drawn with replacement as the design says, class by class."""
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=True)
    kind = np.int64 if counts._whole else np.float64
    key = stream_key(seed)
    for first in range(0, total, _AT_ONCE):
        for pos, neg in zip(*draws.draw(key, first, min(_AT_ONCE, total - first)), strict=True):
            kept = (pos > 0) | (neg > 0)
            yield Counts._from_table((counts.thresholds[kept], pos[kept].astype(kind), neg[kept].astype(kind)))
