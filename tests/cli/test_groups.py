from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import thresher as th
from thresher import by_group

RNG = np.random.default_rng(3)
SITE = RNG.choice(["north", "south"], 300)
Y = (RNG.random(300) < 0.4).astype(int)
SCORE = RNG.normal(size=300) + Y


@pytest.fixture
def sites(folder):
    rows = "".join(f"{y},{s!r},{g}\n" for y, s, g in zip(Y.tolist(), SCORE.tolist(), SITE.tolist(), strict=True))
    (folder / "sites.csv").write_text("label,score,site\n" + rows)
    return "sites.csv"


def test_figures_are_the_library_s(thresher, sites):
    ran = thresher("groups", sites, "--group", "site", "--y-score", "score", "--format", "json", "--reference", "south")
    assert (ran.code, ran.err) == (0, "")
    document = json.loads(ran.out)
    found = by_group(Y, SCORE, SITE)
    assert document["groups"] == [{"model": "score", **one.to_dict()} for one in found.intervals()]
    assert document["gaps"] == [{"model": "score", **one.to_dict()} for one in found.gaps("south")]
    assert (document["metric"], document["confidence_level"]) == ("roc_auc", 0.95)


def test_tables(thresher, sites):
    ran = thresher("groups", sites, "--group", "site", "--y-score", "score")
    assert ran.code == 0
    assert "roc_auc by site" in ran.out
    assert "Gaps, p adjusted by Holm's method" in ran.out


@pytest.mark.parametrize(
    ("option", "name"), [("--weight", "sample_weight"), ("--frequency", "frequency"), ("--cluster", "cluster")]
)
def test_weights_frequencies_and_clusters_count(thresher, folder, option, name):
    extra = np.arange(300) % 50 + 1 if name == "cluster" else np.arange(300) % 3 + 1
    rows = "".join(
        f"{y},{s!r},{g},{e}\n" for y, s, g, e in zip(Y.tolist(), SCORE.tolist(), SITE.tolist(), extra, strict=True)
    )
    (folder / "extra.csv").write_text("label,score,site,extra\n" + rows)
    words = ("groups", "extra.csv", "--group", "site", "--y-score", "score", option, "extra", "--format", "json")
    document = json.loads(thresher(*words).out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        found, plain = by_group(Y, SCORE, SITE, **{name: extra}), by_group(Y, SCORE, SITE)
        assert [row["low"] for row in document["groups"]] == [one.low for one in found.intervals()]
        assert [row["low"] for row in document["groups"]] != [one.low for one in plain.intervals()]
        # Clusters are text in the file and are summed in the order of their names, so the last digit may differ.
        expected = pytest.approx([one.low for one in found.gaps()], rel=1e-13)
        assert [row["low"] for row in document["gaps"]] == expected


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "--group must name the column of groups"),
        (["--group", "site", "--metric", "roc_aux"], 2, "roc_auc"),
        (["--group", "site", "--reference", "east"], 1, "must be one of the groups; got 'east'"),
    ],
)
def test_wrong_command_lines(thresher, sites, words, code, said):
    ran = thresher("groups", sites, "--y-score", "score", *words)
    assert ran.code == code
    assert said in ran.err
