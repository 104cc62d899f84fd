"""DeLong's covariance of several models, and the tests built on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.golden import columns, exact, golden, scores
from support.measures import differences
from thresher._inference.delong.delong import delong, delong_covariance
from thresher._inference.delong.difference import paired_test, unpaired_test
from thresher.exceptions import UndefinedMetricError
from thresher.measures import RocAuc

PAIRED = [
    (dataset, *entry["columns"][:2])
    for dataset, entry in golden().items()
    if not dataset.startswith("_") and len(entry["columns"]) > 1
]


def covariance(dataset, *names):
    data = columns(dataset)
    return delong_covariance(data["label"] > 0, [data[name] for name in names])


@pytest.mark.parametrize(("dataset", "a", "b"), PAIRED)
def test_paired_reference(dataset, a, b):
    prefix = f"{a}_vs_{b}.paired."
    reference = {key.removeprefix(prefix): value for key, value in exact(dataset).items() if key.startswith(prefix)}
    found, of_difference = covariance(dataset, a, b)
    near = {"rel": 1e-12, "abs": 1e-16}
    assert found[0, 0] == pytest.approx(reference["var_a"], **near)
    assert found[1, 1] == pytest.approx(reference["var_b"], **near)
    assert found[0, 1] == found[1, 0] == pytest.approx(reference["cov"], **near)
    assert of_difference[0, 1] == of_difference[1, 0] == pytest.approx(reference["var_diff"], **near)
    areas = [scores(dataset, name).roc_auc().value for name in (a, b)]
    result = paired_test(areas[0] - areas[1], float(of_difference[0, 1]))
    assert result.difference == pytest.approx(reference["auc_diff"], rel=1e-12, abs=1e-15)
    if reference["var_diff"] == 0:
        # Two models that rank alike.
        assert (result.statistic, result.pvalue, result.low, result.high) == (0.0, 1.0, 0.0, 0.0)
        return
    assert result.statistic == pytest.approx(reference["z"], rel=1e-12)
    assert result.pvalue == pytest.approx(reference["p_two_sided"], rel=1e-11)
    assert (result.low, result.high) == pytest.approx(tuple(reference["ci95_diff"]), rel=1e-12, abs=1e-14)
    peer = golden()[dataset]["peers"]["pROC 1.19.0.1"]
    for alternative, key in (("greater", "p_greater"), ("less", "p_less")):
        one = paired_test(result.difference, result.variance, alternative=alternative)
        assert one.pvalue == pytest.approx(peer[prefix + key], rel=1e-11)


@pytest.mark.parametrize(("dataset", "a", "b"), PAIRED)
def test_unpaired_reference_on_the_same_data(dataset, a, b):
    prefix = f"{a}_vs_{b}.unpaired."
    reference = {key.removeprefix(prefix): value for key, value in exact(dataset).items() if key.startswith(prefix)}
    check_unpaired((dataset, a), (dataset, b), reference)


def test_unpaired_reference_on_two_samples():
    for pair, peers in golden()["_unpaired_delong"].items():
        first, second = (tuple(name.split("/")) for name in pair.split(" vs "))
        reference = next(value for name, value in peers.items() if name.startswith("exact"))
        result = check_unpaired(first, second, reference)
        peer = peers["pROC 1.19.0.1"]
        assert result.df == pytest.approx(peer["df"], rel=1e-11)
        assert result.pvalue == pytest.approx(peer["p_two_sided"], rel=1e-11)


def check_unpaired(first, second, reference):
    tables = [scores(*first), scores(*second)]
    found = [delong(table.pos, table.neg) for table in tables]
    sizes = [table.n_pos + table.n_neg for table in tables]
    result = unpaired_test((found[0].auc, found[1].auc), (found[0].variance, found[1].variance), (sizes[0], sizes[1]))
    assert result.difference == pytest.approx(reference["auc_diff"], rel=1e-12, abs=1e-15)
    assert result.variance == pytest.approx(reference["var_diff"], rel=1e-12)
    assert result.statistic == pytest.approx(reference["stat"], rel=1e-12, abs=1e-13)
    assert result.df == pytest.approx(reference["df_welch"], rel=1e-11)
    assert result.pvalue == pytest.approx(reference["p_t"], rel=1e-11)
    assert paired_test(result.difference, result.variance).pvalue == pytest.approx(reference["p_normal"], rel=1e-11)
    return result


CASES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5), st.integers(1, 3)), min_size=4, max_size=30
).filter(lambda rows: 1 < sum(r[0] for r in rows) < len(rows) - 1)


@given(CASES)
def test_matrix_properties(rows):
    y, a, b, _ = (np.array(column) for column in zip(*rows, strict=True))
    found, of_difference = delong_covariance(y, [a, b, a, -a])
    # A monotone change of the scores leaves everything, a change of sign mirrors it.
    assert found[0, 0] == found[2, 2] == found[3, 3] == found[0, 2] == -found[0, 3]
    assert of_difference[0, 2] == 0.0
    assert np.array_equal(found, found.T)
    assert np.linalg.eigvalsh(found).min() >= -1e-15
    variances = np.diag(found)
    expected = variances[:, None] + variances[None, :] - 2 * found
    assert of_difference == pytest.approx(expected, abs=1e-14)
    # Each diagonal element is the single model's DeLong variance.
    order = np.argsort(-np.unique(a))
    tables = [
        np.array([np.sum((a == value) & (y == label)) for value in np.unique(a)])[order] for label in (True, False)
    ]
    assert variances[0] == delong(*tables).variance


@given(CASES)
def test_only_ratios_of_weights_count(rows):
    y, a, b, weight = (np.array(column) for column in zip(*rows, strict=True))
    if np.unique(weight).size > 1:
        one, other = (differences(RocAuc(), y, [a, b], sample_weight=scale * weight)[0] for scale in (1.0, 0.125))
        assert np.array_equal(one, other)


def test_weights_by_the_printed_formula():
    """The sum over rows of (w d / W)^2, times W^2 / (W^2 - Q) in each class, with d the difference of placements."""
    rng = np.random.default_rng(5)
    y = rng.random(70) < 0.4
    weight = rng.uniform(0.5, 3.0, 70)
    columns = [(rng.normal(size=70) + shift * y).round(1) for shift in (0.5, 1.0)]
    d = placements(y, columns[0], weight) - placements(y, columns[1], weight)
    expected = 0.0
    for side in (y, ~y):
        w = weight[side] / weight[side].sum()
        expected += (w**2 @ (d[side] - w @ d[side]) ** 2) / (1.0 - w @ w)
    found, df = differences(RocAuc(), y, columns, sample_weight=weight)
    assert found[0, 1] == found[1, 0] == pytest.approx(expected, rel=1e-12)
    assert df == np.inf


def placements(y, score, weight=None):
    """The share of the other class that each case beats, a tie counting one half."""
    weight = np.ones(y.size) if weight is None else weight
    out = np.empty(y.size)
    for i, own in enumerate(score):
        others = y != y[i]
        rest = score[others]
        beats = (own > rest) if y[i] else (own < rest)
        out[i] = np.average(beats + 0.5 * (own == rest), weights=weight[others])
    return out


def obuchowski(y, first, second, groups):
    """S10 / M + S01 / N + (S11 + S11') / (M N), printed in 1997, with the cluster sums by loops."""
    sides = y, ~y
    sums = np.zeros((2, 2, groups.max() + 1))  # model, class, cluster
    for k, score in enumerate((first, second)):
        placed = placements(y, score)
        for side, mine in enumerate(sides):
            for row in np.flatnonzero(mine):
                sums[k, side, groups[row]] += placed[row] - placed[y].mean()
    number = [np.unique(groups[mine]).size for mine in sides]
    totals = [np.count_nonzero(mine) for mine in sides]
    out = 0.0
    for side in (0, 1):
        out += number[side] / (number[side] - 1) * (sums[0, side] @ sums[1, side]) / totals[side] ** 2
    clusters = np.unique(groups).size
    cross = sums[0, 0] @ sums[1, 1] + sums[1, 0] @ sums[0, 1]
    return out + clusters / (clusters - 1) * cross / (totals[0] * totals[1])


def test_clusters_by_the_printed_formula():
    rng = np.random.default_rng(7)
    groups = np.repeat(np.arange(30), 3)
    y = (rng.random(90) < 0.4) & (groups % 4 > 0)  # some clusters hold negatives only
    common = rng.normal(size=30)[groups]
    scores = [(common + rng.normal(size=90) + shift * y).round(1) for shift in (0.5, 1.0)]
    found, df = differences(RocAuc(), y, scores, cluster=groups)
    want = np.array([[obuchowski(y, a, b, groups) for b in scores] for a in scores])
    assert found[0, 1] == found[1, 0] == pytest.approx(want[0, 0] + want[1, 1] - 2 * want[0, 1], rel=1e-10)
    assert found[0, 0] == 0.0
    assert df == 29.0
    alone = [th.Scores(y, score, cluster=groups).roc_auc().standard_error() ** 2 for score in scores]
    assert alone == pytest.approx(np.diag(want), rel=1e-10)


def test_clusters_of_one_row_are_rows():
    rng = np.random.default_rng(8)
    y, score = rng.random(60) < 0.5, rng.integers(0, 9, 60)
    alone, clustered = (differences(RocAuc(), y, [score, score**2 % 5], cluster=g) for g in (None, np.arange(60)))
    assert np.array_equal(clustered[0], alone[0])


def test_unsigned_and_infinite_scores():
    y = np.array([True, True, False, False, True, False])
    a = np.array([3, 200, 0, 7, 9, 5], dtype=np.uint8)
    b = np.array([np.inf, 1.0, -np.inf, 2.0, np.inf, 0.0])
    # The same order without the extremes.
    a_signed, b_finite = a.astype(float), np.clip(b, -9.0, 9.0)
    for mine, wanted in zip(delong_covariance(y, [a, b]), delong_covariance(y, [a_signed, b_finite]), strict=True):
        assert np.array_equal(mine, wanted)


def test_one_case_of_a_class():
    with pytest.raises(UndefinedMetricError, match="more than one positive; got 1"):
        delong_covariance(np.array([True, False, False]), [np.array([3.0, 1.0, 2.0])])
