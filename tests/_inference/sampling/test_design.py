"""Variances through influence values, against reference values and against numerical differentiation."""

import math
import warnings

import numpy as np
import pytest

import thresher as th
from support.weights import datasets, expected, rows
from thresher._inference.delong.delong import partial_influence, roc_influence
from thresher._inference.pr import pr_auc_influence
from thresher._inference.sampling import Influence, mean_influence, sampling_of

# The reference sets are small and their weights unequal: the code says so, and that is tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")

NAMES = sorted(datasets())
ESTIMATORS = ("interpolated", "average_precision", "trapezoid", "functional", "achievable")


def near(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_roc_area(name):
    area, wanted = rows(name).scores().roc_auc(), expected(name)["roc_auc"]
    assert area.value == near(wanted["value"])
    assert area.standard_error() == near(wanted["standard_error"])
    for method in ("delong", "delong-logit"):
        low, high = area.confidence_interval(method=method)
        assert (low, high) == (near(wanted[method][0]), near(wanted[method][1]))


@pytest.mark.parametrize("name", NAMES)
def test_partial_areas(name):
    scores = rows(name).scores()
    for wanted in expected(name)["partial_roc_auc"]:
        span = {axis: tuple(map(float, wanted[axis])) for axis in ("fpr", "tpr") if axis in wanted}
        area = scores.partial_roc_auc(**span)
        assert area.value == near(wanted["value"])
        assert area.standard_error() ** 2 == near(wanted["variance"])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("name", NAMES)
def test_pr_area(name, estimator):
    scores, wanted = rows(name).scores(), expected(name)["pr_auc"][estimator]
    area = scores.pr_auc(estimator=estimator)
    assert area.value == near(wanted["value"])
    for design, figure in (("random", "random"), ("fixed", "fixed"), ("class", "by_class")):
        assert area.standard_error(design=design) ** 2 == near(wanted[f"variance_{figure}"])
    for design in ("random", "fixed"):
        low, high = area.confidence_interval(design=design, method="logit")
        assert (low, high) == tuple(near(end) for end in wanted[f"logit_{design}"])
    given = wanted["given_prevalence"]
    area = scores.pr_auc(estimator=estimator, prevalence=float(given["prevalence"]))
    assert area.value == near(given["value"])
    assert area.standard_error() ** 2 == near(given["variance"])
    assert tuple(area.confidence_interval(method="logit")) == tuple(near(end) for end in given["logit"])


def test_clusters():
    groups = datasets()["clusters"]["rows"]["group"]
    scores, wanted = rows("clusters").scores(cluster=groups), expected("clusters")
    assert scores.roc_auc().standard_error() ** 2 == near(wanted["roc_auc"]["clusters"]["variance"])
    for estimator in ESTIMATORS:
        area, clustered = scores.pr_auc(estimator=estimator), wanted["pr_auc"][estimator]["clusters"]
        for design in ("random", "fixed"):
            assert area.standard_error(design=design) ** 2 == near(clustered[f"variance_{design}"])


def test_clusters_of_one_row_are_none():
    rng = np.random.default_rng(0)
    y, s, w = rng.random(80) < 0.4, rng.normal(size=80).round(1), rng.uniform(0.5, 2, 80)
    for weight in (None, w):
        alone = th.Scores(y, s, sample_weight=weight, cluster=np.arange(80))
        plain = th.Scores(y, s, sample_weight=weight)
        for area in ("roc_auc", "pr_auc"):
            a, b = (getattr(scores, area)() for scores in (alone, plain))
            assert a.standard_error() == b.standard_error()
            assert a.confidence_interval() == b.confidence_interval()
        # The sum over clusters is the same up to its factors.
        every = sampling_of(plain).spread(roc_influence(plain)).variance
        split = th.Scores(np.append(y, y[0]), np.append(s, s[0]), cluster=np.append(np.arange(80), 0))
        assert sampling_of(split).spread(roc_influence(split)).df == 79
        assert every > 0


def test_interval_of_clusters_uses_their_number():
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(25), 8)
    lift = rng.normal(size=25)[group]
    y = rng.random(200) < 0.4
    s = rng.normal(size=200) + y + lift
    area = th.Scores(y, s, cluster=group).roc_auc()
    low, _ = area.confidence_interval(method="delong")
    from scipy import stats

    assert area.value - low == pytest.approx(stats.t.ppf(0.975, 24) * area.standard_error(), rel=1e-12)


