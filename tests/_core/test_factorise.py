"""Distinct keys and their places, as `np.unique` has them."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core import factorise
from thresher._core.factorise import factorised, rows_by_place

RNG = np.random.default_rng(1)


@pytest.mark.parametrize(
    "keys",
    [
        RNG.integers(-50, 50, 1_000),
        RNG.integers(0, 9, 500).astype(np.uint8),
        RNG.integers(-120, 120, 500).astype(np.int8),
        RNG.random(300) < 0.5,
        np.array([2**63 + 5, 2**63 + 1, 2**63 + 5], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1, 0]),
        RNG.integers(0, 99, 800).astype(str),
        np.array(["", "a", "ab", "b", "a", "äöü", "a\x00b", ""]),
        np.array([b"x", b"yy", b"", b"x"]),
        RNG.normal(size=50).round(1),
        np.array(["only"]),
        np.array([], dtype=np.int64),
        np.array([], dtype=str),
    ],
    ids=lambda keys: f"{keys.dtype}-{keys.size}",
)
def test_it_is_what_numpy_finds(keys):
    names, place = factorised(keys)
    want, inverse = np.unique(keys, return_inverse=True)
    assert names.dtype == keys.dtype
    assert np.array_equal(names, want)
    assert np.array_equal(place, inverse.reshape(-1))
    assert np.array_equal(rows_by_place(place), np.argsort(place, kind="stable"))


def test_texts_that_share_a_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr(factorise, "_MIX", np.uint64(0))
    keys = np.array(["a", "b", "a", "c"])
    names, place = factorised(keys)
    assert (names.tolist(), place.tolist()) == (["a", "b", "c"], [0, 1, 0, 2])
