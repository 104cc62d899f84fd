from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import golden
from support import oracle as oracles
from support.strategies import labelled
from thresher._decide import target_of
from thresher._decide.choose import _best, _curve, _in_rows

choose_threshold = th.Scores.choose_threshold


def best_points(scores, target):
    """Return every point that is as good as the one that is chosen, highest threshold first."""
    counts = _in_rows(scores, target)
    return tuple(_curve(counts, target)._point(int(index)) for index in _best(counts, target))


def as_triples(points):
    return [(p.threshold, p.tp, p.fp) for p in points]


def expected(triples):
    return [(math.inf if t == "inf" else t, tp, fp) for t, tp, fp in triples]


@pytest.mark.parametrize("dataset, column, want", golden.figures("youden_thr_tp_fp"))
def test_youden_ties_are_those_of_the_reference(dataset, column, want):
    scores = golden.scores(dataset, column)
    got = as_triples(best_points(scores, target_of("youden")))
    assert got == expected(want)
    assert choose_threshold(scores, "youden").threshold == got[0][0]


@pytest.mark.parametrize("dataset, column, want", golden.figures("topleft_thr_tp_fp"))
def test_closest_corners_are_those_of_the_reference(dataset, column, want):
    scores = golden.scores(dataset, column)
    got = as_triples(best_points(scores, target_of(minimize="closest_corner")))
    assert got == expected(want)
    assert choose_threshold(scores, minimize="closest_corner").threshold == got[0][0]


def proc_cost_cases():
    key = "best_youden_weights_cost2_prev0.1_thr_sens_spec"
    for dataset, entry in golden.golden().items():
        if dataset.startswith("_"):
            continue
        for peer, values in entry["peers"].items():
            for column in entry["columns"]:
                for name in (key, f"{column}.{key}"):
                    if peer.startswith("pROC") and name in values:
                        yield pytest.param(dataset, column, values[name], id=f"{dataset}-{column}")


@pytest.mark.parametrize("dataset, column, want", list(proc_cost_cases()))
def test_cost_agrees_with_proc(dataset, column, want):
    # pROC compares floats, so of exact ties it may report some only.
    points = best_points(golden.scores(dataset, column), target_of(minimize="cost", cost_fn=2, prevalence=0.1))
    rates = [(p.tpr, 1 - p.fpr) for p in points]
    for _, sensitivity, specificity in want:
        assert any(abs(a - sensitivity) + abs(b - specificity) < 1e-9 for a, b in rates)


def brute_force(labels, values, quality, allowed=lambda tp, fp: True):
    """The best (threshold, tp, fp), all ties, from fractions."""
    n_pos, n_neg = sum(labels), len(labels) - sum(labels)
    points = [(math.inf, 0, 0), *oracles.table(labels, values)]
    rated = [(quality(tp, fp, n_pos, n_neg), (t, tp, fp)) for t, tp, fp in points if allowed(tp, fp)]
    rated = [(q, p) for q, p in rated if q is not None]
    if not rated:
        return []
    best = max(q for q, _ in rated)
    return [p for q, p in rated if q == best]


def ratio(a, b):
    return Fraction(a) / Fraction(b) if b else None


QUALITIES = {
    "youden": (target_of("youden"), lambda tp, fp, p, n: Fraction(tp, p) - Fraction(fp, n)),
    "corner": (
        target_of(minimize="closest_corner"),
        lambda tp, fp, p, n: -(Fraction(p - tp, p) ** 2 + Fraction(fp, n) ** 2),
    ),
    "f1": (target_of("f_beta"), lambda tp, fp, p, n: Fraction(2 * tp, p + tp + fp)),
    "f_half": (target_of("f_beta", beta=0.5), lambda tp, fp, p, n: Fraction(tp) / (Fraction(p, 4) + tp + fp)),
    "cost": (
        target_of(minimize="cost", cost_fp=0.1, cost_fn=0.3, prevalence=0.2),
        lambda tp, fp, p, n: (
            -(Fraction(1, 10) * Fraction(8, 10) * Fraction(fp, n) + Fraction(3, 50) * Fraction(p - tp, p))
        ),
    ),
    "precision": (target_of("precision"), lambda tp, fp, p, n: ratio(tp, tp + fp)),
}


@pytest.mark.parametrize("name", QUALITIES)
@given(data=labelled(values=st.integers(0, 12).map(float)))
def test_rules_agree_with_fractions(name, data):
    target, quality = QUALITIES[name]
    labels, values = data
    assert as_triples(best_points(th.Scores(labels, values), target)) == brute_force(labels, values, quality)


LIMITS = {
    "min_recall": lambda tp, fp, p, n, x: tp >= x * p,
    "min_precision": lambda tp, fp, p, n, x: tp + fp > 0 and tp >= x * (tp + fp),
    "max_fpr": lambda tp, fp, p, n, x: fp <= x * n,
    "max_alert_rate": lambda tp, fp, p, n, x: tp + fp <= x * (p + n),
}


