"""What choosing a threshold and measuring at it on the same rows overstates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from thresher._cells import find
from thresher._cells.optimism import chosen_on_resamples, optimism_of, spares_negatives
from thresher._core.checks import check_confidence_level, check_resamples
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented
from thresher._core.random_streams import Rng, stream_key
from thresher._core.result_bases import Numeric
from thresher._core.values import value
from thresher._curves.operating_point import NOT_CHOSEN
from thresher._decide.target import Target
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Confusion
from thresher.typing import BoolArray, FloatArray

_AT_ONCE = 64

AllowedByTarget = Callable[[FloatArray, FloatArray, Target], BoolArray]
"""Which points keep the constraints of a target, from cumulative counts."""


@value(repr=False)
class Optimism(Numeric, Presented):
    """A metric at a threshold that was chosen on the same rows, corrected for the choice.

    Attributes
    ----------
    value : float
        The metric without the optimism.
    low, high : float
        The interval for what this threshold does in the population.
    apparent : float
        The metric on the rows on which the threshold was chosen.
    optimism : float
        By how much that is larger than on other rows, on average over resamples.
    metric : str
        What was optimised, under which constraints.
    confidence_level : float
        Of the interval.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Scores(data.y_true, data.tree).choose_threshold("mcc").optimism(rng=0)
    >>> found.value < found.apparent, found.low < found.value < found.high
    (True, True)
    """

    value: float
    low: float
    high: float
    apparent: float
    optimism: float
    metric: str
    confidence_level: float

    def __repr__(self) -> str:
        shown, apparent, low, high = beside_interval(self.low, self.high, self.value, self.apparent)
        return (
            f"{self.metric}: {shown} corrected, {self.confidence_level * 100:g}% interval {low} to {high}; {apparent} "
            f"on the rows that chose the threshold (optimism {self.optimism:.2g})"
        )


@value(repr=False)
class Choice:
    """How a point was chosen; with `counts` and what its constraints allow it can be repeated on resamples."""

    target: Target
    threshold: float = math.nan
    counts: Counts | None = None
    allowed: AllowedByTarget | None = None

    def __str__(self) -> str:
        return self.target.described()

    def optimism(self, *, confidence_level: float, n_resamples: int, rng: Rng) -> Optimism:
        """Return the metric without what choosing on the same rows added to it."""
        level, total = check_confidence_level(confidence_level), check_resamples(n_resamples)
        target, counts, allows = self.target, self.counts, self.allowed
        if counts is None or allows is None:
            raise InvalidInputError(NOT_CHOSEN)
        if math.isnan(self.threshold):
            raise UndefinedMetricError("A point that predicts nothing positive has no metric to correct.")
        goal = target.goal
        free = goal.free or target.prevalence is not None

        def allowed(tp: FloatArray, fp: FloatArray) -> BoolArray:
            return np.array([allows(a, b, target) for a, b in zip(tp, fp, strict=True)])

        found = chosen_on_resamples(
            goal,
            counts.pos,
            counts.neg,
            _resampled(counts, total, rng, stratified=free),
            maximize=target.maximize,
            allowed=allowed if target.limits else None,
            steady=all(
                name == "max_alerts" or spares_negatives(find(name[4:]), more=name.startswith("min"))
                for name in target.limits
            ),
            prevalence=target.prevalence,
        )
        excess = optimism_of(found)
        if math.isnan(excess):
            raise UndefinedMetricError("No resample has a threshold that satisfies the constraints. Hint: relax them.")
        options: dict[str, Any] = dict(target.options)
        measure = Confusion(target.metric, self.threshold, target.prevalence, **options)
        estimate = measure.estimate(counts)
        found_at = np.array([estimate.value, *estimate.confidence_interval(level)])
        value, low, high = np.clip(found_at - excess, *goal.bounds).tolist()
        return Optimism(value, low, high, estimate.value, excess, target.described(), level)


def _resampled(counts: Counts, total: int, rng: Rng, *, stratified: bool) -> Iterator[tuple[Any, Any]]:
    draws, key = sampling_of(counts).draws(counts, "scores", None, stratified=stratified), stream_key(rng)
    for first in range(0, total, _AT_ONCE):
        yield draws.draw(key, first, min(_AT_ONCE, total - first))
