"""One instance of every public result: frozen to the last array, equal to its like, and whole after a journey."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import thresher as th
from thresher import population as pop
from thresher import sklearn as ths

# Not results: they change (`Sketch`, `Sketches`), draw, or belong to scikit-learn.
NOT_RESULTS = {
    th.Sketch,
    th.Sketches,
    th.plotting.CalibrationDisplay,
    th.plotting.ClassesDisplay,
    th.plotting.CostCurveDisplay,
    th.plotting.DecisionCurveDisplay,
    th.plotting.DetCurveDisplay,
    th.plotting.ForestDisplay,
    th.plotting.GainCurveDisplay,
    th.plotting.LiftCurveDisplay,
    th.plotting.LinkedDisplay,
    th.plotting.MurphyDisplay,
    th.plotting.PrCurveDisplay,
    th.plotting.PrGainDisplay,
    th.plotting.ReadersDisplay,
    th.plotting.RocCurveDisplay,
    ths.AchievableClassifier,
    pop.Distribution,  # an abstract class
}
CASE_A = pop.CASES["A"]


def readings(seed: int) -> pd.DataFrame:
    """Return the ratings of a small study."""
    rng = np.random.default_rng(seed)
    modality, reader, case = (index.ravel() for index in np.indices((2, 4, 40)))
    truth = case % 2
    return pd.DataFrame(
        {
            "modality": modality.astype(str),
            "reader": reader,
            "case": case,
            "truth": truth,
            "rating": np.round(rng.normal(size=case.size) + rng.normal(size=40)[case] + truth, 1),
        }
    )


def make(seed: int) -> dict[str, object]:
    """Return every public result of small data; other seeds give other data."""
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 3 == 0
    score = np.round(rng.normal(size=40) + y, 1)
    other = np.round(rng.normal(size=40) + y, 1)
    scores = th.Scores(y, score)
    weighted = th.Scores(y, score, sample_weight=rng.uniform(0.5, 2.0, 40))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "One case decides", th.ThresherWarning)
        compared = th.compare(y, {"a": score, "b": other, "c": -other})
    tuned = th.tune(scores, min_recall=0.5 + seed / 100)
    binormal = th.Population(stats.norm(1.4 + seed, 1), stats.norm(0, 1), prevalence=0.2)
    groups = np.repeat(["q", "r", "s", "t"], 10)
    grouped = th.by_group(y, score, groups)
    features = rng.normal(size=(60, 2))
    lists = th.queries.RankedLists(
        query=np.repeat(["q", "r"], 20),
        document=np.arange(40).astype(str),
        y_score=score,
        y_true=y,
        judged=np.ones(40, dtype=bool),
        unseen={"q": 0, "r": seed},
    )
    probable = th.Scores(y, np.round(1 / (1 + np.exp(-score)), 2))
    calibration = probable.calibration()
    study = th.readers(readings(seed))
    read = study.measure()
    folds = ths.cross_val_scores(GaussianNB(), features, np.arange(60) % 2, cv=3)
    plain = ths.cross_val_scores(DecisionTreeClassifier(max_depth=1), features, np.arange(60) % 2, cv=3)
    return {
        "estimates": th.estimates(y, {"a": score, "b": other}, metrics=["roc_auc", "average_precision"]),
        "combined estimate": th.estimates(y, {"a": score, "b": other}).mean(),
        "simultaneous": th.estimates(y, {"a": score, "b": other}).simultaneous(),
        "multiclass": th.multiclass(np.arange(60) % 3, features @ [[1, 0, 1], [0, 1, 1]]),
        "multilabel": th.multilabel(np.c_[y, ~y], np.c_[score, other], labels=["in", "out"]),
        "class comparison": th.multiclass(np.arange(60) % 3, features @ [[1, 0, 1], [0, 1, 1]]).compare(
            th.multiclass(np.arange(60) % 3, features @ [[1, 1, 0], [0, 1, 2]])
        ),
        "ranks": th.estimates(y, {"a": score, "b": other}).ranking(),
        "chosen": scores.choose_threshold("mcc", min_recall=0.3 + seed / 100),
        "optimism": scores.choose_threshold("mcc").optimism(n_resamples=20, rng=seed),
        "metric curve": scores.metric_curve("mcc", "f1", x="recall"),
        "metric table": scores.metric_table(["precision", "recall"], top=[0.1, 0.3]),
        "supposed calls": th.planning.SupposedCalls(0.9, 0.1 + seed / 100),
        "guaranteed": scores.choose_threshold(min_recall=0.5, confidence=0.8),
        "decision curve": probable.decision_curve([0.1, 0.3]),
        "cut-off figure": scores.roc().at(threshold=0.5).lr_positive(),
        "diagnostic table": scores.diagnostic_table(threshold=0.5),
        "calls": th.compare_calls(y, score > 0.5, other > 0.5),
        "calibration": calibration,
        "decomposition": calibration.decomposition(),
        "null": calibration.decomposition().null(n_resamples=20, rng=seed),
        "murphy": calibration.murphy([0.2, 0.5]),
        "in the large": calibration.in_the_large(),
        "logistic": calibration.logistic(),
        "calibration test": calibration.test("spiegelhalter"),
        "calibrator": th.Calibrator.fit(probable),
        "prevalence": th.estimate_prevalence(scores, other, n_resamples=20, rng=seed),
        "scores": scores,
        "weighted": weighted,
        "compressed": scores.compress(20),
        "kept": th.scan([(y, score), (y, other)], max_points=20),
        "unpickled": pickle.loads(pickle.dumps(scores)),
        "roc": scores.roc(),
        "hull": scores.roc().hull(),
        "pr": scores.pr(prevalence=0.1, start="one"),
        "points": th.RocCurve.from_points([0.1, 0.2 + seed / 100], [0.5, 0.6], n_pos=20, n_neg=100),
        "achievable": scores.achievable_pr(),
        "det": scores.det(),
        "lift": scores.lift(),
        "gain": scores.gain(),
        "cost": scores.cost_curve(),
        "pr_gain": scores.pr_gain(),
        "mix": scores.achievable_pr().mix(recall=0.31 + seed / 100),
        "point": scores.roc().at(fpr=0.31 + seed / 100),
        "dominance": th.dominates(scores, th.Scores(y, -score)),
        "rate_error_bound": scores.compress(20).roc().rate_error_bound,
        "roc_auc": scores.roc_auc(),
        "partial": scores.partial_roc_auc(fpr=(0.0, 0.5)),
        "pr_auc": scores.pr_auc(normalize=True),
        "compressed area": scores.compress(20).pr_auc(estimator="average_precision"),
        "interval": scores.roc_auc().confidence_interval(),
        "cortes_mohri": th.cortes_mohri(20, 30, 5 + seed),
        "proportions": th.proportion_interval([3 + seed, 4], [10, 20]),
        "proportion": th.proportion_interval(3 + seed, 10),
        "rate": th.rate_interval("recall", scores.roc().at(threshold=0.1 + seed / 10)),
        "moments": th.auc_moments(5, 5 + seed, [[1, 2], [3, 4]]),
        "one moment": th.auc_moments(5, 5 + seed, 1),
        "roc band": scores.roc_band([0.1, 0.5]),
        "pr band": scores.pr_band([0.1, 0.5], simultaneous=True, rng=seed),
        "summary": th.summary({"a": scores, "b": th.Scores(y, other)}),
        "gate": th.gate(score, other, y_true=y),
        "bootstrap": th.bootstrap(y, score, n_resamples=20, rng=seed),
        "resampling": th.results.Resampling(n_resamples=20 + seed, rng=seed),
        "compare": compared,
        "pair": compared.pairs[0],
        "omnibus": compared.omnibus,
        "venkatraman": th.compare(y, {"a": score, "b": other}, method="venkatraman", n_resamples=20, rng=seed),
        "unpaired": th.compare_unpaired(scores, th.Scores(y, other)),
        "many": th.roc_auc_many(y, np.stack((score, other), axis=1)),
        "tune": tuned,
        "evaluate": tuned.evaluate(th.Scores(y, other)),
        "threshold_interval": scores.threshold_interval(min_recall=0.5, n_resamples=20, rng=seed),
        "sample_size": th.sample_size(binormal, half_width=0.1, n_replicates=5, rng=seed),
        "power": th.power(binormal, CASE_A, n=100),
        "example": th.datasets.load_digits_eight(),
        "Population": binormal,
        "Discrete": pop.Discrete([1, 2, 3 + seed], [0.5, 0.3, 0.2]),
        "Mixture": pop.Mixture([stats.norm(2 + seed, 1), pop.Discrete([1.0])], weights=[0.7, 0.3]),
        "affine": pop.affine(stats.lognorm(s=1), shift=8 + seed, scale=-1),
        "transformed": pop.transformed(stats.norm(seed, 1), np.exp, inverse=np.log),
        "fit": th.Population.fit(scores),
        "fit_result": th.Population.fit(scores).fit_result,
        "area": binormal.pr_auc(),
        "jump": th.Population(pop.Discrete([1, 2 + seed]), stats.norm(1, 1), prevalence=0.2).pr_jumps()[0],
        "limits": binormal.limits(prevalence=0.1 + seed / 100),
        "shape": binormal.shape(),
        "case": CASE_A,
        "cross_val": folds,
        "by_group": grouped,
        "intervals of groups": grouped.intervals(),
        "gaps": th.by_group(np.tile([0, 1], 20), score, np.repeat(["q", "r"], 20)).gaps(),
        "cross-validated area": folds.measure("pr_auc"),
        "difference over folds": folds.compare(plain),
        "nested": ths.nested_cross_val(GaussianNB(), features, np.arange(60) % 2, n_splits=3, n_repeats=1, rng=seed),
        "difference": grouped.compare(th.by_group(y, other, groups)),
        "lists": lists,
        "study": study,
        "readers": read,
        "mean of readers": read.means[0],
        "difference of readers": read.differences[0],
        "omnibus of readers": read.omnibus,
        "components": read.components,
        "reader": read.by_reader[0],
        "reading": read.cells[0],
        "non-inferiority": read.noninferiority("0", margin=0.1 + seed / 100),
        "reader power": read.power(0.05, readers=6 + seed),
        "reader sizes": read.sample_size(0.05, readers=[6 + seed, 9]),
        "reader example": th.datasets.load_reader_study(),
        "by_query": lists.by_query(),
    }


built = cache(make)
built_again = cache(lambda: make(0))
NAMES = list(built(0))
# The same whatever the data.
CONSTANT = {"case", "example", "reader example", "shape"}


def looked_at(result: object) -> dict[str, object]:
    """Return the public attributes of a result that are not methods."""
    found = {}
    for name in dir(type(result)):
        if name.startswith("_") or name in dir(float):
            continue
        try:
            part = getattr(result, name)
        except th.ThresherError:  # figures of one pair, where there are several
            continue
        if not callable(part):
            found[name] = part
    return found


def arrays_in(part: object) -> list[np.ndarray]:
    if isinstance(part, np.ndarray):
        return [part]
    if isinstance(part, Mapping):
        part = tuple(part.values())
    if isinstance(part, tuple):
        return [array for item in part for array in arrays_in(item)]
    return []


def check_frozen(result: object) -> None:
    for name, part in looked_at(result).items():
        if isinstance(part, list):  # of values, and the caller's own: another one each time
            assert getattr(result, name) is not part, name
            part = tuple(part)
        assert not isinstance(part, set | bytearray), name
        for array in arrays_in(part):
            assert not array.flags.writeable, name
            with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
                array.setflags(write=True)


def check_whole(result: object, back: object) -> None:
    assert type(back) is type(result)
    assert repr(back) == repr(result)
    assert back == result
    for item in nested(back):
        check_frozen(item)


def public_types() -> set[type]:
    exported = [getattr(module, name) for module in (th, pop, ths) for name in module.__all__]
    return {
        item
        for item in exported
        if inspect.isclass(item) and not issubclass(item, Exception) and item not in NOT_RESULTS
    }


def nested(result: object) -> list[object]:
    """Return a result and the results in its public attributes."""
    found: list[object] = []
    todo: list[tuple[object, frozenset[type]]] = [(result, frozenset())]
    while todo:
        item, above = todo.pop()
        if isinstance(item, tuple | Mapping) and not hasattr(item, "_fields"):
            todo += [(part, above) for part in (item.values() if isinstance(item, Mapping) else item)]
        elif type(item).__module__.startswith("thresher") and type(item) not in above:  # some know what knows them
            found.append(item)
            inside = above | {type(item)}
            todo += [(part, inside) for part in looked_at(item).values() if not isinstance(part, np.ndarray)]
    return found


def test_no_public_result_is_left_out():
    met = {type(item) for result in built(0).values() for item in nested(result)}
    assert public_types() - met == set()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_result_can_be_written_to(name):
    for result in nested(built(0)[name]):
        check_frozen(result)


@pytest.mark.parametrize("name", NAMES)
def test_no_attribute_can_be_set_or_deleted(name):
    for result in nested(built(0)[name]):
        known = [*looked_at(result)][:1]
        for attribute in ("no_such_attribute", *known):
            with pytest.raises(AttributeError) as caught:
                setattr(result, attribute, 1)
            if not isinstance(result, tuple):
                kind = type(result).__name__
                assert str(caught.value) == f"{kind} is frozen; cannot set {attribute!r}. Hint: build a new one."
            with pytest.raises(AttributeError):
                delattr(result, attribute)


@pytest.mark.some(98)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "journey",
    [lambda x: pickle.loads(pickle.dumps(x)), lambda x: pickle.loads(pickle.dumps(x, protocol=2)), copy.deepcopy],
    ids=["pickle", "pickle 2", "deepcopy"],
)
def test_a_result_is_whole_after_a_journey(name, journey):
    result = built(0)[name]
    back = journey(result)
    check_whole(result, back)
    if hasattr(result, "remarks"):
        assert back.remarks() == result.remarks()


@pytest.mark.optional
@pytest.mark.parametrize("module", ["cloudpickle", "pyspark.cloudpickle"])
def test_results_are_whole_after_a_journey_by(module):
    """Spark sends what its functions hold in this way."""
    courier = pytest.importorskip(module, reason=f"{module}, which `.ci/optional` installs, is not installed")
    for result in built(0).values():
        check_whole(result, pickle.loads(courier.dumps(result)))
        held = pickle.loads(courier.dumps(lambda held=result: held))
        check_whole(result, held())


@pytest.mark.optional
def test_results_are_whole_after_a_journey_to_a_worker_of_dask():
    distributed = pytest.importorskip(
        "distributed", reason="distributed, which `.ci/optional` installs, is not installed"
    )
    results = built(0)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        sent = {name: client.submit(copy.copy, result, pure=False) for name, result in results.items()}
        for name, future in sent.items():
            check_whole(results[name], future.result(timeout=60))


@pytest.mark.parametrize("name", NAMES)
def test_results_of_equal_data_are_equal_and_of_other_data_are_not(name):
    result, again, other = built(0)[name], built_again()[name], built(1)[name]
    assert result == again
    assert not result != again  # noqa: SIM202  # the other operator
    assert result != object()
    assert (result == other) == (name in CONSTANT)
    try:
        value = hash(result)
    except TypeError:
        return
    assert hash(again) == value


def test_curves_compare_by_what_they_say():
    scores = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    assert scores.roc().to_pr() == scores.pr()
    assert scores.pr().to_roc() == scores.roc()
    assert scores.pr() != scores.pr(start="one")
    assert scores.pr() != scores.pr(prevalence=0.2)
    assert scores.pr() != scores.roc()
    assert scores.achievable_pr() != scores.roc().hull().to_pr()


def test_areas_compare_by_what_was_asked_for():
    scores = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    assert scores.roc_auc() == scores.roc_auc()
    assert scores.pr_auc() != scores.pr_auc(estimator="average_precision")
    assert scores.pr_auc() != scores.roc_auc()


def test_a_mapping_of_a_result_is_a_dict_that_refuses_changes():
    estimates = th.summary({name: th.Scores([0, 1, 1], [1, 2, 3]) for name in "abc"}).estimates
    assert estimates == dict(estimates)
    assert repr(estimates) == repr(dict(estimates))
    for change in (
        lambda: estimates.update(a=()),
        lambda: estimates.pop("a"),
        lambda: estimates.__setitem__("a", ()),
        estimates.clear,
    ):
        with pytest.raises(TypeError, match="read-only"):
            change()
    assert list(estimates) == ["a", "b", "c"]


def test_what_the_caller_gave_stays_writable():
    y, score = np.array([0, 1, 1, 0, 1, 0]), np.array([0.1, 0.9, 0.4, 0.3, 0.8, 0.5])
    grid, errors, weights = np.array([0.1, 0.5]), np.array([1, 2]), np.ones(6)
    scores = th.Scores(y, score, sample_weight=weights)
    th.Scores(y, score).roc_band(grid)
    th.Scores(y, score).pr_band(grid)
    th.auc_moments(3, 3, errors)
    th.proportion_interval(errors, 5)
    th.Scores.from_counts(score, y, 1 - y)
    th.RocCurve.from_points(grid, grid, n_pos=10, n_neg=10, thresholds=np.array([2.0, 1.0]))
    pop.Discrete(score, weights)
    th.by_group(y, score, np.array(list("aabbcc")))
    lists = th.queries.RankedLists(np.array(list("qqqqqq")), np.array(list("abcdef")), score, y == 1, y >= 0, {"q": 0})
    assert lists.y_score is not score
    assert scores.n_pos == 3
    for array in (y, score, grid, errors, weights):
        assert array.flags.writeable


def test_shared_populations_cannot_be_changed():
    for shared in (pop.CASES, CASE_A, CASE_A.pos, pop.CASES["F"].neg):
        with pytest.raises(AttributeError, match="is frozen; cannot set 'foo'"):
            shared.foo = 1
    with pytest.raises(TypeError):
        pop.FAMILIES["binormal"] = ()
