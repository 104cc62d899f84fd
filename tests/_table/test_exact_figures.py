"""Tables that keep some scores and know exact sums over all of them."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher._table.exact_figures import Figures


def figures_of(full: th.Scores) -> Figures:
    """Sums over a complete table, one score at a time; areas from the table itself."""
    twice_u = pos_squares = neg_squares = tied = shared = shared_pos = 0
    tp0 = fp0 = 0
    whole = not full._weighted
    n_neg = full.n_neg
    for pos, neg in zip(full.pos.tolist(), full.neg.tolist(), strict=True):
        tp, fp = tp0 + pos, fp0 + neg
        twice_u += neg * (tp0 + tp)
        pos_squares += pos * (2 * n_neg - fp0 - fp) ** 2
        neg_squares += neg * (tp0 + tp) ** 2
        tied += pos * neg
        shared += pos > 0 and neg > 0
        shared_pos += pos if neg else 0
        tp0, fp0 = tp, fp
    kind = int if whole else float
    return Figures(
        len(full),
        *(kind(value) for value in (twice_u, pos_squares, neg_squares, tied)),
        int(shared),
        kind(shared_pos),
        full.pr_auc(estimator="average_precision").value * full.n_pos,
        full.pr_auc().value * full.n_pos,
    )


def kept_of(full: th.Scores, rows) -> th.Scores:
    rows = np.union1d(rows, [len(full) - 1]).astype(np.intp)
    highest = full.thresholds[np.append(0, rows[:-1] + 1)]
    squares = None if full._weight_squares is None else full._weight_squares.taken(np.append(0, rows[:-1] + 1))
    return th.Scores._from_kept(full.thresholds[rows], full.tp[rows], full.fp[rows], figures_of(full), highest, squares)


def sample(seed: int, n: int = 500, decimals: int | None = None, share: float = 0.2, weighted: bool = False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:4] = [True, False, True, False]
    s = rng.normal(size=n) + 1.2 * y
    weight = rng.random(n) * 3 if weighted else None
    return th.Scores(y, s if decimals is None else s.round(decimals), sample_weight=weight)


EXACT = {
    "roc_auc": lambda s: s.roc_auc(),
    "interpolated": lambda s: s.pr_auc(),
    "average_precision": lambda s: s.pr_auc(estimator="average_precision"),
    "normalized": lambda s: s.pr_auc(normalize=True),
}
BOUNDED = {
    "functional": lambda s: s.pr_auc(estimator="functional"),
    "achievable": lambda s: s.pr_auc(estimator="achievable"),
    "prevalence": lambda s: s.pr_auc(prevalence=0.01),
    "AP at a prevalence": lambda s: s.pr_auc(estimator="average_precision", prevalence=0.01),
    "recall": lambda s: s.pr_auc(recall=(0.1, 0.6)),
    "partial": lambda s: s.partial_roc_auc(fpr=(0.0, 0.3)),
}


@given(
    seed=st.integers(0, 10_000),
    decimals=st.sampled_from([None, 1, 2]),
    share=st.sampled_from([0.02, 0.2, 0.7]),
    rows=st.sets(st.integers(0, 10), max_size=8),
)
def test_the_areas_and_intervals_of_all_scores(seed, decimals, share, rows):
    full = sample(seed, decimals=decimals, share=share)
    small = kept_of(full, [row for row in rows if row < len(full)])
    assert small._exact
    assert small._n_scores == len(full)
    for name, area in EXACT.items():
        assert area(small).value == pytest.approx(area(full).value, rel=4e-16), name
        assert area(small).error_bound == 0.0
    assert small.roc_auc().value == full.roc_auc().value
    for method in ("delong", "bamber", "hanley-mcneil", "max-variance"):
        found, wanted = (s.roc_auc().standard_error(method=method) for s in (small, full))
        assert found == pytest.approx(wanted, rel=1e-10), method
    for method in ("delong", "delong-logit", "newcombe", "bamber"):
        found, wanted = (s.roc_auc().confidence_interval(method=method) for s in (small, full))
        np.testing.assert_allclose(tuple(found), tuple(wanted), rtol=1e-12)
    for name, area in BOUNDED.items():
        estimate = area(small)
        assert estimate.error_bound > 0, name
        assert abs(estimate.value - area(full).value) <= estimate.error_bound + 1e-15, name


@settings(max_examples=20)
@pytest.mark.filterwarnings("ignore:The weights of the")
@given(seed=st.integers(0, 10_000), decimals=st.sampled_from([None, 1]))
def test_sums_of_weights(seed, decimals):
    full = sample(seed, decimals=decimals, weighted=True)
    small = kept_of(full, range(0, len(full), 7))
    for name, area in EXACT.items():
        assert area(small).value == pytest.approx(area(full).value, rel=1e-13), name
    # With weights the variance is that of the scores kept, as their squares are known and no others.
    assert small.roc_auc().standard_error() == pytest.approx(full.roc_auc().standard_error(), rel=0.1)
    np.testing.assert_array_equal(small.tp, full.tp[np.searchsorted(-full.thresholds, -small.thresholds)])


def test_a_table_that_keeps_everything_is_complete():
    full = sample(1)
    again = kept_of(full, range(len(full)))
    assert again == full
    assert again._complete
    assert again._figures is None
    assert again._n_scores == len(full)
    assert not full.compress(100)._complete
    assert full.compress(100)._n_scores is None


def test_delong_is_the_exact_quotient():
    full = th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    small = kept_of(full, [2])
    # Placements of the positives 1, 1, 2/3 and of the negatives 2/3, 1, 1: sample variances 1/27.
    assert small.roc_auc().standard_error() == math.sqrt(2 / 81)


def test_remarks_speak_of_all_scores():
    full = sample(2, n=2000, decimals=1)
    small = kept_of(full, [5, 20])
    assert small.roc_auc().remarks() == full.roc_auc().remarks()
    shared = full.pr_auc().remarks()[0].partition(";")[0]
    assert small.pr_auc().remarks()[0] == shared
    difference = full.pr_auc(estimator="average_precision").value - full.pr_auc().value
    assert small.pr_auc().remarks()[1] == f"other estimators differ: average_precision {difference:+.2g}"
    untied = sample(2)
    assert kept_of(untied, [5]).pr_auc().remarks() == []


def test_repr():
    full = sample(3, n=2000, decimals=1)
    small = kept_of(full, [5, 20])
    lines = repr(small).splitlines()
    assert lines[4] == (
        f"  distinct scores  3 kept of {len(full)}, from {full.thresholds[0]} down to {full.thresholds[-1]}"
    )
    assert lines[5] == repr(full).splitlines()[5]
    assert lines[6] == (
        "  exact            ROC AUC, average precision, interpolated PR AUC, DeLong; the rest has an error bound"
    )
    assert len(lines) <= 8


def test_a_sum_is_a_compressed_table():
    a, b = kept_of(sample(4), range(0, 500, 9)), sample(5)
    both = a + b
    assert not both._exact
    assert both._figures is None
    whole = sample(4) + b
    for s in (a + b, b + a):
        area = s.roc_auc()
        assert area.error_bound > 0
        assert abs(area.value - whole.roc_auc().value) <= area.error_bound


def test_compress_keeps_the_figures():
    full = sample(6, n=3000)
    hull = np.searchsorted(-full.thresholds, -full.roc().hull().thresholds[1:])
    once = kept_of(full, np.union1d(hull, np.arange(0, 3000, 3)))
    small = once.compress(100)
    assert len(small) <= 100
    assert small._figures == once._figures
    assert small.pr_auc().value == once.pr_auc().value
    assert small.pr_auc(estimator="functional").error_bound > once.pr_auc(estimator="functional").error_bound
    assert small._without_figures().roc_auc().error_bound > 0


@pytest.mark.parametrize("weighted", [False, True])
def test_files_and_pickles_keep_the_figures(tmp_path, weighted):
    small = kept_of(sample(7, weighted=weighted), range(0, 500, 11))
    small.save(tmp_path / "a.scores")
    for again in (th.Scores.load(tmp_path / "a.scores"), pickle.loads(pickle.dumps(small))):
        assert again == small
        assert again._figures == small._figures
        assert again.roc_auc().value == small.roc_auc().value
    assert small != small._without_figures()


def test_figures_that_cannot_be_are_refused(tmp_path):
    small = kept_of(sample(8), range(0, 500, 11))
    good = small._figures.as_json()
    assert Figures.from_json(json.loads(json.dumps(good))) == small._figures
    for texts in (
        None,
        {},
        {**good, "twice_u": 5},
        {**good, "twice_u": "many"},
        {**good, "n_scores": (3.0).hex()},
        {**good, "interpolated": "inf0x"},
        {**good, "average_precision": float("inf").hex()},
    ):
        with pytest.raises(ValueError):
            Figures.from_json(texts)
    impossible = dataclasses.replace(small._figures, twice_u=2 * int(small.n_pos) * int(small.n_neg) + 1)
    object.__setattr__(small, "__dict__", {**small.__dict__, "_figures": impossible})
    small.save(tmp_path / "a.scores")
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores.load(tmp_path / "a.scores")
    assert str(caught.value) == (
        f"'{tmp_path}/a.scores' holds a table that no scores can have. Hint: write it again with `save`."
    )


def test_unpaired_comparison_uses_the_sums():
    full, other = sample(9), sample(10)
    found, wanted = (th.compare_unpaired(a, other, method="delong").pairs[0] for a in (kept_of(full, [100, 300]), full))
    assert found.difference == pytest.approx(wanted.difference, rel=1e-12)
    assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)


def test_the_bootstrap_is_centred_on_the_area_of_all_scores():
    small = kept_of(sample(11, n=4000, share=0.5), range(0, 4000, 40))
    area, alone = small.roc_auc(), small._without_figures().roc_auc()
    found, own = (a.confidence_interval(method="bootstrap", n_resamples=200, rng=1) for a in (area, alone))
    moved = area.value - alone.value
    assert moved != 0
    # The interval of the table alone is also widened by what it does not know.
    assert found.low == pytest.approx(own.low + alone.error_bound + moved, rel=1e-12)
    assert found.high == pytest.approx(own.high - alone.error_bound + moved, rel=1e-12)
