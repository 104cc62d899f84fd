"""Every kind of result as a frame, as plain data, as JSON and back, as Markdown and LaTeX."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from functools import cache

import narwhals.stable.v2 as nw
import numpy as np
import pytest

import thresher as th
from thresher import by_group
from thresher._core.json_state import plain
from thresher._core.presented import FRAMES, Presented

DATA = th.datasets.load_digits_eight()
TREE = th.Scores(DATA.y_true, DATA.tree)
LOGISTIC = th.Scores(DATA.y_true, DATA.logistic)
HALF = np.arange(DATA.y_true.size) % 2 == 0
SITES = np.array(["north", "south", "west"])[np.arange(DATA.y_true.size) % 3]


def _weighted() -> th.Scores:
    weight = 0.5 + np.arange(DATA.y_true.size) % 4
    return th.Scores(DATA.y_true, DATA.tree, sample_weight=weight, cluster=np.arange(DATA.y_true.size) // 3)


def _evaluation() -> th.results.Evaluation:
    tuning = th.Scores(DATA.y_true[HALF], DATA.logistic[HALF])
    return th.tune(tuning, min_recall=0.8).evaluate(th.Scores(DATA.y_true[~HALF], DATA.logistic[~HALF]))


RESULTS = {
    "roc": TREE.roc,
    "pr": TREE.pr,
    "pr at another prevalence": lambda: TREE.pr(prevalence=0.01),
    "weighted roc": lambda: _weighted().roc(),
    "published roc": lambda: th.RocCurve.from_points([0, 0.1, 1], [0, 0.8, 1], n_pos=50, n_neg=100),
    "hull": lambda: TREE.roc().hull(),
    "achievable": TREE.achievable_pr,
    "det": TREE.det,
    "lift": TREE.lift,
    "gain": TREE.gain,
    "cost": TREE.cost_curve,
    "pr gain": TREE.pr_gain,
    "roc area": TREE.roc_auc,
    "part of the roc area": lambda: TREE.partial_roc_auc(fpr=(0.0, 0.1)),
    "pr area": lambda: TREE.pr_auc(estimator="average_precision"),
    "weighted area": lambda: _weighted().roc_auc(),
    "compressed area": lambda: LOGISTIC.compress(50).pr_auc(),
    "rate": lambda: TREE.measure("recall", threshold=0.5),
    "point": lambda: TREE.roc().at(threshold=0.5),
    "weighted point": lambda: _weighted().roc().at(threshold=0.5),
    "point between thresholds": lambda: TREE.roc().at(fpr=0.05),
    "chosen point": lambda: TREE.choose_threshold("youden"),
    "promised point": lambda: TREE.choose_threshold(min_recall=0.7, confidence=0.9),
    "mix": lambda: TREE.achievable_pr().mix(recall=0.5),
    "interval": lambda: TREE.roc_auc().confidence_interval(),
    "likelihood ratio": lambda: TREE.roc().at(threshold=0.5).lr_positive(),
    "roc band": lambda: TREE.roc_band([0.05, 0.1]),
    "pr band": lambda: TREE.pr_band([0.5, 0.8]),
    "comparison": lambda: th.compare(DATA.y_true, DATA.models),
    "comparison of three": lambda: th.compare(DATA.y_true, {**DATA.models, "both": DATA.tree + DATA.logistic}),
    "pair": lambda: th.compare(DATA.y_true, DATA.models).pair,
    "calls": lambda: th.compare_calls(DATA.y_true, DATA.logistic >= 0.2, DATA.tree >= 0.5),
    "dominance": lambda: th.dominates(TREE, LOGISTIC),
    "tuned": lambda: th.tune(TREE, min_recall=0.8),
    "evaluation": _evaluation,
    "diagnostic table": lambda: TREE.diagnostic_table(threshold=0.5),
    "decision curve": lambda: LOGISTIC.decision_curve([0.05, 0.1, 0.2]),
    "groups": lambda: by_group(DATA.y_true, DATA.tree, SITES),
    "difference of groups": lambda: by_group(DATA.y_true, DATA.tree, SITES).compare(
        by_group(DATA.y_true, DATA.logistic, SITES)
    ),
    "summary": lambda: th.summary({"tree": TREE, "logistic": LOGISTIC}, metrics=("roc_auc", "brier")),
}


@cache
def result(name: str) -> Presented:
    return RESULTS[name]()


@pytest.fixture(params=RESULTS)
def one(request) -> Presented:
    return result(request.param)


def strict(text: str):
    """Read JSON as programs do that know neither NaN nor infinities."""

    def refuse(word: str):
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


def test_json_comes_back_equal(one):
    back = th.results.from_json(one.to_json())
    assert type(back) is type(one)
    assert back == one
    assert back.to_json() == one.to_json()


def test_json_holds_every_figure(one):
    document = strict(one.to_json(indent=2))
    assert document["type"] == type(one).__name__
    assert document["thresher"] == th.__version__
    figures = one.to_dict()
    assert figures
    assert {name: document[name] for name in figures} == plain(figures, finite=True)


def test_a_dict_is_plain(one):
    def check(part):
        if isinstance(part, dict):
            assert all(type(key) is str for key in part)
            [check(value) for value in part.values()]
        elif isinstance(part, list):
            [check(value) for value in part]
        else:
            assert part is None or type(part) in (str, int, float, bool), type(part)

    check(one.to_dict())


def test_a_notebook_shows_a_line_or_words_or_every_cell_once(one):
    html = one._repr_html_()
    root = ET.fromstring(html)  # noqa: S314  # made here
    assert "<script" not in html
    if one._picture() is not None:
        assert len(list(root.iter("path"))) >= 1
        return
    words = "".join(part.text or "" for part in root.iter("pre"))
    shown = [node.text or "" for node in root.iter("td")]
    _, _, rows = one._written(4, str)
    if isinstance(one, th.results.OperatingPoint):
        assert [node.text for node in root.iter("b")] == [
            f"{count:,.1f}".removesuffix(".0") for count in (one.tp, one.fn, one.fp, one.tn)
        ]
    elif shown:
        assert shown == [cell for row in rows for cell in row]
        assert words in (type(one).__name__, repr(one).splitlines()[0])
    else:
        assert words == repr(one)


@pytest.mark.some(40)
@pytest.mark.parametrize("backend", FRAMES)
def test_a_frame_of_every_library(one, backend):
    frame = one.to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    table = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    expected = one._table()
    assert list(table) == list(expected)
    for name, column in expected.items():
        for found, cell in zip(table[name], column, strict=True):
            missing = found is None or found != found
            assert missing if cell is None or cell != cell else found == cell


def test_markdown_has_a_line_for_every_row(one):
    table = one._table()
    lines = one.to_markdown().splitlines()
    assert len(lines) == 2 + len(next(iter(table.values())))
    assert {line.count("|") - line.count("\\|") for line in lines} == {len(table) + 1}


def test_latex_is_one_environment_or_two(one):
    text = one.to_latex()
    assert text.startswith(r"\begin{tabular}")
    assert text.endswith(r"\end{tabular}")
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert rows
    assert all("_" not in row.replace(r"\_", "") for row in rows)


def test_a_curve_travels_point_by_point():
    roc = TREE.roc()
    frame = roc.to_frame("pandas")
    for name in ("thresholds", "fpr", "tpr", "tp", "fp"):
        assert np.array_equal(frame[name].to_numpy(), getattr(roc, name))
    document = strict(roc.to_json())
    assert document["thresholds"][0] == "inf"
    assert document["tp"] == roc.tp.tolist()
    assert "tp" not in document["state"]  # said once


def test_thresholds_keep_their_digits_in_every_form():
    scores = th.Scores([0, 1, 0, 1], [0.1 + 0.2, 0.7000000000000001, 0.7, 0.9])
    point = scores.roc().at(threshold=0.7000000000000001)
    for text in (point.to_markdown(digits=2), point.to_latex(digits=2)):
        assert "0.7000000000000001" in text
    assert point.to_dict()["threshold"] == 0.7000000000000001


def test_digits_are_significant_ones():
    interval = th.results.ConfidenceInterval(0.123456789, 0.5, 0.95, "delong")
    assert interval.to_markdown(digits=3).splitlines()[-1] == "| 0.123 | 0.5 | 0.95 | delong |"
    with pytest.raises(th.InvalidInputError, match="`digits`"):
        interval.to_markdown(digits=0)


def test_names_cannot_break_a_table():
    hostile = "a|b\n_50%_ & {c}\\"
    found = th.summary({hostile: TREE})
    assert found.to_markdown().splitlines()[2].startswith("| a\\|b _50%_ & {c}\\ |")
    assert r"\_50\%\_ \& \{c\}\textbackslash{}" in found.to_latex()
    assert th.results.from_json(found.to_json()) == found


def test_undefined_figures_are_null_and_come_back_undefined():
    point = TREE.roc().at(threshold=math.inf)
    assert math.isnan(point.to_dict()["precision"])
    document = strict(point.to_json())
    assert document["precision"] is None
    assert document["threshold"] == "inf"
    assert math.isnan(th.results.from_json(point.to_json()).precision)


def test_estimates_come_back_with_their_counts():
    back = th.results.from_json(TREE.pr_auc(prevalence=0.01).to_json())
    assert isinstance(back.counts, th.Scores)
    assert back.confidence_interval() == TREE.pr_auc(prevalence=0.01).confidence_interval()
    assert back.to_dict(0.9)["confidence_level"] == 0.9


def test_dominance_is_there_after_json():
    pair = th.results.from_json(result("comparison").to_json()).pair
    assert pair.dominance == result("comparison").pair.dominance


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "must be JSON"),
        ("[1]", "has no type"),
        ('{"value": 1}', "has no type"),
        ('{"type": "os.system", "thresher": "1"}', "got the type 'os.system'"),
        ('{"type": "OperatingPoint", "thresher": "1"}', "must hold 'threshold'"),
    ],
)
def test_other_json_is_refused(text, said):
    with pytest.raises(th.InvalidInputError, match=said):
        th.results.from_json(text)


def test_a_dict_is_no_json():
    with pytest.raises(th.InvalidTypeError, match="read the file first"):
        th.results.from_json({"type": "RocCurve"})


def test_an_unknown_frame_is_refused():
    with pytest.raises(th.InvalidInputError, match="`backend`"):
        TREE.roc().to_frame("excel")


def test_long_results_are_read_by_column():
    """A curve of many points is shown by its ends, and its columns keep the types of Python's numbers."""
    n = 5_000
    curve = th.Scores(np.arange(n) % 2, np.arange(n, dtype=np.float32)).roc()
    table, left_out = curve._ends(20)
    whole = curve._table()
    for name, column in whole.items():
        assert table[name] == column[:10] + column[-10:]
        assert [type(cell) for cell in column] == [type(column[0])] * len(column)
    assert left_out == len(whole["fpr"]) - 20
    for backend in FRAMES:
        frame = nw.from_native(curve.to_frame(backend), eager_only=True)
        assert {frame[name].dtype for name in ("thresholds", "fpr")} == {nw.Float64}
        assert frame["tp"].dtype == nw.Int64
