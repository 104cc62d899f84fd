"""The law of weights, for every public function that takes them: only their ratios count."""

import warnings

import numpy as np
import pytest

import thresher as th

X = [0.1, 0.3, 0.5, 0.8]


def sample(kind="continuous", n=160):
    rng = np.random.default_rng(7)
    y = rng.random(n) < 0.4
    s = rng.normal(size=n) + y
    return y, s.round(1) if kind == "tied" else s, rng.uniform(0.3, 3.0, n)


def ends(interval):
    return (interval.low, interval.high)


def band(found):
    return (*found.low, *found.high, *found.value)


SHORT = {"n_resamples": 60, "rng": 3}
SCORES = {
    "roc_auc": lambda t: (t.roc_auc().value, t.roc_auc().standard_error(), *ends(t.roc_auc().confidence_interval())),
    "roc methods": lambda t: [
        end
        for method in ("delong", "hanley-mcneil", "max-variance", "newcombe")
        for end in ends(t.roc_auc().confidence_interval(method=method))
    ],
    "roc bootstrap": lambda t: [
        end
        for kind in ("bca", "percentile")
        for end in ends(t.roc_auc().confidence_interval(method="bootstrap", bootstrap=kind, **SHORT))
    ],
    "partial fpr": lambda t: (
        t.partial_roc_auc(fpr=(0.1, 0.4)).value,
        *ends(t.partial_roc_auc(fpr=(0.1, 0.4)).confidence_interval()),
    ),
    "partial tpr": lambda t: ends(t.partial_roc_auc(tpr=(0.5, 0.9), standardize=True).confidence_interval()),
    "pr_auc": lambda t: [
        number
        for design in ("random", "fixed", "class")
        for number in (t.pr_auc().value, *ends(t.pr_auc().confidence_interval(design=design)))
    ],
    "pr estimators": lambda t: [
        number
        for estimator in ("average_precision", "trapezoid", "functional", "achievable")
        for number in (
            t.pr_auc(estimator=estimator).value,
            *ends(t.pr_auc(estimator=estimator, prevalence=0.05).confidence_interval()),
        )
    ],
    "pr boyd": lambda t: ends(t.pr_auc().confidence_interval(method="logit-boyd")),
    "pr normalized": lambda t: ends(t.pr_auc(normalize=True).confidence_interval()),
    "pr bootstrap": lambda t: ends(t.pr_auc().confidence_interval(method="bootstrap", stratified=False, **SHORT)),
    "rates": lambda t: [
        end
        for rate in ("recall", "fpr", "precision", "npv", "accuracy", "alert_rate", "f_beta")
        for method in ("wilson", "clopper-pearson", "jeffreys")
        for end in ends(th.rate_interval(rate, t.roc().at(threshold=0.4), method=method))
    ],
    "measures": lambda t: [
        end
        for name, options in (("recall_at_fpr", {"fpr": 0.2}), ("precision_at_recall", {"recall": 0.6}))
        for end in ends(t.measure(name, **options).confidence_interval())
    ],
    "choose": lambda t: [
        getattr(t.choose_threshold(rule), name)
        for rule in ("youden", "f_beta")
        for name in ("threshold", "recall", "fpr")
    ],
    "threshold_interval": lambda t: ends(t.threshold_interval("youden", **SHORT)),
    "roc_band": lambda t: band(t.roc_band(X)),
    "pr_band": lambda t: band(t.pr_band(X)),
    "envelope": lambda t: band(t.roc_band(X, simultaneous=True, n_resamples=120, rng=1)),
    "compress": lambda t: (t.compress(40).roc_auc().value, t.compress(40).roc_auc().standard_error()),
    "merge": lambda t: ends((t + t).roc_auc().confidence_interval()),
    "curves": lambda t: (*t.roc().tpr, *t.pr().precision, *t.lift().lift, t.det().equal_error_rate(), t.pr_gain().area),
}


def figures(name, y, s, w):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array(SCORES[name](th.Scores(y, s, sample_weight=w)), dtype=float)


@pytest.mark.some(20)
@pytest.mark.parametrize("kind", ["continuous", "tied"])
@pytest.mark.parametrize("name", SCORES)
def test_scale_changes_nothing(name, kind):
    y, s, w = sample(kind)
    one = figures(name, y, s, w)
    for power in (-20, 20):
        assert np.array_equal(figures(name, y, s, w * 2.0**power), one, equal_nan=True), power
    # Bands are found to 1e-6 of their own spread, so that rounding may be seen there beyond twelve digits.
    near = {"abs": 2e-7} if "band" in name or name == "measures" else {"rel": 1e-12, "abs": 1e-12}
    for scale in (1e-6, 1e6):
        assert figures(name, y, s, w * scale) == pytest.approx(one, nan_ok=True, **near), scale


