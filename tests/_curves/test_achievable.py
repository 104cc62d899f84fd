"""The achievable PR curve: the hull of the ROC points, and coins whose mixed counts are the point's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled

few = labelled(values=st.integers(0, 8).map(float))


@given(few)
def test_its_points_are_the_hull(data):
    curve = th.Scores(*data).achievable_pr()
    assert list(zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)) == oracle.hull(oracle.counts(*data))


@given(data=few, part=st.integers(0, 12))
def test_the_coin_reaches_the_recall_with_the_fewest_false_positives(data, part):
    labels, values = data
    hull = oracle.hull(oracle.counts(labels, values))
    recall = Fraction(part, 12)
    curve = th.Scores(labels, values).achievable_pr()
    mix = curve.mix(recall=part / 12)

    def called(threshold):
        return [i for i, value in enumerate(values) if value >= threshold]

    tp, fp = (
        (1 - mix.probability) * sum(labels[i] == kind for i in called(mix.high))
        + mix.probability * sum(labels[i] == kind for i in called(mix.low))
        for kind in (1, 0)
    )
    assert tp == pytest.approx(float(recall * sum(labels)), abs=1e-9)
    assert fp == pytest.approx(float(oracle.fewest_false(hull, recall * sum(labels))), abs=1e-9)


@pytest.mark.parametrize("prevalence", [None, 0.05, 0.7])
def test_precision_at_another_prevalence(prevalence):
    scores = th.Scores([1, 0, 1, 1, 0, 0, 0, 1], [8, 7, 6, 5, 4, 3, 2, 1])
    curve = scores.achievable_pr(prevalence=prevalence)
    share = 0.5 if prevalence is None else prevalence
    tpr, fpr = curve.tp[1:] / 4, curve.fp[1:] / 4
    np.testing.assert_allclose(curve.precision[1:], share * tpr / (share * tpr + (1 - share) * fpr))


def test_a_vertex_needs_no_coin():
    curve = th.Scores([1, 1, 0, 0], [4, 3, 2, 1]).achievable_pr()
    assert curve.mix(recall=1.0) == th.results.Mix(3.0, 3.0, 1.0)


def test_weights_travel_to_the_points():
    scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1.0, 2.0, 0.5, 1.5])
    assert scores.achievable_pr().at(recall=1.0).sample is not None
