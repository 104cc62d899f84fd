"""Studies that are drawn: how many cases of each class they have, and from where."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.studies import chance_of_both, drawn_positives, studies

GOOD = th.Population(stats.norm(1.5), stats.norm(), prevalence=0.25)
PILOT = th.Scores([1, 1, 0, 0, 0, 1, 0, 0], [5, 4, 4, 3, 2, 2, 1, 1])
SOURCES = pytest.mark.parametrize("source", [GOOD, PILOT], ids=["population", "pilot"])


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("n", "share"), [(2, 0.5), (2, 1e-9), (3, 0.2), (12, 0.1), (5, 0.9), (40, 0.5)])
def test_positives_are_binomial_given_both_classes(n, share):
    size = 40_000
    found = np.bincount(drawn_positives(n, share, rng(), size), minlength=n + 1)
    assert found[0] == found[n] == 0
    law = stats.binom(n, share).pmf(np.arange(1, n))
    expected = size * law / law.sum()
    some = expected > 5
    seen, wanted = (np.append(column[some], column[~some].sum()) for column in (found[1:n], expected))
    chi = ((seen - wanted) ** 2 / np.maximum(wanted, 1)).sum()
    assert chi < stats.chi2.isf(1e-4, max(int(some.sum()) - 1, 1)) + 5


@pytest.mark.parametrize("share", [1e-12, 1.0 - 1e-12])
def test_a_rare_class_costs_no_time(share):
    """A rejected draw would be repeated 1e11 times."""
    assert chance_of_both(GOOD.with_prevalence(share), 10, "random") == pytest.approx(1e-11, rel=1e-3)
    assert drawn_positives(10, share, rng()) == (1 if share < 0.5 else 9)


@SOURCES
@pytest.mark.parametrize("n", [2, 3, 17])
def test_studies_have_both_classes(source, n):
    drawn = studies(source, n, "random", rng())
    for _ in range(30):
        table = next(drawn)
        assert table.n_pos + table.n_neg == n
        assert min(table.n_pos, table.n_neg) >= 1


@SOURCES
def test_a_fixed_design_has_the_same_classes_in_each_study(source):
    drawn = studies(source, 40, "fixed", rng())
    sizes = {(table.n_pos, table.n_neg) for table in (next(drawn) for _ in range(3))}
    assert sizes == {(10, 30) if source is GOOD else (15, 25)}


@pytest.mark.parametrize(("n", "design"), [(0, "random"), (1, "random"), (1, "fixed"), (4, "fixed")])
def test_studies_that_cannot_have_both_classes_are_refused(n, design):
    rare = GOOD.with_prevalence(0.1)
    assert chance_of_both(rare, n, design) == 0
    message = rf"at least one case of each class; at prevalence 0\.1 one of n={n} has not\. Hint: plan for 10 cases"
    with pytest.raises(th.InvalidInputError, match=message):
        next(studies(rare, n, design, rng()))
    assert next(studies(rare, 10, design, rng())).n_pos >= 1  # the hint works


def test_studies_need_a_prevalence():
    with pytest.raises(th.InvalidInputError, match="must have a prevalence"):
        next(studies(th.Population(stats.norm(1), stats.norm()), 30, "fixed", rng()))


def test_cases_are_those_of_the_population():
    table = next(studies(GOOD, 4000, "fixed", rng()))
    expected = stats.norm.cdf(1.5 / math.sqrt(2))
    assert th.measures.RocAuc().of(table) == pytest.approx(expected, abs=0.03)


def test_rows_are_those_of_the_pilot():
    table = next(studies(PILOT, 80_000, "fixed", rng()))
    np.testing.assert_array_equal(table.thresholds, PILOT.thresholds)
    np.testing.assert_allclose(table.pos / 10_000, PILOT.pos, atol=0.05)
    np.testing.assert_allclose(table.neg / 10_000, PILOT.neg, atol=0.05)
