"""The cases that guarantee a limit: counted ones, exactly, or those that weighted or clustered rows are worth."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._decide.guarantee_refused import too_few
from thresher._decide.guarantee_terms import GuaranteeTerms
from thresher._inference.rates import binomial_cdf, mover_sum, score_statistic
from thresher._inference.sampling import Cells, effective_share, refuse_unknown
from thresher._table import Counts, cell_sample, padded_counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError

Kept = tuple[NDArray[np.bool_], NDArray[Any] | None, int | None]
"""Which points keep a limit, the p-values, and the most errors allowed, if there are such numbers."""

_KINDS = {
    "positives": (("tp",), ("tp", "fn")),
    "negatives": (("fp",), ("fp", "tn")),
    "cases": (("tp", "fp"), ("tp", "fp", "fn", "tn")),
    "calls": (("tp",), ("tp", "fp")),
}
_KIND_OF = {"min_recall": "positives", "max_fpr": "negatives", "max_alert_rate": "cases"}


def cases_of(counts: Counts, terms: GuaranteeTerms, parts: int) -> GuaranteeCases:
    """Return the cases behind a table."""
    return (GuaranteeCases if counts._plain_rows else EffectiveCases)(counts, terms, parts)


class GuaranteeCases:
    """Counted cases, with the exact tests of limits at one of `parts` equal parts of the level."""

    exact = True

    def __init__(self, counts: Counts, terms: GuaranteeTerms, parts: int) -> None:
        self.counts, self.terms, self.parts = counts, terms, parts
        self.tp, self.fp = padded_counts(counts)
        self.delta = float(terms.delta / parts)

    def points(self, name: str, limit: Fraction, prevalence: float | None) -> Kept:
        """Return where a recall, a false positive rate or an alert rate is guaranteed."""
        if name == "max_alert_rate" and prevalence is not None:
            upper = mover_sum(*self._scaled(), prevalence, 1.0 - prevalence, 1.0 - 2.0 * self.delta)[1]
            return _unbroken(upper <= float(limit)), None, None
        return self._points(name, limit)

    def _points(self, name: str, limit: Fraction) -> Kept:
        rate = 1 - limit if name == "min_recall" else limit
        errors, total = self._errors(name)
        most = self.terms.most(int(total), rate, self.parts)
        if name == "min_recall" and most < 0:
            raise self._too_few(limit, total, "positives")
        return np.asarray(errors <= most), binomial_cdf(errors, int(total), float(rate)), most

    def _errors(self, name: str) -> tuple[NDArray[Any], Any]:
        """Return how many cases are errors at each point, and of how many."""
        if name == "min_recall":
            return self.tp[-1] - self.tp, self.tp[-1]
        errors = self.fp if name == "max_fpr" else self.tp + self.fp
        return errors, errors[-1]

    def _too_few(self, limit: Fraction, n: float, whose: str) -> UndefinedMetricError:
        return UndefinedMetricError(too_few("min_recall", float(limit), int(n), whose, limit, self.terms, self.parts))

    def precision_chances(self, walk: NDArray[np.intp], limit: float, prevalence: float | None) -> NDArray[Any]:
        """Return, at each point of the walk, the p-value of the hypothesis that precision is below the limit."""
        if prevalence is None:
            return self._precision_chances(walk, limit)
        tp, n_pos, fp, n_neg = self._scaled()
        ratio = prevalence / (1.0 - prevalence) * (1.0 - limit) / limit
        return np.asarray(scipy.special.ndtr(score_statistic(fp[walk], n_neg, tp[walk], n_pos, ratio)))

    def _precision_chances(self, walk: NDArray[np.intp], limit: float) -> NDArray[Any]:
        # The case whose own score is the threshold does not count where it stands alone.
        called, tp = self.tp + self.fp, self.tp[walk]
        alone = called[walk] - called[walk - 1] == 1
        calls, right = called[walk] - alone, tp - np.where(alone, tp - self.tp[walk - 1], 0)
        return np.asarray(1.0 - binomial_cdf(right - 1.0, calls, limit))

    def calls(self) -> NDArray[Any]:
        """Return the calls at each point."""
        return self.tp + self.fp

    def size(self, kind: str, cut: int) -> tuple[float, float]:
        """Return how many cases of a kind have the property at a cut, and of how many."""
        part, whole = _KINDS[kind]
        cells = self._cells(cut)
        return sum(cells[cell] for cell in part), sum(cells[cell] for cell in whole)

    def worth_at(self, kind: str, cut: int) -> float:
        """Return how many cases of a kind there are."""
        return self.size(kind, cut)[1]

    def _cells(self, cut: int) -> dict[str, float]:
        tp, fp = float(self.tp[cut]), float(self.fp[cut])
        return {"tp": tp, "fp": fp, "fn": float(self.tp[-1]) - tp, "tn": float(self.fp[-1]) - fp}

    def _scaled(self) -> tuple[NDArray[Any], float, NDArray[Any], float]:
        return self.tp, float(self.tp[-1]), self.fp, float(self.fp[-1])


class EffectiveCases(GuaranteeCases):
    """The independent cases of equal weight that rows are worth: the same tests with real numbers, approximate."""

    exact = False

    def __init__(self, counts: Counts, terms: GuaranteeTerms, parts: int) -> None:
        if terms.kind != "population":
            raise InvalidInputError(
                f"`guarantee` must be 'population' with weights or clusters; got {terms.kind!r}. "
                "Hint: the other two need whole counts of independent cases."
            )
        super().__init__(counts, terms, parts)

    def _points(self, name: str, limit: Fraction) -> Kept:
        if name == "min_recall":
            share, bound, rate = 1.0 - self.tp / self.tp[-1], 1.0 - float(limit), float(1 - limit)
            cut = int(np.argmax(share <= bound))
        else:
            errors, total = self._errors(name)
            share, rate = errors / total, float(limit)
            cut = int(np.flatnonzero(share <= rate)[-1])
        n = self.worth_at(_KIND_OF[name], cut)
        chance = binomial_cdf(n * share, n, rate)
        if name != "min_recall":
            return _unbroken(chance <= self.delta), chance, None
        if chance[-1] > self.delta:
            raise self._too_few(limit, n, "independent positives of equal weight")
        return chance <= self.delta, chance, None

    def _precision_chances(self, walk: NDArray[np.intp], limit: float) -> NDArray[Any]:
        found = []
        for cut in walk.tolist():
            # The case at the threshold is not counted: it may have been chosen for being right.
            right, calls = (max(number - 1.0, 0.0) for number in self.size("calls", cut))
            found.append(scipy.special.betainc(right, calls - right + 1.0, limit) if right > 0.0 else 1.0)
        return np.array(found)

    def calls(self) -> NDArray[Any]:
        """Return the calls at each point, in cases of equal weight."""
        total = self.tp + self.fp
        return np.asarray(np.floor(total / total[-1] * self.worth_at("cases", self.tp.size // 2)))

    def size(self, kind: str, cut: int) -> tuple[float, float]:
        """Return how many cases of a kind have the property at a cut, and of how many."""
        sample = cell_sample(self.counts, math.nan if cut == 0 else float(self.counts.thresholds[cut - 1]))
        if sample is None:
            raise InvalidInputError("An effective size needs weights or clusters.")
        refuse_unknown(sample)
        return effective_share(Cells(self._cells(cut), sample), *_KINDS[kind], self.terms.confidence or 0.95)

    def worth_at(self, kind: str, cut: int) -> float:
        """Return how many cases of a kind the rows are worth at a cut."""
        most = {"positives": self.counts.effective_pos, "negatives": self.counts.effective_neg}.get(kind, self._all())
        return min(self.size(kind, min(max(cut, 1), self.tp.size - 1))[1], most)

    def _all(self) -> float:
        """Return what all rows are worth, whatever they belong to."""
        pos, neg = float(self.tp[-1]), float(self.fp[-1])
        return (pos + neg) ** 2 / (pos**2 / self.counts.effective_pos + neg**2 / self.counts.effective_neg)

    def _scaled(self) -> tuple[NDArray[Any], float, NDArray[Any], float]:
        n_pos, n_neg = (self.worth_at(kind, self.tp.size // 2) for kind in ("positives", "negatives"))
        return self.tp / self.tp[-1] * n_pos, n_pos, self.fp / self.fp[-1] * n_neg, n_neg


def _unbroken(kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the points from the empty call down to the first that fails."""
    kept = kept.copy()
    kept[0] = True
    return np.asarray(np.logical_and.accumulate(kept))
