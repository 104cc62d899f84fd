import itertools
import math
from collections import Counter
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher import bootstrap
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import Resampling, bootstrap_table, draws_of
from thresher._inference.bootstrap.distribution import BOOTSTRAP_METHODS, run_bootstrap
from thresher._inference.delong.delong import delong
from thresher._inference.sampling import UnitDraws, Units, UnitTables
from thresher._table import grid_of, row_columns
from thresher.exceptions import ThresherWarning, UndefinedMetricError
from thresher.measures import as_measure

METRICS = [
    ("roc_auc", {}),
    ("partial_roc_auc", {"fpr": (0.0, 0.4)}),
    ("pr_auc", {}),
    ("average_precision", {}),
    ("precision_at_recall", {"recall": 0.6}),
]


def sample(n=120, seed=0, digits=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 3
    return y, (rng.normal(size=n) + 1.2 * y).round(digits)


def by_rows(y, score, measure, *, stratified):
    """Draws of single rows, as clusters of one row each."""
    table = th.Scores(y, score)
    units = Units(np.arange(y.size), y, stratified=stratified)
    grid = grid_of(measure.needs, table.thresholds, table.pos, table.neg)
    return UnitDraws(units, UnitTables(y, row_columns(table.thresholds, score, grid), units, grid)), units


def test_enumeration_of_all_resamples():
    """Three positives and three negatives have 27 * 27 equally likely resamples: the draws must follow their law."""
    y, score = [1, 1, 1, 0, 0, 0], [5, 3, 2, 4, 2, 1]
    pos, neg = score[:3], score[3:]
    law = Counter(
        th.Scores.from_pos_neg(a, b).roc_auc().value
        for a in itertools.product(pos, repeat=3)
        for b in itertools.product(neg, repeat=3)
    )
    found = bootstrap(y, score, n_resamples=20_000, rng=3)
    assert set(found.replicates.tolist()) <= set(law)
    values = sorted(law)
    expected = np.array([law[value] for value in values]) / 729 * 20_000
    seen = np.array([np.count_nonzero(found.replicates == value) for value in values])
    statistic = ((seen - expected) ** 2 / expected).sum()
    # The 99.9% quantile of chi-square, by Wilson and Hilferty.
    df = len(values) - 1
    assert statistic < df * (1 - 2 / (9 * df) + 3.09 * math.sqrt(2 / (9 * df))) ** 3


def test_enumeration_without_strata():
    """Five cases drawn alike: 3125 resamples, less those without one of the classes."""
    y, score = np.array([1, 1, 0, 0, 0], dtype=bool), np.array([4, 2, 3, 2, 1])
    values = [
        th.Scores(y[list(rows)], score[list(rows)]).pr_auc().value
        for rows in itertools.product(range(5), repeat=5)
        if 0 < y[list(rows)].sum() < 5
    ]
    found = bootstrap(y, score, metric="pr_auc", stratified=False, n_resamples=20_000, rng=8)
    assert found.replicates.mean() == pytest.approx(np.mean(values), abs=4 * np.std(values) / math.sqrt(20_000))
    assert found.replicates.std() == pytest.approx(np.std(values), rel=0.03)
    assert set(found.replicates.round(10)) <= set(np.round(values, 10))


@pytest.mark.parametrize("metric, options", METRICS)
@pytest.mark.parametrize("stratified", [True, False])
def test_rows_repeated_give_the_same_value(metric, options, stratified):
    """The slow oracle: repeat the rows as often as they were drawn, count them anew and measure."""
    y, score = sample(40)
    measure = as_measure(metric, **options)
    draws, units = by_rows(y, score, measure, stratified=stratified)
    found = run_bootstrap(draws, measure, Resampling(n_resamples=25, rng=5)).replicates
    times = units.draw(stream_key(5), 0, 25).astype(int)
    assert (times.sum(axis=1) == 40).all()
    if stratified:
        assert (times[:, y].sum(axis=1) == y.sum()).all()
    for row, value in zip(times, found, strict=True):
        again = th.Scores(np.repeat(y, row), np.repeat(score, row))
        expected = {
            "roc_auc": lambda s: s.roc_auc().value,
            "partial_roc_auc": lambda s: s.partial_roc_auc(fpr=(0.0, 0.4)).value,
            "pr_auc": lambda s: s.pr_auc().value,
            "average_precision": lambda s: s.pr_auc(estimator="average_precision").value,
            "precision_at_recall": lambda s: s.pr().at(recall=0.6).precision,
        }[metric](again)
        assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric, options", METRICS)
@pytest.mark.parametrize("kind", ["counts", "clusters"])
def test_same_numbers_whatever_the_batches_and_threads(metric, options, kind):
    y, score = sample(300, digits=2)
    extra = {} if kind == "counts" else {"cluster": np.arange(300) // 2, "stratified": False}
    runs = [
        bootstrap(y, score, metric=metric, **options, **extra, rng=1, n_resamples=101, batch_size=rows, workers=threads)
        for rows, threads in ((None, 1), (1, 1), (7, 1), (50, 2), (101, 3))
    ]
    for run in runs[1:]:
        assert np.array_equal(run.replicates, runs[0].replicates)
    more = bootstrap(y, score, metric=metric, **options, **extra, rng=1, n_resamples=150)
    assert np.array_equal(more.replicates[:101], runs[0].replicates)
    assert not np.array_equal(bootstrap(y, score, rng=2, n_resamples=101).replicates, runs[0].replicates)


def test_studentized_ends_do_not_depend_on_batches():
    y, score = sample(100)
    ends = {
        tuple(
            bootstrap(y, score, rng=1, n_resamples=99, batch_size=rows, workers=threads).confidence_interval(
                method="studentized"
            )
        )
        for rows, threads in ((None, 1), (4, 2))
    }
    assert len(ends) == 1


def test_mean_and_spread_agree_with_delong():
    y, score = sample(600, digits=3)
    scores = th.Scores(y, score)
    found = bootstrap(y, score, n_resamples=4000, rng=2)
    analytic = math.sqrt(delong(scores.pos, scores.neg).variance)
    assert found.value == scores.roc_auc().value
    assert abs(found.bias) < 4 * analytic / math.sqrt(4000)
    # The standard deviation of 4000 normal draws is known to 1.1%; the class sizes cost another half percent.
    assert found.standard_error == pytest.approx(analytic, rel=0.05)


# Intervals


@pytest.mark.some(3)
@pytest.mark.parametrize("metric, options", METRICS)
def test_intervals_of_every_kind_are_ordered_and_hold_the_value(metric, options):
    found = bootstrap(*sample(), metric=metric, **options, n_resamples=800, rng=4)
    kinds = BOOTSTRAP_METHODS if metric != "precision_at_recall" else BOOTSTRAP_METHODS[:2]
    for kind in kinds:
        narrow, wide = (found.confidence_interval(level, method=kind) for level in (0.8, 0.99))
        assert 0 <= wide.low <= narrow.low <= found.value <= narrow.high <= wide.high <= 1
        assert narrow.confidence_level == 0.8
        assert narrow.method == kind


@given(
    pos=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    neg=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    kind=st.sampled_from(BOOTSTRAP_METHODS),
    stratified=st.booleans(),
)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # tiny tables are what is tried here
def test_intervals_stay_inside_whatever_the_data(pos, neg, kind, stratified):
    pos[0] += 1
    neg[1] += 1
    table = th.Scores.from_counts([4, 3, 2, 1], pos, neg)
    for measure in (as_measure("roc_auc"), as_measure("partial_roc_auc", tpr=(0.4, 0.9))):
        found = bootstrap_table(table, measure, Resampling(n_resamples=60, rng=0, stratified=stratified))
        try:
            low, high = found.confidence_interval(method=kind)
        except UndefinedMetricError:
            assert kind == "studentized"
            assert min(sum(pos), sum(neg)) == 1
            continue
        assert 0 <= low <= high <= measure.bounds[1]


def test_percentile_takes_quantiles():
    found = bootstrap(*sample(), n_resamples=500, rng=4)
    assert tuple(found.confidence_interval(0.9, method="percentile")) == pytest.approx(
        np.quantile(found.replicates, [0.05, 0.95])
    )


def skewness(pulls):
    """A sixth of the skewness of a sum, from what each case adds to it."""
    return sum((pull**3).sum() for pull in pulls) / (6 * sum((pull**2).sum() for pull in pulls) ** 1.5)


@pytest.mark.parametrize("metric, options", METRICS[:4])
def test_acceleration_is_the_skewness_of_derivatives(metric, options):
    """Give each row a little more weight, and centre what it changes within its class."""
    y, score = sample(60)
    measure = as_measure(metric, **options)
    options = options | {"stratified": True}
    found = bootstrap(y, score, metric=metric, **options, n_resamples=20, rng=0)
    slopes = np.empty(60)
    for row in range(60):
        ends = []
        for step in (1e-4, -1e-4):
            weight = np.ones(60)
            weight[row] += step
            ends.append(measure.of(th.Scores(y, score, sample_weight=weight)))
        slopes[row] = ends[0] - ends[1]
    expected = skewness([slopes[rows] - slopes[rows].mean() for rows in (y, ~y)])
    assert found.acceleration == pytest.approx(expected, rel=1e-4)
    clusters = bootstrap(y, score, metric=metric, **options, cluster=np.arange(60), n_resamples=20, rng=0)
    assert clusters.acceleration == pytest.approx(found.acceleration, rel=1e-12)


def test_acceleration_without_derivatives_is_the_jackknife():
    """Leave out each row, count anew, and put the values into the textbook formula of several samples."""
    y, score = sample(60)
    options = {"metric": "precision_at_recall", "recall": 0.6, "n_resamples": 20, "rng": 0, "stratified": True}
    pulls = []
    for rows in (np.flatnonzero(y), np.flatnonzero(~y)):
        values = np.array([bootstrap(np.delete(y, row), np.delete(score, row), **options).value for row in rows])
        pulls.append((rows.size - 1) * (values.mean() - values) / rows.size)
    for more in ({}, {"cluster": np.arange(60)}):
        assert bootstrap(y, score, **options, **more).acceleration == pytest.approx(skewness(pulls), rel=1e-9)


@pytest.mark.parametrize(
    "metric, options",
    [("ks", {}), ("precision_at_recall", {"recall": 0.6}), ("precision_at_depth", {"depth": 90}), ("brier", {})],
)
@pytest.mark.parametrize("stratified", [True, False])
def test_leaving_out_cases_of_a_table_leaves_out_rows(metric, options, stratified):
    """Taking a case out of each column gives what leaving out every row in turn gives."""
    y, score = sample(300, digits=1)
    score = 1.0 / (1.0 + np.exp(-score))
    measure = as_measure(metric, **options)
    how = Resampling(n_resamples=10, rng=0)
    draws = draws_of(th.Scores(y, score), measure, stratified=stratified)
    single, _ = by_rows(y, score, measure, stratified=stratified)
    expected = run_bootstrap(single, measure, how).acceleration
    assert run_bootstrap(draws, measure, how).acceleration == pytest.approx(expected, rel=1e-8)


def test_acceleration_at_chosen_places_is_close_to_that_of_all_cases():
    y, score = sample(3000, digits=6)
    measure, how = as_measure("pr_auc"), Resampling(n_resamples=10, rng=0, stratified=True)
    scores = th.Scores(y, score)
    at_places = run_bootstrap(draws_of(scores, measure, stratified=True), measure, how).acceleration
    everywhere = bootstrap_table(scores, measure, how).acceleration
    assert at_places == pytest.approx(everywhere, rel=0.1)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("precision", {"threshold": 0.3}),
        ("net_benefit", {"threshold_probability": 0.3}),
        ("alert_rate", {"threshold": 0.3}),
        ("accuracy", {"threshold": 0.3}),
        ("recall", {"threshold": 0.3}),
        ("precision", {"threshold": 0.3, "prevalence": 0.1}),
        ("brier", {}),
        ("roc_auc", {}),
    ],
)
def test_resamples_vary_as_the_standard_error_says(metric, options):
    """A prevalence that the sample left to chance varies in resamples, paired and unpaired ones too."""
    y, score = sample(400, digits=2)
    score = 1.0 / (1.0 + np.exp(-score))
    table = th.Scores(y, score)
    expected = float(table.measure(metric, **options).standard_error())
    how = {"n_resamples": 1000, "rng": 3, "method": "bootstrap"}
    found = bootstrap(y, score, metric=metric, **options, n_resamples=1000, rng=3)
    assert float(found.standard_error) == pytest.approx(expected, rel=0.12)
    other = th.compare_unpaired(table, table, metric=metric, **options, **how)
    assert other.standard_error == pytest.approx(math.sqrt(2.0) * expected, rel=0.12)


