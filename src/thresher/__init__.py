"""ROC and precision-recall curves done right: count once, then look, measure, compare and decide."""

from thresher.exceptions import (
    InvalidInputError,
    InvalidTypeError,
    MissingDependencyError,
    ThresherError,
    ThresherWarning,
    UndefinedMetricError,
)

__all__ = [
    "InvalidInputError",
    "InvalidTypeError",
    "MissingDependencyError",
    "ThresherError",
    "ThresherWarning",
    "UndefinedMetricError",
]
