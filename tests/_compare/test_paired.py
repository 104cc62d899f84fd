import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

import thresher as th
from support import weights as reference
from support.golden import columns, golden
from thresher._compare import compare
from thresher._core.order import canonical_order
from thresher._inference.delong.delong import delong_covariance
from thresher.exceptions import ThresherWarning, UndefinedMetricError

PAIRS = [
    ("paired_r50_n500", "model_a", "model_b"),
    ("paired_ties_n500", "model_a", "model_b"),
    ("real_breast_cancer", "logistic", "tree"),
    ("real_digits_8", "logistic", "tree"),
    ("real_digits_1", "logistic", "tree"),
]
METRICS = [
    ("roc_auc", {}),
    ("partial_roc_auc", {"fpr": (0.0, 0.4)}),
    ("partial_roc_auc", {"tpr": (0.5, 1.0), "standardize": True}),
    ("pr_auc", {}),
    ("pr_auc", {"estimator": "functional", "prevalence": 0.1}),
    ("average_precision", {}),
    ("precision_at_recall", {"recall": 0.6}),
]


def sample(n=80, seed=0, better=0.0, digits=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 2
    common = rng.normal(size=n)
    a, b = (0.7 * common + 0.7 * rng.normal(size=n) + (0.8 + gain) * y for gain in (better, 0.0))
    return y, {"a": a.round(digits), "b": b.round(digits)}


def peers(dataset, a, b):
    for name, figures in golden()[dataset]["peers"].items():
        if name.startswith(("exact", "pROC")):
            start = f"{a}_vs_{b}.paired."
            yield {key.removeprefix(start): value for key, value in figures.items() if key.startswith(start)}


@pytest.mark.parametrize("dataset, a, b", PAIRS)
def test_delong_matches_the_references(dataset, a, b):
    data = columns(dataset)
    found = {
        side: compare(data["label"], {a: data[a], b: data[b]}, alternative=side, method="delong")
        for side in ("two-sided", "greater", "less")
    }
    pair = found["two-sided"].pairs[0]
    compared = 0
    for figures in peers(dataset, a, b):
        expected = {
            "auc_diff": pair.difference,
            "var_diff": pair.standard_error**2,
            "z": pair.statistic,
            "p_two_sided": pair.pvalue,
            "p_greater": found["greater"].pvalue,
            "p_less": found["less"].pvalue,
        }
        for key, value in expected.items():
            if key in figures:
                assert value == pytest.approx(figures[key], rel=1e-12, abs=1e-15), key
                compared += 1
        assert (pair.low, pair.high) == pytest.approx(figures["ci95_diff"], rel=1e-12)
    assert compared >= 8


@pytest.mark.parametrize("dataset, a, b", PAIRS[:3])
def test_resampling_is_near_what_proc_drew(dataset, a, b):
    """pROC's own resampling is seeded in R, so the two can only be near each other."""
    data = columns(dataset)
    figures = golden()[dataset]["peers"]["pROC 1.19.0.1"]
    start = f"{a}_vs_{b}.resampling.approx_"
    scores = {a: data[a], b: data[b]}
    drawn = compare(data["label"], scores, method="bootstrap", rng=1, n_resamples=2000).pairs[0]
    assert drawn.statistic == pytest.approx(figures[start + "bootstrap_D"], rel=0.08)
    curves = compare(data["label"], scores, method="venkatraman", rng=1, n_resamples=600).pairs[0]
    assert curves.pvalue == pytest.approx(figures[start + "venkatraman_p"], abs=0.07)
    if dataset == "paired_r50_n500":  # without ties the statistic is a whole number that pROC gives too
        assert curves.statistic == pytest.approx(figures[start + "venkatraman_E"], rel=1e-12)


@pytest.mark.parametrize(
    "method, alternative",
    [
        *itertools.product(["delong", "bootstrap", "permutation"], ["two-sided", "greater", "less"]),
        ("venkatraman", "two-sided"),
    ],
)
def test_identical_models_give_p_1(method, alternative):
    data = columns("paired_identical_n120")
    scores = {"a": data["model_a"], "b": data["model_b"], "c": np.exp(data["model_a"])}
    found = compare(data["label"], scores, method=method, alternative=alternative, n_resamples=100, rng=0)
    for pair in found.pairs:
        assert pair.pvalue == 1.0
        assert pair.pvalue_adjusted == 1.0
        assert (pair.difference, pair.low, pair.high) == (0.0, 0.0, 0.0)
        assert pair.dominance.verdict == "equal"
    if found.omnibus is not None:
        assert found.omnibus.pvalue == 1.0


@pytest.mark.parametrize("metric, options", METRICS)
def test_identical_models_give_p_1_for_every_metric(metric, options):
    y, scores = sample()
    for method in ("bootstrap", "permutation"):
        found = compare(
            y, {"a": scores["a"], "b": scores["a"] * 3}, metric=metric, method=method, n_resamples=60, rng=0, **options
        )
        assert found.pvalue == 1.0


@pytest.mark.parametrize("metric, options", METRICS)
def test_estimates_are_those_of_the_scores(metric, options):
    y, scores = sample()
    found = compare(y, scores, metric=metric, method="bootstrap", n_resamples=20, rng=0, **options)
    for name, score in scores.items():
        expected = th.bootstrap(y, score, metric=metric, n_resamples=20, rng=0, **options).value
        assert found.estimates.by_name[name] == pytest.approx(expected, rel=1e-12)
    assert found.difference == found.estimates.by_name["a"] - found.estimates.by_name["b"]


@pytest.mark.parametrize("n", [80, 120])
@pytest.mark.parametrize("metric, options", METRICS)
def test_bootstrap_is_that_of_single_scorers_paired(metric, options, n):
    """Resample i draws the same rows for both scorers: those of a one-scorer bootstrap with the same seed."""
    y, scores = sample(n)
    rows = canonical_order([*scores.values(), y])  # the order in which rows are drawn, whatever that of the arguments
    y, scores = y[rows], {name: score[rows] for name, score in scores.items()}
    drawn = [
        th.bootstrap(y, score, metric=metric, cluster=np.arange(y.size), n_resamples=300, rng=9, **options).replicates
        for score in scores.values()
    ]
    difference = drawn[0] - drawn[1]
    found = compare(y, scores, metric=metric, method="bootstrap", n_resamples=300, rng=9, **options).pairs[0]
    assert found.standard_error == pytest.approx(difference.std(ddof=1), rel=1e-9)
    # With fewer than 50 of a class quantiles are taken as far out as Student's are from the normal's.
    assert math.isinf(found.df) == (n == 120)
    tail = stats.norm.cdf(stats.t(found.df).ppf(0.025) * math.sqrt(1 + 1 / found.df)) if n == 80 else 0.025
    assert [found.low, found.high] == pytest.approx(np.quantile(difference, [tail, 1 - tail]), abs=1e-9)
    tails = (1 + (difference <= 1e-12).sum()) / 301, (1 + (difference >= -1e-12).sum()) / 301
    plain = min(1, 2 * min(tails))
    if n == 80:
        plain = 2 * stats.t(found.df).cdf(stats.norm.ppf(plain / 2) / math.sqrt(1 + 1 / found.df))
    assert found.pvalue == pytest.approx(plain)
    assert found.statistic == pytest.approx(found.difference / found.standard_error)


@cache
def all_exchanges(metric, y, *scores):
    ranks = [np.array([(s < x).sum() + ((s == x).sum() + 1) / 2 for x in s]) for s in map(np.array, scores)]

    def value(score):
        s = th.Scores(y, score)
        return s.roc_auc().value if metric == "roc_auc" else s.pr_auc(estimator="average_precision").value

    differences = []
    for coins in itertools.product([False, True], repeat=8):
        swap = np.array(coins)
        differences.append(value(np.where(swap, ranks[1], ranks[0])) - value(np.where(swap, ranks[0], ranks[1])))
    return differences


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("metric, options", [("roc_auc", {}), ("average_precision", {})])
def test_permutation_against_all_exchanges(metric, options, alternative):
    """Eight rows have 256 exchanges of midranks: the share that reaches the difference is the exact p value."""
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0], dtype=bool)
    a = np.array([8.0, 7, 5, 4, 6, 3, 2, 1])
    b = np.array([70.0, 20, 80, 50, 60, 70, 30, 10])
    d = np.array(all_exchanges(metric, tuple(y), tuple(a), tuple(b)))
    reach = {
        "two-sided": np.abs(d) >= abs(d[0]) - 1e-12,
        "greater": d >= d[0] - 1e-12,
        "less": d <= d[0] + 1e-12,
    }[alternative]
    found = compare(
        y, {"a": a, "b": b}, metric=metric, method="permutation", alternative=alternative, n_resamples=8000, rng=2
    )
    assert found.difference == pytest.approx(d[0])
    exact = reach.mean()
    assert found.pvalue == pytest.approx(exact, abs=4.5 * math.sqrt(exact * (1 - exact) / 8000) + 2e-4)


