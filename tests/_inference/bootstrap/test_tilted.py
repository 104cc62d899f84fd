"""Limits of smooth figures: monotone, mirrored, between known limits of proportions, in plain data DeLong's."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support.thorough import at_least
from thresher._inference.bootstrap import adverse, tilted

ROC, PR, AP = th.measures.RocAuc(), th.measures.PrAuc(), th.measures.PrAuc("average_precision")
MEASURES = {"roc": ROC, "pr": PR, "ap": AP}


def ends(measure, scores, **options):
    """Return the limits of the default interval."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        return tuple(measure.estimate(scores).confidence_interval(**options))


def ranked(ranking):
    """Return scores of a ranking, written as True for positives, highest first."""
    return th.Scores([int(one) for one in ranking], -np.arange(len(ranking), dtype=float))


def drawn(n_pos, n_neg, shift=1.0, seed=1):
    """Return normal scores."""
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg)


@pytest.mark.parametrize("others", [10_000, 100_000])
@pytest.mark.parametrize(("n", "lost"), [(20, 1), (20, 2), (20, 3), (20, 7), (50, 1), (50, 10), (200, 4), (1000, 300)])
def test_of_a_proportion_the_limits_stand_between_jeffreys_and_clopper_and_pearson(n, lost, others):
    low, high = ends(ROC, th.Scores.from_counts([2, 1, 0], pos=[n - lost, 0, lost], neg=[0, others, 0]))
    found = n - lost
    jeffreys = stats.beta(found + 0.5, lost + 0.5).ppf([0.025, 0.975])
    exact = stats.beta(found, lost + 1).ppf(0.025), stats.beta(found + 1, lost).ppf(0.975)
    width = jeffreys[1] - jeffreys[0]
    assert exact[0] - 0.02 * width <= low <= jeffreys[0] + 0.02 * width
    assert jeffreys[1] - 0.02 * width <= high <= exact[1] + 0.02 * width


@pytest.mark.parametrize("n", [8, 15, 30, 100, 1000])
def test_a_perfect_sample_has_a_limit_that_seven_percent_of_worse_populations_show(n):
    low, high = ends(ROC, th.Scores.from_counts([1, 0], pos=[n, 0], neg=[0, n]))
    assert 0.025 <= low**n <= 0.07
    assert high == 1.0


rankings = st.lists(st.booleans(), min_size=8, max_size=60).filter(lambda x: 2 <= sum(x) <= len(x) - 2)


@at_least(25)
@given(rankings, st.data())
def test_a_worse_ranking_has_no_limit_that_is_higher_by_more_than_a_hundredth_of_the_width(ranking, data):
    places = [i for i in range(len(ranking) - 1) if ranking[i] and not ranking[i + 1]]
    if not places:
        return
    i = data.draw(st.sampled_from(places))
    worse = [*ranking[:i], False, True, *ranking[i + 2 :]]
    for name in ("roc", "pr"):
        better_ends, worse_ends = (ends(MEASURES[name], ranked(one)) for one in (ranking, worse))
        few = min(sum(ranking), len(ranking) - sum(ranking)) < 6
        slack = (0.03 if few else 0.01) * (better_ends[1] - better_ends[0])
        assert worse_ends[0] <= better_ends[0] + slack, name
        assert worse_ends[1] <= better_ends[1] + slack, name


@pytest.mark.parametrize(("n_pos", "n_neg"), [(8, 25), (25, 8), (30, 270), (100, 100)])
@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_no_error_lifts_the_lower_limit_above_that_of_a_perfect_ranking(measure, n_pos, n_neg):
    rankings = ([True] * (n_pos - 1) + [False] * errors + [True] + [False] * (n_neg - errors) for errors in range(9))
    lows = [ends(measure, ranked(one))[0] for one in rankings]
    assert max(lows) <= lows[0] * (1.0 + 1e-9)


def test_two_classes_have_few_cases():
    for measure in MEASURES.values():
        for ranking in ([True, False], [False, True], [True, False, False], [False, True, True], [True, False, True]):
            low, high = ends(measure, ranked(ranking))
            assert 0.0 <= low <= measure.of(ranked(ranking)) <= high <= 1.0


def test_scores_that_are_all_equal():
    scores = th.Scores.from_counts([1], pos=[40], neg=[160])
    low, high = ends(ROC, scores)
    assert low < 0.5 < high
    low, high = ends(PR, scores)
    law = stats.beta(40.5, 160.5)
    expected = law.ppf([0.025, 0.975])
    # The quarter of a case at the top counts for much at the very first recall.
    assert expected[0] - 0.005 < low < expected[0] + 0.005
    assert expected[1] < high < expected[1] + 0.025


