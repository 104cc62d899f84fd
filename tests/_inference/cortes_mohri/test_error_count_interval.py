"""Cortes-Mohri intervals: reference values, the variants against each other, the model itself, bad input."""

from __future__ import annotations

import dataclasses
import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher._inference.auc_moments import auc_moments
from thresher._inference.cortes_mohri import cortes_mohri
from thresher._inference.error_counts import error_law
from thresher._inference.interval import ConfidenceInterval
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "cortes_mohri.json").read_text())["intervals"]
PIMA = (136, 232, 88)
VARIANTS = [
    {},
    {"error_interval": "wilson"},
    {"error_interval": "normal"},
    {"error_interval": "chebyshev"},
    {"split": "best"},
    {"bound": "selberg"},
    {"split": "best", "bound": "selberg"},
    {"eps": "gaussian"},
    {"eps": "optimal"},
    {"eps": "optimal", "bound": "selberg"},
]
totals = st.integers(1, 300)
SMALLER = "Hint: pass a smaller number."


def length(interval: ConfidenceInterval) -> float:
    return interval.unclipped[1] - interval.unclipped[0]


@pytest.mark.parametrize(
    "row", REFERENCE, ids=lambda r: f"{r['m']}-{r['n']}-{r['k0']}-{r['level']}-{r['error_method']}"
)
def test_theorem_2(row):
    found = cortes_mohri(
        row["m"], row["n"], row["k0"], confidence_level=row["level"], error_interval=row["error_method"]
    )
    assert found.unclipped == pytest.approx((float(row["alpha1"]), float(row["alpha2"])), rel=1e-12, abs=1e-12)
    assert found.k_range == (row["k1"], row["k2"])
    assert (found.k_at_low, found.k_at_high) == (row["k_at_min"], row["k_at_max"])
    assert (found.low, found.high) == (max(found.unclipped[0], 0.0), min(found.unclipped[1], 1.0))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"error_interval": "chebyshev"}, 0.674),
        ({"error_interval": "normal"}, 0.428),
        ({}, 0.408),
        ({"eps": "gaussian", "law": "binomial"}, 0.260),
        ({"eps": "optimal", "law": "binomial"}, 0.251),
        ({"eps": "optimal", "law": "binomial", "bound": "selberg"}, 0.244),
        ({"eps": "optimal", "bound": "selberg"}, 0.283),
    ],
)
def test_worked_lengths(options, expected):
    # An independent computation, kept to three digits.
    assert length(cortes_mohri(*PIMA, **options)) == pytest.approx(expected, abs=6e-4)


def test_best_split_is_shorter_and_spends_less_on_the_error_rate():
    equal, best = cortes_mohri(*PIMA), cortes_mohri(*PIMA, split="best")
    assert length(best) < 0.376 < length(equal)
    assert best.error_level > equal.error_level == math.sqrt(0.95)


def test_split_by_number():
    half = cortes_mohri(*PIMA, split=math.sqrt(0.95))
    assert half.unclipped == pytest.approx(cortes_mohri(*PIMA).unclipped, rel=1e-12)
    # 0.99 for the error rate leaves 0.95/0.99 for the AUC.
    found = cortes_mohri(*PIMA, split=0.99, error_interval="normal")
    k = np.arange(found.k_range[0], found.k_range[1] + 1)
    moments = auc_moments(*PIMA[:2], k)
    arm = moments.sd / math.sqrt(1 - 0.95 / 0.99)
    assert found.unclipped == pytest.approx((np.min(moments.mean - arm), np.max(moments.mean + arm)), rel=1e-12)


