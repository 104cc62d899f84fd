"""Results that stand for one number behave like it."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import thresher as th
from thresher import by_group

Y = [1, 0, 0, 1, 0, 1, 0, 0, 1]
SCORE = [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3]
SCORES = th.Scores(Y, SCORE)
NUMBERS = {
    "estimate": SCORES.roc_auc(),
    "groups": by_group(Y, SCORE, list("aabbbcccc")),
    "likelihood ratio": SCORES.roc().at(threshold=0.4).lr_positive(),
}


@pytest.mark.parametrize("one", NUMBERS.values(), ids=list(NUMBERS))
def test_it_is_a_number_where_one_is_wanted(one):
    assert float(one) == one.value
    assert round(one, 2) == round(one.value, 2)
    assert round(one) == round(one.value)
    assert f"{one:.3f}" == f"{one.value:.3f}"
    assert f"{one}" == repr(one)
    for other in (0.5, 0, 1, np.float64(one.value), one.value, np.inf, -np.inf):
        for order in (operator.lt, operator.le, operator.gt, operator.ge):
            assert order(one, other) is bool(order(one.value, other))
            assert bool(order(other, one)) is bool(order(other, one.value))


def test_the_best_model_is_found_by_max_and_sorted():
    models = {"bad": th.Scores(Y, -np.array(SCORE)), "good": SCORES, "best": th.Scores(Y, Y)}
    assert max(models, key=lambda name: models[name].roc_auc()) == "best"
    assert sorted(models, key=lambda name: models[name].pr_auc()) == ["bad", "good", "best"]


def test_other_things_are_not_ordered():
    with pytest.raises(TypeError):
        NUMBERS["estimate"] < "0.5"  # noqa: B015  # the comparison is what is tested
