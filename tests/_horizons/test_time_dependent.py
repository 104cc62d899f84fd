"""Several horizons at once: the numbers of single horizons, of another program, of definitions and of derivatives."""

import json
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher._horizons.concordance import concordance_at, pairs_out_of_order
from thresher._table import read_outcome

FOLDER = Path(__file__).parents[1] / "reference"
GOLDEN = json.loads((FOLDER / "time.json").read_text())
PEERS = json.loads((FOLDER / "survival_peers.json").read_text())
pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")


class Rows:
    rng = np.random.default_rng(2)
    n = 300
    score = np.round(rng.normal(size=n), 1)
    other = np.round(score + 0.8 * rng.normal(size=n), 1)
    event_time = rng.exponential(size=n) / np.exp(0.8 * score)
    end = rng.exponential(1.5, n)
    time = np.ceil(20 * np.minimum(event_time, end)) / 20
    event = np.where(event_time <= end, 1, 0)
    codes = np.where(event > 0, 1 + (rng.random(n) < 0.2), 0)
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], n)
    site = rng.integers(0, 3, n)
    family = np.arange(n) // 4
    entry = np.maximum(time - 0.6, 0.0) - 0.01


MODELS = {"a": Rows.score, "b": Rows.other}
TIMES = [0.3, 0.7, 1.1]
OPTIONS = [
    {},
    {"controls": "event-free"},
    {"sample_weight": Rows.weight},
    {"strata": Rows.site},
    {"cluster": Rows.family},
    {"entry": Rows.entry},
    {"censored_at_t": "unknown"},
    {"sample_weight": Rows.weight, "cluster": Rows.family},
]
IDS = ["-".join(one) or "plain" for one in OPTIONS]


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "recall_at_fpr"])
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_each_horizon_is_that_of_the_table(options, metric):
    more = {"fpr": 0.2} if metric == "recall_at_fpr" else {}
    found = th.time_dependent(Rows.time, Rows.codes, MODELS, TIMES[::-1], **options)
    values = found.measure(metric, **more)
    assert found.times.tolist() == TIMES
    for i, (model, t) in enumerate(zip(values.model, values.t, strict=True)):
        table = th.Scores.at_time(Rows.time, Rows.codes, MODELS[model], t, **options)
        single = table.measure(metric, **more)
        assert values.value[i] == pytest.approx(single.value, rel=1e-12)
        if metric != "recall_at_fpr":
            assert values.standard_error[i] == pytest.approx(single.standard_error(), rel=1e-10)
        low, high = single.confidence_interval(method="delong-logit" if metric == "roc_auc" else None)
        if not (metric == "roc_auc" and "cluster" in options):  # Student's t there
            assert (values.low[i], values.high[i]) == pytest.approx((low, high), rel=1e-9)
        assert found.at(t, model) == table
    compared = found.compare(metric, **more)
    method = "normal" if metric == "pr_auc" else None
    one = th.compare(
        None, MODELS, metric=metric, method=method, time=Rows.time, event=Rows.codes, at=0.7, **options, **more
    )
    assert compared.difference[1] == pytest.approx(one.difference, rel=1e-12)
    assert compared.pvalue[1] == pytest.approx(one.pvalue, rel=1e-9) or metric == "recall_at_fpr"
    assert (compared.pvalue_adjusted >= compared.pvalue).all()


@pytest.mark.parametrize("name", ["score", "score_b"])
def test_another_program_agrees(name):
    found = th.time_dependent(PEERS["time"], PEERS["event"], PEERS[name], PEERS["times"])
    assert found.measure("roc_auc").value == pytest.approx(PEERS[f"{name}_auc"], rel=1e-12)
    assert found.mean_roc_auc().value[0] == pytest.approx(PEERS[f"{name}_mean_auc"], rel=1e-12)
    assert found.concordance(PEERS["tau"]).value[0] == pytest.approx(PEERS[f"{name}_uno"], rel=1e-12)
    risk = 1.0 / (1.0 + np.exp(-np.array(PEERS[name])))
    brier = th.time_dependent(PEERS["time"], PEERS["event"], risk, PEERS["times"]).measure("brier")
    assert brier.value == pytest.approx(PEERS[f"{name}_brier"], rel=1e-12)


