"""Limits from drawn weights: against beta quantiles and plain simulation, with little noise, for long tables too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support.thorough import at_least
from thresher._inference.bootstrap import adverse
from thresher._inference.bootstrap.adverse import adverse_limits, reduced_table
from thresher._inference.bootstrap.smooth_quantile import order_statistic

ROC, PR = th.measures.RocAuc(), th.measures.PrAuc()
MEASURES = {
    "roc": ROC,
    "pr": PR,
    "pr at 0.01": th.measures.PrAuc(prevalence=0.01),
    "fpr": th.measures.PartialRocAuc(fpr=(0.0, 0.2)),
}


def value_of(measure, pos, neg):
    """Return the value of a table of cells."""
    tables = (np.asarray(side, dtype=np.float64)[None] for side in (pos, neg))
    return float(measure.figure.values(*tables, np.arange(len(pos)))[0])


def limits_of(pos, neg, measure, level=0.95, **options):
    """Return the limits of a table of cells."""
    return adverse_limits(pos, neg, _drawn(measure), level, value=value_of(measure, pos, neg), **options)


def _drawn(measure):
    """Return a figure whose limits are simulated even if it is smooth."""
    return measure.figure._replace(smooth=False)


def limits(ranking, measure, level=0.95, **options):
    """Return the limits of a ranking, written as True for positives, highest first."""
    pos = np.asarray(ranking, dtype=np.int64)
    return limits_of(pos, 1 - pos, measure, level, **options)


def drawn(n_pos, n_neg, seed=1):
    """Return normal scores."""
    rng = np.random.default_rng(seed)
    return rng.normal(1, 1, n_pos), rng.normal(0, 1, n_neg)


@pytest.mark.parametrize(("found", "n_pos"), [(9, 10), (3, 30), (40, 50)])
def test_a_share_has_beta_limits(found, n_pos):
    # Positives stand above or below all of very many negatives, so that the area is a share of the positives.
    pos, neg = np.array([found, 0, n_pos - found]), np.array([0, 10**7, 0])
    low, high = limits_of(pos, neg, ROC)
    spread = stats.beta(found + 0.25, n_pos - found + 0.25).std()
    assert low == pytest.approx(stats.beta(found, n_pos - found + 0.5).ppf(0.025), abs=0.03 * spread)
    assert high == pytest.approx(stats.beta(found + 0.5, n_pos - found).ppf(0.975), abs=0.03 * spread)


def test_precision_follows_the_random_prevalence():
    # All scores equal: precision is the prevalence, of which the table is a sample, but for the half case at the end.
    low, high = limits_of(np.array([400]), np.array([1600]), PR, 0.9)
    law = stats.beta(400.5, 1600.5)
    assert [low, high] == pytest.approx(list(law.ppf([0.05, 0.95])), abs=0.05 * law.std() + 0.004)


rankings = st.lists(st.booleans(), min_size=4, max_size=40).filter(lambda x: 0 < sum(x) < len(x))


@at_least(25)
@given(rankings, st.data())
def test_a_worse_ranking_has_no_limit_that_is_higher_by_more_than_noise(ranking, data):
    places = [i for i in range(len(ranking) - 1) if ranking[i] and not ranking[i + 1]]
    if not places:
        return
    i = data.draw(st.sampled_from(places))
    worse = [*ranking[:i], False, True, *ranking[i + 2 :]]
    for name, measure in MEASURES.items():
        better_ends, worse_ends = limits(ranking, measure), limits(worse, measure)
        noise = 0.03 * (better_ends[1] - better_ends[0])
        assert worse_ends[0] <= better_ends[0] + noise, name
        assert worse_ends[1] <= better_ends[1] + noise, name


def test_perfect_and_nearly_perfect():
    # 30 positives and 270 negatives; then one positive below one, two, ... negatives.
    lows = []
    for errors in range(4):
        ranking = [True] * 29 + [False] * errors + [True] + [False] * (270 - errors)
        lows.append([limits(ranking, measure)[0] for measure in MEASURES.values()])
    assert (np.diff(np.array(lows), axis=0) <= 1e-12).all()


def test_limits_depend_on_the_data_alone():
    scores = th.Scores.from_pos_neg(*drawn(50, 80))
    again = th.Scores.from_counts(scores.thresholds * 2 + 1, scores.pos, scores.neg)
    assert limits_of(scores.pos, scores.neg, ROC) == limits_of(again.pos, again.neg, ROC)


@pytest.mark.some(3)
@pytest.mark.parametrize(("n_pos", "n_neg"), [(100, 100), (40, 160), (200, 800), (1000, 1000)])
def test_limits_of_other_streams_agree(n_pos, n_neg):
    scores = th.Scores.from_pos_neg(*drawn(n_pos, n_neg))
    for name, measure in (("roc", ROC), ("pr", PR)):
        ends = np.array([limits_of(scores.pos, scores.neg, measure, seed=seed) for seed in range(5)])
        assert (ends.std(axis=0, ddof=1) < 0.01 * np.diff(ends).mean()).all(), name
        if name == "roc":
            assert (np.ptp(ends, axis=0) < 0.01 * np.diff(ends).mean()).all()


@pytest.mark.parametrize("name", MEASURES)
def test_limits_are_those_of_plain_simulation(name, monkeypatch):
    measure = MEASURES[name]
    scores = th.Scores.from_pos_neg(*drawn(40, 90, seed=4))
    smooth = limits_of(scores.pos, scores.neg, measure)
    monkeypatch.setattr(adverse, "_DRAWS", 20_000)
    plain = _drawn(measure)._replace(influence=lambda pos, neg: None)
    value = value_of(measure, scores.pos, scores.neg)
    want = adverse_limits(scores.pos, scores.neg, plain, 0.95, value=value, seed=5)
    assert smooth == pytest.approx(want, abs=0.04 * (want[1] - want[0]))


@pytest.mark.some(2)
@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_long_tables_keep_their_limits(measure, monkeypatch):
    scores = th.Scores.from_pos_neg(*drawn(700, 3000, seed=2))
    short = limits_of(scores.pos, scores.neg, measure)
    assert reduced_table(scores.pos, scores.neg).tp.size < 700
    monkeypatch.setattr(adverse, "_MOST_CELLS", 10**9)
    whole = limits_of(scores.pos, scores.neg, measure)
    assert short == pytest.approx(whole, abs=0.02 * (whole[1] - whole[0]))


def test_higher_levels_draw_more():
    ranking = [True] * 15 + [False, True] * 5 + [False] * 15
    ends = [limits(ranking, ROC, level) for level in (0.5, 0.95, 0.99, 0.9999)]
    assert all(b[0] < a[0] and a[1] < b[1] for a, b in zip(ends, ends[1:], strict=False))


def test_weights_are_worth_fewer_cases():
    pos, neg = np.array([8.0, 3.0, 1.0]), np.array([1.0, 4.0, 20.0])
    full = limits_of(pos, neg, ROC)
    fewer = limits_of(pos, neg, ROC, sizes=(6.0, 12.5))
    assert fewer[0] < full[0]
    assert full[1] < fewer[1]


def test_totals_beyond_a_float_have_the_nodes_of_their_draws() -> None:
    """The running sum of such counts ends a little beside their total."""
    pos, neg = np.array([2**55] + 30 * [1]), np.array(15 * [0, 2] + [1])
    low, high = adverse_limits(pos, neg, _drawn(ROC), 0.95, value=0.7)
    assert 0.0 <= low <= 0.7 <= high <= 1.0


@pytest.mark.parametrize(
    ("share", "place"), [(0.0, 1), (0.05, 1), (0.1, 1), (0.25, 2.5), (0.5, 5), (0.9, 9), (0.99, 9)]
)
def test_a_new_replicate_falls_between_two_old_ones_as_often_as_between_any_others(share, place):
    """Nine replicates make ten gaps; shares within the outermost ones have the end itself."""
    assert order_statistic(np.random.default_rng(0).permutation(np.arange(1.0, 10.0)), share) == pytest.approx(place)


def test_without_sizes_the_nodes_end_at_the_totals_of_the_classes():
    table = reduced_table(np.array([5, 0, 2, 3]), np.array([0, 4, 1, 300]))
    assert table.tp.tolist() == [5, 5, 7, 10]
    assert table.fp.tolist() == [0, 4, 5, 305]
    assert [nodes[-1] for nodes in table.nodes] == [10, 305]
    assert table.nodes[0].tolist() == list(range(11))
