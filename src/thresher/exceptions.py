"""Errors and warnings.

Every message gives the rule, the value that broke it and the remedy.

Examples
--------
>>> import thresher as th
>>> try:
...     th.Scores([0, 1], [0.2, float("nan")])
... except th.ThresherError as error:
...     print(error)
`y_score` must not contain NaN; got NaN in 1 of 2 rows, first at row 1. Hint: remove those rows or give them a score; \
+inf and -inf are legal scores.
"""

__all__ = [
    "InvalidInputError",
    "InvalidTypeError",
    "MissingDependencyError",
    "SpillError",
    "ThresherError",
    "ThresherWarning",
    "UndefinedMetricError",
]


class ThresherError(Exception):
    """Base of all errors that thresher raises."""


class InvalidInputError(ThresherError, ValueError):
    """A value breaks a documented rule."""


class InvalidTypeError(ThresherError, TypeError):
    """A value is of a type that cannot be used."""


class UndefinedMetricError(ThresherError, ValueError):
    """The quantity does not exist for these data, as when a class is missing."""


class MissingDependencyError(ThresherError, ModuleNotFoundError):
    """An optional library is not installed."""


class SpillError(ThresherError, OSError):
    """Rows that do not fit in memory cannot be kept in the temporary folder."""


class ThresherWarning(UserWarning):
    """Base of all warnings: an answer is true but may mislead."""
