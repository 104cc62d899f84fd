"""Covariances over cases, against slow and obvious ones."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import thresher as th
from support.measures import options_of
from thresher._readers.covariance import measured
from thresher._readers.readings import read_frame
from thresher.measures import as_measure

NAMES = {name: name for name in ("reader", "case", "modality", "truth", "rating")}


def ratings(seed=0, *, readers=3, modalities=2, pos=6, neg=8, read=1.0, categories=6):
    """Return a small study with ties."""
    rng = np.random.default_rng(seed)
    truth = np.arange(pos + neg) < pos
    rows = []
    for i, j, k in itertools.product(range(modalities), range(readers), range(pos + neg)):
        if read == 1.0 or rng.random() < read:
            rows.append((f"m{i}", f"r{j}", k, int(truth[k]), int(rng.integers(categories) + 2 * truth[k])))
    return pd.DataFrame(rows, columns=["modality", "reader", "case", "truth", "rating"])


def readings(frame):
    return read_frame(frame, pos_label=None, **NAMES)


def covariance(frame, metric="roc_auc", method=None, **options):
    measure = as_measure(metric, **options)
    return measured(readings(frame), measure, method, "random", 400, 0)


def kernel(frame, modality, reader):
    """Return which share of each pair of a positive and a negative case is ranked right, for the pairs read."""
    own = frame[(frame.modality == modality) & (frame.reader == reader)]
    pos, neg = own[own.truth == 1], own[own.truth == 0]
    return {
        (p.case, n.case): Fraction(int(p.rating > n.rating) * 2 + int(p.rating == n.rating), 2)
        for p in pos.itertuples()
        for n in neg.itertuples()
    }


def unbiased_by_counting(frame):
    """Return the product of areas minus the mean product of pairs that share no case, over all pairs of pairs."""
    cells = sorted({(row.modality, row.reader) for row in frame.itertuples()})
    kernels = [kernel(frame, *cell) for cell in cells]
    found = np.empty((len(cells), len(cells)))
    for a, b in np.ndindex(found.shape):
        area = [sum(one.values()) / len(one) for one in (kernels[a], kernels[b])]
        apart = [
            one * two for (p, n), one in kernels[a].items() for (q, m), two in kernels[b].items() if p != q and n != m
        ]
        found[a, b] = float(area[0] * area[1] - sum(apart) / len(apart))
    return found


@pytest.mark.parametrize("read", [1.0, 0.7])
def test_unbiased_counts_pairs_that_share_no_case(read):
    frame = ratings(4, read=read, pos=5, neg=5, readers=2)
    np.testing.assert_allclose(
        covariance(frame, method="unbiased").covariance, unbiased_by_counting(frame), rtol=1e-12, atol=1e-17
    )


def test_unbiased_of_a_proportion_is_the_usual_variance():
    frame = ratings(1)
    own = covariance(frame, "recall", "unbiased", threshold=4)
    usual = covariance(frame, "recall", "influence", threshold=4)
    np.testing.assert_array_equal(own.covariance, usual.covariance)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "f1", "mcc", "gini", "partial_roc_auc"])
def test_the_diagonal_is_the_variance_of_each_reader(metric):
    options = options_of(metric) if metric != "f1" else {"threshold": 4}
    options = {"threshold": 4} if metric == "mcc" else options
    frame = ratings(2, pos=20, neg=25)
    measure = as_measure(metric, **options)
    found = covariance(frame, metric, "influence", **options)
    expected = []
    for cell in range(6):
        table = readings(frame).table(cell)
        expected.append(measure.spread(table, "random").variance)
    np.testing.assert_allclose(np.diag(found.covariance), expected, rtol=1e-12)


def test_influence_is_delongs_paired_covariance():
    frame = ratings(3, readers=2, modalities=1, pos=20, neg=30)
    wide = frame.pivot(index=["case", "truth"], columns="reader", values="rating").reset_index()
    pair = th.compare(wide.truth, {"a": wide.r0.to_numpy(), "b": wide.r1.to_numpy()}).pairs[0]
    found = covariance(frame).covariance
    assert found[0, 0] + found[1, 1] - 2.0 * found[0, 1] == pytest.approx(pair.standard_error**2, rel=1e-12)


@pytest.mark.parametrize(
    ("metric", "options"),
    [("roc_auc", {}), ("average_precision", {}), ("kolmogorov_smirnov", {}), ("recall", {"threshold": 4})],
)
def test_the_jackknife_leaves_out_each_case(metric, options):
    frame = ratings(5, read=0.8)
    data = readings(frame)
    measure = as_measure(metric, **options)
    columns = np.zeros((data.modality.size, len(data.cases)))
    for cell in range(data.modality.size):
        positive, rating, case = data.positive(cell), data.rating[data.rows(cell)], data.case[data.rows(cell)]
        seen = positive if metric == "recall" else np.ones_like(positive)
        left = np.array([measure.of(th.Scores(np.delete(positive, i), np.delete(rating, i))) for i in range(case.size)])
        n = int(seen.sum())
        columns[cell, case] = np.where(seen, left - left[seen].mean(), 0.0) * np.sqrt((n - 1) / n)
    found = covariance(frame, metric, "jackknife", **options).covariance
    np.testing.assert_allclose(found, columns @ columns.T, rtol=1e-9, atol=1e-15)


def test_resampling_cases_agrees_with_influence_values():
    frame = ratings(6, pos=60, neg=60)
    drawn = measured(readings(frame), as_measure("roc_auc"), "bootstrap", "random", 4000, 1)
    smooth = covariance(frame).covariance
    np.testing.assert_allclose(drawn.covariance, smooth, atol=0.15 * smooth.max())
    assert drawn.bias is not None
    assert np.abs(drawn.bias).max() < 0.1 * np.sqrt(smooth.max())


def test_resampling_is_repeatable():
    frame = ratings(6)
    one, other = (covariance(frame, "kolmogorov_smirnov").covariance for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_cases_read_once_only_have_no_covariance():
    frame = ratings(7, readers=2, pos=12, neg=12)
    frame = frame[frame.case % 2 == frame.reader.str[1:].astype(int)]
    found = covariance(frame).covariance
    assert found[0, 1] == 0.0  # other readers, same modality
    assert found[0, 2] != 0.0  # the same reader


def test_known_class_totals_drop_what_the_odds_add():
    frame = ratings(8, pos=10, neg=30)
    study = th.readers(frame)
    random = study.measure("precision", threshold=4).case_covariance
    fixed = study.measure("precision", threshold=4, design="fixed").case_covariance
    assert np.diag(fixed).sum() < np.diag(random).sum()
    table = study.tables("m0")["r0"]
    measure = as_measure("precision", threshold=4)
    assert fixed[0, 0] == pytest.approx(measure.spread(table, "fixed").variance, rel=1e-12)


def test_what_is_not_known_is_refused():
    frame = ratings(9)
    with pytest.raises(th.InvalidInputError, match=r"'unbiased' for 'average_precision'.*Hint: leave it out"):
        covariance(frame, "average_precision", "unbiased")
    with pytest.raises(th.InvalidInputError, match=r"'influence' for 'kolmogorov_smirnov'.*Hint: pass 'bootstrap'"):
        covariance(frame, "kolmogorov_smirnov", "influence")
    with pytest.raises(th.UndefinedMetricError, match="for reader 'r0' in 'm0' it is nan"):
        covariance(frame, "precision", threshold=100)
