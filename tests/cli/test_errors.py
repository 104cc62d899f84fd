"""The library's messages in the words of the command line."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli._errors import UsageError, file_columns, in_commands, in_options, usage, within


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`prevalence` must be in (0, 1); got 50.", "--prevalence must be in (0, 1); got 50."),
        ("Hint: pass method='delong'.", "Hint: pass --method 'delong'."),
        ("`rng=3` and `n_pos`", "--seed 3 and --positives"),
        ("`y_score` must be numbers, `sample_weight` too", "scores must be numbers, weights too"),
        ("a methodical n", "a methodical n"),
    ],
)
def test_options(message, said):
    assert in_options(message) == said


def test_remedies_that_the_command_has():
    found = in_commands('Hint: method="newcombe" gives an interval with length.')
    assert found.startswith("Hint: the row newcombe of `thresher from-errors --auc`")
    assert in_commands("another") == "another"


def test_where_an_error_arose():
    with pytest.raises(th.UndefinedMetricError) as caught, within("'a.csv'"):
        raise th.UndefinedMetricError("`y_true` lacks a class.")
    assert str(caught.value) == "'a.csv': labels lacks a class."
    with pytest.raises(th.InvalidInputError) as caught, within("'a.csv'"):
        raise th.InvalidInputError("NaN in 1 of 2 rows, first at row 1.")
    assert str(caught.value).endswith("row 1. Rows are counted from 0, without the header.")
    with pytest.raises(KeyError), within("'a.csv'"):
        raise KeyError("not ours")


def test_refusals_without_a_file_are_wrong_usage():
    with pytest.raises(UsageError, match=r"^--beta must be positive\.$"), usage():
        raise th.InvalidInputError("`beta` must be positive.")
    with pytest.raises(UsageError, match="as it is"), usage():
        raise UsageError("as it is")


def test_columns_of_a_file():
    assert file_columns("a.csv", "y") == "'a.csv', column 'y'"
    assert file_columns("a.csv", "y", "s") == "'a.csv', columns 'y' and 's'"
