"""What `time_dependent` is given, checked: horizons, the scores of models, known probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_scores, as_vector, frozen, unequal
from thresher._core.checks import show
from thresher._table import Outcome
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, FloatArray, ScoreArray


def read_horizons(times: ArrayLike) -> FloatArray:
    """Return the horizons: finite and different."""
    found = np.atleast_1d(np.asarray(as_vector(times, "times") if np.ndim(times) else [times], dtype=np.float64))
    if not np.isfinite(found).all() or np.unique(found).size != found.size:
        raise InvalidInputError(
            f"`times` must be finite and different; got {show(found.tolist())}. Hint: `np.unique(times)`."
        )
    return found


def read_models(scores: Any) -> Mapping[str, Any]:
    """Return the scores by the name of their model."""
    if isinstance(scores, Mapping):
        if not scores or not all(isinstance(name, str) for name in scores):
            raise InvalidTypeError(
                f"`scores` must map names to scores; got {show(list(scores))}. Hint: names are text."
            )
        return scores
    return {"score": scores}


def score_columns(values: Any, name: str, rows: Outcome, order: NDArray[np.intp]) -> tuple[ScoreArray, ...]:
    """Return the scores of a model: one column, or one for each horizon."""
    label = "scores" if name == "score" else f"scores[{name!r}]"
    if np.ndim(values) == 2 and not hasattr(values, "columns"):
        wide = np.asarray(values)
        if wide.shape[1] != order.size:
            raise InvalidInputError(
                f"`{label}` must have one column, or one for each of {order.size} horizons; got {wide.shape[1]}. "
                "Hint: predict the risk at `times`."
            )
        found = [as_scores(wide[:, k], label) for k in order.tolist()]
    else:
        found = [as_scores(values, label)]
    for column in found:
        if column.size != rows.before:
            raise unequal(label, column.size, "time", rows.before)
    return tuple(frozen(rows.of_given(column.copy())) for column in found)


def with_known(at: list[Outcome], censoring: Any, rows: Outcome, order: NDArray[np.intp]) -> list[Outcome]:
    """Return the rows at each horizon with the probabilities of not being censored that were given."""
    known = np.asarray(censoring, dtype=np.float64)
    if known.shape != (rows.before, order.size):
        raise InvalidInputError(
            f"`censoring` must be 'kaplan-meier' or of shape ({rows.before}, {order.size}), a column for each horizon; "
            f"got shape {known.shape}."
        )
    out = []
    for one, k in zip(at, order.tolist(), strict=True):
        column = rows.of_given(known[:, k])
        if not ((column[one.kept] > 0.0) & (column[one.kept] <= 1.0)).all():
            raise InvalidInputError(
                "`censoring` must be probabilities of not being censored, in (0, 1]. Hint: element (i, k) is G just "
                "before the smaller of the row's time and horizon k."
            )
        out.append(one.at(one.horizon, frozen(column)))
    return out
