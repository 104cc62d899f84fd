"""A test set taken for a population: its standard deviation by triples, its coverage by few samples."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest

import thresher as th
from papers.cortes_mohri import public_data
from papers.cortes_mohri.printed import equation_2, hanley_mcneil, largest_sd

POS, NEG = [5, 4, 4, 2], [4, 3, 1, 0, 0]


def win(x, y):
    return 1.0 if x > y else 0.5 if x == y else 0.0


def test_sigma_a_by_all_triples():
    auc = np.mean([win(x, y) for x, y in product(POS, NEG)])
    # Drawn with replacement, as from a population of these scores.
    p_xxy = np.mean([win(a, y) * win(b, y) for a, b, y in product(POS, POS, NEG)])
    p_xyy = np.mean([win(x, a) * win(x, b) for x, a, b in product(POS, NEG, NEG)])
    scores = th.Scores.from_pos_neg(POS, NEG)
    found = public_data._sigma_a(scores.pos, scores.neg)
    assert found == pytest.approx(equation_2(auc, 4, 5, p_xxy, p_xyy), rel=1e-12)
    assert found <= largest_sd(auc, 4, 5)


def test_errors_are_counted_at_the_threshold(monkeypatch):
    monkeypatch.setattr(public_data, "_REPLICATES", 40)
    scores = th.Scores.from_pos_neg(POS, NEG)
    study = public_data._study("made", scores, threshold=2.5)
    # Called above 2.5: one positive missed (2), two negatives called (4, 3).
    assert (study.m, study.n, study.k) == (4, 5, 3)
    assert study.auc == scores.roc_auc().value
    assert study.sigmas["σ_dep"] == hanley_mcneil(study.auc, 4, 5)
    assert study.coverage.keys() == study.lengths.keys() == {"σ_indep", "σ_A", "σ_dep", "σ_max", "Theorem 2", "ε_k"}
    for key, share in study.coverage.items():
        assert math.isclose(share * 40, round(share * 40), abs_tol=1e-9)
        assert 0 <= study.lengths[key] <= 1
    for a, b in combinations(("σ_dep", "σ_max"), 2):
        assert study.lengths[a] <= study.lengths[b]


def test_no_errors_leave_no_deviation_from_them():
    sigmas = public_data._sigmas(0.9, 10, 20, 0, 0.05)
    assert (sigmas["σ_indep"], sigmas["σ_A"]) == (0.0, 0.05)
    first, second = public_data._intervals(10, 20, 0)
    assert first == second
    some = public_data._intervals(10, 20, 4)
    assert some[0] == tuple(th.cortes_mohri(10, 20, 4, error_interval="normal"))
    assert some[1] == tuple(th.cortes_mohri(10, 20, 4, eps="gaussian", law="binomial"))


def test_problems_are_binary():
    pytest.importorskip("sklearn")
    for features, positive in public_data._problems().values():
        assert positive.dtype == bool
        assert features.shape[0] == positive.size
        assert 0.05 < positive.mean() < 0.95
