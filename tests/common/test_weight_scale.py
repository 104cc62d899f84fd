"""Only ratios of weights count: every public function that takes weights, found by its signature, and every measure."""

from __future__ import annotations

import inspect
import warnings
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import thresher as th
import thresher.metrics
import thresher.sklearn
from support.measures import options_of
from support.thorough import dear
from thresher.measures import names

sklearn = pytest.importorskip("sklearn")
WORDS = {"sample_weight", "pos_weight", "pos_squares"}
RNG = np.random.default_rng(11)
N = 120
Y = RNG.random(N) < 0.4
S = 1.0 / (1.0 + np.exp(-(RNG.normal(size=N) + 1.5 * Y - 0.7).round(1)))
W = RNG.uniform(0.3, 3.0, N)
X = np.column_stack([S, RNG.normal(size=N)])
CLASSES = RNG.integers(0, 3, N)
THREE = RNG.dirichlet((2.0, 1.0, 1.0), N)
MANY = RNG.random((N, 3)) < 0.5
MANY[0], MANY[1] = True, False


def takes_weights(call) -> bool:
    try:
        return bool(WORDS & set(inspect.signature(call).parameters))
    except (TypeError, ValueError):
        return False


def public() -> set[str]:
    """Return every public function, class and method that takes weights."""
    found = set()
    for module in (th, th.metrics, th.sklearn):
        for name in module.__all__:
            thing = getattr(module, name)
            own = f"{module.__name__.removeprefix('thresher').lstrip('.')}.{name}".lstrip(".")
            if callable(thing) and takes_weights(thing):
                found.add(own)
            if inspect.isclass(thing):
                found |= {
                    f"{own}.{method}"
                    for method, call in inspect.getmembers(thing, callable)
                    if not method.startswith("_") and takes_weights(call)
                }
    return found


def multiclass_numbers(found) -> list[float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        averages = [found.macro(), found.weighted("pr_auc"), found.micro()]
        if isinstance(found, th.results.Multiclass):
            averages += [found.hand_till(), found.one_vs_one(weighted=True), found.top_k(2), found.brier()]
    return [number for one in averages for number in (one.value, one.standard_error, *one.confidence_interval())]


def table(scores: th.Scores) -> list[float]:
    area = scores.roc_auc()
    return [area.value, area.standard_error(), *scores.roc().tpr, *scores.pr().precision]


def logistic():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


@cache
def fitted():
    return logistic().fit(X, Y)


@cache
def cross_validated():
    from sklearn.model_selection import cross_validate

    return cross_validate(logistic(), X, Y, cv=3, return_estimator=True, return_indices=True)


def drawn(display) -> list[float]:
    """Return the points of all lines of a display."""
    import matplotlib.pyplot as plt

    figures = [getattr(display, "figure_", None) or display.ax_.figure]
    points = [
        number for figure in figures for ax in figure.axes for line in ax.lines for number in line.get_xydata().flat
    ]
    for figure in figures:
        plt.close(figure)
    return points


def scanned(w):
    pytest.importorskip("pyarrow")
    import pyarrow as pa

    rows = pa.table({"y": Y, "s": S, "w": w})
    return table(th.scan(rows, y_true="y", y_score="s", sample_weight="w"))


def framed(w):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"y": Y, "s": S, "w": w})
    return table(th.Scores.from_frame(frame, y_true="y", y_score="s", sample_weight="w"))


def sketched(w):
    sketch = th.Sketch(max_points=60)
    sketch.update(Y, S, sample_weight=w)
    return [sketch.to_scores().roc_auc().value, sketch.to_scores().roc_auc().standard_error()]


def sketched_by_key(w):
    sketches = th.Sketches(max_points=60)
    sketches.update(np.where(S > 0, "a", "b"), Y, S, sample_weight=w)
    return [sketch.to_scores().roc_auc().value for sketch in sketches.values()]


def from_counts(w):
    whole = th.Scores(Y, S, sample_weight=w)
    squares = {"pos_squares": whole._pos_squares, "neg_squares": whole._neg_squares}
    return table(th.Scores.from_counts(whole.thresholds, whole.pos, whole.neg, **squares))


