"""Labels and scores of every kind that a call may get, plain columns and not, and what the call makes of them."""

from __future__ import annotations

import warnings

import numpy as np

__all__ = ["outcome", "unusual_rows", "usual_rows"]


def outcome(call):
    """Return what a call answers, or what it says instead, and its warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            answer = call()
        except Exception as error:  # what matters is that it is the same one
            answer = type(error), str(error)
    return repr(answer), [(str(one.message), one.category, one.filename) for one in said]


def usual_rows():
    """Yield labels and scores that are plain columns of numbers."""
    rng = np.random.default_rng(5)
    positive = rng.random(200) < 0.3
    tied = rng.choice([0.1, 0.5, 0.5 + 2**-40], 200)
    for kind in ("?", "b", "B", "i", "l", "f", "d"):
        yield positive.astype(kind), rng.normal(size=200)
        yield positive.astype(kind), tied.astype(np.float32)
    yield np.where(positive, 1, -1), rng.integers(-5, 5, 200)
    yield positive.astype(np.uint64), rng.random(200).astype(np.float16)
    infinite = rng.random(200)
    infinite[7] = np.inf
    yield positive, infinite
    for one in (np.zeros(5, int), np.ones(5, int), -np.ones(5, int), np.zeros(5, bool), np.ones(5)):
        yield one, rng.random(5)


def unusual_rows():
    """Return cases by name, each labels and scores."""
    y, s = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.2, 0.3])

    class Own(np.ndarray):
        pass

    odd = np.zeros(4 * 8 + 1, np.uint8)[1:].view(np.float64)
    return {
        "lists": (y.tolist(), s.tolist()),
        "a subclass": (y, s.view(Own)),
        "labels of a subclass": (y.view(Own), s),
        "masked": (y, np.ma.array(s)),
        "strides": (np.repeat(y, 2)[::2], s),
        "scores with strides": (y, np.repeat(s, 2)[::2]),
        "backwards": (y[::-1], s[::-1]),
        "bytes swapped": (y, s.astype(">f8" if np.little_endian else "<f8")),
        "labels swapped": (y.astype(">i4" if np.little_endian else "<i4"), s),
        "odd address": (y, odd),
        "a matrix": (y[:, None], s[:, None]),
        "no axis": (y[0].reshape(()), s[0].reshape(())),
        "empty": (y[:0], s[:0]),
        "unequal": (y[:3], s),
        "NaN": (y, np.array([0.1, np.nan, 0.2, 0.3])),
        "truth values": (y, y.astype(bool)),
        "long doubles": (y, s.astype(np.longdouble)),
        "complex": (y, s.astype(complex)),
        "text": (y.astype(str), s),
        "objects": (y.astype(object), s),
        "dates": (y.astype("M8[s]"), s),
        "records": (y, np.zeros(4, [("a", float)])),
        "halves as labels": (y.astype(np.float16), s),
        "other labels": (np.array([1, 2, 1, 2]), s),
        "three labels": (np.array([-1, 0, 1, 1]), s),
        "missing labels": (np.array([0.0, 1.0, np.nan, 1.0]), s),
    }
