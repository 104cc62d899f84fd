"""The methods text says what was done to these data, and nothing that was not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import thresher as th
from thresher._report.compute import build_data
from thresher._report.methods_text import methods_of, settings_of, settings_version
from thresher._report.uncertainty import Uncertainty
from thresher._report.words import method_words

LABELS = [1, 0, 1, 1, 0, 0, 0, 1]
TABLES = {"a": th.Scores(LABELS, range(8)), "b": th.Scores(LABELS, [3, 1, 4, 1, 5, 9, 2, 6])}
DELONG = {"metric": "roc_auc", "method": "delong", "alternative": "two-sided"}


@pytest.fixture(scope="module")
def models():
    options = {"title": None, "prevalence": None, "max_points": 100, "uncertainty": Uncertainty()}
    return build_data(TABLES, **options).models


def test_the_cases_are_counted(models):
    text = methods_of(models, 0.95, {})[0]
    assert text.startswith("The data are 8 cases, 4 of them positive (50%).")
    others = [models[0], replace(models[1], n_neg=5)]
    assert methods_of(others, 0.95, {})[0].startswith("The scores of each model were reduced")


def test_intervals_are_named_with_their_source(models):
    (text,) = [one for one in methods_of(models, 0.9, {}) if "intervals of areas" in one]
    assert "90% intervals of areas" in text
    used = {area.method for model in models for area in model.areas.values() if area.method}
    assert used
    assert all(method_words(method) in text for method in used)
    assert "95% bands around the curves are pointwise" in text


def test_no_interval_no_sentence(models):
    bare = [
        replace(
            model,
            areas={key: replace(area, method=None) for key, area in model.areas.items()},
            roc_band=None,
            pr_band=None,
        )
        for model in models
    ]
    assert not [one for one in methods_of(bare, 0.95, {}) if "onfidence" in one or "Bands" in one]


def test_a_comparison_is_described_if_there_is_one(models):
    assert not [one for one in methods_of(models, 0.95, {}) if "Differences" in one]
    (text,) = [one for one in methods_of(models, 0.95, DELONG) if one.startswith("Differences")]
    assert "DeLong (DeLong et al. 1988), two-sided" in text
    (other,) = [one for one in methods_of(models, 0.95, {**DELONG, "method": "bootstrap"}) if "Differences" in one]
    assert "DeLong" not in other


def test_settings_tell_of_random_numbers_only_where_there_are_any(models, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    plain = settings_of(models, Uncertainty(), max_points=1234, comparison=DELONG)
    assert "resamples" not in plain
    assert plain["comparison"] == "ROC AUC, DeLong, two-sided"
    assert plain["points drawn per curve"].startswith("at most 1,234,")
    assert plain["created"] == "1970-01-02"
    assert plain["thresher"] == settings_version()
    drawn = settings_of(models, Uncertainty(simultaneous=True, n_resamples=5000, rng=7), max_points=9, comparison={})
    assert (drawn["resamples"], drawn["seed"]) == ("5,000", "7")
    assert drawn["bands"].endswith(", simultaneous")
    assert "comparison" not in drawn
    assert settings_of(models, Uncertainty(simultaneous=True), max_points=9, comparison={})["seed"] == "none given"


def test_a_version_that_is_not_installed(monkeypatch):
    from importlib.metadata import PackageNotFoundError

    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("thresher._report.methods_text.version", missing)
    assert settings_version() == "not installed"
