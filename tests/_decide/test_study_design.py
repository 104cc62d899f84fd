"""Sample size and power."""

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from support import golden
from thresher.population import CASES

BINORMAL = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.2)


@pytest.mark.parametrize(
    ("metric", "recall", "half_width"), [("roc_auc", None, 0.04), ("pr_auc", None, 0.05), ("precision", 0.5, 0.05)]
)
def test_the_asked_width_is_reached_and_checked_by_simulation(metric, recall, half_width):
    found = th.sample_size(
        BINORMAL, metric=metric, recall=recall, half_width=half_width, assurance=0, rng=7, n_replicates=400
    )
    assert found.assurance is None
    z = stats.norm.ppf(0.975)
    assert z * found.standard_error <= half_width
    # One case fewer would not do.
    assert z * found.standard_error * math.sqrt(found.n / (found.n - 1)) > half_width
    assert found.n_pos + found.n_neg == pytest.approx(found.n)
    assert found.check.sd == pytest.approx(found.standard_error, rel=0.15)
    assert found.check.within == pytest.approx(0.95, abs=0.05)
    assert abs(found.check.bias) < 0.01


@pytest.mark.parametrize("laws", [(stats.poisson(4), stats.poisson(2)), (stats.geom(0.3), stats.geom(0.5))])
def test_counts_without_an_upper_end(laws):
    population = th.Population(*laws, prevalence=0.1)
    found = th.sample_size(population, half_width=0.05, assurance=0, n_replicates=200, rng=1)
    assert found.check.sd == pytest.approx(found.standard_error, rel=4 / math.sqrt(2 * 200))
    assert 0 < th.power(population, population.with_prevalence(0.2), n=100, metric="pr_auc").power < 1


def by_formula(metric, half_width, **options):
    return th.sample_size(BINORMAL, metric=metric, half_width=half_width, assurance=0, n_replicates=0, **options)


def test_more_confidence_and_less_width_need_more_cases():
    plain = by_formula("roc_auc", 0.05)
    assert plain.check is None
    assert by_formula("roc_auc", 0.025).n == pytest.approx(4 * plain.n, abs=4)
    assert by_formula("roc_auc", 0.05, confidence_level=0.99).n > plain.n
    assert by_formula("pr_auc", 0.05, design="fixed").n < by_formula("pr_auc", 0.05).n


def one_sample(auc, n_pos, n_neg, **options):
    population = th.Population(
        stats.norm(stats.norm.ppf(auc) * math.sqrt(2)), stats.norm(), prevalence=n_pos / (n_pos + n_neg)
    )
    return th.power(population, n=round(n_pos + n_neg), method="obuchowski", **options).power


def test_power_against_proc():
    examples = golden.golden()["_power_roc_test"]["examples"]
    known = examples["one_roc: auc=0.73, ncases=41, ncontrols=72, sig.level=0.05 -> power"]
    assert one_sample(0.73, 41, 72) == pytest.approx(known["power"], rel=1e-9)
    level = examples["one_roc: auc=0.73, ncases=41, ncontrols=72, power=0.95 -> sig.level"]["sig.level"]
    assert one_sample(0.73, 41, 72, significance_level=level) == pytest.approx(0.95, rel=1e-5)
    # The sizes pROC finds for a power, rounded up and down, bracket that power.
    for key, auc, sides, options in [
        ("one_roc: auc=0.8, sig.level=0.05, power=0.9, kappa=1 -> n", 0.8, 2, {}),
        ("one_roc: auc=0.7, sig.level=0.05, power=0.8, kappa=2 -> n", 0.7, 3, {}),
        (
            "one_roc: auc=0.7, sig.level=0.01, power=0.95, kappa=1.7, one.sided -> n",
            0.7,
            2.7,
            {"significance_level": 0.01, "alternative": "greater"},
        ),
    ]:
        entry = examples[key]
        total = entry["ncases"] * sides
        share = 1 / sides
        population = th.Population(stats.norm(stats.norm.ppf(auc) * math.sqrt(2)), stats.norm(), prevalence=share)
        below = th.power(population, n=math.floor(total), method="obuchowski", **options).power
        above = th.power(population, n=math.ceil(total), method="obuchowski", **options).power
        assert below < entry["power"] < above
        assert above - below < 0.02


