"""What an operating point guarantees beyond the sample on which it was chosen."""

from __future__ import annotations

from thresher._core.digits import beside_interval
from thresher._core.presented import Presented
from thresher._core.values import value


@value
class Guarantee(Presented):
    """The guarantee that comes with a threshold chosen with a `confidence`.

    Over repeated tuning samples the limits hold in the population, at the threshold chosen, with at least the
    probability `confidence`.

    Attributes
    ----------
    confidence : float or None
        The probability that was asked for; None for "expected", which guarantees a mean.
    kind : {"population", "next", "expected"}
        What keeps the limits: the population, the next `n_next` cases, or the mean over tuning samples.
    limits : dict
        The limits that are guaranteed, by name.
    method : str
        "order-statistic" (exact for any distribution, ties included), "fixed-sequence" (precision), or "approximate".
    most_misses, most_false_positives : int or None
        How many positives of the tuning data may be predicted negative, or negatives positive, for the guarantee.
    pvalue : float or None
        The largest p-value of the hypotheses that a limit is broken at this threshold.
    expected_recall : float
        The mean of the population's recall at such a threshold, for continuous scores.
    recall_interval : tuple of float
        The range that holds the population's recall in 95 of 100 tuning samples, for continuous scores.
    n_next : int or None
        The number of cases that "next" speaks of.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> point = th.Scores(data.y_true, data.logistic).choose_threshold(min_recall=0.9, confidence=0.95)
    >>> point.guarantee.most_misses, round(point.guarantee.expected_recall, 3), point.guarantee.method
    (10, 0.937, 'order-statistic')
    """

    confidence: float | None
    kind: str
    limits: dict[str, float]
    method: str
    most_misses: int | None
    most_false_positives: int | None
    pvalue: float | None
    expected_recall: float
    recall_interval: tuple[float, float]
    n_next: int | None = None

    def __repr__(self) -> str:
        listed = ", ".join(f"{name}={limit:g}" for name, limit in self.limits.items())
        who = {
            "population": "in the population",
            "next": f"among the next {self.n_next:,}" if self.n_next is not None else "",
            "expected": "on average over tuning samples",
        }[self.kind]
        sure = "" if self.confidence is None else f", confidence {self.confidence:g}"
        expected, low, high = beside_interval(*self.recall_interval, self.expected_recall)
        return f"Guarantee({listed} {who}{sure}, {self.method}; expected recall {expected}, 95% range {low} to {high})"
