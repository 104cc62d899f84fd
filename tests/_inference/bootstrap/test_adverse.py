"""Limits from weighted tables: against beta quantiles, never higher for a worse ranking, the same for long tables."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support.thorough import at_least
from thresher._inference.bootstrap import adverse
from thresher._inference.bootstrap.adverse import adverse_limits, order_statistic, reduced_table
from thresher._inference.bootstrap.replicate_areas import partial_area, pr_area, roc_auc

pr = partial(pr_area, estimator="interpolated")
FIGURES = {
    "roc": roc_auc,
    "pr": pr,
    "pr at 0.01": partial(pr_area, estimator="interpolated", prevalence=0.01),
    "fpr": partial(partial_area, along="fpr", span=(0.0, 0.2)),
}


def limits(ranking, figure, level=0.95):
    """Return the limits of a ranking, written as True for positives, highest first."""
    pos = np.asarray(ranking, dtype=np.int64)
    neg = 1 - pos
    value = float(figure(pos[None].astype(float), neg[None].astype(float), np.arange(pos.size))[0])
    return adverse_limits(pos, neg, figure, level, value=value)


@pytest.mark.parametrize(("found", "n_pos"), [(9, 10), (3, 30), (40, 50)])
def test_a_share_has_beta_limits(found, n_pos):
    # Positives stand above or below all of very many negatives, so that the area is a share of the positives.
    pos, neg = np.array([found, 0, n_pos - found]), np.array([0, 10**7, 0])
    low, high = adverse_limits(pos, neg, roc_auc, 0.95, value=found / n_pos)
    spread = stats.beta(found + 0.25, n_pos - found + 0.25).std()
    # A quantile of so many draws has a standard error of a tenth of the spread.
    assert low == pytest.approx(stats.beta(found, n_pos - found + 0.5).ppf(0.025), abs=0.35 * spread)
    assert high == pytest.approx(stats.beta(found + 0.5, n_pos - found).ppf(0.975), abs=0.35 * spread)


def test_precision_follows_the_random_prevalence():
    # All scores equal: precision is the prevalence, of which the table is a sample, but for the half case at the end.
    low, high = adverse_limits(np.array([400]), np.array([1600]), pr, 0.9, value=0.2)
    law = stats.beta(400.5, 1600.5)
    assert [low, high] == pytest.approx(list(law.ppf([0.05, 0.95])), abs=0.35 * law.std() + 0.002)


rankings = st.lists(st.booleans(), min_size=4, max_size=40).filter(lambda x: 0 < sum(x) < len(x))


@at_least(25)
@given(rankings, st.data())
def test_a_worse_ranking_has_no_higher_limit(ranking, data):
    places = [i for i in range(len(ranking) - 1) if ranking[i] and not ranking[i + 1]]
    if not places:
        return
    i = data.draw(st.sampled_from(places))
    worse = [*ranking[:i], False, True, *ranking[i + 2 :]]
    for name, figure in FIGURES.items():
        better_ends, worse_ends = limits(ranking, figure), limits(worse, figure)
        assert worse_ends[0] <= better_ends[0] + 1e-12, name
        assert worse_ends[1] <= better_ends[1] + 1e-12, name


def test_perfect_and_nearly_perfect():
    # 30 positives and 270 negatives; then one positive below one, two, ... negatives.
    lows = []
    for errors in range(4):
        ranking = [True] * 29 + [False] * errors + [True] + [False] * (270 - errors)
        lows.append([limits(ranking, figure)[0] for figure in FIGURES.values()])
    assert (np.diff(np.array(lows), axis=0) <= 1e-12).all()


def test_limits_depend_on_the_data_alone():
    rng = np.random.default_rng(1)
    scores = th.Scores.from_pos_neg(rng.normal(1, 1, 50), rng.normal(0, 1, 80))
    again = th.Scores.from_counts(scores.thresholds * 2 + 1, scores.pos, scores.neg)
    value = scores.roc_auc().value
    assert adverse_limits(scores.pos, scores.neg, roc_auc, 0.95, value=value) == adverse_limits(
        again.pos, again.neg, roc_auc, 0.95, value=value
    )


@pytest.mark.some(2)
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_long_tables_keep_their_limits(figure, monkeypatch):
    rng = np.random.default_rng(2)
    scores = th.Scores.from_pos_neg(rng.normal(1, 1, 700), rng.normal(0, 1, 3000))
    value = float(figure(scores.pos[None].astype(float), scores.neg[None].astype(float), np.arange(scores.pos.size))[0])
    short = adverse_limits(scores.pos, scores.neg, figure, 0.95, value=value)
    assert reduced_table(scores.pos, scores.neg).tp.size < 700
    monkeypatch.setattr(adverse, "_MOST_CELLS", 10**9)
    whole = adverse_limits(scores.pos, scores.neg, figure, 0.95, value=value)
    assert short == pytest.approx(whole, abs=0.02 * (whole[1] - whole[0]))


def test_higher_levels_draw_more():
    ranking = [True] * 15 + [False, True] * 5 + [False] * 15
    ends = [limits(ranking, roc_auc, level) for level in (0.5, 0.95, 0.99, 0.9999)]
    assert all(b[0] < a[0] and a[1] < b[1] for a, b in zip(ends, ends[1:], strict=False))


def test_weights_are_worth_fewer_cases():
    pos, neg = np.array([8.0, 3.0, 1.0]), np.array([1.0, 4.0, 20.0])
    value = float(roc_auc(pos[None], neg[None], np.arange(3))[0])
    full = adverse_limits(pos, neg, roc_auc, 0.95, value=value)
    fewer = adverse_limits(pos, neg, roc_auc, 0.95, value=value, sizes=(6.0, 12.5))
    assert fewer[0] < full[0]
    assert full[1] < fewer[1]


def test_totals_beyond_a_float_have_the_nodes_of_their_draws() -> None:
    """The running sum of such counts ends a little beside their total."""
    pos, neg = np.array([2**55] + 30 * [1]), np.array(15 * [0, 2] + [1])
    low, high = adverse_limits(pos, neg, roc_auc, 0.95, value=0.7)
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
