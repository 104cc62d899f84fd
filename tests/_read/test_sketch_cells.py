from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher as th
from support.strategies import ANY, TIED
from support.streams import against, streams
from thresher._core.order import ascending_key
from thresher._read.sketch_cells import Ranges, _common_node, _nodes, shrunk
from thresher._table import rate_error_bound

FIGURES = {
    "roc_auc": lambda s: s.roc_auc(),
    "interpolated": lambda s: s.pr_auc(),
    "average_precision": lambda s: s.pr_auc(estimator="average_precision"),
    "partial average_precision": lambda s: s.pr_auc(estimator="average_precision", recall=(0.2, 0.7)),
    "functional": lambda s: s.pr_auc(estimator="functional"),
    "achievable": lambda s: s.pr_auc(estimator="achievable"),
    "trapezoid": lambda s: s.pr_auc(estimator="trapezoid"),
    "prevalence": lambda s: s.pr_auc(estimator="average_precision", prevalence=0.01),
    "partial": lambda s: s.partial_roc_auc(fpr=(0.0, 0.3)),
}
LENGTH, POINTS, BATCH = 60_000, 500, 3_000
NAMES = list(streams(10, np.random.default_rng(0)))


def sketched(y, s, max_points, batch, **options):
    sketch = th.Sketch(max_points)
    for start in range(0, len(y), batch):
        sketch.update(y[start : start + batch], s[start : start + batch], **options)
        assert len(sketch) <= max_points
    return sketch


def rate_errors(table, full):
    """The errors of TPR and FPR at every threshold; between scores of the data nothing changes."""
    at = len(table) - np.searchsorted(table.thresholds[::-1], full.thresholds, side="left")
    tpr = (full.tp - np.append(0, table.tp)[at]) / full.n_pos
    fpr = (full.fp - np.append(0, table.fp)[at]) / full.n_neg
    return tpr, fpr


