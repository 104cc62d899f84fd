import math
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from support.confusion import GOLDEN, ROWS, TABLES, all_metrics, is_rational, metric, number, same, tables_of
from thresher._cells.catalogue import CATALOGUE, find, names
from thresher._cells.cell_metric import from_function
from thresher._cells.matrix import Matrix
from thresher.exceptions import InvalidInputError

METRICS = all_metrics()
BY_NAME = pytest.mark.parametrize("one", METRICS, ids=lambda one: one.name)
COUNTS = st.tuples(*[st.integers(1, 60)] * 4)


@pytest.mark.parametrize("table", TABLES)
def test_values_and_gradients_are_those_of_the_reference(table):
    cells = TABLES[table]["cells"]
    for key, entry in TABLES[table]["values"].items():
        found = metric(key)
        assert same(float(found.value(*cells)), entry["value"], 1e-14), key
        if "gradient" not in entry:
            continue
        expected, slopes = np.array([number(one) for one in entry["gradient"]]), np.array(found.gradient(*cells))
        assert (np.isnan(slopes) == np.isnan(expected)).all(), key
        assert np.nanmax(abs(slopes - expected), initial=0) <= 1e-13 * np.nanmax(abs(expected), initial=1e-20), key


@pytest.mark.parametrize("table", [name for name in TABLES if TABLES[name].get("at_prevalence")])
def test_values_at_another_prevalence_are_those_of_the_reference(table):
    for prevalence, entries in TABLES[table]["at_prevalence"].items():
        for key, entry in entries.items():
            found = metric(key).value(*TABLES[table]["cells"], prevalence=number(prevalence))
            assert same(float(found), entry["value"], 1e-14), (key, prevalence)


@pytest.mark.parametrize("rows", ROWS)
def test_sums_of_weights_give_the_values_of_the_reference(rows):
    cells = [number(cell) for cell in ROWS[rows]["cells"]]
    for key, value in ROWS[rows]["values"].items():
        assert same(float(metric(key).value(*cells)), value, 1e-14), key


@BY_NAME
def test_rational_metrics_are_correctly_rounded_at_a_million_million_rows(one):
    if one.ratio is None or one.form is not None or one.root:
        return
    rng = np.random.default_rng(1)
    for _ in range(20):
        cells = [int(cell) for cell in rng.integers(1, 10**12, 4)]
        above, below = one.ratio(Matrix(*(np.array([cell], dtype=object) for cell in cells)))
        assert one.value(*cells) == float(Fraction(int(above[0]), int(below[0])))


def test_nothing_cancels_near_independence_at_a_million_million_rows():
    # TP TN and FP FN differ by 1 in 24 digits, which no product of doubles shows.
    cells = (10**12 + 1, 10**12, 10**12, 10**12 - 1)
    cross = cells[0] * cells[3] - cells[1] * cells[2]
    assert cross == -1
    n = (2 * 10**12 + 1) * (2 * 10**12 - 1)
    assert find("youden").value(*cells) == float(Fraction(cross, n))
    assert find("mcc").value(*cells) == pytest.approx(-1 / n, rel=1e-14)
    assert find("kappa").value(*cells) != 0


@BY_NAME
@given(cells=COUNTS)
def test_doubles_agree_with_exact_values(one, cells):
    quick, exact = one.value(*cells, exact=False), one.value(*cells)
    assert abs(quick - exact) <= 1e-13 * max(abs(exact), 1e-3) or quick == exact


@BY_NAME
@given(cells=COUNTS, times=st.integers(2, 50))
def test_the_scale_of_the_counts_changes_nothing_but_chi_square(one, cells, times):
    scaled = one.value(*(times * cell for cell in cells))
    assert scaled == pytest.approx(one.value(*cells) * (times if one.name == "chi_square" else 1), rel=1e-12, abs=1e-15)
    if one.degree == 0:
        parts = np.array(cells) * np.array(one.gradient(*cells))
        assert np.isnan(parts).any() or abs(parts.sum()) <= 1e-12 * np.abs(parts).max() + 1e-14


