"""TREC runs and relevance judgements: per-query figures for people of information retrieval."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_count, show
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._core.warn import warn
from thresher._facade import Scores
from thresher._groups import GroupedEstimate
from thresher.exceptions import InvalidInputError, UndefinedMetricError
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
from thresher.typing import BoolArray, FloatArray

__all__ = ["RankedLists", "read_trec"]


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

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.sklearn import RankedLists
    >>> lists = RankedLists(
    ...     query=np.array(["q", "q", "r"]),
    ...     document=np.array(["d1", "d2", "d3"]),
    ...     y_score=np.array([2.0, 1.0, 3.0]),
    ...     y_true=np.array([1, 0, 1]),
    ...     judged=np.array([True, True, True]),
    ...     unseen={"q": 0, "r": 1},
    ... )
    >>> lists
    RankedLists: 2 queries, 3 documents returned, 2 of them relevant, 1 relevant ones missed
    """

    query: NDArray[np.str_]
    document: NDArray[np.str_]
    y_score: FloatArray
    y_true: BoolArray
    judged: BoolArray
    unseen: dict[str, int]

    def scores(self, query: str) -> Scores:
        """Return the Scores of one query's documents.

        Examples
        --------
        >>> import numpy as np
        >>> from thresher.sklearn import RankedLists
        >>> lists = RankedLists(
        ...     query=np.array(["q", "q", "r"]),
        ...     document=np.array(["d1", "d2", "d3"]),
        ...     y_score=np.array([2.0, 1.0, 3.0]),
        ...     y_true=np.array([1, 0, 1]),
        ...     judged=np.array([True, True, True]),
        ...     unseen={"q": 0, "r": 1},
        ... )
        >>> lists.scores("q").n_pos, lists.scores("q").n_neg
        (1, 1)
        """
        rows = self.query == query
        if not rows.any():
            raise InvalidInputError(f"`query` must be one of the run's; got {show(query)}.")
        return Scores(self.y_true[rows], self.y_score[rows])

    def by_query(
        self, *, metric: str | Measure = "expected_average_precision", depth: int | None = None
    ) -> GroupedEstimate:
        """Return a figure for each query, and their mean.

        Parameters
        ----------
        metric : {"expected_average_precision", "average_precision", "precision", "recall", "roc_auc"}
            Average precision counts relevant documents that were not returned as found at precision 0, as trec_eval
            does; of ties the expected one takes the mean over all orders, where trec_eval goes by document name. The
            ROC area is that of the documents returned. Precision and recall are those of the first `depth` documents,
            in a tie that crosses it the expected ones; a shorter list is filled up with irrelevant documents.
        depth : int, optional
            How far down the list to look, for "precision" and "recall".

        Returns
        -------
        GroupedEstimate
            Queries without relevant documents are skipped (for "roc_auc" those without both classes).

        Examples
        --------
        >>> import numpy as np
        >>> from thresher.sklearn import RankedLists
        >>> lists = RankedLists(
        ...     query=np.array(["q", "q", "r"]),
        ...     document=np.array(["d1", "d2", "d3"]),
        ...     y_score=np.array([2.0, 1.0, 3.0]),
        ...     y_true=np.array([1, 0, 1]),
        ...     judged=np.array([True, True, True]),
        ...     unseen={"q": 0, "r": 1},
        ... )
        >>> lists.by_query().values
        array([1. , 0.5])
        >>> lists.by_query(metric="precision", depth=2).values
        array([0.5, 0.5])
        """
        figure = as_measure(metric, depth=depth)
        values, kept, skipped = [], [], []
        for query, unseen in self.unseen.items():
            rows = self.query == query
            found, other = int(self.y_true[rows].sum()), int((~self.y_true[rows]).sum())
            defined = found > 0 and other > 0 if isinstance(figure, RocAuc) else found + unseen > 0
            if not defined:
                skipped.append(query)
                continue
            kept.append(query)
            values.append(0.0 if found == 0 else _of_list(figure, self.scores(query), unseen))
        if not kept:
            raise UndefinedMetricError("Some query must have a relevant document; none does. Hint: check the qrels.")
        return GroupedEstimate(figure, frozen(np.array(kept)), frozen(np.array(values)), frozen(np.array(skipped)))

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


