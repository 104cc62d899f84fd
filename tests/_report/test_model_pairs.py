"""Pairs of models: who leads where, and differences that were tested elsewhere."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import thresher as th
from thresher._report.model_pairs import differences_of, pairs_of
from thresher._report.write_report import report_data

DIGITS = th.datasets.load_digits_eight()
MODELS = {name: th.Scores(DIGITS.y_true, values) for name, values in DIGITS.models.items()}


def test_leads_agree_with_the_curves_themselves():
    rng = np.random.default_rng(5)
    y = rng.random(600) < 0.4
    a = th.Scores(y, rng.normal(size=600) * 0.6 + y)
    b = th.Scores(y, rng.normal(size=600) * (1 + 1.5 * y) + 1.3 * y)
    (pair,) = pairs_of(["a", "b"], [a, b], {})
    assert pair.winner is None
    assert pair.n_crossings == len(th.dominates(a, b).crossings) > 0
    for spans, tell in ((pair.fpr_spans, lambda x: a.roc().interpolate(x) - b.roc().interpolate(x)),):
        assert (spans[0].low, spans[-1].high) == (0.0, 1.0)
        assert all(one.high == two.low for one, two in zip(spans, spans[1:], strict=False))
        for span in spans:
            middle = (span.low + span.high) / 2
            if span.leader is not None and span.high - span.low > 0.05:
                assert np.sign(tell(middle)) == (1 if span.leader == 0 else -1)


def test_a_winner_leads_everywhere():
    y = [1, 1, 0, 1, 0, 0]
    a, b = th.Scores(y, [6, 5, 4, 3, 2, 1]), th.Scores(y, [6, 3, 5, 4, 2, 1])
    (pair,) = pairs_of(["a", "b"], [a, b], {})
    assert (pair.verdict, pair.winner) == ("a", 0)
    assert {span.leader for span in pair.recall_spans} <= {0, None}


def test_equal_curves_have_no_winner():
    (pair,) = pairs_of(["a", "b"], [MODELS["tree"], MODELS["tree"]], {})
    assert (pair.verdict, pair.winner, [span.leader for span in pair.fpr_spans]) == ("equal", None, [None])


def test_every_pair_is_there():
    pairs = pairs_of(["a", "b", "c"], [MODELS["tree"], MODELS["logistic"], MODELS["tree"]], {})
    assert [(pair.a, pair.b) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]


def test_tested_differences_are_shown_as_the_library_found_them():
    comparison = th.compare(DIGITS.y_true, DIGITS.models)
    (pair,) = report_data(MODELS, comparison=comparison).pairs
    found = comparison.pair
    assert pair.difference is not None
    assert (pair.difference.value, pair.difference.low, pair.difference.high) == (
        found.difference,
        found.low,
        found.high,
    )
    assert (pair.difference.pvalue, pair.difference.pvalue_adjusted) == (found.pvalue, found.pvalue_adjusted)
    assert pair.difference.metric == "roc_auc"


def test_order_of_a_comparison_does_not_matter():
    comparison = th.compare(DIGITS.y_true, {"tree": DIGITS.tree, "logistic": DIGITS.logistic})
    (pair,) = report_data(MODELS, comparison=comparison).pairs
    assert pair.difference is not None
    assert pair.difference.value == -comparison.pair.difference
    assert (pair.difference.low, pair.difference.high) == (-comparison.pair.high, -comparison.pair.low)


def test_a_comparison_must_be_one_and_of_these_models():
    with pytest.raises(th.InvalidTypeError) as error:
        differences_of([1, 2], ["a"])
    assert str(error.value) == (
        "`comparison` must be what `th.compare` returns; got list. "
        "Hint: pass `th.compare(y_true, {...})` of the same models."
    )
    strange = SimpleNamespace(pairs=[SimpleNamespace(a="x", b="tree", difference=0.0)])
    with pytest.raises(th.InvalidInputError) as error:
        differences_of(strange, ["logistic", "tree"])
    assert str(error.value) == (
        "`comparison` must compare the models of the report; got 'x'. Hint: they are 'logistic', 'tree'."
    )


def test_names_that_had_to_be_cleaned_are_still_found():
    comparison = th.compare(DIGITS.y_true, {"a\nb": DIGITS.logistic, "tree": DIGITS.tree})
    (pair,) = report_data({"a\nb": MODELS["logistic"], "tree": MODELS["tree"]}, comparison=comparison).pairs
    assert pair.difference is not None