def test_permutation_of_three_scorers_against_all_exchanges():
    """Five rows have 6^5 orders of three midranks: the share whose values scatter as much is the exact p value."""
    y = np.array([1, 1, 0, 0, 0], dtype=bool)
    scores = {"a": [5.0, 4, 3, 2, 1], "b": [5.0, 1, 4, 3, 2], "c": [1.0, 2, 3, 4, 5]}
    ranks = np.array(list(scores.values()))  # untied scores from 1 to n are their own ranks

    def scatter(table):
        wins = table[..., y][..., :, None] - table[..., ~y][..., None, :]
        areas = ((wins > 0) + (wins == 0) / 2).mean(axis=(-2, -1))
        return ((areas - areas.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)

    orders = [list(order) for order in itertools.permutations(range(3))]
    rows = np.arange(5)
    own = scatter(ranks)
    deals = np.array(list(itertools.product(orders, repeat=rows.size)))
    exact = float(np.mean(scatter(ranks[deals.transpose(0, 2, 1), rows]) >= own - 1e-12))
    found = compare(y, scores, method="permutation", n_resamples=8000, rng=3).omnibus
    assert found.statistic == pytest.approx(own)
    assert 0.05 < exact < 0.95
    assert found.pvalue == pytest.approx(exact, abs=4.5 * math.sqrt(exact * (1 - exact) / 8000) + 2e-4)


def test_the_smallest_p_value_of_a_permutation_has_the_one():
    y, scores = sample(200, better=4.0)
    for method in ("permutation", "venkatraman"):
        assert compare(y, scores, method=method, n_resamples=99, rng=0).pvalue == 1 / 100


def test_venkatraman_statistic_by_hand():
    """Without ties: at every number of calls, how many more errors one scorer makes than the other."""
    rng = np.random.default_rng(4)
    y = rng.random(30) < 0.4
    a, b = rng.permutation(30), rng.permutation(30)
    expected = 0
    for k in range(1, 30):
        errors = [np.count_nonzero((np.argsort(np.argsort(-s)) < k) != y) for s in (a, b)]
        expected += abs(errors[0] - errors[1])
    found = compare(y, {"a": a, "b": b}, method="venkatraman", n_resamples=20, rng=0)
    assert found.statistic == pytest.approx(expected, rel=1e-12)
    assert found.omnibus.pvalue == found.pvalue


def test_venkatraman_finds_curves_that_cross():
    rng = np.random.default_rng(0)
    y = np.arange(600) < 300
    steep = rng.normal(size=600) * np.where(y, 3.0, 1.0) + 1.6 * y
    flat = rng.normal(size=600) * np.where(y, 1.0, 3.0) + 1.6 * y
    scores = {"steep": steep, "flat": flat}
    assert compare(y, scores).pvalue > 0.05
    assert compare(y, scores, method="venkatraman", n_resamples=199, rng=1).pvalue < 0.02


@pytest.mark.parametrize("method", th.measures.RocAuc().tests)
def test_only_the_order_of_scores_matters(method):
    y, scores = sample(60)
    rng = np.random.default_rng(5)
    order = rng.permutation(60)
    one = compare(y, scores, method=method, n_resamples=80, rng=3).pairs[0]
    other = compare(
        y, {"a": np.exp(scores["a"]), "b": 5 * scores["b"] - 3}, method=method, n_resamples=80, rng=3
    ).pairs[0]
    assert one.pvalue == other.pvalue
    assert (one.low, one.high) == (other.low, other.high)
    shuffled = compare(y[order], {k: v[order] for k, v in scores.items()}, method=method, n_resamples=80, rng=3).pairs[
        0
    ]
    if method != "bootstrap":  # the order of the rows decides which of them a seed draws
        assert shuffled.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert shuffled.difference == one.difference


@pytest.mark.filterwarnings("ignore:One case decides")
@pytest.mark.parametrize("method", ["bootstrap", "permutation", "venkatraman"])
def test_same_numbers_whatever_the_batches_and_threads(method):
    y, scores = sample(70)
    scores["c"] = scores["a"] + 0.3 * scores["b"]
    runs = []
    for rows, threads in ((None, 1), (1, 1), (13, 2)):
        found = compare(y, scores, method=method, n_resamples=60, rng=11, batch_size=rows, workers=threads)
        runs.append(
            [(p.low, p.high, p.statistic, p.pvalue, p.pvalue_adjusted) for p in found.pairs] + [repr(found.omnibus)]
        )
    assert runs[0] == runs[1] == runs[2]


def test_swapping_the_scorers_turns_everything_round():
    y, scores = sample()
    turned = {"b": scores["b"], "a": scores["a"]}
    for method in ("delong", "bootstrap", "permutation"):
        one = compare(y, scores, method=method, alternative="greater", n_resamples=100, rng=1).pairs[0]
        other = compare(y, turned, method=method, alternative="less", n_resamples=100, rng=1).pairs[0]
        assert one.difference == -other.difference
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
        if method != "permutation":  # the same coins then deal the scorers the other way round
            assert one.pvalue == pytest.approx(other.pvalue)


# Margins


def test_margin_shifts_the_null():
    y, scores = sample(120, better=0.3)
    plain = compare(y, scores, alternative="greater").pairs[0]
    for margin in (0.0, 0.02, 0.1):
        pair = compare(y, scores, alternative="greater", margin=margin).pairs[0]
        assert pair.statistic == pytest.approx((plain.difference + margin) / plain.standard_error)
        assert (pair.low, pair.high) == (plain.low, plain.high)
        less = compare(y, scores, alternative="less", margin=margin).pairs[0]
        assert less.statistic == pytest.approx((plain.difference - margin) / plain.standard_error)
    bootstrap = [
        compare(y, scores, method="bootstrap", alternative="greater", margin=margin, n_resamples=200, rng=0).pvalue
        for margin in (None, 0.0, 0.05, 0.5)
    ]
    assert bootstrap[0] == bootstrap[1] >= bootstrap[2] >= bootstrap[3] == 1 / 201


# Many scorers


def test_holm_and_omnibus_for_three():
    y, scores = sample(120, better=0.7)
    scores["c"] = scores["b"] + np.random.default_rng(1).normal(size=120).round(2)
    found = compare(y, scores)
    assert [(p.a, p.b) for p in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = np.array([p.pvalue for p in found.pairs])
    order = np.argsort(raw)
    expected = np.minimum(np.maximum.accumulate(raw[order] * [3, 2, 1]), 1)
    assert [found.pairs[i].pvalue_adjusted for i in order] == pytest.approx(expected)
    # The textbook form: contrasts L, (L theta)' (L S L')^-1 (L theta).
    covariance = delong_covariance(y, list(scores.values()))[0]
    L = np.array([[1.0, -1, 0], [0, 1, -1]])
    d = L @ found.estimates.values
    wald = d @ np.linalg.solve(L @ covariance @ L.T, d)
    assert found.omnibus.statistic == pytest.approx(wald, rel=1e-9)
    assert found.omnibus.df == 2
    # The covariance is estimated: Hotelling's law, nearly that of the 59 degrees of freedom of a class.
    freedom = found.omnibus.df_error
    assert 59 < freedom < 118
    assert found.omnibus.pvalue == pytest.approx(stats.f(2, freedom - 1).sf(wald * (freedom - 1) / (2 * freedom)))
    drawn = compare(y, scores, method="bootstrap", rng=0).omnibus
    assert drawn.statistic == pytest.approx(wald, rel=0.15)
    assert compare(y, scores, method="permutation", n_resamples=300, rng=0).omnibus.pvalue == pytest.approx(
        found.omnibus.pvalue, abs=0.03
    )


def test_two_scorers_have_the_same_omnibus_as_pair():
    y, scores = sample(better=0.4)
    found = compare(y, scores)
    assert found.omnibus.statistic == pytest.approx(found.statistic**2)
    assert found.omnibus.pvalue == pytest.approx(found.pvalue)
    exchanged = compare(y, scores, method="permutation", n_resamples=100, rng=0)
    assert exchanged.omnibus.pvalue == exchanged.pvalue


def test_a_copy_among_three_leaves_one_degree_of_freedom():
    y, scores = sample(better=0.4)
    scores["copy"] = scores["a"] + 1
    found = compare(y, scores)
    assert found.omnibus.df == 1
    assert found.omnibus.pvalue == pytest.approx(found.pairs[0].pvalue)


# Groups and weights


def test_groups_are_drawn_and_exchanged_together():
    y, scores = sample(60, better=0.5)
    copies = {name: np.tile(score, 4) for name, score in scores.items()}
    groups = np.tile(np.arange(60), 4)
    # Twice as often, since groups of one row each are none.
    twice = np.tile(y, 2), {name: np.tile(score, 2) for name, score in scores.items()}, groups[:120]
    alone = compare(*twice[:2], cluster=twice[2], method="bootstrap", n_resamples=150, rng=2)
    together = compare(np.tile(y, 4), copies, cluster=groups, method="bootstrap", n_resamples=150, rng=2)
    assert (alone.low, alone.high, alone.pvalue) == (together.low, together.high, together.pvalue)
    exchanged = [
        compare(labels, values, cluster=members, method="permutation", n_resamples=150, rng=2).pvalue
        for labels, values, members in (twice, (np.tile(y, 4), copies, groups))
    ]
    assert exchanged[0] == exchanged[1]
    assert compare(np.tile(y, 4), copies, method="bootstrap", n_resamples=150, rng=2).pvalue < alone.pvalue


@pytest.mark.parametrize("name", ["paired", "clusters"])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # small sets of unequal weights, which is said
def test_weights_and_clusters_of_the_reference(name):
    first, second = reference.rows(name), reference.rows(name, "score_b")
    told = reference.expected(name)["paired_roc_auc"]
    scores = {"a": first.score, "b": second.score}
    pair = compare(first.label, scores, sample_weight=first.weight).pairs[0]
    assert pair.standard_error**2 == pytest.approx(float(told["difference_variance"]), rel=1e-12)
    assert pair.statistic == pytest.approx(float(told["z"]), rel=1e-12)
    if name == "clusters":
        groups = reference.datasets()[name]["rows"]["group"]
        pair = compare(first.label, scores, sample_weight=first.weight, cluster=groups).pairs[0]
        assert pair.standard_error**2 == pytest.approx(float(told["clusters"]["difference_variance"]), rel=1e-12)
        assert pair.df == 11


def test_clusters_in_both_samples_are_joined():
    """Samples with the same clusters differ as their joint rows do."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 6)
    y = rng.random(240) < 0.4
    s = rng.normal(size=240) + y + rng.normal(size=40)[group]
    t = rng.normal(size=240) + 0.8 * y + rng.normal(size=40)[group]
    a, b = th.Scores(y, s, cluster=group), th.Scores(y, t, cluster=group)
    joined = th.compare_unpaired(a, b).pairs[0].standard_error
    paired = compare(y, {"a": s, "b": t}, cluster=group).pairs[0].standard_error
    assert joined == pytest.approx(paired, rel=0.03)  # the factors differ by terms of order 1 / clusters
    apart = th.compare_unpaired(a, th.Scores(y, t, cluster=group + 1000)).pairs[0].standard_error
    assert apart**2 == pytest.approx(a.roc_auc().standard_error() ** 2 + b.roc_auc().standard_error() ** 2, rel=1e-12)


def test_frequencies_are_repeated_rows():
    y, scores = sample(50)
    rows = canonical_order([*scores.values(), y])
    y, scores = y[rows], {name: score[rows] for name, score in scores.items()}
    weight = np.arange(50) % 3
    repeated = np.repeat(y, weight), {name: np.repeat(score, weight) for name, score in scores.items()}
    for method in ("delong", "bootstrap", "permutation"):
        options = {"method": method, "n_resamples": 50, "rng": 0}
        counted, expected = (
            compare(*data, **options, **more).pairs[0]
            for data, more in (((y, scores), {"frequency": weight}), (repeated, {}))
        )
        assert (counted.low, counted.high, counted.pvalue) == (expected.low, expected.high, expected.pvalue)
    drawn = compare(y, scores, sample_weight=weight, method="bootstrap", n_resamples=50, rng=0).pairs[0]
    grouped = compare(
        *repeated, cluster=np.repeat(np.arange(50), weight), method="bootstrap", n_resamples=50, rng=0
    ).pairs[0]
    assert (drawn.low, drawn.high) == pytest.approx((grouped.low, grouped.high), rel=1e-12)
    exchanged = [
        compare(y, scores, sample_weight=weight * scale, method="permutation", n_resamples=50, rng=0).pvalue
        for scale in (1, 0.5)
    ]
    assert exchanged[0] == exchanged[1] < 1


def test_variance_0_with_a_difference_is_said():
    y = [0, 0, 0, 1, 1, 1]
    with pytest.warns(ThresherWarning) as caught:
        found = compare(y, {"good": [1, 2, 3, 4, 5, 6], "bad": [6, 5, 4, 3, 2, 1]})
    assert len(caught) == 1
    assert found.remarks()[1].startswith("The rarer class has 3 cases: a test")
    assert found.pvalue == 0.0
    assert found.statistic == math.inf
    assert str(caught[0].message) == (
        "The variance of the difference between 'good' and 'bad' is 0 although the values differ, as when models "
        "separate the classes completely: do not trust its p-value. Hint: use method='permutation'. "
        "(All 2 notes: `.remarks()`.)"
    )
    assert found.remarks()[0] == str(caught[0].message).partition(" (All")[0]
    assert (
        compare(y, {"good": [1, 2, 3, 4, 5, 6], "bad": [6, 5, 4, 3, 2, 1]}, method="permutation", rng=0).pvalue > 0.02
    )


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_two_scorers_without_an_error_are_as_far_apart_as_either_from_perfect(level):
    """With k cases of the rarer class an area below (alpha / 2)^(1 / k) would have shown an error."""
    y = np.repeat([False, True], [12, 30])
    with pytest.warns(ThresherWarning, match="both separate the classes completely"):
        found = compare(y, {"a": y + 0.0, "b": np.arange(42.0)}, method="delong", confidence_level=level).pairs[0]
    far = 1 - ((1 - level) / 2) ** (1 / 12)
    assert (found.low, found.high) == pytest.approx((-far, far))
    assert (found.difference, found.standard_error, found.pvalue) == (0.0, 0.0, 1.0)


def test_one_class_and_one_case():
    with pytest.raises(UndefinedMetricError) as caught:
        compare([1, 1], {"a": [1, 2], "b": [2, 1]})
    assert str(caught.value) == (
        "A comparison needs both classes; got 2 positives and 0 negatives. "
        "Hint: there is no negative row; check the labels and `pos_label`."
    )
    with pytest.raises(UndefinedMetricError, match="DeLong's variance needs more than one positive"):
        compare([1, 0, 0], {"a": [1, 2, 0], "b": [2, 1, 0]})
    assert 0 < compare([1, 0, 0], {"a": [1, 2, 0], "b": [2, 1, 0]}, method="permutation", rng=0).pvalue <= 1


# Partial areas by the variance of their placements


@pytest.mark.parametrize("options", [{"fpr": (0, 0.2)}, {"tpr": (0.6, 1.0)}, {"fpr": (0.1, 0.5), "standardize": True}])
def test_partial_areas_agree_with_the_bootstrap(options):
    rng = np.random.default_rng(8)
    n = 800
    y = np.arange(n) < 300
    common = rng.normal(size=n)
    scores = {name: common + rng.normal(size=n) + shift * y for name, shift in (("a", 1.4), ("b", 1.0))}
    how = {"metric": "partial_roc_auc", **options}
    analytic = compare(y, scores, method="normal", **how)
    drawn = compare(y, scores, method="bootstrap", n_resamples=2000, rng=0, **how)
    assert analytic.estimates.by_name == drawn.estimates.by_name
    pair, other = analytic.pairs[0], drawn.pairs[0]
    assert pair.difference == other.difference
    # The standard deviation of 2000 replicates is known to 1.6%; the ends of a range add some roughness.
    assert pair.standard_error == pytest.approx(other.standard_error, rel=0.1)
    assert pair.low == pytest.approx(other.low, abs=0.3 * pair.standard_error)
    assert pair.high == pytest.approx(other.high, abs=0.3 * pair.standard_error)


def test_partial_areas_agree_with_the_jackknife():
    """Leave out each case: with limits between two rates of the data the area is smooth enough for it."""
    rng = np.random.default_rng(2)
    n = 240
    y = np.arange(n) < 101
    common = rng.normal(size=n)
    scores = {name: common + rng.normal(size=n) + shift * y for name, shift in (("a", 1.5), ("b", 0.8))}

    def difference(rows):
        a, b = (th.Scores(y[rows], s[rows]).partial_roc_auc(fpr=(0.0, 0.3)).value for s in scores.values())
        return a - b

    variance = 0.0
    for side in (y, ~y):
        values = np.array([difference(np.arange(n) != row) for row in np.flatnonzero(side)])
        variance += (side.sum() - 1) / side.sum() * ((values - values.mean()) ** 2).sum()
    found = compare(y, scores, metric="partial_roc_auc", fpr=(0.0, 0.3), method="normal").pairs[0]
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=0.05)


def test_three_partial_areas():
    rng = np.random.default_rng(4)
    y = np.arange(150) < 60
    scores = {name: rng.normal(size=150) + y for name in "abc"}
    found = compare(
        y, {**scores, "like a": np.exp(scores["a"])}, metric="partial_roc_auc", tpr=(0.5, 1), method="normal"
    )
    assert found.omnibus.df == 2
    alike = next(pair for pair in found.pairs if (pair.a, pair.b) == ("a", "like a"))
    assert (alike.difference, alike.pvalue, alike.standard_error) == (0.0, 1.0, 0.0)


def test_the_order_of_the_rows_does_not_matter():
    y, scores = sample(80)
    tied = {"a": scores["a"].round(1), "b": scores["b"].round(1)}
    rows = np.random.default_rng(3).permutation(y.size)
    for method in ("delong", "bootstrap", "permutation"):
        found, shuffled = (
            compare(
                y[at], {name: score[at] for name, score in tied.items()}, method=method, n_resamples=50, rng=4
            ).pairs[0]
            for at in (np.arange(y.size), rows)
        )
        assert (found.low, found.high, found.pvalue) == (shuffled.low, shuffled.high, shuffled.pvalue)