def check_bounds(table, full, slack=1e-13):
    assert table.n_pos == pytest.approx(full.n_pos, rel=1e-12)
    assert table.n_neg == pytest.approx(full.n_neg, rel=1e-12)
    if full.n_pos and full.n_neg:
        for name, figure in FIGURES.items():
            estimate = figure(table)
            assert abs(estimate.value - figure(full).value) <= estimate.error_bound + slack, name
        tpr, fpr = rate_errors(table, full)
        bound = table.roc().rate_error_bound
        assert -slack <= tpr.min() <= tpr.max() <= bound.tpr + slack
        assert -slack <= fpr.min() <= fpr.max() <= bound.fpr + slack
        for i in (0, len(full) // 3, len(full) - 1):
            single = rate_error_bound(table, full.thresholds[i])
            assert tpr[i] <= single.tpr + slack
            assert fpr[i] <= single.fpr + slack


@pytest.fixture(scope="module")
def runs():
    """Each stream with its sketch and its exact table."""
    data = streams(LENGTH, np.random.default_rng(5))
    return {name: (sketched(y, s, POINTS, BATCH).to_scores(), th.Scores(y, s)) for name, (y, s) in data.items()}


@pytest.mark.parametrize("name", NAMES)
def test_bounds_hold_on_hard_streams(runs, name):
    table, full = runs[name]
    assert table._exact == (name == "all tied")
    check_bounds(table, full)


def test_bounds_are_small(runs):
    for name, (table, _) in runs.items():
        most = 0.01 if name == "narrowing" else 0.0025  # there, early scores cannot be told apart any more
        assert table.roc_auc().error_bound < most, name
        assert table.pr_auc().error_bound < most, name
        assert max(table.roc().rate_error_bound.tpr, table.roc().rate_error_bound.fpr) < 12 * most, name


def test_rate_bounds_are_close_to_the_true_errors(runs):
    ratios = []
    for table, full in runs.values():
        bound = table.roc().rate_error_bound
        errors = [float(error.max()) for error in rate_errors(table, full)]
        ratios += [b / e for b, e in zip((bound.tpr, bound.fpr), errors, strict=True) if e > 0]
    assert len(ratios) >= 2 * len(runs) - 4
    assert np.mean(ratios) < 1.5


def test_area_bounds_are_reached_by_streams_made_against_the_cells():
    rng = np.random.default_rng(6)
    ratios = {"roc_auc": [], "interpolated": [], "average_precision": []}
    for power in range(6, 13):
        y, s = against(LENGTH, rng, 2.0**-power)
        table, full = sketched(y, s, POINTS, BATCH).to_scores(), th.Scores(y, s)
        check_bounds(table, full)
        for name, found in ratios.items():
            error = abs(FIGURES[name](table).value - FIGURES[name](full).value)
            if error > 1e-12:
                found.append(FIGURES[name](table).error_bound / error)
    for name, found in ratios.items():
        assert len(found) >= 4, name
        assert np.mean(found) < 10, name
        assert min(found) < 2, name  # somewhere the bound is the error itself, so none smaller would be true


@pytest.mark.parametrize("max_points", [100, 400])
def test_why_area_bounds_are_wide(max_points):
    # Where the order in the cells is random, bound and standard error have a ratio in which the cells cancel.
    rows, share, runs = 20_000, 0.3, 30
    errors, bounds = [], []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        y, s = rng.random(rows) < share, rng.normal(size=rows)
        area = sketched(y, s, max_points, rows).to_scores().roc_auc()
        errors.append(area.value - th.Scores(y, s).roc_auc().value)
        bounds.append(area.error_bound)
    ratio = np.mean(bounds) / np.sqrt(np.mean(np.square(errors)))
    # The sample standard deviation of 30 errors is within 40% of the true one; cells are only nearly equal.
    assert ratio == pytest.approx(np.sqrt(3 * share * (1 - share) * rows), rel=0.4)


def test_bounds_shrink_in_proportion():
    y, s = streams(LENGTH, np.random.default_rng(7))["shuffled"]
    bounds = [sketched(y, s, points, BATCH).to_scores().roc_auc().error_bound for points in (200, 800, 3200)]
    assert bounds[0] / bounds[1] > 3
    assert bounds[1] / bounds[2] > 3


def test_rare_positives_stay_exact():
    rng = np.random.default_rng(8)
    n = 300_000
    y = np.zeros(n, dtype=bool)
    y[rng.choice(n, 100, replace=False)] = True
    s = rng.normal(size=n) + 2 * y
    table = sketched(y, s, 1000, 20_000).to_scores()
    found = table.pos > 0
    np.testing.assert_array_equal(np.sort(table.thresholds[found]), np.sort(s[y]))
    assert (table._highest_scores[found] == table.thresholds[found]).all()
    assert table.roc().rate_error_bound.tpr == 0.0
    full = th.Scores(y, s)
    assert abs(table.roc_auc().value - full.roc_auc().value) <= table.roc_auc().error_bound < 5e-4


def test_a_fixed_grid_fails_where_the_sketch_does_not():
    rng = np.random.default_rng(9)
    y = rng.random(20_000) < 0.01
    s = np.where(y, rng.beta(2, 8, y.size), rng.beta(1, 30, y.size)) * 0.0015
    exact = th.Scores(y, s).roc_auc().value
    grid = th.Scores(y, np.floor(s * 100)).roc_auc().value
    area = sketched(y, s, 100, 1000).to_scores().roc_auc()
    assert grid == 0.5
    assert exact > 0.8
    assert abs(area.value - exact) <= area.error_bound < 0.02


def test_exact_while_the_scores_fit():
    rng = np.random.default_rng(10)
    y, s = rng.random(5000) < 0.3, rng.integers(0, 200, 5000) / 7
    sketch = sketched(y, s, 200, 321)
    assert sketch.exact
    full, table = th.Scores(y, s), sketch.to_scores()
    assert table == full
    assert table._exact
    assert table.thresholds.dtype == full.thresholds.dtype
    assert table.roc_auc().value == full.roc_auc().value
    sketch.update([1], [1e9])
    assert not sketch.exact
    assert not sketch.to_scores()._exact


def test_memory_is_bounded():
    rng = np.random.default_rng(19)
    sketch = th.Sketch(1000)
    for distinct in (50, 200, 10**6, 10**6):
        sketch.update(rng.random(100_000) < 0.1, rng.integers(0, distinct, 100_000).astype(float))
        columns = [*sketch._cells.points, *(sketch._cells.ranges or ())[:4]]
        assert all(column.base is None for column in columns)  # so that no part of a batch is held
        assert sum(column.nbytes for column in columns) <= 4 * 8 * 1000


def test_the_same_stream_gives_the_same_sketch():
    y, s = streams(20_000, np.random.default_rng(11))["drifting"]
    assert sketched(y, s, 100, 700).to_scores() == sketched(y, s, 100, 700).to_scores()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.int64, np.uint64])
