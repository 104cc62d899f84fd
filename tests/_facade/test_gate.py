"""May the new model replace the old one?"""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()
RNG = np.random.default_rng(0)
Y = RNG.random(400) < 0.3
GOOD = RNG.normal(size=400) + 1.5 * Y
BAD = GOOD + RNG.normal(size=400)


def test_figures_are_those_of_the_comparison():
    pair = th.compare(DATA.y_true, {"new": DATA.tree, "base": DATA.logistic}).pair
    found = th.gate(DATA.tree, DATA.logistic, y_true=DATA.y_true, margin=0.2)
    assert (found.difference, found.low, found.high) == (pair.difference, pair.low, pair.high)
    assert (found.n_pos, found.n_neg, found.paired) == (174, 1623, True)
    assert found.passed


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc"])
def test_the_verdict_is_where_the_interval_lies(metric):
    asked = {"y_true": Y, "metric": metric, "n_resamples": 200}
    found = th.gate(BAD, GOOD, **asked)
    assert found.high < 0
    for margin, verdict in (
        (0.0, "failed"),
        (-found.high * 0.999, "failed"),
        (-found.high * 1.001, "undecided"),
        (-found.low * 0.999, "undecided"),
        (-found.low, "passed"),
    ):
        assert th.gate(BAD, GOOD, margin=margin, **asked).verdict == verdict
    assert th.gate(GOOD, BAD, **asked).passed


def test_less_of_a_loss_is_better():
    p, q = (1 / (1 + np.exp(-(score - 1))) for score in (GOOD, BAD))
    better, worse = (th.gate(a, b, y_true=Y, metric="brier") for a, b in ((p, q), (q, p)))
    assert better.difference < 0
    assert (better.passed, worse.passed) == (True, False)
    assert better.better == "lower"


def test_a_model_may_replace_itself():
    found = th.gate(GOOD, GOOD, y_true=Y)
    assert (found.verdict, found.difference) == ("passed", 0.0)


def test_two_samples():
    found = th.gate(th.Scores(Y, GOOD), th.Scores(Y[:300], BAD[:300]), margin=0.05)
    pair = th.compare_unpaired(th.Scores(Y, GOOD), th.Scores(Y[:300], BAD[:300])).pair
    assert (found.low, found.high, found.paired) == (pair.low, pair.high, False)
    assert found.base_n_pos == Y[:300].sum()


def test_options_of_metric_and_rows():
    weight = RNG.random(400) + 0.5
    found = th.gate(GOOD, BAD, y_true=Y, metric="recall_at_fpr", fpr=0.1, n_resamples=50)
    assert found.new == th.Scores(Y, GOOD).measure("recall_at_fpr", fpr=0.1).value
    weighted = th.gate(GOOD, BAD, y_true=Y, sample_weight=weight)
    assert weighted.new == pytest.approx(th.Scores(Y, GOOD, sample_weight=weight).roc_auc().value)


def test_it_travels_with_version_and_level():
    found = th.gate(GOOD, BAD, y_true=Y)
    assert th.results.from_json(found.to_json()) == found
    facts = found.to_dict()
    assert (facts["version"], facts["confidence_level"], facts["verdict"]) == (th.__version__, 0.95, "passed")


@pytest.mark.parametrize(
    ("new", "base", "options", "said"),
    [
        (GOOD, BAD, {}, "without `y_true`"),
        (th.Scores(Y, GOOD), BAD, {"y_true": Y}, "must be scores of the same rows"),
        (th.Scores(Y, GOOD), th.Scores(Y, BAD), {"sample_weight": GOOD}, "give it to `Scores`"),
        (GOOD, BAD, {"y_true": Y, "margin": -0.1}, "must be a finite number that is not negative; got -0.1"),
        (GOOD, BAD, {"y_true": Y, "metric": "roc_aux"}, "roc_auc"),
    ],
)
def test_other_things_are_refused(new, base, options, said):
    with pytest.raises(th.ThresherError, match=said):
        th.gate(new, base, **options)


OPTIONS = {
    "enrichment_factor": {"fraction": 0.2},
    "fpr_at_recall": {"recall": 0.8},
    "net_benefit": {"threshold_probability": 0.3},
    "partial_roc_auc": {"fpr": (0.0, 0.2)},
    "precision_at_depth": {"depth": 500},
    "precision_at_recall": {"recall": 0.8},
    "recall_at_depth": {"depth": 500},
    "recall_at_fpr": {"fpr": 0.1},
    "recall_at_precision": {"precision": 0.8},
    "utility": {"threshold": 0.5, "utility_tp": 1.0},
}


def measured(name):
    """Return a measure with options; those of the confusion matrix look at the threshold 0.5."""
    try:
        return th.measures.as_measure(name, **OPTIONS.get(name, {}))
    except th.InvalidInputError:
        return th.measures.as_measure(name, threshold=0.5)


# How many are predicted positive, and differences of two rates, say nothing of how good a ranking is.
NEITHER = {
    "alert_rate", "frequency_bias", "predicted_negative_rate",
    "abs_d_alert_rate_prevalence", "abs_d_ppv_npv", "abs_d_sens_spec",
}  # fmt: skip
MEASURES = [measured(name) for name in th.measures.names() if name not in NEITHER]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.title)
def test_every_measure_knows_which_way_is_better(measure):
    """Scores that are probabilities and separate the classes, against scores that are neither."""
    rng = np.random.default_rng(1)
    p = rng.choice([0.05, 0.1, 0.3, 0.7, 0.9, 0.95], 4000)
    y = rng.random(4000) < p
    noise = np.clip(p + 0.8 * rng.normal(size=4000), 0.001, 0.999)
    good, bad = (float(measure.of(th.Scores(y, score))) for score in (p, noise))
    assert (good < bad) is (measure.better == "lower")
    assert good != bad


def test_columns_of_a_source_answer_as_arrays_do():
    pa = pytest.importorskip("pyarrow")
    data = th.datasets.load_digits_eight()
    table = pa.table({"label": data.y_true, "new": data.logistic, "base": data.tree})
    found = th.gate("new", "base", source=table, y_true="label", margin=0.01)
    expected = th.gate(data.logistic, data.tree, y_true=data.y_true, margin=0.01)
    assert found.paired
    assert found == expected
    apart = {
        name: table.select(["label", name]).append_column("id", [range(len(data.y_true))]) for name in ("new", "base")
    }
    assert th.gate("new", "base", source=apart, y_true="label", id="id", margin=0.01) == expected
