"""The population object: properties on random pairs, operating points, curves, and bad input."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import special, stats

import thresher as th
from thresher.population import CASES, Discrete, Mixture, affine

X = np.array([1e-6, 0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95, 1 - 1e-6])

locations = st.floats(-3, 3)
scales = st.floats(0.2, 4)


@st.composite
def continuous(draw):
    kind = draw(st.sampled_from(["norm", "beta", "gamma", "t", "uniform"]))
    loc, scale = draw(locations), draw(scales)
    match kind:
        case "norm":
            return stats.norm(loc, scale)
        case "beta":
            return stats.beta(draw(st.floats(0.4, 6)), draw(st.floats(0.4, 6)), loc, scale)
        case "gamma":
            return stats.gamma(draw(st.floats(0.5, 6)), loc, scale)
        case "t":
            return stats.t(draw(st.floats(1, 9)), loc, scale)
    return stats.uniform(loc, scale)


@st.composite
def discrete(draw):
    kind = draw(st.sampled_from(["poisson", "binom", "point"]))
    match kind:
        case "poisson":
            return stats.poisson(draw(st.floats(0.3, 8)))
        case "binom":
            return stats.binom(draw(st.integers(1, 12)), draw(st.floats(0.05, 0.95)))
    return Discrete(draw(st.integers(-2, 6)))


@st.composite
def distributions(draw):
    kind = draw(st.sampled_from(["continuous", "continuous", "discrete", "mixture", "mixed"]))
    match kind:
        case "continuous":
            return draw(continuous())
        case "discrete":
            return draw(discrete())
        case "mixture":
            return Mixture([draw(continuous()), draw(continuous())], [draw(st.floats(0.1, 0.9)), 0.5])
    return Mixture([draw(continuous()), draw(discrete())], [draw(st.floats(0.1, 0.9)), 0.5])


shares = st.floats(0.01, 0.99)
quick = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(distributions(), distributions(), shares)
@quick
def test_p1_and_p2a_and_p6_and_the_conversion(pos, neg, share):
    population = th.Population(pos, neg, prevalence=share)
    roc, alpha, pr, limits = population.roc(X), population.fpr_at(X), population.pr(X), population.limits()
    # P1: monotone between its limits.
    assert (np.diff(roc) >= -1e-12).all()
    assert (np.diff(alpha) >= -1e-12).all()
    assert (roc >= limits.roc_at_0 - 1e-9).all()
    assert (roc <= limits.roc_at_1 + 1e-9).all()
    assert (alpha >= limits.fpr_at_0 - 1e-9).all()
    assert (alpha <= limits.fpr_at_1 + 1e-9).all()
    # P2(a): the limit at recall 1.
    assert limits.pr_at_1 == pytest.approx(share / (share + (1 - share) * limits.fpr_at_1), rel=1e-12)
    # P6: the lower bound.
    assert (pr >= population.lower_bound(X) * (1 - 1e-12)).all()
    # Equation (4): ROC and PR are one curve.
    np.testing.assert_allclose(pr, X / (X + (1 - share) / share * alpha), rtol=1e-12)
    # And the two maps undo each other: the recall reached at the false positive rate of a recall is at least that, or
    # that of the next score a double can hold (where the density has a pole they are far apart).
    if population.pos.continuous and population.neg.continuous:
        inside = (alpha > 1e-9) & (alpha < 1 - 1e-9)
        reached = population.pos.sf(np.nextafter(population.pos.isf(X[inside]), np.inf))
        assert (population.roc(alpha[inside] * (1 + 1e-9)) >= np.minimum(reached, X[inside]) * (1 - 1e-6)).all()


@given(distributions(), distributions())
@quick
def test_p1_limits_are_limits(pos, neg):
    population = th.Population(pos, neg, prevalence=0.5)
    limits = population.limits()
    near, far = population.roc(np.array([1e-9, 1 - 1e-12]))
    # From inside, the curve comes down to its limit at 0 and up to that at 1.
    assert near >= limits.roc_at_0 - 1e-12
    assert far <= limits.roc_at_1 + 1e-12
    if population.neg.discrete and math.isfinite(population.neg.upper):
        assert near == pytest.approx(limits.roc_at_0, abs=1e-12)
    assert population.fpr_at(1 - 1e-12) <= limits.fpr_at_1 + 1e-12


@given(continuous(), continuous(), shares)
@quick
def test_p2c(pos, neg, share):
    population = th.Population(pos, neg, prevalence=share)
    if population.pos.upper < population.neg.upper:
        limits = population.limits()
        assert limits.pr_at_0 == 0.0
        assert limits.fpr_per_recall_at_0 == math.inf


@given(continuous(), continuous())
@quick
def test_corrected_p3(pos, neg):
    population = th.Population(pos, neg, prevalence=0.3)
    found = population.shape()
    grid = np.linspace(0.02, 0.98, 97)
    pr = population.pr(grid)
    if found.pr == "nonincreasing":
        assert (np.diff(pr) <= 1e-12).all()
    if found.pr == "nondecreasing":
        assert (np.diff(pr) >= -1e-12).all()
    # A concave curve that ends at 1 must give falling precision, whoever found it concave.
    fine = population.roc(grid)
    if found.roc == "concave" and population.limits().roc_at_1 == 1 and fine[-1] > 0:
        assert found.pr in ("nonincreasing", "constant")
    if found.roc in ("concave", "linear"):
        assert (np.diff(fine, 2) <= 1e-9).all()
    if found.roc in ("convex", "linear"):
        assert (np.diff(fine, 2) >= -1e-9).all()


@given(distributions(), shares)
@quick
def test_p4_identical_classes(distribution, share):
    population = th.Population(distribution, distribution, prevalence=share)
    roc, pr = population.roc(X), population.pr(X)
    assert (roc <= X * (1 + 1e-9)).all()
    assert (pr >= share * (1 - 1e-9)).all()
    if population.pos.continuous:
        np.testing.assert_allclose(roc, X, rtol=1e-9)
        np.testing.assert_allclose(pr, share, rtol=1e-9)
    # Equality where 1 - x is a value of the distribution function.
    values, _ = population.pos.atoms()
    if population.pos.discrete:
        at = population.pos.sf(values)
        at = at[(at > 1e-9) & (at < 1)]
        np.testing.assert_allclose(population.roc(at), at, rtol=1e-12)
    assert population.roc_auc() == pytest.approx(0.5, abs=1e-10)


@given(distributions(), distributions(), shares, st.sampled_from(["exp", "cube", "logit"]))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_p7_invariance(pos, neg, share, name):
    functions = {
        "exp": (lambda t: np.exp(t / 50), lambda t: 50 * np.log(t)),
        "cube": (lambda t: t**3 + t, None),
        "logit": (lambda t: np.arctan(t / 20), lambda t: 20 * np.tan(t)),
    }
    function, inverse = functions[name]
    if inverse is None:
        # The real root of t^3 + t = y.
        inverse = lambda y: 2 / math.sqrt(3) * np.sinh(np.arcsinh(1.5 * math.sqrt(3) * y) / 3)  # noqa: E731
    population = th.Population(pos, neg, prevalence=share)
    image = population.transform(function, inverse=inverse)
    x = np.array([0.013, 0.211, 0.487, 0.772, 0.941])  # not on a step of a simple table
    np.testing.assert_allclose(image.roc(x), population.roc(x), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(image.pr(x), population.pr(x), rtol=1e-6, atol=1e-9)


def test_p7_fails_for_rounding_and_saturation():
    plain = CASES["A"]
    rounded = [
        Discrete(np.arange(-9, 10), np.diff(distribution.cdf(np.arange(-9.5, 10))))
        for distribution in (plain.pos, plain.neg)
    ]
    coarse = th.Population(*rounded, prevalence=0.5)
    assert coarse.pr_auc(estimator="interpolated") < plain.pr_auc() < coarse.pr_auc(estimator="functional")
    assert special.expit(40.0) == 1.0  # a sigmoid makes ties out of large scores


def test_p7_needs_continuity_at_single_points():
    # F+ = N(0, 1), F- = point mass at 0, h(s) = s + 1{s >= 0}: PR(1/2) changes.
    before = th.Population(stats.norm(), Discrete([0.0]), prevalence=0.3)
    assert before.pr(0.5) == 1.0
    # After h nothing lies in [0, 1): the positives have a gap there and the negatives sit at its right end.
    half = stats.halfnorm()
    after = th.Population(Mixture([affine(half, scale=-1), affine(half, shift=1)]), Discrete([1.0]), prevalence=0.3)
    assert after.pr(0.5) == pytest.approx(0.15 / (0.15 + 0.7))


def test_separation_p5_p6():
    perfect = th.Population(stats.uniform(2, 1), stats.uniform(0, 1), prevalence=0.2)
    assert (perfect.pr([0.1, 0.9]) == 1.0).all()
    assert (perfect.roc_auc(), perfect.pr_auc()) == (1.0, pytest.approx(1.0, rel=1e-14))
    reverse = th.Population(stats.uniform(0, 1), stats.uniform(2, 1), prevalence=0.2)
    np.testing.assert_allclose(reverse.pr(X), reverse.lower_bound(X), rtol=1e-14)
    assert reverse.pr_auc() == pytest.approx(th.min_pr_auc(0.2), rel=1e-13)


def test_chance():
    chance = CASES["A"].with_prevalence(0.2).chance()
    assert chance.roc(X).tolist() == X.tolist()
    np.testing.assert_allclose(chance.pr(X), 0.2, rtol=1e-14)
    tied = CASES["F"].with_prevalence(0.2).chance()
    assert (tied.roc(X) <= X).all()
    assert tied.roc_auc() == pytest.approx(0.5)


def test_case_b_claims():
    b = CASES["B"]
    point = b.at(threshold=0.7)
    assert (point.fpr, point.tpr, point.precision) == pytest.approx((0.2420, 0.7217, 0.7489), abs=1e-4)
    assert b.at(threshold=0.8416).fpr == pytest.approx(0.2, abs=1e-4)
    assert b.at(threshold=0.9238).precision == pytest.approx(0.8, abs=1e-4)
    assert b.roc(0.7798) == pytest.approx(0.7798, abs=1e-4)
    assert b.pr(0.823640) == pytest.approx(0.454531, abs=1e-6)
    assert 1 - b.pr(0.007463) == pytest.approx(1.4e-12, rel=0.05)
    assert b.pr(6e-16) == pytest.approx(0.5, abs=0.02)
    assert CASES["A"].roc(0.20324) == pytest.approx(b.roc(0.20324), abs=1e-5)


def test_at_counts_scores_at_the_threshold():
    point = CASES["F"].at(threshold=0.5)
    assert (point.tpr, point.fpr) == pytest.approx((0.6, 0.3))
    assert point.tp + point.fp + point.fn + point.tn == pytest.approx(1.0)
    assert CASES["F"].at(threshold=0.5, prevalence=0.2).prevalence == pytest.approx(0.2)
    everything = CASES["A"].at(threshold=-math.inf)
    assert (everything.tpr, everything.fpr) == (1.0, 1.0)


def test_curves_are_the_ordinary_objects():
    a, b = (CASES[name].with_prevalence(0.2).curve("roc") for name in "AB")
    assert isinstance(a, th.RocCurve)
    assert a.thresholds[0] == math.inf
    assert (a.tpr[0], a.fpr[0], a.tpr[-1], a.fpr[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert (np.diff(a.thresholds) < 0).all()
    inside = slice(1, -1)
    np.testing.assert_allclose(a.tpr[inside], CASES["A"].roc(a.fpr[inside]), rtol=1e-9, atol=1e-12)
    verdict = th.dominates(a, b)
    assert verdict.verdict == "neither"
    pr = CASES["A"].with_prevalence(0.2).curve("pr", n_points=2000)
    assert isinstance(pr, th.PrCurve)
    assert pr.prevalence == pytest.approx(0.2)
    grid = np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(pr.interpolate(grid), CASES["A"].pr(grid, prevalence=0.2), rtol=1e-4)
    hull = b.hull()
    assert len(hull) < len(b)
    found = a.at(threshold=float(a.thresholds[100]))
    assert found.tpr == pytest.approx(CASES["A"].pos.sf(found.threshold), rel=1e-9)
    # Discrete scores keep every atom and nothing else.
    f = CASES["F"].curve("roc")
    assert sorted(f.thresholds[1:].tolist()) == sorted(
        set(CASES["F"].pos.atoms()[0].tolist()) | set(CASES["F"].neg.atoms()[0].tolist())
    )
    assert th.Population(stats.norm(1), stats.norm()).curve("roc").prevalence == 0.5


def test_user_objects():
    class Mine:
        """Logistic distribution, written for one number at a time."""

        def cdf(self, t):
            return 1 / (1 + math.exp(-t))

        def sf(self, t):
            return 1 / (1 + math.exp(t))

        def ppf(self, p):
            return math.log(p / (1 - p)) if 0 < p < 1 else math.copysign(math.inf, p - 0.5)

        def isf(self, q):
            return -self.ppf(q)

    population = th.Population(affine(Mine(), shift=1), Mine(), prevalence=0.5)
    x = np.array([0.1, 0.5])
    np.testing.assert_allclose(population.roc(x), x / (x + (1 - x) / math.e), rtol=1e-12)
    assert population.roc_auc() == pytest.approx(th.Population(stats.logistic(1), stats.logistic()).roc_auc(), rel=1e-9)
    assert population.limits().pr_at_0 is None

    class Die:
        """A discrete distribution with a pmf on the integers."""

        def support(self):
            return 1, 6

        def pmf(self, k):
            return 1 / 6 if 1 <= k <= 6 else 0.0

        cdf = sf = ppf = isf = staticmethod(lambda value: value)

    assert th.Population(Die(), Die(), prevalence=0.5).roc_auc(ties="strict") == pytest.approx(15 / 36)


@pytest.mark.skipif(not hasattr(stats, "Normal"), reason="scipy before 1.15 has no new-style distributions")
def test_new_style_scipy_distributions():
    population = th.Population(stats.Normal(mu=1.4, sigma=1.0), stats.Normal(mu=0.0, sigma=1.0), prevalence=0.5)
    np.testing.assert_allclose(population.pr([0.1, 0.5]), CASES["A"].pr([0.1, 0.5]), rtol=1e-9)
    assert population.roc_auc() == pytest.approx(CASES["A"].roc_auc(), rel=1e-9)


def test_samples_answer_like_theories():
    pos, neg = [0.9, 0.75, 0.5, 0.35, 0.2], CASES["F"].neg
    population = th.Population(pos, neg, prevalence=1 / 3)
    np.testing.assert_allclose(population.pr(X), CASES["F"].pr(X, prevalence=1 / 3), rtol=1e-14)
    y, s = population.sample(500, rng=1)
    assert set(np.unique(s[y == 1])) <= set(pos)
    assert y.mean() == pytest.approx(1 / 3, abs=0.1)
    again = population.sample(500, rng=1)
    assert (again[1] == s).all()


def test_values_at_the_ends():
    a, e = CASES["A"], CASES["E"]
    assert (a.roc(0.0), a.roc(1.0)) == (0.0, 1.0)
    assert CASES["D"].roc(0.0) == 0.5
    assert math.isnan(a.pr(0.0))
    assert e.pr(0.0) == 0.0
    assert a.pr(1.0, prevalence=0.3) == pytest.approx(0.3)
    assert a.pr(np.array([[0.2, 0.4]])).shape == (1, 2)


class NoIsf:
    def cdf(self, t):
        return t

    sf = ppf = cdf


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: th.Population(stats.norm(), stats.norm(), prevalence=0),
            th.InvalidInputError,
            "`prevalence` must be in (0, 1); got 0. Hint: it is the rate of positives.",
        ),
        (
            lambda: th.Population(stats.norm(), stats.norm(), prevalence=1.0),
            th.InvalidInputError,
            "`prevalence` must be in (0, 1); got 1.0. Hint: it is the rate of positives.",
        ),
        (
            lambda: CASES["A"].pr(1.5),
            th.InvalidInputError,
            "`recall` must be in [0, 1]; got 1.5. Hint: it is a fraction, not a percentage.",
        ),
        (
            lambda: CASES["A"].roc([0.5, -0.1]),
            th.InvalidInputError,
            "`fpr` must be in [0, 1]; got -0.1. Hint: it is a fraction, not a percentage.",
        ),
        (
            lambda: th.Population(stats.norm(math.nan, 1), stats.norm()),
            th.InvalidInputError,
            "`pos` must have valid parameters; got norm with shapes, loc and scale (nan, 1).",
        ),
        (
            lambda: th.Population(stats.norm(), stats.gamma(-1)),
            th.InvalidInputError,
            "`neg` must have valid parameters; got gamma with shapes, loc and scale (-1, 0, 1).",
        ),
        (
            lambda: th.Population(stats.norm(0, -1), stats.norm()),
            th.InvalidInputError,
            "`pos` must have valid parameters; got norm with shapes, loc and scale (0, -1).",
        ),
        (
            lambda: th.Population(stats.norm([0, 1]), stats.norm()),
            th.InvalidInputError,
            "`pos` must be one distribution; got norm with array parameters. Hint: pass scalars.",
        ),
        (
            lambda: th.Population(stats.norm(), stats.beta),
            th.InvalidTypeError,
            "`neg` must be a distribution with its parameters; got the family 'beta', whose shapes 'a, b' "
            "are not given. "
            "Hint: pass scipy.stats.beta(...).",
        ),
        (
            lambda: th.Population(stats.norm(), stats.norm()).pr(0.5),
            th.InvalidInputError,
            "`prevalence` must be given for anything about precision; got None. "
            "Hint: pass prevalence= here or to Population.",
        ),
        (
            lambda: CASES["A"].at(threshold=math.nan),
            th.InvalidInputError,
            "`threshold` must be a number; got nan.",
        ),
        (
            lambda: CASES["A"].asymptotic_sd(1.0, 10),
            th.InvalidInputError,
            "`recall` must be strictly between 0 and 1; got 1.0.",
        ),
        (
            lambda: CASES["A"].pr_auc(estimator="trapezoid"),
            th.InvalidInputError,
            "`estimator` must be one of 'functional', 'interpolated', 'inclusive', 'average_precision'; "
            "got 'trapezoid'.",
        ),
    ],
)
def test_bad_input(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_an_object_without_isf_is_refused():
    with pytest.raises(th.InvalidTypeError) as caught:
        th.Population(NoIsf(), stats.norm())
    assert str(caught.value).startswith("`pos` must be a distribution with the methods cdf, sf, ppf and isf; got <")
    assert str(caught.value).endswith(
        "of type NoIsf without isf. Hint: freeze a scipy.stats distribution, as in scipy.stats.norm(1.4, 1)."
    )


def test_supports_that_do_not_overlap_degenerate_rightly():
    high, low = stats.uniform(5, 1), stats.uniform(0, 1)
    up = th.Population(high, low, prevalence=0.1)
    assert (up.pr(X) == 1.0).all()
    assert (up.roc(X) == 1.0).all()
    assert up.asymptotic_sd(0.5, 100) == 0.0
    assert up.limits().pr_at_0 == 1.0
    down = th.Population(low, high, prevalence=0.1)
    assert (down.roc(X) == 0.0).all()
    assert down.limits().pr_at_0 == 0.0
    assert down.roc_auc() == 0.0