def test_types(dtype):
    rng = np.random.default_rng(12)
    y = rng.random(3000) < 0.3
    s = (rng.normal(size=3000) + y) * (40 if np.dtype(dtype).kind in "iu" else 1)
    s = np.clip(np.abs(s) if dtype == np.uint64 else s, -120, 120).astype(dtype)
    table = sketched(y, s, 40, 500).to_scores()
    assert table.thresholds.dtype == table._highest_scores.dtype == dtype
    check_bounds(table, th.Scores(y, s))


def test_neighbouring_integers_can_share_a_cell():
    rng = np.random.default_rng(13)
    y = rng.random(4000) < 0.5
    s = rng.permutation(2**62 + np.arange(4000))
    check_bounds(sketched(y, s, 20, 400).to_scores(), th.Scores(y, s))


def test_batches_of_different_types():
    sketch = th.Sketch(100)
    sketch.update([0, 1], np.array([1, 3], dtype=np.int32))
    sketch.update([0, 1], np.array([0.5, 3.0], dtype=np.float32))
    assert sketch.to_scores() == th.Scores([0, 1, 0, 1], [1, 3, 0.5, 3])


def test_weights():
    rng = np.random.default_rng(14)
    y = rng.random(4000) < 0.3
    s, w = rng.normal(size=4000) + y, rng.random(4000)
    sketch = th.Sketch(60)
    for start in range(0, 4000, 500):
        part = slice(start, start + 500)
        sketch.update(y[part], s[part], sample_weight=w[part])
    check_bounds(sketch.to_scores(), th.Scores(y, s, sample_weight=w), slack=1e-12)
    whole = np.arange(4000) % 3 + 1
    sketch = th.Sketch(60)
    sketch.update(y, s, sample_weight=whole)
    assert sketch.to_scores().n_pos == int(whole[y].sum())


def test_merging():
    y, s = streams(40_000, np.random.default_rng(15))["two clusters"]
    parts = [sketched(y[i::4], s[i::4], 300, 1000) for i in range(4)]
    before = [part.to_scores() for part in parts]
    left = (parts[0] + parts[1]) + (parts[2] + parts[3])
    right = parts[3] + (parts[2] + (parts[1] + parts[0]))
    whole = th.Scores(y, s)
    for both in (left, right):
        assert len(both) <= both.max_points == 300
        check_bounds(both.to_scores(), whole)
        # Cells of different sketches are nested or apart: a merged sketch is about as good as one of the whole.
        assert (
            both.to_scores().roc_auc().error_bound < 1.5 * sketched(y, s, 300, 1000).to_scores().roc_auc().error_bound
        )
    assert [part.to_scores() for part in parts] == before
    assert (th.Sketch(50) + th.Sketch(70)).max_points == 70
    assert len(th.Sketch(50) + th.Sketch(70)) == 0


