"""TREC runs and relevance judgements, read from their files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from thresher._core.checks import check_choice, check_count, show, warn
from thresher.exceptions import InvalidInputError
from thresher.queries._lists import RankedLists
from thresher.typing import FloatArray


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
        What to do with documents of the run without a judgement: count them as not relevant, as trec_eval does, or
        leave them out.

    Returns
    -------
    RankedLists
        Of the queries that have judgements.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from thresher.queries import read_trec
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
    grades = np.array([judgements.get(q, {}).get(d, 0) for q, d in zip(queries, documents, strict=True)], dtype=float)
    returned: dict[str, set[str]] = {name: set() for name in unseen}
    for name, one in zip(query.tolist(), document.tolist(), strict=True):
        returned[name].add(one)
    missed = {
        name: tuple(sorted((float(judgements[name][one]) for one in relevant[name] - returned[name]), reverse=True))
        for name in unseen
    }
    others = {name: len(judgements[name]) - len(relevant[name]) for name in unseen}
    gains = np.where(y_true, grades[kept], 0.0)
    return RankedLists(query, document, y_score, y_true, judged[kept], unseen, gains, missed, others)


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
