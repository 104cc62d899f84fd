import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from support.confusion import GOLDEN, all_metrics, metric, number, tables_of
from thresher._cells.cell_metric import from_function
from thresher._cells.limits import LIMIT_METHODS, cluster_scale, limit_methods, limits
from thresher._cells.matrix import Matrix
from thresher._inference.rates import proportion_interval
from thresher._inference.sampling import CELLS, Cells, effective_matrix
from thresher._inference.sampling.cells import effective_share
from thresher._table import CellSample
from thresher.exceptions import InvalidInputError

METRICS = all_metrics()
PLAIN = Matrix(8, 3, 2, 17)


@pytest.mark.parametrize("entry", GOLDEN["share_limits"], ids=str)
def test_limits_of_a_proportion_are_those_of_the_reference(entry):
    cells = Matrix(entry["count"], 1, entry["total"] - entry["count"], 1)
    expected = [number(end) for end in entry["limits"]]
    assert limits(metric("recall"), cells) == pytest.approx(expected, rel=1e-12)
    assert limits(metric("precision"), Matrix(cells.tp, cells.fn, 1, 1)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("key", ["recall", "fpr", "precision", "npv"])
def test_draws_give_what_closed_forms_give(key):
    drawn = replace(metric(key), share=None)
    for cells in (PLAIN, Matrix(30, 1, 0, 4), Matrix(0, 5, 9, 200)):
        closed, found = limits(metric(key), cells), limits(drawn, cells)
        assert found == pytest.approx(closed, abs=0.01 * (closed[1] - closed[0]))


@pytest.mark.parametrize("key", ["mcc", "f2", "dor", "lift"])
def test_limits_are_quantiles_of_independent_gammas_with_adverse_mass(key):
    # The same by brute force: seeded gammas instead of beta quantiles at Sobol points.
    rng, one = np.random.default_rng(3), replace(metric(key), name="drawn")
    ends = []
    for tail, cells in ((0.025, (2, 1)), (0.975, (0, 3))):
        found = []
        for masses in ({cells[0]: 0.75}, {cells[1]: 0.75}, {cells[0]: 0.5, cells[1]: 0.5}):
            shape = np.array(PLAIN, dtype=float)
            for place, mass in masses.items():
                shape[place] += mass
            draws = one.of(Matrix(*rng.gamma(shape[:, None], size=(4, 400_000))))
            found.append(np.quantile(draws, tail))
        ends.append(min(found) if tail < 0.5 else max(found))
    low, high = limits(one, PLAIN)
    scale = (lambda x: x / (1 + x)) if math.isinf(one.bounds[1]) else (lambda x: x)
    width = scale(ends[1]) - scale(ends[0])
    assert [scale(low), scale(high)] == pytest.approx([scale(end) for end in ends], abs=0.01 * width)


@pytest.mark.parametrize("design", ["random", "fixed"])
@pytest.mark.parametrize("one", METRICS, ids=lambda one: one.name)
def test_limits_hold_the_value_stay_in_range_and_follow_the_cells(one, design):
    cells = tables_of(6, 11)
    low, high = limits(one, Matrix(*cells), design=design)
    values = one.value(*cells)
    defined = np.isfinite(values)
    assert (low[defined] <= values[defined]).all()
    assert (values[defined] <= high[defined]).all()
    assert ((one.bounds[0] <= low) & (low <= high) & (high <= one.bounds[1])).all()
    if one.rises is None:
        return
    with np.errstate(invalid="ignore"):
        for axis, cell in enumerate(one.rises):
            for ends in (low, high):
                assert np.nanmin(np.diff(ends, axis=axis) * (1 if cell in ("tp", "fp") else -1)) >= -1e-9, cell


def test_one_table_and_many_give_the_same_limits():
    cells = tables_of(4, 5)
    many = limits(metric("mcc"), Matrix(*cells))
    for at in ((0, 0), (2, 3), (4, 5)):
        single = limits(metric("mcc"), Matrix(*(cell[at] for cell in cells)))
        assert single == pytest.approx((many[0][at], many[1][at]), rel=1e-12)


def test_what_is_undefined_has_the_limits_of_the_placements_that_define_it():
    assert limits(metric("precision"), Matrix(0, 0, 12, 30)) == (0.0, 1.0)
    low, high = limits(metric("markedness"), Matrix(0, 0, 12, 30), design="fixed")
    assert (low, high) == pytest.approx((-0.31, 0.77), abs=0.01)
    assert limits(metric("mcc"), Matrix(0, 0, 0, 0)) == (-1.0, 1.0)


def test_metrics_that_fold_have_the_limits_of_what_they_fold():
    mcc = limits(metric("mcc"), PLAIN)
    assert limits(metric("phi_square"), PLAIN) == pytest.approx((mcc[0] ** 2, mcc[1] ** 2))
    assert limits(metric("chi_square"), PLAIN) == pytest.approx((30 * mcc[0] ** 2, 30 * mcc[1] ** 2))
    independent = Matrix(6, 9, 4, 6)
    assert limits(metric("mutual_information"), independent)[0] == 0.0
    assert limits(metric("phi_square"), independent)[0] == 0.0
    assert limits(metric("abs_d_sens_spec"), PLAIN)[0] == 0.0


def test_known_prevalence_leaves_the_class_sizes_out():
    here = limits(metric("precision"), PLAIN, prevalence=1 / 3)
    assert here == pytest.approx(limits(metric("precision"), PLAIN, design="fixed"), rel=1e-9)
    low, high = limits(metric("precision"), PLAIN, prevalence=0.01)
    assert low < metric("precision").value(*PLAIN, prevalence=0.01) < high < here[0]
    # The predictive value at a known prevalence is a function of the positive likelihood ratio.
    odds = [0.01 / 0.99 * end for end in limits(metric("lr_positive"), PLAIN)]
    assert (low, high) == pytest.approx([one / (1 + one) for one in odds], rel=1e-6)


@pytest.mark.parametrize("one", METRICS, ids=lambda one: one.name)
def test_every_method_answers_in_range(one):
    for design in ("random", "fixed"):
        for method in limit_methods(one, design):
            low, high = limits(one, PLAIN, method=method, design=design)
            assert one.bounds[0] <= low <= one.value(*PLAIN) <= high <= one.bounds[1], method


def test_other_methods_agree_in_large_samples():
    cells = Matrix(8120, 970, 1880, 9030)
    for key in ("mcc", "f2", "kappa", "dor", "lift", "markedness"):
        bayes = limits(metric(key), cells)
        for method in LIMIT_METHODS[1:]:
            found = limits(metric(key), cells, method=method)
            assert found == pytest.approx(bayes, abs=0.03 * (bayes[1] - bayes[0])), (key, method)


def test_unknown_methods_are_refused():
    with pytest.raises(InvalidInputError, match=r"^`method` must be one of 'bayes', 'jeffreys', 'mover', 'delta'; got"):
        limits(metric("mcc"), PLAIN, method="wilson")
    assert limits(metric("recall"), PLAIN, method="wilson") == tuple(proportion_interval(8, 10, method="wilson"))


def test_a_function_of_cells_has_limits_that_hold_those_of_its_formula():
    own = from_function(lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (fp + tn), bounds=(-1.0, 1.0))
    low, high = limits(own, PLAIN, design="fixed")
    known = limits(metric("youden"), PLAIN)
    assert low <= known[0] + 1e-9
    assert high >= known[1] - 1e-9
    total = from_function(lambda tp, fp, fn, tn: tp + fp + fn + tn)
    assert limits(total, PLAIN) == pytest.approx((30.0, 30.0))


def sample(seed):
    """Return weighted rows in clusters: cells, typical weights, clusters and their rows."""
    rng = np.random.default_rng(seed)
    cluster, cell = rng.integers(0, 25, 150), rng.choice(4, 150, p=[0.3, 0.1, 0.1, 0.5])
    weight = rng.choice([1.0, 4.0], 150)
    clusters, rows = np.zeros((25, 4)), np.zeros((25, 4))
    np.add.at(clusters, (cluster, cell), weight)
    np.add.at(rows, (cluster, cell), 1.0)
    squares = np.bincount(cell, weight**2, 4)
    return Matrix(*clusters.sum(axis=0)), squares, squares / clusters.sum(axis=0), clusters, rows


def test_equal_weights_are_counts_and_typical_weights_those_of_the_rates():
    counts = Matrix(*(3.0 * cell for cell in PLAIN))
    for key in ("mcc", "recall", "f2", "precision"):
        weighed = limits(metric(key), counts, typical=Matrix(3.0, 3.0, 3.0, 3.0))
        assert weighed == pytest.approx(limits(metric(key), PLAIN), rel=1e-9)
    cells, squares, typical, _, _ = sample(1)
    rows = Cells(dict(zip(CELLS, cells, strict=True)), CellSample(tuple(squares), tuple(typical)))
    yes, size = effective_share(rows, ("tp",), ("tp", "fp"), 0.95)
    found = limits(metric("precision"), cells, typical=Matrix(*typical))
    assert found == pytest.approx(tuple(proportion_interval(yes, size)), rel=1e-9)
    # By how much a row of each kind moves F2, squared; rows are worth what a mean of that is.
    value = float(metric("f2").value(*cells))
    costs = np.square([5.0 * (1.0 - value), -value, -4.0 * value])
    three = np.array(cells[:3]) * (costs @ cells[:3]) / (costs @ (typical[:3] * cells[:3]))
    assert limits(metric("f2"), cells, typical=Matrix(*typical)) == pytest.approx(
        limits(metric("f2"), Matrix(*three, 0.0)), rel=1e-9
    )
    assert len(effective_matrix(rows.weight, rows.sample, 0.95)) == 4


def test_clusters_are_worth_what_the_rates_say():
    cells, squares, typical, clusters, rows = sample(2)
    for key, part, whole in (("recall", ("tp",), ("tp", "fn")), ("accuracy", ("tp", "tn"), CELLS)):
        own = Cells(
            dict(zip(CELLS, cells, strict=True)), CellSample(tuple(squares), tuple(typical), None, clusters, rows)
        )
        yes, size = effective_share(own, part, whole, 0.95)
        scale = cluster_scale(metric(key), cells, clusters, rows, typical=Matrix(*typical))
        if scale < 1.0:
            found = limits(metric(key), cells, typical=Matrix(*typical), scale=scale)
            assert found == pytest.approx(tuple(proportion_interval(yes, size)), rel=1e-6)


def test_clusters_of_like_rows_are_worth_one_row_each():
    # Ten clusters of five equal rows; without variation clusters count as rows.
    clusters = np.zeros((10, 4))
    clusters[:4, 0] = clusters[4:, 3] = 5.0
    cells = Matrix(*clusters.sum(axis=0))
    assert cluster_scale(metric("mcc"), cells, clusters, clusters) == pytest.approx(0.2)
    assert cluster_scale(metric("recall"), cells, clusters, clusters) == pytest.approx(0.2)
    clusters[3, 0], clusters[3, 2] = 0.0, 5.0
    cells = Matrix(*clusters.sum(axis=0))
    assert 0.1 < cluster_scale(metric("mcc"), cells, clusters, clusters) < 0.21
    assert limits(metric("mcc"), cells, scale=0.2)[0] < limits(metric("mcc"), cells)[0]
    apart = np.eye(4)[[0] * 8 + [1] * 3 + [2] * 2 + [3] * 17]
    assert cluster_scale(metric("mcc"), PLAIN, apart, apart) == pytest.approx(1.0)


def coverage(key, n_pos, n_neg, tpr, tnr):
    """Return the exact coverage at fixed class sizes, over tables that together have all but 1e-3 of the mass."""
    cells = tables_of(n_pos, n_neg)
    chance = binom.pmf(cells[0], n_pos, tpr) * binom.pmf(cells[3], n_neg, tnr)
    seen = chance > 1e-3 / chance.size
    one = metric(key)
    low, high = limits(one, Matrix(*(cell[seen] for cell in cells)), design="fixed")
    truth = float(one.value(n_pos * tpr, n_neg * (1 - tnr), n_pos * (1 - tpr), n_neg * tnr))
    return float(chance[seen] @ ((low <= truth) & (truth <= high))) / float(chance[seen].sum())


@pytest.mark.parametrize(
    ("key", "cell", "least"),
    [
        ("mcc", (10, 90, 0.95, 0.97), 0.945),
        ("dor", (30, 60, 0.99, 0.995), 0.94),
        ("npv", (10, 10, 0.99, 0.995), 0.945),
        ("lr_positive", (10, 90, 0.8, 0.995), 0.945),
        ("markedness", (10, 90, 0.6, 0.995), 0.945),
        ("f2", (30, 30, 0.95, 0.97), 0.945),
    ],
)
def test_coverage_in_hard_cells(key, cell, least):
    assert coverage(key, *cell) >= least
