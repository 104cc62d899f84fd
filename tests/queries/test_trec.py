from __future__ import annotations

import pytest

import thresher as th
from thresher.queries import read_trec

RUN = """\
q1 Q0 d1 1 9.5 me
q1 Q0 d2 2 9.0 me
q1 Q0 d3 3 8.0 me
q1 Q0 d4 4 8.0 me
q2 Q0 d1 1 3 me

q2 Q0 d9 2 2 me
"""
QRELS = """\
q1 0 d1 1
q1 0 d3 2
q1 0 d4 0
q1 0 d7 1
q2 0 d9 1
q3 0 d1 1
q4 0 d1 0
"""


@pytest.fixture
def files(tmp_path):
    run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    run.write_text(RUN)
    qrels.write_text(QRELS)
    return run, qrels


def test_average_precision_counts_what_was_not_returned(files):
    lists = read_trec(*files)
    got = lists.by_query(metric="average_precision")
    # q1: d1 at 1/1, then d3 shares its score with d4: 2 of 4; d7 was missed. q3 found nothing. q4 has nothing to find.
    assert dict(zip(got.groups.tolist(), got.values.tolist(), strict=True)) == pytest.approx(
        {"q1": (1 + 2 / 4) / 3, "q2": 1 / 2, "q3": 0.0}
    )
    assert got.skipped.tolist() == ["q4"]


def test_ties_count_their_mean(files):
    got = read_trec(*files).by_query()
    values = dict(zip(got.groups.tolist(), got.values.tolist(), strict=True))
    assert values["q1"] == pytest.approx((1 + (2 / 3 + 2 / 4) / 2) / 3)
    assert values["q2"] == 0.5


def test_precision_and_recall_at_a_depth(files):
    lists = read_trec(*files)
    # q1: d1 is relevant, d2 is not, one of the two at the third and fourth place is; d7 was missed. q2: d9 is second.
    for depth, precision, recall in [
        (1, [1, 0, 0], [1 / 3, 0, 0]),
        (2, [1 / 2, 1 / 2, 0], [1 / 3, 1, 0]),
        (3, [1.5 / 3, 1 / 3, 0], [1.5 / 3, 1, 0]),
        (10, [2 / 10, 1 / 10, 0], [2 / 3, 1, 0]),
    ]:
        assert lists.by_query(metric="precision", depth=depth).values.tolist() == pytest.approx(precision)
        assert lists.by_query(metric="recall", depth=depth).values.tolist() == pytest.approx(recall)
    for given, message in [
        ({"metric": "recall"}, "or `depth` or `precision` or `fpr` for the recall there."),
        ({"depth": 3}, "Hint: 'expected_average_precision' takes no options."),
        ({"metric": "recall", "depth": 0}, "`depth` must be at least 1; got 0."),
    ]:
        with pytest.raises(th.ThresherError) as caught:
            lists.by_query(**given)
        assert str(caught.value).endswith(message)


def test_unjudged_documents_can_be_dropped(files):
    lists = read_trec(*files, unjudged="drop")
    assert lists.document.tolist() == ["d1", "d3", "d4", "d9"]
    assert lists.judged.all()
    assert float(lists.by_query(metric="roc_auc")) == 0.75


def test_grades(files):
    lists = read_trec(*files, min_relevance=2)
    assert lists.y_true.sum() == 1
    assert repr(lists) == ("RankedLists: 4 queries, 6 documents returned, 1 of them relevant, 0 relevant ones missed")
    assert lists.scores("q1").n_pos == 1


def test_queries_without_judgements_are_named(files):
    run, qrels = files
    run.write_text(RUN + "q8 Q0 d1 1 1 me\n")
    with pytest.warns(th.ThresherWarning) as caught:
        read_trec(run, qrels)
    assert str(caught[0].message) == "1 queries of the run have no judgements and are left out, first 'q8'."


BAD = {
    "fields": ("q1 Q0 d1 1 9.5\n", None, "line 1: a line must be `query Q0 document rank score tag`; got "),
    "score": ("q1 Q0 d1 1 high me\n", None, "line 1: the score must be a number; got 'high'."),
    "nan": ("q1 Q0 d1 1 nan me\n", None, "line 1: the score must be a number; got 'nan'."),
    "twice": ("q1 Q0 d1 1 2 me\nq1 Q0 d1 2 1 me\n", None, "line 2: a document must be returned once for a query"),
    "empty run": ("\n", None, "must hold a run; it is empty."),
    "grade": (None, "q1 0 d1 good\n", "line 1: relevance must be an integer; got 'good'."),
    "empty qrels": (None, "", "must hold judgements; it is empty."),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_with_the_line(files, case):
    run, qrels = files
    bad_run, bad_qrels, message = BAD[case]
    if bad_run is not None:
        run.write_text(bad_run)
    if bad_qrels is not None:
        qrels.write_text(bad_qrels)
    with pytest.raises(th.InvalidInputError) as caught:
        read_trec(run, qrels)
    assert message in str(caught.value)


def test_missing_file_and_query(files, tmp_path):
    with pytest.raises(th.InvalidInputError, match=r"Cannot read .*No such file"):
        read_trec(tmp_path / "none", files[1])
    with pytest.raises(th.InvalidInputError, match="`query` must be one of the run's; got 'q7'"):
        read_trec(*files).scores("q7")
