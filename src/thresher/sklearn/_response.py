"""What an estimator says about rows: one column of scores for the positive class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._response import _get_response_values_binary

__all__ = ["METHODS", "positive_scores", "response_methods"]

METHODS = ("auto", "predict_proba", "decision_function")


def response_methods(name: str) -> list[str]:
    """Return the methods to try, first things first."""
    return ["predict_proba", "decision_function"] if name == "auto" else [name]


def positive_scores(estimator: Any, X: Any, *, method: str = "auto", pos_label: Any = None) -> tuple[NDArray[Any], Any]:
    """Return scores of the positive class, larger meaning more positive, and that class."""
    scores, label = _get_response_values_binary(estimator, X, response_methods(method), pos_label=pos_label)
    return np.asarray(scores), label
