"""`th.report`: arguments, files, and what the static page says."""

from __future__ import annotations

import inspect
import os
import re
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher import report
from thresher._report.write_report import report_data

SCORES = th.Scores([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7])


def test_the_module_writes_reports_when_called(tmp_path):
    path = report({"m": SCORES}, tmp_path / "r.html", title="A title")
    assert path == tmp_path / "r.html"
    text = path.read_text(encoding="utf-8")
    assert "<title>A title · thresher report</title>" in text
    assert list(inspect.signature(report).parameters)[:2] == ["models", "path"]


def test_one_scores_alone_is_a_report(tmp_path):
    assert report(SCORES, tmp_path / "r.html").stat().st_size < 300_000


@pytest.mark.parametrize("name", ["quo\"te's.html", "new\nline.html", "emoji 👋.html", "sp ace;$(x).html"])
def test_odd_file_names_work(tmp_path, name):
    path = report(SCORES, tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert path.read_text(encoding="utf-8").endswith("</html>")


def test_an_existing_file_survives_a_failure(tmp_path, monkeypatch):
    path = tmp_path / "r.html"
    path.write_text("old")
    monkeypatch.setattr(Path, "chmod", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        report(SCORES, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of POSIX")
def test_reports_are_readable_like_other_files(tmp_path):
    umask = os.umask(0o022)
    try:
        path = report(SCORES, tmp_path / "r.html")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize(
    "models, options, message",
    [
        (
            [SCORES],
            {},
            '`models` must be a dict of name to Scores; got list. Hint: pass {"name": th.Scores(y_true, y_score)}.',
        ),
        ({}, {}, "`models` must hold at least one model; got an empty dict. Hint: for example {'mine': scores}."),
        ({3: SCORES}, {}, "`models` must have names that are strings; got 3 of type int."),
        (
            {"m": [1, 2]},
            {},
            "`models` must hold Scores; got list for 'm'. Hint: build one with `th.Scores(y_true, y_score)`.",
        ),
        ({"a\n": SCORES, "a ": SCORES}, {}, "`models` must have names that look different; got 'a ' twice."),
        ({"m": SCORES}, {"title": 3}, "`title` must be a string; got 3 of type int."),
        ({"m": SCORES}, {"prevalence": 5}, "`prevalence` must be in (0, 1); got 5. Hint: pass 0.05, not a percentage."),
        ({"m": SCORES}, {"max_points": 10}, "`max_points` must be at least 50; got 10."),
        (
            {"m": SCORES},
            {"confidence_level": 95},
            "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
        ),
        (
            {"m": SCORES},
            {"pr_method": "delong"},
            "`pr_method` must be one of 'bayes', 'logit', 'logit-boyd', 'binomial', 'asymptotic', 'bootstrap'; "
            "got 'delong'.",
        ),
        (
            {"m": th.Scores.from_counts([1, 2], pos=[0, 0], neg=[1, 2])},
            {},
            "A report needs both classes; model 'm' has 0 positives and 3 negatives. "
            "Hint: there is no positive row; check the labels and `pos_label`.",
        ),
    ],
)
def test_wrong_arguments(models, options, message):
    with pytest.raises(th.ThresherError) as error:
        report_data(models, **options)
    assert str(error.value) == message


def test_the_table_shows_the_librarys_numbers(tmp_path):
    digits = th.datasets.load_digits_eight()
    scores = th.Scores(digits.y_true, digits.tree)
    text = report({"tree": scores}, tmp_path / "r.html").read_text(encoding="utf-8")
    for key, estimate in {
        "roc_auc": scores.roc_auc(),
        "interpolated": scores.pr_auc(),
        "average_precision": scores.pr_auc(estimator="average_precision"),
        "achievable": scores.pr_auc(estimator="achievable"),
    }.items():
        low, high = estimate.confidence_interval()
        cell = re.search(rf'data-area="{key}:0">([^<]+)</b>\s*<span class="interval">([^<]+)<', text)
        assert cell is not None
        assert cell.groups() == (f"{estimate.value:.4f}", f"{low:.4f} to {high:.4f}")


def test_the_points_reach_their_recall_at_the_strictest_threshold():
    digits = th.datasets.load_digits_eight()
    scores = th.Scores(digits.y_true, digits.logistic)
    (model,) = report_data({"m": scores}).models
    for point in model.points:
        assert point["recall"] >= point["target"]
        stricter = scores.thresholds[scores.thresholds > point["threshold"]]
        assert scores.roc().at(threshold=float(stricter.min())).recall < point["target"]


def test_methods_name_what_was_used_and_cite_it():
    digits = th.datasets.load_digits_eight()
    models = {name: th.Scores(digits.y_true, values) for name, values in digits.models.items()}
    data = report_data(
        models,
        roc_method="bootstrap",
        n_resamples=50,
        rng=7,
        confidence_level=0.9,
        comparison=th.compare(digits.y_true, digits.models),
    )
    text = " ".join(data.methods)
    assert "90% intervals of areas are by the methods Bayesian bootstrap (Rubin 1981) and bootstrap (Efron" in text
    assert "tested by the method DeLong (DeLong et al. 1988), two-sided" in text
    for reference in data.references:
        assert reference.key in text
    assert {"resamples": "50", "seed": "7", "confidence level": "0.9"}.items() <= data.settings.items()
    assert "binomial beta, pointwise" in data.settings["bands"]


def test_intervals_follow_their_settings():
    digits = th.datasets.load_digits_eight()
    scores = th.Scores(digits.y_true, digits.logistic)
    (model,) = report_data({"m": scores}, roc_method="bamber", confidence_level=0.8).models
    area = model.areas["roc_auc"]
    assert (area.low, area.high) == tuple(scores.roc_auc().confidence_interval(0.8, method="bamber"))
    assert area.method == "bamber"
    assert model.areas["partial_roc_auc"].method == "bayes"


def test_perfect_separation_still_has_an_interval():
    y = np.arange(40) >= 20
    (model,) = report_data({"m": th.Scores(y, np.arange(40))}).models
    area = model.areas["roc_auc"]
    assert (area.value, area.method, area.high) == (1.0, "bayes", 1.0)
    assert area.low is not None
    assert 0.8 < area.low < 1.0


def test_bands_are_the_librarys():
    digits = th.datasets.load_digits_eight()
    scores = th.Scores(digits.y_true, digits.logistic)
    (model,) = report_data({"m": scores}, confidence_level=0.9).models
    assert model.pr_band is not None
    band = scores.pr_band(model.pr_band.x, confidence_level=0.9)
    assert model.pr_band.low == band.low.tolist()
    assert model.pr_band.high == band.high.tolist()
    assert (model.pr_band.simultaneous, model.pr_band.confidence_level) == (False, 0.9)
