"""Hypothesis strategies: small data with many ties, odd values and both classes."""

from __future__ import annotations

from hypothesis import strategies as st

TIED = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, -1.5, float("inf"), float("-inf"), 5e-324, 1e300])
ANY = st.floats(allow_nan=False, width=64)


@st.composite
def labelled(draw, *, max_size: int = 24, values=None, both: bool = True):
    """Labels and scores; both classes present unless told otherwise."""
    size = draw(st.integers(2, max_size))
    labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    if both:
        labels[0], labels[-1] = 1, 0
    element = values if values is not None else draw(st.sampled_from([TIED, ANY, st.integers(0, 4).map(float)]))
    scores = draw(st.lists(element, min_size=size, max_size=size))
    return labels, scores


@st.composite
def curve_points(draw, *, n_pos: int = 4, n_neg: int = 5):
    """A monotone path of (FP, TP) from (0, 0) to (n_neg, n_pos), as tied data give it."""
    steps = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=8))
    points = [(0, 0)]
    for right, up in steps:
        nxt = (min(points[-1][0] + right, n_neg), min(points[-1][1] + up, n_pos))
        if nxt != points[-1]:
            points.append(nxt)
    if points[-1] != (n_neg, n_pos):
        points.append((n_neg, n_pos))
    return points
