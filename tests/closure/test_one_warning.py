"""A call gives at most one warning, of at most three sentences; what else there is to say is in `remarks()`."""

import re
import warnings

import numpy as np
import pytest

import thresher as th

OPTIONS = {"recall": {"threshold": 0.5}, "mcc": {"threshold": 0.5}, "recall_at_fpr": {"fpr": 0.2}}
METRICS = ["roc_auc", "pr_auc", "kolmogorov_smirnov", "eer", "brier", "log_loss", *OPTIONS]
FEW = {"n_resamples": 20, "rng": 0}


def rows(kind):
    rng = np.random.default_rng(0)
    size = {"small": 12, "one positive": 14, "perfect": 40}.get(kind, 60)
    y = rng.random(size) < 0.4
    y[:3] = [True, False, True]
    if kind == "one positive":
        y[1:] = False
    a, b = (np.clip(0.5 + 0.25 * rng.normal(size=size) + gain * (y - 0.5), 0.02, 0.98) for gain in (0.2, 0.3))
    if kind == "tied":
        a, b = np.round(a, 1), np.round(b, 1)
    if kind == "perfect":
        a, b = 0.3 + 0.4 * y + 0.05 * rng.random(size), 0.2 + 0.4 * y + 0.05 * rng.random(size)
    weight, cluster = rng.uniform(0.1, 5.0, size) ** 2, rng.integers(0, 8, size)
    return y, a, b, {"weighted": {"sample_weight": weight}, "clustered": {"cluster": cluster}}.get(kind, {})


def verbs(kind, metric):
    y, a, b, columns = rows(kind)
    options = OPTIONS.get(metric, {})
    how = {"metric": metric, **options}
    one, other = (th.Scores(y, score, **columns) for score in (a, b))
    estimate = one.measure(metric, **options)
    yield "interval", estimate.confidence_interval
    yield "standard error", lambda: estimate.standard_error(**FEW)
    yield "repr", lambda: repr(estimate)
    three = {"a": a, "b": b, "c": a + 0.01 * b}
    yield "compare", lambda: th.compare(y, three, **columns, **how, **FEW)
    yield "by bootstrap", lambda: th.compare(y, three, method="bootstrap", **columns, **how, **FEW)
    yield "compare_unpaired", lambda: th.compare_unpaired(one, other, **how, **FEW)
    yield "bootstrap", lambda: th.bootstrap(y, a, **columns, **how, **FEW)
    yield "gate", lambda: th.gate(one, other, **how, **FEW)
    yield "summary", lambda: repr(th.summary({"a": one, "b": other}))
    yield "estimates", lambda: repr(th.estimates(y, three, metrics=[metric], **options, **columns, **FEW))

    def grouped():
        return th.by_group(y, a, np.arange(y.size) % 3, **columns, **how)

    yield "by_group", grouped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = th.bootstrap(y, a, **columns, **how, **FEW)
        try:
            groups = grouped()
        except th.ThresherError:
            return
    yield "interval of resamples", drawn.confidence_interval
    yield "gaps", lambda: groups.gaps(**FEW)
    yield "intervals", groups.intervals
    yield "estimates of groups", lambda: repr(groups.estimates())


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", ["small", "one positive", "perfect", "tied", "weighted", "clustered"])
def test_a_call_gives_at_most_one_warning(kind, metric):
    for verb, call in verbs(kind, metric):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", th.ThresherWarning)
            try:
                found = call()
            except th.ThresherError:
                found = None
        said = [str(one.message).partition(" (All")[0] for one in heard]
        assert len(said) <= 1, (verb, said)
        for message in said:
            assert len(re.findall(r"[.?!](?= [A-Z`']|$)", message)) <= 3, (verb, message)
            if verb in ("compare", "by bootstrap", "compare_unpaired", "gaps", "intervals"):
                assert message == found.remarks()[0]


def test_the_other_notes_are_remarks_of_the_result():
    y, a, _, _ = rows("perfect")
    gaps = th.by_group(y, a, np.arange(y.size) % 3)
    with pytest.warns(th.ThresherWarning, match=r"\(All \d notes: `.remarks\(\)`.\)$"):
        found = gaps.gaps()
    assert len(found.remarks()) > 1
    assert "separate the classes completely" in found.remarks()[0]
    assert "The rarer class has" in found.remarks()[-1]
