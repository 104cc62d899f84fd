"""Weights that all rows have in common are no weights, in every measure and verb; weights of a class have no unit."""

from __future__ import annotations

import pickle
import re
import warnings

import numpy as np
import pytest

import thresher as th
from thresher._decide import corrected_target, target_of
from thresher.measures import names

RNG = np.random.default_rng(5)
N = 160
Y = RNG.random(N) < 0.4
S = 1.0 / (1.0 + np.exp(-(RNG.normal(size=N) + 1.5 * Y - 0.7).round(1)))
OTHER = 1.0 / (1.0 + np.exp(-(RNG.normal(size=N) + 1.1 * Y - 0.7).round(1)))
CLUSTER = RNG.integers(0, 40, N)
ONES = np.ones(N)
BY_CLASS = np.where(Y, 0.6875, 2.75)
THIRDS = np.arange(N) % 3
SINGLE = RNG.uniform(0.3, 2.0, N)
# (weights, the same times a factor, how near the figures must be)
SCALED = {
    "all 2": (ONES, np.full(N, 2), 1e-12),
    "all 0.1": (ONES, np.full(N, 0.1), 1e-12),
    "all 1e8": (ONES, np.full(N, 1e8), 1e-12),
    "all a third, nearly": (ONES, (1 + 1e-13 * RNG.random(N)) / 3, 1e-12),
    "by class x 1e-6": (BY_CLASS, BY_CLASS * 1e-6, 1e-9),
    "by class / 3": (BY_CLASS, BY_CLASS / 3, 1e-9),
    "by class x 7, nearly": (BY_CLASS, BY_CLASS * 7 * (1 + 1e-13 * RNG.random(N)), 1e-9),
    "by row x 1e-6": (SINGLE, SINGLE * 1e-6, 1e-9),
}
OPTIONS = {
    "rate": "recall",
    "threshold": 0.5,
    "recall": 0.6,
    "precision": 0.6,
    "fpr": 0.2,
    "depth": 20,
    "threshold_probability": 0.3,
    "fraction": 0.1,
}


def numbers(found) -> list[float]:
    """Return all numbers of a result, in order."""
    if isinstance(found, bool | int | float | np.number):
        return [float(found)]
    if isinstance(found, np.ndarray):
        return found.astype(float).ravel().tolist() if found.dtype.kind in "iufb" else []
    if isinstance(found, dict):
        # Cells at a threshold, and the counts of a diagnostic table, are sums of weights.
        sums = ("tp", "fp", "fn", "tn", "n_pos", "n_neg", "base_n_pos", "base_n_neg", "count", "total")
        return [number for key, part in found.items() if key not in sums for number in numbers(part)]
    if isinstance(found, list | tuple):
        return [number for part in found for number in numbers(part)]
    return numbers(found.to_dict()) if hasattr(found, "to_dict") else []


