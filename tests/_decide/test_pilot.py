"""Pilots: labels as everywhere, and rows that are independent."""

import numpy as np
import pytest

import thresher as th


def pilot(labels=(0, 1)):
    rng = np.random.default_rng(5)
    y = rng.random(120) < 0.4
    scores = {"new": rng.normal(size=120) + 1.5 * y, "old": rng.normal(size=120) + y}
    return np.where(y, labels[1], labels[0]), scores


def test_labels_of_every_kind_plan_alike():
    wanted = th.power(pilot=pilot(), n_pos=100, n_neg=100).power
    assert th.power(pilot=pilot((-1, 1)), n_pos=100, n_neg=100).power == wanted
    assert th.power(pilot=pilot((False, True)), n_pos=100, n_neg=100).power == wanted


def test_words_are_not_guessed():
    with pytest.raises(th.InvalidInputError, match="labels"):
        th.power(pilot=pilot(("ok", "fraud")), n_pos=100, n_neg=100)


def test_clusters_are_refused():
    y, scores = pilot()
    rows = th.Scores(y, scores["new"], cluster=np.arange(120) // 3)
    with pytest.raises(th.InvalidInputError, match="`pilot` must have independent rows; got clusters"):
        th.power(pilot=rows, n_pos=100, n_neg=100)
    with pytest.raises(th.InvalidInputError, match="`pilot` must have independent rows; got clusters"):
        th.sample_size(pilot=rows, power=0.8)
