"""A user's own function of labels, scores and weights as a measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from thresher._core.values import value
from thresher._table import Batch, Counts
from thresher.exceptions import InvalidInputError
from thresher.measures._confusion import Confusion
from thresher.measures._measure import Direction, Measure, Span
from thresher.measures._registry import from_functions
from thresher.typing import FloatArray

_MOST_ROWS = 50_000_000


@value
class RowsFunction(Measure):
    """A function of labels and scores: ``metric(y_true, y_score)``, or with `sample_weight` if it takes that.

    Every function of the library takes it; intervals and tests resample. A function without `sample_weight` gets each
    row as often as it was drawn.

    Parameters
    ----------
    metric : callable
        Returns one number, from labels 0 and 1 and scores as numbers.
    direction : {"higher", "lower"}, default="higher"
        Which values are better.
    bounds_ : (float, float), optional
        The least and the greatest value it can have.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> def mean_distance(y_true, y_score):
    ...     return float(np.mean(np.abs(y_true - y_score)))
    >>> round(th.Scores([1, 0, 1], [0.75, 0.25, 0.5]).measure(mean_distance).value, 4)
    0.3333
    """

    metric: Callable[..., Any]
    direction: Direction = "higher"
    bounds_: Span = (-np.inf, np.inf)

    name = "function"
    label = "A function of the rows"
    classes = "either"
    intervals = ("bootstrap", "basic")

    @property
    def title(self) -> str:
        """The name of the function."""
        return str(getattr(self.metric, "__name__", type(self.metric).__name__))

    @property
    def shown(self) -> dict[str, Any]:
        """Nothing beside the name."""
        return {}

    @property
    def better(self) -> Direction:
        """Which values are better."""
        return self.direction

    @property
    def bounds(self) -> Span:
        """The least and the greatest value that it can have."""
        return self.bounds_

    def values(self, batch: Batch) -> FloatArray:
        """Return what the function says of each table."""
        own = np.asarray(batch.scores)
        scores = np.concatenate((own, own))
        labels = np.repeat((1, 0), batch.pos.shape[1])
        weighted = "sample_weight" in inspect.signature(self.metric).parameters
        out = np.empty(batch.pos.shape[0])
        for row, (pos, neg) in enumerate(zip(batch.pos, batch.neg, strict=True)):
            weight = np.concatenate((pos, neg))
            some = weight > 0.0
            if weighted:
                found = self.metric(labels[some], scores[some], sample_weight=weight[some])
            else:
                times = _times(weight[some], self.title)
                found = self.metric(np.repeat(labels[some], times), np.repeat(scores[some], times))
            out[row] = float(found)
        return out

    def of(self, table: Counts) -> float:
        """Return what the function says of the rows of a table."""
        return Measure.of(self, table)


def _times(weight: FloatArray, title: str) -> Any:
    times = np.rint(weight)
    if (np.abs(times - weight) > 1e-9 * times).any():
        raise InvalidInputError(
            f"{title!r} must take `sample_weight` to be used with weights; it does not. "
            "Hint: give the function a third parameter `sample_weight`."
        )
    if times.sum() > _MOST_ROWS:
        raise InvalidInputError(
            f"{title!r} must take `sample_weight` for so many rows; it got {times.sum():,.0f}. "
            "Hint: give the function a third parameter `sample_weight`."
        )
    return times.astype(np.intp)


from_functions(of_cells=Confusion, of_rows=RowsFunction)
