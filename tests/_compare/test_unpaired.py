import itertools
import math

import numpy as np
import pytest
import scipy.stats

import thresher as th
from support.golden import golden, scores
from thresher._compare import compare_unpaired
from thresher._compare.replicates import Pooling
from thresher._compare.unpaired import _df
from thresher._core.random_streams import stream_key
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning
from thresher.measures import RocAuc

DATASETS = [
    ("paired_r50_n500", "model_a", "model_b"),
    ("paired_ties_n500", "model_a", "model_b"),
    ("paired_identical_n120", "model_a", "model_b"),
    ("real_breast_cancer", "logistic", "tree"),
    ("real_digits_8", "logistic", "tree"),
    ("real_digits_1", "logistic", "tree"),
]


def check(found, expected, *, greater=None):
    pair = found.pairs[0]
    seen = {
        "auc_diff": pair.difference,
        "var_diff": pair.standard_error**2,
        "stat": pair.statistic,
        "p_t": pair.pvalue,
        "p_two_sided": pair.pvalue,
        "p_greater": greater,
    }
    compared = 0
    for key, value in seen.items():
        if value is not None and key in expected:
            assert value == pytest.approx(expected[key], rel=1e-12, abs=1e-15), key
            compared += 1
    for key in ("df", "df_welch"):
        if key in expected:
            assert pair.df == pytest.approx(expected[key], rel=1e-11)
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("dataset, a, b", DATASETS)
def test_welch_matches_the_references(dataset, a, b):
    found = compare_unpaired(scores(dataset, a), scores(dataset, b), method="delong")
    start = f"{a}_vs_{b}.unpaired."
    for name, figures in golden()[dataset]["peers"].items():
        if name.startswith(("exact", "pROC")):
            check(found, {k.removeprefix(start): v for k, v in figures.items() if k.startswith(start)})


@pytest.mark.parametrize("pair", sorted(golden()["_unpaired_delong"]))
def test_independent_samples_match_the_references(pair):
    a, b = (scores(*side.split("/")) for side in pair.split(" vs "))
    greater = compare_unpaired(a, b, alternative="greater", method="delong").pvalue
    for expected in golden()["_unpaired_delong"][pair].values():
        check(compare_unpaired(a, b, method="delong"), expected, greater=greater)