def test_the_mean_area_of_the_reference_values():
    data = GOLDEN["sets"][0]
    wanted = data["mean_auc"]
    found = th.time_dependent(data["time"], data["event"], data["score"], wanted["times"])
    assert found.mean_roc_auc().value[0] == pytest.approx(wanted["value"], rel=1e-12)
    value = found._mean("score")
    assert value.influence == pytest.approx(np.array(wanted["U"]), rel=1e-11, abs=1e-14)
    n = data["n"]
    assert value.variance == pytest.approx(wanted["variance_plain"] * n / (n - 1), rel=1e-11)


def slow_concordance(time, event, score, weight, tau):
    """Pairs one by one, with the probabilities from their definition."""

    def probability(at):
        out = 1.0
        for s in np.unique(time[(event == 0) & (time < at)]):
            at_risk = weight[time > s].sum() + weight[(time == s) & (event == 0)].sum()
            out *= weight[time > s].sum() / at_risk
        return out

    wins = total = 0.0
    for i in np.flatnonzero((event == 1) & (time < tau)):
        g = probability(time[i])
        for j in range(time.size):
            if time[j] > time[i] or (time[j] == time[i] and event[j] == 0):
                pair = weight[i] * weight[j] / g**2
                total += pair
                wins += pair * (float(score[i] > score[j]) + 0.5 * float(score[i] == score[j]))
    return wins / total


def test_concordance_is_its_definition_and_its_influence_values_are_derivatives():
    few = slice(0, 80)
    time, event, score, tau = Rows.time[few], Rows.event[few], Rows.score[few], 0.9
    for weight in (np.ones(80), np.random.default_rng(1).choice([0.5, 1.0, 3.0], 80)):
        rows = read_outcome(time, event, tau, sample_weight=weight)
        found = concordance_at(rows, score, tau)
        assert found.value == pytest.approx(slow_concordance(time, event, score, weight, tau), rel=1e-12)
        assert abs(found.influence.sum()) < 1e-12
        for row in (0, 7, 33, 60, 79):
            moved = []
            for sign in (1.0, -1.0):
                own = weight.copy()
                own[row] *= 1.0 + sign * 1e-5
                moved.append(slow_concordance(time, event, score, own, tau))
            assert (moved[0] - moved[1]) / 2e-5 == pytest.approx(found.influence[row], rel=1e-5, abs=1e-9)


def test_pairs_out_of_order_one_by_one():
    rng = np.random.default_rng(4)
    for size in (1, 2, 17, 100):
        rank = np.unique(rng.integers(0, size, size), return_inverse=True)[1]
        first, second = rng.random((2, size))
        wins, beaten = pairs_out_of_order(rank, first, second)
        later = np.arange(size)[None, :] > np.arange(size)[:, None]
        higher = rank[:, None] > rank[None, :]
        assert wins == pytest.approx((later & higher) @ second)
        assert beaten == pytest.approx(first @ (later & higher))


@pytest.mark.parametrize("options", OPTIONS[:5], ids=IDS[:5])
def test_the_mean_area_has_influence_values_that_are_derivatives(options):
    base = dict(options)
    own = np.asarray(base.pop("sample_weight", np.ones(Rows.n)))

    def mean(weight):
        found = th.time_dependent(Rows.time, Rows.codes, Rows.score, TIMES, sample_weight=weight, **base)
        return found._mean("score")

    influence = mean(own).influence
    family = Rows.family if "cluster" in base else np.arange(Rows.n)
    kept = np.unique(family[own > 0])
    for unit in kept[[0, 11, 40]]:
        moved = [mean(own * (1.0 + sign * 1e-5 * (family == unit))).value for sign in (1.0, -1.0)]
        place = int(np.flatnonzero(kept == unit)[0])
        assert (moved[0] - moved[1]) / 2e-5 == pytest.approx(influence[place], rel=1e-4, abs=1e-9)


