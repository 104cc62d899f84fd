"""With which confidence constraints are to hold, and for what."""

from __future__ import annotations

from fractions import Fraction

from thresher._core.checks import check_choice, check_confidence_level, check_count, show
from thresher._core.decimals import as_written
from thresher._core.values import value
from thresher._inference.rates import most_errors, most_errors_expected, most_errors_next
from thresher.exceptions import InvalidInputError

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