@pytest.mark.parametrize("name", LIMITS)
@given(data=labelled(values=st.integers(0, 12).map(float)), tenths=st.integers(0, 10))
def test_limits_agree_with_fractions(name, data, tenths):
    labels, values = data
    n_pos, n_neg = sum(labels), len(labels) - sum(labels)
    target = target_of(**{name: tenths / 10})
    want = brute_force(
        labels,
        values,
        (lambda tp, fp, p, n: ratio(tp, tp + fp)) if name == "min_recall" else (lambda tp, fp, p, n: tp),
        lambda tp, fp: LIMITS[name](tp, fp, n_pos, n_neg, Fraction(tenths, 10)),
    )
    scores = th.Scores(labels, values)
    if not want:
        with pytest.raises(th.UndefinedMetricError, match="No threshold reaches"):
            best_points(scores, target)
    else:
        got = as_triples(best_points(scores, target))
        assert got == want
        chosen = choose_threshold(scores, **{name: tenths / 10})
        assert (chosen.threshold, chosen.tp, chosen.fp) == (want[-1] if name == "min_recall" else want[0])


@given(data=labelled(), most=st.integers(0, 30))
def test_alert_budget_is_kept_and_used(data, most):
    scores = th.Scores(*data)
    point = choose_threshold(scores, max_alerts=most)
    assert point.tp + point.fp <= most
    better = [t for t, tp, fp in oracles.table(*data) if tp + fp <= most and tp > point.tp]
    assert not better


def test_limits_are_meant_as_written():
    scores = th.Scores.from_counts([3, 2, 1], pos=[29, 1, 70], neg=[1, 1, 98])
    assert 0.29 * 100 < 29
    assert choose_threshold(scores, min_recall=0.29).tp == 29
    assert choose_threshold(scores, max_fpr=0.01).fp == 1


def test_large_counts_do_not_overflow():
    big = 3 * 10**9
    scores = th.Scores.from_counts([4, 3, 2, 1], pos=[big, 1, big, 0], neg=[0, 1, 2 * big, big])
    for name, (target, quality) in QUALITIES.items():
        n_pos, n_neg = int(scores.n_pos), int(scores.n_neg)
        points = [(math.inf, 0, 0)] + [
            (float(t), int(a), int(b)) for t, a, b in zip(scores.thresholds, scores.tp, scores.fp, strict=True)
        ]
        rated = [(quality(tp, fp, n_pos, n_neg), (t, tp, fp)) for t, tp, fp in points]
        best = max(q for q, _ in rated if q is not None)
        assert as_triples(best_points(scores, target)) == [p for q, p in rated if q == best], name


def test_weighted_data_choose_like_repeated_rows():
    labels, values, weights = [1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], [2, 1, 3, 1, 2, 2]
    repeated = [[x for x, w in zip(c, weights, strict=True) for _ in range(w)] for c in (labels, values)]
    for target in (
        target_of("youden"),
        target_of("f_beta"),
        target_of(min_recall=0.8),
        target_of(max_fpr=0.2),
        target_of(minimize="cost"),
    ):
        floats = th.Scores(labels, values, sample_weight=[w / 4 for w in weights])
        want = best_points(th.Scores(*repeated), target)
        assert [p.threshold for p in best_points(floats, target)] == [p.threshold for p in want]


@pytest.mark.parametrize("name", QUALITIES)
def test_rules_with_weights_agree_with_fractions(name):
    """Weights of which no two points are equally good: every rule by its definition, in exact sums of the weights."""
    target, quality = QUALITIES[name]
    rng = np.random.default_rng(8)
    for _ in range(20):
        labels = np.append([1, 0], rng.random(18) < 0.4).astype(int)
        values = np.round(rng.normal(size=20) + labels, 1)
        weights = rng.integers(1, 2**20, 20) * 2.0**-16
        points = [(math.inf, Fraction(0), Fraction(0))]
        for cut in sorted(set(values.tolist()), reverse=True):
            called = [weights[(labels == side) & (values >= cut)].tolist() for side in (1, 0)]
            points.append((cut, *(sum(map(Fraction, side), Fraction(0)) for side in called)))
        n_pos, n_neg = points[-1][1:]
        rated = [(quality(tp, fp, n_pos, n_neg), t) for t, tp, fp in points]
        best = max(q for q, _ in rated if q is not None)
        got = best_points(th.Scores(labels, values, sample_weight=weights), target)
        # Of ties in exact sums, such as precision 1, rounding may keep some only.
        assert {p.threshold for p in got} <= {t for q, t in rated if q == best}


