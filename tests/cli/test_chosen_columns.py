"""Columns as the options name them, or found where there is no doubt; what is passed over is said."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.named_columns import ArrayColumns
from thresher.cli._chosen_columns import chosen_columns, label_value


def columns(**given):
    return ArrayColumns({name: np.array(values) for name, values in given.items()}, "a.npz")


def choose(source, label=None, scores=(), taken=()):
    return chosen_columns(source, label, list(scores), list(taken))


Y, S, T = [0, 1, 1], [0.1, 0.9, 0.4], [0.2, 0.3, 0.8]


@pytest.mark.parametrize(
    ("given", "named", "chosen"),
    [
        ({"label": Y, "a": S, "b": T}, {}, ("label", ["a", "b"])),
        ({"a": S, "Target": ["x", "y", "y"]}, {}, ("Target", ["a"])),
        ({"a": S, "ill": [False, True, True]}, {}, ("ill", ["a"])),
        ({"ill": Y, "rank": [3, 9, 4]}, {}, ("ill", ["rank"])),
        ({"y": Y, "label": ["p", "q", "r"], "a": S}, {}, ("y", ["a"])),  # two names, of which one has labels
        ({"label": Y, "a": S, "age": [40, 50, 60]}, {"scores": ["age"]}, ("label", ["age"])),
        ({"label": Y, "a": S, "w": T}, {"taken": ["w"]}, ("label", ["a"])),
        ({"label": Y, "a": S, "b": Y}, {"label": "b", "taken": ["label"]}, ("b", ["a"])),
    ],
)
def test_no_doubt(capsys, given, named, chosen):
    assert choose(columns(**given), **named) == chosen
    text = "'a.npz' has columns that hold no numbers and are no scores: 'label'" if "y" in given else ""
    assert text in capsys.readouterr().err
    assert bool(text) or not capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        ({"x": Y, "z": Y, "a": S}, {}, "'a.npz' must have one column that is clearly the label. Hint: name it with"),
        (
            {"label": Y, "a": S, "age": [40, 50, 60]},
            {},
            "'a.npz' must have columns that are clearly scores. Hint: name",
        ),
        ({"label": Y, "a": S, "weight": T}, {}, "'a.npz' must have columns that are clearly scores. Hint: name them"),
        ({"label": Y, "a": S}, {"scores": ["b"]}, "'a.npz' has no column 'b'. Hint: it has 'label', 'a'."),
        ({"label": Y, "a": S}, {"label": "c"}, "'a.npz' has no column 'c'. Hint: it has 'label', 'a'."),
        ({"label": Y, "a": S}, {"taken": ["g"]}, "'a.npz' has no column 'g'. Hint: it has 'label', 'a'."),
        (
            {"label": Y, "a": S},
            {"label": "a", "scores": ["a"]},
            "'a.npz', column 'a': must be the label or a score, not",
        ),
    ],
)
def test_doubt(given, named, said):
    with pytest.raises(th.InvalidInputError) as error:
        choose(columns(**given), **named)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("name", ["index", "Unnamed: 0", "__index_level_0__"])
def test_row_numbers_of_pandas_are_named(capsys, name):
    source = columns(**{name: [0, 1, 2], "label": Y, "a": S})
    assert choose(source) == ("label", ["a"])
    assert capsys.readouterr().err == (
        f"note: 'a.npz', column {name!r} is taken for the row numbers that pandas writes, not for a score. "
        f"Hint: --y-score {name} takes it.\n"
    )
    assert choose(source, scores=[name]) == ("label", [name])
    assert choose(source, scores=["a"]) == ("label", ["a"])
    assert capsys.readouterr().err == ""  # nothing was guessed


def test_a_score_may_be_called_index(capsys):
    assert choose(columns(label=Y, index=S)) == ("label", ["index"])
    assert capsys.readouterr().err == ""


def test_the_note_is_on_stderr_of_the_command(thresher, folder):
    rows = "".join(f"{i},{i % 2},{i / 7:.3f}\n" for i in range(30))
    (folder / "a.csv").write_text(f",label,score\n{rows}")
    ran = thresher("auc", "a.csv", "--format", "json")
    assert (ran.code, ran.err) == (
        0,
        "note: 'a.csv', column 'index' is taken for the row numbers that pandas writes, not for a score. Hint: "
        "--y-score index takes it.\n",
    )
    assert '"model": "score"' in ran.out
    assert thresher("auc", "a.csv", "--y-score", "score").err.count("row numbers") == 0


def tidy(counts):
    names = [name for name, count in counts.items() for _ in range(count)]
    n = len(names)
    return columns(label=np.arange(n) % 2, score=np.arange(n) / n, model=names)


def test_models_below_one_another():
    with pytest.raises(
        th.InvalidInputError, match=r"values of 'model' \('a', 'b'\) .* Hint: --model-column model takes"
    ):
        choose(tidy({"a": 10, "b": 10}))
    assert choose(tidy({"a": 10, "b": 10}), taken=["model"]) == ("label", ["score"])
    assert choose(tidy({"a": 10, "b": 10}), scores=["score"]) == ("label", ["score"])
    for other in ({"a": 9, "b": 9}, {"a": 10, "b": 11}, {"a": 20}, {f"m{i}": 10 for i in range(51)}):
        assert choose(tidy(other)) == ("label", ["score"])
    with pytest.raises(th.InvalidInputError, match=r"'m3', 'm4', \.\.\.\)"):
        choose(tidy({f"m{i}": 10 for i in range(9)}))


def test_too_many_columns_to_look_at():
    many = columns(**{f"c{i}": Y for i in range(501)})
    with pytest.raises(th.InvalidInputError, match=r"has 501 columns, too many .* Hint: name them with --y-true and"):
        choose(many)
    with pytest.raises(th.InvalidInputError, match=r"'c18', 'c19', \.\.\.\.$"):
        choose(columns(**{f"c{i}": Y for i in range(30)}))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "1", "1"),
        ("mixed", "x", "x"),
        ("bool", "TRUE", True),
        ("bool", "0", False),
        ("bool", "x", "x"),
        ("whole", "2", 2),
        ("whole", "x", "x"),
        ("real", "1.5", 1.5),
        ("real", "2.0", 2),
        ("whole", None, None),
    ],
)
def test_positive_labels_as_their_column_holds_them(kind, text, value):
    found = label_value(kind, text)
    assert (found, type(found)) == (value, type(value))
