"""Two tests on the same rows: counts, symmetry, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import thresher as th

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "confusion.json").read_text(encoding="utf-8"))


def sample(seed: int = 0, n: int = 400):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    a = shared + rng.normal(size=n) + 1.6 * y > 0.8
    b = shared + rng.normal(size=n) + 1.1 * y > 0.8
    return y, a, b


def test_figures_by_counting():
    y, a, b = sample()
    result = th.compare_calls(y, a, b)
    assert result["sensitivity"].a == pytest.approx(a[y].mean())
    assert result["specificity"].b == pytest.approx((~b[~y]).mean())
    assert result["ppv"].a == pytest.approx(y[a].mean())
    assert result["npv"].b == pytest.approx((~y[~b]).mean())
    ratio = (a[y].mean() / a[~y].mean()) / (b[y].mean() / b[~y].mean())
    assert result["lr_positive"].difference == pytest.approx(ratio)
    for name, calls in (("a", a), ("b", b)):
        assert getattr(result["lr_positive"], name) == pytest.approx(calls[y].mean() / calls[~y].mean())
        assert getattr(result["lr_negative"], name) == pytest.approx((~calls[y]).mean() / (~calls[~y]).mean())
    only_a, only_b = (a & ~b & y).sum(), (b & ~a & y).sum()
    exact = th.compare_calls(y, a, b, method="exact")["sensitivity"].pvalue
    assert exact == pytest.approx(scipy.stats.binomtest(int(only_a), int(only_a + only_b)).pvalue, rel=1e-10)
    assert result["sensitivity"].pvalue < exact
    z = (only_a - only_b) ** 2 / (only_a + only_b)
    z += ((a & ~b & ~y).sum() - (b & ~a & ~y).sum()) ** 2 / ((a ^ b) & ~y).sum()
    assert result.pvalue_both == pytest.approx(scipy.stats.chi2.sf(z, 2))


def test_exchange_turns_every_sign():
    y, a, b = sample(1)
    here, there = th.compare_calls(y, a, b), th.compare_calls(y, b, a)
    for one, other in zip(here.figures, there.figures, strict=True):
        assert one.pvalue == pytest.approx(other.pvalue)
        turned = 1 / other.difference if one.name.startswith("lr_") else -other.difference
        assert one.difference == pytest.approx(turned)


def test_equal_tests_do_not_differ():
    y, a, _ = sample(2)
    result = th.compare_calls(y, a, a)
    assert all(one.pvalue == 1.0 for one in result.figures)
    assert result.pvalue_both == 1.0


@pytest.mark.slow
def test_levels_under_equality():
    """1,000 samples of two equally good tests: rejections at 5%, three standard errors."""
    rejected = np.zeros(6)
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        y = rng.random(400) < 0.4
        shared = rng.normal(size=400)
        a, b = (shared + rng.normal(size=400) + 1.5 * y > 0.8 for _ in range(2))
        rejected += [one.pvalue < 0.05 for one in th.compare_calls(y, a, b).figures]
    assert (np.abs(rejected - 50) <= 3 * np.sqrt(1000 * 0.05 * 0.95) + 5).all()


def test_messages():
    with pytest.raises(th.InvalidInputError, match="`calls_a` must be booleans, or 0 and 1"):
        th.compare_calls([0, 1], [0.2, 0.7], [0, 1])
    with pytest.raises(th.UndefinedMetricError, match="needs both classes"):
        th.compare_calls([1, 1], [0, 1], [0, 1])


def test_newcombe_takes_the_cells_of_each_class():
    """Score limits by solving the quadratic, joined with the correlation of the two calls."""
    y, a, b = sample(3)
    z = scipy.stats.norm.ppf(0.95)
    found = th.compare_calls(y, a, b, interval="newcombe", confidence_level=0.9)
    for name, one, other in (("sensitivity", a[y], b[y]), ("specificity", ~a[~y], ~b[~y])):
        n, p, q = one.size, one.mean(), other.mean()
        limits = [np.sort(np.roots([1 + z * z / n, -2 * r - z * z / n, r * r])) for r in (p, q)]
        both, neither = (one & other).sum(), (~one & ~other).sum()
        single = (one & ~other).sum(), (~one & other).sum()
        cross = both * neither - single[0] * single[1]
        cross = max(cross - n / 2, 0) if cross > 0 else cross  # continuity, as the method has it
        phi = cross / np.sqrt(float(one.sum() * (n - one.sum()) * other.sum() * (n - other.sum())))

        def reach(x, y, phi=phi):
            return np.sqrt(x * x - 2 * phi * x * y + y * y)

        assert found[name].low == pytest.approx(p - q - reach(p - limits[0][0], limits[1][1] - q), rel=1e-9)
        assert found[name].high == pytest.approx(p - q + reach(limits[0][1] - p, q - limits[1][0]), rel=1e-9)


def test_calls_of_another_length():
    y, a, b = sample()
    with pytest.raises(th.InvalidInputError, match="`y_true` and `calls_b` must have the same length; got 400 and 399"):
        th.compare_calls(y, a, b[:-1])


def test_ratios_without_false_calls_are_infinite_and_without_calls_unknown():
    y = np.array([1, 1, 1, 0, 0], dtype=bool)
    result = th.compare_calls(y, y, np.zeros(5, dtype=bool))["lr_positive"]
    assert (result.a, result.b) == (np.inf, pytest.approx(np.nan, nan_ok=True))


def test_a_line_for_each_figure():
    """Names, the two values, their difference (of likelihood ratios their ratio), the limits if there are any, p."""
    result = th.compare_calls(*sample())
    head, *lines = repr(result).splitlines()
    assert head.split() == ["a", "b", "a", "-", "b", "interval", "p"]
    assert len({len(line) for line in (head, *lines)}) == 1
    for line, one in zip(lines, result.figures, strict=True):
        words = line.split()
        assert words.pop(0) == one.name
        if one.name in ("lr_positive", "lr_negative"):
            assert words.pop(0) == "(ratio)"
        numbers = [*words[:3], *words[3:-1:2]]
        limits = [] if one.name in ("ppv", "npv") else [one.low, one.high]
        assert words[4:-1:2] == ["to"] * bool(limits)
        decimals = {len(number.partition(".")[2]) for number in numbers}
        # Half of the width has two digits.
        expected = len(f"{0.5 * (one.high - one.low):#.2g}") - 2 if limits else 3
        assert decimals == {expected}
        for number, value in zip(numbers, [one.a, one.b, one.difference, *limits], strict=True):
            assert number == f"{value:.{expected}f}"
        assert float(words[-1]) == pytest.approx(one.pvalue, rel=5e-3)


def rows_of(case):
    """Labels and the predictions of both models for cells (both, only a, only b, neither) of each class."""
    y, a, b = [], [], []
    for label, cells in ((1, case["positives"]), (0, case["negatives"])):
        for count, (own, other) in zip(cells, ((1, 1), (1, 0), (0, 1), (0, 0)), strict=True):
            y, a, b = y + [label] * count, a + [own] * count, b + [other] * count
    return y, a, b


@pytest.mark.parametrize("case", REFERENCE["paired"], ids=lambda case: case["name"])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_reference_values_of_any_metric(case):
    y, a, b = rows_of(case)
    known = [name for name in case["results"] if name in th.measures.names() and name != "net_benefit"]
    assert len(known) > 10
    for name in known:
        expected = case["results"][name]
        found = th.compare_calls(y, a, b, metrics=[name]).figures[0]
        own = th.compare(y, {"a": a, "b": b}, metric=name, threshold=1)
        if not np.isfinite(own.difference):
            continue
        if found.method == "score" and not name.startswith("lr_") and expected["p_score"] not in (None, "nan"):
            assert found.pvalue == pytest.approx(float(expected["p_score"]), rel=1e-9)
        if not name.startswith("lr_"):
            assert (found.difference, found.pvalue) == (own.difference, own.pvalue)


def test_weights_and_clusters():
    y, a, b = sample(4)
    n = y.size
    plain = th.compare_calls(y, a, b)
    same = th.compare_calls(y, a, b, sample_weight=np.full(n, 3.0), cluster=np.arange(n))
    for one, other in zip(plain.figures, same.figures, strict=True):
        assert (other.name, other.difference) == (one.name, pytest.approx(one.difference))
        assert other.pvalue == pytest.approx(one.pvalue, abs=0.02)
    thrice = np.repeat(np.arange(n), 3)
    clustered = th.compare_calls(y[thrice], a[thrice], b[thrice], cluster=thrice)
    alone = th.compare_calls(y[thrice], a[thrice], b[thrice])
    for one, other, wrong in zip(plain.figures, clustered.figures, alone.figures, strict=True):
        assert other.difference == pytest.approx(one.difference)
        assert other.pvalue == pytest.approx(one.pvalue, abs=0.02)
        assert wrong.pvalue <= other.pvalue  # copies of rows taken for rows
    weight = np.where(y, 1.0, 4.0)
    weighted = th.compare_calls(y, a, b, sample_weight=weight)["ppv"]
    assert weighted.a == pytest.approx((weight * y)[a].sum() / weight[a].sum())
    assert np.isnan(th.compare_calls(y, a, b, sample_weight=weight).pvalue_both)


def test_the_weighted_ratio_is_tested_on_its_logarithm():
    y, a, b = sample(5)
    plain = th.compare_calls(y, a, b)["lr_positive"]
    same = th.compare_calls(y, a, b, sample_weight=np.ones(y.size))["lr_positive"]
    assert same.difference == pytest.approx(plain.difference, rel=1e-9)
    assert (same.low, same.high) == pytest.approx((plain.low, plain.high), rel=0.01)


def test_several_models_have_adjusted_p_values():
    y, a, b = sample(6)
    c = np.roll(b, 1)
    result = th.compare_calls(y, {"a": a, "b": b, "c": c}, metrics=["mcc", "f_beta"], beta=2)
    assert result.models == ("a", "b", "c")
    assert [(one.name, *one.models) for one in result.figures] == [
        (name, *pair) for pair in (("a", "b"), ("a", "c"), ("b", "c")) for name in ("mcc", "f_beta")
    ]
    own = th.compare(y, {"a": a, "b": b, "c": c}, metric="mcc", threshold=1)
    for pair in own.pairs:
        found = result["mcc", pair.a, pair.b]
        assert (found.difference, found.pvalue) == (pytest.approx(pair.difference), pytest.approx(pair.pvalue))
        assert found.pvalue_adjusted == pytest.approx(pair.pvalue_adjusted)
    assert "adjusted" in repr(result)
    assert th.results.from_json(result.to_json()) == result
    sick = th.compare_calls(y, {"a": a, "b": b, "c": c})
    assert sick["ppv", "a", "b"].pvalue == th.compare_calls(y, a, b)["ppv"].pvalue
    assert sick["ppv", "a", "b"].pvalue_adjusted >= sick["ppv", "a", "b"].pvalue


def test_a_function_and_a_prevalence():
    y, a, b = sample(7)
    found = th.compare_calls(y, a, b, metrics=[lambda tp, fp, fn, tn: tp / (tp + fp + fn), "jaccard"])
    assert found.figures[0].pvalue == pytest.approx(found.figures[1].pvalue, rel=1e-9)
    rare = th.compare_calls(y, a, b, metrics=["precision"], prevalence=0.01)["precision"]
    expected = th.compare(y, {"a": a, "b": b}, metric="precision", threshold=1, prevalence=0.01)
    assert (rare.a, rare.pvalue) == (expected.estimates["a"], expected.pvalue)


def test_what_the_predictions_must_be():
    y, a, b = sample(8)
    models = {"a": a, "b": b, "c": b}
    for call, words in (
        (lambda: th.compare_calls(y, a), r"Hint: or pass a mapping of all models"),
        (lambda: th.compare_calls(y, {"a": a}), "at least 2 models; got 1"),
        (lambda: th.compare_calls(y, models, b), "`calls_b` must be left out"),
        (lambda: th.compare_calls(y, models)["ppv"], r"Hint: result\['ppv', 'a', 'b'\]"),
        (lambda: th.compare_calls(y, models)["pvp"], "it has 'sensitivity', 'specificity', 'ppv'"),
        (lambda: th.compare_calls(y, a, b, metrics="mcc"), "`metrics` must list metrics; got 'mcc'"),
        (lambda: th.compare_calls(y, a, b, metrics=["roc_auc"]), "must be of the confusion matrix; got 'roc_auc'"),
        (lambda: th.compare_calls(y, a, b, metrics=["mcc", "f1"], alpha=2), "`alpha` must be an option of one"),
    ):
        with pytest.raises(th.ThresherError, match=words):
            call()


def test_an_undefined_metric_is_not_compared():
    y, a, b = sample(9)
    found = th.compare_calls(y, a, np.zeros_like(b), metrics=["precision", "recall"])
    assert np.isnan(found["precision"].b)
    assert np.isnan(found["precision"].pvalue)
    assert found["recall"].pvalue < 0.001
