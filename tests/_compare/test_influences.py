"""Variance by class against DeLong's, and degrees of freedom where they are known."""

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._compare.estimation import separate_moments
from thresher._compare.multiplicity import wald_omnibus
from thresher._compare.paired_rows import class_moments, difference_variances, read_rows, row_influences
from thresher._inference.delong.delong import delong_covariance
from thresher._inference.sampling import Moments, Stratum
from thresher.exceptions import ThresherWarning
from thresher.measures import as_measure


def sample(n_pos=12, n_neg=70, models=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n_pos + n_neg) < n_pos
    common = rng.normal(size=y.size)
    return y, {f"m{i}": (common + rng.normal(size=y.size) + y).round(1) for i in range(models)}


def components(y, scores, metric="roc_auc", **options):
    rows = read_rows(y, scores)
    measure = as_measure(metric, **options)
    return class_moments(rows, measure, [rows.counts(i) for i in range(len(scores))])


def test_parts_add_up_to_delong():
    y, scores = sample()
    found = components(y, scores)
    expected = delong_covariance(y, list(scores.values()))
    assert found.covariance == pytest.approx(expected[0], rel=1e-9)
    assert [one.size for one in found.strata] == [12, 70]


def test_few_positives_decide_the_degrees_of_freedom():
    y, scores = sample(6, 3000)
    assert 5 <= components(y, scores).df_between(0, 1) < 6
    a, b = (th.Scores(y, score) for score in scores.values() if score is not scores["m2"])
    assert 5 <= separate_moments((a, b), as_measure("roc_auc")).df_between(0, 1) < 11


def test_joint_degrees_of_freedom_of_one_contrast_are_those_of_the_pair():
    y, scores = sample(9, 20)
    found = components(y, scores)
    contrast = np.array([[1.0], [-1.0], [0.0]])
    # One contrast has (1 + 1) / (2 sum of squared shares / (n - 1)): Satterthwaite's.
    assert found.joint_df(contrast) == pytest.approx(found.df_between(0, 1), rel=1e-9)


def test_hotelling_is_hotelling_when_one_class_has_all_the_spread():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(15, 4))
    means, covariance = rows.mean(axis=0), np.cov(rows.T) / 15
    variances = np.add.outer(np.diag(covariance), np.diag(covariance)) - 2 * covariance
    found = wald_omnibus(means, variances, "x", joint_df=lambda _: 14.0)
    contrasts = rows[:, :-1] - rows[:, -1:]
    t2 = 15 * contrasts.mean(0) @ np.linalg.solve(np.cov(contrasts.T), contrasts.mean(0))
    assert found.statistic == pytest.approx(t2, rel=1e-9)
    assert found.pvalue == pytest.approx(stats.f(3, 12).sf(t2 * 12 / (14 * 3)), rel=1e-9)
    none = wald_omnibus(means, variances, "x", joint_df=lambda _: 2.5, pvalues=[0.01, 0.4])
    assert none.pvalue == 0.02


def test_two_perfect_scorers():
    y = [0] * 12 + [1] * 15
    with pytest.warns(ThresherWarning, match="both separate the classes completely"):
        found = th.compare(y, {"a": range(27), "b": [3 * x for x in range(27)]}).pairs[0]
    reach = 1 - 0.025 ** (1 / 12)
    assert (found.low, found.high, found.pvalue) == (pytest.approx(-reach), pytest.approx(reach), 1.0)
    with pytest.warns(ThresherWarning, match="both separate"):
        alone = th.compare_unpaired(th.Scores(y, range(27)), th.Scores(y, range(27))).pairs[0]
    assert (alone.low, alone.high, alone.pvalue) == (pytest.approx(-reach), pytest.approx(reach), 1.0)


@pytest.mark.filterwarnings("ignore:'a' and 'b' both separate")
@pytest.mark.parametrize("margin", [0.02, 0.25, 0.27, 0.5])
def test_two_perfect_scorers_are_as_alike_as_their_interval_says(margin):
    y = [0] * 12 + [1] * 15
    table = th.Scores(y, range(27))
    for found in (
        th.compare(y, {"a": range(27), "b": [3 * x for x in range(27)]}, alternative="greater", margin=margin),
        th.compare_unpaired(table, table, alternative="greater", margin=margin),
    ):
        assert found.pvalue == pytest.approx((1 - margin) ** 12)
        assert (found.pvalue < 0.025) == (found.low > -margin)


@pytest.mark.filterwarnings("ignore:One case decides")
@pytest.mark.parametrize("method", ["delong", "delong-t", "bootstrap", "permutation"])
@pytest.mark.parametrize("seed", range(6))
def test_pvalue_and_interval_agree(method, seed):
    y, scores = sample(14, 40, models=2, seed=seed)
    scores["m0"] = scores["m0"] + np.where(y, 0.25 * seed, 0)
    found = th.compare(y, scores, method=method, n_resamples=999, rng=1).pairs[0]
    if abs(found.pvalue - 0.05) > 0.004:  # replicates decide in steps
        assert (found.pvalue < 0.05) == (not found.low <= 0.0 <= found.high)


def moments(pos, neg):
    every = np.arange(len(pos))
    return Moments(pos + neg, (Stratum(6.0, every, pos), Stratum(300.0, every, neg)))


