"""What an estimator says about rows: one column of scores for the positive class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._response import _get_response_values_binary

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError

__all__ = ["METHODS", "SECOND", "positive_class", "positive_scores", "response_methods"]

METHODS = ("auto", "predict_proba", "decision_function")

SECOND = "classes_[1]"
"""A `pos_label` that asks for what scikit-learn takes by default: of two classes the one that sorts last."""


def positive_class(classes: Any, pos_label: Any = None, *, remedy: str = "pass {}") -> Any:
    """Return which of two classes is positive: the one named, or the 1 or True of classes that are numbers of old."""
    found = np.asarray(classes).tolist()
    if pos_label is not None:
        if pos_label not in found:
            raise InvalidInputError(
                f"`pos_label` must be one of the classes; got {show(pos_label)}. Hint: they are {show(found)}."
            )
        return pos_label
    if found in ([0, 1], [-1, 1]):
        return classes[1]
    said = " or ".join(f"`pos_label={label!r}`" for label in found[:2])
    raise InvalidInputError(
        "The positive class must be named unless the classes are 0 and 1, False and True, or -1 and 1; got the classes "
        f"{show(found)}. Hint: {remedy.format(said)}."
    )


def response_methods(name: str) -> list[str]:
    """Return the methods to try, first things first."""
    return ["predict_proba", "decision_function"] if name == "auto" else [name]


def positive_scores(estimator: Any, X: Any, *, method: str = "auto", pos_label: Any = None) -> tuple[NDArray[Any], Any]:
    """Return scores of the positive class, larger meaning more positive, and that class."""
    classes = getattr(estimator, "classes_", None)
    if pos_label is None and classes is not None and len(classes) == 2:
        pos_label = positive_class(classes)
    scores, label = _get_response_values_binary(estimator, X, response_methods(method), pos_label=pos_label)
    return np.asarray(scores), label
