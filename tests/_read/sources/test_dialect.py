from __future__ import annotations

import pytest

from thresher._read.sources.dialect import find_dialect


@pytest.mark.parametrize(
    ("text", "delimiter", "header", "names"),
    [
        ("a,b\n1,2\n", ",", True, ("a", "b")),
        ("1,2\n3,4\n", ",", False, ("column0", "column1")),
        ("0,1\n", ",", False, ("column0", "column1")),
        ("label,0,1\n1,0.5,0.2\n", ",", True, ("label", "0", "1")),
        ("spam,0.9\nham,0.1\n", ",", False, ("column0", "column1")),
        ("kind,score\nspam,0.9\nham,0.1\n", ",", True, ("kind", "score")),
        ("a b,c\nd e,f\n", ",", True, ("a b", "c")),
        ("1;0,5\n0;0,25\n", ";", False, ("column0", "column1")),
        (",label,a\n0,1,0.5\n1,0,0.2\n", ",", True, ("index", "label", "a")),
        ("0,1\n1,0.5\n0,0.25\n", ",", True, ("0", "1")),
        ("0,1\n1,5\n0,2\n", ",", False, ("column0", "column1")),
        ("when,a\n2020-01-01 10:00:00,1\n2020-01-02 10:00:00,2\n", ",", True, ("when", "a")),
        ("a\x01b\n1\x012\n", "\x01", True, ("a", "b")),
        ("a,b\n1,\n2,\n", ",", True, ("a", "b")),
        ("a,b\n", ",", True, ("a", "b")),
    ],
)
def test_dialects(tmp_path, text, delimiter, header, names):
    path = tmp_path / "file"
    path.write_text(text)
    found = find_dialect(path, "file")
    assert (found.delimiter, found.header, found.names) == (delimiter, header, names)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("a,b\n1,2\n", "\\n"),
        ("a,b\r\n1,2\r\n", "\\r\\n"),
        ("a,b\r1,2\r", None),
        ('"a\n""x",b\r\n1,2\r\n', "\\r\\n"),
        ("1,2", None),
    ],
)
def test_line_ends(tmp_path, text, end):
    path = tmp_path / "file"
    path.write_text(text, newline="")
    assert find_dialect(path, "file").line_end == end
