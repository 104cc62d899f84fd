"""Intervals asked of an estimate: the right kernel, the right scale, the right words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from support import golden
from thresher._inference.interval import normal_quantile


def sample(n: int = 300, seed: int = 0) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return th.Scores(y, (rng.normal(size=n) + 1.2 * y).round(2))


@pytest.mark.parametrize(("figure", "method"), [("delong_ci95", "delong"), ("delong_ci95_logit", "delong-logit")])
def test_reference_intervals(figure, method):
    for dataset, column, want in golden.figures(figure):
        area = golden.scores(dataset, column).roc_auc()
        if area.standard_error() > 0:  # otherwise one point, with a warning of its own, tested below
            assert list(area.confidence_interval(method=method)) == pytest.approx(want, abs=1e-12), dataset


def test_reference_standard_errors():
    for dataset, column, want in golden.figures("delong_se"):
        assert golden.scores(dataset, column).roc_auc().standard_error() == pytest.approx(want, abs=1e-12), dataset


def test_hanley_mcneil_reference():
    for dataset, column, want in golden.figures("hanley_mcneil_se"):
        got = golden.scores(dataset, column).roc_auc().standard_error(method="hanley-mcneil")
        assert got == pytest.approx(want, abs=1e-12)


def areas_of(scores: th.Scores) -> dict[str, th.AreaEstimate]:
    return {
        "roc": scores.roc_auc(),
        "fpr": scores.partial_roc_auc(fpr=(0.1, 0.4)),
        "tpr": scores.partial_roc_auc(tpr=(0.6, 1.0), standardize=True),
        "pr": scores.pr_auc(),
        "ap": scores.pr_auc(estimator="average_precision"),
        "shifted": scores.pr_auc(prevalence=0.1),
        "ranged": scores.pr_auc(recall=(0.2, 0.7)),
        "normalized": scores.pr_auc(normalize=True),
    }


CASES = [(name, method) for name, area in areas_of(sample()).items() for method in area.measure.intervals]


@pytest.mark.some(25)
@pytest.mark.parametrize(("name", "method"), CASES)
def test_every_method_gives_an_interval_round_the_value(name, method):
    area = areas_of(sample())[name]
    options = {"threshold": 0.6} if method == "cortes-mohri" else {}
    if method == "bootstrap":
        options = {"n_resamples": 200, "rng": 1}
    wide = area.confidence_interval(0.99, method=method, **options)
    narrow = area.confidence_interval(0.8, method=method, **options)
    least, most = area.measure.bounds
    assert least <= wide.low <= narrow.low <= narrow.high <= wide.high <= most
    if method not in ("cortes-mohri", "bootstrap"):
        assert area.value in narrow
    assert (wide.method, wide.confidence_level) == (method, 0.99)


def test_default_methods():
    areas = areas_of(sample())
    for area in areas.values():
        assert area.confidence_interval().method == "bayes"


def test_standardised_intervals_are_the_raw_ones_mapped():
    scores = sample()
    raw = scores.partial_roc_auc(fpr=(0.0, 0.3))
    corrected = scores.partial_roc_auc(fpr=(0.0, 0.3), standardize=True)
    least, most = 0.045, 0.3
    for end, other in zip(raw.confidence_interval(), corrected.confidence_interval(), strict=True):
        assert other == pytest.approx((1 + (end - least) / (most - least)) / 2, rel=1e-9)
    ratio = corrected.standard_error() / raw.standard_error()
    assert ratio == pytest.approx(0.5 / (most - least), rel=1e-12)
    plain, normal = scores.pr_auc(), scores.pr_auc(normalize=True)
    floor = th.min_pr_auc(scores.prevalence)
    # By default the floor is that of each weighted table, whose prevalence varies; in a fixed design it is one.
    for options in ({"method": "logit"}, {"design": "fixed"}):
        ends = plain.confidence_interval(**options), normal.confidence_interval(**options)
        for end, other in zip(*ends, strict=True):
            assert other == pytest.approx((end - floor) / (1 - floor), rel=1e-9)
    assert normal.value * (1 - floor) + floor == pytest.approx(plain.value, rel=1e-14)
    assert normal.standard_error() == pytest.approx(plain.standard_error() / (1 - floor), rel=1e-12)


def test_compressed_tables_widen_by_their_bound():
    full = sample(2000)
    small = full.compress(60).roc_auc()
    low, high = small.confidence_interval(method="hanley-mcneil")
    inner = th.roc_auc_interval(small.value, full.n_pos, full.n_neg, method="hanley-mcneil")
    assert (inner.low - low, high - inner.high) == pytest.approx((small.error_bound, small.error_bound), rel=1e-9)


def test_bootstrap_is_repeatable_and_reports_progress():
    seen: list[tuple[int, int]] = []
    area = sample().pr_auc()
    first = area.confidence_interval(method="bootstrap", n_resamples=300, rng=7, progress=lambda *a: seen.append(a))
    again = area.confidence_interval(method="bootstrap", n_resamples=300, rng=7)
    other = area.confidence_interval(method="bootstrap", n_resamples=300, rng=8)
    assert tuple(first) == tuple(again) != tuple(other)
    assert seen[-1] == (300, 300)
    error = area.standard_error(method="bootstrap", n_resamples=2000, rng=1)
    assert error == pytest.approx(area.standard_error(design="fixed"), rel=0.15)


def test_cortes_mohri_uses_the_errors_at_the_threshold():
    scores = sample()
    point = scores.roc().at(threshold=0.5)
    got = scores.roc_auc().confidence_interval(method="cortes-mohri", threshold=0.5)
    want = th.cortes_mohri(scores.n_pos, scores.n_neg, point.fp + point.fn)
    assert tuple(got) == tuple(want)
    assert got.observed == scores.roc_auc().value
    assert got.covers_observed == (scores.roc_auc().value in want)


def test_perfect_separation_warns_and_answers():
    perfect = th.Scores([1] * 5 + [0] * 5, range(10, 0, -1))
    with pytest.warns(th.ThresherWarning, match="single point"):
        assert tuple(perfect.roc_auc().confidence_interval(method="delong-logit")) == (1.0, 1.0)
    for method in ("score", "exact", "newcombe"):
        low, high = perfect.roc_auc().confidence_interval(method=method)
        assert low < 0.9
        assert high == 1.0
    with pytest.warns(th.ThresherWarning, match="separated"):
        assert perfect.pr_auc().confidence_interval(method="logit").low < 0.9


@pytest.mark.parametrize(
    ("figure", "hint"),
    [
        (lambda scores: scores.roc_auc(), "method='exact' never covers less"),
        (lambda scores: scores.pr_auc(), "more cases may show them"),
        (lambda scores: scores.partial_roc_auc(fpr=(0, 0.5)), "more cases may show them"),
        (lambda scores: scores.partial_roc_auc(tpr=(0.8, 1), standardize=True), "more cases may show them"),
    ],
)
def test_the_default_says_that_a_sample_without_an_error_shows_none(figure, hint):
    area = figure(th.Scores([1] * 5 + [0] * 5, range(10, 0, -1)))
    with pytest.warns(th.ThresherWarning) as caught:
        low, high = area.confidence_interval()
    assert low < 0.9 * area.value
    assert high == area.value
    assert [str(one.message) for one in caught] == [
        f"This sample has no misranked case that '{area.metric}' looks at, so the interval undercovers if a small "
        f"fraction of a class is hard to rank. Hint: {hint}."
    ]
    figure(th.Scores([1] * 5 + [0] * 5, [10, 9, 8, 7, 1, 6, 5, 4, 3, 2])).confidence_interval()  # says nothing


def test_a_random_design_is_resampled_at_random():
    area = th.Scores([1] * 20 + [0] * 30, [7, 6, 5, 3] * 5 + [6, 4, 2, 1, 3] * 6).pr_auc()
    drawn = {
        design: area.confidence_interval(method="bootstrap", bootstrap="percentile", design=design, rng=4)
        for design in ("random", "fixed")
    }
    assert drawn["random"].width > 1.1 * drawn["fixed"].width
    kept = area.confidence_interval(method="bootstrap", bootstrap="percentile", stratified=True, rng=4)
    assert tuple(kept) == tuple(drawn["fixed"])
    # The ROC area does not know the class balance.
    roc = th.Scores([1, 0, 1, 0, 1, 0], [5, 4, 3, 2, 1, 0]).roc_auc()
    ends = [roc.confidence_interval(method="bootstrap", design=design, rng=4) for design in ("random", "fixed")]
    assert ends[0] == ends[1]


def test_weights_by_class_are_carried_into_the_draws():
    """The balance that weights set is that of every draw: nearly the interval at that prevalence, not at the rows'."""
    rng = np.random.default_rng(3)
    y = np.arange(2000) < 1000
    s = rng.normal(size=2000) + 1.2 * y
    area = th.Scores(y, s, sample_weight=np.where(y, 1.0, 9.0)).pr_auc()
    known = th.Scores(y, s).pr_auc(prevalence=0.1)
    assert area.value == pytest.approx(known.value, rel=1e-12)
    assert tuple(area.confidence_interval(design="fixed")) == pytest.approx(
        tuple(known.confidence_interval()), rel=1e-9
    )
    width = known.confidence_interval().width
    assert tuple(area.confidence_interval()) == pytest.approx(tuple(known.confidence_interval()), abs=0.1 * width)
    assert tuple(area.confidence_interval()) == pytest.approx(
        tuple(th.Scores(y, s, sample_weight=np.where(y, 10.0, 90.0)).pr_auc().confidence_interval()), rel=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize(("size", "factor"), [(200, 9.0), (200, 49.0)])
def test_the_default_covers_where_weights_reweight_a_case_control_sample(size, factor):
    runs, rng = 400, np.random.default_rng(11)
    y = np.arange(2 * size) < size
    law = stats.norm(1.2), stats.norm(0.0)
    truth = th.Population(*law, prevalence=1.0 / (1.0 + factor)).pr_auc()
    held = 0
    for _ in range(runs):
        area = th.Scores(y, rng.normal(size=y.size) + 1.2 * y, sample_weight=np.where(y, 1.0, factor)).pr_auc()
        held += truth in area.confidence_interval()
    assert held / runs >= 0.93


def test_one_positive():
    single = th.Scores([1, 0, 0, 0, 0], [3, 5, 4, 2, 1])
    with pytest.raises(th.UndefinedMetricError, match="needs more than one positive; got 1"):
        single.roc_auc().confidence_interval(method="delong")
    assert single.roc_auc().confidence_interval().low < 0.1
    assert single.roc_auc().confidence_interval(method="newcombe").low < 0.5
    with pytest.warns(th.ThresherWarning, match="more than one row in each class"):
        assert tuple(single.pr_auc().confidence_interval(method="logit")) == (0.0, 1.0)


def test_remedies_of_partial_areas_work():
    perfect = th.Scores([1] * 5 + [0] * 5, range(10, 0, -1))
    area = perfect.partial_roc_auc(fpr=(0, 0.5))
    with pytest.warns(th.ThresherWarning, match=r"Hint: the interval without `method` has length\."):
        area.confidence_interval(method="delong")
    with pytest.warns(th.ThresherWarning, match="no misranked case"):
        assert area.confidence_interval().low < 0.5
    single = th.Scores([1, 0, 0, 0, 0], [3, 5, 4, 2, 1]).partial_roc_auc(fpr=(0, 0.75))
    with pytest.raises(th.UndefinedMetricError, match='Hint: method="bootstrap" answers'):
        single.confidence_interval(method="delong-logit")
    with pytest.warns(th.ThresherWarning, match="too short"):
        low, high = single.confidence_interval(method="bootstrap", rng=0)
    assert low < high


MESSAGES = {
    "few resamples": (
        lambda: sample().roc_auc().confidence_interval(method="bootstrap", n_resamples=1),
        "`n_resamples` must be at least 10; got 1. Hint: 2000 are usual, and 200 do for a first look.",
    ),
    "a little above one": (
        lambda: sample().roc_auc().confidence_interval(1.5),
        "`confidence_level` must be in (0, 1); got 1.5. Hint: 0.95 is usual.",
    ),
    "percentage": (
        lambda: sample().roc_auc().confidence_interval(95),
        "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
    ),
    "level": (
        lambda: sample().pr_auc().confidence_interval(1.0),
        "`confidence_level` must be in (0, 1); got 1.0. Hint: 0.95 is usual.",
    ),
    "method": (
        lambda: sample().roc_auc().confidence_interval(method="wald"),
        "`method` must be one of 'bayes', 'delong', 'delong-logit', 'bamber', 'hanley-mcneil', 'max-variance', "
        "'newcombe', 'score', 'exact', "
        "'cortes-mohri', 'bootstrap'; got 'wald'.",
    ),
    "method of another area": (
        lambda: sample().pr_auc().confidence_interval(method="delong"),
        "`method` must be one of 'bayes', 'logit', 'logit-boyd', 'binomial', 'asymptotic', 'bootstrap'; got 'delong'.",
    ),
    "threshold missing": (
        lambda: sample().roc_auc().confidence_interval(method="cortes-mohri"),
        "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
        "Hint: for example `threshold=0.5`.",
    ),
    "threshold too many": (
        lambda: sample().roc_auc().confidence_interval(threshold=0.5),
        "`threshold` belongs to method='cortes-mohri'; got it with 'bayes'. Hint: leave it out.",
    ),
    "cortes-mohri with weights": (
        lambda: (
            th.Scores([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[0.5, 1, 1, 1])
            .roc_auc()
            .confidence_interval(method="cortes-mohri", threshold=2)
        ),
        "method='cortes-mohri' must have row counts; got weights. Hint: use 'delong-logit'.",
    ),
    "cortes-mohri without errors": (
        lambda: sample().roc_auc().standard_error("cortes-mohri"),
        "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
        "Hint: for example `threshold=0.5`.",
    ),
    "a threshold for another standard error": (
        lambda: sample().roc_auc().standard_error("delong", threshold=0.5),
        "`threshold` belongs to method='cortes-mohri'; got it with 'delong'. Hint: leave it out.",
    ),
}


def test_every_method_has_a_standard_error():
    scores = sample()
    for area in (
        scores.roc_auc(),
        scores.pr_auc(),
        scores.partial_roc_auc(fpr=(0, 0.3)),
        scores.pr_auc(recall=(0.2, 0.7)),
    ):
        for method in area.measure.intervals:
            if method == "exact":  # a bound of tails, which has none
                with pytest.raises(th.InvalidInputError, match="has no standard error"):
                    area.standard_error(method)
                continue
            options = {"threshold": 0.5} if method == "cortes-mohri" else {}
            assert 0 < area.standard_error(method, rng=1, **options) < 0.5, method
    area = scores.pr_auc(normalize=True, recall=(0.2, 0.7))
    low, high = area.confidence_interval(0.5, method="binomial")
    assert area.standard_error("binomial") == pytest.approx((high - low) / 2 / normal_quantile(0.5), rel=1e-12)
    point = scores.roc().at(threshold=0.5)
    moments = th.auc_moments(int(scores.n_pos), int(scores.n_neg), int(point.fp + point.fn))
    assert scores.roc_auc().standard_error("cortes-mohri", threshold=0.5) == moments.sd


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case):
    call, message = MESSAGES[case]
    with pytest.raises(th.InvalidInputError) as caught:
        call()
    assert str(caught.value) == message


def test_bands_are_wired():
    scores = sample()
    pointwise, whole = scores.pr_band([0.3, 0.6]), scores.pr_band([0.3, 0.6], simultaneous=True, rng=1, n_resamples=500)
    assert pointwise.contains(pointwise.value).all()
    assert ((whole.high - whole.low) > (pointwise.high - pointwise.low)).all()
    assert not pointwise.simultaneous
    assert scores.roc_band().x.size == 101
    matplotlib = pytest.importorskip("matplotlib", reason="drawing is optional")
    matplotlib.use("Agg")
    axes = scores.roc_band([0.1, 0.5]).plot()
    assert axes.get_xlabel() == "False positive rate"
    matplotlib.pyplot.close(axes.figure)


def test_format_writes_the_value():
    area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
    assert f"{area:.3f} {area:.1%} {area}" == f"0.750 75.0% {area!r}"