def test_power_of_two_independent_samples_against_simulation():
    weak = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.3)
    strong = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    for metric, recall in (("roc_auc", None), ("pr_auc", None), ("precision", 0.5)):
        found = th.power(strong, weak, n=500, metric=metric, recall=recall, n_replicates=200, rng=9)
        assert found.simulated == pytest.approx(found.power, abs=0.08)
        assert found.difference > 0
    one_sided = th.power(strong, weak, n=500, alternative="greater")
    assert one_sided.power > th.power(strong, weak, n=500).power
    assert th.power(strong, weak, n=500, alternative="less").power < 0.01
    assert th.power(weak, strong, n=500, alternative="less").power == pytest.approx(one_sided.power, rel=1e-9)


def test_correlation_and_size_raise_the_power():
    a, b = CASES["C"].with_prevalence(0.3), CASES["A"].with_prevalence(0.3)
    powers = [th.power(a, b, n=200, correlation=rho).power for rho in (-0.5, 0.0, 0.5, 0.9)]
    assert powers == sorted(powers)
    assert th.power(a, b, n=800).power > powers[1]
    assert th.power(a, a, n=200).power == pytest.approx(0.05, abs=1e-9)


def test_correlation_may_be_complete():
    """Two estimates that move together differ by the difference of their errors, and else by their sum."""
    a, b = CASES["C"].with_prevalence(0.3), CASES["A"].with_prevalence(0.3)
    one, two = (p.roc_auc_sigma() for p in (a, b))
    for rho, spread in ((-1, one + two), (1.0, abs(one - two)), (0, math.hypot(one, two))):
        found = th.power(a, b, n=200, correlation=rho)
        assert found.standard_error == pytest.approx(spread / math.sqrt(200))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: th.sample_size("A", half_width=0.1),
            th.InvalidTypeError,
            "`population` must be a Population; got 'A' of type str. Hint: build one from score distributions, "
            "or fit one with thresher.Population.fit(scores).",
        ),
        (
            lambda: th.sample_size(BINORMAL, half_width=5),
            th.InvalidInputError,
            "`half_width` must be in (0, 1); got 5.",
        ),
        (
            lambda: th.sample_size(BINORMAL, half_width="x"),
            th.InvalidTypeError,
            "`half_width` must be a positive number; got 'x'.",
        ),
        (
            lambda: th.sample_size(BINORMAL, metric="precision", half_width=0.1),
            th.InvalidInputError,
            "`threshold` must be given with metric 'precision'; got none. Hint: for example `threshold=0.5`, or "
            "`depth` or `recall` for the precision there.",
        ),
        (
            lambda: th.sample_size(BINORMAL, metric="roc_auc", recall=0.5, half_width=0.1),
            th.InvalidInputError,
            "`recall` must not be given with metric 'roc_auc'. Hint: 'roc_auc' takes no options.",
        ),
        (
            lambda: th.sample_size(CASES["F"], metric="precision", recall=0.4, half_width=0.1),
            th.InvalidInputError,
            "precision at recall 0.4 must have a density ratio there for a normal approximation; this population has "
            "none. Hint: another recall.",
        ),
        (
            lambda: th.sample_size(th.Population(stats.norm(1), stats.norm()), metric="roc_auc", half_width=0.1),
            th.InvalidInputError,
            "the population must have a prevalence to plan a study; got None. "
            "Hint: use population.with_prevalence(...).",
        ),
        (
            lambda: th.power(BINORMAL, n=100, metric="pr_auc"),
            th.InvalidInputError,
            "`population_b` must be given unless metric=\"roc_auc\"; got metric='pr_auc'. "
            "Hint: only the ROC area has a null value of its own, 1/2.",
        ),
        (
            lambda: th.power(BINORMAL, BINORMAL, n=100, method="obuchowski"),
            th.InvalidInputError,
            '`method` must be "asymptotic" for two populations; got "obuchowski".',
        ),
        (
            lambda: th.power(BINORMAL, BINORMAL, n=100, significance_level=0),
            th.InvalidInputError,
            "`significance_level` must be in (0, 1); got 0. Hint: 0.05 is usual.",
        ),
        (
            lambda: th.power(BINORMAL, BINORMAL, n=100, correlation=2),
            th.InvalidInputError,
            "`correlation` must be in [-1, 1]; got 2.0.",
        ),
        (
            lambda: th.power(BINORMAL, BINORMAL, n=100, correlation="high"),
            th.InvalidTypeError,
            "`correlation` must be a number in [-1, 1]; got 'high' of type str.",
        ),
    ],
)
def test_bad_requests(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.slow
def test_a_small_answer_is_not_taken_from_the_formula():
    # Here the formula asks for a dozen cases, of which the interval is far longer than asked.
    easy = th.Population(stats.norm(3.2), stats.norm(), prevalence=0.5)
    found = th.sample_size(easy, metric="roc_auc", half_width=0.06, n_replicates=0)
    assert found.n > 30
    assert found.assurance == 0.5
    surer = th.sample_size(easy, metric="roc_auc", half_width=0.06, assurance=0.9, n_replicates=0)
    assert surer.n > found.n


def test_the_simulated_test_is_the_real_one():
    # With six positives the test must estimate its variance, which costs power that the formula does not know.
    weak = th.Population(stats.norm(0.5), stats.norm(), prevalence=0.05)
    strong = th.Population(stats.norm(1.5), stats.norm(), prevalence=0.05)
    found = th.power(strong, weak, n=120, n_replicates=200, rng=2)
    assert found.simulated < found.power - 0.05
    same = th.power(weak, weak, n=120, n_replicates=200, rng=2)
    assert same.simulated < 0.08
    alone = th.power(strong, n=120, n_replicates=60, rng=2)
    assert 0.0 < alone.simulated <= 1.0


def test_power_from_a_pilot():
    rng = np.random.default_rng(5)
    y = np.arange(300) < 100
    common = rng.normal(size=300)
    a, b = (common + rng.normal(size=300) + shift * y for shift in (1.6, 1.2))
    found = th.power(pilot=(y, {"a": a, "b": b}), n_pos=100, n_neg=200)
    pair = th.compare(y, {"a": a, "b": b}, method="delong").pairs[0]
    assert found.difference == pytest.approx(pair.difference, abs=1e-12)
    assert found.standard_error == pytest.approx(pair.standard_error, rel=1e-9)
    assert 0.2 < found.correlation < 0.8
    larger = th.sample_size(pilot=(y, {"a": a, "b": b}), power=0.9, ratio=2)
    assert larger.power >= 0.9
    assert th.power(pilot=(y, {"a": a, "b": b}), n_pos=int(larger.n_pos) - 1, n_neg=int(larger.n_neg) - 2).power < 0.9
    single = th.power(pilot=th.Scores(y, a), null=0.7, n_pos=100, n_neg=200)
    assert single.standard_error == pytest.approx(th.Scores(y, a).roc_auc().standard_error(), rel=1e-9)


@pytest.mark.parametrize("ratio", [None, 1, 2.5, 0.4])
def test_the_least_size_in_a_ratio(ratio):
    """So many negatives to a positive, one unless said; a positive less has not the power any more."""
    found = th.sample_size(auc=0.75, power=0.9, **({} if ratio is None else {"ratio": ratio}))
    of = 1 if ratio is None else ratio
    assert found.n_neg == math.ceil(found.n_pos * of - 1e-9)
    assert found.n == found.n_pos + found.n_neg
    less = int(found.n_pos) - 1
    powers = [th.power(auc=0.75, n_pos=n, n_neg=math.ceil(n * of - 1e-9)).power for n in (less, less + 1)]
    assert powers[0] < 0.9 <= powers[1] == found.power
    a, m, n = 0.75, found.n_pos, found.n_neg
    q1, q2 = a / (2 - a) - a * a, 2 * a * a / (1 + a) - a * a
    variance = (a * (1 - a) + (m - 1) * q1 + (n - 1) * q2) / (m * n)
    assert float(found.standard_error) == pytest.approx(math.sqrt(variance), rel=1e-12)


def test_noninferiority_is_one_sided():
    plain = th.power(auc=(0.8, 0.8), n_pos=200, n_neg=200, correlation=0.5, alternative="greater")
    margin = th.power(auc=(0.8, 0.8), n_pos=200, n_neg=200, correlation=0.5, margin=0.05)
    assert plain.power == pytest.approx(0.05, abs=1e-9)
    assert margin.power > 0.5
    assert th.sample_size(auc=(0.8, 0.8), correlation=0.5, margin=0.05, power=0.8).power >= 0.8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: th.sample_size(BINORMAL), "exactly one of `half_width` and `power` must be given; got neither."),
        (lambda: th.sample_size(BINORMAL, half_width=0.1, power=0.8), "got both"),
        (lambda: th.sample_size(BINORMAL, pilot=3, half_width=0.1), "`population` and `pilot` must not both be given"),
        (lambda: th.sample_size(BINORMAL, half_width=0.1, ratio=2), "`ratio` must go with `power`"),
        (lambda: th.power(auc=0.8, metric="pr_auc", n_pos=20, n_neg=20), "do not describe 'pr_auc'"),
        (lambda: th.power(auc=0.8, n_replicates=9, n_pos=20, n_neg=20), "`n_replicates` is no part of this question"),
        (lambda: th.power(BINORMAL, BINORMAL, n=100, margin=0.1), "`margin` is no part of this question"),
        (lambda: th.power(auc=0.8), "`n_pos` and `n_neg` must be given"),
        (lambda: th.power(rate=0.9, n=20), "`null` must be given with `rate`"),
        (lambda: th.power(), "one of a population, `auc`, `rate`, `calls` and `pilot` must be given"),
        (lambda: th.power(BINORMAL, auc=0.8, n=20), "got a population and another"),
        (lambda: th.sample_size(auc=0.5, power=0.8), "no number of cases has the power 0.8"),
        (lambda: th.sample_size(rate=0.8, null=0.9, power=0.8, alternative="greater"), "`rate` must be above `null`"),
        (lambda: th.power(auc=(0.8, 2), n_pos=20, n_neg=20), "`auc` must be a number in (0, 1); got 2"),
        (lambda: th.power(pilot=3, n_pos=20, n_neg=20), "`pilot` must be Scores, or labels"),
    ],
)
def test_bad_plans(call, message):
    with pytest.raises(th.InvalidInputError) as caught:
        call()
    assert message in str(caught.value)


def test_few_cases_are_said():
    with pytest.warns(th.ThresherWarning, match="A power with 6 cases of a class is rough"):
        th.power(auc=0.9, n_pos=6, n_neg=100)


@pytest.mark.parametrize("prevalence", [0.001, 0.03, 0.97, 0.999])
def test_a_study_has_one_case_of_the_rarer_class(prevalence):
    """So wide an interval needs hardly any cases, but both classes must be expected to occur."""
    population = th.Population(stats.norm(3), stats.norm(), prevalence=prevalence)
    found = th.sample_size(population, metric="roc_auc", half_width=0.9, n_replicates=0)
    assert found.n == math.ceil(1 / min(prevalence, 1 - prevalence))
    assert min(found.n_pos, found.n_neg) == pytest.approx(1, abs=2 * min(prevalence, 1 - prevalence))
    assert found.assurance == 0.5  # so few cases of a class are not left to the formula