def test_bca_takes_the_data_drawn_again_as_a_tie():
    """Resamples are measured in another order of sums: what is equal on paper may differ in the last digit."""
    found = bootstrap(*sample(), metric="average_precision", n_resamples=200, rng=0)
    equal, near = (
        replace(found, replicates=np.append(found.replicates, found.value * (1 + off)))
        for off in (np.zeros(300), np.tile([-1e-15, 0.0, 1e-15], 100))
    )
    assert np.unique(near.replicates).size > np.unique(equal.replicates).size
    assert tuple(near.confidence_interval()) == pytest.approx(tuple(equal.confidence_interval()), rel=1e-12)


def test_bca_agrees_with_scipy():
    """SciPy resamples one sample of pairs, as does the bootstrap without strata."""
    from scipy import stats

    y, score = sample(150, digits=4)
    found = bootstrap(y, score, stratified=False, n_resamples=4000, rng=1).confidence_interval(0.9)

    def area(labels, values):
        return th.Scores(labels, values).roc_auc().value

    seed = {"rng" if "rng" in signature(stats.bootstrap).parameters else "random_state": 7}  # the older name until 1.14
    reference = stats.bootstrap(
        (y, score), area, paired=True, vectorized=False, n_resamples=1500, confidence_level=0.9, method="BCa", **seed
    ).confidence_interval
    width = reference.high - reference.low
    assert found.low == pytest.approx(reference.low, abs=0.08 * width)
    assert found.high == pytest.approx(reference.high, abs=0.08 * width)