@BY_NAME
def test_a_metric_rises_where_it_says_and_stays_in_its_bounds(one):
    for classes in ((7, 12), (5, 5), (3, 20)):
        values = one.value(*tables_of(*classes))
        seen = values[np.isfinite(values)]
        assert one.bounds[0] - 1e-12 <= seen.min() <= seen.max() <= one.bounds[1] + 1e-12
        if one.rises is None:
            continue
        with np.errstate(invalid="ignore"):
            for axis, cell in enumerate(one.rises):
                steps = np.diff(values, axis=axis) * (1 if cell in ("tp", "fp") else -1)
                assert np.nanmin(steps) >= -1e-13, cell


@BY_NAME
def test_what_needs_a_class_is_undefined_without_it_and_the_rest_is_not(one):
    without = {"P": (0, 3, 0, 9), "N": (3, 0, 9, 0)}
    for name, cells in without.items():
        assert name not in one.needs or math.isnan(one.value(*cells))
    if one.free:
        balance = [one.value(8, 3, 2, 17, prevalence=p) for p in (0.01, 0.5)]
        assert balance == pytest.approx([one.value(8, 3, 2, 17)] * 2, rel=1e-12)


def test_swapping_the_classes_swaps_the_metrics():
    swapped = {"recall": "specificity", "precision": "npv", "fnr": "fpr", "fdr": "for"}
    alike = ("mcc", "kappa", "youden", "markedness", "balanced_accuracy", "g_mean", "dor", "p4", "accuracy")
    for one, other in [*swapped.items(), *((name, name) for name in alike)]:
        assert find(one).value(8, 3, 2, 17) == find(other).value(17, 2, 3, 8)


def test_scikit_learn_has_the_same_values():
    y = np.repeat([1, 0, 1, 0], [8, 3, 2, 17])
    called = np.repeat([1, 1, 0, 0], [8, 3, 2, 17])
    peers = (
        "accuracy_score",
        "balanced_accuracy_score",
        "cohen_kappa_score",
        "f1_score",
        "hamming_loss",
        "jaccard_score",
    )
    peers += ("matthews_corrcoef", "precision_score", "recall_score", "zero_one_loss")
    for name in peers:
        assert find(name).value(8, 3, 2, 17) == pytest.approx(getattr(sklearn.metrics, name)(y, called), rel=1e-14), (
            name
        )
    f2 = sklearn.metrics.fbeta_score(y, called, beta=2)
    assert find("fbeta_score", beta=2).value(8, 3, 2, 17) == pytest.approx(f2, rel=1e-14)
    ratios = sklearn.metrics.class_likelihood_ratios(y, called)
    for name, ratio in zip(("positive_likelihood_ratio", "negative_likelihood_ratio"), ratios, strict=True):
        assert find(name).value(8, 3, 2, 17) == pytest.approx(ratio, rel=1e-14)
    information = sklearn.metrics.mutual_info_score(y, called)
    assert find("mutual_information").value(8, 3, 2, 17) == pytest.approx(information, rel=1e-13)
    assert find("fowlkes_mallows").value(8, 3, 2, 17) == pytest.approx(8 / math.sqrt(11 * 10), rel=1e-14)


