"""What libraries find wrong with a file, in one sentence with a remedy, by errors that they really raise."""

from __future__ import annotations

import pytest

import thresher as th
from thresher._read.sources.unreadable import unreadable

ROWS = "".join(f"{i % 2},{i / 8}\n" for i in range(20))
DAMAGED = {
    "long line": (f"y,s\n{ROWS}1,2,3\n", "line 22 has 3 fields where the first has 2. Hint: mend that line."),
    "short line": (f"y,s\n{ROWS}1\n{ROWS}", "line 22 has 1 fields where the first has 2. Hint: mend that line."),
    "no UTF-8": (f"y,s\n{ROWS}é,2\n".encode("latin1"), "line 22 is not UTF-8. Hint: save the file in UTF-8."),
}


@pytest.mark.parametrize("case", ["long line", "short line"])
def test_a_scan_names_the_line(tmp_path, case):
    text, said = DAMAGED[case]
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(th.InvalidInputError) as error:
        th.scan(tmp_path / "a.csv", y_true="y", y_score="s")
    assert str(error.value) == f"'{tmp_path}/a.csv' cannot be read: {said}"


@pytest.mark.parametrize("case", DAMAGED)
def test_columns_name_the_line(tmp_path, case):
    from thresher._read.sources import open_columns

    text, said = DAMAGED[case]
    (tmp_path / "a.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(th.InvalidInputError) as error, open_columns(str(tmp_path / "a.csv"), "a.csv") as columns:
        columns.fetch(["y", "s"], numbers=[])
    assert str(error.value) == f"'a.csv' cannot be read: {said}"


def test_a_number_that_is_none_far_down(tmp_path):
    """Beyond the block by which Arrow chose the type."""
    rows = "".join(f"{i % 2},{i / 8}\n" for i in range(150_000))
    (tmp_path / "a.csv").write_text(f"y,s\n{rows}1,high\n")
    with pytest.raises(th.InvalidInputError) as error:
        th.scan(tmp_path / "a.csv", y_true="y", y_score="s")
    assert str(error.value).endswith(
        "a.csv' cannot be read: line 150002 holds 'high' where numbers stand above it. Hint: replace it by a number."
    )


def test_a_list_of_settings_is_no_finding():
    """Until 1.2 DuckDB says so of text that is not UTF-8, and names the quote among its settings."""
    text = 'CSV Error on Line: 7\nInvalid unicode (byte sequence mismatch) detected.\n\n  quote = " (Set By User)'
    assert str(unreadable("x", text)) == "'x' cannot be read: line 7 is not UTF-8. Hint: save the file in UTF-8."


def test_other_words():
    def said(error, **options):
        return str(unreadable("x", error, **options))

    assert said(ValueError("Bad\nthing. Try --option")) == (
        "'x' cannot be read: Bad. Hint: is it complete, and of the kind its name says?"
    )
    assert (
        said(MemoryError()) == "'x' cannot be read: MemoryError. Hint: is it complete, and of the kind its name says?"
    )
    assert said("IO Error: no magic in '/t/input'.", path="/t/input").startswith("'x' cannot be read: no magic in 'x'.")
    assert said("Invalid Input Error: odd, at byte 3 in line 7: end") == (
        "'x' cannot be read: odd, at byte 3 in line 7: end. Hint: mend that line."
    )
    assert said("broken", hint="do this.") == "'x' cannot be read: broken. Hint: do this."
    assert "\x1b" not in said("\x1b[31m" + "long " * 200)
    assert len(said("long " * 200)) < 500
    assert said("CSV Error on Line: 9\nsomething new").endswith("line 9 is not understood. Hint: mend that line.")
