"""Weights, frequencies and clusters from files, streams and engines: the table of memory, with its squares."""

import numpy as np
import pyarrow as pa
import pytest

import thresher as th

pytestmark = pytest.mark.filterwarnings(
    "ignore::thresher.ThresherWarning",
    # Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
    "ignore:fetch_arrow_table:DeprecationWarning",
)


def sample(n=4000, digits=2):
    rng = np.random.default_rng(5)
    y = rng.random(n) < 0.3
    return {
        "y": y.astype(np.int8),
        "s": (rng.normal(size=n) + y).round(digits),
        "w": rng.uniform(0.0, 3.0, n) * (rng.random(n) < 0.9),
        "f": rng.integers(0, 4, n),
        "p": rng.integers(0, 300, n),
    }


def batches(columns):
    return pa.table(columns).to_batches(700)


@pytest.fixture(params=["stream", "engine"])
def source(request):
    """Return a function that makes a source of columns."""
    if request.param == "stream":
        return lambda columns: iter(batches(columns))
    duck = request.getfixturevalue("duck")
    return lambda columns: duck(**columns)


NAMES = {"sample_weight": "w", "frequency": "f", "cluster": "p"}


@pytest.mark.parametrize("given", [("sample_weight",), ("frequency",), ("cluster",), tuple(NAMES)])
def test_same_as_in_memory(source, given):
    columns = sample()
    found = th.scan(source(columns), y_true="y", y_score="s", **{name: NAMES[name] for name in given})
    full = th.Scores(columns["y"], columns["s"], **{name: columns[NAMES[name]] for name in given})
    assert np.array_equal(found.thresholds, full.thresholds)
    for column in ("pos", "neg", "_pos_squares", "_neg_squares"):
        mine, wanted = getattr(found, column), getattr(full, column)
        assert (mine is None) == (wanted is None)
        if wanted is not None:
            assert mine == pytest.approx(wanted, rel=1e-12)
    assert (found._rows_pos, found._rows_neg) == (full._rows_pos, full._rows_neg)
    if full._weight_squares is not None:
        assert found._weight_squares.spans == full._weight_squares.spans
    if full._clusters is None:
        assert found._clusters is None
    else:
        assert np.array_equal(found._clusters.labels, full._clusters.labels)
        assert np.array_equal(found._clusters.code, full._clusters.code)
        assert found._clusters.weight == pytest.approx(full._clusters.weight, rel=1e-12)
        assert np.array_equal(found._clusters.rows, full._clusters.rows)
    assert found.roc_auc().standard_error() == pytest.approx(full.roc_auc().standard_error(), rel=1e-11)


@pytest.mark.parametrize("kind", [float, int])
def test_more_scores_than_are_kept(source, kind):
    """Values are those of all scores; the variance is that of the scores kept, and sums of squares stay whole."""
    columns = sample(digits=9)
    columns["w"] = np.ceil(columns["w"]).astype(kind) if kind is int else columns["w"]
    full = th.Scores(columns["y"], columns["s"], sample_weight=columns["w"])
    small = th.scan(source(columns), y_true="y", y_score="s", sample_weight="w", max_points=200)
    assert len(small) <= 260
    assert small.roc_auc().value == pytest.approx(full.roc_auc().value, rel=1e-12)
    assert small._pos_squares.sum() == pytest.approx(full._pos_squares.sum(), rel=1e-12)
    assert small._neg_squares.sum() == pytest.approx(full._neg_squares.sum(), rel=1e-12)
    assert small.roc_auc().standard_error() == pytest.approx(full.roc_auc().standard_error(), rel=0.01)
    assert small.pr_auc().standard_error() == pytest.approx(full.pr_auc().standard_error(), rel=0.02)


def test_groups_keep_their_weights(tmp_path):
    columns = sample() | {"g": np.arange(4000) % 3}
    found = th.scan(iter(batches(columns)), y_true="y", y_score="s", by="g", memory="1MiB", **NAMES)
    for site, scores in found.items():
        mine = columns["g"] == site
        full = th.Scores(columns["y"][mine], columns["s"][mine], **{k: columns[v][mine] for k, v in NAMES.items()})
        assert scores._neg_squares == pytest.approx(full._neg_squares, rel=1e-12)
        assert scores._clusters.size == full._clusters.size


def test_weights_of_one_are_counts(source):
    columns = sample() | {"w": np.ones(4000)}
    full = th.Scores(columns["y"], columns["s"])
    assert th.scan(source(columns), y_true="y", y_score="s", sample_weight="w") == full


def test_sketches_keep_squares():
    columns = sample(digits=9)
    full = th.Scores(columns["y"], columns["s"], sample_weight=columns["w"])
    sketch = th.Sketch(max_points=300)
    for i in range(0, 4000, 500):
        part = {name: column[i : i + 500] for name, column in columns.items()}
        sketch.update(part["y"], part["s"], sample_weight=part["w"])
    found = sketch.to_scores()
    assert found._pos_squares.sum() == pytest.approx(full._pos_squares.sum(), rel=1e-12)
    assert (found._rows_pos, found._rows_neg) == (full._rows_pos, full._rows_neg)
    assert found._weight_squares.spans == full._weight_squares.spans
    assert found.roc_auc().standard_error() == pytest.approx(full.roc_auc().standard_error(), rel=0.02)
    counted = th.Sketch(max_points=300)
    counted.update(columns["y"], columns["s"], frequency=columns["f"])
    assert counted.to_scores().n_pos == columns["f"][columns["y"] == 1].sum()
