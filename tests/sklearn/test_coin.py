from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_array
from scipy.stats import kstest

from thresher.sklearn._coin import row_numbers


@pytest.mark.parametrize("seed", [0, 7])
def test_numbers_look_uniform_and_independent(seed):
    rng = np.random.default_rng(1)
    tables = {
        "normal": rng.normal(size=(20_000, 3)),
        "counting": np.arange(20_000).reshape(-1, 1),
        "small integers": np.stack(np.unravel_index(np.arange(20_000), (200, 100)), axis=1),
    }
    for name, table in tables.items():
        numbers = row_numbers(table, seed)
        assert kstest(numbers, "uniform").pvalue > 1e-4, name
        assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.03, name
        assert abs(np.corrcoef(numbers, np.asarray(table)[:, 0])[0, 1]) < 0.03, name


def test_numbers_depend_on_values_and_seed_only():
    table = np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 1.0]])
    numbers = row_numbers(table, 0)
    assert numbers[0] == numbers[1] != numbers[2]
    assert row_numbers(table.astype(int), 0).tolist() == numbers.tolist()
    assert row_numbers(table.astype(np.float32), 0).tolist() == numbers.tolist()
    assert row_numbers(csc_array(table), 0).tolist() == numbers.tolist()
    assert row_numbers(table.tolist(), 0).tolist() == numbers.tolist()
    assert (row_numbers(table, 1) != numbers).all()


def test_rows_of_text_are_told_apart():
    numbers = row_numbers(np.array([["a", 1], ["b", 1], ["a", 1]], dtype=object), 3)
    assert numbers[0] == numbers[2] != numbers[1]
    assert ((numbers >= 0) & (numbers < 1)).all()
