"""Tables of the same rows drawn together: the kernels against NumPy, and measures against their tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._core import native
from thresher._core.paired_resampling import (
    Together,
    laid_out,
    measure_together,
    tables_together,
    tables_together_numpy,
)
from thresher._core.resampling import Requested, fair_coins
from thresher._inference.bootstrap import replicate_areas

compiled = pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
ISAS = ("avx2", "portable")


@pytest.fixture(params=ISAS)
def isa(request):
    usual = native.instruction_set()
    if not native._kernels.use_instruction_set(request.param):
        pytest.skip("this processor does not run it")
    yield request.param
    native._kernels.use_instruction_set(usual)


def case(seed, *, clusters, weights, exchange, most=60):
    """Rows of two models as tables, and what is drawn."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, most))
    positive = rng.random(n) < 0.4
    positive[:2] = True, False
    unit = rng.integers(0, max(n // 3, 2), n) if clusters else np.arange(n)
    unit = np.unique(unit, return_inverse=True)[1].reshape(-1)
    weight = rng.choice([0.3, 1.0, 2.5], n) if weights else None
    tables = []
    for _ in range(2):
        column = rng.integers(0, int(rng.integers(1, n)) + 1, n)
        if not exchange:
            tables.append(laid_out(positive, column, unit, int(column.max()) + 1, weight))
        else:  # both values of each row have a place
            column = np.append(column, rng.permutation(column))
            place = np.append(2 * unit, 2 * unit + 1)
            weights_twice = None if weight is None else np.tile(weight, 2)
            tables.append(laid_out(np.tile(positive, 2), column, place, int(column.max()) + 1, weights_twice))
    size = int(unit.max()) + 1
    strata = (rng.random(size) < 0.5).astype(np.uint8) if rng.random() < 0.5 else np.ones(size, dtype=np.uint8)
    return Together(strata, exchange), tables


def test_rows_are_laid_out_by_column_negatives_first():
    positive = np.array([True, False, True, False])
    rows = laid_out(positive, np.array([1, 1, 0, 0]), np.array([5, 6, 7, 8]), 3, np.array([1.0, 2.0, 3.0, 4.0]))
    assert (rows.pos.tolist(), rows.neg.tolist()) == ([1, 1, 0], [1, 1, 0])
    assert (rows.unit.tolist(), rows.weight.tolist()) == ([8, 7, 6, 5], [4.0, 3.0, 2.0, 1.0])


@compiled
@pytest.mark.parametrize("exchange", [False, True])
@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("clusters", [False, True])
def test_kernels_draw_what_numpy_draws(isa, clusters, weights, exchange):
    for seed in range(40):
        together, tables = case(seed, clusters=clusters, weights=weights, exchange=exchange)
        found = tables_together(together, tables, seed=seed * 2**40 + 3, first=seed, n_resamples=7)
        wanted = tables_together_numpy(together, tables, seed * 2**40 + 3, seed, 7)
        for mine, other in zip(found, wanted, strict=True):
            assert np.array_equal(mine, other)


@compiled
@given(
    seed=st.integers(0, 2**40), clusters=st.booleans(), weights=st.booleans(), odds=st.sampled_from([0.0, 0.25, 30.0])
)
def test_measures_are_those_of_the_tables(seed, clusters, weights, odds):
    together, tables = case(seed, clusters=clusters, weights=weights, exchange=False)
    if not all(table.pos.any() and table.neg.any() for table in tables):
        return
    wanted = Requested(odds, roc_auc=True, average_precision=True, interpolated=True)
    how = {"seed": seed, "first": 1, "n_resamples": 4}
    found = measure_together(together, tables, wanted, **how)
    functional = measure_together(together, tables, Requested(odds, interpolated=True, positives_first=True), **how)
    drawn = tables_together_numpy(together, tables, seed, 1, 4)
    prevalence = 1.0 / (1.0 + odds) if odds else None
    for model, table in enumerate(tables):
        pos, neg = drawn[model]
        at = np.flatnonzero(table.pos)
        np.testing.assert_allclose(found[model].roc_auc, replicate_areas.roc_auc(pos, neg, at), rtol=1e-12, atol=1e-14)
        for name, own in (
            ("average_precision", found[model].average_precision),
            ("interpolated", found[model].interpolated),
            ("functional", functional[model].interpolated),
        ):
            other = replicate_areas.pr_area(pos, neg, at, estimator=name, prevalence=prevalence)
            np.testing.assert_allclose(own, other, rtol=1e-11, err_msg=name)
        if table.weight is None:
            assert np.array_equal(found[model].points[:, -1, 0], pos.sum(axis=1))


@compiled
def test_figures_do_not_depend_on_threads_or_batches():
    together, tables = case(5, clusters=True, weights=False, exchange=False, most=4000)
    wanted = Requested(roc_auc=True, interpolated=True, fprs=(0.2,), recalls=(0.4,), delong=True, spans=((0.0, 0.3),))
    whole = measure_together(together, tables, wanted, seed=1, first=0, n_resamples=300)
    with th.config.num_threads(3):
        for first in (0, 100, 200):
            part = measure_together(together, tables, wanted, seed=1, first=first, n_resamples=100)
            for mine, other in zip(part, whole, strict=True):
                for own, all_of_them in zip(mine, other, strict=True):
                    if own is not None:
                        assert np.array_equal(own, all_of_them[first : first + 100])


def test_coins_are_fair_and_belong_to_their_replicate():
    coins = fair_coins(3, 10, 400, 700)
    assert np.array_equal(coins[5], fair_coins(3, 15, 1, 700)[0])
    assert abs(coins.mean() - 0.5) < 4.5 * 0.5 / np.sqrt(coins.size)
    assert abs(np.corrcoef(coins[:, 0], coins[:, 699])[0, 1]) < 4.5 / 20


@compiled
def test_what_kernels_refuse():
    together, tables = case(1, clusters=False, weights=False, exchange=False)
    for changed, message in (
        ({"unit": tables[0].unit[:-1]}, "every row of a table must have a unit"),
        ({"unit": tables[0].unit + np.uint32(10**6)}, "units must be below their number"),
        ({"weight": np.ones(1)}, "every row of a table must have a weight"),
    ):
        with pytest.raises(ValueError, match=message):
            tables_together(together, [tables[0]._replace(**changed)], seed=0, first=0, n_resamples=1)
    weighted = tables[0]._replace(weight=np.ones(tables[0].unit.size))
    with pytest.raises(ValueError, match="only whole areas"):
        measure_together(together, [weighted], Requested(fprs=(0.1,)), seed=0, first=0, n_resamples=1)
