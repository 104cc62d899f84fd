"""Search systems compared on the same queries: the mean of each with the covariance over queries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thresher._compare import Estimates
from thresher._core.checks import show, warn
from thresher._groups import GroupedEstimate
from thresher._inference.sampling import Moments, Stratum
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure
from thresher.queries._lists import RankedLists

__all__ = ["compare_systems"]

_FEW = 10


def compare_systems(
    runs: Mapping[str, RankedLists],
    metric: str | Measure = "average_precision",
    *,
    depth: int | None = None,
    persistence: float | None = None,
) -> Estimates:
    """Return the mean of a metric over queries for several systems, with their covariance.

    Parameters
    ----------
    runs : mapping of str to RankedLists
        What each system returned, with the same judgements.
    metric, depth, persistence
        As in `RankedLists.by_query`.

    Returns
    -------
    Estimates
        Queries are the sample: ``.difference(a, b)`` is the paired t test over queries, ``.simultaneous()`` has the
        intervals of all pairs with p values adjusted by the largest of all statistics, which is what Tukey's method
        does for equal variances, and by Holm's method; ``.ranking()`` says which system may be the best.

    Warns
    -----
    ThresherWarning
        When there are fewer than ten queries.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> query, document = np.repeat([f"q{i}" for i in range(20)], 10), np.arange(200).astype(str)
    >>> relevant, judged = rng.random(200) < 0.3, np.ones(200, dtype=bool)
    >>> unseen = dict.fromkeys(np.unique(query).tolist(), 0)
    >>> new, old = (
    ...     th.queries.RankedLists(query, document, rng.normal(size=200) + lift * relevant, relevant, judged, unseen)
    ...     for lift in (2.0, 0.5)
    ... )
    >>> found = th.queries.compare_systems({"new": new, "old": old}, "ndcg", depth=5)
    >>> found
    2 estimates of nDCG@5, 95% intervals
      new  0.868 (0.771 to 0.928)
      old  0.56 (0.41 to 0.69)
    >>> found.difference("new", "old").pvalue < 0.05
    True
    """
    if not isinstance(runs, Mapping) or not all(isinstance(one, RankedLists) for one in runs.values()):
        raise InvalidTypeError(
            f"`runs` must map names to RankedLists; got {show(runs)}. Hint: `read_trec` returns one."
        )
    if len(runs) < 2:
        raise InvalidInputError(f"`runs` must hold two systems or more; got {len(runs)}. Hint: `by_query` is for one.")
    found = {name: one.by_query(metric=metric, depth=depth, persistence=persistence) for name, one in runs.items()}
    first = next(iter(found.values()))
    for name, one in found.items():
        if not np.array_equal(np.sort(one.groups), np.sort(first.groups)):
            raise InvalidInputError(
                f"Every system must have a value for the same queries; {name!r} has {one.groups.size} and "
                f"{next(iter(found))!r} {first.groups.size}. Hint: read all runs with the same judgements."
            )
    return of_queries(found, first)


def of_queries(found: Mapping[str, GroupedEstimate], first: GroupedEstimate) -> Estimates:
    """Return the means over the same queries."""
    matrix = np.stack([one.values[np.argsort(one.groups)] for one in found.values()], axis=1)
    size = matrix.shape[0]
    if size < 2:
        raise InvalidInputError(f"A comparison of systems needs two queries or more; got {size}.")
    if size < _FEW:
        warn(f"There are {size} queries; a t test with so few is rough. Hint: collect at least {_FEW}.")
    columns = (matrix - matrix.mean(axis=0)) / np.sqrt(size * (size - 1.0))
    covariance = columns.T @ columns
    k = matrix.shape[1]
    strata = (Stratum(float(size), np.arange(k), covariance),)
    none = np.zeros(k)
    return Estimates(tuple(found), matrix.mean(axis=0), (first.measure,) * k, none, none, Moments(covariance, strata))