def test_studentized_by_hand():
    from scipy.special import expit, logit

    y, score = sample(80)
    scores = th.Scores(y, score)
    found = bootstrap(y, score, n_resamples=99, rng=6)
    draws = draws_of(scores, as_measure("roc_auc"), stratified=True)
    t = []
    for i in range(99):
        pos, neg = (table[0] for table in draws.draw(stream_key(6), i, 1))
        area = delong(pos, neg)
        scale = math.sqrt(area.variance) / (area.auc * (1 - area.auc))
        t.append((logit(area.auc) - logit(found.value)) / scale)
    own = math.sqrt(delong(scores.pos, scores.neg).variance) / (found.value * (1 - found.value))
    t.sort()
    # 99 replicates: the 5% quantile is the fifth, the 95% quantile the ninety-fifth.
    expected = expit(logit(found.value) - own * t[94]), expit(logit(found.value) - own * t[4])
    assert tuple(found.confidence_interval(0.9, method="studentized")) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    "stretched, plain, least, width",
    [
        (("gini", {}), ("roc_auc", {}), -1.0, 2.0),
        (
            ("partial_roc_auc", {"fpr": (0, 0.5), "standardize": True}),
            ("partial_roc_auc", {"fpr": (0, 0.5)}),
            0.5 - 0.125 / 0.75,  # McClish's correction of an area of 0, and its slope
            1 / 0.75,
        ),
    ],
)
def test_studentized_intervals_of_stretched_areas_are_stretched(stretched, plain, least, width):
    found, area = (
        bootstrap(*sample(80), metric=metric, **options, n_resamples=99, rng=6).confidence_interval(
            method="studentized"
        )
        for metric, options in (stretched, plain)
    )
    assert tuple(found) == pytest.approx([least + width * end for end in area], rel=1e-9)


