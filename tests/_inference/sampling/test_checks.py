"""When weights and clusters carry a variance: what is refused, what is warned of, and what passes in silence."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import thresher as th
from thresher._inference.sampling.checks import (
    check_counted,
    check_weights,
    check_whole,
    largest_share,
    refuse_dependent,
    warn_of_balance,
)

Y = np.arange(40) < 20
X = np.arange(40.0)[::-1]


def weighted(w) -> th.Scores:
    return th.Scores(Y, X, sample_weight=w)


def said(call, *given) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*given)
    return [str(one.message) for one in caught]


def test_sums_of_weights_alone_are_refused():
    with pytest.raises(th.InvalidInputError, match="An interval needs the sums of squared weights"):
        check_weights(th.Scores.from_counts([2, 1], pos=[0.5, 1.0], neg=[1.5, 0.25]))
    assert said(check_weights, th.Scores(Y, X)) == []


def test_even_weights_pass_in_silence():
    assert said(check_weights, weighted(np.where(Y, 0.5, 3.0))) == []


@pytest.mark.parametrize("side", ["positive", "negative"])
def test_few_effective_rows(side):
    mine = Y if side == "positive" else ~Y
    w = np.where(mine, 1.0, 1.5)
    w[np.flatnonzero(mine)[0]] = 5.0  # (19 + 5)^2 / (19 + 25) = 13.1 rows
    assert said(check_weights, weighted(w)) == []
    w[np.flatnonzero(mine)[0]] = 8.5  # 27.5^2 / (19 + 72.25) = 8.29 rows
    worth = 27.5**2 / (19 + 8.5**2)
    assert said(check_weights, weighted(w)) == [
        f"The weights of the {side}s are so unequal that 20 rows are worth {worth:.3g}; intervals are rough. "
        f"Hint: the largest weight is {8.5 / 27.5:.0%} of all of them."
    ]
    w[np.flatnonzero(mine)[0]] = 60.0  # 79^2 / (19 + 3600) = 1.72 rows
    with pytest.raises(th.UndefinedMetricError, match=f"One {side} carries 76% of the weight of its class"):
        check_weights(weighted(w))


@pytest.mark.parametrize(("ratio", "told"), [(8.9, False), (9.1, True)])
def test_weights_of_very_different_size(ratio, told):
    w = np.where(np.arange(40) % 2 == 0, 1.0, ratio)
    w[~Y] = 1.25
    found = said(check_weights, weighted(w))
    assert any(f"range over a factor of {ratio:.3g}" in text for text in found) == told
    assert all("positives" in text for text in found)


def test_the_larger_range_is_named():
    w = np.where(np.arange(40) % 2 == 0, 1.0, 10.0)
    w[~Y] *= np.where(np.arange(20) % 2 == 0, 1.0, 2.0)
    assert any(
        "weights of the negatives range over a factor of 20" in text for text in said(check_weights, weighted(w))
    )


def test_integer_weights_are_told_from_frequencies():
    w = np.where(np.arange(40) % 2 == 0, 1, 2)
    found = said(check_weights, weighted(w))
    assert found[0].startswith("Integer `sample_weight` are sampling weights: the 40 rows are 40 observations, not 60.")


def test_the_largest_share():
    w = np.linspace(1.0, 3.0, 40)
    scores = weighted(w)
    assert largest_share(scores, scores._weight_squares, 0) == pytest.approx(w[Y].max() / w[Y].sum())
    assert largest_share(scores, scores._weight_squares, 1) == pytest.approx(w[~Y].max() / w[~Y].sum())
    unknown = th.Scores.from_counts(
        [2, 1], pos=[1.5, 1.0], neg=[2.5, 0.5], pos_squares=[1.25, 1.0], neg_squares=[6.25, 0.25]
    )
    # At most one row has all of a score's squares.
    assert largest_share(unknown, unknown._weight_squares, 0) == pytest.approx(1.25**0.5 / 2.5)
    assert largest_share(unknown, unknown._weight_squares, 1) == pytest.approx(2.5 / 3.0)


def test_class_weights_set_the_prevalence():
    found = said(warn_of_balance, weighted(np.where(Y, 1.0, 3.0)), 1.0, "random")
    assert found == [
        "Weights are the same within each class, so they set the prevalence (0.25) and do not estimate it. "
        "Hint: design='fixed', or prevalence=0.25."
    ]
    for quiet in (weighted(np.full(40, 0.5)), weighted(np.linspace(1, 2, 40)), th.Scores(Y, X)):
        assert said(warn_of_balance, quiet, 1.0, "random") == []


@pytest.mark.parametrize(("scale", "told"), [(1.0, False), (3.9, False), (4.1, True)])
def test_heavy_negatives_at_the_top(scale, told):
    # Twenty positives: a negative that counts as more than four of them is also more than 1% of all.
    found = said(warn_of_balance, weighted(np.full(40, 0.5)), scale, None)
    assert bool(found) == told
    if told:
        assert found[0].startswith("One negative at the top of the list counts as much as 4.1 positives")


def test_heavy_negatives_beside_many_positives_are_light():
    y, x = np.repeat([1, 1, 0, 0], [900, 100, 10, 90]), np.repeat([2, 1, 2, 1], [900, 100, 10, 90])
    many = th.Scores(y, x, sample_weight=np.full(1100, 0.5))
    assert said(warn_of_balance, many, 9.0, None) == []
    assert len(said(warn_of_balance, many, 11.0, None)) == 1
    assert said(warn_of_balance, th.Scores(y, x), 11.0, None) == []


def test_methods_for_independent_rows():
    refuse_dependent(th.Scores(Y, X), "bamber")
    with pytest.raises(th.InvalidInputError, match="`method='bamber'` must have independent rows; got clusters"):
        refuse_dependent(th.Scores(Y, X, cluster=np.arange(40) // 2), "bamber")


def test_methods_for_counts():
    plain = th.Scores(Y, X)
    assert check_counted(plain, "bamber", "'delong'") is plain
    assert check_counted(weighted(np.where(Y, 0.5, 3.0)), "bamber", "'delong'") == plain
    with pytest.raises(th.InvalidInputError, match="must have rows of equal weight within each class"):
        check_counted(weighted(np.linspace(1, 2, 40)), "bamber", "'delong'")
    with pytest.raises(th.InvalidInputError, match="needs the sums of squared weights"):
        check_counted(th.Scores.from_counts([2, 1], pos=[0.5, 1.0], neg=[1.5, 0.25]), "bamber", "'delong'")


def test_figures_that_count_rows():
    check_whole(th.Scores(Y, X, frequency=np.full(40, 3)), "BEDROC")
    with pytest.raises(th.InvalidInputError, match="BEDROC counts rows; got sampling weights"):
        check_whole(weighted(np.linspace(0.5, 0.6, 40)), "BEDROC")
    assert check_whole(weighted(np.full(40, 0.5)), "BEDROC") == th.Scores(Y, X)


def test_weights_that_vary_estimate_the_odds():
    rng = np.random.default_rng(8)
    y = rng.random(90) < 0.3
    s = rng.normal(size=90) + y
    area = th.Scores(y, s, sample_weight=rng.uniform(0.5, 2.0, 90)).pr_auc()
    with pytest.warns(th.ThresherWarning, match="design='fixed' takes the odds of the classes for known") as told:
        area.confidence_interval(design="fixed")
    assert "design='random' if rows came from one pool" in str(told[0].message)
    with warnings.catch_warnings():  # nothing is said where the odds are estimated, given, or set by the weights
        warnings.simplefilter("error")
        area.confidence_interval(design="random")
        area.confidence_interval(design="class")
        th.Scores(y, s, sample_weight=np.where(y, 2.0, 1.0)).pr_auc().confidence_interval(design="fixed")
        th.Scores(y, s).pr_auc().confidence_interval(design="fixed")


def test_weights_by_class_are_told_of_where_they_make_an_interval_fail():
    rng = np.random.default_rng(9)
    y = np.arange(60) < 30
    area = th.Scores(y, rng.normal(size=60) + y, sample_weight=np.where(y, 1.0, 49.0)).pr_auc()
    with pytest.warns(th.ThresherWarning) as told:
        area.confidence_interval(method="logit")
    (one,) = told  # the most important of both
    assert "One negative at the top of the list counts as much as 49 positives" in str(one.message)
    both = " ".join(said(warn_of_balance, area.counts, 1.0, "random"))
    assert "they set the prevalence" in both
    assert str(one.message) in both
    with warnings.catch_warnings():  # the default draws with the weights of the classes, and covers
        warnings.simplefilter("error")
        assert area.confidence_interval().method == "bayes"
        area.confidence_interval(design="fixed")
