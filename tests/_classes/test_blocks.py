"""Problems too large for memory, on small ones with less memory; and the compiled values against those of tables."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._classes import averages, values
from thresher._classes.values import class_areas, one_class
from thresher._core import native

pytestmark = pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")


def problem(n=120, k=5, seed=0, ties=True):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k), rng.integers(0, k, n - k))
    scores = rng.normal(size=(n, k)) + np.eye(k)[y]
    return y, np.round(scores, 1) if ties else scores


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_blocks_give_what_all_classes_at_once_give(metric, monkeypatch):
    y, scores = problem()
    whole = th.multiclass(y, scores)
    per_class, macro, weighted = whole.per_class(metric), whole.macro(metric), whole.weighted(metric)
    for module in (averages, values):
        monkeypatch.setattr(module, "MOST_VALUES", 500)  # two classes at a time
    found = th.multiclass(y, scores)
    assert found._large
    np.testing.assert_allclose(found.per_class(metric).covariance(), per_class.covariance(), rtol=1e-10, atol=1e-16)
    np.testing.assert_array_equal(found.per_class(metric).values, per_class.values)
    for mine, want in ((found.macro(metric), macro), (found.weighted(metric), weighted)):
        assert mine.value == pytest.approx(want.value, rel=1e-12)
        assert mine.standard_error == pytest.approx(want.standard_error, rel=1e-12)
        assert mine.df == pytest.approx(want.df, rel=1e-10)
        assert mine.confidence_interval(method="logit") == want.confidence_interval(method="logit") or (
            tuple(mine.confidence_interval(method="logit"))
            == pytest.approx(tuple(want.confidence_interval(method="logit")), rel=1e-12)
        )
    with pytest.raises(th.InvalidInputError, match="A comparison is for at most"):
        found.compare(found)


@pytest.mark.skipif(not native.available(), reason="there is no compiled core")
@pytest.mark.parametrize("kind", ["<f8", "<f4", "<i8", "<i2", "u1", "<f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_compiled_values_are_those_of_tables(kind, order):
    y, scores = problem(seed=1)
    scores = np.asarray(np.round(scores * 10 + 60).astype(kind), order=order)
    frame = th.multiclass(y, scores)._frame
    truth = np.asarray(np.eye(5, dtype=bool)[y], order=order)
    for labels in (y, truth):
        for part in (slice(0, 5), slice(1, 3)):
            found = class_areas(frame, scores, labels, part)
            for i, j in enumerate(range(part.start, part.stop)):
                value, column = one_class(th.measures.RocAuc(), frame, y == j, scores[:, j], str(j))
                assert found.values[i] == value
                np.testing.assert_allclose(found.columns[:, i], column, rtol=1e-12, atol=1e-17)
                assert (found.n_pos[i], found.n_neg[i]) == ((y == j).sum(), (y != j).sum())


def test_without_the_compiled_core(monkeypatch):
    y, scores = problem(seed=2)
    want = th.multiclass(y, scores).macro()
    monkeypatch.setattr(native, "available", lambda: False)
    found = th.multiclass(y, scores).macro()
    assert found.value == want.value
    assert found.standard_error == pytest.approx(want.standard_error, rel=1e-12)


def test_classes_permuted_and_two_classes():
    y, scores = problem(seed=3)
    turn = np.array([3, 1, 4, 0, 2])
    moved = th.multiclass(np.argsort(turn)[y], scores[:, turn])
    for name in ("macro", "weighted", "micro", "hand_till"):
        one, other = getattr(th.multiclass(y, scores), name)(), getattr(moved, name)()
        assert (one.value, one.standard_error, one.df) == pytest.approx(
            (other.value, other.standard_error, other.df), rel=1e-12
        )
    two, own = y % 2, scores[:, :1]
    both = th.multiclass(two, np.hstack((-own, own)))
    area = th.Scores(two, own[:, 0]).roc_auc()
    assert both.macro().value == pytest.approx(area.value)
    assert both.macro().standard_error == pytest.approx(area.standard_error(method="delong"), rel=1e-12)
    assert both.hand_till().standard_error == pytest.approx(area.standard_error(method="delong"), rel=1e-12)


def test_clusters_and_weights_are_those_of_repeated_and_weighted_cases():
    y, scores = problem(n=60, seed=4)
    whole = th.multiclass(np.repeat(y, 2), np.repeat(scores, 2, axis=0), cluster=np.repeat(np.arange(60), 2))
    single = th.multiclass(y, scores)
    for name in ("macro", "weighted", "micro", "hand_till"):
        one, other = getattr(whole, name)(), getattr(single, name)()
        assert (one.value, one.standard_error) == pytest.approx((other.value, other.standard_error), rel=1e-10)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, 60)
    weighted = th.multiclass(y, scores, sample_weight=weight)
    table = th.Scores(y == 0, scores[:, 0], sample_weight=weight)
    one = weighted.per_class("roc_auc")["0"]
    assert one.value == pytest.approx(table.roc_auc().value, rel=1e-12)
    assert one.standard_error == pytest.approx(table.roc_auc().standard_error(method="delong"), rel=1e-10)


@pytest.mark.parametrize("name", ["macro", "weighted", "micro", "hand_till", "one_vs_one_weighted", "top_k", "brier"])
def test_columns_are_derivatives_in_the_weights_of_cases(name):
    """Without kappa, what a case adds is the slope of the average in its weight."""
    y, scores = problem(n=40, k=3, seed=5)
    if name == "brier":
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    weight = np.random.default_rng(1).uniform(1.0, 2.0, 40)

    def of(w):
        found = th.multiclass(y, scores, sample_weight=w)
        if name == "one_vs_one_weighted":
            return found.one_vs_one(weighted=True)
        return found.top_k(1) if name == "top_k" else getattr(found, name)()

    slopes = np.empty(40)
    for i in range(40):
        step = np.where(np.arange(40) == i, 1e-5, 0.0)
        slopes[i] = weight[i] * (of(weight + step).value - of(weight - step).value) / 2e-5
    # With 40 cases the factors n / (n - 1) of classes of 13 add at most a tenth.
    ratio = of(weight).standard_error / np.sqrt(slopes @ slopes)
    assert 1.0 < ratio < 1.1


def test_blocks_with_clusters(monkeypatch):
    y, scores = problem(seed=6)
    want = th.multiclass(y, scores, cluster=np.arange(120) // 3)
    per_class, macro = want.per_class(), want.macro()
    for module in (averages, values):
        monkeypatch.setattr(module, "MOST_VALUES", 100)
    np.testing.assert_allclose(want.per_class().covariance(), per_class.covariance(), rtol=1e-12)
    assert want.per_class()["0"].df == pytest.approx(per_class["0"].df)
    assert want.macro().standard_error == pytest.approx(macro.standard_error, rel=1e-12)
    assert want.macro().df == pytest.approx(macro.df)
