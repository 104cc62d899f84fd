"""Theorems 1 and 2: the intervals, what they guarantee under their model, and what they do not."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from papers.cortes_mohri.printed import auc_distribution
from papers.drawing import legend, line, panels, plain_axes
from papers.entry import Check, Found, Picture, Table, claim
from thresher import auc_moments, cortes_mohri
from thresher.typing import FloatArray

__all__ = ["theorem_1", "theorem_2"]


def _binomial(total: int, p: float) -> FloatArray:
    k = np.arange(total + 1)
    log = special.gammaln(total + 1) - special.gammaln(k + 1) - special.gammaln(total - k + 1)
    return np.asarray(np.exp(log + k * math.log(p) + (total - k) * math.log1p(-p)))


def theorem_1() -> Found:
    """An interval for the error rate and Chebyshev's inequality give an interval for the AUC.

    The statement is checked without simulation. For small classes the exact law of the AUC given k errors is known
    (Gaussian binomial coefficients), K is binomial, E is an interval of k with probability at least 1 - ε, and the
    probability that the AUC falls into [α1, α2] is added up. It must be at least (1 - ε)(1 - ε').

    The statement is about the AUC when all rankings with K errors are equally likely, which the paper says three times:
    “assuming that all classifications or rankings with k errors are equiprobable” (section 5), “based on a simple and
    natural assumption” (section 6), and of its limits “one could argue that not all distributions … are equally
    probable” (section 3). (The step that the proof calls Bayes' rule, equation (9), is the law of total probability.)
    """
    tried = kept = 0
    least = 1.0
    for m, n in ((6, 6), (4, 10), (9, 5), (10, 10)):
        laws = [auc_distribution(m, n, k) for k in range(m + n + 1)]
        values = [np.array([float(a) for a in law]) for law in laws]
        chances = [np.array([float(p) for p in law.values()]) for law in laws]
        moments = auc_moments(m, n, np.arange(m + n + 1))
        for p in (0.05, 0.1, 0.2, 0.3, 0.5):
            weight = _binomial(m + n, p)
            for eps in (0.02, 0.1, 0.3):
                low, high = _central(weight, eps)
                for eps_k in (0.02, 0.1, 0.3):
                    arm = moments.sd[low : high + 1] / math.sqrt(eps_k)
                    alpha_1 = float(np.min(moments.mean[low : high + 1] - arm))
                    alpha_2 = float(np.max(moments.mean[low : high + 1] + arm))
                    inside = sum(
                        w * c[(v >= alpha_1) & (v <= alpha_2)].sum()
                        for w, v, c in zip(weight, values, chances, strict=True)
                    )
                    tried += 1
                    kept += inside >= (1 - eps) * (1 - eps_k)
                    least = min(least, inside - (1 - eps) * (1 - eps_k))
    extremes = sum(
        cortes_mohri(m, n, k, error_interval="normal").k_at_low
        not in cortes_mohri(m, n, k, error_interval="normal").k_range
        for m, n, k in ((136, 232, 88), (139, 164, 39), (400, 200, 60), (50, 50, 20), (20, 80, 15))
    )
    return Found(
        (
            claim(
                "the probability that the AUC falls into I_A, equations (9) to (11)",
                published="at least (1 - ε')(1 - ε)",
                ours=f"{kept} of {tried} exact cases; at least {least:.3f} to spare",
                holds=kept == tried,
            ),
            claim(
                "equation (8) takes the minimum and maximum over I_K",
                published="min and max over k in I_K",
                ours=f"in {extremes} of 5 examples the lower end is not at an end of I_K",
                holds=extremes > 0,
            ),
        )
    )


def _central(weight: FloatArray, eps: float) -> tuple[int, int]:
    """Return the shortest range of counts around the mode with probability at least 1 - eps."""
    low = high = int(np.argmax(weight))
    while weight[low : high + 1].sum() < 1 - eps:
        left = weight[low - 1] if low > 0 else -1.0
        right = weight[high + 1] if high + 1 < weight.size else -1.0
        low, high = (low - 1, high) if left >= right else (low, high + 1)
    return low, high


def coverage(auc: float, size: int, **options: Any) -> tuple[float, float]:
    """Return the exact coverage and the mean length for binormal scores, equal classes and the best threshold.

    The number of errors is then binomial and the interval depends on nothing else, so that no simulation is needed.
    """
    shift = math.sqrt(2.0) * float(special.ndtri(auc))
    weight = _binomial(2 * size, float(special.ndtr(-shift / 2)))
    covered = length = 0.0
    for k in np.flatnonzero(weight > 1e-7).tolist():
        low, high = cortes_mohri(size, size, k, **options)
        covered += weight[k] * (low <= auc <= high)
        length += weight[k] * (high - low)
    return covered, length


_VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Theorem 2, Chebyshev for E", {"error_interval": "chebyshev"}),
    ("Theorem 2, normal E", {"error_interval": "normal"}),
    ("the paper's ε_k", {"eps": "gaussian", "law": "binomial"}),
)


def _error_ranges() -> list[Check]:
    """Return the ranges of k in the pima row by both printed intervals for the error rate."""
    level = 1 - math.sqrt(1 - 0.05)
    total, k_0 = 368, 88
    checks = []
    for name, half in (
        ("chebyshev", 1 / (2 * math.sqrt(level * total))),
        ("normal", float(special.ndtri(1 - level / 2)) / (2 * math.sqrt(total))),
    ):
        ends = (math.floor(k_0 - total * half), math.ceil(k_0 + total * half))
        ours = cortes_mohri(136, 232, k_0, error_interval=name).k_range
        checks.append(
            claim(
                f"I_K of the pima row, E by {name}",
                published=f"{ends[0]} to {ends[1]}",
                ours=f"{ours[0]} to {ours[1]}",
                holds=ours == ends,
            )
        )
    return checks


def theorem_2() -> Found:
    """From the number of errors alone, an interval for the AUC at level 1 - ε.

    Both printed intervals for the error rate are recomputed. Then the interval is tried where its assumption (see
    Theorem 1) does not hold: binormal scores, 500 positives and 500 negatives, the best threshold. Given k the interval
    is fixed and k is binomial, so that the coverage is a sum, not a simulation.

    >>> import thresher as th
    >>> low, high = th.cortes_mohri(500, 500, 182, eps="gaussian", law="binomial")
    >>> round(low, 3), round(high, 3)       # the scores have AUC 0.9
    (0.77, 0.864)
    """
    checks = _error_ranges()
    rate = float(special.ndtr(-math.sqrt(2.0) * float(special.ndtri(0.9)) / 2))
    found = {
        (name, auc): coverage(auc, 500, **options)
        for name, options in _VARIANTS
        for auc in ((0.9,) if "ε" in name else (0.7, 0.9))
    }
    by_words = found["the paper's ε_k", 0.9][0]
    normal = found["Theorem 2, normal E", 0.9][0]
    checks.append(
        claim(
            "binormal scores with AUC 0.9, 500 + 500, the best threshold: coverage of 95% intervals",
            published="“a confidence interval of the AUC value of the classifier C at the confidence level 1 - ε”",
            ours=f"{by_words:.3f} with the paper's ε_k, {normal:.3f} with constant ε_k and a normal E",
            holds=by_words < 0.01 and normal < 0.5,
            status="assumption of the authors",
            why=(
                "The level holds under the assumption that the paper makes and names, rankings equally likely given k. "
                "These scores rank usefully on either side of the threshold: their AUC is 0.900 where the assumption "
                f"expects {1 - rate:.3f} (with equal classes, the balanced accuracy), and no sample is large enough to "
                "make that up."
            ),
        )
    )
    high = cortes_mohri(1500, 1500, round(3000 * rate), error_interval="chebyshev").high
    checks.append(
        claim(
            "the all-Chebyshev interval for the same scores, 1,500 + 1,500",
            published="the same statement",
            ours=f"upper end {high:.4f}, below the AUC of 0.9",
            holds=high < 0.9,
            status="assumption of the authors",
            why=(
                "It is so long that it covers at 1,000 cases, and short enough to miss from about 3,000 on; it closes "
                f"in on {1 - rate:.4f}, the balanced accuracy of these equal classes."
            ),
        )
    )
    rows = tuple((name, f"{auc:g}", f"{cover:.3f}", f"{width:.3f}") for (name, auc), (cover, width) in found.items())
    return Found(
        tuple(checks),
        tables=(
            Table(
                "Exact coverage of 95% intervals: binormal scores, 500 + 500, best threshold",
                ("Interval", "True AUC", "Coverage", "Mean length"),
                rows,
            ),
        ),
        pictures=(Picture("cortes-mohri-theorem-2", _CAPTION, _draw),),
    )


_CAPTION = (
    "Theorem 2 against the truth: binormal scores with AUC 0.9, equal classes, the expected number of errors. The "
    "intervals close in on the balanced accuracy (0.818), not on the AUC."
)


def _draw() -> Any:
    figure, axes = panels(1, 1, width=6.4, height=4.4)
    ax = plain_axes(axes[0, 0], x="Number of cases", y="AUC")
    rate = float(special.ndtr(-math.sqrt(2.0) * float(special.ndtri(0.9)) / 2))
    sizes = np.unique(np.geomspace(40, 100_000, 25).astype(int) // 2)
    for index, (name, options) in enumerate(_VARIANTS[:2]):
        ends = np.array([tuple(cortes_mohri(s, s, round(2 * s * rate), **options)) for s in sizes.tolist()])
        line(ax, 2 * sizes, ends[:, 0], index, label=f"95%: {name}")
        line(ax, 2 * sizes, ends[:, 1], index)
    ax.axhline(0.9, color="#000000", linewidth=1.6)
    ax.text(95_000, 0.912, "the AUC of the scorer, 0.9", fontsize=9.5, ha="right")
    ax.axhline(1 - rate, color="#6B6B6B", linewidth=1.2, linestyle=(0, (2, 2)))
    ax.text(45, 1 - rate - 0.037, "its balanced accuracy, 0.818", fontsize=9.5, color="#4d4d4d")
    ax.set_xscale("log")
    ax.set_ylim(0.3, 1.02)
    legend(ax, "lower right")
    return figure