def test_through_a_file(tmp_path):
    y, s = streams(20_000, np.random.default_rng(16))["heavy tails"]
    sketch = sketched(y[:10_000], s[:10_000], 200, 1000)
    sketch.to_scores().save(tmp_path / "half.scores")
    again = th.Sketch(200)
    again.merge(th.Scores.load(tmp_path / "half.scores"))
    assert again.to_scores() == sketch.to_scores()
    again.update(y[10_000:], s[10_000:])
    check_bounds(again.to_scores(), th.Scores(y, s))


def test_copies_are_independent():
    sketch = th.Sketch(20)
    sketch.update([0, 1], [1.0, 2.0])
    for twin in (copy.copy(sketch), pickle.loads(pickle.dumps(sketch))):
        table = twin.to_scores()
        twin.update(np.arange(100) % 2, np.arange(100.0))
        assert sketch.to_scores() == table


def test_a_class_may_come_late():
    sketch = th.Sketch(50)
    sketch.update(["no"] * 200, np.arange(200), pos_label="yes")  # without a warning: the next batch may have it
    with pytest.raises(th.UndefinedMetricError):
        sketch.to_scores().roc_auc()
    sketch.update(["yes", "no"], [50, 60], pos_label="yes")
    table = sketch.to_scores()
    assert (table.n_pos, table.n_neg) == (1, 201)
    full = th.Scores.from_pos_neg([50], [*range(200), 60])
    check_bounds(table, full)


