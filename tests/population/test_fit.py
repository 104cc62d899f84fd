"""Fits: pROC's figures, likelihood equations, an independent optimizer, recovery, and goodness of fit."""

import math

import numpy as np
import pytest
from scipy import special, stats

import thresher as th
from support import golden
from support.thorough import dear
from thresher.population import CASES, FAMILIES

PEER = "pROC 1.19.0.1"


def smoothed():
    found = []
    for dataset, entry in golden.golden().items():
        if dataset.startswith(("_", "weighted", "edge_only")):
            continue
        for column in entry["columns"]:
            for prefix in ("", f"{column}."):
                key = f"{prefix}smooth_binormal_intercept_slope"
                if key in entry["peers"].get(PEER, {}):
                    figures = entry["peers"][PEER]
                    found.append((dataset, column, figures[key], figures[f"{prefix}smooth_binormal_auc"]))
    return found


@pytest.mark.some(15)
@pytest.mark.parametrize(("dataset", "column", "line", "auc"), smoothed())
def test_least_squares_is_procs_smooth(dataset, column, line, auc):
    scores = golden.scores(dataset, column)
    if line is None:
        with pytest.raises(
            th.UndefinedMetricError, match="A least-squares binormal fit needs at least 2 different ROC points"
        ):
            th.Population.fit(scores, method="least_squares")
        return
    fit = th.Population.fit(scores, method="least_squares").fit_result
    assert (fit.parameters["intercept"], fit.parameters["slope"]) == pytest.approx(tuple(line), rel=1e-11, abs=1e-12)
    assert fit.roc_auc == pytest.approx(auc, rel=1e-12)
    assert not fit.standard_errors
    assert math.isnan(fit.log_likelihood)


RATINGS = {
    "radiology": ([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]),
    "weak": ([10, 20, 30, 25], [20, 30, 25, 5]),
    "wide": ([12, 3, 4, 9, 30], [5, 14, 20, 11, 3]),
}


def test_dorfman_and_alf_ratings():
    pos, neg = RATINGS["radiology"]
    scores = th.Scores.from_counts([1, 2, 3, 4, 5], pos=pos, neg=neg)
    population = th.Population.fit(scores)
    fit = population.fit_result
    # Ratings of Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747: area 0.911, standard error 0.030.
    assert fit.roc_auc == pytest.approx(0.911, abs=5e-4)
    assert fit.roc_auc_standard_error == pytest.approx(0.030, abs=5e-4)
    assert fit.roc_auc == pytest.approx(
        special.ndtr(fit.parameters["a"] / math.hypot(1, fit.parameters["b"])), rel=1e-12
    )
    assert population.prevalence == pytest.approx(51 / 109)
    assert math.isnan(fit.pvalue)  # fewer than five positives are expected in most groups


def test_ordinal_fit_uses_order_only():
    y, s = CASES["A"].sample(400, rng=4)
    first = th.Population.fit(th.Scores(y, s)).fit_result
    second = th.Population.fit(th.Scores(y, np.exp(3 * s))).fit_result
    assert dict(first.parameters) == dict(second.parameters)
    assert first.roc_auc == second.roc_auc


@pytest.mark.parametrize(
    ("family", "method", "make", "names"),
    [
        ("binormal", "ordinal", lambda: CASES["A"], None),
        (
            "binormal",
            "normal",
            lambda: th.Population(stats.norm(2, 3), stats.norm(-1, 2), prevalence=0.4),
            (2, 3, -1, 2),
        ),
        ("bilognormal", None, lambda: CASES["A*"].with_prevalence(0.4), (1.4, 1, 0, 1)),
        ("bibeta", None, lambda: CASES["C"].with_prevalence(0.4), (5, 2, 2, 5)),
        ("bigamma", None, lambda: th.Population(stats.gamma(4, scale=2), stats.gamma(2), prevalence=0.4), (4, 2, 2, 1)),
        ("biexponential", None, lambda: th.Population(stats.expon(scale=3), stats.expon(), prevalence=0.4), (3, 1)),
    ],
)
def test_recovery_within_standard_errors(family, method, make, names):
    truth = make()
    y, s = truth.sample(4000, rng=21)
    population = th.Population.fit(th.Scores(y, s), family=family, method=method)
    fit = population.fit_result
    if names is not None:
        for (key, value), expected in zip(fit.parameters.items(), names, strict=True):
            assert abs(value - expected) < 4 * fit.standard_errors[key]
    assert abs(fit.roc_auc - truth.roc_auc()) < 0.03
    assert fit.pvalue > 1e-4
    if method is not None:
        assert abs(fit.roc_auc - truth.roc_auc()) < 4 * fit.roc_auc_standard_error
        assert fit.roc_auc_standard_error == pytest.approx(0.0066, abs=0.0025)
    grid = np.array([0.2, 0.5, 0.8])
    np.testing.assert_allclose(population.pr(grid), truth.pr(grid), atol=0.05)