def answer(call, *args) -> list[float] | str:
    """Return the numbers of a call, or in which words it is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = numbers(call(*args))
        except th.ThresherError as error:
            return str(error)
    assert found
    return found


def agree(call, kind: str) -> None:
    weight, scaled, near = SCALED[kind]
    one, other = answer(call, weight), answer(call, scaled)
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
    else:
        assert other == pytest.approx(one, rel=near, abs=1e-12, nan_ok=True)


def asked(call, name: str):
    """Return what a call gives, each option of the measure at an example if it must be given."""
    options: dict[str, object] = {}
    while True:
        try:
            return call(**options)
        except th.InvalidInputError as error:
            asked = re.match(r"`(\w+)` (must be given|takes exactly one of `(?P<first>\w+)`)", str(error))
            if asked is None:
                raise
            missing = asked["first"] or asked[1]
            assert missing not in options
            options[missing] = (0.0, 0.3) if name == "partial_roc_auc" else OPTIONS[missing]


def measured(scores: th.Scores, name: str) -> list[float]:
    """Return value, interval and standard error of a measure."""
    found = asked(lambda **options: scores.measure(name, **options), name)
    out = [found.value, *found.confidence_interval(rng=1, n_resamples=50)]
    try:
        return [*out, found.standard_error(rng=1, n_resamples=50)]
    except th.InvalidInputError:  # an interval without one
        return [*out, found.standard_error("bootstrap", rng=1, n_resamples=50)]


@pytest.mark.some(40)
@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("name", names())
def test_measures(name, kind):
    agree(lambda weight: measured(th.Scores(Y, S, sample_weight=weight), name), kind)


def unpaired(metric, t, w):
    return th.compare_unpaired(t, th.Scores(Y[::2], OTHER[::2], sample_weight=w[::2]), metric=metric, rng=1)


def at_half(t):
    return t.roc().at(threshold=0.5)


def parts(calibration):
    found = calibration.decomposition()
    return [found.mean, found.miscalibration, found.discrimination, found.uncertainty]


VERBS = {
    "roc_band": lambda t, w: t.roc_band(rng=1),
    "roc_band, simultaneous": lambda t, w: t.roc_band(simultaneous=True, rng=1),
    "pr_band": lambda t, w: t.pr_band(rng=1),
    "pr_band, simultaneous": lambda t, w: t.pr_band(simultaneous=True, rng=1),
    "pr_gain_band": lambda t, w: t.pr_gain_band(rng=1),
    "pr_gain_interval": lambda t, w: list(t.pr_gain_interval(n_resamples=50, rng=1)),
    "choose_threshold": lambda t, w: t.choose_threshold("youden"),
    "guaranteed recall": lambda t, w: t.choose_threshold(min_recall=0.6, confidence=0.9),
    "guaranteed FPR": lambda t, w: t.choose_threshold(max_fpr=0.4, confidence=0.9),
    "guaranteed FPR, too few": lambda t, w: t.choose_threshold(max_fpr=0.001, min_recall=0.1, confidence=0.9),
    "guaranteed precision": lambda t, w: t.choose_threshold(min_precision=0.4, confidence=0.9),
    "calibration test": lambda t, w: t.calibration().test(n_resamples=50, rng=1),
    "calibration band": lambda t, w: t.calibration().band(),
    "decision_curve": lambda t, w: t.decision_curve(),
    "choose_threshold, max_alerts": lambda t, w: t.choose_threshold(max_alerts=40),
    "choose_threshold, max_chi_square": lambda t, w: t.choose_threshold(max_chi_square=20),
    "choose_threshold, cost": lambda t, w: t.choose_threshold(minimize="cost", cost_fp=1, cost_fn=5),
    "randomised mixture": lambda t, w: t.choose_threshold(min_recall=0.63, mix=True),
    "optimism": lambda t, w: t.choose_threshold("mcc").optimism(n_resamples=20, rng=1),
    "optimism of a constraint": lambda t, w: corrected_target(t, target_of(None, min_recall=0.8), n_resamples=20)[1],
    "metric_curve": lambda t, w: t.metric_curve("mcc", "precision", x="depth").values,
    "metric_curve, chi_square": lambda t, w: t.metric_curve("chi_square").values,
    "metric_curve, band": lambda t, w: t.metric_curve("precision").band(),
    "metric_table": lambda t, w: [
        one for row in t.metric_table(["precision", "mcc"], top=[0.1]).estimates for one in row
    ],
    "metric_table, alerts": lambda t, w: t.metric_table(["recall"], alerts=[30]).estimates[0][0],
    "gate": lambda t, w: th.gate(t, th.Scores(Y[::2], OTHER[::2], sample_weight=w[::2])),
    "dominates": lambda t, w: th.dominates(t, th.Scores(Y[::2], OTHER[::2], sample_weight=w[::2])),
    "pr_function": lambda t, w: t.pr_function([0.2, 0.5]),
    "curves": lambda t, w: [
        t.roc().tpr,
        t.det().fnr,
        t.pr_gain().recall_gain,
        t.lift().lift,
        t.cost_curve().expected_cost,
    ],
    "sample_size": lambda t, w: th.sample_size(metric="roc_auc", pilot=t, half_width=0.06).n,
    "proportions": lambda t, w: [t.prevalence, t.roc().at(fpr=0.3).tpr, t.pr().at(recall=0.5).precision],
    "calibration": lambda t, w: parts(t.calibration()),
    "shifted calibration": lambda t, w: parts(t.calibration(prevalence=0.1, shift_scores=True)),
    "threshold_interval": lambda t, w: t.threshold_interval(min_recall=0.7),
    "threshold_interval, bootstrap": lambda t, w: t.threshold_interval("youden", n_resamples=30, rng=1),
    "diagnostic_table": lambda t, w: t.diagnostic_table(threshold=0.5, prevalence=0.1),
    "lr_positive": lambda t, w: list(at_half(t).lr_positive().confidence_interval()),
    "dor": lambda t, w: list(at_half(t).dor().confidence_interval()),
    "ppv": lambda t, w: list(at_half(t).ppv(prevalence=0.1).confidence_interval()),
    "precision of a mixture": lambda t, w: list(th.rate_interval("precision", t.roc().at(recall=0.73))),
    "compare_unpaired roc_auc": lambda t, w: unpaired("roc_auc", t, w),
    "compare_unpaired brier": lambda t, w: unpaired("brier", t, w),
    "compare_unpaired pr_auc": lambda t, w: unpaired("pr_auc", t, w),
    "tune": lambda t, w: th.tune(t, max_fpr=0.2).evaluate(th.Scores(Y[::2], OTHER[::2], sample_weight=w[::2])),
    "summary": lambda t, w: th.summary({"a": t}),
    "Calibrator": lambda t, w: th.Calibrator.fit(t).predict(OTHER),
    "estimate_prevalence": lambda t, w: th.estimate_prevalence(t, OTHER, rng=1),
    "effective": lambda t, w: [t.effective_pos, t.effective_neg],
}
FITS = [("binormal", None), ("binormal", "normal"), ("bibeta", None)]


@pytest.mark.some(60)
@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("verb", VERBS)
def test_verbs(verb, clustered, kind):
    groups = CLUSTER if clustered else None
    agree(lambda weight: VERBS[verb](th.Scores(Y, S, sample_weight=weight, cluster=groups), weight), kind)


@pytest.mark.some(6)
@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("family, method", FITS)
def test_fitted_populations(family, method, kind):
    def fitted(weight):
        found = th.Population.fit(th.Scores(Y, S, sample_weight=weight), family, method=method).fit_result
        return [*found.parameters.values(), *found.standard_errors.values(), found.pvalue]

    agree(fitted, kind)


ROWS = {
    "compare": lambda metric, w, more, **options: th.compare(Y, {"a": S, "b": OTHER}, metric=metric, **more, **options),
    "bootstrap": lambda metric, w, more, **options: th.bootstrap(Y, S, metric=metric, **more, **options).replicates,
    "by_group": lambda metric, w, more, **options: th.by_group(
        Y, S, THIRDS, metric=metric, sample_weight=w, cluster=more.get("cluster"), **options
    ).gaps(),
    "compare_unpaired": lambda metric, w, more, **options: th.compare_unpaired(
        th.Scores(Y, S, sample_weight=w, cluster=more.get("cluster")),
        th.Scores(Y[::2], OTHER[::2], sample_weight=w[::2], cluster=CLUSTER[::2] if "cluster" in more else None),
        metric=metric,
        rng=1,
        n_resamples=30,
        **options,
    ),
}


@pytest.mark.some(40)
@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("verb", ROWS)
@pytest.mark.parametrize("metric", names())
def test_rows(metric, verb, clustered, kind):
    def found(weight):
        more = {"sample_weight": weight, "rng": 1, "n_resamples": 30} | ({"cluster": CLUSTER} if clustered else {})
        return asked(lambda **options: ROWS[verb](metric, weight, more, **options), metric)

    agree(found, kind)


def test_an_interval_of_a_diagnostic_table_counts_rows():
    few = th.Scores(Y, S, sample_weight=BY_CLASS * 100).diagnostic_table(threshold=0.5)
    for name in ("lr_positive", "lr_negative", "dor"):
        rows = th.Scores(Y, S).diagnostic_table(threshold=0.5)[name]
        assert (few[name].low, few[name].high) == pytest.approx((rows.low, rows.high))


def halves(first: float, second: float) -> list[th.Scores]:
    """Return two tables, each of rows of one weight."""
    cut = N // 2
    return [
        th.Scores(Y[rows], S[rows], sample_weight=np.full(cut, weight), cluster=CLUSTER[rows])
        for rows, weight in ((slice(0, cut), first), (slice(cut, N), second))
    ]


def test_a_common_weight_counts_beside_other_tables():
    """Of one table it says nothing; added to rows of another weight, it says how they are mixed."""
    one, other = halves(2.0, 0.5)
    mixed = th.Scores(Y, S, sample_weight=np.repeat([2.0, 0.5], N // 2), cluster=CLUSTER)
    assert one + other == mixed
    assert one.n_pos == 2.0 * Y[: N // 2].sum()
    assert (one + other)._even is one + other or (one + other)._even == mixed
    same = sum(halves(3.0, 3.0))
    assert same._even == th.Scores(Y, S, cluster=CLUSTER)
    assert same.roc_auc().standard_error() == th.Scores(Y, S, cluster=CLUSTER).roc_auc().standard_error()


@pytest.mark.parametrize("factor", [2.0, 0.1])
def test_scans_and_copies_know_it_too(factor, tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = th.Scores(Y, S, sample_weight=np.full(N, factor))
    table.save(tmp_path / "table")
    scanned = th.scan(pa.table({"y": Y, "s": S, "w": np.full(N, factor)}), y_true="y", y_score="s", sample_weight="w")
    soft = th.Scores.from_soft_labels(Y.astype(float), S, sample_weight=np.full(N, factor))
    copies = (
        pickle.loads(pickle.dumps(table)),
        th.Scores.load(tmp_path / "table"),
        th.Scores.from_arrow(table.to_arrow()),
    )
    for one in (table, scanned, soft, *copies):
        assert one._even == th.Scores(Y, S)
        assert one.measure("brier").standard_error() == th.Scores(Y, S).measure("brier").standard_error()


def test_rows_of_no_weight_are_not_there():
    weight = np.where(RNG.random(N) < 0.3, 0.0, 2.0)
    kept = weight > 0
    found = th.bootstrap(Y, S, sample_weight=weight, cluster=CLUSTER, n_resamples=20, rng=1)
    assert (
        found.replicates.tolist()
        == th.bootstrap(Y[kept], S[kept], cluster=CLUSTER[kept], n_resamples=20, rng=1).replicates.tolist()
    )
