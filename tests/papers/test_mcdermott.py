from __future__ import annotations

import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from papers.mcdermott import _auroc, _average_precision, _gain

PAPER = "mcdermott"
STATUSES = {"Atomic mistakes": "not determined by the text"}


def test_every_entry(entry_of_mcdermott, explained):
    result = explained(PAPER, entry_of_mcdermott)
    assert result.status == STATUSES.get(entry_of_mcdermott, "reproduced")


@pytest.mark.parametrize("labels", [(1, 0, 1, 0, 0), (0, 0, 1, 1, 0, 1), (0, 1), (0, 0, 0, 0, 1, 1, 1, 0, 1, 0)])
def test_areas_of_a_ranking(labels):
    scores = range(len(labels), 0, -1)
    assert float(_auroc(labels)) == pytest.approx(roc_auc_score(labels, list(scores)))
    assert float(_average_precision(labels)) == pytest.approx(average_precision_score(labels, list(scores)))


def test_a_lower_mistake_can_be_worth_more():
    labels = (0, 0, 0, 0, 1, 1, 1, 0, 1, 0)
    assert _gain(labels, 3)[0] == _gain(labels, 7)[0]
    assert _gain(labels, 3)[1] < _gain(labels, 7)[1]