@pytest.mark.parametrize("name", ["tiny-listed", "uniform-ties", "log-normal", "negatives-times-49"])
@pytest.mark.parametrize("figure", ["roc_auc", "partial fpr", "partial tpr", *ESTIMATORS, "recall range", "given"])
def test_influence_is_the_derivative(name, figure):
    """Every influence value is what a little more weight at that score and class changes, times the weight."""
    scores = rows(name).scores()
    prevalence = 0.15 if figure == "given" else None
    estimator = figure if figure in ESTIMATORS else "interpolated"
    span = (0.2, 0.7) if figure == "recall range" else None

    def value(table):
        if figure == "roc_auc":
            return table.roc_auc().value
        if figure.startswith("partial"):
            return table.partial_roc_auc(**{figure.split()[1]: (0.07, 0.43)}).value
        return table.pr_auc(estimator=estimator, prevalence=prevalence, recall=span).value

    if figure == "roc_auc":
        found = roc_influence(scores)
    elif figure.startswith("partial"):
        found = partial_influence(scores, span=(0.07, 0.43), axis=figure.split()[1])
    else:
        found = pr_auc_influence(scores, estimator=estimator, prevalence=prevalence, recall=span)
    odds = found.odds
    for side, (by_row, shift) in enumerate(((found.pos, -odds), (found.neg, odds))):
        columns = [scores.pos.astype(float), scores.neg.astype(float)]
        total = columns[side].sum()
        for at in np.flatnonzero(columns[side] > 0)[::3]:
            step = 1e-5 * total
            ends = []
            for sign in (1.0, -1.0):
                moved = [own.copy() for own in columns]
                moved[side][at] += sign * step
                ends.append(value(th.Scores.from_counts(scores.thresholds, *moved)))
            slope = (ends[0] - ends[1]) / (2 * step) * total
            assert by_row[at] + shift == pytest.approx(slope, rel=2e-5, abs=2e-6), (side, at)


def test_influence_of_a_mean_is_the_derivative():
    """The mean of what a positive and a negative at each score count for, with a little more weight here and there."""
    columns = [np.array([3.0, 0.0, 1.5, 2.0]), np.array([0.0, 4.0, 2.5, 6.0])]
    values = [np.array([0.2, np.inf, 1.0, -0.5]), np.array([np.nan, 2.0, 0.3, -1.0])]  # where no row is, anything

    def mean(pos, neg):
        seen = [(v[w > 0] * w[w > 0]).sum() for v, w in zip(values, (pos, neg), strict=True)]
        return sum(seen) / (pos.sum() + neg.sum())

    found = mean_influence(*values, th.Scores.from_counts([4, 3, 2, 1], *columns))
    for side, (by_row, shift) in enumerate(((found.pos, -found.odds), (found.neg, found.odds))):
        total = columns[side].sum()
        for at in np.flatnonzero(columns[side]):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [own.copy() for own in columns]
                moved[side][at] += step
                ends.append(mean(*moved))
            assert by_row[at] + shift == pytest.approx((ends[0] - ends[1]) / 2e-5 * total, rel=1e-7)
        assert by_row[columns[side] == 0].tolist() == [0.0]
        assert by_row @ columns[side] == pytest.approx(0.0, abs=1e-12)


