"""scikit-learn's displays with thresher's counting; scikit-learn's own tests of them are run in tests/peers."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sklearn.metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thresher.metrics
import thresher.metrics._displays as displays

plt = pytest.importorskip("matplotlib.pyplot")
X, Y = load_breast_cancer(return_X_y=True)
MODEL = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:300], Y[:300])
NAMES = [name for name in thresher.metrics.__all__ if name.endswith("Display")]
DRAWN = {"RocCurveDisplay": ("fpr", "tpr", "roc_auc"), "DetCurveDisplay": ("fpr", "fnr"),
         "PrecisionRecallDisplay": ("precision", "recall", "average_precision", "prevalence_pos_label")}  # fmt: skip


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def pairs(name):
    return getattr(thresher.metrics, name), getattr(sklearn.metrics, name)


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_scikit_learns(name):
    ours, theirs = pairs(name)
    assert issubclass(ours, theirs)
    for method in ("__init__", "from_estimator", "from_predictions", "plot"):
        assert inspect.signature(getattr(ours, method)) == inspect.signature(getattr(theirs, method))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_drawn(name):
    found = [cls.from_estimator(MODEL, X[300:], Y[300:], sample_weight=1 + Y[300:]) for cls in pairs(name)]
    for part in DRAWN[name]:
        np.testing.assert_allclose(*(getattr(one, part) for one in found), rtol=1e-13, atol=1e-15)
    lines = [one.line_.get_xydata() for one in found]
    np.testing.assert_allclose(*lines, rtol=1e-13, atol=1e-15)
    assert found[0].line_.get_label() == found[1].line_.get_label()


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(getattr(sklearn.metrics, name), "from_cv_results")])
def test_cross_validation(name):
    results = cross_validate(MODEL, X, Y, cv=3, return_estimator=True, return_indices=True)
    found = [cls.from_cv_results(results, X, Y, plot_chance_level=True, despine=True) for cls in pairs(name)]
    for part in DRAWN[name]:
        for a, b in zip(*(getattr(one, part) for one in found), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_thresher_counts(name, monkeypatch):
    """Nothing would show in the numbers if scikit-learn's functions were called, so it is looked at."""
    called = []
    for function in ("roc_curve", "precision_recall_curve", "det_curve"):
        place = inspect.unwrap(getattr(thresher.metrics, name).from_predictions.__func__).__globals__
        ours = getattr(displays, function)
        assert place[function] is ours
        monkeypatch.setitem(place, function, lambda *a, ours=ours, **k: called.append(ours) or ours(*a, **k))
    getattr(thresher.metrics, name).from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert len(called) == 1


def test_every_other_name_is_passed_through():
    for name in sklearn.metrics.__all__:
        found = getattr(thresher.metrics, name)
        assert name in thresher.metrics.__all__ or found is getattr(sklearn.metrics, name)
    assert set(sklearn.metrics.__all__) <= set(dir(thresher.metrics))
    with pytest.raises(AttributeError, match=r"nor has 'sklearn\.metrics'"):
        thresher.metrics.no_such_score  # noqa: B018  # the attribute access is what is tested