def test_nearest_corners_of_large_counts_are_told_apart():
    """Distances that agree to twelve digits and more: the nearest two are the reflected pair, and exactly equal."""
    n = 10**7
    far = [(6 * 10**6, 0), (n - 40_000, 30_001), (n - 30_001, 40_001), (n - 30_000, 40_000 - 1)]
    near = [(n - 40_000 + 1, 30_000), (n - 30_000, 40_000 - 1)]
    for tail in ([far[0], near[0], near[1]], [far[0], far[1], far[2]]):
        points = [*sorted(tail), (n, n)]
        steps = list(zip(points, [(0, 0), *points], strict=False))
        pos, neg = [a[0] - b[0] for a, b in steps], [a[1] - b[1] for a, b in steps]
        scores = th.Scores.from_counts(range(len(points), 0, -1), pos=pos, neg=neg)
        distance = [(n - tp) ** 2 + fp**2 for tp, fp in points]
        want = [point for point, d in zip(points, distance, strict=True) if d == min(distance)]
        assert [(p.tp, p.fp) for p in best_points(scores, target_of(minimize="closest_corner"))] == want


def test_prevalence_changes_what_precision_means():
    scores = th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    with pytest.raises(th.UndefinedMetricError) as caught:
        choose_threshold(scores, min_precision=0.9, min_recall=1)
    assert str(caught.value) == (
        "No threshold of 6 keeps `min_precision=0.9` and `min_recall=1.0` together. Hint: relax one of the constraints."
    )
    assert choose_threshold(scores, min_precision=0.9, min_recall=1, prevalence=0.9).tp == 3


@given(data=labelled(values=st.integers(0, 12).map(float)), tenths=st.integers(1, 9))
def test_mixing_never_does_worse(data, tenths):
    scores = th.Scores(*data)
    share = tenths / 10
    plain, mixed = (choose_threshold(scores, max_fpr=share, mix=mix) for mix in (False, True))
    assert mixed.fpr == pytest.approx(min(share, mixed.fpr))
    assert mixed.tpr >= plain.tpr - 1e-12
    plain, mixed = (choose_threshold(scores, min_recall=share, mix=mix) for mix in (False, True))
    assert mixed.recall >= share - 1e-12
    assert mixed.fpr <= scores.roc().at(tpr=share).fpr + 1e-12
    assert mixed.precision >= plain.precision - 1e-12
    alerts = choose_threshold(scores, max_alert_rate=share, mix=True)
    assert alerts.alert_rate == pytest.approx(share)


@given(data=labelled(values=st.integers(0, 12).map(float)), tenths=st.integers(1, 10))
def test_mixing_meets_a_precision(data, tenths):
    scores = th.Scores(*data)
    try:
        plain = choose_threshold(scores, min_precision=tenths / 10)
    except th.UndefinedMetricError:
        with pytest.raises(th.UndefinedMetricError, match="No threshold reaches `min_precision="):
            choose_threshold(scores, min_precision=tenths / 10, mix=True)
        return
    mixed = choose_threshold(scores, min_precision=tenths / 10, mix=True)
    assert mixed.precision >= tenths / 10 - 1e-12
    assert mixed.recall >= plain.recall - 1e-12
    if mixed.mix is not None:
        assert mixed.precision == pytest.approx(tenths / 10)


def test_mix_is_that_of_the_achievable_curve():
    scores = golden.scores("real_breast_cancer", golden.golden()["real_breast_cancer"]["columns"][0])
    for recall in (0.3, 0.5, 0.77, 0.9, 0.99):
        mixed = choose_threshold(scores, min_recall=recall, mix=True)
        want = scores.achievable_pr().at(recall=recall)
        assert mixed.precision == pytest.approx(want.precision, rel=1e-14)
        assert (mixed.mix is None) == (want.mix is None)


