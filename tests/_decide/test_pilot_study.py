"""Plans by simulated studies and from pilots, for any measure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.planned_precision import _width_reached, assured_size
from thresher._decide.studies import chance_of_both, studies

POPULATION = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
F1 = th.measures.as_measure("f1", threshold=0.7)


def pilot(n=300, seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.35).astype(int)
    common = rng.normal(size=n)
    return y, {name: common + 0.7 * rng.normal(size=n) + shift * y for name, shift in (("new", 1.9), ("old", 1.4))}


@pytest.mark.parametrize("assurance", [0.5, 0.9])
def test_so_many_studies_have_an_interval_that_is_short_enough(assurance):
    width = 0.06
    n = assured_size(POPULATION, F1, 100, "random", 0.9, width, assurance)

    def share(size):
        drawn = studies(POPULATION, size, "random", np.random.default_rng(99))
        widths = [F1.estimate(next(drawn)).confidence_interval(0.9).width for _ in range(400)]
        return np.mean(np.asarray(widths) <= 2 * width)

    assert share(math.ceil(1.08 * n)) > assurance
    assert share(math.floor(0.9 * n)) < assurance


def test_more_assurance_needs_more_cases_and_none_is_the_formula():
    sizes = [
        th.sample_size(POPULATION, metric=F1, half_width=0.05, assurance=one, n_replicates=0) for one in (0, 0.5, 0.95)
    ]
    assert sizes[0].n < sizes[2].n
    assert sizes[1].n < sizes[2].n
    assert [one.assurance for one in sizes] == [None, 0.5, 0.95]


@pytest.mark.parametrize("start", [1, 10_000])
def test_where_the_search_starts_matters_little(start):
    found = [assured_size(POPULATION, F1, one, "fixed", 0.95, 0.05, 0.5) for one in (start, 500)]
    assert found[0] == pytest.approx(found[1], rel=0.05)


@pytest.mark.parametrize("assurance", [0.5, 0.9])
def test_both_classes_occur_in_so_many_studies(assurance):
    rare = POPULATION.with_prevalence(0.02)
    n = assured_size(rare, th.measures.RocAuc(), 1, "random", 0.95, 0.9, assurance)
    assert n >= 50
    assert chance_of_both(rare, n, "random") >= assurance


def test_studies_without_a_class_count_as_too_wide():
    rare, area = POPULATION.with_prevalence(0.02), th.measures.RocAuc()
    both = chance_of_both(rare, 40, "random")
    whole = _width_reached(rare, area, 40, "random", 0.95, 0.3)
    assert _width_reached(rare, area, 40, "random", 0.95, both) >= whole
    assert _width_reached(rare, area, 40, "random", 0.95, 0.99) == _width_reached(rare, area, 40, "random", 0.95, both)


def test_what_cannot_be_reached_is_refused():
    with pytest.raises(th.InvalidInputError, match="needs more than 100,000,000 cases"):
        assured_size(POPULATION, F1, 10**9, "random", 0.95, 1e-6, 0.5)


@pytest.mark.parametrize("metric", ["roc_auc", "brier", "f1", "recall_at_fpr", "lift"])
def test_a_pilot_plans_what_its_population_plans(metric):
    options = {"f1": {"threshold": 0.6}, "lift": {"threshold": 0.6}, "recall_at_fpr": {"fpr": 0.1}}.get(metric, {})
    population = th.Population(stats.beta(3, 2), stats.beta(2, 4), prevalence=0.35)
    measure = th.measures.as_measure(metric, **options)
    half = 0.2 if metric == "lift" else 0.03 if metric == "brier" else 0.06
    exact = th.sample_size(population, metric=measure, half_width=half, n_replicates=0)
    y, score = population.sample(4000, rng=2)
    found = th.sample_size(pilot=th.Scores(y, score), metric=measure, half_width=half)
    assert found.n == pytest.approx(exact.n, rel=0.2)
    assert found.value == pytest.approx(exact.value, rel=0.1)
    assert found.standard_error == pytest.approx(exact.standard_error, rel=0.2)
    assert found.n_pos + found.n_neg == pytest.approx(found.n)
    assert found.assurance == 0.5


@pytest.mark.parametrize(("metric", "options"), [("f1", {"threshold": 0.5}), ("brier", {}), ("average_precision", {})])
@pytest.mark.filterwarnings("ignore:One case decides:thresher.ThresherWarning")  # which the pilot is not asked about
def test_the_power_of_a_pilot_is_that_of_its_difference(metric, options):
    y, scores = pilot()
    scores = {name: 1 / (1 + np.exp(1.2 - score)) for name, score in scores.items()}
    pair = th.compare(y, scores, metric=metric, method="normal", **options)
    sign = 1 if pair.better == "higher" else -1
    for n in (100, 800):
        found = th.power(pilot=(y, scores), metric=metric, n=n, **options)
        error = pair.standard_error * math.sqrt(y.size / n)
        assert found.difference == pytest.approx(pair.difference)
        assert found.standard_error == pytest.approx(error)
        z = stats.norm.isf(0.025)
        lead = abs(found.difference) / error
        assert found.power == pytest.approx(stats.norm.sf(z - lead) + stats.norm.cdf(-z - lead), rel=1e-6)
        greater = th.power(pilot=(y, scores), metric=metric, n=n, alternative="greater", **options)
        lead = sign * found.difference / error
        assert greater.power == pytest.approx(stats.norm.sf(stats.norm.isf(0.05) - lead), rel=1e-6)


def test_a_size_for_power_is_the_least():
    y, scores = pilot()
    plan = {"pilot": (y, scores), "metric": "average_precision"}
    found = th.sample_size(power=0.9, **plan)
    assert th.power(n=found.n, **plan).power == pytest.approx(found.power)
    assert th.power(n=found.n - 1, **plan).power < 0.9 <= found.power
    assert found.n_pos == pytest.approx(found.n * y.mean())
    assert th.sample_size(power=0.9, margin=0.02, **plan).n < found.n


def test_a_power_of_a_pilot_is_that_of_simulated_studies():
    y, scores = pilot(150)
    scores = {name: 1 / (1 + np.exp(1.2 - score)) for name, score in scores.items()}
    found = th.power(pilot=(y, scores), metric="brier", n=120)
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(300):
        rows = rng.integers(0, y.size, 120)
        again = th.compare(y[rows], {name: own[rows] for name, own in scores.items()}, metric="brier", method="normal")
        hits += again.pvalue < 0.05
    assert found.power == pytest.approx(hits / 300, abs=0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda y, s: th.power(pilot=3, metric="f1", threshold=0.5, n=20), "`pilot` must be Scores, or labels"),
        (lambda y, s: th.power(pilot=(y, [1]), metric="brier", n=20), "labels with the scores of two models"),
        (lambda y, s: th.power(pilot=(y, {"a": s["new"]}), metric="brier", n=20), "labels with the scores of two"),
        (
            lambda y, s: th.sample_size(
                pilot=(y, {"a": s["old"], "b": s["new"]}), metric="average_precision", power=0.8, alternative="greater"
            ),
            "no number of cases has the power 0.8: the pilot shows a difference of -",
        ),
        (
            lambda y, s: th.sample_size(
                pilot=(y, {"a": s["new"], "b": s["new"]}), metric="average_precision", power=0.8
            ),
            "no number of cases has the power 0.8",
        ),
        (
            lambda y, s: th.sample_size(pilot=th.Scores(y, s["new"], cluster=y), metric="roc_auc", half_width=0.1),
            "`pilot` must have independent rows of equal weight",
        ),
        (
            lambda y, s: th.sample_size(pilot=th.Scores(y, s["new"]), metric="roc_auc", half_width=1.0),
            "`half_width` must be in (0, 1); got 1.0",
        ),
        (
            lambda y, s: th.sample_size(pilot=th.Scores(y, s["new"]), metric="youden", threshold=0.5, half_width=2.5),
            "`half_width` must be in (0, 2); got 2.5",
        ),
    ],
)
def test_bad_plans(call, message):
    with pytest.raises(th.InvalidInputError) as caught:
        call(*pilot())
    assert message in str(caught.value)


def test_an_area_stands_for_normal_scores_of_equal_variance():
    options = {"half_width": 0.05, "assurance": 0, "n_replicates": 0}
    normal = th.Population(stats.norm(math.sqrt(2.0) * stats.norm.ppf(0.85)), stats.norm(), prevalence=0.1)
    for metric in ("roc_auc", "pr_auc"):
        found = th.sample_size(auc=0.85, prevalence=0.1, metric=metric, **options)
        assert found.n == th.sample_size(normal, metric=metric, **options).n
    assert th.sample_size(auc=0.85, **options) == th.sample_size(auc=0.85, prevalence=0.5, metric="roc_auc", **options)
    with pytest.raises(th.InvalidInputError, match=r"`auc` must be in \(0, 1\); got 1.2. Hint: for example 0.8"):
        th.sample_size(auc=1.2, **options)
    with pytest.raises(th.InvalidInputError, match="`auc` must not be given beside a population or a pilot"):
        th.sample_size(normal, auc=0.8, **options)
