"""Integers for groups: equal exactly where the groups are, and the groups again from them."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core.factorise import group_words


@pytest.mark.parametrize(
    "keys",
    [
        np.array([3, -1, 3], dtype=np.int8),
        np.array([2**63, 5, 2**63], dtype=np.uint64),
        np.array([True, False, True]),
        np.array([3, -1, 3], dtype=">i8"),
        np.array([1.5, -2.0, 1.5], dtype=np.float16),
        np.array(["2020-01-02", "NaT", "2020-01-02"], dtype="M8[s]"),
        np.array(["user 7", "u", "user 7"]),
        np.array([b"ab", b"a", b"ab"]),
        np.array(["a", ("b", 1), "a"], dtype=object),
    ],
    ids=lambda keys: str(keys.dtype),
)
def test_words_stand_for_their_groups(keys):
    found = group_words(keys)
    assert found.words.dtype in (np.int32, np.uint32, np.int64, np.uint64)
    assert (found.words == found.words[0]).tolist() == [True, False, True]
    names = found.names(found.words)
    assert names.dtype == keys.dtype
    assert names.tolist() == keys.tolist()


def test_both_zeros_are_one_group():
    words = group_words(np.array([0.0, -0.0, 1.0])).words
    assert words[0] == words[1] != words[2]


def test_text_beyond_one_block():
    keys = np.arange(140_000).astype(str)
    keys[70_000:] = keys[:70_000]
    found = group_words(keys)
    assert found.labels is not None
    assert found.labels.size == 70_000
    assert np.array_equal(found.names(found.words), keys)