@pytest.mark.parametrize("batch, most", [(40, 20_000 // (1000 // 16)), (5_000, 4)])
def test_a_sketch_shrinks_only_when_its_room_is_used_up(monkeypatch, batch, most):
    sizes = []

    def counted(cells, *rest):
        sizes.append(cells.size)
        return shrunk(cells, *rest)

    monkeypatch.setattr(sys.modules[th.Sketch.__module__], "shrunk", counted)
    rng = np.random.default_rng(17)
    sketch = th.Sketch(1000)
    for _ in range(0, 20_000, batch):
        y = rng.random(batch) < 0.1
        sketch.update(y, rng.normal(size=batch) + y)
    # Each time a sixteenth of the points is freed, so that small batches do not sort everything again and again.
    assert 0 < len(sizes) <= most
    assert max(sizes) <= 1000 + batch


@st.composite
def histories(draw):
    """Batches, how they are spread over sketches, and in which order the sketches are merged."""
    element = draw(st.sampled_from([TIED, ANY, st.integers(0, 40).map(float), st.floats(1.0, 1.0 + 1e-13)]))
    shape = draw(st.lists(st.integers(1, 40), min_size=1, max_size=8))
    batches = []
    for size in shape:
        labels = draw(st.lists(st.booleans(), min_size=size, max_size=size))
        batches.append((labels, draw(st.lists(element, min_size=size, max_size=size))))
    where = draw(st.lists(st.integers(0, 2), min_size=len(shape), max_size=len(shape)))
    order = draw(st.permutations(range(3)))
    return batches, where, order, draw(st.integers(16, 40))


@given(histories())
@example(([([True, False] * 20, [float(i) for i in range(40)])] * 2, [0, 1], [2, 0, 1], 16))
def test_bounds_hold_for_any_history(history):
    batches, where, order, max_points = history
    sketches = [th.Sketch(max_points) for _ in range(3)]
    for (labels, scores), place in zip(batches, where, strict=True):
        sketches[place].update(labels, scores)
        assert len(sketches[place]) <= max_points
    pooled = sketches[order[0]]
    pooled.merge(sketches[order[1]])
    pooled = sketches[order[2]] + pooled
    assert len(pooled) <= max_points
    labels = [label for batch in batches for label in batch[0]]
    scores = [score for batch in batches for score in batch[1]]
    full = th.Scores(labels, scores)
    table = pooled.to_scores()
    if len(full) <= max_points - max_points // 16:
        assert table == full
    check_bounds(table, full)


@given(st.integers(0, 10_000), st.integers(16, 80), st.integers(1, 6), st.sampled_from([0.02, 0.3, 0.7]))
def test_bounds_hold_on_random_streams(seed, max_points, parts, share):
    rng = np.random.default_rng(seed)
    n = 1500
    y = rng.random(n) < share
    y[:2] = [True, False]
    s = np.where(rng.random(n) < 0.2, rng.normal(size=n).round(1), rng.normal(size=n) * rng.choice([1e-6, 1, 1e6]) + y)
    total = th.Sketch(max_points)
    for part in range(parts):
        total.merge(sketched(y[part::parts], s[part::parts], max_points, int(rng.integers(20, 400))))
    check_bounds(total.to_scores(), th.Scores(y, s))


def test_nodes_are_nested_or_apart():
    rng = np.random.default_rng(18)
    words = rng.integers(0, 2**63, 400, dtype=np.uint64) >> rng.integers(0, 60, 400).astype(np.uint64)
    low, high = np.minimum(words[::2], words[1::2]) | np.uint64(1), np.maximum(words[::2], words[1::2]) | np.uint64(1)
    for a, b, node in zip(low.tolist(), high.tolist(), _common_node(low, high).tolist(), strict=True):

        def inside(leaf, node=node):
            half = (node & -node) - 1
            return node - half <= leaf <= node + half

        assert inside(a)
        assert inside(b)
        assert a == b == node or a < node < b  # the lowest node: each of its halves holds one of them
    values = np.sort(np.concatenate((rng.normal(size=60), [0.0, np.inf, -np.inf, 5e-324])))
    assert (np.diff(ascending_key(values).astype(object)) > 0).all()
    ranges = Ranges(values[:-1], values[1:], np.ones(63), np.ones(63))
    assert _nodes(ranges).size == 63


def test_repr():
    sketch = th.Sketch(1000)
    assert repr(sketch) == "Sketch: empty, at most 1,000 rows"
    sketch.update([0, 1, 0], [1, 2, 3])
    assert repr(sketch) == "Sketch: 1 positives and 2 negatives in 3 of at most 1,000 rows, exact so far"
    sketch.update(np.arange(5000) % 2, np.arange(5000))
    assert repr(sketch) == (
        f"Sketch: 2,501 positives and 2,502 negatives in {len(sketch)} of at most 1,000 rows, with error bounds"
    )


def test_messages():
    with pytest.raises(th.InvalidInputError, match=r"`max_points` must be at least 16; got 15\."):
        th.Sketch(15)
    with pytest.raises(th.InvalidTypeError, match=r"`max_points` must be an integer; got 1000\.0 of type float\."):
        th.Sketch(1000.0)
    sketch = th.Sketch(16)
    with pytest.raises(th.InvalidInputError) as caught:
        sketch.to_scores()
    assert str(caught.value) == "A sketch must have taken in at least one row; it has none. Hint: `update` it."
    with pytest.raises(th.InvalidTypeError) as caught:
        sketch.merge([1, 2])
    assert str(caught.value) == ("`other` must be a Sketch or a Scores; got list. Hint: rows are taken by `update`.")
    with pytest.raises(TypeError):
        sketch + 1
    sketch.update([0, 1], [1.0, 2.0])
    with pytest.raises(th.InvalidInputError, match=r"`y_score` must not contain NaN"):
        sketch.update([0, 1], [1.0, float("nan")])
    assert sketch.to_scores().n_pos == 1  # a batch that is refused leaves no trace
    if np.longdouble is not np.float64 and np.dtype(np.longdouble).itemsize > 8:
        with pytest.raises(th.InvalidTypeError) as caught:
            sketch.update([0, 1], np.array([1, 2], dtype=np.longdouble))
        name = np.dtype(np.longdouble).name
        assert str(caught.value) == (
            f"The scores of a sketch must fit one type of at most 64 bits; got {name}. "
            "Hint: convert all of them to float64."
        )