def all_numbers(results) -> list[float]:
    return [number for one in results for number in np.ravel(one).tolist()]


@cache
def classifier():
    return th.sklearn.AchievableClassifier(logistic(), min_recall=0.7, pos_label=True).fit(X, Y)


TIME = np.round(RNG.exponential(np.exp(0.5 - S)), 2) + 0.01
EVENT = RNG.random(N) < 0.7


def at_horizons(w):
    found = th.time_dependent(TIME, EVENT, {"a": S, "b": X[:, 1]}, [0.4, 0.9], sample_weight=w)
    areas = found.measure("roc_auc")
    return all_numbers((areas.value, areas.standard_error, areas.low, areas.high))


CALLS = {
    "Scores": lambda w: table(th.Scores(Y, S, sample_weight=w)),
    "Scores.at_time": lambda w: table(th.Scores.at_time(TIME, EVENT, S, 0.6, sample_weight=w)),
    "Scores.from_counts": from_counts,
    "Scores.from_frame": framed,
    "Scores.from_pos_neg": lambda w: table(th.Scores.from_pos_neg(S[Y], S[~Y], pos_weight=w[Y], neg_weight=w[~Y])),
    "Scores.from_soft_labels": lambda w: table(th.Scores.from_soft_labels(THREE[:, 0], S, sample_weight=w)),
    "Sketch.update": sketched,
    "Sketches.update": sketched_by_key,
    "bootstrap": lambda w: th.bootstrap(Y, S, sample_weight=w, n_resamples=40, rng=1).replicates,
    "scan": scanned,
    "sklearn.AchievableClassifier.score": lambda w: [classifier().score(X, Y, sample_weight=w)],
    "by_group": lambda w: all_numbers(
        (one.value, one.low, one.high) for one in th.by_group(Y, S, CLASSES, sample_weight=w).intervals()
    ),
    "compare": lambda w: all_numbers(
        (pair.difference, pair.low, pair.high, pair.pvalue)
        for metric in ("roc_auc", "pr_auc", "brier")
        for pair in th.compare(Y, {"a": S, "b": X[:, 1] ** 2 / 9}, metric=metric, sample_weight=w, rng=1).pairs
    ),
    "compare_calls": lambda w: all_numbers(
        (one.difference, one.low, one.high, one.pvalue)
        for one in th.compare_calls(
            Y, {"a": S > 0.5, "b": X[:, 1] > 0.0}, metrics=["recall", "mcc"], sample_weight=w
        ).figures
    ),
    "compare_source": lambda w: all_numbers(
        (pair.difference, pair.low, pair.high, pair.pvalue)
        for pair in th.compare_source(
            pa.table({"y": Y, "a": S, "b": X[:, 1], "w": w}), y_true="y", y_score=["a", "b"], sample_weight="w"
        ).pairs
    ),
    "sklearn.cross_val_scores": lambda w: table(
        th.sklearn.cross_val_scores(logistic(), X, Y, cv=3, sample_weight=w).pooled
    ),
    "sklearn.cross_val_scores_by_class": lambda w: all_numbers(
        table(one.pooled)
        for one in th.sklearn.cross_val_scores_by_class(logistic(), X, CLASSES, cv=3, sample_weight=w).values()
    ),
    "time_dependent": at_horizons,
    "multiclass": lambda w: multiclass_numbers(th.multiclass(CLASSES, THREE, sample_weight=w)),
    "multilabel": lambda w: multiclass_numbers(th.multilabel(MANY, THREE, sample_weight=w)),
    "estimates": lambda w: all_numbers(
        th.estimates(Y, {"a": S, "b": X[:, 1]}, metrics=["roc_auc", "pr_auc"], sample_weight=w).covariance()
    ),
    "metrics.average_precision_score": lambda w: [th.metrics.average_precision_score(Y, S, sample_weight=w)],
    "metrics.roc_auc_score": lambda w: [th.metrics.roc_auc_score(Y, S, sample_weight=w)],
    "metrics.roc_curve": lambda w: all_numbers(th.metrics.roc_curve(Y, S, sample_weight=w)[:2]),
    "metrics.det_curve": lambda w: all_numbers(th.metrics.det_curve(Y, S, sample_weight=w)[:2]),
    "metrics.precision_recall_curve": lambda w: all_numbers(
        th.metrics.precision_recall_curve(Y, S, sample_weight=w)[:2]
    ),
    # Sums of weights by contract: their ratios are what must stay.
    "metrics.confusion_matrix_at_thresholds": lambda w: all_numbers(
        column / w.sum() for column in th.metrics.confusion_matrix_at_thresholds(Y, S, sample_weight=w)[:4]
    ),
    "metrics.coverage_error": lambda w: [th.metrics.coverage_error(MANY, THREE, sample_weight=w)],
    "metrics.label_ranking_average_precision_score": lambda w: [
        th.metrics.label_ranking_average_precision_score(MANY, THREE, sample_weight=w)
    ],
    "metrics.label_ranking_loss": lambda w: [th.metrics.label_ranking_loss(MANY, THREE, sample_weight=w)],
    "metrics.dcg_score": lambda w: [th.metrics.dcg_score(1.0 * MANY, THREE, sample_weight=w)],
    "metrics.ndcg_score": lambda w: [th.metrics.ndcg_score(1.0 * MANY, THREE, sample_weight=w)],
    "metrics.top_k_accuracy_score": lambda w: [th.metrics.top_k_accuracy_score(CLASSES, THREE, k=2, sample_weight=w)],
}
DISPLAYS = {
    "from_predictions": lambda display, w: display.from_predictions(Y, S, sample_weight=w),
    "from_estimator": lambda display, w: display.from_estimator(fitted(), X, Y, sample_weight=w),
    "from_cv_results": lambda display, w: display.from_cv_results(cross_validated(), X, Y, sample_weight=w),
}