def test_scale_changes_no_comparison():
    y, s, w = sample()
    other = s + np.random.default_rng(1).normal(size=s.size)
    for metric, method in (
        ("roc_auc", "delong"),
        ("roc_auc", "bootstrap"),
        ("roc_auc", "permutation"),
        ("pr_auc", "bootstrap"),
    ):
        found = [
            th.compare(y, {"a": s, "b": other}, metric=metric, method=method, sample_weight=w * scale, **SHORT).pairs[0]
            for scale in (1.0, 2.0**30, 1e-6)
        ]
        assert (found[0].low, found[0].high, found[0].pvalue) == (found[1].low, found[1].high, found[1].pvalue)
        assert found[2].pvalue == pytest.approx(found[0].pvalue, rel=1e-10)
        drawn = [
            th.bootstrap(y, s, metric=metric, sample_weight=w * scale, **SHORT).replicates for scale in (1.0, 0.25)
        ]
        assert np.array_equal(*drawn)
    for method in ("delong", "bootstrap"):
        found = [
            th.compare_unpaired(
                th.Scores(y, s, sample_weight=w * scale), th.Scores(y, other, sample_weight=w), method=method, **SHORT
            ).pvalue
            for scale in (1.0, 2.0**-9)
        ]
        assert found[0] == found[1]


def test_scale_changes_no_warning():
    rng = np.random.default_rng(2)
    y, s = np.arange(60) < 20, rng.normal(size=60)
    w = rng.lognormal(sigma=1.6, size=60)
    told = []
    for scale in (1.0, 1e-6, 1e6):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            th.Scores(y, s, sample_weight=w * scale).pr_auc().confidence_interval()
        told.append(sorted({str(one.message) for one in caught}))
    assert told[0] == told[1] == told[2] != []


ROC = ("roc_auc", "roc methods", "roc bootstrap", "partial fpr", "partial tpr", "roc_band")


@pytest.mark.parametrize("kind", ["continuous", "tied"])
@pytest.mark.parametrize("name", ROC)
def test_balanced_weights_leave_roc_alone(name, kind):
    y, s, _ = sample(kind)
    balanced = np.where(y, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    assert np.array_equal(figures(name, y, s, balanced), figures(name, y, s, None))


@pytest.mark.parametrize("name", SCORES)
def test_frequency_is_repetition(name):
    y, s, _ = sample("tied", 80)
    times = np.arange(80) % 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counted = SCORES[name](th.Scores(y, s, frequency=times))
        repeated = SCORES[name](th.Scores(np.repeat(y, times), np.repeat(s, times)))
    assert np.array_equal(np.array(counted, dtype=float), np.array(repeated, dtype=float), equal_nan=True)


@pytest.mark.parametrize("name", ["roc_auc", "pr_auc", "rates", "roc_band", "partial fpr"])
def test_distinct_groups_are_no_groups(name):
    y, s, w = sample("tied")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for weight in (None, w):
            alone = SCORES[name](th.Scores(y, s, sample_weight=weight, cluster=np.arange(y.size)))
            plain = SCORES[name](th.Scores(y, s, sample_weight=weight))
            assert np.array(alone, dtype=float) == pytest.approx(np.array(plain, dtype=float), rel=1e-12, nan_ok=True)


def test_tables_with_groups_add_and_travel(tmp_path):
    y, s, w = sample("tied")
    group = np.array([f"p{i % 37}" for i in range(y.size)])
    whole = th.Scores(y, s, sample_weight=w, cluster=group)
    parts = [th.Scores(y[i::2], s[i::2], sample_weight=w[i::2], cluster=group[i::2]) for i in (0, 1)]
    total = parts[0] + parts[1]
    assert total._clusters.labels.tolist() == whole._clusters.labels.tolist()
    assert total._clusters.weight == pytest.approx(whole._clusters.weight, rel=1e-14)
    assert total.roc_auc().standard_error() == pytest.approx(whole.roc_auc().standard_error(), rel=1e-12)
    whole.save(tmp_path / "a.scores")
    assert th.Scores.load(tmp_path / "a.scores") == whole
    assert whole.compress(30)._clusters.weight.sum() == pytest.approx(w.sum(), rel=1e-12)
    with pytest.raises(th.InvalidInputError, match="Tables must both have `cluster`, or neither"):
        whole + th.Scores(y, s, sample_weight=w)
    assert th.Scores(y, s, cluster=group).compress(min_count=5)._clusters is None