SCORES = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
MESSAGES = {
    "costs of nothing": (
        {"cost_fp": 3},
        "`cost_fp` belongs to 'cost'; got it with 'youden', which takes no options. Hint: name the metric, or leave it "
        "out.",
    ),
    "beta of nothing": (
        {"beta": 2.0, "min_recall": 0.5},
        "`beta` belongs to 'f_beta'; got it with 'precision', which takes no options. Hint: name the metric, or leave "
        "it out.",
    ),
    "no metric": (
        {"maximize": "best"},
        "`maximize` must be a metric of the confusion matrix or a function of four cells; got 'best'. "
        "Hint: for example `f1`, `mcc` or `youden`.",
    ),
    "not of the matrix": (
        {"maximize": "roc_auc"},
        "`maximize` must be a metric of the confusion matrix or a function of four cells; got 'roc_auc'. "
        "Hint: for example `f1`, `mcc` or `youden`.",
    ),
    "no function": (
        {"maximize": 3},
        "`maximize` must be the name of a metric or a function; got 3.",
    ),
    "both": (
        {"maximize": "f1", "minimize": "cost"},
        "`maximize` and `minimize` must not both be given; got 'f1' and 'cost'. "
        "Hint: a second metric can be a constraint, such as `min_recall=0.9`.",
    ),
    "the wrong way": (
        {"maximize": "cost"},
        "`maximize` must not be 'cost', of which lower values are better. Hint: `minimize='cost'`.",
    ),
    "the other wrong way": (
        {"minimize": "mcc"},
        "`minimize` must not be 'mcc', of which higher values are better. Hint: `maximize='mcc'`.",
    ),
    "infinite": (
        {"maximize": "dor"},
        "`maximize='dor'` must come with a constraint: it is infinite at thresholds without a false positive. "
        "Hint: add `min_recall=0.5`, for instance.",
    ),
    "unknown argument": (
        {"rule": "best"},
        "`rule` must be a constraint `min_<metric>` or `max_<metric>`, or an option of the metric; nothing takes it. "
        "Hint: for example `min_recall=0.9`.",
    ),
    "unknown constraint": (
        {"min_recal": 0.5},
        "`min_recal` must be a constraint on a metric of the confusion matrix, or `max_alerts`; there is no 'recal'. "
        "Hint: did you mean 'recall'?",
    ),
    "twice": (
        {"max_fpr": 0.1, "min_specificity": 0.95},
        "`min_specificity` and `max_fpr` are the same constraint; got both. Hint: keep one of them.",
    ),
    "percent": (
        {"min_recall": 90},
        "`min_recall` must be between 0 and 1, the range of 'recall'; got 90. "
        "Hint: it is a proportion, not a percentage.",
    ),
    "out of range": (
        {"min_mcc": -1.5},
        "`min_mcc` must be between -1 and 1, the range of 'mcc'; got -1.5.",
    ),
    "several": (
        {"max_fpr": [0.1, 0.2]},
        "`max_fpr` must be a number; got [0.1, 0.2] of type list.",
    ),
    "beta": (
        {"maximize": "f_beta", "beta": 0.0},
        "`beta` must be between 1e-06 and 1e+06; got 0.0. Hint: 1 weighs recall and precision alike.",
    ),
    "beta type": ({"maximize": "f_beta", "beta": "1"}, "`beta` must be a number; got '1' of type str."),
    "alerts": (
        {"max_alerts": 0.1},
        "`max_alerts` must be an integer; got 0.1 of type float.",
    ),
    "mixed metric": (
        {"maximize": "youden", "mix": True},
        "`mix=True` must have exactly one constraint of min_recall, max_fpr, min_precision, max_alerts, max_alert_rate "
        "and no metric beside it; got maximize='youden'. Hint: a metric is always best at a single threshold.",
    ),
    "mixed constraints": (
        {"min_recall": 0.5, "max_fpr": 0.5, "mix": True},
        "`mix=True` must have exactly one constraint of min_recall, max_fpr, min_precision, max_alerts, max_alert_rate "
        "and no metric beside it; got `min_recall`, `max_fpr`. Hint: a metric is always best at a single threshold.",
    ),
    "mixed without a constraint": (
        {"mix": True},
        "`mix=True` must have exactly one constraint of min_recall, max_fpr, min_precision, max_alerts, max_alert_rate "
        "and no metric beside it; got no constraint. Hint: a metric is always best at a single threshold.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case):
    arguments, message = MESSAGES[case]
    with pytest.raises(th.ThresherError) as caught:
        choose_threshold(SCORES, **arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("mix", [False, True])
def test_precision_that_is_not_reached_says_what_is(mix):
    scores = th.Scores([0, 1, 0, 1], [4, 3, 2, 1])
    with pytest.raises(th.UndefinedMetricError) as caught:
        choose_threshold(scores, min_precision=0.9, mix=mix)
    assert str(caught.value) == (
        "No threshold reaches `min_precision=0.9`: the best of 4 has precision 0.5. Hint: ask for at most 0.5."
    )


@pytest.mark.parametrize(("pos", "neg"), [([2, 1], [1, 5]), ([0, 2], [5, 1]), ([7, 1], [3, 9])])
def test_the_limit_of_the_hint_is_reached(pos, neg):
    scores = th.Scores.from_counts([2, 1], pos=pos, neg=neg)
    for limits in ({"min_precision": 0.99}, {"min_f1": 0.99}, {"max_error": 0.001}, {"min_mcc": 0.99}):
        with pytest.raises(th.UndefinedMetricError, match="No threshold reaches") as caught:
            choose_threshold(scores, **limits)
        name, given = next(iter(limits)), float(str(caught.value).split()[-1].rstrip("."))
        choose_threshold(scores, **{name: given})


def test_one_class_is_refused():
    with pytest.raises(th.UndefinedMetricError, match="Choosing a threshold needs both classes"):
        choose_threshold(th.Scores([1, 1], [1, 2]))
