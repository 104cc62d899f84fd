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
    """Base of all errors that thresher raises.

    Examples
    --------
    >>> import thresher as th
    >>> try:
    ...     th.Scores([0, 1, 1], [0.2, 0.5])
    ... except th.ThresherError as error:
    ...     print(error)
    `y_true` and `y_score` must have the same length; got 3 and 2. Hint: they are columns of the same rows.
    """


class InvalidInputError(ThresherError, ValueError):
    """A value breaks a documented rule.

    Examples
    --------
    >>> import thresher as th
    >>> try:
    ...     th.Scores([0, 1], [0.2, 0.5]).pr(prevalence=50)
    ... except th.InvalidInputError as error:
    ...     print(error)
    `prevalence` must be in (0, 1); got 50. Hint: pass 0.5, not a percentage.
    """


class InvalidTypeError(ThresherError, TypeError):
    """A value is of a type that cannot be used.

    Examples
    --------
    >>> import thresher as th
    >>> try:
    ...     th.Scores([0, 1], ["low", "high"])
    ... except th.InvalidTypeError as error:
    ...     print(error)
    `y_score` must be real numbers; got strings, first 'low'. Hint: convert the column to numbers first.
    """


class UndefinedMetricError(ThresherError, ValueError):
    """The metric is undefined for these data, for example because a class is missing.

    Examples
    --------
    >>> import thresher as th
    >>> try:
    ...     th.Scores([1, 1], [0.2, 0.5]).roc_auc()
    ... except th.UndefinedMetricError as error:
    ...     print(str(error).partition(" Hint")[0])
    The area under the ROC curve needs both classes; got 2 positives and 0 negatives.
    """


class MissingDependencyError(ThresherError, ModuleNotFoundError):
    """An optional library is not installed.

    Examples
    --------
    >>> import thresher as th
    >>> issubclass(th.MissingDependencyError, ModuleNotFoundError)
    True
    """


class SpillError(ThresherError, OSError):
    """Rows that do not fit in memory cannot be kept in the temporary folder.

    Examples
    --------
    >>> import thresher as th
    >>> issubclass(th.exceptions.SpillError, OSError)
    True
    """


class ThresherWarning(UserWarning):
    """Base of all warnings: an answer is true but may mislead.

    Examples
    --------
    >>> import warnings
    >>> import thresher as th
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", th.ThresherWarning)
    ...     interval = th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).roc_auc().confidence_interval(method="delong")
    >>> print(str(caught[0].message).partition(":")[0])
    The standard error of "delong" is 0 at 1
    """
