"""Sketches: exact while scores fit, within their bounds after, whatever the batches; weights and merging."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def stream(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.1
    return y, rng.normal(1.0 * y)


def test_exact_while_scores_fit():
    y, x = stream(500)
    sketch = th.Sketch(1000)
    assert (len(sketch), sketch.exact, sketch.max_points) == (0, True, 1000)
    for part in np.array_split(np.arange(500), 7):
        sketch.update(y[part], x[part])
    assert sketch.exact
    assert sketch.to_scores() == th.Scores(y, x)


@pytest.mark.parametrize("points", [16, 60, 400])
def test_bounds_hold_after_that(points):
    y, x = stream()
    sketch = th.Sketch(points)
    for part in np.array_split(np.arange(y.size), 23):
        sketch.update(y[part], x[part])
        assert len(sketch) <= points
    whole, small = th.Scores(y, x), sketch.to_scores()
    assert not sketch.exact
    assert not small._exact
    assert (small.n_pos, small.n_neg) == (whole.n_pos, whole.n_neg)
    for metric, options in (("roc_auc", {}), ("partial_roc_auc", {"fpr": (0, 0.1)}), ("gini", {})):
        found = small.measure(metric, **options)
        assert abs(found.value - whole.measure(metric, **options).value) <= found.error_bound


def test_merging_takes_in_all_of_the_other():
    y, x = stream()
    one, two = th.Sketch(50), th.Sketch(200)
    one.update(y[:3000], x[:3000])
    two.update(y[3000:], x[3000:])
    before = len(two)
    both = one + two
    assert both.max_points == 200
    assert (both.to_scores().n_pos, both.to_scores().n_neg) == (y.sum(), (~y).sum())
    assert len(two) == before
    found = both.to_scores().roc_auc()
    assert abs(found.value - th.Scores(y, x).roc_auc().value) <= found.error_bound
    empty = th.Sketch(50)
    empty.merge(th.Sketch(50))
    assert len(empty) == 0
    empty.merge(th.Scores(y[:20], x[:20]))
    assert empty.to_scores() == th.Scores(y[:20], x[:20])


def test_weights_beside_rows_without():
    y, x = stream(200)
    w = np.linspace(0.5, 2.0, 100)
    sketch = th.Sketch(1000)
    sketch.update(y[:100], x[:100])
    sketch.update(y[100:], x[100:], sample_weight=w)
    want = th.Scores(y, x, sample_weight=np.concatenate((np.ones(100), w)))
    found = sketch.to_scores()
    assert found == want
    assert (found._rows_pos, found._rows_neg) == (want._rows_pos, want._rows_neg)
    turned = th.Sketch(1000)
    turned.update(y[100:], x[100:], sample_weight=w)
    turned.update(y[:100], x[:100])
    assert turned.to_scores() == want
    assert (turned + sketch).to_scores()._rows_pos == 2 * want._rows_pos


def test_a_batch_may_lack_a_class_and_labels_may_be_text():
    sketch = th.Sketch(100)
    sketch.update(["ok", "ok"], [1, 2], pos_label="bad")
    sketch.update(["bad"], [3], pos_label="bad", frequency=[4])
    assert (sketch.to_scores().n_pos, sketch.to_scores().n_neg) == (4, 2)


def test_what_it_says_of_itself():
    sketch = th.Sketch(1_000)
    assert repr(sketch) == "Sketch: empty, at most 1,000 rows"
    sketch.update([1, 0, 0], [3, 2, 1])
    assert repr(sketch) == "Sketch: 1 positives and 2 negatives in 3 of at most 1,000 rows, exact so far"


def test_refusals():
    with pytest.raises(th.InvalidInputError, match="`max_points`"):
        th.Sketch(15)
    with pytest.raises(th.InvalidInputError, match="must have taken in at least one row"):
        th.Sketch(16).to_scores()
    with pytest.raises(th.InvalidInputError, match="must have independent rows; got `cluster`"):
        th.Sketch(16).merge(th.Scores([1, 0], [2, 1], cluster=[0, 1]))
    with pytest.raises(th.InvalidTypeError, match="`other` must be a Sketch or a Scores; got list"):
        th.Sketch(16).merge([1, 0])
    with pytest.raises(TypeError):
        th.Sketch(16) + 1


@pytest.mark.parametrize("points", [60, 100_000])
def test_a_file_keeps_the_cells(tmp_path, points):
    rng = np.random.default_rng(2)
    y = rng.random(5000) < 0.2
    s = rng.normal(size=5000) + y
    sketch = th.Sketch(points)
    sketch.update(y, s)
    sketch.save(tmp_path / "a.scores")
    again = th.Sketch.load(tmp_path / "a.scores", points)
    assert again.to_scores() == sketch.to_scores() == th.Scores.load(tmp_path / "a.scores")
    assert again.exact is sketch.exact is (points > 5000)
    assert len(th.Sketch.load(tmp_path / "a.scores", 30)) <= 30