def test_soft_labels_add_what_a_row_has_in_both_classes():
    """The variance is that of rows which stand in both classes: sum of squares of what each row adds."""
    rng = np.random.default_rng(4)
    p, s, w = rng.random(40), rng.normal(size=40).round(1), rng.uniform(0.5, 2.0, 40)
    scores = th.Scores.from_soft_labels(p, s, sample_weight=w)

    def value(weights):
        return th.Scores.from_soft_labels(p, s, sample_weight=weights).roc_auc().value

    u = []
    for i in range(40):
        step = np.zeros(40)
        step[i] = 1e-5
        u.append(w[i] * (value(w + step) - value(w - step)) / 2e-5)
    cell = scores.thresholds.size - 1 - np.searchsorted(scores.thresholds[::-1], s)
    d = roc_influence(scores)
    mine = w * (p * d.pos[cell] / scores.n_pos + (1 - p) * d.neg[cell] / scores.n_neg)
    assert mine == pytest.approx(np.array(u), abs=1e-8)
    squares = scores._weight_squares
    kappa = [1 / (1 - q.sum() / n**2) for q, n in ((squares.pos, scores.n_pos), (squares.neg, scores.n_neg))]
    parts = [(w * p * d.pos[cell] / scores.n_pos) ** 2, (w * (1 - p) * d.neg[cell] / scores.n_neg) ** 2]
    cross = (mine**2).sum() - parts[0].sum() - parts[1].sum()
    wanted = kappa[0] * parts[0].sum() + kappa[1] * parts[1].sum() + cross
    assert scores.roc_auc().standard_error() ** 2 == pytest.approx(wanted, rel=1e-12)


def test_variance_of_equal_weights_is_that_of_rows():
    rng = np.random.default_rng(2)
    y, s = rng.random(70) < 0.3, rng.normal(size=70).round(1)
    plain, heavy = th.Scores(y, s), th.Scores(y, s, sample_weight=np.full(70, 3.7))
    pos, neg = plain.pos.astype(float), plain.neg.astype(float)
    influence = roc_influence(plain)
    assert sampling_of(plain).spread(influence).variance == pytest.approx(
        plain.roc_auc().standard_error() ** 2, rel=1e-13
    )
    assert float(pos @ influence.pos) == pytest.approx(0.0, abs=1e-12)
    assert float(neg @ influence.neg) == pytest.approx(0.0, abs=1e-12)
    assert heavy.pr_auc().standard_error() == pytest.approx(plain.pr_auc().standard_error(), rel=1e-12)
    assert heavy.roc_auc().confidence_interval() == plain.roc_auc().confidence_interval()


