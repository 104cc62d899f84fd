"""Score laws on which intervals and tests are tried: heavy tails, ties, floors, easy and hopeless positives.

Each law draws samples of a class and knows its quantiles. True figures come from the quantiles at many evenly spaced
probabilities (`truth_sample`), which is the law itself to about one part in the number of points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.special as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Quantile = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Part:
    """A share of a class with its quantile function."""

    share: float
    ppf: Quantile


@dataclass(frozen=True)
class Distribution:
    """The scores of positives and of negatives, each a mixture of parts."""

    name: str
    pos: tuple[Part, ...]
    neg: tuple[Part, ...]

    def draw(self, positive: bool, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
        """Return a sample of a class."""
        return self.at(positive, rng.random(size))

    def at(self, positive: bool, u: Floats) -> Floats:
        """Return a sample of a class from uniform numbers: each chooses a part and the place in it."""
        parts = self.pos if positive else self.neg
        ends = np.cumsum([0.0, *(part.share for part in parts)])
        out = np.empty(u.shape)
        for part, low, high in zip(parts, ends[:-1], ends[1:], strict=True):
            mine = (u >= low) & (u < high) if high < 1.0 - 1e-12 else u >= low
            out[mine] = part.ppf((u[mine] - low) / (high - low))
        return out

    def truth_sample(self, positive: bool, points: int) -> Floats:
        """Return the class at evenly spaced probabilities."""
        out = []
        for part in self.pos if positive else self.neg:
            count = max(round(points * part.share), 1)
            out.append(part.ppf((np.arange(count) + 0.5) / count))
        return np.concatenate(out)


def _normal(mean: float = 0.0, sd: float = 1.0) -> Quantile:
    return lambda u: mean + sd * sp.ndtri(u)


def _whole(ppf: Quantile) -> tuple[Part, ...]:
    return (Part(1.0, ppf),)


def binormal(auc: float, ratio: float = 1.0) -> Distribution:
    """Two normals; `ratio` is the spread of positives to that of negatives."""
    shift = float(sp.ndtri(auc)) * np.sqrt(1.0 + ratio * ratio)
    name = f"normal {auc:g}" + (f", sd ratio {ratio:.3g}" if ratio != 1.0 else "")
    return Distribution(name, _whole(_normal(shift, ratio)), _whole(_normal()))


def shifted_normal(shift: float, spread: float = 1.0) -> Distribution:
    """Normal positives, and negatives of mean 0 and spread 1."""
    name = f"normal shifted {shift:.3g}" + (f", sd ratio {spread:.3g}" if spread != 1.0 else "")
    return Distribution(name, _whole(_normal(shift, spread)), _whole(_normal()))


def _table(cdf_inverse: Quantile, points: int = 20001) -> Quantile:
    """Return a quantile function by interpolation of a table, for those that are slow."""
    u = np.concatenate(
        (np.geomspace(1e-9, 1e-3, 2000), np.linspace(1e-3, 1 - 1e-3, points), 1 - np.geomspace(1e-3, 1e-9, 2000))
    )
    values = cdf_inverse(u)
    return lambda at: np.interp(at, u, values)


def student(shift: float) -> Distribution:
    """Student's t with three degrees of freedom, shifted."""
    t = _table(lambda u: sp.stdtrit(3.0, u))
    return Distribution(f"t3 shifted {shift:g}", _whole(lambda u: t(u) + shift), _whole(t))


def beta(a: float, b: float, c: float, d: float) -> Distribution:
    """Two betas."""
    return Distribution(
        f"beta({a:g}, {b:g}) and beta({c:g}, {d:g})",
        _whole(_table(lambda u: sp.betaincinv(a, b, u))),
        _whole(_table(lambda u: sp.betaincinv(c, d, u))),
    )


def _cut(cuts: list[float], mean: float) -> Quantile:
    edges = np.array(cuts)
    return lambda u: np.searchsorted(edges, mean + sp.ndtri(u)).astype(float)


def ratings(shift: float, cuts: list[float], name: str) -> Distribution:
    """Normals read on a scale of few steps."""
    return Distribution(f"{name} {shift:g}", _whole(_cut(cuts, shift)), _whole(_cut(cuts, 0.0)))


def floored(scale: float, floor: float) -> Distribution:
    """Exponentials of which a part stands on a floor."""
    return Distribution(
        f"exponential x{scale:g}, floor {floor:g}",
        _whole(lambda u: np.maximum(-scale * np.log1p(-u), floor)),
        _whole(lambda u: np.maximum(-np.log1p(-u), floor)),
    )


def easy(share: float, shift: float) -> Distribution:
    """A share of positives stands above everything, the others hardly differ from negatives."""
    return Distribution(
        f"{share:.0%} easy, others {shift:g}",
        (Part(share, _normal(20.0)), Part(1.0 - share, _normal(shift))),
        _whole(_normal()),
    )


def hopeless(share: float, shift: float) -> Distribution:
    """A share of positives stands below everything, the others high."""
    return Distribution(
        f"{share:.1%} hopeless, others {shift:g}",
        (Part(1.0 - share, _normal(shift)), Part(share, _normal(-20.0))),
        _whole(_normal()),
    )


def loud(share: float, shift: float) -> Distribution:
    """A share of negatives stands above everything."""
    return Distribution(
        f"{share:.1%} loud negatives, others {shift:g}",
        _whole(_normal(shift)),
        (Part(1.0 - share, _normal()), Part(share, _normal(20.0))),
    )


FIVE = [-0.5, 0.3, 1.0, 1.8]
LAWS: tuple[Distribution, ...] = (
    binormal(0.55),
    binormal(0.7),
    binormal(0.85),
    binormal(0.95),
    binormal(0.98),
    binormal(0.995),
    binormal(0.9, 3.0),
    binormal(0.9, 1 / 3),
    binormal(0.98, 1 / 3),
    student(1.5),
    student(4.0),
    beta(3, 2, 1.5, 4),
    beta(8, 2, 1, 5),
    ratings(1.2, FIVE, "five ratings"),
    ratings(3.0, FIVE, "five ratings"),
    ratings(1.5, [0.8], "binary test"),
    floored(3.0, 0.5),
    floored(12.0, 1.0),
    easy(0.3, 0.3),
    easy(0.8, 1.0),
    hopeless(0.05, 4.0),
    hopeless(0.02, 30.0),
    hopeless(0.25, 3.0),
    loud(0.01, 2.5),
)
