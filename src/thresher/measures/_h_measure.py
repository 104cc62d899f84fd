"""Hand's H-measure: what a ranking saves of the cost of not knowing, over a distribution of costs."""

from __future__ import annotations

from typing import Any

from thresher._core.checks import check_prevalence, show
from thresher._core.values import value
from thresher._curves import HullBlocks
from thresher._inference.calibration import ProperScore, best_and_constant
from thresher.exceptions import InvalidInputError
from thresher.measures._hull_measure import HullMeasure
from thresher.measures._registry import measure

__all__ = ["HMeasure"]


@measure()
@value
class HMeasure(HullMeasure):
    """One minus the least expected cost over that of the better constant call, with costs from a beta distribution.

    0 for a useless ranking, 1 for a perfect one; unchanged by rising transformations of the scores. Scores are never
    reversed.

    Parameters
    ----------
    weight : "hand2014" or (a, b)
        The beta distribution of the cost of a false positive, as a share: with parameters 1 + prevalence and
        2 - prevalence (default), or given; (2, 2) is that of Hand (2009), (1, 1) that of the Brier score.
    severity : float, optional
        Instead: a beta distribution with parameters 2 and 1 + 1/severity, whose mode is severity / (1 + severity); the
        R package hmeasure takes prevalence / (1 - prevalence).
    prevalence : float, optional
        The proportion of positives to which it refers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("h_measure").value, 4)
    0.6951
    """

    weight: Any = "hand2014"
    severity: float | None = None
    prevalence: float | None = None

    name = "h_measure"
    aliases = ("hand",)
    label = "The H-measure"

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))
        if self.severity is not None and not (isinstance(self.severity, int | float) and self.severity > 0.0):
            raise InvalidInputError(f"`severity` must be positive; got {show(self.severity)}.")
        pair = isinstance(self.weight, tuple | list) and len(self.weight) == 2
        if self.weight != "hand2014" and not (pair and all(part > 0.0 for part in self.weight)):
            raise InvalidInputError(
                f"`weight` must be 'hand2014' or a pair of positive beta parameters; got {show(self.weight)}."
            )
        if pair:
            object.__setattr__(self, "weight", tuple(float(part) for part in self.weight))

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them; a pair of parameters is not a range."""
        named = self.options
        if "weight" in named:
            named["weight"] = "weight ({:g}, {:g})".format(*self.weight)
        return named

    @property
    def needs_balance(self) -> bool:
        """Whether it refers to the prevalence of the sample."""
        return self.prevalence is None

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the proportion of the constant call's cost that the ranking saves."""
        share = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
        if self.severity is not None:
            a, b = 2.0, 1.0 + 1.0 / self.severity
        elif self.weight == "hand2014":
            a, b = 1.0 + share, 2.0 - share
        else:
            a, b = self.weight
        best, constant = best_and_constant(ProperScore("beta", a, b), blocks, n_pos, n_neg, self.prevalence)
        return max(1.0 - best / constant, 0.0)
