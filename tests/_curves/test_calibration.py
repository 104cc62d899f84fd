"""Blocks of isotonic regression by pooling adjacent violators, and probabilities at another prevalence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._curves.calibration import (
    batch_blocks,
    block_values,
    blocks_of,
    check_probabilities,
    hull_blocks,
    listed_blocks,
    odds_factor,
    shifted,
)

cells = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda c: sum(c) > 0), min_size=1, max_size=12)


def pooled(columns):
    """Pool neighbours, highest score first, until shares fall strictly."""
    blocks: list[list[int]] = []  # end, positives, negatives
    for i, (p, n) in enumerate(columns):
        blocks.append([i, p, n])
        while len(blocks) > 1:
            (_, p0, n0), (end, p1, n1) = blocks[-2:]
            if Fraction(p0, p0 + n0) > Fraction(p1, p1 + n1):
                break
            blocks[-2:] = [[end, p0 + p1, n0 + n1]]
    return blocks


@given(cells)
def test_blocks_are_pooled_neighbours(columns):
    pos, neg = (np.array(column) for column in zip(*columns, strict=True))
    found = hull_blocks(np.cumsum(pos), np.cumsum(neg))
    want = pooled(columns)
    assert np.stack([found.ends, found.pos, found.neg], axis=1).tolist() == want
    starts = [0, *(end + 1 for end, _, _ in want[:-1])]
    assert found.starts.tolist() == starts
    rows = [j for j, (start, (end, _, _)) in enumerate(zip(starts, want, strict=True)) for _ in range(end - start + 1)]
    assert found.of_rows().tolist() == rows
    floats = hull_blocks(np.cumsum(pos / 4.0), np.cumsum(neg / 4.0))
    assert floats.ends.tolist() == found.ends.tolist()


@pytest.mark.parametrize("prevalence", [0.02, 0.5, 0.9])
def test_another_prevalence_multiplies_the_odds(prevalence):
    own = 0.3
    factor = odds_factor(prevalence, own)
    for share in (0.0, 0.1, 0.3, 0.99, 1.0):
        # Bayes: the classes' densities stay, the prior moves.
        a, b = share / own, (1 - share) / (1 - own)
        want = prevalence * a / (prevalence * a + (1 - prevalence) * b)
        assert float(shifted(np.asarray(share), factor)) == pytest.approx(want)
    assert float(shifted(np.asarray(own), factor)) == pytest.approx(prevalence)
    assert odds_factor(None, own) == 1.0


@given(st.lists(cells, min_size=1, max_size=4), st.sampled_from([1, 2, 4]))
def test_the_blocks_of_many_tables_are_pooled_neighbours(tables, unit):
    """Tables of different lengths leave columns empty; units of a half or a quarter make counts that are not whole."""
    counts = np.zeros((2, len(tables), max(map(len, tables))))
    for i, columns in enumerate(tables):
        counts[:, i, : len(columns)] = np.transpose(columns)
    found = batch_blocks(*counts / unit)
    got = [[(found.pos[own] * unit).tolist(), (found.neg[own] * unit).tolist()] for own in found.parts]
    assert got == [[[p for _, p, _ in pooled(one)], [n for *_, n in pooled(one)]] for one in tables]
    assert found.table.tolist() == [i for i, one in enumerate(tables) for _ in pooled(one)]
    assert (np.stack([found.n_pos, found.n_neg]) * unit == counts.sum(axis=2)).all()


def test_values_and_list_of_blocks():
    scores = th.Scores([1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.1])
    blocks = blocks_of(scores)
    positive, negative = block_values(blocks, 3.0)
    assert positive == pytest.approx([1.0, 3 / 4, 0.0])
    assert negative == pytest.approx([0.0, 1 / 4, 1.0])
    listed = listed_blocks(scores.thresholds, blocks, 1.0)
    assert [(b.high, b.low, b.pos, b.neg, b.calibrated) for b in listed] == [
        (0.9, 0.9, 1, 0, 1.0),
        (0.7, 0.6, 1, 1, 0.5),
        (0.4, 0.1, 0, 2, 0.0),
    ]
    assert listed[1].as_fraction() == Fraction(1, 2)


def test_the_curve_is_linear_between_scores_and_not_defined_beyond():
    curve = th.Scores([1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.1]).calibration().curve
    assert (curve.ends, len(curve)) == ((0.1, 0.9), 5)
    assert curve.at([0.1, 0.25, 0.5, 0.65, 0.9]).tolist() == pytest.approx([0.0, 0.0, 0.25, 0.5, 1.0])
    assert np.isnan(curve.at([0.05, 0.95])).all()
    assert repr(curve) == "CalibrationCurve: 5 scores from 0.1 to 0.9 in 3 blocks"


@pytest.mark.parametrize(
    ("values", "wrong", "others"),
    [([0.5, 1.5], "1.5", "0"), ([-0.25, 0.5], "-0.25", "0"), ([-1.0, 2.0, 3.0], "3", "2")],
)
def test_scores_that_are_no_probabilities(values, wrong, others):
    with pytest.raises(th.InvalidInputError) as caught:
        check_probabilities(th.Scores([1] + [0] * (len(values) - 1), values), "It")
    assert f"It reads scores as probabilities in [0, 1]; got {wrong} (and {others} other scores)." in str(caught.value)


def test_zero_and_one_are_probabilities():
    assert check_probabilities(th.Scores([1, 0], [1, 0]), "It").tolist() == [1.0, 0.0]
