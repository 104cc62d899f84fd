"""The binomial-beta distribution against its definition, term by term."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import betainc
from scipy.stats import binom

from thresher._inference.bands.binomial_beta import _trials, alpha_interval, beta_cdf, mixtures
from thresher._inference.bands.cuts import Cuts, cuts_along_negatives, cuts_along_positives
from thresher._table import Counts


def table(n: int, share: float, seed: int, decimals: int | None = None) -> Counts:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    score = rng.normal(size=n) + 1.4 * y
    return Counts(y, score if decimals is None else score.round(decimals))


def components(cuts: Cuts, x: float) -> list[tuple[float, float, float]]:
    """Return (weight, seen, how many times the cases count), case by case, with exact comparisons."""
    a, b, n, total = cuts.along.tolist(), cuts.across.tolist(), cuts.n_along, cuts.n_across
    if not cuts.tied:
        j = np.arange(n + 1)
        weights = binom.pmf(j, n, x) / 2
        return [
            (w, float(s), 1.0) for seen in (cuts.fewest(j), cuts.most(j)) for w, s in zip(weights, seen, strict=True)
        ]
    at = round(n * x, 9)
    i = max(k for k in range(len(a) - 1) if a[k] <= at)
    width, trials = a[i + 1] - a[i], n
    if width > 1:
        share, v = (at - a[i]) / width, x * (1 - x)
        less = share * (1 - share) * (width - 1) ** 2 / ((width + 2) * n)
        trials = int(np.floor(v / max(v - less, v / 50) * n + 0.5)) if v > 0 else n
    out = []
    for count, w in enumerate(binom.pmf(np.arange(trials + 1), trials, x)):
        if w < 1e-13:
            continue
        place = Fraction(count * n, trials)
        same = [k for k, have in enumerate(a) if have == place]
        if same:
            out += [(w / 2, float(b[same[0]]), 1.0), (w / 2, float(b[same[-1]]), 1.0)]
            continue
        k = max(k for k in range(len(a)) if a[k] <= place)
        share, rise = float((place - a[k]) / (a[k + 1] - a[k])), b[k + 1] - b[k]
        seen = b[k] + share * rise
        v = seen / total * (1 - seen / total)
        less = share * (1 - share) * rise**2 / ((rise + 2) * total)
        out.append((w, seen, v / max(v - less, v / 50) if v > 0 else 1.0))
    return out


def oracle(cuts: Cuts, x: float, tail: float) -> tuple[float, float]:
    """Solve the definition: a sum over all j, with the two end events at the ends."""
    weight, seen, scale = map(np.array, zip(*components(cuts, x), strict=True))
    n = cuts.n_across

    def below(a: float, keep: np.ndarray) -> float:
        return float((weight * betainc(scale * seen + 0.5, scale * (n - seen) + 0.5, a))[keep].sum())

    none, all_ = weight[seen == 0].sum(), weight[seen == n].sum()
    low = 0.0 if none >= tail else brentq(lambda a: below(a, seen > 0) + none - tail, 0, 1, xtol=1e-14)
    high = 1.0 if all_ >= tail else brentq(lambda a: below(a, seen < n) - (1 - tail), 0, 1, xtol=1e-14)
    return low, high


@pytest.mark.some(12)
@pytest.mark.parametrize("n, share", [(30, 0.5), (500, 0.1), (1000, 0.5), (6_000, 0.3)])
@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize("tied", [True, False])
def test_quantiles_solve_the_definition(n: int, share: float, decimals: int | None, tied: bool) -> None:
    cuts = cuts_along_positives(table(n, share, 7, decimals))._replace(tied=tied)
    x = np.array([0.003, 0.1, 0.37, 0.5, 0.9, 0.999])
    low, high = alpha_interval(mixtures(cuts, x), 0.025)
    for i, at in enumerate(x):
        want = oracle(cuts, at, 0.025)
        # Neighbouring components are taken together, which moves an end by less than a thousandth of its value.
        assert low[i] == pytest.approx(want[0], rel=1e-3, abs=1e-12)
        assert high[i] == pytest.approx(want[1], rel=1e-3, abs=1e-12)


def test_large_shapes_agree_with_the_incomplete_beta_function() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(30, 5000, 4000), rng.uniform(30, 5000, 4000)
    x = rng.beta(a, b)
    assert np.abs(beta_cdf(a, b, x) - betainc(a, b, x)).max() < 4e-5


@pytest.mark.parametrize("x", [0.0, 1.0])
def test_beta_cdf_at_the_ends(x: float) -> None:
    a, b = np.array([0.5, 100.0]), np.array([3.0, 100.0])
    assert beta_cdf(a, b, np.full(2, x)).tolist() == [x, x]


def test_end_rules() -> None:
    # No negative above the upper half of the positives, all of them above the lowest positive.
    cuts = cuts_along_positives(Counts.from_pos_neg([9.0, 8, 7, 6, 0], [5.0, 4, 3, 2, 1]))
    low, high = alpha_interval(mixtures(cuts, np.array([0.1, 0.99])), 0.025)
    assert low[0] == 0.0
    assert high[0] < 1.0
    assert high[1] == 1.0


def test_one_row_in_each_class() -> None:
    cuts = cuts_along_positives(Counts.from_pos_neg([1.0], [0.0]))
    low, high = alpha_interval(mixtures(cuts, np.array([0.5])), 0.025)
    assert (low[0], high[0]) == (0.0, 1.0)


REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "uncertainty.json").read_text())["bands"]


@pytest.mark.parametrize("case", REFERENCE, ids=range(len(REFERENCE)))
def test_reference_values_with_ties(case: dict[str, Any]) -> None:
    score, pos, neg = zip(*case["table"], strict=True)
    counts = Counts.from_counts(score, pos=pos, neg=neg)
    cuts = (cuts_along_negatives if case["curve"] == "roc" else cuts_along_positives)(counts)
    at = np.array([float(Fraction(case["x"]))])
    tail = (1.0 - float(Fraction(case["confidence_level"]))) / 2.0
    low, high = alpha_interval(mixtures(cuts, at), tail)
    assert _trials(cuts, at).tolist() == [case["trials"]]
    assert cuts.value(at)[0] == pytest.approx(float(Fraction(case["value"])), abs=1e-15)
    # Components in a bin share their mean.
    assert low[0] == pytest.approx(float(case["low"]), rel=1e-3, abs=2e-5)
    assert high[0] == pytest.approx(float(case["high"]), rel=1e-3, abs=2e-5)