# What the packages for R answered at (tp, fp, fn, tn) = (8, 3, 2, 17): cutpointr, ROCR 1.0-11, pROC 1.18.0.
CUTPOINTR = {
    "accuracy": 0.83333333333333337, "cohens_kappa": 0.63414634146341475, "abs_d_sens_spec": 0.05,
    "abs_d_ppv_npv": 0.16746411483253587, "roc01": 0.25, "sum_sens_spec": 1.65, "prod_sens_spec": 0.68,
    "sum_ppv_npv": 1.6220095693779903, "prod_ppv_npv": 0.65071770334928236, "youden": 0.65,
    "F1_score": 0.76190476190476186, "odds_ratio": 22.666666666666664, "ppv": 0.72727272727272729,
    "npv": 0.89473684210526316, "plr": 5.3333333333333339, "nlr": 0.23529411764705885, "sensitivity": 0.8,
    "specificity": 0.85, "tpr": 0.8, "fpr": 0.15, "tnr": 0.85, "fnr": 0.2, "recall": 0.8,
    "precision": 0.72727272727272729, "false_omission_rate": 0.10526315789473684,
    "false_discovery_rate": 0.27272727272727271, "Jaccard": 0.61538461538461542,
}  # fmt: skip
ROCR = {
    "acc": 0.83333333333333337, "err": 0.16666666666666666, "fpr": 0.15, "fall": 0.15, "tpr": 0.8, "rec": 0.8,
    "sens": 0.8, "fnr": 0.2, "miss": 0.2, "tnr": 0.85, "spec": 0.85, "ppv": 0.72727272727272729,
    "prec": 0.72727272727272729, "npv": 0.89473684210526316, "pcfall": 0.27272727272727271,
    "pcmiss": 0.10526315789473684, "rpp": 0.36666666666666664, "rnp": 0.6333333333333333, "phi": 0.63585078445787391,
    "mat": 0.63585078445787391, "mi": 0.30087534215385059 * math.log(2), "chisq": 12.129186602870815,
    "odds": 22.666666666666668, "lift": 2.1818181818181821, "f": 0.76190476190476186, "cost": 0.16666666666666666,
}  # fmt: skip
PROC = {
    "accuracy": 0.83333333333333337, "npv": 0.89473684210526316, "ppv": 0.72727272727272729, "recall": 0.8,
    "fdr": 0.27272727272727271, "1-specificity": 0.15, "1-sensitivity": 0.2, "1-accuracy": 0.16666666666666666,
    "1-ppv": 0.27272727272727271, "1-npv": 0.10526315789473684, "precision": 0.72727272727272729,
    "closest.topleft": 0.0625,
}  # fmt: skip
OPTIMAL_CUTPOINTS = {
    "Youden": "youden", "MaxSp": "specificity", "MaxSe": "recall", "MaxSpSe": "min_sens_spec", "MCT": "cost",
    "MaxProdSpSe": "prod_sens_spec", "SpEqualSe": "abs_d_sens_spec", "MaxEfficiency": "accuracy", "MaxDOR": "dor",
    "Minimax": "largest_error_rate", "MaxKappa": "kappa", "PROC01": "squared_predictive_corner",
    "NPVEqualPPV": "abs_d_ppv_npv", "MaxNPVPPV": "min_ppv_npv", "MaxSumNPVPPV": "sum_ppv_npv",
    "MaxProdNPVPPV": "prod_ppv_npv", "MinPvalue": "chi_square", "PrevalenceMatching": "abs_d_alert_rate_prevalence",
}  # fmt: skip


@pytest.mark.parametrize("peer", [CUTPOINTR, ROCR, PROC], ids=["cutpointr", "ROCR", "pROC"])
def test_packages_for_r_have_the_same_values_under_their_names(peer):
    for name, value in peer.items():
        assert find(name).value(8, 3, 2, 17) == pytest.approx(value, rel=1e-13), name


def test_what_a_peer_means_by_another_name():
    # cutpointr's costs and utilities are totals, its risk ratio a likelihood ratio; pROC's Youden is a sum.
    assert 30 * find("misclassification_cost", cost_fp=1, cost_fn=5).value(8, 3, 2, 17) == 13
    utilities = {"utility_tp": 2, "utility_tn": 1, "utility_fp": -1, "utility_fn": -5}
    assert 30 * find("total_utility", **utilities).value(8, 3, 2, 17) == 20
    assert find("lr_positive").value(8, 3, 2, 17) == pytest.approx(5.3333333333333339)
    assert find("sum_sens_spec").value(8, 3, 2, 17) == 1.65
    assert {name: find(name).name for name in OPTIMAL_CUTPOINTS} == OPTIMAL_CUTPOINTS
    assert find("squared_predictive_corner").value(8, 3, 2, 17) == pytest.approx((3 / 11) ** 2 + (2 / 19) ** 2)
    assert find("largest_error_rate").value(8, 3, 2, 17) == 0.1


def test_every_key_of_the_reference_is_a_metric_and_every_alias_is_of_one_row():
    assert {metric(key).name for key in GOLDEN["tables"][0]["values"]} <= set(names())
    aliases = [alias for one in METRICS for alias in (one.name, *one.aliases)]
    assert len(aliases) == len(set(aliases))
    assert find("f0.5") == find("F0.5 score") == find("f_beta", beta=0.5)
    assert len(CATALOGUE) == len(METRICS)


