"""The upper hull: the kernel, NumPy and a definition must agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._core import native
from thresher._core.hull import upper_hull, upper_hull_numpy

steps = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=1, max_size=60)


def curve(moves, unit=1):
    points = np.concatenate(
        (np.zeros((1, 2), dtype=np.int64), np.cumsum(np.array(moves, dtype=np.int64) * unit, axis=0))
    )
    return points[:, 0].copy(), points[:, 1].copy()


def by_definition(x, y):
    """A vertex stands strictly above every chord that spans it."""
    xs, ys = x.tolist(), y.tolist()
    n = len(xs)
    kept = [0]
    for b in range(1, n - 1):
        if all(
            (xs[c] - xs[a]) * (ys[b] - ys[a]) - (ys[c] - ys[a]) * (xs[b] - xs[a]) > 0
            for a in range(b)
            for c in range(b + 1, n)
        ):
            kept.append(b)
    return [*kept, n - 1]


@given(moves=steps, unit=st.sampled_from([1, 2**20, 2**55]))
def test_equals_the_definition(moves, unit):
    x, y = curve(moves, unit)
    expected = by_definition(x, y)
    assert upper_hull(x, y).tolist() == expected
    assert upper_hull_numpy(x, y).tolist() == expected
    if unit == 1:
        narrow = [column.astype(np.int32) for column in (x, y)]
        assert upper_hull(*narrow).tolist() == expected
        assert upper_hull(x.astype(np.float64), y.astype(np.float64)).tolist() == expected


@pytest.mark.parametrize("shape", ["random", "line", "quarter circle", "cliff"])
def test_long_curves(shape):
    rng = np.random.default_rng(0)
    n = 30_000
    moves = np.zeros((n, 2), dtype=np.int64)
    if shape == "random":
        moves[np.arange(n), rng.integers(0, 2, n)] = 1
    elif shape == "line":
        moves[:] = 1
    elif shape == "quarter circle":  # every point is a vertex
        moves[:, 0], moves[:, 1] = np.arange(1, n + 1), np.arange(n, 0, -1)
    else:
        moves[: n // 2, 0], moves[n // 2 :, 1] = 1, 1
    x, y = curve(moves)
    assert upper_hull(x, y).tolist() == upper_hull_numpy(x, y).tolist()


@given(
    n=st.integers(1000, 1300),
    seed=st.integers(0, 2**32 - 1),
    bend=st.sampled_from([0.0, 0.5, 1.0]),
    unit=st.sampled_from([1, 1000, 2**40]),
)
def test_curves_of_some_length(n, seed, bend, unit):
    rng = np.random.default_rng(seed)
    up = rng.random(n) < 1 - bend * np.arange(n) / n  # straight, or falling off to the right
    x, y = curve(np.stack((~up, up), axis=1) * rng.integers(1, 4, size=(n, 1)), unit)
    expected = upper_hull_numpy(x, y).tolist()
    assert upper_hull(x, y).tolist() == expected
    if unit <= 1000:
        assert upper_hull(x.astype(np.int32), y.astype(np.int32)).tolist() == expected


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
def test_kernel_refuses_what_it_cannot_take():
    with pytest.raises(TypeError, match="both alike"):
        native._kernels.hull(np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="same length"):
        native._kernels.hull(np.zeros(3, dtype=np.int64), np.zeros(2, dtype=np.int64))


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
def test_number_of_threads_does_not_matter():
    rng = np.random.default_rng(3)
    up = rng.random(300_007) < 0.9 * (1 - np.arange(300_007) / 300_007)
    tp, fp = np.cumsum(up).astype(np.int32), np.cumsum(~up).astype(np.int32)
    one = native._kernels.hull(fp, tp, 1).tolist()
    assert (
        native._kernels.hull(fp, tp, 5).tolist()
        == one
        == upper_hull_numpy(fp.astype(np.int64), tp.astype(np.int64)).tolist()
    )
