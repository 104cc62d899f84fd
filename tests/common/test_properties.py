"""Properties that every unpaired figure inherits by being in the register."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled

REGISTER: dict[str, Callable[[th.Scores], float]] = {
    "roc_auc": lambda s: s.roc_auc().value,
    "partial_roc_auc fpr": lambda s: s.partial_roc_auc(fpr=(0.1, 0.6)).value,
    "partial_roc_auc tpr": lambda s: s.partial_roc_auc(tpr=(0.3, 1.0), standardize=True).value,
    **{f"pr_auc {e}": lambda s, e=e: s.pr_auc(estimator=e).value for e in th.measures.PR_ESTIMATORS},
    "pr_auc prevalence": lambda s: s.pr_auc(prevalence=0.03).value,
    "pr_auc recall": lambda s: s.pr_auc(recall=(0.2, 0.7)).value,
    "pr_auc normalized": lambda s: s.pr_auc(normalize=True).value,
    "precision at recall": lambda s: s.pr().at(recall=0.6).precision,
    "achievable precision": lambda s: s.achievable_pr().at(recall=0.6).precision,
    "tpr at fpr": lambda s: s.roc().at(fpr=0.3).tpr,
    "pr_function": lambda s: float(s.pr_function(0.6)),
    "equal error rate": lambda s: s.det().equal_error_rate(),
    "expected cost": lambda s: float(s.cost_curve().evaluate(0.4)),
    "pr_gain": lambda s: s.pr_gain().area,
    "lift": lambda s: float(s.lift().lift[-2]),
}

every = pytest.mark.parametrize("figure", REGISTER)


def same_bits(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


@every
@given(data=labelled(), seed=st.integers(0, 2**32 - 1))
def test_row_order_changes_no_bit(figure, data, seed):
    labels, values = (np.array(column) for column in data)
    order = np.random.default_rng(seed).permutation(labels.size)
    compute = REGISTER[figure]
    assert same_bits(compute(th.Scores(labels, values)), compute(th.Scores(labels[order], values[order])))


# Unit steps become finer when every positive is doubled: that is what the integral cures.
@pytest.mark.parametrize("figure", [name for name in REGISTER if name != "pr_auc unit_steps"])
@given(data=labelled(), times=st.integers(2, 5))
def test_duplicating_all_rows_changes_no_rate(figure, data, times):
    labels, values = data
    compute = REGISTER[figure]
    once, often = compute(th.Scores(labels, values)), compute(th.Scores(labels * times, values * times))
    if figure == "roc_auc":
        assert once == often
    assert once == pytest.approx(often, rel=1e-14, abs=1e-15, nan_ok=True)


@every
@given(data=labelled(), split=st.integers(0, 24))
def test_sum_of_parts_is_the_whole(figure, data, split):
    labels, values = data
    cut = min(max(split, 1), len(labels) - 1)
    whole = th.Scores(labels, values)
    parts = th.Scores(labels[:cut], values[:cut]) + th.Scores(labels[cut:], values[cut:])
    assert parts == whole
    assert same_bits(REGISTER[figure](parts), REGISTER[figure](whole))


@every
@given(data=labelled())
def test_frequency_is_repetition(figure, data):
    labels, values = data
    weights = [(3 * i) % 4 for i in range(len(labels))]
    weights[0] = weights[-1] = 1
    repeated = [[x for x, w in zip(column, weights, strict=True) for _ in range(w)] for column in (labels, values)]
    whole = th.Scores(*repeated)
    counted = th.Scores(labels, values, frequency=weights)
    assert counted == whole
    assert same_bits(REGISTER[figure](counted), REGISTER[figure](whole))
    if figure == "pr_auc unit_steps":
        return
    summed = th.Scores(labels, values, sample_weight=np.array(weights, dtype=float) * 0.125)
    assert summed._weighted
    assert REGISTER[figure](summed) == pytest.approx(REGISTER[figure](whole), rel=1e-13, abs=1e-14, nan_ok=True)


@every
@given(data=labelled(values=st.integers(-20, 20).map(float)))
def test_monotone_transform_changes_no_bit(figure, data):
    labels, values = data
    compute = REGISTER[figure]
    moved = [math.exp(v / 7) - 3 for v in values]
    assert same_bits(compute(th.Scores(labels, values)), compute(th.Scores(labels, moved)))


@given(data=labelled())
def test_swapping_labels_reverses_roc(data):
    labels, values = data
    swapped = th.Scores([1 - label for label in labels], values)
    assert swapped.roc_auc().value == pytest.approx(1 - th.Scores(labels, values).roc_auc().value, abs=1e-15)


@given(data=labelled(values=st.integers(-9, 9).map(float)))
def test_swapping_labels_and_signs_keeps_roc(data):
    labels, values = data
    other = th.Scores([1 - label for label in labels], [-v for v in values])
    assert other.roc_auc().value == th.Scores(labels, values).roc_auc().value


@given(data=labelled(), cuts=st.lists(st.integers(0, 24), max_size=4), seed=st.integers(0, 99))
def test_addition_is_associative_and_commutative(data, cuts, seed):
    labels, values = data
    edges = sorted({0, len(labels), *(min(cut, len(labels)) for cut in cuts)})
    parts = [th.Scores(labels[a:b], values[a:b]) for a, b in zip(edges, edges[1:], strict=False)]
    order = np.random.default_rng(seed).permutation(len(parts))
    total = parts[order[0]]
    for i in order[1:]:
        total = total + parts[i]
    assert total == th.Scores(labels, values)


@settings(max_examples=5)
@every
@given(data=labelled(max_size=12, values=st.integers(-9, 9).map(float)))
def test_every_array_library_gives_the_same(figure, data):
    import array_api_strict
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    labels, values = data
    want = th.Scores(labels, values)
    compute = REGISTER[figure]
    forms = {
        "strict": lambda column: array_api_strict.asarray(column),
        "pandas": lambda column: pd.Series(column),
        "polars": lambda column: pl.Series(column),
        "pyarrow": lambda column: pa.chunked_array([column]),
        "tuple": tuple,
        "strided": lambda column: np.repeat(np.array(column), 2)[::2],
    }
    for name, form in forms.items():
        got = th.Scores(form(labels), form(values))
        assert got == want, name
        assert same_bits(compute(got), compute(want)), name
