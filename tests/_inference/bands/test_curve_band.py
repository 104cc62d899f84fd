"""What every band promises, whatever the method; and what is refused."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher._inference.bands.curve_band import POINTWISE_METHODS, SIMULTANEOUS_METHODS, CurveBand, pr_band, roc_band
from thresher._inference.bands.cuts import Cuts
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning, UndefinedMetricError

ALL = [(m, False) for m in POINTWISE_METHODS] + [(m, True) for m in SIMULTANEOUS_METHODS]
SAMPLES = st.lists(st.integers(0, 9), min_size=1, max_size=30)


def both(counts: Counts, method: str, simultaneous: bool, **more: object) -> list[CurveBand]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        return [
            make(counts, method=method, simultaneous=simultaneous, n_resamples=200, rng=0, **more)
            for make in (roc_band, pr_band)
        ]


def table(n: int, share: float, seed: int = 0) -> Counts:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return Counts(y, rng.normal(size=n) + 1.4 * y)


@pytest.mark.parametrize("method, simultaneous", ALL)
@settings(max_examples=6)
@given(pos=SAMPLES, neg=SAMPLES, design=st.sampled_from(["random", "fixed"]))
def test_ends_are_ordered_and_hold_the_curve(
    method: str, simultaneous: bool, pos: list[int], neg: list[int], design: str
) -> None:
    for band in both(Counts.from_pos_neg(pos, neg), method, simultaneous, design=design):
        assert (band.low >= 0).all()
        assert (band.low <= band.value).all()
        assert (band.value <= band.high).all()
        assert (band.high <= 1).all()
        assert (band.method, band.simultaneous, band.confidence_level) == (method, simultaneous, 0.95)


@pytest.mark.parametrize("method, simultaneous", ALL)
def test_a_higher_level_is_nowhere_narrower(method: str, simultaneous: bool) -> None:
    counts = table(300, 0.3)
    for wide, narrow in zip(
        both(counts, method, simultaneous, confidence_level=0.99),
        both(counts, method, simultaneous, confidence_level=0.8),
        strict=True,
    ):
        assert (wide.low <= narrow.low + 1e-9).all()
        assert (wide.high >= narrow.high - 1e-9).all()


@pytest.mark.parametrize("method, simultaneous", ALL)
def test_only_the_order_of_the_scores_counts(method: str, simultaneous: bool) -> None:
    rng = np.random.default_rng(1)
    y, s = rng.random(200) < 0.4, rng.normal(size=200)
    for one, other in zip(
        both(Counts(y, s), method, simultaneous), both(Counts(y, np.exp(s)), method, simultaneous), strict=True
    ):
        assert np.array_equal(one.low, other.low)
        assert np.array_equal(one.high, other.high)


@pytest.mark.parametrize("method, simultaneous", ALL)
def test_frequencies_are_repetitions(method: str, simultaneous: bool) -> None:
    rng = np.random.default_rng(2)
    y, s, w = rng.random(60) < 0.4, rng.normal(size=60), rng.integers(1, 4, 60)
    for one, other in zip(
        both(Counts(y, s, frequency=w), method, simultaneous),
        both(Counts(np.repeat(y, w), np.repeat(s, w)), method, simultaneous),
        strict=True,
    ):
        assert np.array_equal(one.low, other.low)
        assert np.array_equal(one.high, other.high)


@pytest.mark.parametrize("method, simultaneous", ALL)
def test_a_table_that_is_its_own_reflection_has_one_band(method: str, simultaneous: bool) -> None:
    # Calling the negatives positive and turning the scores round reflects the curve at the other diagonal; this table
    # is its own reflection.
    counts = Counts.from_counts([4, 3, 2, 1], pos=[9, 6, 3, 2], neg=[2, 3, 6, 9])
    other = Counts.from_counts([-4, -3, -2, -1], pos=[2, 3, 6, 9], neg=[9, 6, 3, 2])
    one, two = both(counts, method, simultaneous)[0], both(other, method, simultaneous)[0]
    assert np.array_equal(one.low, two.low)
    assert np.array_equal(one.high, two.high)


def test_any_shape_and_order_of_the_grid() -> None:
    counts = table(200, 0.5)
    grid = np.array([[0.9, 0.1], [0.5, 0.9]])
    band = pr_band(counts, grid)
    assert band.x.shape == band.low.shape == band.value.shape == (2, 2)
    assert band.low[0, 0] == band.low[1, 1]
    flat = pr_band(counts, [0.1, 0.5, 0.9])
    assert np.allclose([band.low[0, 1], band.low[1, 0], band.low[0, 0]], flat.low)
    assert pr_band(counts, 0.5).low.shape == ()


@pytest.mark.some(4)
@pytest.mark.parametrize("method, simultaneous", ALL)
def test_values_are_those_of_the_curves(method: str, simultaneous: bool) -> None:
    scores = th.Scores.from_counts([4, 3, 2, 1], pos=[9, 6, 3, 2], neg=[2, 3, 6, 9])
    roc, pr = both(scores, method, simultaneous)
    curves = scores.roc(), scores.pr(), scores.pr(prevalence=0.01)
    assert np.allclose(roc.value, [curves[0].at(fpr=x).tpr for x in roc.x])
    assert np.allclose(pr.value, [curves[1].at(recall=x).precision for x in pr.x])
    moved = pr_band(scores, prevalence=0.01).value
    assert (moved < pr.value).all()
    assert np.allclose(moved, [curves[2].at(recall=x).precision for x in pr.x])


def test_recall_0_is_open() -> None:
    for method, simultaneous in ALL:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)
            band = pr_band(table(100, 0.5), [0.0], method=method, simultaneous=simultaneous, rng=0)
        assert (band.low[0], band.high[0]) == (0.0, 1.0)


def test_a_known_prevalence_makes_the_design_play_no_role() -> None:
    counts = table(300, 0.2)
    for method, simultaneous in ALL:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)
            one, two = (
                pr_band(
                    counts, prevalence=0.2, design=d, method=method, simultaneous=simultaneous, n_resamples=200, rng=3
                )
                for d in ("random", "fixed")
            )
        assert np.array_equal(one.low, two.low)


def test_a_random_number_of_positives_widens_the_band() -> None:
    counts = table(300, 0.2)
    x = np.linspace(0.3, 0.9, 7)
    for method, simultaneous in [("binomial-beta", False), ("equal-local-level", True), ("dkw", True)]:
        one, two = (pr_band(counts, x, design=d, method=method, simultaneous=simultaneous) for d in ("random", "fixed"))
        assert (one.high - one.low).mean() > (two.high - two.low).mean()


def test_simultaneous_bands_hold_the_pointwise_one() -> None:
    counts = table(400, 0.4)
    x = np.linspace(0.1, 0.9, 17)
    point = pr_band(counts, x)
    for method in SIMULTANEOUS_METHODS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)  # of the bootstrap, at the upper end
            whole = pr_band(counts, x, simultaneous=True, method=method, rng=0)
        assert (whole.low < point.low).mean() > 0.9
        assert (whole.high >= point.high).mean() > 0.9


def test_envelope_repeats_with_its_seed() -> None:
    counts = table(100, 0.5)
    one, two, three = (pr_band(counts, simultaneous=True, n_resamples=200, rng=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.low, two.low)
    assert not np.array_equal(one.low, three.low)


def test_tied_blocks_leave_both_limits_inside() -> None:
    # Recall 0.5 is a jump of the population: half of the positives are at 3, and all negatives between.
    counts = Counts.from_counts([3, 2, 1], pos=[50, 0, 50], neg=[0, 60, 40])
    band = pr_band(counts, [0.5], design="fixed")
    assert band.contains([1.0]).all()
    assert band.contains([0.5 / (0.5 + 0.6)]).all()


def test_compressed_tables_have_wider_bands() -> None:
    counts = table(3000, 0.3)
    full, small = roc_band(counts), roc_band(counts.compress(60))
    assert (small.high - small.low).mean() >= (full.high - full.low).mean()


def test_counts_of_any_size() -> None:
    # The same table a million times over: the band closes in on the curve by the root of that.
    few = Counts.from_counts(np.arange(40), pos=np.arange(1, 41), neg=np.arange(40, 0, -1))
    many = Counts.from_counts(np.arange(40), pos=np.arange(1, 41) * 10**6, neg=np.arange(40, 0, -1) * 10**6)
    x = (few.tp[[5, 12, 20]] + few.pos[[6, 13, 21]] / 2) / few.n_pos
    for design in ("random", "fixed"):
        wide, narrow = pr_band(few, x, design=design), pr_band(many, x, design=design)
        assert narrow.value == pytest.approx(wide.value, rel=1e-12)
        # Inside a tied block both of its ends stay possible, however many rows there are.
        assert (narrow.high - narrow.low < wide.high - wide.low).all()
    untied = Counts.from_counts(np.arange(4000.0), pos=np.tile([10**6, 0], 2000), neg=np.tile([0, 10**6], 2000))
    band = pr_band(untied, [0.25, 0.5, 0.75])
    assert (band.high - band.low).max() < 1e-3
    assert band.value == pytest.approx(0.5, abs=1e-3)


def test_default_band_looks_at_few_places_of_a_large_table(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    for name in ("fewest", "most", "at"):
        find = getattr(Cuts, name)
        monkeypatch.setattr(Cuts, name, lambda cuts, j, find=find: (looked.append(np.size(j)), find(cuts, j))[1])
    pr_band(table(1_000, 0.3))
    small = sum(looked)
    looked.clear()
    pr_band(table(100_000, 0.3))
    # Around each recall the window is some standard deviations wide: a hundred times the rows, ten times the places.
    assert 0 < sum(looked) < 11 * small


def test_band_is_frozen_and_shows_itself() -> None:
    band = roc_band(table(100, 0.5), [0.1, 0.5])
    with pytest.raises(ValueError, match="read-only"):
        band.low[0] = 0.0
    with pytest.raises(AttributeError):
        band.method = "other"  # type: ignore[misc]
    assert repr(band).startswith("roc band (binomial-beta, pointwise, level 0.95): 2 points, mean width 0.")


BAD = [
    (
        {"confidence_level": 95},
        InvalidInputError,
        "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
    ),
    (
        {"method": "bayes"},
        InvalidInputError,
        "`method` must be one of 'binomial-beta', 'logit', 'normal', 'bootstrap'; got 'bayes'.",
    ),
    (
        {"method": "dkw"},
        InvalidInputError,
        (
            "`method` must be one of 'binomial-beta', 'logit', 'normal', 'bootstrap' when simultaneous=False; got "
            "'dkw'. Hint: 'dkw' belongs to simultaneous=True."
        ),
    ),
    (
        {"method": "normal", "simultaneous": True},
        InvalidInputError,
        (
            "`method` must be one of 'envelope', 'equal-local-level', 'dkw', 'bootstrap' when simultaneous=True; got "
            "'normal'. "
            "Hint: 'normal' belongs to simultaneous=False."
        ),
    ),
    ({"design": "stratified"}, InvalidInputError, "`design` must be one of 'random', 'fixed'; got 'stratified'."),
    ({"n_resamples": 10}, InvalidInputError, "`n_resamples` must be at least 100; got 10."),
    (
        {"rng": "seed"},
        InvalidTypeError,
        "`rng` must be None, a seed, a numpy Generator or a SeedSequence; got 'seed' of type str. "
        "Hint: an integer makes the result repeatable.",
    ),
    (
        {"rng": -1},
        InvalidInputError,
        "`rng` must not be negative; got -1. Hint: any seed from 0 up will do.",
    ),
]


@pytest.mark.parametrize("make", [roc_band, pr_band])
@pytest.mark.parametrize("arguments, error, message", BAD)
def test_bad_arguments(make: object, arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        make(table(50, 0.5), **arguments)  # type: ignore[operator]
    assert str(caught.value) == message


def test_bad_grids_and_prevalences() -> None:
    counts = table(50, 0.5)
    for make, name in ((roc_band, "fpr"), (pr_band, "recall")):
        with pytest.raises(InvalidInputError) as caught:
            make(counts, [0.5, 50.0])
        assert str(caught.value) == f"`{name}` must be in [0, 1]; got 50.0. Hint: it is a fraction, not a percentage."
        with pytest.raises(InvalidInputError) as caught:
            make(counts, [])
        assert str(caught.value) == (
            f"`{name}` must hold at least one value; got none. Hint: leave it out for a full grid."
        )
        with pytest.raises(InvalidTypeError) as wrong:
            make(counts, "half")
        assert str(wrong.value) == f"`{name}` must be numbers in [0, 1]; got 'half'. Hint: for example 0.5."
    with pytest.raises(InvalidInputError) as caught:
        pr_band(counts, prevalence=0)
    assert str(caught.value) == "`prevalence` must be in (0, 1); got 0. Hint: it is the rate of positives."


def test_a_missing_class_is_named() -> None:
    with pytest.raises(UndefinedMetricError) as caught:
        pr_band(Counts([1, 1], [1, 2]))
    assert str(caught.value) == (
        "A band of the PR curve needs both classes; got 2 positives and 0 negatives. Hint: there is no negative row; "
        "check the labels and `pos_label`."
    )


@pytest.mark.parametrize("method", POINTWISE_METHODS)
def test_at_recall_0_the_precision_is_that_of_the_first_group(method):
    """Of 50 positives 5 and of 200 negatives 2 stand at the highest score; precision there can be anything."""
    counts = Counts.from_counts([3, 2, 1], pos=[5, 25, 20], neg=[2, 18, 180])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        band = pr_band(counts, [0.0, 0.1, 0.5], method=method, n_resamples=200, rng=0)
        rare = pr_band(counts, [0.0, 0.1, 0.5], method=method, n_resamples=200, rng=0, prevalence=0.05)
    assert band.value[:2] == pytest.approx([5 / 7, 5 / 7])
    want = 0.05 * 0.1 / (0.05 * 0.1 + 0.95 * 0.01)
    assert rare.value[:2] == pytest.approx([want, want])
    for one in (band, rare):
        assert (one.low[0], one.high[0]) == (0, 1)


def test_at_recall_0_without_anything_at_the_highest_score_but_positives():
    counts = Counts.from_counts([3, 2, 1], pos=[5, 25, 20], neg=[0, 20, 180])
    assert pr_band(counts, [0.0]).value[0] == 1
    none = Counts.from_counts([3, 2, 1], pos=[0, 25, 20], neg=[4, 20, 180])
    assert pr_band(none, [0.0]).value[0] == 0


def test_the_picture_needs_abscissas_within_the_unit_interval() -> None:
    counts = Counts.from_counts(range(3), pos=[1, 4, 10], neg=[9, 5, 2])
    band = roc_band(counts)
    assert (band.x[0], band.x[-1]) == (0.0, 1.0)
    assert band._picture() is not None
    for moved in (band.x - 0.01, band.x + 0.01, band.x[:0]):
        columns = {name: getattr(band, name)[: moved.size] for name in ("low", "high", "value")}
        assert dataclasses.replace(band, x=moved, **columns)._picture() is None


@pytest.mark.parametrize("make", [roc_band, pr_band])
def test_four_thousand_curves_are_drawn_unless_said_otherwise(make: Any) -> None:
    counts = Counts.from_counts(range(3), pos=[1, 4, 10], neg=[9, 5, 2])
    one, other, fewer = (
        make(counts, [0.2, 0.6], simultaneous=True, rng=1, **options)
        for options in ({}, {"n_resamples": 4000}, {"n_resamples": 3999})
    )
    assert np.array_equal([one.low, one.high], [other.low, other.high])
    assert not np.array_equal([one.low, one.high], [fewer.low, fewer.high])


def test_the_legend_names_the_level_or_what_was_said() -> None:
    figure = pytest.importorskip("matplotlib.figure")
    band = roc_band(table(50, 0.5), [0.1, 0.5], confidence_level=0.9)
    for label, shown in ((None, "90% band"), ("site A", "site A")):
        axes = band.plot(figure.Figure().subplots(), label=label)
        assert [drawn.get_label() for drawn in axes.collections] == [shown]


@pytest.mark.parametrize("weight", [None, 2.5])
def test_the_bend_of_a_binary_test_is_covered(weight: float | None) -> None:
    """With two scores the curve bends once, and its place in the sample is uncertain."""
    rng = np.random.default_rng(4)
    held = np.zeros(2)
    for _ in range(300):
        pos, neg = (rng.random(43) < 0.9).astype(float), (rng.random(79) < 0.1).astype(float)
        weights = {} if weight is None else {"pos_weight": np.full(43, weight), "neg_weight": np.ones(79)}
        scores = th.Scores.from_pos_neg(pos, neg, **weights)
        bands = scores.roc_band([0.1]), scores.pr_band([0.9], prevalence=0.3)
        held += [bands[0].contains([0.9])[0], bands[1].contains([0.27 / 0.34])[0]]
    assert (held >= 270).all()  # 88 % without the limits of the bend itself, fewer than 90 % at 94 % once in 200
