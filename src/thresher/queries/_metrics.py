"""Metrics of one ranked list: a query's documents in the order of their scores, with their grades of relevance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_count, check_fraction, show
from thresher._core.json_state import travels
from thresher._core.values import value
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure
from thresher.typing import FloatArray


class ListGroups(NamedTuple):
    """The documents returned for a query, grouped by score, the highest first; and what the judges know besides.

    Attributes
    ----------
    size, relevant, gain, other : array of shape (groups,)
        Documents of each group: how many, how many are relevant, the sum of their grades, how many were judged not
        relevant.
    ideal : array
        The grades of all relevant documents, returned or not, the highest first.
    n_other : int
        How many documents were judged not relevant, returned or not.
    """

    size: NDArray[np.int64]
    relevant: NDArray[np.int64]
    gain: FloatArray
    other: NDArray[np.int64]
    ideal: FloatArray
    n_other: int

    @property
    def start(self) -> NDArray[np.int64]:
        """How many documents stand above each group."""
        return np.cumsum(self.size) - self.size


def list_groups(
    scores: FloatArray,
    grade: FloatArray,
    judged: NDArray[np.bool_],
    ideal: FloatArray,
    n_other: int,
    least: float = 0.0,
) -> ListGroups:
    """Return a query's list; documents of a grade above `least` are relevant."""
    _, place = np.unique(-scores, return_inverse=True)
    place = place.reshape(-1)
    relevant = grade > least
    groups = int(place.max()) + 1 if place.size else 0

    def count(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(place[rows], minlength=groups).astype(np.int64)

    gain = np.bincount(place, np.where(relevant, grade, 0.0), groups).astype(np.float64)
    every = np.ones(place.size, dtype=np.bool_)
    best = np.sort(np.asarray(ideal, dtype=np.float64))[::-1]
    return ListGroups(count(every), count(relevant), gain, count(judged & ~relevant), best, n_other)


def _discounted(found: ListGroups, weight: Callable[[NDArray[np.int64]], FloatArray], values: FloatArray) -> float:
    """Return the sum over ranks of weight times value; documents of a group share the mean of their weights."""
    ranks = np.arange(1, int(found.size.sum()) + 1)
    weights = np.add.reduceat(weight(ranks), found.start) if ranks.size else np.zeros(0)
    return math.fsum((weights * values / found.size).tolist())


def _until(depth: int | None, each: Callable[[NDArray[np.int64]], FloatArray]) -> Callable[..., FloatArray]:
    def cut(ranks: NDArray[np.int64]) -> FloatArray:
        return np.asarray(np.where(ranks <= (ranks.size if depth is None else depth), each(ranks), 0.0))

    return cut


def _log_discount(ranks: NDArray[np.int64]) -> FloatArray:
    return np.asarray(1.0 / np.log2(ranks + 1.0), dtype=np.float64)


def ndcg(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return the discounted gain as a part of that of the best order."""
    del persistence
    best = found.ideal[:depth]
    ideal = math.fsum((best * _log_discount(np.arange(1, best.size + 1))).tolist())
    return _discounted(found, _until(depth, _log_discount), found.gain) / ideal if ideal else 0.0


def rank_biased_precision(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return what a reader finds who goes on to the next document with a fixed probability."""
    going = 0.8 if persistence is None else persistence
    weight = _until(depth, lambda ranks: np.asarray((1.0 - going) * going ** (ranks - 1.0)))
    return _discounted(found, weight, found.relevant.astype(np.float64))


def _precision(found: ListGroups, depth: int) -> float:
    return _discounted(
        found, _until(depth, lambda ranks: np.full(ranks.size, 1.0 / depth)), found.relevant.astype(np.float64)
    )


def r_precision(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return the precision at as many documents as are relevant."""
    del depth, persistence
    return _precision(found, found.ideal.size) if found.ideal.size else 0.0


def hit_rate(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return whether a relevant document is among the first; in a tie that crosses the depth, the probability."""
    del persistence
    most = int(found.size.sum()) if depth is None else depth
    missed = 1.0
    for start, size, relevant in zip(found.start.tolist(), found.size.tolist(), found.relevant.tolist(), strict=True):
        taken = min(max(most - start, 0), size)
        if taken == 0:
            break
        missed *= math.comb(size - relevant, taken) / math.comb(size, taken)
    return 1.0 - missed


def reciprocal_rank(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return one divided by the rank of the first relevant document: its mean over the orders of a tie."""
    del persistence
    first = np.flatnonzero(found.relevant)
    if not first.size:
        return 0.0
    at = int(first[0])
    start, size, relevant = int(found.start[at]), int(found.size[at]), int(found.relevant[at])
    total = math.comb(size, relevant)
    most = start + size if depth is None else depth
    return math.fsum(
        math.comb(size - j, relevant - 1) / total / (start + j)
        for j in range(1, size - relevant + 2)
        if start + j <= most
    )


def bpref(found: ListGroups, depth: int | None, persistence: float | None) -> float:
    """Return how rarely judged documents that are not relevant stand above relevant ones."""
    del depth, persistence
    relevant = found.ideal.size
    least = min(relevant, found.n_other)
    if not relevant:
        return 0.0
    above = np.cumsum(found.other) - found.other / 2.0  # of a tie the half
    lost = np.minimum(above, relevant) / least if least else np.zeros(above.size)
    return math.fsum((found.relevant * np.maximum(1.0 - lost, 0.0)).tolist()) / relevant


_OWN: dict[str, tuple[Callable[[ListGroups, int | None, float | None], float], bool, str]] = {
    "ndcg": (ndcg, True, "nDCG"),
    "reciprocal_rank": (reciprocal_rank, True, "reciprocal rank"),
    "hit_rate": (hit_rate, True, "hit rate"),
    "r_precision": (r_precision, False, "R-precision"),
    "rbp": (rank_biased_precision, True, "RBP"),
    "bpref": (bpref, False, "bpref"),
}
_ALIASES = {"mrr": "reciprocal_rank", "rr": "reciprocal_rank", "success": "hit_rate", "rank_biased_precision": "rbp"}


@value
class QueryMetric(Measure):
    """A metric of the ranked list of one query.

    Parameters
    ----------
    kind : str
        "ndcg", "reciprocal_rank", "hit_rate", "r_precision", "rbp" or "bpref".
    depth : int, optional
        How far down the list it looks.
    persistence : float, optional
        For "rbp": the probability of going on to the next document.

    Examples
    --------
    >>> import thresher as th
    >>> th.queries.QueryMetric("ndcg", depth=10).described()
    'nDCG@10'
    """

    label: ClassVar[str] = "The metric of a ranked list"

    kind: str
    depth: int | None = None
    persistence: float | None = None

    @property
    def title(self) -> str:
        """The name."""
        return self.kind

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given."""
        given = {"depth": self.depth, "persistence": self.persistence}
        return {name: one for name, one in given.items() if one is not None}

    def described(self) -> str:
        """Return the name as it is written in tables."""
        depth = "" if self.depth is None else f"@{self.depth}"
        going = "" if self.persistence is None else f" (p = {self.persistence:g})"
        return f"{_OWN[self.kind][2]}{depth}{going}"

    def _of_list(self, found: ListGroups) -> float:
        """Return the value of one list."""
        return _OWN[self.kind][0](found, self.depth, self.persistence)


travels(
    "QueryMetric",
    QueryMetric,
    lambda one: [one.kind, one.depth, one.persistence],
    lambda parts: QueryMetric(*parts),
)


def query_metric(name: object, depth: object, persistence: object) -> QueryMetric | None:
    """Return a metric of ranked lists by name; None for one of `thresher.measures`."""
    if isinstance(name, QueryMetric):
        return name
    if not isinstance(name, str):
        return None
    kind = _ALIASES.get(name.lower().replace("-", "_"), name.lower().replace("-", "_"))
    if kind not in _OWN:
        return None
    if persistence is not None and kind != "rbp":
        raise InvalidInputError(f"`persistence` belongs to 'rbp'; got it with {name!r}. Hint: leave it out.")
    going = None
    if kind == "rbp":
        going = 0.8 if persistence is None else check_fraction(persistence, "persistence")
        if not 0.0 < going < 1.0:
            raise InvalidInputError(f"`persistence` must be in (0, 1); got {show(persistence)}. Hint: 0.8.")
    if depth is not None and not _OWN[kind][1]:
        raise InvalidInputError(f"`depth` must not be given for {name!r}, which looks at the whole list.")
    if kind == "hit_rate" and depth is None:
        raise InvalidInputError("`depth` must be given for 'hit_rate'. Hint: depth=10.")
    return QueryMetric(kind, None if depth is None else check_count(depth, "depth", minimum=1), going)