# Degenerate data


@pytest.mark.parametrize("kind", BOOTSTRAP_METHODS)
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_classes_that_do_not_overlap_give_a_point_and_a_warning(kind, value):
    y = [1, 1, 1, 0, 0] if value else [0, 0, 0, 1, 1]
    found = bootstrap(y, [5, 4, 3, 2, 1], n_resamples=50, rng=0)
    with pytest.warns(ThresherWarning) as caught:
        assert tuple(found.confidence_interval(method=kind)) == (value, value)
    assert str(caught[0].message) == (
        f"No resample differs from the data: the bootstrap interval of roc_auc is the single point {value:g} and says "
        "nothing about other samples. Hint: `scores.roc_auc().confidence_interval()` has length."
    )
    area = th.Scores(y, [5, 4, 3, 2, 1]).roc_auc().to_dict()
    assert area["low"] < area["high"]


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"metric": "pr_auc"}, "`scores.pr_auc().confidence_interval()` says what these data can tell."),
        ({"metric": "average_precision"}, "`scores.pr_auc().confidence_interval()` says what these data can tell."),
        ({"metric": "partial_roc_auc", "fpr": (0, 0.5)}, "more cases are needed."),
    ],
)
def test_no_remedy_is_of_another_metric(options, hint):
    separated = bootstrap([1, 1, 0, 0], [4, 3, 2, 1], **options, n_resamples=20, rng=0)
    with pytest.warns(ThresherWarning, match="No resample differs") as caught:
        separated.confidence_interval()
    assert str(caught[0].message).endswith(f"Hint: {hint}")
    with pytest.warns(ThresherWarning, match="one positive case") as caught:
        bootstrap([1, 0, 0, 0], [2, 3, 1, 0], **options, n_resamples=20, rng=0)
    assert str(caught[0].message).endswith(f"Hint: {hint}")
    assert th.Scores([1, 1, 0, 0], [4, 3, 2, 1]).pr_auc().to_dict()["low"] < 1


