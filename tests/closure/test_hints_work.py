"""Refusals of the table "what works with what": each has a true reason, and what it names instead works."""

import re
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import thresher as th
from support.measures import options_of

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "what-works-with-what.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 120)
S = np.clip(np.round(1.0 / (1.0 + np.exp(-RNG.normal(size=120) - Y)), 2), 0.01, 0.99)
WEIGHT = RNG.choice([0.5, 1.0, 2.0], 120)
POPULATION = th.Population(scipy.stats.beta(3, 2), scipy.stats.beta(2, 4), prevalence=0.4)


def refused(name, what):
    """Ask for what is refused."""
    if what == "sampling weights":
        return th.Scores(Y, S, sample_weight=WEIGHT).measure(name, **options_of(name))
    return POPULATION.measure(th.measures.as_measure(name, **options_of(name)))


def test_the_table_has_rows():
    assert len(ROWS) >= 8


@pytest.mark.parametrize(("name", "what", "why", "instead"), [tuple(map(str.strip, row)) for row in ROWS])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_what_is_named_instead_works(name, what, why, instead):
    with pytest.raises(th.InvalidInputError, match="Hint: ") as error:
        refused(name, what)
    assert why
    named = re.findall(r"`([\w=]+)`", instead)
    assert named or "samples" in instead
    for one in named:
        if one == "frequency=":
            rows = th.Scores(Y, S, frequency=WEIGHT.astype(int) + 1)
            low, high = rows.measure(name, **options_of(name)).confidence_interval(n_resamples=20, rng=0)
            assert low < high
        else:
            found = refused(one, what)
            assert np.isfinite(float(getattr(found, "value", found)))
    # The message names the same way out as the table does.
    hint = str(error.value).partition("Hint: ")[2]
    assert any(one.rstrip("=") in hint for one in named) or ("samples" in instead and "sample(n)" in hint)


@pytest.mark.parametrize("prevalence", [None, 0.05])
@pytest.mark.parametrize("design", ["rows", "weights", "clusters"])
@pytest.mark.parametrize("metric", ["precision", "net_benefit", "accuracy", "f1", "mcc", "cost", "pr_auc", "roc_auc"])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_standard_errors_agree_with_resampling(metric, design, prevalence):
    """The two ways to a standard error are one number, whatever the design and the prevalence."""
    rng = np.random.default_rng(6)
    y = (rng.random(400) < 0.3).astype(int)
    score = np.clip(np.round(1.0 / (1.0 + np.exp(0.5 - rng.normal(size=400) - 1.3 * y)), 2), 0.01, 0.99)
    extra = {
        "rows": {},
        "weights": {"sample_weight": rng.choice([1.0, 3.0], 400)},
        "clusters": {"cluster": np.arange(400) // 4},
    }[design]
    options = dict(options_of(metric))
    if prevalence is not None:
        if metric == "roc_auc":
            return
        options["prevalence"] = prevalence
    expected = float(th.Scores(y, score, **extra).measure(metric, **options).standard_error(rng=0))
    found = th.bootstrap(y, score, metric=metric, n_resamples=600, rng=1, **extra, **options)
    assert float(found.standard_error) == pytest.approx(expected, rel=0.2)
