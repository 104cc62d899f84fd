"""Every measure in every verb, with weights and clusters: it works, or its refusal is listed."""

import math
import re
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import thresher as th
from support.measures import options_of


class Data:
    rng = np.random.default_rng(5)
    n = 240
    y = (rng.random(n) < 0.35).astype(int)
    latent = rng.normal(size=n) + 1.4 * y
    a = np.clip(np.round(1.0 / (1.0 + np.exp(1.2 - latent)), 2), 0.01, 0.99)
    b = np.clip(np.round(1.0 / (1.0 + np.exp(1.2 - latent - 0.8 * rng.normal(size=n))), 2), 0.01, 0.99)
    weight = rng.choice([0.5, 1.0, 2.0], n)
    cluster = np.arange(n) // 3
    segment = np.array(list("abc"))[np.arange(n) // 80]
    order = rng.permutation(n)
    event_time = rng.exponential(size=n) / np.exp(latent - 0.5)
    end = np.minimum(rng.exponential(2.5, n), 3.0)
    time, event = np.round(np.minimum(event_time, end), 2) + 0.01, (event_time <= end).astype(int)
    population = th.Population(scipy.stats.beta(3, 2), scipy.stats.beta(2, 4), prevalence=0.35)


DESIGNS = {
    "rows": {},
    "weights": {"sample_weight": Data.weight},
    "clusters": {"cluster": Data.cluster},
    "weights and clusters": {"sample_weight": Data.weight, "cluster": Data.cluster},
    "in time": {"time": Data.time, "event": Data.event, "at": 0.6},
    "in time, weights and clusters": {
        "time": Data.time,
        "event": Data.event,
        "at": 0.6,
        "sample_weight": Data.weight,
        "cluster": Data.cluster,
    },
}
QUICK = {"n_resamples": 40, "rng": 1}


def rows_of(design, rows=slice(None), **changed):
    """The labels that verbs take, and the columns beside them."""
    columns = {key: column if np.ndim(column) == 0 else column[rows] for key, column in DESIGNS[design].items()}
    return (None if "time" in columns else Data.y[rows]), columns | changed


def table(design, score, rows=slice(None), **changed):
    y, columns = rows_of(design, rows, **changed)
    if y is not None:
        return th.Scores(y, score[rows], **columns)
    return th.Scores.at_time(columns.pop("time"), columns.pop("event"), score[rows], columns.pop("at"), **columns)


@cache
def estimate(name, design):
    return table(design, Data.a).measure(name, **options_of(name))


def value(name, design):
    found = estimate(name, design)
    assert math.isfinite(found.value)
    again = table(design, Data.a, Data.order).measure(name, **options_of(name))
    assert again.value == pytest.approx(found.value, rel=1e-12)
    if "weights" in design:
        scaled = table(design, Data.a, sample_weight=3.7e-5 * Data.weight)
        scaled_value = scaled.measure(name, **options_of(name)).value
        assert scaled_value == pytest.approx(found.value, rel=1e-9)
    for option, given in options_of(name).items():
        assert found.options[option] == given or option not in found.options
    assert found.measure.better in ("higher", "lower")


def interval(name, design):
    found = estimate(name, design)
    low, high = found.confidence_interval()
    assert low <= found.value <= high
    assert low < high
    assert found.measure.bounds[0] <= low
    assert high <= found.measure.bounds[1]


def standard_error(name, design):
    assert estimate(name, design).standard_error(**QUICK) > 0.0


def bootstrap(name, design):
    y, columns = rows_of(design)
    found = th.bootstrap(y, Data.a, metric=name, **QUICK, **columns, **options_of(name))
    assert found.value == pytest.approx(estimate(name, design).value, rel=1e-9)
    assert found.standard_error > 0.0
    assert abs(found.replicates.mean() - found.value) < 5.0 * found.standard_error


def compare(name, design):
    y, columns = rows_of(design)
    found = th.compare(y, {"a": Data.a, "b": Data.b}, metric=name, **QUICK, **columns, **options_of(name))
    assert found.estimates.by_name["a"] == pytest.approx(estimate(name, design).value, rel=1e-12)
    assert found.difference == pytest.approx(
        found.estimates.by_name["a"] - found.estimates.by_name["b"], rel=1e-9, abs=1e-12
    )
    assert found.low <= found.difference <= found.high
    assert 0.0 <= found.pvalue <= 1.0
    assert found.options == estimate(name, design).options
    # The better one is found better, whatever better means.
    one_sided = th.compare(
        y,
        {"a": Data.a, "b": Data.b},
        metric=name,
        alternative="greater",
        method="bootstrap",
        **QUICK,
        **columns,
        **options_of(name),
    )
    lead = found.difference * (1.0 if found.better == "higher" else -1.0)
    if abs(found.difference) > 2.0 * one_sided.standard_error:
        assert (one_sided.pvalue < 0.5) == (lead > 0.0)


def every_test(name, design):
    for method in th.measures.as_measure(name, **options_of(name)).tests:
        if method in ("venkatraman", "mcnemar") and design != "rows":
            continue
        models, (y, columns) = {"a": Data.a, "b": Data.b}, rows_of(design)
        found = th.compare(y, models, metric=name, method=method, **QUICK, **columns, **options_of(name))
        assert 0.0 <= found.pvalue <= 1.0
        assert found.low <= found.difference <= found.high


def compare_unpaired(name, design):
    a, b = (table(design, column) for column in (Data.a, Data.b))
    found = th.compare_unpaired(a, b, metric=name, **QUICK, **options_of(name))
    assert found.low <= found.difference <= found.high
    assert 0.0 <= found.pvalue <= 1.0


def by_group(name, design):
    y, columns = rows_of(design)
    found = th.by_group(y, Data.a, Data.segment, metric=name, **columns, **options_of(name))
    expected = table(design, Data.a, Data.segment == "b").measure(name, **options_of(name)).value
    assert found.values[1] == pytest.approx(expected, rel=1e-12)
    for one in found.intervals():
        assert one.low <= one.value <= one.high
    largest = found.gaps(n_resamples=40).largest
    assert largest.low <= largest.value <= largest.high
    assert largest.value == pytest.approx(max(found.values) - min(found.values))


def gate(name, design):
    y, columns = rows_of(design)
    found = th.gate(Data.a, Data.b, y_true=y, metric=name, margin=0.05, n_resamples=40, **columns, **options_of(name))
    worst = -found.high if found.better == "lower" else found.low
    assert bool(found) == (worst >= -0.05)


def summary(name, design):
    models = {key: table(design, column) for key, column in (("a", Data.a), ("b", Data.b))}
    measure = th.measures.as_measure(name, **options_of(name))
    values = {key: measure.of(table) for key, table in models.items()}
    best = th.summary(models, metrics=[measure]).best(name, **options_of(name))
    assert values[best] == (min if measure.better == "lower" else max)(values.values())


def estimates(name, design):
    measure = th.measures.as_measure(name, **options_of(name))
    models = {"a": Data.a, "b": Data.b}
    y, columns = rows_of(design)
    found = th.estimates(y, models, metrics=[measure], **QUICK, **columns)
    assert found.values[0] == pytest.approx(estimate(name, design).value, rel=1e-12)
    assert (found.standard_errors > 0.0).all()
    smooth = measure.influence(estimate(name, design).counts) is not None
    if smooth and estimate(name, design).counts._clusters is None:
        alone = th.measures.Measure.spread(measure, estimate(name, design).counts).variance ** 0.5
        assert found.standard_errors[0] == pytest.approx(alone, rel=0.02)
    difference = found.difference("a", "b")
    low, high = difference.confidence_interval(method="plain")
    assert low <= difference.value <= high
    assert 0.0 <= difference.pvalue <= 1.0
    assert 0.0 <= found.omnibus().pvalue <= 1.0
    if smooth:
        paired = th.compare(y, models, metric=measure, **QUICK, **columns).estimates
        assert paired.covariance() == pytest.approx(found.covariance(), rel=1e-10)
        single = table(design, Data.a).measure([measure])
        assert single.standard_errors[0] == pytest.approx(found.standard_errors[0], rel=1e-9)


VERBS = {
    one.__name__: one
    for one in (
        value,
        interval,
        standard_error,
        bootstrap,
        compare,
        every_test,
        compare_unpaired,
        by_group,
        gate,
        summary,
        estimates,
    )
}


def refused():
    page = Path(__file__).parents[2] / "docs" / "reference" / "what-works-with-what.md"
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {(name, what.strip()) for name, what in rows}


def cases():
    return [pytest.param(name, design, id=f"{name}-{design}") for name in th.measures.names() for design in DESIGNS]


@pytest.mark.parametrize(("name", "design"), cases())
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_it_works_or_its_refusal_is_listed(name, design):
    weighted = "weights" in design or "time" in design
    listed = weighted and (name, "sampling weights") in refused()
    for verb in VERBS.values():
        if not listed:
            verb(name, design)
            continue
        with pytest.raises(th.InvalidInputError, match="Hint: "):
            verb(name, design)


@pytest.mark.parametrize("name", th.measures.names())
def test_scorers_are_larger_for_better_models(name):
    sklearn = pytest.importorskip("sklearn.linear_model")
    X = np.c_[Data.latent, np.random.default_rng(1).normal(size=Data.n)]
    model = sklearn.LogisticRegression().fit(X, Data.y)
    options = options_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        found = th.sklearn.metric_scorer(name, response_method="predict_proba", **options)(model, X, Data.y)
    measure = th.measures.as_measure(name, **options)
    scores = th.Scores(Data.y, model.predict_proba(X)[:, 1])
    assert found == pytest.approx((-1.0 if measure.better == "lower" else 1.0) * measure.of(scores), rel=1e-12)


@pytest.mark.parametrize("name", th.measures.names())
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_a_population_has_the_value_that_large_samples_have(name):
    measure = th.measures.as_measure(name, **options_of(name))
    if (name, "a population") in refused():
        with pytest.raises(th.InvalidInputError, match="Hint: "):
            Data.population.measure(measure)
        return
    found = Data.population.measure(measure)
    y, score = Data.population.sample(40_000, rng=3)
    sampled = measure.of(th.Scores(y, score))
    if name == "recall_at_depth":  # of infinitely many rows it is 0
        assert found == pytest.approx(0.0, abs=1e-6)
        return
    assert sampled == pytest.approx(found, rel=0.06, abs=0.02)


def test_little_is_refused():
    combinations = 2 * len(VERBS) * sum(what == "sampling weights" for _, what in refused())
    assert combinations <= 0.05 * len(cases()) * len(VERBS)


def own_cells(tp, fp, fn, tn):
    return tp / (tp + fp + fn)


def own_rows(y_true, y_score, sample_weight=None):
    return float(np.average((y_score >= 0.3) == y_true, weights=sample_weight))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_functions_of_a_user_are_measures(design):
    for function, name, options in ((own_cells, "jaccard", {"threshold": 0.3}), (own_rows, "accuracy", {})):
        (y, rows), scores = rows_of(design), table(design, Data.a)
        expected = scores.measure(name, threshold=0.3)
        found = scores.measure(function, **options)
        assert found.value == pytest.approx(expected.value, rel=1e-12)
        assert found.confidence_interval(n_resamples=40, rng=1).width > 0.0
        drawn = [
            th.bootstrap(y, Data.a, metric=metric, **QUICK, **rows, **more).replicates
            for metric, more in ((function, options), (name, {"threshold": 0.3}))
        ]
        if design != "rows":  # other cells are drawn from a table of two columns than from all scores
            assert drawn[0] == pytest.approx(drawn[1], rel=1e-12)
        columns = {"a": Data.a, "b": Data.b}
        assert th.compare(y, columns, metric=function, **QUICK, **rows, **options).pvalue <= 1.0
        grouped = th.by_group(y, Data.a, Data.segment, metric=function, **rows, **options)
        assert grouped.values.size == 3
        assert grouped.gaps(n_resamples=40).largest.high > 0.0


class Mean(th.measures.Measure):
    """A user's own subclass with `values` alone."""

    name = "mean_of_positives"
    needs = "scores"

    def values(self, batch):
        return batch.pos @ np.asarray(batch.scores, dtype=float) / batch.pos.sum(axis=1)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_a_subclass_with_values_alone_works(design):
    (y, rows), scores = rows_of(design), table(design, Data.a)
    found = scores.measure(Mean())
    weight, at = rows.get("sample_weight", np.ones(Data.n)), Data.y == 1
    if y is None:
        weight, at = scores._outcome.mass, scores._outcome.positive
    assert found.value == pytest.approx(np.average(Data.a[at], weights=weight[at]))
    assert found.confidence_interval(n_resamples=40, rng=1).width > 0.0
    columns = {"a": Data.a, "b": Data.b}
    assert th.compare(y, columns, metric=Mean(), **QUICK, **rows).low < 1.0
    gated = th.gate(Data.a, Data.b, y_true=y, metric=Mean(), n_resamples=40, **rows)
    assert bool(gated) == (gated.low >= 0.0)