def test_one_positive_is_said():
    with pytest.warns(ThresherWarning) as caught:
        found = bootstrap([1, 0, 0, 0], [2, 3, 1, 0], n_resamples=200, rng=0)
    assert str(caught[0].message) == (
        "The bootstrap draws from one positive case, which is the same in every resample: the interval leaves out the "
        "variation of the positives and is too short. Hint: "
        "`scores.roc_auc().confidence_interval()` has length."
    )
    low, high = found.confidence_interval()
    assert 0 <= low < high <= 1
    with pytest.raises(UndefinedMetricError) as undefined:
        found.confidence_interval(method="studentized")
    assert str(undefined.value) == (
        "`method='studentized'` needs more than one positive and more than one negative. "
        "Hint: method='percentile' answers with one case of a class."
    )


def test_one_class_is_refused():
    with pytest.raises(UndefinedMetricError) as caught:
        bootstrap([1, 1], [0.2, 0.4])
    assert str(caught.value) == (
        "The area under the ROC curve needs both classes; got 2 positives and 0 negatives. "
        "Hint: there is no negative row; check the labels and `pos_label`."
    )


def test_replicates_are_frozen_and_described():
    found = bootstrap(*sample(), n_resamples=30, rng=4)
    with pytest.raises(ValueError):
        found.replicates[0] = 0
    assert repr(found) == (
        f"BootstrapDistribution of roc_auc: value {found.value:.3f}, 30 resamples, "
        f"standard error {found.standard_error:.3g}"
    )


def test_studentised_interval_at_the_edge_falls_back_with_a_warning():
    measure = as_measure("partial_roc_auc", tpr=(0.4, 0.9))
    table = th.Scores.from_counts([4, 3, 2, 1], [1, 0, 0, 2], [0, 1, 1, 0])
    found = bootstrap_table(table, measure, Resampling(n_resamples=60, rng=0, stratified=False))
    assert found.value in (0.0, measure.bounds[1])
    with pytest.warns(ThresherWarning, match="has no standard error on the logit scale"):
        studentised = tuple(found.confidence_interval(method="studentized"))
    assert studentised == tuple(found.confidence_interval(method="percentile"))
