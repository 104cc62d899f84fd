"""The distribution of a Gaussian kernel density estimate."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from thresher._core.sums import dot, dots
from thresher.population._distributions import Distribution, Points, invert, plain
from thresher.population._tails import Tail, family_tails
from thresher.typing import BoolArray, FloatArray

__all__ = ["KernelDistribution", "silverman"]

_CHUNK = 1 << 22
_MOST_CENTERS = 2000


def silverman(values: FloatArray, weights: FloatArray) -> float:
    """Return Silverman's rule of thumb: 0.9 min(sd, IQR / 1.34) n ** (-1/5), which R calls nrd0."""
    total = float(weights.sum())
    mean = dot(weights, values) / total
    sd = math.sqrt(dot(weights, (values - mean) ** 2) / max(total - 1, 1.0))
    # Quartiles by linear interpolation between order statistics, as for the expanded sample.
    ranks = np.cumsum(weights) - 1
    quartiles = []
    for share in (0.25, 0.75):
        place = share * (total - 1)
        low, high = (values[np.searchsorted(ranks, f(place) - 1e-9)] for f in (math.floor, math.ceil))
        quartiles.append(low + (place - math.floor(place)) * (high - low))
    spread = min(sd, (quartiles[1] - quartiles[0]) / 1.34) or sd or abs(float(values[0])) or 1.0
    return float(0.9 * spread * total**-0.2)


class KernelDistribution(Distribution):
    """A normal kernel of one bandwidth at each observed score."""

    lower, upper = -math.inf, math.inf
    _built_from = ("_centers", "_weights", "bandwidth")

    def __init__(self, centers: FloatArray, weights: FloatArray, bandwidth: float) -> None:
        if centers.size > _MOST_CENTERS:
            # Scores much closer than a bandwidth are one center at their mean; the density moves by under 1e-4.
            cell = np.floor((centers - centers[0]) / (bandwidth / 32))
            label = np.cumsum(np.append(True, np.diff(cell) > 0)) - 1
            total = np.bincount(label, weights=weights).astype(np.float64)
            centers, weights = np.bincount(label, weights=weights * centers) / total, total
        self._centers, self._weights, self.bandwidth = centers, weights, bandwidth

    def __repr__(self) -> str:
        return f"kernel density of {self._centers.size} scores, bandwidth {self.bandwidth:.3g}"

    def _average(self, t: FloatArray, kind: str) -> FloatArray:
        out = np.empty_like(t)
        rows = max(_CHUNK // self._centers.size, 1)
        for start in range(0, t.size, rows):
            z = (t[start : start + rows, None] - self._centers) / self.bandwidth
            if kind == "pdf":
                height = np.exp(-0.5 * z * z) / (self.bandwidth * math.sqrt(2 * math.pi))
            else:
                height = special.ndtr(-z if kind == "sf" else z)
            out[start : start + rows] = dots(height, self._weights)
        return out

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        return self._average(points.value, "sf" if upper else "cdf")

    def _density(self, points: Points) -> FloatArray:
        return self._average(points.value, "pdf")

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        z = -special.ndtri(q) if upper else special.ndtri(q)
        low = self._centers[0] + self.bandwidth * z
        high = self._centers[-1] + self.bandwidth * z
        pad = 1e-9 * (np.abs(low) + np.abs(high) + self.bandwidth)

        def holds(t: FloatArray, active: BoolArray) -> BoolArray:
            value = self._average(t, "sf" if upper else "cdf")
            return value <= q[active] if upper else value >= q[active]

        return plain(invert(holds, low - pad, high + pad))

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        return rng.choice(self._centers, size, p=self._weights) + self.bandwidth * rng.standard_normal(size)

    def tail(self, *, upper: bool) -> Tail | None:
        """Return the decay: that of the outermost kernel."""
        end = -1 if upper else 0
        tail = family_tails("norm", (), float(self._centers[end]), self.bandwidth)[upper]
        return None if tail is None else tail._replace(const=tail.const + math.log(float(self._weights[end])))