@pytest.mark.parametrize(
    ("family", "frozen", "scipy_fit"),
    [
        ("bibeta", stats.beta(2.0, 3.0), lambda v: stats.beta.fit(v, floc=0, fscale=1)[:2]),
        ("bigamma", stats.gamma(2.5, scale=0.7), lambda v: (lambda f: (f[0], f[2]))(stats.gamma.fit(v, floc=0))),
    ],
)
def test_likelihood_equations_against_scipy(family, frozen, scipy_fit):
    rng = np.random.default_rng(3)
    pos, neg = frozen.rvs(300, random_state=rng), frozen.rvs(200, random_state=rng)
    fit = th.Population.fit(th.Scores.from_pos_neg(pos, neg), family=family).fit_result
    values = list(fit.parameters.values())
    assert values[:2] == pytest.approx(scipy_fit(pos), rel=1e-4)
    assert values[2:] == pytest.approx(scipy_fit(neg), rel=1e-4)


@pytest.mark.parametrize(("times", "near"), dear([(20, 0.4), (40, 0.25)], 1))
def test_standard_errors_match_the_spread_of_estimates(times, near):
    rng = np.random.default_rng(12)
    found = [th.Population.fit(th.Scores(*CASES["A"].sample(300, rng=rng))).fit_result for _ in range(times)]
    spread = np.std([fit.roc_auc for fit in found], ddof=1)
    assert np.mean([fit.roc_auc_standard_error for fit in found]) == pytest.approx(spread, rel=near)
    assert np.mean([fit.roc_auc for fit in found]) == pytest.approx(
        CASES["A"].roc_auc(), abs=4 * spread / math.sqrt(times)
    )


def test_goodness_of_fit_is_calibrated_and_sees_misfit():
    rng = np.random.default_rng(5)
    values = [
        th.Population.fit(th.Scores(*CASES["A"].sample(600, rng=rng)), method="normal").fit_result.pvalue
        for _ in range(30)
    ]
    assert 0.0 < np.mean(np.array(values) < 0.1) + 0.05 < 0.35
    y, s = CASES["C"].sample(3000, rng=1)
    wrong = th.Population.fit(th.Scores(y, s**8), method="normal").fit_result
    assert wrong.pvalue < 1e-6
    right = th.Population.fit(th.Scores(y, s), family="bibeta").fit_result
    assert right.pvalue > 1e-3


def test_weighted_and_smooth_curves():
    pos, neg = RATINGS["wide"]
    doubled = th.Scores.from_counts(range(5), pos=[2 * p for p in pos], neg=[2 * n for n in neg])
    once = th.Population.fit(th.Scores.from_counts(range(5), pos=pos, neg=neg))
    twice = th.Population.fit(doubled)
    assert twice.fit_result.parameters["a"] == pytest.approx(once.fit_result.parameters["a"], rel=1e-6)
    ratio = once.fit_result.standard_errors["a"] / twice.fit_result.standard_errors["a"]
    assert ratio == pytest.approx(math.sqrt(2), rel=1e-5)
    assert isinstance(once.curve("pr"), th.PrCurve)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: th.Population.fit([0, 1]),
            th.InvalidTypeError,
            "`scores` must be a Scores; got [0, 1] of type list. Hint: pass thresher.Scores(y_true, y_score).",
        ),
        (
            lambda: th.Population.fit(th.Scores([1, 1], [0.1, 0.2])),
            th.UndefinedMetricError,
            "A fit needs both classes; got 2 positives and 0 negatives.",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 1], [0.1, 0.2]), family="normal"),
            th.InvalidInputError,
            "`family` must be one of 'binormal', 'bilognormal', 'bibeta', 'bigamma', 'biexponential', 'kde'; "
            "got 'normal'. Hint: did you mean 'binormal'?",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 1], [0.1, 0.2]), method="ml"),
            th.InvalidInputError,
            "`method` must be one of 'ordinal', 'normal', 'least_squares'; got 'ml'.",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 0, 1, 1], [1, 2, 3, 4])),
            th.UndefinedMetricError,
            "An ordinal binormal fit needs classes that overlap in at least 3 groups of scores; got 2 groups. "
            'Hint: use method="normal", which fits the scores themselves.',
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 0, 1, 1], [1, 1, 3, 4]), method="normal"),
            th.UndefinedMetricError,
            "A normal fit needs scores that vary; all negatives have the score 1.",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 0, 1, 1], [0.1, 0.2, 0.5, 1.0]), family="bibeta"),
            th.InvalidInputError,
            "scores must be strictly between 0 and 1 for a beta fit; got 1 among the positives.",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 0, 1, 1], [-1.0, 0.2, 0.5, 1.0]), family="bilognormal"),
            th.InvalidInputError,
            "scores must be above 0 for a lognormal fit; got -1 among the negatives.",
        ),
        (
            lambda: th.Population.fit(th.Scores([0, 0, 1, 1], [-math.inf, 0.2, 0.5, 1.0]), method="normal"),
            th.InvalidInputError,
            'scores must be finite to be fitted as numbers; got an infinite one. Hint: use family="binormal", '
            'method="ordinal".',
        ),
    ],
)
def test_bad_fits(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_degenerate_ratings_are_refused():
    # One positive above, one below all negatives: the likelihood has no maximum.
    with pytest.raises(
        th.UndefinedMetricError, match="must have its maximum at finite parameters; it runs off towards"
    ):
        th.Population.fit(golden.scores("tiny_one_pos", "score"))


def test_families_are_listed():
    assert FAMILIES["binormal"] == ("ordinal", "normal", "least_squares")
    assert CASES["A"].fit_result is None