def test_a_band_is_wider_than_the_intervals_and_leaves_out_what_has_few_cases():
    few = slice(0, 150)
    models = {name: column[few] for name, column in MODELS.items()}
    found = th.time_dependent(Rows.time[few], Rows.event[few], models, [0.05, *TIMES])
    with pytest.warns(th.ThresherWarning, match="leaves out t = 0.05"):
        band = found.band("roc_auc")
    alone = found.measure("roc_auc")
    used = band.t > 0.1
    assert np.isnan(band.low[~used]).all()
    assert (band.low[used] < alone.low[used]).all()
    assert (band.high[used] > alone.high[used]).all()
    with pytest.raises(th.InvalidInputError, match="no influence values"):
        found.band("recall_at_fpr", fpr=0.2)
    with pytest.raises(th.UndefinedMetricError, match="at least 10 cases"):
        th.time_dependent(Rows.time[few], Rows.event[few], Rows.score[few], [0.05]).band()


def test_a_column_for_each_horizon():
    wide = np.stack([Rows.score * t for t in TIMES[::-1]], axis=1)
    found = th.time_dependent(Rows.time, Rows.event, wide, TIMES[::-1])
    flat = th.time_dependent(Rows.time, Rows.event, Rows.score, TIMES)
    assert found.measure().value == pytest.approx(flat.measure().value, rel=1e-13)
    assert found.at(0.3).thresholds.max() == pytest.approx(0.3 * Rows.score.max())
    known = np.full((Rows.n, 3), 0.8)
    assert "weights taken as known" in repr(
        th.time_dependent(Rows.time, Rows.event, Rows.score, TIMES, censoring=known).at(0.7)
    )


def test_results_travel():
    found = th.time_dependent(Rows.time, Rows.event, MODELS, TIMES)
    for result in (found.measure(), found.band(), found.mean_roc_auc(), found.concordance(), found.compare()):
        assert th.results.from_json(result.to_json()) == result
        frame = result.to_frame()
        assert len(frame) in (1, 2, 3, 6)
        assert "95%" in repr(result)
    perfect = th.time_dependent([1, 2, 3, 4], [1, 1, 0, 0], [4, 3, 2, 1], [2]).measure()
    assert (perfect.value[0], perfect.low[0], perfect.high[0]) == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: th.time_dependent(Rows.time, Rows.event, Rows.score, [0.3, 0.3]), "finite and different"),
        (lambda: th.time_dependent(Rows.time, Rows.event, Rows.score, [0.3, 99.0]), "Nobody is known"),
        (lambda: th.time_dependent(Rows.time, Rows.event, {1: Rows.score}, TIMES), "names are text"),
        (lambda: th.time_dependent(Rows.time, Rows.event, np.ones((Rows.n, 2)), TIMES), "one for each of 3 horizons"),
        (lambda: th.time_dependent(Rows.time, Rows.event, Rows.score[1:], TIMES), "the same length"),
        (lambda: th.time_dependent(Rows.time, Rows.event, MODELS, TIMES).at(0.5, "a"), "one of the horizons"),
        (
            lambda: th.time_dependent(Rows.time, Rows.event, MODELS, TIMES).at(0.3),
            r"`model` must be one of 'a', 'b'; got None. Hint: `.at\(0.3, model='a'\)`",
        ),
        (lambda: th.time_dependent(Rows.time, Rows.codes, MODELS, TIMES).concordance(), "one kind of event"),
        (lambda: th.time_dependent(Rows.time, Rows.event, Rows.score, TIMES).compare(), "at least two models"),
        (lambda: th.time_dependent(Rows.time, Rows.event, MODELS, TIMES).concordance(0.01), "a larger tau"),
    ],
)
def test_mistakes_have_their_messages(call, message):
    with pytest.raises(th.ThresherError, match=message):
        call()
