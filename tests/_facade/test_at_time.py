"""Tables of outcomes in time against exact values: weights, values, influence values and variances."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from support.measures import options_of
from thresher._cells import Matrix
from thresher._cells.influence import cell_variance
from thresher._inference.sampling import Influence, sampling_of
from thresher._table import cell_sample

GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "time.json").read_text())
CASES = [
    pytest.param(data, wanted, id=f"{data['name']}-{wanted['t']}-{wanted['controls']}")
    for data in GOLDEN["sets"]
    for wanted in data["expected"]
]
pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
MEASURES = {
    "roc_auc": th.measures.RocAuc(),
    "average_precision": th.measures.PrAuc("average_precision"),
    "pr_auc_interpolated": th.measures.PrAuc(),
    "brier": th.measures.as_measure("brier"),
}


def arguments(data, wanted):
    names = {"strata": "stratum", "entry": "entry", "sample_weight": "weight", "cluster": "cluster"}
    given = {name: data[key] for name, key in names.items() if key in data}
    return {"controls": wanted["controls"], "cause": wanted["cause"], **given}


def table(data, wanted, score="score"):
    return th.Scores.at_time(data["time"], data["event"], data[score], wanted["t"], **arguments(data, wanted))


def close(found, wanted):
    return found == pytest.approx(wanted, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(("data", "wanted"), CASES)
def test_classes_weights_and_sums(data, wanted):
    scores = table(data, wanted)
    rows = scores._outcome
    assert [None if not k else int(p) for k, p in zip(rows.kept, rows.positive, strict=True)] == wanted["class"]
    assert close(np.where(rows.kept, rows.mass, 0.0).tolist(), wanted["weights"])
    assert close(scores.n_pos, wanted["sum_pos"])
    assert close(scores.n_neg, wanted["sum_neg"])
    squares = [
        c.sum() for c in ((scores.pos, scores.neg) if scores._weight_squares is None else scores._weight_squares[:2])
    ]
    assert close(squares, [wanted["squares_pos"], wanted["squares_neg"]])
    assert close(scores.prevalence, wanted["prevalence"]["value"])


def influence_of(name, scores):
    if name == "prevalence":
        share = scores.prevalence
        none = np.zeros(len(scores))
        return Influence(none, none, -share * (1.0 - share))
    return MEASURES[name].influence(scores)


@pytest.mark.parametrize("name", [*MEASURES, "prevalence"])
@pytest.mark.parametrize(("data", "wanted"), CASES)
def test_values_influence_and_variances(data, wanted, name):
    scores, expected = table(data, wanted), wanted[name]
    if name != "prevalence":
        assert close(MEASURES[name].of(scores), expected["value"])
    found = influence_of(name, scores)
    rows, at = scores._outcome, scores._outcome.cells(scores.thresholds)
    u = np.where(
        rows.positive,
        (found.pos[at] - found.odds) / float(scores.n_pos),
        (found.neg[at] + found.odds) / float(scores.n_neg),
    )
    u = np.where(rows.kept, rows.mass * u, 0.0)
    assert close(u.tolist(), expected["u"])
    chained = rows.chained(u)
    assert close(chained.tolist(), expected["U"])
    assert abs(chained.sum()) < 1e-14
    assert close(float(np.square(rows.by_unit(chained)).sum()), expected["variance_plain"])
    mean = name in ("brier", "prevalence")
    spread = sampling_of(scores).spread(found, corrected=not mean).variance
    assert close(spread, expected["variance"])
    if name != "prevalence":
        assert close(MEASURES[name].spread(scores).variance, expected["variance"])


@pytest.mark.parametrize(("data", "wanted"), CASES)
def test_rates_at_thresholds(data, wanted):
    scores = table(data, wanted)
    names = {"tpr": "recall", "fpr": "fpr", "ppv": "precision", "npv": "npv"}
    for at in wanted["at"]:
        for key, name in names.items():
            expected = at[key]
            if expected is None:
                continue
            measure = th.measures.Confusion(name, threshold=at["threshold"])
            assert close(measure.of(scores), expected["value"])
            sample = cell_sample(scores, at["threshold"])
            cells = measure.matrix(scores)
            squares = None if sample is None or sample.squares is None else Matrix(*sample.squares)
            clusters = None if sample is None else sample.clusters
            held = cell_variance(measure.cells, cells, squares=squares, clusters=clusters)
            if clusters is None:
                assert close(float(held), expected["variance_known"])
            found = measure.influence(scores)
            added = sampling_of(scores).added(found)
            assert close(added, expected["variance"] - expected["variance_known"])
            if sample is not None and sample.added is not None:
                slope = np.array(measure.cells.gradient(*(float(c) for c in cells), prevalence=None))
                assert close(float(slope @ sample.added @ slope), added)
        net = th.measures.NetBenefit(at["threshold"])
        assert close(net.of(scores), at["net_benefit"]["value"])
        variance = sampling_of(scores).spread(net.influence(scores), corrected=False).variance
        assert close(variance, at["net_benefit"]["variance"])


@pytest.mark.parametrize(("data", "wanted"), CASES)
def test_two_models_on_the_same_rows(data, wanted):
    a, b = table(data, wanted), table(data, wanted, "score_b")
    for name, expected in wanted["paired"].items():
        measure = MEASURES[name]
        assert close(measure.of(b), expected["value_b"])
        found = th.compare(
            None,
            {"a": data["score"], "b": data["score_b"]},
            metric=measure,
            method="delong" if name == "roc_auc" else "normal",
            time=data["time"],
            event=data["event"],
            at=wanted["t"],
            **arguments(data, wanted),
        )
        assert close(found.estimates["a"], measure.of(a))
        assert close(found.pair.standard_error**2, expected["difference_variance"])


@pytest.mark.parametrize("case", GOLDEN["refused"], ids=lambda case: case["name"])
def test_what_has_no_answer_is_refused_with_a_remedy(case):
    more = {"strata": case["stratum"]} if "stratum" in case else {}
    with pytest.raises(th.UndefinedMetricError, match="Hint: "):
        th.Scores.at_time(case["time"], case["event"], case["score"], case["t"], **more)


class Rows:
    """Rows with ties in time and score, competing events and censoring."""

    rng = np.random.default_rng(8)
    n = 400
    score = np.round(rng.normal(size=n), 1)
    event_time = rng.exponential(size=n) / np.exp(0.8 * score)
    end = rng.exponential(1.5, n)
    time = np.ceil(20 * np.minimum(event_time, end)) / 20
    event = np.where(event_time <= end, 1 + (rng.random(n) < 0.2), 0)
    risk = 1.0 / (1.0 + np.exp(-score))
    other = np.round(1.0 / (1.0 + np.exp(-score - 0.7 * rng.normal(size=n))), 2)
    weight = rng.choice([0.5, 1.0, 2.0], n)
    site = rng.integers(0, 3, n)
    family = np.arange(n) // 4


def kaplan_meier(time, event, t):
    survival, greenwood = 1.0, 0.0
    for s in np.unique(time[(event > 0) & (time <= t)]):
        at_risk, events = (time >= s).sum(), ((time == s) & (event > 0)).sum()
        survival *= 1.0 - events / at_risk
        greenwood += events / (at_risk * (at_risk - events))
    return survival, survival**2 * greenwood


def test_the_weights_add_up_to_the_rows_and_the_prevalence_is_that_of_kaplan_meier():
    scores = th.Scores.at_time(Rows.time, Rows.event > 0, Rows.risk, 0.7)
    survival, variance = kaplan_meier(Rows.time, Rows.event, 0.7)
    assert float(scores.n_pos + scores.n_neg) == pytest.approx(Rows.n, rel=1e-13)
    assert scores.prevalence == pytest.approx(1.0 - survival, rel=1e-13)
    spread = sampling_of(scores).spread(influence_of("prevalence", scores), corrected=False)
    assert spread.variance == pytest.approx(variance, rel=1e-12)


@pytest.mark.parametrize("beside", [{}, {"sample_weight": Rows.weight}, {"cluster": Rows.family}])
def test_without_censoring_before_t_it_is_the_ordinary_table(beside):
    time = np.where(Rows.event > 0, Rows.time, Rows.time + 5.0)
    timed = th.Scores.at_time(time, Rows.event > 0, Rows.risk, 0.7, **beside)
    plain = th.Scores((Rows.event > 0) & (time <= 0.7), Rows.risk, **beside)
    assert timed.pos.dtype == plain.pos.dtype
    for name in ("thresholds", "pos", "neg"):
        np.testing.assert_array_equal(getattr(timed, name), getattr(plain, name))
    for name in ("roc_auc", "pr_auc", "brier"):
        a, b = (one.measure(name) for one in (timed, plain))
        assert (a.value, a.standard_error()) == (b.value, b.standard_error())
        assert tuple(a.confidence_interval()) == tuple(b.confidence_interval())
    how = {"time": time, "event": Rows.event > 0, "at": 0.7}
    models = {"a": Rows.risk, "b": Rows.other}
    found = th.compare(None, models, **how, **beside).to_dict()
    assert found == th.compare((Rows.event > 0) & (time <= 0.7), models, **beside).to_dict()


@pytest.mark.parametrize("event", [Rows.event > 0, Rows.event], ids=["one cause", "competing"])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int8, np.bool_])
@pytest.mark.parametrize("controls", ["all", "event-free"])
def test_the_table_is_that_of_its_rows_with_their_weights(controls, kind, event):
    score = Rows.risk.astype(kind) if kind in (np.float64, np.float32, np.float16) else (9 * Rows.risk).astype(kind)
    timed = th.Scores.at_time(Rows.time, event, score, 0.7, controls=controls)
    rows = timed._outcome
    weighted = th.Scores(rows.positive[rows.kept], score[rows.kept], sample_weight=rows.mass[rows.kept])
    np.testing.assert_array_equal(timed.thresholds, weighted.thresholds)
    assert timed.thresholds.dtype == weighted.thresholds.dtype
    for name in ("pos", "neg", "_pos_squares", "_neg_squares"):
        np.testing.assert_allclose(getattr(timed, name), getattr(weighted, name), rtol=1e-13, atol=0)
    assert (timed._rows_pos, timed._rows_neg) == (weighted._rows_pos, weighted._rows_neg)


def test_times_of_counted_rows_give_the_weights_of_rows_with_weights():
    rounded = np.ceil(Rows.time * 12)
    for time, t in ((Rows.time, 0.7), (rounded, 8.0), (rounded, 8.5)):
        counted = th.Scores.at_time(time, Rows.event, Rows.risk, t)._outcome
        weighed = th.Scores.at_time(time, Rows.event, Rows.risk, t, sample_weight=np.full(Rows.n, 2.0))._outcome
        np.testing.assert_allclose(weighed.mass, 2.0 * counted.mass, rtol=1e-13)


OPTIONS = [
    {},
    {"controls": "event-free"},
    {"sample_weight": Rows.weight},
    {"strata": Rows.site},
    {"cluster": Rows.family},
    {"censored_at_t": "unknown"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: next(iter(one), "plain"))
def test_a_sum_is_the_table_of_all_rows(options, tmp_path):
    half = np.arange(Rows.n) % 2 == 0
    columns = {name: column for name, column in options.items() if np.ndim(column)}
    more = {name: own for name, own in options.items() if name not in columns}

    def part(rows):
        own = {name: column[rows] for name, column in columns.items()}
        return th.Scores.at_time(Rows.time[rows], Rows.event[rows], Rows.risk[rows], 0.7, **own, **more)

    whole, sites = part(np.arange(Rows.n)), [part(half), part(~half)]
    sites[1].save(tmp_path / "b.scores", compressed=True)
    joined = sites[0] + th.Scores.load(tmp_path / "b.scores")
    for name in ("thresholds", "pos", "neg"):
        np.testing.assert_allclose(getattr(joined, name), getattr(whole, name), rtol=1e-12, atol=1e-14)
    for name in ("roc_auc", "pr_auc", "brier"):
        assert joined.measure(name).standard_error() == pytest.approx(whole.measure(name).standard_error(), rel=1e-10)
    # Adding the sites' own tables would be another, wrong number.
    assert abs(sum(float(site.n_pos) for site in sites) - float(whole.n_pos)) > 1e-6 or "strata" not in options


def test_sums_that_mean_nothing_are_refused():
    a = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7)
    plain = th.Scores(Rows.event == 1, Rows.risk)
    for other, why in (
        (plain, "the other is not"),
        (th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.5), "`t` is 0.7 in one and 0.5"),
        (th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, controls="event-free"), "`controls`"),
        (th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, strata=Rows.site), "`strata`"),
    ):
        with pytest.raises(th.InvalidInputError, match=why):
            a + other
        with pytest.raises(th.InvalidInputError, match="Hint: "):
            other + a
    with pytest.raises(th.InvalidInputError, match="compress the sum"):
        a + a.compress(20)


@pytest.mark.parametrize("compressed", [False, True])
def test_files_and_pickles_keep_the_rows(tmp_path, compressed):
    known = np.where(Rows.time < 0.3, 0.9, 0.8)
    for options in (*OPTIONS, {"entry": np.maximum(Rows.time - 0.6, 0.0) - 0.01}, {"censoring": known}):
        scores = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, **options)
        scores.save(tmp_path / "a.scores", compressed=compressed)
        for again in (th.Scores.load(tmp_path / "a.scores"), pickle.loads(pickle.dumps(scores))):
            assert again == scores
            assert again.pr_auc().standard_error() == scores.pr_auc().standard_error()
    assert scores != th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.65, censoring=known)


def test_a_file_whose_rows_are_not_those_of_its_table_is_refused(tmp_path):
    scores = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7)
    other = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.5)
    table = (scores.thresholds, scores.pos, scores.neg)
    type(scores)._from_table(table, None, scores._weight_squares, None, other._outcome).save(tmp_path / "a.scores")
    with pytest.raises(th.InvalidInputError, match="no scores can have"):
        th.Scores.load(tmp_path / "a.scores")


SMOOTH = [
    name
    for name in th.measures.names()
    if type(th.measures.as_measure(name, **options_of(name))).influence is not th.measures.Measure.influence
]


@pytest.mark.parametrize("options", [{}, {"strata": Rows.site}, {"entry": np.maximum(Rows.time - 0.6, 0) - 0.01}])
@pytest.mark.parametrize("name", SMOOTH)
def test_influence_values_are_derivatives(name, options):
    measure = th.measures.as_measure(name, **options_of(name))
    scores = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, **options)
    if name in ("chi_square", "unit_steps_pr_auc"):
        pytest.skip("refuses weights, as what-works-with-what says")
    found = measure.influence(scores)
    if found is None:
        pytest.skip("a kink")
    u = sampling_of(scores)._by_row(found, "random")
    chained = scores._outcome.chained(u)
    step = 1e-5
    for row in (3, 50, 111, 200, 399):
        values = []
        for sign in (1.0, -1.0):
            weight = np.ones(Rows.n)
            weight[row] += sign * step
            values.append(
                measure.of(th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, sample_weight=weight, **options))
            )
        slope = (values[0] - values[1]) / (2.0 * step)
        assert slope == pytest.approx(chained[row], rel=2e-4, abs=2e-8 + 1e-5 * np.abs(chained).max())


def test_rows_censored_at_t_are_controls_or_unknown():
    time, event, score = [1, 2, 3, 3, 3, 2], [1, 1, 0, 0, 1, 0], [6, 5, 4, 1, 2, 3]
    usual = th.Scores.at_time(time, event, score, 3)
    assert "2 rows censored at t count as event-free" in repr(usual)
    with pytest.raises(th.UndefinedMetricError, match="Hint: t < 3"):
        th.Scores.at_time(time, event, score, 3, censored_at_t="unknown")
    later = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, np.nextafter(0.7, 1))
    peers = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, censored_at_t="unknown")
    np.testing.assert_array_equal(peers.pos, later.pos)
    np.testing.assert_array_equal(peers.neg, later.neg)


def test_known_probabilities_give_the_same_weights_and_no_term():
    estimated = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7)
    rows = estimated._outcome
    known = np.where(rows.kept, 1.0 / np.where(rows.kept, rows.mass, 1.0), 0.5)
    given = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, censoring=known)
    assert given.pr_auc().value == pytest.approx(estimated.pr_auc().value, rel=1e-13)
    assert given.pr_auc().standard_error() > estimated.pr_auc().standard_error()
    assert "weights taken as known" in repr(given)


def test_resamples_estimate_the_weights_again():
    time, event = np.minimum(Rows.event_time, Rows.end), Rows.event_time <= Rows.end
    scores = th.Scores.at_time(time, event, Rows.risk, 1.5)
    influence = influence_of("prevalence", scores)
    held = sampling_of(scores)._base.spread(influence).variance
    full = sampling_of(scores).spread(influence).variance
    assert full < 0.85 * held  # so that holding the weights would be seen

    class Prevalence(th.measures.Measure):
        name = "prevalence_of_rows"
        needs = "scores"

        def values(self, batch):
            pos, neg = batch.totals
            return pos / (pos + neg)

    for family in (None, np.arange(Rows.n)):
        found = th.bootstrap(
            None,
            Rows.risk,
            metric=Prevalence(),
            time=time,
            event=event,
            at=1.5,
            cluster=family,
            n_resamples=2000,
            rng=1,
        )
        assert found.standard_error**2 == pytest.approx(full, rel=0.12)
    drawn = th.bootstrap(None, Rows.risk, metric="pr_auc", time=time, event=event, at=1.5, n_resamples=1000, rng=2)
    assert drawn.standard_error == pytest.approx(scores.pr_auc().standard_error(), rel=0.12)


def test_everything_else_that_a_table_does():
    scores = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7)
    point = scores.choose_threshold(maximize="youden", min_recall=0.5)
    assert scores.choose_threshold(maximize="precision", min_recall=0.6, confidence=0.9).recall >= 0.6
    for figure in ("ppv", "npv"):
        low, high = th.rate_interval({"ppv": "precision"}.get(figure, figure), point)
        assert 0.0 < low < high < 1.0
    for band in (
        scores.roc_band([0.2, 0.5]),
        scores.pr_band([0.3, 0.6]),
        scores.pr_band([0.3, 0.6], prevalence=0.1),
        scores.roc_band([0.2, 0.5], simultaneous=True, rng=1, n_resamples=200),
        scores.pr_band([0.3, 0.6], simultaneous=True, rng=1, n_resamples=200),
        scores.pr_band([0.3, 0.6], method="bootstrap", rng=1, n_resamples=200),
    ):
        assert ((band.low < band.value) & (band.value < band.high)).all()
    curve = scores.decision_curve([0.2, 0.4])
    assert np.isfinite(curve.net_benefit).all()
    calibration = scores.calibration()
    assert calibration.decomposition().mean == pytest.approx(scores.measure("brier").value)
    assert calibration.in_the_large().low < calibration.in_the_large().high
    assert scores.compress(20).roc_auc().confidence_interval().width > 0
    assert scores.measure("fpr_at_recall", recall=0.6).confidence_interval().width > 0


def test_few_rows_that_stand_for_many_are_said():
    late = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 3.0)
    with pytest.warns(th.ThresherWarning, match=r"are followed to t = 3 .* an earlier t, e.g."):
        late.pr_auc().confidence_interval()


def test_few_cases_and_small_strata_are_said():
    few = slice(0, 150)
    with pytest.warns(th.ThresherWarning, match="cases are known by t = 0.1"):
        th.Scores.at_time(Rows.time[few], Rows.event[few], Rows.risk[few], 0.1).roc_auc().standard_error()
    small = np.where(np.arange(Rows.n) < 40, "small", "large")
    with pytest.warns(th.ThresherWarning, match="rows of stratum 'small' are followed to t = 0.7"):
        th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7, strata=small).roc_auc().standard_error()


def test_precision_with_few_cases_has_the_bayesian_interval():
    half = slice(0, 200)
    few = th.Scores.at_time(Rows.time[half], Rows.event[half], Rows.risk[half], 0.1)
    many = th.Scores.at_time(Rows.time, Rows.event, Rows.risk, 0.7)
    with pytest.warns(th.ThresherWarning, match="cases are known"):
        assert few.pr_auc().confidence_interval().method == "bayes"
    assert few.roc_auc().confidence_interval().method == "delong-logit"
    assert many.pr_auc().confidence_interval().method == "logit"
    low, high = few.pr_auc().confidence_interval()
    near, far = few.pr_auc().confidence_interval(method="logit")
    assert low < few.pr_auc().value < high
    assert (high - low) == pytest.approx(far - near, rel=0.25)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"time": np.where(Rows.time > 2, np.nan, Rows.time)}, "`time` must be finite; got nan"),
        ({"event": Rows.event - 1}, "`event` must be booleans, or whole numbers"),
        ({"t": [0.5, 0.7]}, "`th.time_dependent` takes several horizons"),
        ({"cause": 0}, "0 in `event` means censored"),
        ({"cause": 7}, "No row has the event 7; got the codes 1, 2"),
        ({"time": Rows.event > 0, "event": Rows.time}, "`time` and `event` in each other's place"),
        ({"time": 1 * (Rows.event > 0), "event": Rows.event + 3}, "`time` and `event` in each other's place"),
        ({"time": np.zeros(Rows.n, [("dead", "?"), ("days", "f8")])}, r"one by one, such as `y\['days'\]`"),
        ({"entry": Rows.time}, "`entry` must be before `time`"),
        ({"entry": Rows.time - 0.05, "strata": Rows.site}, "leave `strata` out"),
        ({"controls": "none"}, "`controls` must be"),
        ({"censoring": np.zeros(Rows.n)}, "in .0, 1."),
        ({"censoring": np.ones(Rows.n), "strata": Rows.site}, "`strata` must not be given"),
        ({"y_score": Rows.risk[1:]}, "must have the same length"),
        ({"t": 1e-9}, "No event has come by t = 1e-09"),
        ({"t": 99}, "Nobody is known to be free of the event"),
    ],
)
def test_mistakes_have_their_messages(change, message):
    given = {"time": Rows.time, "event": Rows.event, "y_score": Rows.risk, "t": 0.7} | change
    with pytest.raises(th.ThresherError, match=message):
        th.Scores.at_time(**given)
