"""Thresholds as anchor and offset: no digit next to an end is lost."""

from __future__ import annotations

import numpy as np

from thresher.population._distributions import Points, merge, plain


def test_points_keep_the_side_of_their_anchor():
    points = Points(np.array([1.0, 1.0, 0.0]), np.array([-1e-20, 1e-20, 2.0]))
    assert points.value[0] < 1.0 < points.value[1]
    assert points.value[2] == 2.0
    assert plain(3.0).value.tolist() == [3.0]


def test_parts_are_put_back_in_place():
    whole = Points(np.array([1.0, 0.0, 2.0, 0.0]), np.array([-0.5, 3.0, 1e-20, 4.0]))
    mask = np.array([True, False, True, False])
    again = merge(4, [(mask, whole.select(mask)), (~mask, whole.select(~mask))])
    assert again.anchor.tolist() == whole.anchor.tolist()
    assert again.offset.tolist() == whole.offset.tolist()


def test_plain_numbers_have_no_anchor():
    points = plain([1.5, -2.0])
    assert (points.anchor.tolist(), points.offset.tolist()) == ([0.0, 0.0], [1.5, -2.0])
