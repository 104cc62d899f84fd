from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, field, replace

import numpy as np
import pytest

import thresher as th
from thresher._core.values import ReadOnlyDict, same, value


@value
class Row:
    """Something of everything that a result may hold."""

    name: str
    numbers: np.ndarray | float
    table: dict[str, float]
    remark: str = field(default="", compare=False)


@value
class LongRow(Row):
    """A row with one part more."""

    more: np.ndarray | None = None


@value
class Pair:
    """Numbers only."""

    low: float
    high: float | tuple[float, ...]


def row(**changes):
    return replace(Row("a", np.array([1.0, np.nan]), {"x": 1.0}), **changes)


@pytest.mark.parametrize("result", [row(), Pair(1.0, 2.0), LongRow("a", 1.0, {})])
@pytest.mark.parametrize("name", ["name", "low", "unknown"])
def test_attributes_known_and_unknown_are_refused_alike(result, name):
    kind = type(result).__name__
    with pytest.raises(FrozenInstanceError) as caught:
        setattr(result, name, 1)
    assert str(caught.value) == f"{kind} is frozen; cannot set {name!r}. Hint: build a new one."
    with pytest.raises(FrozenInstanceError) as caught:
        delattr(result, name)
    assert str(caught.value) == f"{kind} is frozen; cannot delete {name!r}."


def test_arrays_and_dicts_are_kept_read_only_and_the_callers_stay_theirs():
    numbers, table = np.array([1.0, 2.0]), {"x": 1.0}
    result = LongRow("a", numbers, table, more=numbers)
    numbers[0] = table["x"] = 50.0
    for kept in (result.numbers, result.more):
        assert kept.tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match="WRITEABLE"):
            kept.setflags(write=True)
    assert result.table == {"x": 1.0}


@pytest.mark.parametrize("journey", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_equal_and_as_frozen(journey):
    for result in (row(remark="kept"), LongRow("b", np.arange(3), {}, more=np.arange(2)), Pair(1.0, (2.0,))):
        back = journey(result)
        assert back == result
        assert repr(back) == repr(result)
    back = journey(row(remark="kept"))
    assert back.remark == "kept"
    with pytest.raises(ValueError, match="WRITEABLE"):
        back.numbers.setflags(write=True)
    with pytest.raises(TypeError, match="read-only"):
        back.table["x"] = 2.0


@pytest.mark.parametrize(
    ("changes", "equal"),
    [
        ({}, True),
        ({"remark": "other"}, True),
        ({"name": "b"}, False),
        ({"numbers": np.array([1.0, 2.0])}, False),
        ({"numbers": np.array([1.0])}, False),
        ({"numbers": 1.0}, False),
        ({"table": {"x": 2.0}}, False),
        ({"table": {"y": 1.0}}, False),
    ],
)
def test_results_are_equal_by_their_parts(changes, equal):
    assert (row(**changes) == row()) == equal
    assert (row(**changes) != row()) != equal


def test_results_of_other_kinds_are_different():
    assert LongRow("a", 1.0, {}) != Row("a", 1.0, {})
    assert Pair(1.0, 2.0) != (1.0, 2.0)


def test_hashes_are_those_of_equal_values_or_none_at_all():
    assert hash(Pair(1, 2)) == hash(Pair(1.0, 2.0))
    nan = [float("nan"), np.float32("nan"), np.longdouble("nan")]
    assert len({Pair(x, (x, 1.0)) for x in nan}) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(row())


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (np.array([1, 2]), np.array([1.0, 2.0]), True),
        (np.array(["a", "b"]), np.array(["a", "b"]), True),
        (np.array(["a"]), np.array([1.0]), False),
        (np.array(["a"]), np.array([None]), False),
        (np.array([float("inf"), 2**70], dtype=object), np.array([float("inf"), 2**70], dtype=object), True),
        (np.array([float("nan"), 2**70], dtype=object), np.array([float("nan"), 2**70], dtype=object), True),
        (np.array([1, 2**70], dtype=object), np.array([1, 2**70 + 1], dtype=object), False),
        (np.zeros((2, 0)), np.zeros((0, 2)), False),
        ((1.0, float("nan")), (1.0, float("nan")), True),
        ((1.0, np.array([1.0])), (1.0, np.array([1.0])), True),
        ((1.0,), [1.0], False),
        ((1.0,), (1.0, 2.0), False),
        (float("nan"), None, False),
        (float("nan"), 1.0, False),
    ],
)
def test_same(a, b, equal):
    assert same(a, b) is equal
    assert same(b, a) is equal


def test_a_read_only_dict_is_a_dict_to_read():
    mapping = ReadOnlyDict({"b": 1.0, "a": 2.0})
    assert mapping == {"a": 2.0, "b": 1.0}
    assert repr(mapping) == "{'b': 1.0, 'a': 2.0}"
    assert json.dumps(mapping) == '{"b": 1.0, "a": 2.0}'
    assert type(mapping | {"c": 3.0}) is dict
    for back in (pickle.loads(pickle.dumps(mapping)), copy.deepcopy(mapping), copy.copy(mapping)):
        assert type(back) is ReadOnlyDict
        assert list(back.items()) == list(mapping.items())


def change(mapping):
    mapping |= {"c": 3.0}


@pytest.mark.parametrize(
    "change",
    [
        lambda mapping: mapping.__setitem__("a", 0.0),
        lambda mapping: mapping.__delitem__("a"),
        lambda mapping: mapping.update(a=0.0),
        lambda mapping: mapping.setdefault("c", 0.0),
        lambda mapping: mapping.pop("a"),
        lambda mapping: mapping.popitem(),
        lambda mapping: mapping.clear(),
        change,
    ],
)
def test_a_read_only_dict_refuses_every_change(change):
    mapping = ReadOnlyDict(a=1.0)
    with pytest.raises(TypeError) as caught:
        change(mapping)
    assert str(caught.value) == "This mapping is read-only. Hint: change a copy, `dict(mapping)`."
    assert mapping == {"a": 1.0}


def test_standard_errors_are_numbers_and_may_be_called():
    """An estimate's takes a method and is called; one that is found already is a number, and may be called too."""
    y, a, b = [0, 1] * 30, list(range(60)), list(range(60, 0, -1))
    pair = th.compare(y, {"a": a, "b": b}).pairs[0]
    drawn = th.bootstrap(y, a, n_resamples=50, rng=0)
    for holder in (pair, drawn, th.compare(y, {"a": a, "b": b})):
        assert holder.standard_error() == holder.standard_error > 0
    assert th.Scores(y, a).roc_auc().standard_error() > 0
    assert pickle.loads(pickle.dumps(pair.standard_error))() == pair.standard_error


def test_long_arrays_are_not_printed():
    det = th.Scores([0, 1] * 50, range(100)).det()
    for shown in (det, th.Scores([0, 1] * 50, range(100)).lift()):
        assert len(repr(shown)) < 400
        assert "..." not in repr(shown)
    assert "fpr=<101 values from 0.0 to 1.0>" in repr(det)
    assert "array([" in repr(th.Scores([0, 1], [1, 2]).det())  # short ones are
