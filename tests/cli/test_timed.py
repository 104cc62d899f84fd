"""Outcomes in time on the command line: the same numbers as the library, and what is refused."""

import json

import numpy as np
import pytest

import thresher as th

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
DATA = th.datasets.load_trial()
TIMED = ("--time", "days", "--event", "event")
MODELS = ("--y-score", "index", "--y-score", "marker")


@pytest.fixture
def trial(tmp_path):
    path = tmp_path / "trial.csv"
    columns = np.c_[DATA.time, DATA.event, DATA.index, DATA.marker, DATA.site, DATA.time - 5.0 * (DATA.time > 5)]
    header = "days,event,index,marker,site,began"
    np.savetxt(path, columns, delimiter=",", header=header, comments="", fmt="%g")
    return str(path)


def test_areas_at_each_horizon(thresher, trial):
    rows = json.loads(thresher("auc", trial, *TIMED, "--at", "365", "1095", *MODELS, "--format", "json").out)
    at = {(row["model"], row["t"]): row for row in rows if row["area"] == "roc_auc"}
    assert set(at) == {("index", 365), ("index", 1095), ("marker", 365), ("marker", 1095)}
    for (model, t), row in at.items():
        expected = th.Scores.at_time(DATA.time, DATA.event, DATA.models[model], t).roc_auc()
        assert row["value"] == expected.value
        assert [row["low"], row["high"]] == list(expected.confidence_interval())
    assert thresher("auc", trial, *TIMED, "--at", "365,1095", *MODELS).out.count("1,095") == 2


def test_options_of_the_outcome(thresher, trial):
    more = ("--cause", "2", "--controls", "event-free", "--strata", "site", "--metric", "brier", "--format", "json")
    (row,) = json.loads(thresher("auc", trial, *TIMED, "--at", "1095", "--y-score", "index", *more).out)
    scores = th.Scores.at_time(
        DATA.time, DATA.event, DATA.index, 1095, cause=2, controls="event-free", strata=DATA.site.astype(str)
    )
    assert row["value"] == scores.measure("brier").value


def test_models_are_compared_and_groups_measured(thresher, trial):
    found = json.loads(thresher("compare", trial, *TIMED, "--at", "365", "1095", *MODELS, "--format", "json").out)
    expected = th.compare(None, DATA.models, time=DATA.time, event=DATA.event, at=1095)
    assert [row["t"] for row in found] == [365, 1095]
    assert found[1]["p"] == expected.pvalue
    grouped = json.loads(
        thresher(
            "groups", trial, *TIMED, "--at", "1095", "--y-score", "index", "--group", "site", "--format", "json"
        ).out
    )
    own = th.by_group(None, DATA.index, DATA.site, time=DATA.time, event=DATA.event, at=1095)
    assert [row["value"] for row in grouped["groups"]] == own.values.tolist()


def test_a_threshold_and_a_report(thresher, trial, tmp_path):
    found = thresher("threshold", trial, *TIMED, "--at", "1095", "--y-score", "index", "--min-recall", "0.8").out
    chosen = th.Scores.at_time(DATA.time, DATA.event, DATA.index, 1095).choose_threshold(min_recall=0.8)
    assert f"{chosen.threshold:g}" in found
    page = tmp_path / "a.html"
    thresher("report", trial, *TIMED, "--at", "365", "1095", *MODELS, "-o", str(page))
    text = page.read_text(encoding="utf-8")
    assert "index, t = 365" in text
    assert "An outcome in time, as it stands at t = 1095" in text
    assert "inverse probability of not being censored" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--time", "days"), "needs --time, --event and --at"),
        (("--strata", "site"), "belong to an outcome in time"),
        ((*TIMED, "--at", "soon"), "--at must be numbers"),
        ((*TIMED, "--at", "365", "--y-true", "event"), "--y-true must not be given"),
        ((*TIMED, "--at", "99999"), "Nobody is known to be free"),
    ],
)
def test_what_is_refused(thresher, trial, options, message):
    found = thresher("auc", trial, *options, "--y-score", "index")
    assert found.code != 0
    assert message in " ".join(found.err.split())


def test_other_commands_take_one_horizon(thresher, trial):
    found = thresher("threshold", trial, *TIMED, "--at", "365", "1095", "--y-score", "index")
    assert "--at must be one horizon for this command; got 2" in " ".join(found.err.split())
