from __future__ import annotations

import numpy as np
import pytest

from thresher._core import native
from thresher._core.arrays import frozen


def refuses(array):
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 50
    with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
        array.setflags(write=True)
    return True


@pytest.mark.parametrize(
    "values", [[1.5, 2.5], [1, 2], [True, False], ["a", "bc"], [None, 2**70], np.array([1, 2], np.longdouble)]
)
def test_a_frozen_array_is_the_same_memory_and_stays_read_only(values):
    array = np.array(values)
    kept = frozen(array)
    assert refuses(kept)
    assert np.shares_memory(kept, array)
    assert kept.dtype == array.dtype
    assert kept.tolist() == array.tolist()
    assert frozen(kept) is kept


def test_what_the_kernels_made_is_frozen_where_it_lies():
    if not native.available():
        pytest.skip("no compiled kernels")
    for dtype in (np.float64, np.float32, np.float16, np.int32, np.uint8, np.bool_):
        scores = np.array([1, 0, 1, 0], dtype)
        for array in native.count(scores, np.array([True, False, False, True])):
            kept = frozen(array)
            assert refuses(kept)
            assert kept.dtype == array.dtype
            assert np.shares_memory(kept, array) or dtype is np.bool_
            assert frozen(kept) is kept


def test_part_of_a_writable_array_is_copied_and_the_whole_left_alone():
    whole = np.arange(6.0)
    kept = frozen(whole[1:3])
    assert refuses(kept)
    whole[1] = 50.0
    assert kept.tolist() == [1.0, 2.0]
    assert whole.flags.writeable


def test_part_of_a_frozen_array_is_not_copied():
    whole = frozen(np.arange(6.0))
    kept = frozen(whole[1:3])
    assert refuses(kept)
    assert np.shares_memory(kept, whole)