def test_own_error_interval():
    total = PIMA[0] + PIMA[1]
    normal = cortes_mohri(*PIMA, error_interval="normal")
    first, last = normal.k_range
    own = cortes_mohri(*PIMA, error_interval=(first / total, last / total))
    assert own.unclipped == normal.unclipped
    # k / N stands for k, whatever the last bit says.
    for k in range(1, total, 5):
        assert cortes_mohri(*PIMA, error_interval=(k / total, 1.0)).k_range[0] == k
        assert cortes_mohri(*PIMA, error_interval=(0.0, k / total)).k_range[1] == k
    # More than half errors: the same range on the other side.
    other = cortes_mohri(*PIMA[:2], total - PIMA[2], error_interval=(1 - last / total, 1 - first / total))
    assert other.unclipped == pytest.approx((1 - normal.unclipped[1], 1 - normal.unclipped[0]), abs=1e-14)
    assert (other.k_at_low, other.k_at_high) == (total - normal.k_at_high, total - normal.k_at_low)
    # Ends that are not whole are rounded outwards, and the range is cut to 0..N.
    assert cortes_mohri(2, 3, 1, error_interval=(0.1, 0.5)).k_range == (0, 3)


@settings(max_examples=3)
@given(totals, totals, st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_order_of_the_variants(m, n, share, level):
    k = min(max(round(share * (m + n)), 1), m + n - 1)

    def run(**options):
        return cortes_mohri(m, n, k, confidence_level=level, **options)

    assert length(run(split="best")) <= length(run())
    assert run(bound="selberg").width <= run().width + 1e-9
    gaussian = run(eps="gaussian", law="binomial")
    optimal = run(eps="optimal", law="binomial")
    selberg = run(eps="optimal", law="binomial", bound="selberg")
    assert optimal.width <= gaussian.width + 1e-6
    assert selberg.width <= optimal.width + 1e-6


@settings(max_examples=5)
@given(totals, totals, st.floats(0, 1), st.sampled_from(VARIANTS))
def test_symmetries_and_order(m, n, share, options):
    k = round(share * (m + n))
    here = cortes_mohri(m, n, k, **options)
    swapped = cortes_mohri(n, m, k, **options)
    mirrored = cortes_mohri(m, n, m + n - k, **options)
    assert 0.0 <= here.low <= here.high <= 1.0
    assert tuple(swapped) == tuple(here)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(tuple(here), abs=1e-15)
    assert mirrored.k_range == (m + n - here.k_range[1], m + n - here.k_range[0])
    assert here.k_range[0] <= k <= here.k_range[1]


def test_eps_gaussian_satisfies_inequality_11():
    found = cortes_mohri(*PIMA, eps="gaussian", law="binomial")
    a0, a1 = found.eps_parameters
    k, weight = error_law(PIMA[2], PIMA[0] + PIMA[1], "binomial")
    eps = a0 * np.exp((k - PIMA[2]) ** 2 / (2 * a1**2))
    assert np.sum(weight * np.maximum(0, 1 - eps)) == pytest.approx(0.95, abs=1e-12)
    # Any greater a0 would fail, and the interval is that of the k with eps_k < 1.
    assert np.sum(weight * np.maximum(0, 1 - 1.001 * eps)) < 0.95
    used = eps < 1
    assert found.k_range == (k[used][0], k[used][-1])
    moments = auc_moments(*PIMA[:2], k[used])
    arm = moments.sd / np.sqrt(eps[used])
    assert found.unclipped == pytest.approx((np.min(moments.mean - arm), np.max(moments.mean + arm)), rel=1e-12)
    assert k[used][np.argmin(moments.mean - arm)] == found.k_at_low
    assert k[used][np.argmax(moments.mean + arm)] == found.k_at_high


def test_eps_gaussian_in_the_normal_limit():
    # With lambda = |dE/dk| s / sd(A_k0), a normal K gives these half-lengths in units of sd, a0 and a1/s at eps = 0.05.
    m = n = 200_000
    k0 = 40_000
    found = cortes_mohri(m, n, k0, eps="gaussian", law="binomial")
    moments = auc_moments(m, n, [k0 - 1, k0, k0 + 1])
    s = math.sqrt(k0 * (1 - k0 / (m + n)))
    ratio = float(moments.mean[0] - moments.mean[2]) / 2 * s / float(moments.sd[1])
    half = length(found) / 2 / float(moments.sd[1])
    table = {0.5: (5.00, 0.0447, 2.23), 1.0: (5.59, 0.0398, 1.65), 1.5: (6.26, 0.0338, 1.35), 2.0: (7.08, 0.0261, 1.13)}
    expected = [np.interp(ratio, list(table), [row[i] for row in table.values()]) for i in range(3)]
    a0, a1 = found.eps_parameters
    assert half == pytest.approx(expected[0], rel=0.01)
    assert a0 == pytest.approx(expected[1], rel=0.05)
    assert a1 / s == pytest.approx(expected[2], rel=0.05)


@pytest.mark.parametrize("options", [*VARIANTS[:6], *(pytest.param(v, marks=pytest.mark.slow) for v in VARIANTS[6:])])
def test_coverage_under_its_own_model(options):
    # K ~ Binomial(N, p); a fresh sample of the same totals is an equally likely (ranking, threshold) with K' errors.
    rng = np.random.default_rng(20240607)
    m, n, p, runs = 30, 50, 0.2, 120
    covered = 0
    interval = cache(lambda k: cortes_mohri(m, n, k, **options))
    for _ in range(runs):
        low, high = interval(int(rng.binomial(m + n, p)))
        area = random_area(m, n, int(rng.binomial(m + n, p)), rng)
        covered += low <= area <= high
    # P(at most 106 of 120 | 0.95) < 0.005.
    assert covered > 106


def random_area(m, n, k, rng):
    """The AUC of a ranking drawn from all with k errors at some threshold."""
    xs = np.arange(max(0, k - m), min(k, n) + 1)
    logs = [
        math.lgamma(m - k + 2 * x + 1) - math.lgamma(x + 1) - math.lgamma(m - k + x + 1)
        + math.lgamma(n + k - 2 * x + 1) - math.lgamma(k - x + 1) - math.lgamma(n - x + 1)
        for x in xs.tolist()
    ]  # fmt: skip
    weights = np.exp(np.array(logs) - max(logs))
    x = int(rng.choice(xs, p=weights / weights.sum()))
    top = rng.permutation(np.repeat([True, False], [m - k + x, x]))
    bottom = rng.permutation(np.repeat([True, False], [k - x, n - x]))
    labels = np.concatenate([top, bottom])
    below = n - np.cumsum(~labels)
    return float(below[labels].sum()) / (m * n)


def test_misses_a_good_scorer_in_a_large_sample():
    # Binormal scores with AUC 0.9, 5000 + 5000, error count at its mean for the best threshold: 18.2% errors.
    k = round(10_000 * 0.18242)
    for options in VARIANTS:
        found = cortes_mohri(5000, 5000, k, observed=0.9, **options)
        assert found.covers_observed is False, options


def test_observed():
    assert cortes_mohri(*PIMA).covers_observed is None
    assert cortes_mohri(*PIMA, observed=0.7).covers_observed is True
    assert cortes_mohri(*PIMA, observed=0.99).covers_observed is False
    assert cortes_mohri(*PIMA, observed=0.99).unclipped == cortes_mohri(*PIMA).unclipped
    low, high = cortes_mohri(*PIMA)
    for end, outside in ((low, 0.0), (high, 1.0)):  # the interval is closed
        assert cortes_mohri(*PIMA, observed=end).covers_observed is True
        assert cortes_mohri(*PIMA, observed=math.nextafter(end, outside)).covers_observed is False


def test_result_is_frozen_and_unpacks():
    found = cortes_mohri(*PIMA)
    low, high = found
    assert (low, high) == (found.low, found.high)
    assert isinstance(found, ConfidenceInterval)
    assert found.method == "cortes-mohri"
    assert found.beyond_paper is False
    assert cortes_mohri(10, 200, 30).beyond_paper is True
    most = found.k_range[1]
    for smaller, beyond in ((most, False), (most - 1, True)):
        assert dataclasses.replace(found, n_pos=smaller).beyond_paper is beyond
        assert dataclasses.replace(found, n_neg=smaller).beyond_paper is (beyond or most > found.n_pos)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.low = 0.0
    assert all(type(end) is float for options in VARIANTS for end in cortes_mohri(*PIMA, **options).unclipped)


@pytest.mark.some(20)
@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 0), (1, 1, 1), (1, 1, 2), (1, 50, 0), (40, 60, 0), (40, 60, 100)])
def test_extremes_answer(m, n, k, options):
    low, high = cortes_mohri(m, n, k, **options)
    assert 0.0 <= low <= high <= 1.0
    if k == 0:
        assert high == 1.0
        assert low < 1.0