def samples(n=60, better=0.0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 2
    return (
        th.Scores(y, (rng.normal(size=n) + (1 + better) * y).round(1)),
        th.Scores(y, np.exp((rng.normal(size=n) + y).round(1))),
    )


def test_bootstrap_spread_is_that_of_both_samples():
    a, b = samples(200)
    found = compare_unpaired(a, b, method="bootstrap", n_resamples=3000, rng=0).pairs[0]
    analytic = compare_unpaired(a, b).pairs[0]
    assert found.difference == analytic.difference
    assert found.standard_error == pytest.approx(analytic.standard_error, rel=0.05)
    assert (found.low, found.high) == pytest.approx((analytic.low, analytic.high), abs=0.15 * analytic.standard_error)
    assert found.pvalue == pytest.approx(analytic.pvalue, abs=0.04)


@pytest.mark.parametrize("method", ["delong", "permutation", "venkatraman"])
@pytest.mark.parametrize("factor", [1, 3])
def test_equal_samples_give_p_1(method, factor):
    a, _ = samples()
    b = th.Scores.from_counts(np.exp(a.thresholds), a.pos * factor, a.neg * factor)
    found = compare_unpaired(a, b, method=method, n_resamples=60, rng=0)
    assert found.difference == pytest.approx(0.0, abs=1e-15)
    assert found.pvalue == pytest.approx(1.0, abs=1e-9)
    assert found.pairs[0].dominance.verdict == "equal"


def test_permutation_against_all_deals():
    """Three and two positives, two and three negatives: 10 * 10 deals of the cases between the samples."""
    a = th.Scores.from_pos_neg([9, 8, 3], [5, 1])
    b = th.Scores.from_pos_neg([40, 10], [50, 30, 20])
    weight = 0.5
    places = []
    for sample in (a, b):
        roc = sample.roc()
        u = weight * roc.tpr + (1 - weight) * roc.fpr
        middle = dict(zip(sample.thresholds.tolist(), ((u[1:] + u[:-1]) / 2).round(12), strict=True))
        places.append(
            [
                [middle[t] for t, n in zip(sample.thresholds.tolist(), side, strict=True) for _ in range(n)]
                for side in (sample.pos, sample.neg)
            ]
        )
    pos, neg = (places[0][side] + places[1][side] for side in (0, 1))
    differences = []
    for own_pos in itertools.combinations(range(5), 3):
        for own_neg in itertools.combinations(range(5), 2):
            areas = [
                # Lower u is a higher score.
                th.Scores.from_pos_neg(
                    [-u for i, u in enumerate(pos) if (i in own_pos) is mine],
                    [-u for i, u in enumerate(neg) if (i in own_neg) is mine],
                )
                .roc_auc()
                .value
                for mine in (True, False)
            ]
            differences.append(areas[0] - areas[1])
    d = np.array(differences)
    observed = a.roc_auc().value - b.roc_auc().value
    exact = np.mean(np.abs(d) >= abs(observed) - 1e-12)
    found = compare_unpaired(a, b, method="permutation", n_resamples=6000, rng=5)
    assert found.pvalue == pytest.approx(exact, abs=4.5 * math.sqrt(exact * (1 - exact) / 6000) + 2e-4)


@pytest.mark.parametrize("scale", [1, 400])
def test_dealing_keeps_class_totals(scale):
    """Few places and many cases switch to hypergeometric draws."""
    a = th.Scores.from_counts([3, 2, 1], np.array([3, 1, 2]) * scale, np.array([1, 2, 4]) * scale)
    b = th.Scores.from_counts([3, 2, 1], np.array([2, 2, 1]) * scale, np.array([1, 1, 3]) * scale)
    pooling = Pooling(a, b, "ranks")
    (pos_a, neg_a), (pos_b, neg_b) = pooling.draw(stream_key(0), 0, 400)
    assert (pos_a.sum(axis=1) == 6 * scale).all()
    assert (neg_b.sum(axis=1) == 5 * scale).all()
    (own_pos, own_neg), (other_pos, other_neg) = pooling.observed()
    assert ((pos_a + pos_b) == own_pos + other_pos).all()
    assert ((neg_a + neg_b) == own_neg + other_neg).all()
    expected = (own_pos + other_pos)[0] * 6 / 11
    assert pos_a.mean(axis=0) == pytest.approx(expected, rel=0.1)


def test_venkatraman_is_the_area_between_the_paths():
    a, b = samples(better=0.5)
    found = compare_unpaired(a, b, method="venkatraman", n_resamples=20, rng=0)
    grid = np.arange(1, 120) / 120
    heights = []
    for sample in (a, b):
        roc = sample.roc()
        heights.append(np.interp(grid, (roc.tpr + roc.fpr) / 2, roc.tpr))
    assert found.statistic == pytest.approx(np.abs(heights[0] - heights[1]).sum() / 120, rel=1e-9)


@pytest.mark.parametrize("method", ["permutation", "venkatraman", "bootstrap"])
def test_a_clear_difference_is_found(method):
    found = compare_unpaired(*samples(200, better=1.5), method=method, n_resamples=199, rng=0)
    assert found.pvalue <= 0.02


@pytest.mark.parametrize("method", ["bootstrap", "permutation", "venkatraman"])
def test_same_numbers_whatever_the_batches_and_threads(method):
    a, b = samples()
    runs = [
        compare_unpaired(a, b, method=method, n_resamples=50, rng=4, batch_size=rows, workers=threads).pairs[0]
        for rows, threads in ((None, 1), (1, 1), (9, 2))
    ]
    assert len({(run.pvalue, run.low, run.high, run.statistic) for run in runs}) == 1


def test_margin_and_names():
    a, b = samples()
    found = compare_unpaired(a, b, names=("site 1", "site 2"), alternative="greater", margin=0.1, method="delong")
    pair = found.pairs[0]
    assert pair.statistic == pytest.approx((pair.difference + 0.1) / pair.standard_error)
    assert list(found.estimates.names) == ["site 1", "site 2"]


def test_the_p_value_of_mover_is_that_of_the_interval_that_ends_at_the_null():
    a, b = samples()
    for options in ({"alternative": "two-sided"}, {"alternative": "greater", "margin": 0.1}):
        found = compare_unpaired(a, b, **options)
        assert found.method == "mover"
        two_sided = 2.0 * min(scipy.stats.norm.sf(abs(found.pairs[0].statistic)), 0.5)
        own = compare_unpaired(a, b, confidence_level=1.0 - two_sided)
        null = -options.get("margin", 0.0)
        assert min(abs(own.low - null), abs(own.high - null)) == pytest.approx(0.0, abs=1e-9)
        sides = 1.0 if options["alternative"] == "greater" else 2.0
        assert found.pvalue == pytest.approx(
            sides * scipy.stats.norm.sf(abs(found.pairs[0].statistic) if sides == 2.0 else found.pairs[0].statistic)
        )


def test_mover_in_large_samples_is_delong():
    rng = np.random.default_rng(1)
    a, b = (th.Scores.from_pos_neg(rng.normal(1, 1, 40_000), rng.normal(0, 1, 40_000)) for _ in range(2))
    mover, delong = compare_unpaired(a, b), compare_unpaired(a, b, method="delong")
    assert mover.pvalue == pytest.approx(delong.pvalue, abs=0.003)
    assert [mover.low, mover.high] == pytest.approx([delong.low, delong.high], abs=2e-5)


def test_mover_is_the_same_the_other_way_round_and_with_classes_swapped():
    rng = np.random.default_rng(2)
    pos, neg = [rng.normal(1.5, 1, n) for n in (12, 40)], [rng.normal(0, 1, n) for n in (30, 25)]
    a, b = (th.Scores.from_pos_neg(p, n) for p, n in zip(pos, neg, strict=True))
    c, d = (th.Scores.from_pos_neg(-n, -p) for p, n in zip(pos, neg, strict=True))
    own, turned, swapped = compare_unpaired(a, b), compare_unpaired(b, a), compare_unpaired(c, d)
    assert own.pvalue == pytest.approx(turned.pvalue, rel=1e-9)
    assert own.pvalue == pytest.approx(swapped.pvalue, rel=1e-9)
    assert [-turned.high, -turned.low] == pytest.approx([own.low, own.high], abs=1e-12)


def test_mover_of_areas_at_the_end_of_the_range():
    rng = np.random.default_rng(3)
    perfect = th.Scores.from_pos_neg(rng.normal(9, 1, 60), rng.normal(0, 1, 150))
    other = th.Scores.from_pos_neg(rng.normal(0.5, 1, 200), rng.normal(0, 1, 200))
    found = compare_unpaired(perfect, other)
    assert found.pvalue < 0.01
    assert found.low < found.difference < found.high
    with pytest.warns(ThresherWarning, match="both separate the classes completely"):
        same = compare_unpaired(perfect, perfect)
    assert same.pvalue == 1.0
    assert same.low < 0.0 < same.high


def test_other_metrics():
    a, b = samples()
    for metric, options in (
        ("partial_roc_auc", {"fpr": (0, 0.5)}),
        ("pr_auc", {}),
        ("average_precision", {"prevalence": 0.05}),
        ("precision_at_recall", {"recall": 0.5}),
    ):
        for method in ("bootstrap", "permutation"):
            found = compare_unpaired(a, b, metric=metric, method=method, n_resamples=40, rng=0, **options)
            assert 0 < found.pvalue <= 1
            assert -1 <= found.low <= found.high <= 1


def test_weights():
    rng = np.random.default_rng(0)
    y = np.arange(60) < 30
    a, b = (th.Scores(y, rng.normal(size=60) + y, sample_weight=rng.uniform(0.5, 2, 60)) for _ in range(2))
    assert 0 < compare_unpaired(a, b).pvalue <= 1
    assert 0 < compare_unpaired(a, b, method="bootstrap", n_resamples=50, rng=0).pvalue <= 1
    with pytest.raises(InvalidInputError) as caught:
        compare_unpaired(a, b, method="permutation")
    assert str(caught.value) == (
        "`method='permutation'` must have independent rows of equal weight, which it permutes between the samples; "
        "got weights. Hint: 'bootstrap' takes both, and so does 'delong' for the area under the ROC curve."
    )


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize("few_in", [0, 1])
@pytest.mark.parametrize("few", ["positives", "negatives"])
@pytest.mark.filterwarnings("ignore:One case decides")  # said besides, of some of them
def test_the_rarest_class_of_both_samples_is_named(method, few_in, few):
    y = np.arange(60) < (4 if few == "positives" else 56)
    rng = np.random.default_rng(0)
    pair = [th.Scores(np.arange(60) < 30, rng.normal(size=60)), th.Scores(y, rng.normal(size=60))]
    with pytest.warns(ThresherWarning, match="The rarer class has 4 cases: a test"):
        compare_unpaired(*(pair if few_in else pair[::-1]), method=method, n_resamples=100, rng=0)


def test_different_balance_is_said():
    a = th.Scores.from_counts([2, 1], [5, 5], [5, 10])
    b = th.Scores.from_counts([2, 1], [5, 5], [20, 40])
    with pytest.warns(ThresherWarning) as caught:
        compare_unpaired(a, b, metric="pr_auc", n_resamples=20, rng=0)
    assert str(caught[0].message) == (
        "The samples have different proportions of positives, 0.4 and 0.143, and 'pr_auc' depends on "
        "them: part of the difference comes from that. Hint: give both the same `prevalence`."
    )
    with pytest.warns(ThresherWarning, match="'brier' depends on them: .* Hint: 'roc_auc' and other metrics of ranks"):
        compare_unpaired(*(th.Scores.from_counts([0.9, 0.1], one.pos, one.neg) for one in (a, b)), metric="brier")
    compare_unpaired(a, b, metric="pr_auc", prevalence=0.2, n_resamples=20, rng=0)


def test_messages():
    a, b = samples()
    with pytest.raises(InvalidTypeError) as caught:
        compare_unpaired(a, [1, 2])
    assert str(caught.value) == (
        "`scores_b` must be a Scores; got list. Hint: build one with `th.Scores(y_true, y_score)`."
    )
    with pytest.raises(InvalidInputError) as names:
        compare_unpaired(a, b, names=("x", "x"))
    assert str(names.value) == "`names` must be two different names; got ('x', 'x')."
    with pytest.raises(InvalidInputError, match="`method='mcnemar'` must have two models on the same rows"):
        compare_unpaired(a, b, metric="recall", threshold=1.0, method="mcnemar")
    assert compare_unpaired(a, b, metric="recall", threshold=1.0, method="score").method == "score"


@pytest.mark.parametrize("options", [{"fpr": (0, 0.3)}, {"tpr": (0.5, 1.0), "standardize": True}])
def test_partial_areas_have_the_variance_of_their_placements(options):
    a, b = samples(400, better=0.5)
    found = compare_unpaired(a, b, metric="partial_roc_auc", method="normal", **options)
    parts = [counts.partial_roc_auc(**options) for counts in (a, b)]
    errors = [part.standard_error(method="delong") for part in parts]
    pair = found.pairs[0]
    assert pair.difference == pytest.approx(parts[0].value - parts[1].value, rel=1e-12)
    assert pair.standard_error == pytest.approx(math.hypot(*errors), rel=1e-12)
    drawn = compare_unpaired(a, b, metric="partial_roc_auc", method="bootstrap", n_resamples=2000, rng=0, **options)
    assert pair.standard_error == pytest.approx(drawn.pairs[0].standard_error, rel=0.1)


def test_means_over_rows_are_welchs_test_of_the_rows():
    rng = np.random.default_rng(0)
    samples = []
    for n, gap in ((400, 0.3), (390, 0.1)):
        y = np.arange(n) % 10 < 3
        samples.append((y, np.clip(0.3 + gap * y + 0.2 * rng.normal(size=n), 0, 1)))
    found = th.compare_unpaired(*(th.Scores(y, s) for y, s in samples), metric="brier")
    losses = [(s - y) ** 2 for y, s in samples]
    welch = scipy.stats.ttest_ind(*losses, equal_var=False)
    assert found.method == "normal"
    assert found.difference == pytest.approx(losses[0].mean() - losses[1].mean(), rel=1e-12)
    # The variance has n where Welch's has n - 1.
    assert found.statistic == pytest.approx(welch.statistic, rel=3e-3)
    assert (found.low, found.high) == pytest.approx(tuple(welch.confidence_interval()), rel=3e-3)


def test_degrees_of_freedom_by_class_or_of_the_smallest():
    a, b = (th.Scores(np.arange(n) < n // 2, np.random.default_rng(n).integers(0, 9, n)) for n in (14, 24))
    parts = []
    for table in (a, b):
        pos, neg = (np.repeat(table.thresholds, counts) for counts in (table.pos, table.neg))
        wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
        parts += [
            (np.var(wins.mean(axis=axis), ddof=1) / wins.shape[1 - axis], wins.shape[1 - axis]) for axis in (1, 0)
        ]
    # Satterthwaite: the square of the sum over the sum of squares, each by its own degrees of freedom.
    want = sum(v for v, _ in parts) ** 2 / sum(v**2 / (n - 1) for v, n in parts)
    assert _df(a, b, RocAuc()) == pytest.approx(want, rel=1e-12)
    weighted = th.Scores([1, 1, 1, 0, 0, 0, 0], range(7), sample_weight=[1, 2, 3, 1, 1, 1, 1.0])
    assert _df(a, weighted, RocAuc()) == pytest.approx(36 / 14 - 1)  # three positives worth 6^2 / 14
    alone = th.Scores([1, 0, 0, 0], [2, 3, 1, 0])
    assert _df(a, alone, RocAuc()) == 1.0
    many = th.Scores(np.arange(100) < 50, np.arange(100.0))
    assert _df(many, many, RocAuc()) == math.inf
    assert math.isfinite(_df(many, th.Scores(np.arange(99) < 49, np.random.default_rng(0).random(99)), RocAuc()))


def test_cases_in_both_samples_are_not_independent_rows():
    """A patient with one row in each sample ties the samples together, however few rows a sample has of it."""
    rng = np.random.default_rng(3)
    patient = np.arange(200)
    skill = rng.normal(size=200)
    y = (rng.random(200) < 0.5).astype(int)
    tables = [th.Scores(y, skill + y + 0.3 * rng.normal(size=200), cluster=patient) for _ in range(2)]
    apart = [th.Scores(y, t, cluster=patient + 500 * k) for k, t in enumerate((skill + y, skill + y))]
    found = th.compare_unpaired(*tables, metric="recall", threshold=0.5)
    alone = th.compare_unpaired(*apart, metric="recall", threshold=0.5)
    assert found.method == "normal"
    assert alone.method == "score"
    assert found.standard_error < 0.8 * alone.standard_error
    with pytest.raises(InvalidInputError, match=r"`method='score'` must have independent rows"):
        th.compare_unpaired(*tables, metric="recall", threshold=0.5, method="score")