def read_trec(
    run: str | os.PathLike[str],
    qrels: str | os.PathLike[str],
    *,
    min_relevance: int = 1,
    unjudged: str = "negative",
) -> RankedLists:
    r"""Read a TREC run and the judgements it is measured by.

    Parameters
    ----------
    run : path
        Lines ``query Q0 document rank score tag``. The order is that of the scores; ranks are not used.
    qrels : path
        Lines ``query iteration document relevance``.
    min_relevance : int, default=1
        From this grade on a document is relevant.
    unjudged : {"negative", "drop"}
        What to do with documents of the run that nobody judged: count them as not relevant, as trec_eval does, or
        leave them out.

    Returns
    -------
    RankedLists
        Of the queries that have judgements.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from thresher.sklearn import read_trec
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run, qrels = pathlib.Path(folder, "run"), pathlib.Path(folder, "qrels")
    ...     _ = run.write_text("7 Q0 a 1 2.5 x\n7 Q0 b 2 1.5 x\n7 Q0 c 3 0.5 x\n")
    ...     _ = qrels.write_text("7 0 a 1\n7 0 b 0\n7 0 c 2\n7 0 d 1\n")
    ...     lists = read_trec(run, qrels)
    >>> lists
    RankedLists: 1 queries, 3 documents returned, 2 of them relevant, 1 relevant ones missed
    >>> round(float(lists.by_query()), 4)
    0.5556
    """
    grade = check_count(min_relevance, "min_relevance", minimum=1)
    how = check_choice(unjudged, "unjudged", ("negative", "drop"))
    judgements = _read_qrels(qrels)
    relevant = {
        query: {document for document, value in grades.items() if value >= grade}
        for query, grades in judgements.items()
    }
    queries, documents, scores = _read_run(run)
    _warn_lost(sorted(set(queries) - set(judgements)))
    judged = np.array([d in judgements.get(q, ()) for q, d in zip(queries, documents, strict=True)], dtype=np.bool_)
    positive = np.array([d in relevant.get(q, ()) for q, d in zip(queries, documents, strict=True)], dtype=np.bool_)
    kept = judged if how == "drop" else np.array([query in judgements for query in queries], dtype=np.bool_)
    query, document, y_true = np.array(queries)[kept], np.array(documents)[kept], positive[kept]
    y_score: FloatArray = np.array(scores, dtype=np.float64)[kept]
    found = Counter(query[y_true].tolist())
    unseen = {name: len(relevant[name]) - found[name] for name in sorted(judgements)}
    return RankedLists(frozen(query), frozen(document), frozen(y_score), frozen(y_true), frozen(judged[kept]), unseen)


def _warn_lost(queries: list[str]) -> None:
    if queries:
        warn(f"{len(queries)} queries of the run have no judgements and are left out, first {queries[0]!r}.")


def _lines(path: str | os.PathLike[str], fields: int, shape: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line that is not empty; a line of another shape is refused with its number."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                parts = line.split()
                if not parts:
                    continue
                if len(parts) != fields:
                    raise _bad(path, number, f"a line must be `{shape}`", line.strip())
                yield number, parts
    except OSError as error:
        raise InvalidInputError(f"Cannot read {show(str(path), 200)}: {error.strerror}.") from error


def _bad(path: str | os.PathLike[str], number: int, rule: str, value: str) -> InvalidInputError:
    return InvalidInputError(f"{show(str(path), 200)}, line {number}: {rule}; got {show(value)}.")


def _read_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for number, (query, _, document, grade) in _lines(path, 4, "query iteration document relevance"):
        try:
            out.setdefault(query, {})[document] = int(grade)
        except ValueError:
            raise _bad(path, number, "relevance must be an integer", grade) from None
    if not out:
        raise InvalidInputError(f"{show(str(path), 200)} must hold judgements; it is empty.")
    return out


def _read_run(path: str | os.PathLike[str]) -> tuple[list[str], list[str], list[float]]:
    queries, documents, scores = [], [], []
    seen: set[tuple[str, str]] = set()
    for number, (query, _, document, _, score, _) in _lines(path, 6, "query Q0 document rank score tag"):
        try:
            value = float(score)
        except ValueError:
            value = float("nan")
        if value != value:
            raise _bad(path, number, "the score must be a number", score)
        if (query, document) in seen:
            raise _bad(path, number, "a document must be returned once for a query", f"{query} {document}")
        seen.add((query, document))
        queries.append(query)
        documents.append(document)
        scores.append(value)
    if not queries:
        raise InvalidInputError(f"{show(str(path), 200)} must hold a run; it is empty.")
    return queries, documents, scores
