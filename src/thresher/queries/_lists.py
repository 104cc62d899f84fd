"""Ranked lists of documents with judgements: metrics by query and their mean, and systems compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thresher._compare import Estimates
from thresher._core.arrays import frozen
from thresher._core.checks import show, warn
from thresher._core.shared_docs import with_texts
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._facade import Scores
from thresher._groups import GroupedEstimate
from thresher._inference.sampling import Moments, Stratum
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import (
    ExpectedAveragePrecision,
    Measure,
    PrAuc,
    PrecisionAtDepth,
    RecallAtDepth,
    RocAuc,
    as_measure,
    expected_average_precision,
)
from thresher.queries._metrics import ListGroups, list_groups, query_metric
from thresher.typing import BoolArray, FloatArray


@with_texts(
    lists="""
>>> import numpy as np
>>> from thresher.queries import RankedLists
>>> query, document = np.array(["q", "q", "r"]), np.array(["d1", "d2", "d3"])
>>> score, relevant, judged = np.array([2.0, 1.0, 3.0]), np.array([1, 0, 1]), np.ones(3, dtype=bool)
>>> lists = RankedLists(query, document, score, relevant, judged, unseen={"q": 0, "r": 1})"""
)
@value(repr=False)
class RankedLists:
    """The documents that a run returned, with their judgements.

    Parameters
    ----------
    query, document : ndarray of shape (n,)
        What was returned for what.
    y_score : ndarray of shape (n,)
        The run's score.
    y_true : ndarray of shape (n,)
        Whether the document was judged relevant.
    judged : ndarray of shape (n,)
        Whether it was judged at all.
    unseen : dict
        For each query, how many relevant documents the run did not return.
    grade : ndarray of shape (n,), optional
        Grades of relevance, of which those above 0 are of relevant documents; by default 1 for each of them.
    unseen_grades : dict, optional
        For each query, the grades of relevant documents that the run did not return; by default 1 for each.
    not_relevant : dict, optional
        For each query, how many documents were judged not relevant, returned or not; by default those returned.

    Examples
    --------
    {lists}
    >>> lists
    RankedLists: 2 queries, 3 documents returned, 2 of them relevant, 1 relevant ones missed
    """

    query: NDArray[np.str_]
    document: NDArray[np.str_]
    y_score: FloatArray
    y_true: BoolArray
    judged: BoolArray
    unseen: dict[str, int]
    grade: FloatArray | None = None
    unseen_grades: dict[str, tuple[float, ...]] | None = None
    not_relevant: dict[str, int] | None = None

    def scores(self, query: str) -> Scores:
        """Return the Scores of one query's documents.

        Examples
        --------
        {lists}
        >>> lists.scores("q").n_pos, lists.scores("q").n_neg
        (1, 1)
        """
        rows = self.query == query
        if not rows.any():
            raise InvalidInputError(f"`query` must be one of the run's; got {show(query)}.")
        return Scores(self.y_true[rows], self.y_score[rows])

    def by_query(
        self,
        *,
        metric: str | Measure = "expected_average_precision",
        depth: int | None = None,
        persistence: float | None = None,
    ) -> GroupedEstimate:
        """Return a figure for each query, and their mean.

        Parameters
        ----------
        metric : str or QueryMetric
            "expected_average_precision", "average_precision", "precision", "recall", "roc_auc", "ndcg",
            "reciprocal_rank" ("mrr"), "hit_rate" ("success"), "r_precision", "rbp" or "bpref". Average precision counts
            relevant documents that were not returned as found at precision 0, as trec_eval does; with ties the expected
            one is the mean over all orders, where trec_eval goes by document name. ROC AUC is that of the documents
            returned. Precision and recall are those of the first `depth` documents, in a tie that crosses it the
            expected ones; a shorter list is filled up with irrelevant documents.
        depth : int, optional
            How far down the list to look: needed for "precision", "recall" and "hit_rate", possible for "ndcg",
            "reciprocal_rank" and "rbp".
        persistence : float, optional
            For "rbp": the probability that a user continues to the next document, 0.8 by default.

        Returns
        -------
        GroupedEstimate
            Queries without relevant documents are skipped (for "roc_auc" those without both classes).

        Notes
        -----
        nDCG has the grade as gain and the discount log2(1 + rank), as trec_eval. In a tie nDCG, RBP, R-precision, hit
        rate and reciprocal rank take the mean over all orders, where trec_eval goes by document name; for bpref half of
        the tied documents that were judged not relevant count. Without ties all equal trec_eval's.

        References
        ----------
        .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
           Information Systems 20 (2002), 422-446. https://doi.org/10.1145/582415.582418
        .. [2] A. Moffat and J. Zobel, "Rank-biased precision for measurement of retrieval effectiveness", ACM
           Transactions on Information Systems 27 (2008), 2. https://doi.org/10.1145/1416950.1416952
        .. [3] C. Buckley and E. M. Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, 25-32.
           https://doi.org/10.1145/1008992.1009000

        Examples
        --------
        {lists}
        >>> lists.by_query().values
        array([1. , 0.5])
        >>> lists.by_query(metric="precision", depth=2).values
        array([0.5, 0.5])
        """
        ranked = query_metric(metric, depth, persistence)
        if ranked is None and persistence is not None:
            raise InvalidInputError(f"`persistence` belongs to 'rbp'; got it with {metric!r}. Hint: leave it out.")
        figure = as_measure(metric, depth=depth) if ranked is None else ranked
        values, kept, skipped = [], [], []
        for query, unseen in self.unseen.items():
            rows = self.query == query
            found, other = (int(np.count_nonzero(self.y_true[rows] == one)) for one in (1, 0))
            defined = found > 0 and other > 0 if isinstance(figure, RocAuc) else found + unseen > 0
            if not defined:
                skipped.append(query)
                continue
            kept.append(query)
            if ranked is not None:
                values.append(ranked._of_list(self._groups(query, rows)))
                continue
            values.append(0.0 if found == 0 else _of_list(figure, self.scores(query), unseen))
        if not kept:
            raise UndefinedMetricError("Some query must have a relevant document; none does. Hint: check the qrels.")
        return GroupedEstimate(figure, frozen(np.array(kept)), frozen(np.array(values)), frozen(np.array(skipped)))

    def _groups(self, query: str, rows: BoolArray) -> ListGroups:
        """Return the list of one query with what the judges know besides."""
        positive, judged = self.y_true[rows].astype(np.bool_), self.judged[rows].astype(np.bool_)
        given = np.ones(positive.size) if self.grade is None else self.grade[rows].astype(np.float64)
        grade = np.where(positive, given, 0.0)
        missed = (1.0,) * self.unseen[query] if self.unseen_grades is None else self.unseen_grades[query]
        other = int((judged & ~positive).sum()) if self.not_relevant is None else self.not_relevant[query]
        return list_groups(self.y_score[rows], grade, judged, np.append(grade[positive], missed), other)

    def __repr__(self) -> str:
        return (
            f"RankedLists: {len(self.unseen):,} queries, {self.query.size:,} documents returned, "
            f"{int(self.y_true.sum()):,} of them relevant, {sum(self.unseen.values()):,} relevant ones missed"
        )


def _of_list(measure: Measure, table: Scores, unseen: int) -> float:
    """Return the value of a returned list that has a positive, of which `unseen` positives are missing."""
    if isinstance(measure, ExpectedAveragePrecision):
        return expected_average_precision(table, n_unseen=unseen)
    if measure == PrAuc("average_precision"):
        # Every positive has the precision at its own score; negatives may be absent, so this is said in counts.
        return dot(table.pos, table.tp / (table.tp + table.fp)) / (table.n_pos + unseen)
    if isinstance(measure, RecallAtDepth):
        return measure.of(table) * table.n_pos / (table.n_pos + unseen)
    if isinstance(measure, PrecisionAtDepth | RocAuc):
        return measure.of(table)
    raise InvalidInputError(
        f"{measure.described()!r} has no value for lists with positives that were not returned. "
        "Hint: 'average_precision', 'expected_average_precision', or 'precision' and 'recall' with `depth`."
    )


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
