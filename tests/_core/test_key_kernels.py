"""Kernels of keys: their own source, run by the processor, sorts both classes at once wherever the class finds room."""

from __future__ import annotations

import array_api_compat
import numpy as np
import pytest

from support.devices import tensors
from thresher._core import key_kernels

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("kernels_on_host")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
XP = array_api_compat.array_namespace(torch.zeros(1))
DTYPES = ["float32", "float64", "int32", "int64"]


def packed(scores, positive):
    """Return what the kernels find, and how often each looked at how many rows."""
    floats = scores.dtype.kind == "f"
    keys, which = tensors(scores.view(f"i{scores.itemsize}"), positive)
    launch, looks = key_kernels.key_kernels(keys), []

    def watched(name, blocks, threads, given):
        looks.extend([given[1]] if name == "look" else [])
        launch(name, blocks, threads, given)

    return key_kernels.sorted_keys(watched, XP, keys, which, floats=floats), looks


def scores_again(found, dtype):
    """Undo the packing with integers of Python: scores of the negatives, and of the positives."""
    whole = np.array([int(key) for key in found.keys.tolist()], dtype=object)
    whole[: found.n_neg] += found.past
    whole[found.n_neg :] += found.least
    if np.dtype(dtype).kind == "f":
        magnitudes = np.array([abs(key) + (found.gap if key else 0) for key in whole])
        sizes = magnitudes.astype(f"i{np.dtype(dtype).itemsize}").view(dtype)
        whole = np.where(whole < 0, -sizes, sizes)
    return np.split(whole.astype(dtype), [found.n_neg])


def check(scores, positive, tries=1):
    found, looks = packed(scores, positive)
    assert looks == [min(1024, scores.size), scores.size][:tries]
    keys = found.keys.numpy()
    assert (keys[: found.n_neg] < 0).all()
    assert (keys[found.n_neg :] >= 0).all()
    neg, pos = scores_again(found, scores.dtype)
    assert np.array_equal(neg, np.sort(scores[~positive]))
    assert np.array_equal(pos, np.sort(scores[positive]))
    return found


def sample(dtype, n):
    rng = np.random.default_rng(n)
    return (rng.normal(size=n) * 1e6).astype(dtype), rng.random(n) < 0.4


# Around a block's rows and those of all blocks.
@pytest.mark.parametrize("n", [1, 2, 255, 2047, 2048, 2049, 5000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_row_gets_its_key(dtype, n):
    scores, positive = sample(dtype, n)
    check(scores, positive)
    check(np.abs(scores), positive)
    check(-np.abs(scores), positive)
    check(scores, np.ones_like(positive))
    check(scores, np.zeros_like(positive))


def test_blocks_go_on_where_there_are_more_rows(monkeypatch):
    monkeypatch.setattr(key_kernels, "_MOST_BLOCKS", 2)
    for dtype in DTYPES:
        check(*sample(dtype, 9000))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zeros_of_both_signs_are_one_score(dtype):
    scores, positive = sample(dtype, 50)
    scores[:20], scores[20:30] = 0.0, -0.0
    assert check(scores, positive).gap > 0
    assert check(np.abs(scores) * np.array([1, -1] * 25, dtype) * (scores == 0), positive).gap == 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("odd", [-2.5, 1e30, -1e30, np.inf])
def test_a_score_that_the_sample_did_not_show(dtype, odd):
    """All rows are looked at where the room that some of them need is not enough."""
    scores, positive = sample(dtype, 4000)
    scores = np.abs(scores) + 1 if odd == -2.5 else scores + np.copysign(2.0, scores).astype(dtype)
    scores[1] = odd  # every third one is looked at
    found = check(scores, positive, tries=1 if dtype == "float64" and abs(odd) == 1e30 else 2)
    assert found.gap > 0


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_far_from_zero(dtype):
    rng, ends = np.random.default_rng(0), np.iinfo(dtype)
    positive = rng.random(4000) < 0.4
    for middle in (ends.min + 600, ends.max - 600, 600):
        scores = rng.integers(middle - 500, middle + 500, 4000, dtype=dtype)
        check(scores, positive)
        scores[1] = {ends.min + 600: -7, ends.max - 600: 7, 600: ends.max - 4}[middle]
        check(scores, positive, tries=2 if middle == 600 else 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_room(dtype):
    scores, positive = sample(dtype, 4000)
    odd = [np.nan, -np.nan, 1e-45, np.finfo(dtype).tiny] if dtype.startswith("float") else [np.iinfo(dtype).max]
    for one in odd:
        scores[1], scores[2] = one, -one
        found, looks = packed(scores, positive)
        assert found is None or (dtype, one) == ("float64", 1e-45)
        assert looks == ([1024, 4000] if found is None else [1024])
