"""A supposed test at a cut-off: the rates that are planned with, and the figures that follow from them."""

from __future__ import annotations

from thresher._core.checks import check_fraction, check_prevalence
from thresher._core.values import value
from thresher.exceptions import InvalidInputError

__all__ = ["SupposedCalls"]


@value
class SupposedCalls:
    """What a test is supposed to do at its cut-off, for planning a study of it.

    Parameters
    ----------
    tpr : float
        Supposed sensitivity, strictly between 0 and 1.
    fpr : float
        Supposed false positive rate: one minus the specificity, strictly between 0 and 1.
    prevalence : float, optional
        The proportion of positives among the cases of the study; predictive values and net benefit need it.

    See Also
    --------
    power : The power of a study of one test, or of two on the same cases.
    sample_size : How many cases such a study needs.

    Examples
    --------
    >>> import thresher as th
    >>> test = th.planning.SupposedCalls(tpr=0.9, fpr=0.2, prevalence=0.1)
    >>> round(test.precision, 4), round(test.npv, 4), test.lr_positive
    (0.3333, 0.9863, 4.5)
    >>> round(test.net_benefit(0.2), 3)
    0.045
    """

    tpr: float
    fpr: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name in ("tpr", "fpr"):
            rate = check_fraction(getattr(self, name), name)
            if not 0.0 < rate < 1.0:
                raise InvalidInputError(
                    f"`{name}` must be in (0, 1); got {rate:g}. Hint: a test that is never wrong needs no study; "
                    "suppose the worst rate that would still be welcome."
                )
            object.__setattr__(self, name, rate)
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    def _known(self, what: str) -> float:
        if self.prevalence is None:
            raise InvalidInputError(
                f"{what} must have a `prevalence` to refer to; got None. "
                "Hint: th.planning.SupposedCalls(tpr, fpr, prevalence)."
            )
        return self.prevalence

    @property
    def alert_rate(self) -> float:
        """The proportion of cases that are predicted positive."""
        share = self._known("An alert rate")
        return share * self.tpr + (1.0 - share) * self.fpr

    @property
    def precision(self) -> float:
        """The positive predictive value."""
        return self._known("A predictive value") * self.tpr / self.alert_rate

    @property
    def npv(self) -> float:
        """The negative predictive value."""
        return (1.0 - self._known("A predictive value")) * (1.0 - self.fpr) / (1.0 - self.alert_rate)

    @property
    def lr_positive(self) -> float:
        """The likelihood ratio of a positive call."""
        return self.tpr / self.fpr

    @property
    def lr_negative(self) -> float:
        """The likelihood ratio of a negative call."""
        return (1.0 - self.tpr) / (1.0 - self.fpr)

    def net_benefit(self, threshold_probability: float) -> float:
        """Return the net benefit at a threshold probability.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.SupposedCalls(0.8, 0.1, prevalence=0.5).net_benefit(0.5).__round__(3)
        0.35
        """
        cut = check_fraction(threshold_probability, "threshold_probability")
        if cut >= 1.0:
            raise InvalidInputError(
                "`threshold_probability` must be in [0, 1); got 1. Hint: nobody acts only on certainty."
            )
        share = self._known("Net benefit")
        return share * self.tpr - (1.0 - share) * cut / (1.0 - cut) * self.fpr
