"""Every number of population.json, to 1e-12 relative."""

import math

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

from support.thorough import dear

# Old releases of SciPy invert the distribution function of Student's t to eleven digits only.
SHARP = np.max(np.abs(stdtr(5, stdtrit(5, np.linspace(0.1, 0.9, 9))) - np.linspace(0.1, 0.9, 9))) < 1e-13
RTOL = 1e-12 if SHARP else 1e-10
IDS = [
    "A", "Astar", "B", "C", "D", "E", "F", "biexp", "bigamma", "t3shift", "cauchyshift", "normmix", "betaU_pos",
    "lognorm_vs_norm", "poisson", "point_perfect", "point_reverse", "point_tied", "binorm_wide", "logistic", "gumbel",
    "pareto", "t5_vs_norm",
]  # fmt: skip
SHARES = ["1/2", "1/5", "1/11", "1/100", "9/10"]


def close(actual, expected):
    expected = np.array([float(value) for value in np.atleast_1d(expected)])
    np.testing.assert_allclose(np.atleast_1d(actual), expected, rtol=RTOL, atol=0)


def test_every_item_is_tested(reference):
    assert sorted(reference) == sorted(IDS)
    assert all(sorted(item["by_pi"]) == sorted(SHARES) for item in reference.values())


@pytest.mark.parametrize("name", IDS)
def test_roc_and_false_positive_rate(name, reference, population_of):
    item, population = reference[name], population_of(name)
    for table, function in (("roc", population.roc), ("alpha", population.fpr_at)):
        grid = [float(x) for x in item[table]]
        close(function(grid), list(item[table].values()))
        # One at a time, and as a scalar, gives the same.
        assert function(grid[3]) == function(grid)[3]


@pytest.mark.parametrize("name", IDS)
def test_tails(name, reference, population_of):
    population = population_of(name)
    for x, values in reference[name].get("tail", {}).items():
        close(population.roc(float(x)), values["roc"])
        close(population.fpr_at(float(x)), values["alpha"])
        close(population.pr(float(x)), values["pr_half"])
        close(population.pr(float(x), prevalence=1 / 11), values["pr_eleventh"])


@pytest.mark.parametrize("name", IDS)
def test_slope(name, reference, population_of):
    for x, value in reference[name].get("slope", {}).items():
        actual = population_of(name).slope(float(x))
        if value is None:
            assert math.isnan(actual)
        else:
            close(actual, value)


@pytest.mark.parametrize("name", IDS)
def test_limits(name, reference, population_of, prevalence_of):
    item = reference[name]
    for share, values in item["by_pi"].items():
        limits = population_of(name).limits(prevalence=prevalence_of(share))
        close(limits.roc_at_0, item["roc_limit_0"])
        close(limits.roc_at_1, item["roc_limit_1"])
        close(limits.fpr_at_1, item["alpha_limit_1"])
        close(limits.fpr_per_recall_at_0, item["lim_alpha_over_x_at_0"])
        close(limits.pr_at_0, values["pr_limit_0"])
        close(limits.pr_at_1, values["pr_limit_1"])


@pytest.mark.some(14)
@pytest.mark.parametrize("name", IDS)
def test_areas_and_their_error_estimates(name, reference, population_of, prevalence_of):
    item, population = reference[name], population_of(name)
    for ties, key in (("strict", "auc_roc_strict"), ("half", "auc_roc_half_ties")):
        area = population.roc_auc(ties=ties)
        close(area, item[key])
        assert abs(area - float(item[key])) <= max(4 * area.error, 4e-16)
        assert area.error < 1e-13
    estimators = {
        "functional": "auc_pr",
        "interpolated": "auc_pr_dg_interpolation",
        "inclusive": "auc_pr_ge_convention",
        "average_precision": "average_precision_limit",
    }
    for share, values in item["by_pi"].items():
        for estimator, key in estimators.items():
            expected = values.get(key, values["auc_pr"])  # the four agree for continuous scores
            area = population.pr_auc(prevalence=prevalence_of(share), estimator=estimator)
            close(area, expected)
            assert abs(area - float(expected)) <= max(4 * area.error, 4e-16)


@pytest.mark.parametrize("name", dear(IDS, 10))
def test_precision_and_sigma(name, reference, population_of, prevalence_of):
    population = population_of(name)
    for share, values in reference[name]["by_pi"].items():
        pi = prevalence_of(share)
        close(population.pr([float(x) for x in values["pr"]], prevalence=pi), list(values["pr"].values()))
        for key, design in (("sigma", "random"), ("sigma_fixed_nplus", "fixed")):
            for x, value in values.get(key, {}).items():
                actual = population.asymptotic_sd(float(x), 1, design=design, prevalence=pi)
                if value is None:
                    assert math.isnan(actual)
                else:
                    close(actual, value)


@pytest.mark.parametrize("name", ["F"])
def test_jumps(name, reference, population_of, prevalence_of):
    item, population = reference[name], population_of(name)
    for share, values in item["by_pi"].items():
        jumps = population.pr_jumps(prevalence=prevalence_of(share))
        close([jump.recall for jump in jumps], list(item["pr_jumps"]))
        close([jump.left for jump in jumps], list(values["pr_left_limit_at_jump"].values()))
        close([jump.value for jump in jumps], [values["pr"][x] for x in values["pr_left_limit_at_jump"]])
        assert [jump.right for jump in jumps] == [jump.value for jump in jumps]
