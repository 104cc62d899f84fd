"""Coverage of intervals for likelihood ratios; makes a section of docs/validation/calibration.md.

    python -m benchmarks.coverage_ratios docs/validation/calibration.md

The counts of the two classes are independent and binomial, so coverage is a sum over all pairs, without simulation. A
likelihood ratio is a ratio of two rates: LR+ of TPR and FPR, LR- of one minus either; a predictive value at a given
prevalence is a function of one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from thresher._inference.rates import score_statistic
from thresher._inference.rates.proportion import proportion_bounds
from thresher._inference.rates.two_rates import RATIO_METHODS

Floats = NDArray[np.float64]
SIZES = ((10, 10), (10, 100), (10, 500), (20, 20), (30, 30), (30, 270), (50, 50), (100, 100), (100, 300), (300, 30))
RATES = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
Z = 1.959963984540054
START, END = "## Likelihood ratios\n", "## Net benefit\n"
TEXT = """\
## Likelihood ratios

Coverage of intervals for the ratio of two rates, one of each class, and with it for LR+, LR- and predictive values at a
given prevalence: sums over all pairs of counts, no simulation (`python -m benchmarks.coverage_ratios`). {sizes} sizes
and {pairs} pairs of rates from 0.001 to 0.999; the default first:

{summary}

"bayes" joins the default limits of both rates, with three quarters of a case at the adverse end, as "mover" does those
of Jeffreys; where one rate is all but known, so that the other decides, less does not hold. *Longer* is the mean of
log(high / low), where neither count is 0, against "mover": the median and the most of all cells. The worst of each:

{worst}
"""


class Pairs(NamedTuple):
    """All counts of two classes, and the limits of their shares by name."""

    x1: Floats
    n1: int
    x2: Floats
    n2: int

    def limits(self, name: str) -> tuple[Floats, Floats, Floats, Floats]:
        """Return low and high of the first share, and of the second."""
        first, second = (
            proportion_bounds(x.ravel(), np.full(x.size, float(n)), 0.95, name)
            for x, n in ((self.x1, self.n1), (self.x2, self.n2))
        )
        return first[0][:, None], first[1][:, None], second[0][None], second[1][None]

    def missed(self, method: str, ratio: float) -> NDArray[np.bool_]:
        """Return for which counts the interval does not hold a ratio."""
        x1, n1, x2, n2 = self
        p1, p2 = x1 / n1, x2 / n2
        neither = (x1 == 0.0) & (x2 == 0.0)
        if method == "score":
            z = score_statistic(x1 + 0.0 * x2, n1, x2 + 0.0 * x1, n2, ratio)
            # An end is 0 or infinite where its count is 0.
            return ((z > Z) & (x1 > 0.0)) | ((z < -Z) & (x2 > 0.0))
        if method == "log":
            low, high = self.ends("log")
            return ((low > ratio) | (high < ratio)) & ~neither
        l1, u1, l2, u2 = self.limits("bayes" if method == "bayes" else "jeffreys")
        above = p1 - ratio * p2 > np.hypot(p1 - l1, ratio * (u2 - p2))
        below = ratio * p2 - p1 > np.hypot(u1 - p1, ratio * (p2 - l2))
        return (above & (x1 > 0.0)) | (below & (x2 > 0.0))

    def ends(self, method: str) -> tuple[Floats, Floats]:
        """Return the limits of "log", "bayes" or "mover" where neither count is 0."""
        x1, n1, x2, n2 = self
        if method == "log":
            more = np.where((x1 == 0.0) | (x2 == 0.0), 0.5, 0.0)
            a, b, m, n = x1 + more, x2 + more, n1 + 2.0 * more, n2 + 2.0 * more
            reach = Z * np.sqrt(1.0 / a - 1.0 / m + 1.0 / b - 1.0 / n)
            centre = np.log(a / m * n / b)
            return np.exp(centre - reach), np.exp(centre + reach)
        l1, u1, l2, u2 = self.limits("bayes" if method == "bayes" else "jeffreys")
        p1, p2 = x1 / n1, x2 / n2
        low, high = _root(p1, p2, p1 - l1, u2 - p2, -1.0), _root(p1, p2, u1 - p1, p2 - l2, 1.0)
        return low, high


def _root(p1: Floats, p2: Floats, of_first: Floats, of_second: Floats, sign: float) -> Floats:
    constant, square = p1**2 - of_first**2, p2**2 - of_second**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return (p1 * p2 + sign * np.sqrt(np.maximum((p1 * p2) ** 2 - square * constant, 0.0))) / square


class Found(NamedTuple):
    """Coverage and mean length of one method in one cell."""

    cover: float
    n1: int
    n2: int
    rate1: float
    rate2: float
    length: float


def coverage(n1: int, n2: int, method: str, rates: tuple[float, ...] = RATES) -> list[Found]:
    """Return the coverage of a method for all pairs of rates."""
    pairs = Pairs(np.arange(n1 + 1.0)[:, None], n1, np.arange(n2 + 1.0)[None], n2)
    lengths = np.zeros((n1 + 1, n2 + 1))
    if method != "score":
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = pairs.ends(method)
            lengths[1:, 1:] = np.log(high / low)[1:, 1:]
    chances = [[binom.pmf(np.arange(n + 1), n, rate) for rate in rates] for n in (n1, n2)]
    out = []
    for i, first in enumerate(rates):
        for j, second in enumerate(rates):
            one, other = chances[0][i], chances[1][j]
            cover = max(1.0 - float(one @ pairs.missed(method, first / second) @ other), 0.0)
            length = float(one[1:] @ lengths[1:, 1:] @ other[1:]) / float(one[1:].sum() * other[1:].sum())
            out.append(Found(cover, n1, n2, first, second, length))
    return out


def section() -> str:
    """Return the part of the page."""
    found = {method: [cell for sizes in SIZES for cell in coverage(*sizes, method)] for method in RATIO_METHODS}
    lines = [
        "| interval | cells | least | below 93 | below 90 | mean | longer | at most |",
        "|---|---|---|---|---|---|---|---|",
    ]
    worst = ["| interval | totals | rates | covers |", "|---|---|---|---|"]
    usual = np.array([cell.length for cell in found["mover"]])
    for method, cells in found.items():
        cover = 100.0 * np.array([cell.cover for cell in cells])
        longer = np.array([cell.length for cell in cells]) / usual
        shown = f"{np.median(longer):.2f} | {longer.max():.2f}" if method != "score" else " | "
        lines.append(
            f"| {method} | {cover.size} | {cover.min():.1f} | {(cover < 93).sum()} | {(cover < 90).sum()} | "
            f"{cover.mean():.1f} | {shown} |"
        )
        for cell in sorted(cells)[:4]:
            worst.append(
                f"| {method} | {cell.n1} and {cell.n2} | {cell.rate1:g} : {cell.rate2:g} | {100 * cell.cover:.1f} |"
            )
    return TEXT.format(sizes=len(SIZES), pairs=len(RATES) ** 2, summary="\n".join(lines), worst="\n".join(worst))


def main() -> None:
    file = Path(sys.argv[1])
    page = file.read_text()
    file.write_text(page[: page.index(START)] + section() + "\n" + page[page.index(END) :])


if __name__ == "__main__":
    main()