def test_messages():
    # The module ignores warnings; here they are what is looked at.
    sums = th.Scores.from_counts([2, 1], [1.5, 0.5], [0.5, 2.5])
    assert sums.roc_auc().value == pytest.approx((1.5 * 2.75 + 0.5 * 1.25) / 6)
    with pytest.raises(th.InvalidInputError) as caught:
        sums.roc_auc().standard_error()
    assert str(caught.value) == (
        "An interval needs the sums of squared weights; this table has sums of weights only. "
        "Hint: pass `pos_squares=` and `neg_squares=`, or count the rows again with `sample_weight=`."
    )
    whole = th.Scores.from_counts([2, 1], [15.0, 5.0], [5.0, 25.0])
    assert (
        whole.roc_auc().standard_error() == th.Scores.from_counts([2, 1], [15, 5], [5, 25]).roc_auc().standard_error()
    )
    one = th.Scores([1, 1, 1, 0, 0, 0], [6, 5, 2, 4, 3, 1], sample_weight=[83.0, 9.0, 8.0, 1.0, 1.0, 1.0])
    with pytest.raises(th.UndefinedMetricError, match="One positive carries 83% of the weight of its class; nothing"):
        one.roc_auc().standard_error()
    w = [4.1, 1.0, 0.9, 1.0, 1.5, 1.5, 1.0, 1.0]
    few = th.Scores([1] * 8 + [0] * 12, np.arange(20)[::-1] % 7, sample_weight=w + [1.0] * 12)
    with pytest.warns(th.ThresherWarning) as caught:
        few.roc_auc().standard_error()
    assert str(caught[0].message) == (
        "The weights of the positives are so unequal that 8 rows are worth 5.51; intervals are rough. "
        "Hint: the largest weight is 34% of all of them."
    )
    whole_weights = th.Scores([1] * 12 + [0] * 12, np.arange(24)[::-1] % 7, sample_weight=[1, 2, 2] * 8)
    with pytest.warns(th.ThresherWarning) as caught:
        whole_weights.roc_auc().standard_error()
    assert str(caught[0].message) == (
        "Integer `sample_weight` are sampling weights: the 24 rows are 24 observations, not 40. "
        "Hint: pass `frequency=` if a row stands for that many identical independent rows."
    )
    balanced = th.Scores([1] * 12 + [0] * 24, np.arange(36)[::-1] % 7, sample_weight=[2.0] * 12 + [1.0] * 24)
    with pytest.warns(th.ThresherWarning) as caught:
        balanced.pr_auc().standard_error()
    assert str(caught[0].message) == (
        "Weights are the same within each class, so they set the prevalence (0.5) and do not estimate it. "
        "Hint: design='fixed', or prevalence=0.5."
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        balanced.pr_auc().standard_error(design="fixed")
    varying = th.Scores([1] * 20 + [0] * 20, np.arange(40)[::-1] % 7, sample_weight=np.linspace(1, 2, 40))
    with pytest.raises(th.InvalidInputError) as caught:
        varying.roc_auc().confidence_interval(method="bamber")
    assert str(caught.value) == (
        "`method='bamber'` must have rows of equal weight within each class; got weights that vary. "
        "Hint: 'delong-logit' and 'bootstrap' take weights."
    )
    assert balanced.roc_auc().confidence_interval(method="bamber").width > 0
    told = th.Scores.from_counts([3, 2, 1], [9, 9, 2.0], [1, 9, 10.0], pos_squares=[9, 9, 2], neg_squares=[1, 9, 12])
    with pytest.raises(th.InvalidInputError, match="`design='class'` must know how many rows each class has"):
        told.pr_auc().standard_error(design="class")
    groups = th.Scores([1] * 20 + [0] * 20, np.arange(40)[::-1] % 7, cluster=[0] * 20 + [1] * 20)
    with pytest.raises(th.UndefinedMetricError, match="The positives must come from at least two clusters; got 1"):
        groups.roc_auc().standard_error()
    with pytest.raises(th.InvalidInputError, match="`method='newcombe'` must have independent rows; got clusters"):
        groups.roc_auc().confidence_interval(method="newcombe")


def test_a_negative_sum_over_clusters_falls_back():
    """Unequal factors of the classes may leave less than nothing; one factor for all never does."""
    influence = Influence(np.array([0.5, -0.5]), np.array([-0.5, 0.5]))
    scores = th.Scores([1, 0, 1, 0], [1, 1, 2, 2], cluster=[0, 0, 1, 1])
    assert sampling_of(scores).spread(influence).variance == pytest.approx(0.0, abs=1e-15)
    assert math.isinf(sampling_of(th.Scores([1, 0, 1, 0], [1, 1, 2, 2])).spread(influence).df)


@pytest.mark.parametrize("size", [1, 4])
def test_what_clusters_of_an_outcome_in_time_add(size):
    """Rows that are censored count too; of the same rows twice the covariance is the variance."""
    rng = np.random.default_rng(8)
    event_time, end = rng.exponential(size=240), rng.exponential(2.0, 240)
    time, event = np.minimum(event_time, end), event_time <= end
    cluster = np.arange(240) // size
    scores = th.Scores.at_time(time, event, -event_time + rng.normal(size=240), 0.7, cluster=cluster)
    measure = th.measures.RocAuc()
    labels, values = sampling_of(scores, shared=True).by_cluster(measure.influence(scores))
    assert labels.tolist() == sorted(set(cluster.tolist()))
    assert (values**2).sum() == pytest.approx(measure.spread(scores).variance, rel=0.03)
    twice = th.compare_unpaired(scores, scores, metric=measure, method="delong")
    assert twice.difference == 0.0
    assert twice.high < 0.3 * (scores.roc_auc().confidence_interval(method="delong").width / 2)
