"""Models at the same recall, precision or number of alerts: places, differences and their spread."""

from __future__ import annotations

import math

import numpy as np
import pytest

import thresher as th
from thresher._compare.paired_rows import read_rows
from thresher._compare.same_point import Place, place_of, rows_of, same_point
from thresher.measures import RocAuc

PLACES = [Place("recall", 0.8), Place("precision", 0.5), Place("alerts", 0.1)]


def two_models(seed: int, n: int = 2000, tied: bool = False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    shared = rng.normal(size=n)
    scores = {name: shift * y + 0.6 * shared + 0.8 * rng.normal(size=n) for name, shift in (("a", 1.8), ("b", 1.3))}
    return y, {name: np.round(2 * one) / 2 for name, one in scores.items()} if tied else scores


@pytest.mark.parametrize("tied", [False, True])
def test_places_are_those_of_the_measures(tied):
    y, scores = two_models(0, tied=tied)
    table = th.Scores(y, scores["a"])
    share = table.prevalence
    for recall in (0.3, 0.5, 0.9, 1.0):
        stand = place_of(table, Place("recall", recall))
        assert stand.fpr == pytest.approx(table.measure("fpr_at_recall", recall=recall).value, abs=1e-12)
        assert stand.answer == pytest.approx(share * recall + (1 - share) * stand.fpr)
    for depth in (20, 200, 1000):
        stand = place_of(table, Place("alerts", depth / y.size))
        assert stand.answer == pytest.approx(table.measure("recall_at_depth", depth=depth).value, abs=1e-12)
    for precision in (0.3, 0.5, 0.7):
        stand = place_of(table, Place("precision", precision))
        assert stand.answer == pytest.approx(table.measure("recall_at_precision", precision=precision).value, abs=1e-9)


def test_a_precision_that_is_never_reached_has_no_place():
    table = th.Scores([0, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    assert math.isnan(place_of(table, Place("precision", 0.9)).answer)
    rows = read_rows([0, 1, 0, 0, 1, 0], {"a": [6, 5, 4, 3, 2, 1], "b": [1, 6, 2, 3, 5, 4]})
    tables = [rows.counts(0), rows.counts(1)]
    assert same_point(rows, tables, Place("precision", 0.9), 1) == [None, None]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.kind)
def test_the_spread_is_that_of_resampled_rows(place):
    y, scores = two_models(1)
    rows = read_rows(y, scores)
    tables = [rows.counts(0), rows.counts(1)]
    first, second = same_point(rows, tables, place, 0)
    assert first is None
    assert second.value == place_of(tables[1], place).answer - place_of(tables[0], place).answer
    rng = np.random.default_rng(2)
    share = float(y.mean())
    sides = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
    found = []
    for _ in range(300):
        some = rows.take(np.concatenate([rng.choice(side, side.size) for side in sides]))
        a, b = (place_of(some.counts(k), place, share).answer for k in (0, 1))
        found.append(b - a)
    reach = (second.high - second.low) / 2
    spread = 1.96 * np.std(found)
    # The steeper of two secants never makes it narrower; on smooth curves it is a little wider.
    assert 0.9 * spread < reach < 1.6 * spread


def test_signs_turn_with_the_model_it_is_compared_with():
    y, scores = two_models(3)
    rows = read_rows(y, scores)
    tables = [rows.counts(0), rows.counts(1)]
    ab = same_point(rows, tables, Place("recall", 0.8), 0)[1]
    ba = same_point(rows, tables, Place("recall", 0.8), 1)[0]
    assert (ab.value, ab.low, ab.high) == pytest.approx((-ba.value, -ba.high, -ba.low))


def test_weights_and_clusters_widen_what_they_should():
    y, scores = two_models(4)
    place = Place("recall", 0.8)

    def reach(**options) -> float:
        rows = read_rows(y, scores, **options)
        found = same_point(rows, [rows.counts(0), rows.counts(1)], place, 0)[1]
        return found.high - found.low

    alone = reach()
    assert reach(sample_weight=np.full(y.size, 3.0)) == pytest.approx(alone)
    assert reach(frequency=np.full(y.size, 4)) == pytest.approx(alone / 2, rel=0.12)
    twins = [np.repeat(column, 2) for column in (y, scores["a"], scores["b"])]
    rows = read_rows(twins[0], {"a": twins[1], "b": twins[2]}, cluster=np.repeat(np.arange(y.size), 2))
    together = same_point(rows, [rows.counts(0), rows.counts(1)], place, 0)[1]
    assert together.high - together.low == pytest.approx(alone, rel=0.12)


def test_rows_of_a_comparison():
    y, scores = two_models(5, n=300)
    scores["c"] = scores["a"] + scores["b"]
    compared = th.compare(y, scores)
    rows, tables = rows_of(compared)
    assert rows.names == ("a", "b", "c")
    assert [RocAuc().of(table) for table in tables] == pytest.approx([compared.estimates[name] for name in scores])
    assert rows_of(None) is None
    assert rows_of(th.compare_unpaired(th.Scores(y, scores["a"]), th.Scores(y, scores["b"]))) is None


def test_models_between_which_no_case_differs_have_no_interval():
    y = np.arange(100) >= 60
    rows = read_rows(y, {"a": np.arange(100), "b": np.arange(100) * 2.0})
    assert same_point(rows, [rows.counts(0), rows.counts(1)], Place("recall", 0.5), 0)[1] is None
