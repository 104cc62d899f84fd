"""Findings that one unseen case would undo are told, and only those."""

import warnings

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._compare.pair_tests import lost_to_one

METRICS = [("roc_auc", {}), ("pr_auc", {}), ("partial_roc_auc", {"fpr": (0.0, 0.2)}), ("recall_at_fpr", {"fpr": 0.1})]


@pytest.mark.parametrize(("metric", "options"), METRICS)
@pytest.mark.parametrize("digits", [0, 3])
def test_what_a_case_costs_is_what_it_costs_among_the_rows(metric, options, digits):
    rng = np.random.default_rng(1)
    y = np.arange(60) < 20
    score = np.round(rng.normal(size=60) + 1.5 * y, digits)
    measure = th.measures.as_measure(metric, **options)
    own = measure.of(th.Scores(y, score))
    positive = measure.of(th.Scores(np.append(y, True), np.append(score, -9.0)))
    negative = measure.of(th.Scores(np.append(y, False), np.append(score, 9.0)))
    assert lost_to_one(th.Scores(y, score), measure) == pytest.approx(own - min(positive, negative), rel=1e-12)
    assert own > min(positive, negative)


def unshown(n_pos=20, n_neg=200):
    """A scorer without an error in this sample, and one with errors all over."""
    rng = np.random.default_rng(3)
    y = np.arange(n_pos + n_neg) < n_pos
    noise = rng.normal(size=y.size)
    nearly = np.where(y, 9.0, 0.0) + 0.1 * noise
    return y, {"nearly": nearly, "plain": noise + 2.2 * y}


def said(y, scores, **options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = th.compare(y, scores, **options)
    return result, [str(one.message) for one in found if "One case decides" in str(one.message)]


@pytest.mark.parametrize(
    "options", [{}, {"method": "bootstrap", "n_resamples": 400, "rng": 1}], ids=["delong", "bootstrap"]
)
def test_a_finding_that_one_case_would_undo_is_told(options):
    y, scores = unshown()
    found, told = said(y, scores, **options)
    assert found.pvalue < 0.05
    assert len(told) == 1
    assert "'nearly' and 'plain'" in told[0]
    # The other way round the same scorer leads.
    assert "'nearly' and 'plain'" in said(y, dict(reversed(scores.items())), **options)[1][0]


def test_the_p_value_with_one_more_case_is_that_of_the_moved_difference():
    y, scores = unshown()
    found, told = said(y, scores)
    pair = found.pairs[0]
    moved = pair.difference - lost_to_one(th.Scores(y, scores["nearly"]), th.measures.RocAuc())
    expected = 2 * stats.t(pair.df).sf(moved / pair.standard_error)
    assert f"{expected:.2g}" in told[0]
    assert pair.pvalue_one_more == pytest.approx(expected, rel=1e-12)


def test_a_case_that_turns_the_finding_around_is_told():
    # Of sixteen positives one costs 0.06, twice the lead; with 200 of each the other has next to no spread.
    rng = np.random.default_rng(5)
    perfect = th.Scores.from_pos_neg(rng.normal(9, 1, 15), rng.normal(0, 1, 150))
    good = th.Scores.from_pos_neg(rng.normal(2.6, 1, 200), rng.normal(0, 1, 200))
    with pytest.warns(th.ThresherWarning, match="One case decides between 'one' and 'two'") as caught:
        found = th.compare_unpaired(perfect, good, names=("one", "two"), method="delong")
    lost = lost_to_one(perfect, th.measures.RocAuc())
    assert found.pvalue < 0.01
    assert lost - found.difference > 3 * found.standard_error
    assert f"ranks first, 'two' would lead (now p is {found.pvalue:.2g}). Hint:" in str(caught[0].message)


def test_nothing_is_told_where_nothing_is_found_or_many_cases_find_it():
    rng = np.random.default_rng(4)
    y = np.arange(1500) < 500
    noise = rng.normal(size=(2, y.size))
    assert said(y, {"a": noise[0] + 2.0 * y, "b": noise[1] + y})[1] == []
    assert said(y, {"a": noise[0] + y, "b": noise[1] + y})[1] == []


def test_several_pairs_are_told_of_at_once():
    y, scores = unshown()
    scores["plain"] -= 0.5 * y  # the adjusted p values of three pairs are three times as large
    scores |= {"third": scores["plain"] + 0.01}
    assert "holds for 2 pairs" in said(y, scores)[1][0]


def test_a_leader_that_shows_such_cases_itself_is_not_told_of():
    rng = np.random.default_rng(8)
    y = np.arange(340) < 40
    noise = rng.normal(size=(2, y.size))
    found, told = said(y, {"a": noise[0] + 2.2 * y, "b": noise[1] + 1.2 * y})
    assert found.pvalue < 0.05
    assert told == []


def test_several_models_are_judged_by_adjusted_p_values():
    warned = rejected = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        y = np.arange(120) < 30
        common = rng.normal(size=y.size)
        scores = {f"m{i}": common + rng.normal(size=y.size) + 1.5 * y for i in range(6)}
        found, told = said(y, scores)
        adjusted = min(pair.pvalue_adjusted for pair in found.pairs)
        rejected += adjusted < 0.05
        warned += len(told)
        if adjusted >= 0.05:
            assert told == []
    assert warned <= rejected <= 6


def test_not_with_weights_or_groups():
    y, scores = unshown()
    assert said(y, scores, cluster=np.arange(y.size) // 2)[1] == []
    assert said(y, scores, sample_weight=np.linspace(0.9, 1.1, y.size))[1] == []


@pytest.mark.parametrize("options", [{"method": "delong"}, {"method": "bootstrap", "n_resamples": 400, "rng": 1}])
def test_samples_that_are_not_paired(options):
    y, scores = unshown()
    with pytest.warns(th.ThresherWarning, match="One case decides between 'one' and 'two'"):
        th.compare_unpaired(
            th.Scores(y, scores["nearly"]), th.Scores(y, scores["plain"]), names=("one", "two"), **options
        )


def test_with_ten_thousand_of_each_class_nothing_is_looked_at(monkeypatch):
    looked = []
    monkeypatch.setattr("thresher._compare.pair_tests._worst_shown", lambda *_: 0.0)
    monkeypatch.setattr("thresher._compare.pair_tests.lost_to_one", lambda *_: looked.append(1) or 0.0)
    rng = np.random.default_rng(0)
    for n_pos, times in ((9_999, 1), (10_000, 0)):
        y = np.arange(n_pos + 12_000) < n_pos
        noise = rng.normal(size=(2, y.size))
        assert th.compare(y, {"a": noise[0] + 2 * y, "b": noise[1] + y}).pairs[0].pvalue < 0.01
        assert len(looked) == times
        looked.clear()
