"""Limits guaranteed by rows that have weights or belong together: by the independent equal cases they are worth.

The same tests as for counted cases, with real numbers in place of whole ones; approximate, and said to be.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._decide.promise import Promise, too_few
from thresher._decide.target import as_written
from thresher._inference.rates import binomial_cdf, mover_sum, score_statistic
from thresher._inference.sampling import Cells, effective_share, refuse_unknown
from thresher._table import Counts, cell_sample
from thresher.exceptions import InvalidInputError, UndefinedMetricError

__all__ = ["EffectivePromise"]

_KINDS = {
    "positives": (("tp",), ("tp", "fn")),
    "negatives": (("fp",), ("fp", "tn")),
    "cases": (("tp", "fp"), ("tp", "fp", "fn", "tn")),
    "calls": (("tp",), ("tp", "fp")),
}


class EffectivePromise:
    """The tests of a guarantee on a table with weights or clusters."""

    def __init__(self, counts: Counts, tp: NDArray[Any], fp: NDArray[Any], promise: Promise, parts: int) -> None:
        if promise.kind != "population":
            raise InvalidInputError(
                f"`guarantee` must be 'population' with weights or clusters; got {promise.kind!r}. "
                "Hint: the other two need whole counts of independent cases."
            )
        self.counts, self.tp, self.fp, self.promise, self.parts = counts, tp, fp, promise, parts
        self.delta = float(promise.delta / parts)

    def size(self, kind: str, cut: int) -> tuple[float, float]:
        """Return how many cases of a kind have the property at a cut, and of how many."""
        tp, fp = float(self.tp[cut]), float(self.fp[cut])
        weight = {"tp": tp, "fp": fp, "fn": float(self.tp[-1]) - tp, "tn": float(self.fp[-1]) - fp}
        threshold = math.nan if cut == 0 else float(self.counts.thresholds[cut - 1])
        sample = cell_sample(self.counts, threshold)
        if sample is None:
            raise InvalidInputError("An effective size needs weights or clusters.")
        refuse_unknown(sample)
        part, whole = _KINDS[kind]
        return effective_share(Cells(weight, sample), part, whole, self.promise.confidence or 0.95)

    def recall_points(self, limit: float) -> tuple[NDArray[np.bool_], NDArray[Any]]:
        """Return where a recall is guaranteed, and the p-values."""
        share = 1.0 - self.tp / self.tp[-1]
        cut = int(np.argmax(share <= 1.0 - limit))
        n = self.worth_at("positives", cut)
        chance = binomial_cdf(n * share, n, float(1 - as_written(limit)))
        if chance[-1] > self.delta:
            raise UndefinedMetricError(self._too_few("min_recall", limit, n, "positives"))
        return chance <= self.delta, chance

    def rate_points(
        self, name: str, limit: float, prevalence: float | None
    ) -> tuple[NDArray[np.bool_], NDArray[Any] | None]:
        """Return where a false positive rate or an alert rate is guaranteed, and the p-values where there are some."""
        if name == "max_alert_rate" and prevalence is not None:
            upper = mover_sum(*self._scaled(), prevalence, 1.0 - prevalence, 1.0 - 2.0 * self.delta)[1]
            return self._unbroken(upper <= limit), None
        errors, kind = (self.fp, "negatives") if name == "max_fpr" else (self.tp + self.fp, "cases")
        share = errors / errors[-1]
        cut = int(np.flatnonzero(share <= limit)[-1])
        n = self.worth_at(kind, cut)
        chance = binomial_cdf(n * share, n, float(as_written(limit)))
        return self._unbroken(chance <= self.delta), chance

    def precision_chances(self, walk: NDArray[np.intp], limit: float, prevalence: float | None) -> NDArray[Any]:
        """Return, at each cut of the walk, the p-value of the hypothesis that precision is below the limit."""
        if prevalence is not None:
            tp, n_pos, fp, n_neg = self._scaled()
            ratio = prevalence / (1.0 - prevalence) * (1.0 - limit) / limit
            return np.asarray(scipy.special.ndtr(score_statistic(fp[walk], n_neg, tp[walk], n_pos, ratio)))
        found = []
        for cut in walk.tolist():
            right, calls = self.size("calls", cut)
            # The case at the threshold is not counted: it may have been chosen for being right.
            right, calls = max(right - 1.0, 0.0), max(calls - 1.0, 0.0)
            found.append(scipy.special.betainc(right, calls - right + 1.0, limit) if right > 0.0 else 1.0)
        return np.array(found)

    def alerts(self) -> NDArray[Any]:
        """Return the calls at each cut, in cases of equal weight."""
        total = self.tp + self.fp
        worth = self.worth_at("cases", self.tp.size // 2)
        return np.asarray(np.floor(total / total[-1] * worth))

    def _all(self) -> float:
        """Return what all rows are worth, whatever they belong to."""
        pos, neg = float(self.tp[-1]), float(self.fp[-1])
        return (pos + neg) ** 2 / (pos**2 / self.counts.effective_pos + neg**2 / self.counts.effective_neg)

    @staticmethod
    def _unbroken(kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the points from the empty call down to the first that fails."""
        kept = kept.copy()
        kept[0] = True
        return np.asarray(np.logical_and.accumulate(kept))

    def _too_few(self, name: str, limit: float, n: float, whose: str) -> str:
        whose = f"independent {whose} of equal weight"
        return too_few(name, limit, int(n), whose, as_written(limit), self.promise, self.parts)

    def worth_at(self, kind: str, cut: int) -> float:
        """Return how many cases of a kind the rows are worth at a cut."""
        most = {"positives": self.counts.effective_pos, "negatives": self.counts.effective_neg}.get(kind, self._all())
        return min(self.size(kind, min(max(cut, 1), self.tp.size - 1))[1], most)

    def _scaled(self) -> tuple[NDArray[Any], float, NDArray[Any], float]:
        middle = self.tp.size // 2
        n_pos = self.worth_at("positives", middle)
        n_neg = self.worth_at("negatives", middle)
        return self.tp / self.tp[-1] * n_pos, n_pos, self.fp / self.fp[-1] * n_neg, n_neg