def test_contrasts_without_spread_are_left_out():
    """Resampling may see a spread where the values of the cases have none; then nothing is known of its freedom."""
    nothing = np.zeros((2, 2))
    assert moments(nothing, nothing).joint_df(np.array([[1.0], [-1.0]])) == np.inf
    one = np.diag([1.0, 0.0, 0.0])
    found = moments(one, 0.0 * one).joint_df(np.eye(3)[:, :2])
    assert found == pytest.approx(5.0)  # one contrast, told of by six cases


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_few_cases_are_told_whatever_estimates_their_spread(method):
    y, scores = sample(n_pos=6, models=2)
    options = {"n_resamples": 20, "rng": 0} if method == "bootstrap" else {}
    with pytest.warns(ThresherWarning, match="The rarer class has 6 cases"):
        th.compare(y, scores, method=method, **options)
    with pytest.warns(ThresherWarning, match="The rarer class has 6 cases"):
        th.compare_unpaired(*(th.Scores(y, score) for score in scores.values()), method=method, **options)


def clustered_rows(n=60):
    rng = np.random.default_rng(4)
    y = np.arange(n) % 3 == 0
    scores = {name: (rng.normal(size=n) + shift * y).round(1) for name, shift in (("a", 1.5), ("b", 0.7))}
    return y, scores, rng.choice([0.5, 1.0, 3.0], n), np.arange(n) // 2


def tables_of(rows):
    return [rows.counts(i) for i in range(len(rows.names))]


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "brier", "gini", "average_precision"])
def test_influences_of_rows_are_those_of_their_scores(metric):
    y, scores, _, _ = clustered_rows()
    scores = {name: 1 / (1 + np.exp(-score)) for name, score in scores.items()}
    rows, measure = read_rows(y, scores), as_measure(metric)
    tables = tables_of(rows)
    for found, table, score in zip(row_influences(rows, measure, tables), tables, rows.scores, strict=True):
        own = measure.influence(table)
        place = [np.flatnonzero(table.thresholds == one)[0] for one in score]
        assert found.pos.tolist() == own.pos[place].tolist()
        assert found.neg.tolist() == own.neg[place].tolist()
        assert found.odds == own.odds
        # One class at a time they sum to 0, since only proportions matter.
        assert found.pos[rows.positive].sum() == pytest.approx(0, abs=1e-9)
        assert found.neg[~rows.positive].sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "brier"])
def test_a_difference_has_the_variance_of_both_and_their_covariance(metric):
    """The variance of a difference of influences against that of the values less twice their covariance, by hand."""
    y, scores, weight, cluster = clustered_rows()
    scores = {name: 1 / (1 + np.exp(-score)) for name, score in scores.items()}
    measure = as_measure(metric)
    for given in ({}, {"sample_weight": weight}, {"cluster": cluster}):
        rows = read_rows(y, scores, **given)
        found, df = difference_variances(rows, measure, tables_of(rows))
        w = np.ones(y.size) if rows.weight is None else rows.weight
        a, b = row_influences(rows, measure, tables_of(rows))
        total = np.where(rows.positive, w[rows.positive].sum(), w[~rows.positive].sum())
        odds = np.where(rows.positive, -1.0, 1.0) * (a.odds - b.odds)
        gap = np.where(rows.positive, a.pos - b.pos, a.neg - b.neg) + odds
        pull = w / total * gap
        if "cluster" in given:
            sums = np.array([pull[rows.cluster == one].sum() for one in np.unique(rows.cluster)])
            assert found[0, 1] == pytest.approx((sums**2).sum(), rel=0.08)  # but for factors n / (n - 1) by class
            assert df == 29
        else:
            assert found[0, 1] == pytest.approx((pull**2).sum(), rel=0.08)
            assert df == np.inf
        assert found[0, 1] == found[1, 0]
        assert found[0, 0] == 0.0


def test_doubled_rows_halve_the_variance_unless_they_are_clusters():
    y, scores, _, _ = clustered_rows()
    twice = np.repeat(np.arange(y.size), 2)
    copies = {name: score[twice] for name, score in scores.items()}
    measure = as_measure("average_precision")

    def variance(*data, **given):
        rows = read_rows(*data, **given)
        return difference_variances(rows, measure, tables_of(rows))[0][0, 1]

    plain = variance(y, scores)
    assert variance(y[twice], copies) == pytest.approx(plain / 2, rel=0.03)
    assert variance(y[twice], copies, cluster=twice) == pytest.approx(plain, rel=0.03)
    assert variance(y, scores, sample_weight=np.where(y, 2.0, 2.0 + 1e-9)) == pytest.approx(plain, rel=1e-6)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier"])
def test_the_variance_is_that_of_the_jackknife(metric):
    y, scores, _, _ = clustered_rows(300)
    scores = {name: 1 / (1 + np.exp(-score)) for name, score in scores.items()}
    rows, measure = read_rows(y, scores), as_measure(metric)
    found = difference_variances(rows, measure, tables_of(rows))[0][0, 1]

    def difference(kept):
        a, b = (measure.of(th.Scores(y[kept], score[kept])) for score in scores.values())
        return a - b

    left = np.array([difference(np.arange(y.size) != row) for row in range(y.size)])
    assert found == pytest.approx((y.size - 1) * left.var(), rel=0.08)


def test_measures_without_influence_say_what_answers():
    y, scores, _, _ = clustered_rows()
    rows, measure = read_rows(y, scores), as_measure("recall_at_fpr", fpr=0.1)
    tables = tables_of(rows)
    for call in (
        lambda: row_influences(rows, measure, tables),
        lambda: difference_variances(rows, measure, tables),
        lambda: separate_moments((tables[0], tables[1]), measure),
    ):
        with pytest.raises(th.InvalidInputError, match="'recall_at_fpr' has no influence values"):
            call()
