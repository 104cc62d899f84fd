"""The analysis of readers and cases: identities, and designs."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import thresher as th
from _readers.test_covariance import ratings
from support.measures import options_of
from thresher._readers.models import Variance, difference_of

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # small studies are rough, and say so


def figures(pair):
    return (pair.difference, pair.standard_error, pair.df, pair.low, pair.high, pair.statistic, pair.pvalue)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier", "kolmogorov_smirnov"])
@pytest.mark.parametrize("how", [{}, {"readers": "fixed"}, {"cases": "fixed"}])
def test_two_modalities_pooled_are_a_contrast_of_each_reader(metric, how):
    frame = ratings(1, readers=5, pos=15, neg=20)
    frame["rating"] /= 10
    study = th.readers(frame)
    pooled, alone = (study.measure(metric, pooled=one, n_resamples=100, **how) for one in (True, False))
    assert figures(pooled.differences[0]) == pytest.approx(figures(alone.differences[0]), rel=1e-9)
    assert pooled.omnibus.pvalue == pytest.approx(pooled.differences[0].pvalue, rel=1e-9)


def test_one_reader_is_the_paired_comparison():
    frame = ratings(2, readers=1, pos=20, neg=30)
    wide = frame.pivot(index=["case", "truth"], columns="modality", values="rating").reset_index()
    pair = th.compare(wide.truth, {"m0": wide.m0.to_numpy(), "m1": wide.m1.to_numpy()}, method="delong").pairs[0]
    found = th.readers(frame).measure(readers="fixed").differences[0]
    assert figures(found) == pytest.approx(figures(pair), rel=1e-12)


def test_fixed_cases_are_a_paired_t_test_of_readers():
    found = th.readers(ratings(3, readers=6, pos=15, neg=15)).measure(cases="fixed")
    by = {one: [cell.value for cell in found.cells if cell.modality == one] for one in ("m0", "m1")}
    expected = stats.ttest_rel(by["m0"], by["m1"])
    assert found.differences[0].pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.differences[0].df == 5


def test_fixed_cases_of_nested_readers_are_a_pooled_t_test():
    frame = ratings(4, readers=7, pos=15, neg=15)
    frame = frame[frame.reader.str[1:].astype(int) % 2 == frame.modality.str[1:].astype(int)]
    found = th.readers(frame).measure(cases="fixed")
    by = [[cell.value for cell in found.cells if cell.modality == one] for one in ("m0", "m1")]
    assert found.differences[0].pvalue == pytest.approx(stats.ttest_ind(*by).pvalue, rel=1e-12)
    welch = th.readers(frame).measure(cases="fixed", pooled=False).differences[0]
    assert welch.pvalue == pytest.approx(stats.ttest_ind(*by, equal_var=False).pvalue, rel=1e-12)


def test_cases_of_one_reader_each_leave_the_readers_degrees_of_freedom():
    frame = ratings(5, readers=4, pos=24, neg=24)
    frame = frame[frame.case % 4 == frame.reader.str[1:].astype(int)]
    study = th.readers(frame)
    assert study.case_design == "each reader reads cases of their own"
    assert study.measure().differences[0].df == 3


def test_cases_of_one_modality_each():
    frame = ratings(6, readers=4, pos=20, neg=20)
    frame = frame[frame.case % 2 == frame.modality.str[1:].astype(int)]
    study = th.readers(frame)
    found = study.measure().components
    assert study.case_design == "each modality has cases of its own"
    assert found.cov1 == found.cov3 == 0.0
    assert found.cov2 > 0.0


def test_holes_leave_the_readers_of_both():
    frame = ratings(7, readers=6, pos=20, neg=20)
    holes = frame[~((frame.modality == "m1") & (frame.reader == "r5"))]
    study, whole = th.readers(holes), th.readers(frame[frame.reader != "r5"])
    assert study.design == "incomplete"
    found, expected = study.measure(), whole.measure()
    assert figures(found.differences[0]) == pytest.approx(figures(expected.differences[0]), rel=1e-12)
    assert found.means[0].n_readers == 6
    assert found.means[1].estimate == expected.means[1].estimate
    assert found.components.ms_modality_reader == pytest.approx(expected.components.ms_modality_reader, rel=1e-12)
    assert found.components.cov3 == pytest.approx(expected.components.cov3, rel=1e-12)
    assert "not every reader" in repr(study)


def test_modalities_that_share_too_few_readers_are_refused():
    frame = ratings(7, readers=6, pos=20, neg=20, modalities=3)
    reader = frame.reader.str[1:].astype(int)
    kept = {"m0": reader < 3, "m1": reader >= 2, "m2": reader < 6}
    frame = frame[np.logical_or.reduce([(frame.modality == name) & rows for name, rows in kept.items()])]
    with pytest.raises(th.InvalidInputError, match="At least 2 readers must read in both 'm0' and 'm1'; got 1"):
        th.readers(frame).measure()


@pytest.mark.parametrize("how", ["random", "fixed"])
def test_no_reader_reads_in_all_modalities(how):
    frame = ratings(7, readers=6, pos=20, neg=20, modalities=3)
    frame = frame[frame.reader.str[1:].astype(int) % 3 != frame.modality.str[1:].astype(int)]
    found = th.readers(frame).measure(readers=how)
    assert [one.n_readers for one in found.differences] == [2, 2, 2]
    assert found.omnibus is None
    assert found.components.ms_modality is None
    assert found.components.var_error == pytest.approx(np.diag(found.case_covariance).mean(), rel=1e-12)
    if how == "random":
        with pytest.raises(th.UndefinedMetricError, match="at least 2 readers read in all of 2 modalities or more"):
            found.power(0.05)


def test_fixed_readers_of_three_nested_modalities():
    frame = ratings(8, readers=6, pos=20, neg=20, modalities=3)
    frame = frame[frame.reader.str[1:].astype(int) % 3 == frame.modality.str[1:].astype(int)]
    found = th.readers(frame).measure(readers="fixed")
    theta, c = np.array([cell.value for cell in found.cells]), found.case_covariance
    weights = np.array([[0.5, 0.5, -0.5, -0.5, 0, 0], [0, 0, 0.5, 0.5, -0.5, -0.5]])
    away = weights @ theta
    expected = away @ np.linalg.solve(weights @ c @ weights.T, away)
    assert found.omnibus["chi2"] == pytest.approx(expected, rel=1e-9)
    assert found.omnibus.df1 == 2
    assert found.differences[0].standard_error == pytest.approx(math.sqrt((weights @ c @ weights.T)[0, 0]), rel=1e-12)


def test_one_modality_has_means_only():
    frame = ratings(9, readers=4, modalities=1, pos=20, neg=20)
    found = th.readers(frame.drop(columns="modality"), modality=None).measure()
    assert (len(found.means), found.differences, found.omnibus, found.by_reader) == (1, (), None, ())
    values = [cell.value for cell in found.cells]
    own = found.means[0]
    assert own.estimate == pytest.approx(np.mean(values), rel=1e-15)
    assert own.standard_error**2 == pytest.approx(np.var(values, ddof=1) / 4 + max(own.cov2, 0.0), rel=1e-12)


def test_order_and_names_of_rows_do_not_matter():
    frame = ratings(10, readers=4, pos=20, neg=20)
    other = frame.sample(frac=1.0, random_state=1)
    assert th.readers(frame).measure() == th.readers(other).measure()
    renamed = frame.assign(case=999 - frame.case, rating=np.exp(frame.rating))
    assert figures(th.readers(renamed).measure().differences[0]) == pytest.approx(
        figures(th.readers(frame).measure().differences[0]), rel=1e-12
    )


def test_one_mr_copied_is_no_difference():
    frame = ratings(11, readers=3, pos=15, neg=15)
    frame = frame[frame.modality == "m0"]
    both = pd.concat([frame, frame.assign(modality="m1")])
    found = th.readers(both).measure()
    assert (found.differences[0].difference, found.differences[0].pvalue, found.omnibus.pvalue) == (0.0, 1.0, 1.0)


def test_an_estimated_variance_below_zero_of_one_reader_is_not_a_number():
    found = difference_of("a", "b", 0.1, Variance(-1e-3), 0.95, 1, "r")
    assert found.difference == 0.1
    assert all(math.isnan(one) for one in (found.standard_error, found.low, found.high, found.pvalue))
    with pytest.raises(th.UndefinedMetricError, match=r"above 0 to be tested; got -0\.001"):
        difference_of("a", "b", 0.1, Variance(-1e-3), 0.95, 5)


def test_the_same_step_for_every_reader_cannot_be_tested():
    frame = pd.DataFrame(
        [(m, r, k, int(k < 4), 10 * (k < 4) if m == "b" else 5) for m in "ab" for r in "rst" for k in range(10)],
        columns=["modality", "reader", "case", "truth", "rating"],
    )
    with pytest.raises(th.UndefinedMetricError, match=r"must have a variance above 0 to be tested; got 0.*Hint"):
        th.readers(frame).measure()


@pytest.mark.parametrize("name", th.measures.names())
def test_every_measure(name):
    rng = np.random.default_rng(3)
    frame = ratings(12, readers=4, pos=40, neg=80)
    frame["rating"] = np.clip((frame.rating + rng.normal(0, 0.7, len(frame))) / 9, 0.01, 0.99).round(2)
    study = th.readers(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = study.measure(name, n_resamples=60, **options_of(name))
    assert math.isfinite(found.differences[0].pvalue)
    assert found.differences[0].standard_error > 0.0
    for one in found.means:
        values = [cell.value for cell in found.cells if cell.modality == one.modality]
        assert one.estimate == pytest.approx(np.mean(values), rel=1e-12)
        assert one.low <= one.estimate <= one.high
    table = study.tables("m0")["r0"]
    assert found.cells[0].value == pytest.approx(found.measure.of(table), rel=1e-12)
