"""Decision curves: definitions, reference values, other curves that say the same, and the peer dcurves."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import thresher as th

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "decisions.json").read_text())


def digits(model: str = "logistic") -> th.Scores:
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, getattr(data, model))


def table(name: str) -> th.Scores:
    return th.Scores.from_counts(*zip(*REFERENCE["tables"][name], strict=True))


@pytest.mark.parametrize(
    "case", REFERENCE["best_net_benefit"], ids=lambda c: f"{c['table']}-{c['threshold_probability']}"
)
def test_the_hull_has_the_reference_values(case):
    prevalence = None if case["prevalence"] is None else float(Fraction(case["prevalence"]))
    p = float(Fraction(case["threshold_probability"]))
    curve = table(case["table"]).decision_curve([p], prevalence=prevalence, calibrate="hull")
    assert curve.net_benefit[0] == pytest.approx(float(Fraction(case["net_benefit"])), rel=1e-14)
    assert curve.thresholds[0] == case["threshold"]


@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_the_definition_by_counting_rows(prevalence):
    rng = np.random.default_rng(1)
    x = np.round(rng.random(300), 2)
    y = rng.random(300) < x
    curve = th.Scores(y, x).decision_curve(prevalence=prevalence)
    share = y.mean() if prevalence is None else prevalence
    for i, p in enumerate(curve.threshold_probability):
        tpr, fpr = (x[y] >= p).mean(), (x[~y] >= p).mean()
        expected = share * tpr - (1 - share) * p / (1 - p) * fpr
        assert curve.net_benefit[i] == pytest.approx(expected, abs=1e-14)
        assert curve.treat_all[i] == pytest.approx(share - (1 - share) * p / (1 - p), abs=1e-14)
    assert curve.standardized == pytest.approx(curve.net_benefit / share)


def test_relations_to_the_other_curves():
    scores = digits()
    curve = scores.decision_curve(calibrate="hull")
    p, share = curve.threshold_probability, scores.prevalence
    w = p / (1 - p)
    # The cost curve at the operating condition of the same weight.
    cost = scores.cost_curve().evaluate(share / (share + (1 - share) * w))
    assert curve.net_benefit == pytest.approx(share - (share + (1 - share) * w) * cost, abs=1e-13)
    plain = scores.decision_curve()
    best = np.maximum(np.maximum(plain.net_benefit, plain.treat_all), 0.0)
    assert (curve.net_benefit >= best - 1e-15).all()
    # The mean of the loss 2 (1 - p)(prevalence - net benefit) over p is the Brier score.
    fine = scores.decision_curve(np.arange(20000) / 20000 + 1 / 40000)
    loss = 2 * (1 - fine.threshold_probability) * (share - fine.net_benefit)
    data = th.datasets.load_digits_eight()
    assert loss.mean() == pytest.approx(np.mean((data.logistic - data.y_true) ** 2), abs=1e-6)


def test_avoided_interventions_and_harm():
    curve = digits().decision_curve([0.0, 0.1], harm=0.01)
    assert np.isnan(curve.interventions_avoided[0])
    plain = digits().decision_curve([0.0, 0.1])
    w = 0.1 / 0.9
    expected = 100 * (w * (plain.n_neg - plain.fp[1]) - (plain.n_pos - plain.tp[1])) / (plain.n_pos + plain.n_neg) / w
    assert plain.interventions_avoided[1] == pytest.approx(expected)
    assert curve.net_benefit == pytest.approx(plain.net_benefit - 0.01)


def test_recalibrating_moves_the_cut():
    shifted = digits().decision_curve([0.1], prevalence=0.01, recalibrate=True)
    odds = (0.1 / 0.9) * (0.99 / 0.01) * digits().prevalence / (1 - digits().prevalence)
    assert shifted.thresholds[0] == pytest.approx(odds / (1 + odds))
    assert shifted.net_benefit[0] != digits().decision_curve([0.1], prevalence=0.01).net_benefit[0]


def test_bands():
    curve = digits("tree").decision_curve(np.arange(1, 20) / 20)
    point, whole = curve.band(), curve.band(simultaneous=True, rng=1)
    sure = curve.band(simultaneous=True, method="equal-local-level")
    assert (whole.high - whole.low > point.high - point.low).mean() > 0.9
    assert (sure.low <= curve.net_benefit).all()
    assert (sure.high - sure.low).mean() > (whole.high - whole.low).mean()
    assert (point.contains(curve.net_benefit)).all()
    (low, high), *_ = curve.range_of_use(0.95)
    wider = curve.range_of_use()[0]
    assert wider[0] <= low <= high <= wider[1]


@pytest.mark.parametrize(("simultaneous", "method"), [(False, None), (True, None), (True, "equal-local-level")])
def test_harm_moves_the_whole_band_down(simultaneous, method):
    grid, harm = [0.1, 0.3, 0.5], 0.02
    plain, less = (
        digits("tree")
        .decision_curve(grid, harm=h)
        .band(simultaneous=simultaneous, method=method, n_resamples=100, rng=3)
        for h in (0.0, harm)
    )
    assert less.low == pytest.approx(plain.low - harm)
    assert less.high == pytest.approx(plain.high - harm)


def test_cuts_are_read_in_the_type_of_the_scores():
    """A score of 0.7 in single precision lies below 0.7; scores that are whole numbers lie at 0 and 1 alone."""
    labels, values = [1, 0, 1, 0], [0.9, 0.7, 0.7, 0.2]
    single = th.Scores(labels, np.array(values, dtype=np.float32)).decision_curve([0.7])
    assert float(np.float32(0.7)) < 0.7
    assert (single.tp.tolist(), single.fp.tolist()) == ([2], [1])
    whole = th.Scores(labels, [1, 1, 0, 0]).decision_curve([0.0, 0.5, 0.9])
    assert (whole.tp.tolist(), whole.fp.tolist()) == ([2, 1, 1], [2, 1, 1])


def test_the_picture_leaves_room_below_nothing():
    """A seventh of the height lies below net benefit 0, which acting on all falls to; the rest ends at the top."""
    picture = digits().decision_curve(np.arange(1, 20) / 20)._picture()
    low, high = picture.height
    assert high == max(digits().decision_curve(np.arange(1, 20) / 20).net_benefit.max(), digits().prevalence)
    assert 0.1 < -low / (high - low) < 0.15
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    low, high = digits().decision_curve(np.arange(1, 20) / 20).plot(axes).ax_.get_ylim()
    assert 0.1 < -low / (high - low) < 0.15


@pytest.mark.parametrize("level", [0.5, 0.4])
def test_a_one_sided_test_needs_more_than_half(level):
    with pytest.raises(th.InvalidInputError, match=f"`confidence_level` must be above 0.5 here; got {level}."):
        digits("tree").decision_curve([0.1, 0.2]).range_of_use(level)
    assert digits("tree").decision_curve([0.1, 0.2]).range_of_use(0.51) == ((0.1, 0.2),)


def test_messages():
    with pytest.raises(th.InvalidInputError, match=r"reads scores as probabilities in \[0, 1\]; got 3 \(and 1 other"):
        th.Scores([0, 1, 1], [0.5, 2.0, 3.0]).decision_curve()
    with pytest.raises(th.InvalidInputError, match="net benefit is not defined at 1"):
        digits().decision_curve([0.5, 1.0])
    with pytest.raises(th.InvalidInputError, match="chose the best ones on the same data"):
        digits().decision_curve(calibrate="hull").band()
    with pytest.raises(th.InvalidInputError, match="it must come with `prevalence`"):
        digits().decision_curve(recalibrate=True)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_equals_dcurves(prevalence):
    """Where the peer is installed; the same numbers to rounding, its `net_intervention_avoided` per one case."""
    dcurves = pytest.importorskip("dcurves", reason="the peer dcurves is not installed")
    import pandas as pd

    data = th.datasets.load_digits_eight()
    frame = pd.DataFrame({"y": np.asarray(data.y_true, dtype=int), "model": np.asarray(data.logistic)})
    grid = np.arange(1, 100) / 100
    theirs = dcurves.dca(data=frame, outcome="y", modelnames=["model"], thresholds=grid, prevalence=prevalence)
    theirs = theirs[theirs["model"] == "model"].sort_values("threshold")
    ours = digits().decision_curve(grid, prevalence=prevalence)
    assert ours.net_benefit == pytest.approx(theirs["net_benefit"].to_numpy(), abs=1e-12)