@pytest.mark.parametrize(("auc", "n"), [(0.7, 200), (0.8, 500), (0.9, 1000)])
def test_in_plain_data_the_intervals_are_those_of_the_logit_scale(auc, n):
    shift = float(stats.norm.ppf(auc) * np.sqrt(2.0))
    scores = th.Scores.from_pos_neg(*drawn(n, n, shift))
    for measure, method, slack in ((ROC, "delong-logit", 0.02), (PR, "logit", 0.08)):
        own, other = (np.array(ends(measure, scores, method=name)) for name in (None, method))
        width = other[1] - other[0]
        assert np.abs(own - other).max() < slack * width
        assert own[1] - own[0] < (1.0 + slack) * width


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_long_tables_keep_their_limits(measure, monkeypatch):
    scores = th.Scores.from_pos_neg(*drawn(700, 3000, seed=2))
    short = ends(measure, scores)
    monkeypatch.setattr(adverse, "_MOST_CELLS", 10**9)
    whole = ends(measure, scores)
    assert short == pytest.approx(whole, abs=0.02 * (whole[1] - whole[0]))


def test_higher_levels_reach_further():
    ranking = [True] * 15 + [False, True] * 5 + [False] * 15
    for measure in MEASURES.values():
        found = [ends(measure, ranked(ranking), confidence_level=level) for level in (0.5, 0.8, 0.95, 0.99, 0.9999)]
        assert all(b[0] < a[0] and a[1] < b[1] for a, b in zip(found, found[1:], strict=False))


def test_rows_with_unequal_weights_are_worth_fewer_cases():
    y, s = np.arange(60) % 3 == 0, np.sin(np.arange(60)) + (np.arange(60) % 3 == 0)
    even = ends(ROC, th.Scores(y, s), method="bayes")
    weighted = ends(ROC, th.Scores(y, s, sample_weight=np.where(np.arange(60) % 2, 1.0, 9.0)), method="bayes")
    assert weighted[1] - weighted[0] > 1.2 * (even[1] - even[0])


@pytest.mark.parametrize(("n_pos", "n_neg"), [(5, 5), (20, 60), (100, 300), (2000, 2000)])
def test_swapped_classes_with_scores_turned_round_have_the_same_limits(n_pos, n_neg):
    pos, neg = drawn(n_pos, n_neg)
    own = th.Scores.from_pos_neg(pos, neg).roc_auc().confidence_interval()
    other = th.Scores.from_pos_neg(-neg, -pos).roc_auc().confidence_interval()
    width = own.high - own.low
    assert other.low == pytest.approx(own.low, abs=1e-3 * width)
    assert other.high == pytest.approx(own.high, abs=1e-3 * width)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(100, 100), (40, 300), (2000, 2000)])
def test_scores_turned_round_have_the_mirrored_limits(n_pos, n_neg):
    pos, neg = drawn(n_pos, n_neg)
    own = th.Scores.from_pos_neg(pos, neg).roc_auc().confidence_interval()
    other = th.Scores.from_pos_neg(-pos, -neg).roc_auc().confidence_interval()
    assert [1.0 - other.high, 1.0 - other.low] == pytest.approx(list(own), abs=1e-3 * (own.high - own.low))


@pytest.mark.parametrize("measure", [ROC, PR], ids=["roc", "pr"])
def test_a_further_pair_in_order_does_not_lower_the_lower_limit(measure):
    pos, neg = drawn(20, 20)
    found = [
        th.Scores.from_pos_neg([*pos, *(3.0 + np.arange(k))], [*neg, *(-3.0 - np.arange(k))])
        .measure(measure)
        .confidence_interval()
        for k in range(0, 60, 1)
    ]
    lost = [(old.low - new.low) / (new.high - new.low) for old, new in zip(found, found[1:], strict=False)]
    assert max(lost) < 1e-3


def test_a_step_leaves_the_weights_of_the_table_alone(monkeypatch):
    """All scores equal: no weight moves, and the class balance must not be moved twice."""
    scores = th.Scores.from_pos_neg([1.0] * 9, [1.0] * 12)
    found = scores.pr_auc(estimator="average_precision").confidence_interval()
    weights = tilted._weights
    monkeypatch.setattr(tilted, "_weights", lambda side, aim: weights(side, aim).copy())
    again = th.Scores.from_pos_neg([1.0] * 9, [1.0] * 12).pr_auc(estimator="average_precision").confidence_interval()
    assert (found.low, found.high) == (again.low, again.high)
