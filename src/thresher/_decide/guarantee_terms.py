"""With which confidence constraints are to hold, for what, and what is said if a guarantee cannot be given."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_confidence_level, check_count, show, warn
from thresher._core.decimals import as_written
from thresher._core.values import value
from thresher._decide.target import Target
from thresher._inference.rates import most_errors, most_errors_expected, most_errors_next, trials_needed
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError

KINDS = ("population", "next", "expected")


@value
class GuaranteeTerms:
    """How surely constraints hold, and for what: the population, the next cases, or the mean over samples."""

    confidence: float | None
    kind: str = "population"
    n_next: int | None = None

    @property
    def delta(self) -> Fraction:
        """The proportion of tuning samples in which the guarantee may fail."""
        return Fraction(0) if self.confidence is None else 1 - as_written(self.confidence)

    def most(self, total: int, share: Fraction, parts: int) -> int:
        """Return how many errors among `total` the guarantee allows, at one of `parts` equal parts of its level."""
        if self.kind == "expected":
            return most_errors_expected(total, share)
        if self.kind == "next" and self.n_next is not None:
            return most_errors_next(total, share, self.delta / parts, self.n_next)
        return most_errors(total, share, self.delta / parts)


def guarantee_terms(confidence: float | None, guarantee: str, n_next: int | None) -> GuaranteeTerms | None:
    """Check the three arguments; None if nothing is to be guaranteed."""
    check_choice(guarantee, "guarantee", KINDS)
    if (guarantee == "next") != (n_next is not None):
        raise InvalidInputError(
            f"`n_next` must be given with guarantee='next' and with nothing else; got {show(n_next)} with "
            f"{guarantee!r}. "
            "Hint: it is the number of cases of the limit's class that will come."
        )
    if guarantee == "expected":
        if confidence is not None:
            raise InvalidInputError(
                f"`confidence` must be left out with guarantee='expected', which guarantees a mean; "
                f"got {show(confidence)}."
            )
        return GuaranteeTerms(None, "expected")
    if confidence is None:
        if guarantee == "next":
            raise InvalidInputError("`confidence` must be given with guarantee='next'; got None. Hint: 0.95 is usual.")
        return None
    level = check_confidence_level(confidence, "confidence")
    return GuaranteeTerms(level, guarantee, None if n_next is None else check_count(n_next, "n_next", minimum=1))


def floor_text(number: float) -> str:
    """Return a share with three digits, rounded down so that what the message offers can be had."""
    unit = 10.0 ** max(3, 1 - math.floor(math.log10(max(1.0 - number, 1e-12))))
    return f"{math.floor(number * unit) / unit:.12g}"


def ceil_text(number: float) -> str:
    unit = 10.0 ** max(3, 1 - math.floor(math.log10(max(number, 1e-12))))
    return f"{math.ceil(number * unit) / unit:.12g}"


def too_few(name: str, limit: float, got: int, whose: str, keep: Fraction, terms: GuaranteeTerms, parts: int) -> str:
    """Say how many are needed, and what the given ones guarantee. `keep` is the rate that must not be in error."""
    split = f" (each of {parts} limits at {float(1 - terms.delta / parts):g})" if parts > 1 else ""
    if terms.kind == "expected":
        needed = math.ceil(keep / (1 - keep)) if keep < 1 else 0
        best = got / (got + 1.0)
        what = f"`{name}={limit:g}` on average"
        other = ""
    elif terms.kind == "next":
        return (
            f"`{name}={limit:g}` among the next {terms.n_next:,} with confidence {terms.confidence:g}{split} "
            f"cannot be guaranteed with {got:,} {whose}, not even without an error among them. "
            f"Hint: collect more {whose}, speak of more cases, or ask for less."
        )
    else:
        delta = float(terms.delta / parts)
        needed = trials_needed(1 - keep, terms.delta / parts) if keep < 1 else 0
        best = delta ** (1.0 / got)
        what = f"`{name}={limit:g}` with confidence {terms.confidence:g}{split}"
        sure = 1.0 - parts * float(keep) ** got
        other = f", or confidence {floor_text(sure)}" if sure > 0.0 else ""
    if keep == 1:
        return f"`{name}={limit:g}` cannot be guaranteed with confidence: no number of {whose} proves it."
    rate = f"recall {floor_text(best)}" if name == "min_recall" else f"a rate of {ceil_text(1.0 - best)}"
    return (
        f"{what} needs at least {needed:,} {whose}; got {got:,}. Hint: collect {needed - got:,} more, "
        f"or ask for {rate} (the best that {got:,} can guarantee){other}."
    )


def nothing_called(got: int, target: Target, terms: GuaranteeTerms, parts: int, *, alone: bool) -> None:
    """Warn that only the empty prediction satisfies the constraints; refuse if more is asked."""
    name = "max_fpr" if "max_fpr" in target.limits else "max_alert_rate"
    limit = as_written(target.limits[name])
    whose = "negatives" if name == "max_fpr" else "cases"
    if limit > 0 and terms.most(got, limit, parts) < 0:
        text = too_few(name, float(limit), got, whose, 1 - limit, terms, parts)
    else:
        text = f"No score of the data satisfies `{name}={float(limit):g}` with this confidence."
    if not alone:
        raise UndefinedMetricError(text)
    warn(f"Only the threshold that predicts nothing positive satisfies the constraint. {text}")


def precision_error(
    right: float, calls: float, target: Target, terms: GuaranteeTerms, delta: float
) -> UndefinedMetricError:
    limit = target.limits["min_precision"]
    words = f"`min_precision={limit:g}` with confidence {terms.confidence:g} cannot be guaranteed"
    if target.prevalence is not None:
        return UndefinedMetricError(
            f"{words} at prevalence {target.prevalence:g}: the first {calls:,.0f} predicted positives do not show it. "
            "Hint: ask for less, or collect more cases."
        )
    best = float(scipy.special.betaincinv(right, calls - right + 1.0, delta)) if right else 0.0
    return UndefinedMetricError(
        f"{words}: of the first {calls:,.0f} predicted positives {right:,.0f} are positive. "
        f"Hint: they can guarantee {floor_text(best)}; ask for less, or collect more positives."
    )


def apart(
    counts: Counts, high: NDArray[np.bool_], low: NDArray[np.bool_], target: Target, downward: list[str]
) -> UndefinedMetricError:
    scores = counts.thresholds
    top = f"{float(scores[int(np.flatnonzero(high)[0]) - 1]):.6g}" if high.any() else "-inf"
    kept = np.flatnonzero(low)
    bottom = "+inf" if kept[-1] == 0 else f"{float(scores[int(kept[-1]) - 1]):.6g}"
    others = " and ".join(f"`{name}={target.limits[name]:g}`" for name in downward)
    return UndefinedMetricError(
        "No threshold satisfies all constraints with this confidence: "
        f"`min_recall={target.limits['min_recall']:g}` needs a threshold of at most {top}, {others} one of at least "
        f"{bottom}. "
        "Hint: relax one of them, or collect more cases."
    )