def test_a_metric_travels_and_compares_by_its_name_and_options():
    for one in METRICS:
        assert pickle.loads(pickle.dumps(one)) == one
    assert find("f1") != find("f2")
    assert hash(find("f1")) == hash(find("f_beta"))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("recal", {}, "`metric` must be a metric of the confusion matrix; got 'recal'. Hint: did you mean 'recall'?"),
        ("mcc", {"beta": 2}, "'mcc' takes no options; got `beta`. Hint: leave it out."),
        ("f_beta", {"alpha": 2}, "'f_beta' takes `beta`; got `alpha`. Hint: leave it out."),
        (
            "f_beta",
            {"beta": 0},
            "`beta` must be between 1e-06 and 1e+06; got 0. Hint: 1 weighs recall and precision alike.",
        ),
        (
            "cost",
            {"cost_fp": -1},
            "`cost_fp` must be between 0 and 1e+12; got -1. Hint: a negative cost is a gain; use utility.",
        ),
        ("iba", {"alpha": 2}, "`alpha` must be between 0 and 1; got 2. Hint: 0.1 is the usual choice."),
        ("cost", {"cost_fn": 5e-324}, "`cost_fn` must be 0 or at least 1e-100 from it; got 5e-324. Hint: use 0."),
        ("net_benefit", {}, "'net_benefit' needs `threshold_probability`; got none. Hint: pass 0.2, for instance."),
    ],
)
def test_messages(name, options, message):
    with pytest.raises(InvalidInputError) as caught:
        find(name, **options)
    assert str(caught.value) == message


def balanced(tp, fp, fn, tn):
    return (tp / (tp + fn) + tn / (fp + tn)) / 2


def gap(tp, fp, fn, tn):
    return np.abs(fp - fn) / (tp + fp + fn + tn)


def real_only(tp, fp, fn, tn):
    return np.hypot(fn / (tp + fn), fp / (fp + tn))


@pytest.mark.parametrize(
    ("function", "key", "tolerance"),
    [
        (balanced, "balanced_accuracy", 1e-14),
        (gap, "abs_d_alert_rate_prevalence", 1e-8),
        (real_only, "closest_corner", 1e-8),
    ],
)
def test_a_function_of_four_cells_has_the_gradient_of_its_formula(function, key, tolerance):
    own, known = from_function(function), find(key)
    for cells in ((8, 3, 2, 17), (6, 40, 4, 950), (812, 97, 188, 903), (9, 0, 1, 90)):
        assert own.value(*cells) == pytest.approx(known.value(*cells), rel=1e-14)
        expected = np.array(known.gradient(*cells))
        assert np.array(own.gradient(*cells)) == pytest.approx(
            expected, rel=tolerance, abs=tolerance * abs(expected).max()
        )
    at = own.gradient(8, 3, 2, 17, prevalence=0.01)
    assert np.array(at) == pytest.approx(np.array(known.gradient(8, 3, 2, 17, prevalence=0.01)), rel=1e-6, abs=1e-9)


def test_a_function_that_grows_with_the_counts_has_no_gradient():
    assert np.isnan(np.array(from_function(lambda tp, fp, fn, tn: 1.0 * tp).gradient(8, 3, 2, 17))).all()
    given_one = from_function(balanced, gradient=lambda *cells: find("balanced_accuracy").gradient(*cells))
    assert np.array(given_one.gradient(8, 3, 2, 17)) == pytest.approx([0.01, -0.02125, -0.04, 0.00375], rel=1e-14)
    with pytest.raises(InvalidInputError, match=r"^A metric of the cells must return an array like theirs"):
        from_function(lambda tp, fp, fn, tn: 1.0).value([1, 2], [3, 4], [5, 6], [7, 8])


def test_no_warning_escapes_at_empty_margins():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in METRICS:
            one.value(*tables_of(2, 2))
            one.gradient(*tables_of(2, 2))


def test_rational_is_told_by_the_form_of_a_reference_value():
    assert is_rational("4/5")
    assert not is_rational("0.8000")