def test_plug_in_law_collapses_and_says_so():
    message = (
        "The distribution Binomial(100, 0) is a single point, so the interval is too. "
        'Hint: law="predictive" allows for errors that were not seen.'
    )
    for eps in ("gaussian", "optimal"):
        with pytest.warns(ThresherWarning) as caught:
            found = cortes_mohri(40, 60, 0, eps=eps, law="binomial")
        assert str(caught[0].message) == message
        assert caught[0].filename == __file__
        assert tuple(found) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_pos": 0}, InvalidInputError, "`n_pos` must be at least 1; got 0."),
        ({"n_pos": 2**61}, InvalidInputError, f"`n_pos` must be below 2**61; got {2**61}. {SMALLER}"),
        ({"n_neg": 2**61}, InvalidInputError, f"`n_neg` must be below 2**61; got {2**61}. {SMALLER}"),
        ({"n_errors": -1}, InvalidInputError, "`n_errors` must be at least 0; got -1."),
        (
            {"n_errors": 369},
            InvalidInputError,
            (
                "`n_errors` must be between 0 and n_pos + n_neg = 368; got 369. Hint: count the misclassified "
                "examples of both classes at one threshold."
            ),
        ),
        ({"n_errors": 0.24}, InvalidTypeError, "`n_errors` must be an integer; got 0.24 of type float."),
        (
            {"confidence_level": 95},
            InvalidInputError,
            "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
        ),
        (
            {"error_interval": "wald"},
            InvalidInputError,
            "`error_interval` must be one of 'clopper-pearson', 'wilson', 'normal', 'chebyshev'; got 'wald'.",
        ),
        (
            {"error_interval": (0.3, 0.2)},
            InvalidInputError,
            (
                "`error_interval` must be a pair with 0 <= low < high <= 1; got (0.3, 0.2). Hint: give fractions, "
                "lowest first."
            ),
        ),
        ({"eps": "none"}, InvalidInputError, "`eps` must be one of 'constant', 'gaussian', 'optimal'; got 'none'."),
        ({"bound": "markov"}, InvalidInputError, "`bound` must be one of 'chebyshev', 'selberg'; got 'markov'."),
        ({"law": "poisson"}, InvalidInputError, "`law` must be one of 'predictive', 'binomial'; got 'poisson'."),
        ({"split": "half"}, InvalidInputError, "`split` must be one of 'equal', 'best'; got 'half'."),
        (
            {"split": 0.5},
            InvalidInputError,
            (
                "`split` must be above `confidence_level` = 0.95 and below 1; got 0.5. Hint: it is the level of the "
                "error-rate interval; what it leaves over is spent on the AUC."
            ),
        ),
        ({"split": None}, InvalidTypeError, '`split` must be "equal", "best" or a number; got None.'),
        (
            {"eps": "gaussian", "bound": "selberg"},
            InvalidInputError,
            (
                '`bound` must be "chebyshev" with eps="gaussian"; got \'selberg\'. Hint: eps="optimal" takes either '
                "bound and is never longer."
            ),
        ),
        (
            {"eps": "optimal", "error_interval": (0.1, 0.3)},
            InvalidInputError,
            (
                "`error_interval` is used with eps=\"constant\" only; got a pair with eps='optimal'. Hint: that choice "
                "of eps takes the distribution of the number of errors instead; see `law`."
            ),
        ),
        (
            {"eps": "gaussian", "split": "best"},
            InvalidInputError,
            (
                "`split` is used with eps=\"constant\" only; got 'best' with eps='gaussian'. Hint: that choice of eps "
                "takes the distribution of the number of errors instead; see `law`."
            ),
        ),
        (
            {"error_interval": (0.1, 0.3), "split": "best"},
            InvalidInputError,
            (
                "`split` must be \"equal\" or a number when `error_interval` is a pair; got 'best'. Hint: pass the "
                "level of your error-rate interval."
            ),
        ),
        (
            {"observed": 70},
            InvalidInputError,
            "`observed` must be in [0, 1]; got 70.0. Hint: it is a fraction, not a percentage.",
        ),
    ],
)
def test_bad_input(options, error, message):
    arguments = {"n_pos": 136, "n_neg": 232, "n_errors": 88, **options}
    with pytest.raises(error) as caught:
        cortes_mohri(**arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(("m", "n", "k"), [(136, 232, 88), (136, 232, 280), (50, 20, 12)])
def test_eps_of_ones_own(m, n, k):
    best = cortes_mohri(m, n, k, eps="gaussian")
    a0, a1 = best.eps_parameters
    pair = cortes_mohri(m, n, k, eps=(a0, a1))
    assert pair.unclipped == pytest.approx(best.unclipped, rel=1e-12)
    assert (pair.k_range, pair.k_at_low, pair.k_at_high) == (best.k_range, best.k_at_low, best.k_at_high)
    function = cortes_mohri(m, n, k, eps=lambda x: a0 * np.exp(np.minimum((x - k) ** 2 / (2 * a1**2), 600)))
    assert function.unclipped == pytest.approx(best.unclipped, rel=1e-12)
    assert function.eps_parameters is None
    # Another pair that proves the level is not shorter.
    other = cortes_mohri(m, n, k, eps=(0.8 * a0, 1.1 * a1))
    assert other.unclipped[1] - other.unclipped[0] >= best.unclipped[1] - best.unclipped[0]


def test_eps_of_ones_own_by_enumeration():
    # Every k of a law without tails: a constant eps_k is Theorem 1 over all k.
    found = cortes_mohri(3, 4, 2, eps=lambda k: np.full(k.shape, 0.05), law="predictive")
    moments = auc_moments(3, 4, np.arange(8))
    assert found.unclipped[0] == pytest.approx(min(moments.mean - moments.sd / math.sqrt(0.05)))
    assert found.unclipped[1] == pytest.approx(max(moments.mean + moments.sd / math.sqrt(0.05)))
    assert found.k_range == (0, 7)


@pytest.mark.parametrize(
    ("eps", "error", "message"),
    [
        ((0.5, 10.0), InvalidInputError, r"`eps` must prove the confidence level 0.95 by inequality \(11\); it proves"),
        ((1.5, 10.0), InvalidInputError, r"`eps` must be a pair \(a0, a1\) with 0 < a0 < 1 and a1 > 0; got"),
        (0.05, InvalidTypeError, r"`eps` must be one of .*, a pair \(a0, a1\) or a function of k; got 0.05"),
        (lambda k: 0.05, InvalidInputError, r"`eps` must return a number above 0 for each of"),
        (lambda k: k * 0.0, InvalidInputError, r"`eps` must return a number above 0 for each of"),
    ],
)
def test_eps_of_ones_own_is_checked(eps, error, message):
    with pytest.raises(error, match=message):
        cortes_mohri(136, 232, 88, eps=eps)
    with pytest.raises(InvalidInputError, match="`bound` must be"):
        cortes_mohri(136, 232, 88, eps=lambda k: 0.01 + 0 * k, bound="selberg")
