"""Four pairs of score distributions from Hughes-Oliver (2018), with their exact curves, for coverage studies.

`fpr_at_recall(x)` is the false positive rate at the threshold that recall x needs; `draw(rng, n_pos, n_neg)` gives
scores of positives and of negatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from thresher._table import Counts

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    name: str
    pos: Callable[[np.random.Generator, int], Array]
    neg: Callable[[np.random.Generator, int], Array]
    fpr_at_recall: Callable[[Array], Array]
    recall_at_fpr: Callable[[Array], Array]

    def pr(self, recall: Array, skew: float) -> Array:
        return recall / (recall + skew * self.fpr_at_recall(recall))

    def draw(self, rng: np.random.Generator, n: int, skew: float, *, fixed: bool = False) -> Counts:
        """Return n cases, as many positives as the skew asks for, or a random number of them."""
        share = 1.0 / (1.0 + skew)
        n_pos = round(n * share) if fixed else int(rng.binomial(n, share))
        n_pos = min(max(n_pos, 1), n - 1)
        return Counts.from_pos_neg(self.pos(rng, n_pos), self.neg(rng, n - n_pos))


def _case_b_threshold(recall: Array) -> Array:
    # The positives are 8 - W with W lognormal(1.4, 1): the highest scores are the smallest W.
    return 8.0 - np.exp(1.4 + special.ndtri(recall))


CASES = {
    case.name: case
    for case in (
        Case(
            "A",
            lambda rng, k: rng.normal(1.4, 1.0, k),
            lambda rng, k: rng.normal(0.0, 1.0, k),
            lambda x: special.ndtr(special.ndtri(x) - 1.4),
            lambda x: special.ndtr(special.ndtri(x) + 1.4),
        ),
        Case(
            "B",
            lambda rng, k: 8.0 - np.exp(rng.normal(1.4, 1.0, k)),
            lambda rng, k: rng.normal(0.0, 1.0, k),
            lambda x: special.ndtr(-_case_b_threshold(x)),
            lambda x: special.ndtr(np.log(np.maximum(8.0 + special.ndtri(x), 1e-300)) - 1.4),
        ),
        Case(
            "C",
            lambda rng, k: rng.beta(5.0, 2.0, k),
            lambda rng, k: rng.beta(2.0, 5.0, k),
            # The two laws are mirror images: P(S- > t) = P(S+ < 1 - t), and t is 1 minus the x quantile of beta(2, 5).
            lambda x: special.betainc(5.0, 2.0, special.betaincinv(2.0, 5.0, x)),
            lambda x: special.betainc(2.0, 5.0, special.betaincinv(5.0, 2.0, x)),
        ),
        Case(
            "D",
            lambda rng, k: rng.uniform(0.5, 1.5, k),
            lambda rng, k: rng.uniform(0.0, 1.0, k),
            lambda x: np.maximum(0.0, x - 0.5),
            lambda x: np.minimum(1.0, x + 0.5),
        ),
    )
}
