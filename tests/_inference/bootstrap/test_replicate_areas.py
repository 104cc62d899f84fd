"""The kernels on many tables at once give what the areas and curves give on each of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher._inference.bootstrap import replicate_areas as kernels
from thresher._table import Batch, grid_of
from thresher.measures import PR_ESTIMATORS, as_measure


@st.composite
def tables(draw):
    size = draw(st.integers(1, 8))
    column = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    pos, neg = np.array(draw(column)), np.array(draw(column))
    pos[draw(st.integers(0, size - 1))] += 2
    neg[draw(st.integers(0, size - 1))] += 2
    return pos, neg


def scores_of(pos, neg):
    return th.Scores.from_counts(np.arange(pos.size)[::-1], pos, neg)


def value_of(measure, pos, neg):
    return measure.values(Batch(pos[None].astype(float), neg[None].astype(float), np.flatnonzero(pos)))[0]


def merged(pos, neg, needs):
    grid = grid_of(needs, np.arange(pos.size)[::-1], pos, neg)
    return grid.summed(pos), grid.summed(neg)


CHOICES = [
    (as_measure("roc_auc"), lambda s: s.roc_auc()),
    (as_measure("partial_roc_auc", fpr=(0.1, 0.6)), lambda s: s.partial_roc_auc(fpr=(0.1, 0.6))),
    (as_measure("partial_roc_auc", tpr=(0.5, 1)), lambda s: s.partial_roc_auc(tpr=(0.5, 1))),
    (
        as_measure("partial_roc_auc", fpr=(0, 0.3), standardize=True),
        lambda s: s.partial_roc_auc(fpr=(0, 0.3), standardize=True),
    ),
    (
        as_measure("partial_roc_auc", tpr=(0.2, 0.9), standardize=True),
        lambda s: s.partial_roc_auc(tpr=(0.2, 0.9), standardize=True),
    ),
    (
        as_measure("average_precision", standardize=True),
        lambda s: s.pr_auc(estimator="average_precision", normalize=True),
    ),
    (
        as_measure("pr_auc", recall=(0.2, 0.7), standardize=True),
        lambda s: s.pr_auc(recall=(0.2, 0.7), normalize=True),
    ),
    (as_measure("pr_auc", standardize=True), lambda s: s.pr_auc(normalize=True)),
    (as_measure("precision_at_recall", recall=0.4), lambda s: s.pr().at(recall=0.4).precision),
    (as_measure("precision_at_recall", recall=1), lambda s: s.pr().at(recall=1.0).precision),
    (
        as_measure("precision_at_recall", recall=0.3, prevalence=0.05),
        lambda s: s.pr(prevalence=0.05).at(recall=0.3).precision,
    ),
]
CHOICES += [
    (
        as_measure("pr_auc", estimator=name, prevalence=share),
        lambda s, n=name, p=share: s.pr_auc(estimator=n, prevalence=p),
    )
    for name in PR_ESTIMATORS
    for share in (None, 0.02)
]
CHOICES += [
    (
        as_measure("pr_auc", estimator=name, recall=(0.3, 0.8)),
        lambda s, n=name: s.pr_auc(estimator=n, recall=(0.3, 0.8)),
    )
    for name in PR_ESTIMATORS
    if name != "unit_steps"
]


@pytest.mark.parametrize("choice", range(len(CHOICES)))
@given(table=tables())
@settings(max_examples=10)
def test_every_metric_is_the_one_of_the_count_table(choice, table):
    measure, reference = CHOICES[choice]
    expected = float(reference(scores_of(*table)))
    assert value_of(measure, *table) == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("choice", range(len(CHOICES)))
@given(table=tables())
@settings(max_examples=6)
def test_runs_of_one_class_may_be_merged(choice, table):
    measure, _ = CHOICES[choice]
    together = merged(*table, measure.needs)
    assert together[0].sum() == table[0].sum()
    assert together[1].sum() == table[1].sum()
    assert value_of(measure, *together) == pytest.approx(value_of(measure, *table), rel=1e-12, abs=1e-13)


def test_runs_are_merged_as_far_as_the_metric_allows():
    pos, neg = np.array([1, 2, 0, 0, 1, 1, 3]), np.array([0, 0, 1, 2, 1, 2, 0])
    path = merged(pos, neg, "path")
    assert [column.tolist() for column in path] == [[3, 0, 1, 1, 3], [0, 3, 1, 2, 0]]
    steps = merged(pos, neg, "ranks")
    assert [column.tolist() for column in steps] == [[1, 2, 0, 1, 1, 3], [0, 0, 3, 1, 2, 0]]


@pytest.mark.parametrize(("passes", "wide"), [(40, 500), (40, 5), (1, 500)])
def test_hulls_of_many_tables_are_those_of_each(passes, wide, monkeypatch):
    monkeypatch.setattr(kernels, "_MOST_PASSES", passes)
    monkeypatch.setattr(kernels, "_WIDE", wide)
    pos, neg = np.random.default_rng(6).poisson(0.8, (2, 60, 9))
    pos[:, 3], neg[:, 5] = pos[:, 3] + 1, neg[:, 5] + 1
    found = kernels.pr_area(1.0 * pos, 1.0 * neg, np.arange(9), estimator="achievable")
    expected = [scores_of(p, q).pr_auc(estimator="achievable").value for p, q in zip(pos, neg, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
