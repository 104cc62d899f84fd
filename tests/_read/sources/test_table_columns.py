"""Columns of a file by DuckDB: their kinds by all rows, exact numbers or none, and rows that are named."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th
from thresher._read.sources import open_columns

pytest.importorskip("duckdb")

TEXT = """bool,whole,real,text,mixed,large,empty
true,1,0.5,a,1,9007199254740993,
False, -2 ,1e-3,b,2,0.5,
TRUE,+3,inf,a,x,2,
"""


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens text as a file and gives its columns to another."""

    def look(text, ask, name="a.csv"):
        (tmp_path / name).write_text(text)
        with open_columns(str(tmp_path / name), name) as columns:
            return ask(columns)

    return look


def test_kinds_by_all_rows(opened):
    assert opened(TEXT, lambda found: found.kinds(found.names)) == {
        "bool": "bool",
        "whole": "whole",
        "real": "real",
        "text": "text",
        "mixed": "mixed",
        "large": "real",
        "empty": "text",
    }


def test_columns_are_fetched_in_their_kinds(opened):
    found = opened(TEXT, lambda columns: columns.fetch(["bool", "whole", "real", "text"], numbers=["whole", "real"]))
    assert {name: (array.dtype.kind, array.tolist()) for name, array in found.items()} == {
        "bool": ("b", [True, False, True]),
        "whole": ("i", [1, -2, 3]),
        "real": ("f", [0.5, 1e-3, np.inf]),
        "text": ("O", ["a", "b", "a"]),
    }


def test_missing_cells_are_masked(opened):
    found = opened("y,s\n1,0.5\n0,\n", lambda columns: columns.fetch(["y", "s"], numbers=["s"]))
    assert not isinstance(found["y"], np.ma.MaskedArray)
    assert np.ma.getmaskarray(found["s"]).tolist() == [False, True]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mixed", "column 'mixed': must hold numbers only; row 2 holds 'x'"),
        ("text", "column 'text': must hold numbers only; row 0 holds 'a'"),
        ("empty", "column 'empty': must hold numbers; every row is empty"),
        (
            "large",
            "or others become equal to them; row 0 holds 9007199254740993. Hint: write whole numbers below 2**63",
        ),
    ],
)
def test_what_is_no_exact_number(opened, name, said):
    with pytest.raises(th.InvalidInputError) as error:
        opened(TEXT, lambda columns: columns.fetch([name], numbers=[name]))
    assert said in str(error.value)


def test_binary_columns(opened):
    text = "a,b,c,d,e\n0,-1,2,x,0\n1,1,1,y,\n1,-1,0,x,1\n"
    assert opened(text, lambda found: [name for name in found.names if found.is_binary(name)]) == ["a", "b", "e"]


def test_counted_values(opened):
    text = "m,s\n" + "".join(f"{m},{i}\n" for i, m in enumerate("abacab"))
    assert opened(text, lambda found: found.counted("m", 50)) == [("a", 3), ("b", 2), ("c", 1)]
    assert len(opened(text, lambda found: found.counted("m", 1))) == 2
    assert (None, 1) in opened("m,s\na,1\n,2\n", lambda found: found.counted("m", 50))


def test_names_are_no_queries(opened):
    name = 'x"; DROP TABLE source; --'
    text = f'"{name.replace(chr(34), 2 * chr(34))}",s\n1,2\n0,1\n'
    found = opened(text, lambda columns: columns.fetch([name], numbers=[name]))
    assert found[name].tolist() == [1, 0]


def test_whole_numbers_of_json(opened):
    exact = [{"s": 2**62 + i} for i in range(3)]
    found = opened(json.dumps(exact), lambda columns: columns.fetch(["s"], numbers=["s"]), "a.json")
    assert found["s"].tolist() == [row["s"] for row in exact]
    with pytest.raises(th.InvalidInputError, match=r"row 2 holds 9007199254740992"):
        opened(
            json.dumps([{"s": 0.5}, {"s": 1}, {"s": 2**53}]), lambda found: found.fetch(["s"], numbers=["s"]), "a.json"
        )


def test_names_without_rows(opened):
    for ask in (lambda found: found.kinds(["s"]), lambda found: found.fetch(["s"], numbers=[])):
        with pytest.raises(th.InvalidInputError, match=r"'a\.csv' must have at least one row; it has none"):
            opened("y,s\n", ask)
