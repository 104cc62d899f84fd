from __future__ import annotations

import json

import pytest

import thresher as th

FRAME = th.datasets.load_reader_study().to_frame("pandas")
FOUND = th.readers(FRAME).measure()


@pytest.fixture
def file(folder):
    FRAME.to_csv(folder / "ratings.csv", index=False)
    return "ratings.csv"


def test_figures_are_the_library_s(thresher, file):
    ran = thresher("readers", file, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    rows = json.loads(ran.out)
    assert [row["estimate_of"] for row in rows] == ["assisted", "unassisted", "assisted - unassisted"]
    assert rows[2]["pvalue"] == FOUND.differences[0].pvalue
    assert rows[0]["low"] == FOUND.means[0].low


def test_table(thresher, file, snapshot):
    assert str(thresher("readers", file)) == snapshot


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--show-as", "readers"), 18),
        (("--show-as", "components"), 9),
        (("--show-as", "sizes", "--difference", "0.05"), 9),
    ],
)
def test_other_tables(thresher, file, options, expected):
    ran = thresher("readers", file, *options, "--format", "json")
    assert ran.code == 0
    assert len(json.loads(ran.out)) == expected


def test_readers_keep_their_order(thresher, folder):
    FRAME.assign(reader=FRAME.reader.str[-1].astype(int) + 7).to_csv(folder / "numbers.csv", index=False)
    rows = json.loads(thresher("readers", "numbers.csv", "--show-as", "readers", "--format", "json").out)
    assert [row["reader"] for row in rows][::3] == ["8", "9", "10", "11", "12", "13"]
    assert [row["roc_auc"] for row in rows[:2]] == [FOUND.cells[0].value, FOUND.cells[6].value]


def test_text(thresher, file):
    assert thresher("readers", file, "--show-as", "text").out == FOUND.text() + "\n"
    assert json.loads(thresher("readers", file, "--show-as", "text", "--format", "json").out)["text"] == FOUND.text()


def test_noninferiority_is_a_gate(thresher, file):
    passed = thresher("readers", file, "--new", "assisted", "--margin", "0.02")
    assert (passed.code, passed.err.split(":")[0]) == (0, "passed")
    failed = thresher("readers", file, "--new", "unassisted", "--margin", "0.02")
    assert (failed.code, failed.err.split(":")[0]) == (3, "gate failed")


def test_options_reach_the_analysis(thresher, file):
    ran = thresher(
        "readers", file, "--metric", "recall", "--threshold", "50", "--random", "cases", "--confidence-level", "0.9",
        "--covariance", "jackknife", "--format", "json",
    )  # fmt: skip
    expected = th.readers(FRAME).measure(
        "recall", threshold=50, readers="fixed", covariance="jackknife", confidence_level=0.9
    )
    assert json.loads(ran.out)[0]["high"] == expected.means[0].high


def test_columns_are_found_or_named(thresher, folder):
    names = {"reader": "rater", "case": "patient", "modality": "Treatment", "truth": "label", "rating": "score"}
    renamed = FRAME.rename(columns=names)
    renamed.to_csv(folder / "other.csv", index=False)
    assert thresher("readers", "other.csv").out == thresher("readers", "other.csv", "--reader", "rater").out
    refused = thresher("readers", "other.csv", "--reader", "who")
    assert (refused.code, refused.out) == (1, "")
    assert "'other.csv' has no column 'who'. Hint: name it with --reader; the columns are 'rater'" in refused.err


def test_truths_in_words_and_missing_cells(thresher, folder):
    words = FRAME.assign(truth=FRAME.truth.map({0: "benign", 1: "malignant"}))
    words.to_csv(folder / "words.csv", index=False)
    assert "--pos-label" in thresher("readers", "words.csv").err
    ran = thresher("readers", "words.csv", "--pos-label", "malignant", "--format", "json")
    assert json.loads(ran.out)[0]["estimate"] == FOUND.means[0].estimate
    text = FRAME.astype({"reader": object})
    text.loc[4, "reader"] = None
    text.to_csv(folder / "holes.csv", index=False)
    assert "column 'reader': must not be missing; row 4 has none" in thresher("readers", "holes.csv").err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--difference", "0.05"), "--difference must come with --show-as sizes"),
        (("--show-as", "sizes"), "--difference must come with --show-as sizes"),
        (("--margin", "0.05"), "--new and --margin must come together"),
    ],
)
def test_options_that_do_not_fit(thresher, file, options, message):
    ran = thresher("readers", file, *options)
    assert ran.code == 2
    assert message in ran.err


def test_remedies_are_options(thresher, folder):
    FRAME[FRAME.reader == "reader 1"].to_csv(folder / "one.csv", index=False)
    refused = thresher("readers", "one.csv")
    assert refused.code == 1
    assert "Hint: --random cases draws conclusions about these readers" in refused.err
    assert thresher("readers", "one.csv", "--random", "cases").code == 0
