"""What most commands take: numbers as people write them, labels as a column holds them, files that stay whole."""

from __future__ import annotations

import math
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import thresher as th
from thresher.cli import _options, _read
from thresher.cli._errors import UsageError
from thresher.cli._options import Selection, refuse_inputs
from thresher.cli._read import ColumnNames, groups_of, models_of, positives, read_selected


@pytest.mark.parametrize("text, number", [("0.05", 0.05), ("1/20", 0.05), ("1e-3", 0.001), ("-2/4", -0.5)])
def test_a_decimal_number_or_a_quotient(text, number):
    assert _options._convert(None, [SimpleNamespace(value=text)]) == number


@pytest.mark.parametrize("text", ["", "5%", "1/0", "a/b", "nan", "1/2/3"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match=r"must be a number such as 0\.05 or 1/20"):
        _options._convert(None, [SimpleNamespace(value=text)])


def test_the_ends_belong_to_rates_but_not_to_levels():
    for end in (0.0, 1.0):
        _options._within(None, end)
        with pytest.raises(ValueError, match="strictly between 0 and 1"):
            _options._inside(None, end)
    for check in (_options._within, _options._inside):
        check(None, None)
        check(None, 0.5)
        with pytest.raises(ValueError, match="between 0 and 1"):
            check(None, 1.5)


def test_a_percentage_is_recognised():
    with pytest.raises(ValueError, match=r"Hint: give 0\.95, not a percentage"):
        _options._inside(None, 95.0)


def test_a_misspelt_option_is_no_file():
    _options._no_option(None, "-")
    _options._no_option(None, "a-b.csv")
    with pytest.raises(ValueError, match=r"given as \./--y-tru"):
        _options._no_option(None, "--y-tru")


def test_an_output_that_is_read_under_another_name(folder):
    (folder / "rows.csv").write_text("x")
    os.link("rows.csv", "other.html")
    with pytest.raises(UsageError, match=r"--output must not be a file that is read; got .*other\.html"):
        refuse_inputs(Path("other.html"), "missing.csv", "rows.csv")
    refuse_inputs(Path("new.html"), "rows.csv")


@pytest.mark.parametrize(
    "labels, text, want",
    [
        (["ill", "well"], "ill", "ill"),
        ([True, False], "FALSE", False),
        ([1, 2], "2", 2.0),
        ([0.5, 1.5], "3/2", 1.5),
        ([1, 2], None, None),
    ],
)
def test_a_positive_label_has_the_columns_type(labels, text, want):
    found = _read._label_value(np.array(labels), text)
    assert found == want
    assert type(found) is type(want)


@pytest.mark.parametrize(
    "labels, text", [(["ill", "well"], "i"), ([True, False], "yes"), ([1, 2], "two"), ([1, 2], "3")]
)
def test_a_positive_label_must_occur(labels, text):
    listed = ", ".join(sorted(f"'{label}'" for label in labels))
    with pytest.raises(th.InvalidInputError, match=f"--pos-label must be one of the labels.*{listed}"):
        _read._label_value(np.array(labels), text)


def test_only_some_of_many_labels_are_listed():
    with pytest.raises(th.InvalidInputError, match=r"'4', \.\.\.\.$"):
        _read._label_value(np.arange(9), "x")


def test_models_and_groups_are_counted_from_the_same_rows(small):
    columns = ColumnNames(
        "f.csv", small["label"], {"a": small["a"], "b": small["b"]}, None, small["site"][::-1], "label"
    )
    whole = dict(models_of(columns, None))
    assert whole == {name: th.Scores(small["label"], small[name]) for name in "ab"}
    parts = dict(groups_of(columns, None))
    assert list(parts) == ["z", "y", "x"]  # as they come, not as they sort
    for name in "ab":
        assert sum((part[name] for part in list(parts.values())[1:]), start=parts["z"][name]) == whole[name]
    np.testing.assert_array_equal(positives(columns, "0"), small["label"] == 0)


def test_counts_have_no_rows(folder, small):
    th.Scores(small["label"], small["a"]).save("a.scores")
    with pytest.raises(th.InvalidInputError, match=r"'a\.scores' must hold rows for this"):
        read_selected("a.scores", Selection())
    with pytest.raises(th.InvalidInputError, match="must be one file for this"):
        read_selected(".", Selection())


def test_nan_is_no_quotient():
    assert math.isnan(_options.as_number("inf/2"))
