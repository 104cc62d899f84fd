"""Averages over classes and labels against reference values made from definitions."""

from __future__ import annotations

import pytest

import thresher as th
from support import contrasts

pytestmark = pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")
METRICS = ("roc_auc", "average_precision")
CELLS = [(name, metric, model) for name in contrasts.names("multiclass") for metric in METRICS for model in "AB"]


def read(name, model):
    data = contrasts.data("multiclass", name)
    return th.multiclass(data["y"], data[model])


def check(found, want, *, joint=False):
    contrasts.close(found.value, want["value"])
    contrasts.close(found.standard_error, want["standard_error"])
    if "df" in want:
        assert found.df == pytest.approx(want["df"], rel=1e-10)
        low, high = found.value, found.value
        plain = found._symmetric(0.95, "plain")
        contrasts.close(plain, (want["low"], want["high"]))
    if "logit_low" in want:
        contrasts.close(tuple(found.confidence_interval(method="logit")), (want["logit_low"], want["logit_high"]))
    if "mover_low" in want:
        low, high = found.confidence_interval(method="square-and-add")
        assert (low, high) == pytest.approx((want["mover_low"], min(want["mover_high"], 1.0)), rel=1e-9)
        wider = found.confidence_interval()
        assert wider.low == pytest.approx(min(want["mover_low"], want["logit_low"]), rel=1e-9)
        assert wider.high == pytest.approx(min(max(want["mover_high"], want["logit_high"]), 1.0), rel=1e-9)
    if "pvalue" in want:
        assert found.pvalue == pytest.approx(want["pvalue"], rel=1e-9)


@pytest.mark.parametrize(("name", "metric", "model"), CELLS)
def test_classes_and_averages(name, metric, model):
    want = contrasts.data("multiclass", name)["expected"][metric][model]
    found = read(name, model)
    classes = found.per_class(metric)
    contrasts.close(classes.values, want["classes"])
    contrasts.close(classes.standard_errors, want["class_standard_errors"])
    if "covariance" in want:
        contrasts.close(classes.covariance(), want["covariance"])
    if "class_newcombe" in want:
        for label, ends in zip(classes.names, want["class_newcombe"], strict=True):
            interval = classes[label].confidence_interval(method="square-and-add")
            assert tuple(interval) == pytest.approx(ends, rel=1e-9)
    check(found.macro(metric), want["macro"])
    check(found.weighted(metric), want["weighted"])
    check(found.micro(metric), want["micro"])
    if metric == "roc_auc":
        check(found.hand_till(), want["hand_till"])
        check(found.one_vs_one(), want["hand_till"])
        check(found.one_vs_one(weighted=True), want["one_vs_one_weighted"])
        for a, b, area in want.get("pairs", ()):
            contrasts.close(found.pair_scores(int(a), int(b)).roc_auc().value, area)


@pytest.mark.parametrize("name", contrasts.names("multiclass"))
@pytest.mark.parametrize("metric", METRICS)
def test_two_models(name, metric):
    expected = contrasts.data("multiclass", name)["expected"][metric]
    want = expected["difference"]
    a, b = read(name, "A"), read(name, "B")
    for average in ("macro", "weighted", "micro", "hand_till"):
        if average in want:
            check(a.compare(b, metric, average=average).difference, want[average])
    found = a.compare(b, metric)
    if "covariance_A_B" in expected:
        k = len(want["classes"])
        contrasts.close(found.estimates.covariance()[:k, k:], expected["covariance_A_B"])
    for label, one in zip(a.labels, want["classes"], strict=True):
        check(found.estimates.difference(f"self:{label}", f"other:{label}"), one)
    assert found.omnibus.statistic == pytest.approx(want["omnibus"]["chi2"], rel=1e-9)
    assert found.omnibus.pvalue == pytest.approx(want["omnibus"]["pvalue_chi2"], rel=1e-9)
    contrasts.close(found.classes.values, [one["value"] for one in want["classes"]])


@pytest.mark.parametrize("metric", METRICS)
def test_labels(metric):
    data = contrasts.data("multilabel", "four_labels")
    expected = data["expected"][metric]
    a, b = (th.multilabel(data["y"], data[model]) for model in "AB")
    contrasts.close(a.per_class(metric).values, expected["A"]["classes"])
    contrasts.close(a.per_class(metric).covariance(), expected["A"]["covariance"])
    for average in ("macro", "weighted", "micro"):
        check(getattr(a, average)(metric), expected["A"][average])
        check(getattr(b, average)(metric), expected["B"][average])
        check(a.compare(b, metric, average=average).difference, expected["difference"][average])
