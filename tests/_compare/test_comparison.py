import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import thresher as th
from thresher._compare import compare
from thresher.exceptions import InvalidInputError


def sample(n=80, seed=0, better=0.0, digits=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 2
    common = rng.normal(size=n)
    a, b = (0.7 * common + 0.7 * rng.normal(size=n) + (0.8 + gain) * y for gain in (better, 0.0))
    return y, {"a": a.round(digits), "b": b.round(digits)}


def test_dominance():
    y, scores = sample(200, better=3.0)
    pair = compare(y, scores).pairs[0]
    assert pair.dominance.verdict == th.dominates(th.Scores(y, scores["a"]), th.Scores(y, scores["b"])).verdict


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", None])
def test_frame(backend):
    y, scores = sample()
    scores["c"] = -scores["a"]
    found = compare(y, scores)
    frame = found.to_frame(backend)
    names = list(frame.columns) if backend != "pyarrow" else frame.column_names
    assert names == [
        *("a", "b", "estimate_a", "estimate_b", "difference", "low", "high", "standard_error", "statistic", "df"),
        *("pvalue", "pvalue_adjusted", "dominance"),
    ]
    column = frame["pvalue"].to_pylist() if backend == "pyarrow" else frame["pvalue"].to_list()
    assert column == [pair.pvalue for pair in found.pairs]
    assert type(frame).__module__.split(".")[0] == (backend or "pandas")


def test_repr_and_one_pair():
    y, scores = sample(better=0.5)
    found = compare(y, scores)
    pair = found.pairs[0]
    assert repr(found).splitlines()[0] == "Comparison of roc_auc by delong-t (two-sided)"
    assert f"p = {pair.pvalue:.3g}" in repr(found)
    assert (found.low, found.high, found.statistic) == (pair.low, pair.high, pair.statistic)
    scores["c"] = scores["a"] + scores["b"]
    three = compare(y, scores)
    assert "adjusted" in repr(three)
    assert repr(three).splitlines()[-1].startswith("  all equal: p = ")
    with pytest.raises(InvalidInputError) as caught:
        three.pvalue  # noqa: B018  # reading it is what fails
    assert str(caught.value) == (
        "A value of the comparison itself must belong to one pair; there are 3. "
        "Hint: read it from the elements of `pairs`."
    )


@pytest.mark.parametrize("method", th.measures.RocAuc().tests)
def test_results_travel(method):
    found = compare(*sample(), method=method, n_resamples=20, rng=0)
    again = pickle.loads(pickle.dumps(found))  # its own bytes
    assert again.pvalue == found.pvalue
    assert again == found


def test_progress_is_reported():
    y, scores = sample()
    seen = []
    compare(y, scores, method="permutation", n_resamples=50, rng=0, batch_size=20, progress=lambda *at: seen.append(at))
    assert seen == [(20, 50), (40, 50), (50, 50)]


def test_a_margin_is_printed():
    data = th.datasets.load_digits_eight()
    found = th.compare(data.y_true, data.models, alternative="greater", margin=0.05)
    assert repr(found).startswith(f"Comparison of roc_auc by {found.method} (greater, margin 0.05)")
    assert "margin" not in repr(th.compare(data.y_true, data.models))
    assert found.df == found.pairs[0].df


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_of_scores_is_several_scorers(library):
    y, a, b = [0, 1] * 30, list(range(60)), list(range(60, 0, -1))
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[library]({"a": a, "b": b})
    found = th.compare(y, frame)
    assert found == th.compare(y, {"a": a, "b": b})
    assert found.to_frame(library).shape[0] == 1