def of_display(name):
    place, _, method = name.rpartition(".")
    module, _, display = place.rpartition(".")
    owner = getattr(getattr(th, module) if module else th, display)
    return lambda w: drawn(DISPLAYS[method](owner, w))


def call_of(name):
    return of_display(name) if "Display." in name else CALLS[name]


# All but scikit-learn's own, for routing; drawings, which take long, come last.
EVERY = sorted(
    public() - {"sklearn.AchievableClassifier.set_score_request"}, key=lambda name: ("Display." in name, name)
)


def test_every_one_is_called_here():
    assert {name for name in EVERY if "Display." not in name} == set(CALLS)


@pytest.mark.parametrize("name", dear(EVERY, len(CALLS) + 1))
def test_scale_of_weights(name):
    if "Display." in name:
        pytest.importorskip("matplotlib").use("agg")
    call = call_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = np.array(call(W), dtype=float)
        assert one.size
        assert np.array_equal(np.array(call(W * 2.0**20), dtype=float), one, equal_nan=True)
        assert np.array(call(W * 1e-6), dtype=float) == pytest.approx(one, rel=1e-12, abs=1e-12, nan_ok=True)


def interval(name: str, w) -> list[float] | str:
    """Return value and interval, or in which words it is refused."""
    try:
        found = th.Scores(Y, S, sample_weight=w).measure(name, **options_of(name))
        return [found.value, *found.confidence_interval(rng=1, n_resamples=50)]
    except th.InvalidInputError as error:
        return str(error)


@pytest.mark.parametrize("name", names())
def test_scale_of_weights_in_every_measure(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, power, other = (interval(name, W * scale) for scale in (1.0, 2.0**-20, 1e6))
    if isinstance(one, str):
        assert "rows" in one or "weights" in one, one  # refused for the weights, and in the same words at every scale
        assert one == power == other
        return
    assert power == one
    near = {"abs": 2e-7} if name.endswith(("at_recall", "at_fpr", "at_precision")) else {"rel": 1e-12, "abs": 1e-12}
    assert other == pytest.approx(one, nan_ok=True, **near)
