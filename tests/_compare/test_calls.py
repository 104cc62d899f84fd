"""Two tests on the same rows: counts, symmetry, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import thresher as th


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
    """1,000 samples of two equally good tests: rejections at 5 %, three standard errors."""
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
        limits = [] if one.name in ("ppv", "npv") else [f"{one.low:.3f}", "to", f"{one.high:.3f}"]
        assert words[3:-1] == limits
        assert [float(word) for word in (*words[:3], words[-1])] == pytest.approx(
            [one.a, one.b, one.difference, one.pvalue], rel=5e-3
        )
