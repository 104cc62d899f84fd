"""Parts of results as JSON and back: their types as well as their values."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from thresher._core.json_state import _decoded, _encoded, plain
from thresher._core.values import same
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import PartialRocAuc, PrAuc


def round_trip(part):
    return _decoded(json.loads(json.dumps(_encoded(part), allow_nan=False)))


@pytest.mark.parametrize(
    "part",
    [
        None,
        True,
        1,
        2**80,
        0.1 + 0.2,
        5e-324,
        math.inf,
        -math.inf,
        math.nan,
        "inf",
        "text with \u2028 and \U0001f600",
        (1, (2.5, None)),
        [1, "a"],
        {"a": 1.0, "b": math.nan},
        {1: "one", (2, 3): "pair"},
        PartialRocAuc(fpr=(0.0, 0.1)),
        PrAuc(prevalence=0.01),
        Counts([0, 1, 1], [0.5, 0.25, math.inf]),
    ],
    ids=repr,
)
def test_single_parts(part):
    back = round_trip(part)
    assert type(back) is type(part) or isinstance(part, dict)
    assert same(back, part)


@pytest.mark.parametrize(
    "array",
    [
        np.array([math.inf, 0.1, math.nan, -math.inf]),
        np.array([1, 2**60]),
        np.array([True, False]),
        np.array([], dtype=np.float64),
        np.array([], dtype="<U3"),
        np.array(["inf", "nan", "b"]),
        np.array([1.5, 0.1], dtype=np.float32),
        np.array([[1.0, math.nan], [3.0, 4.0]]),
        np.array([1, 2], dtype=np.uint8),
        np.array(2.5),
        np.array([1, "a", None], dtype=object),
        np.array([1, 3], dtype=np.longdouble) / 3,
    ],
    ids=repr,
)
def test_arrays_keep_their_type(array):
    back = round_trip(array)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert same(back, array)


def test_what_is_unknown_is_refused():
    with pytest.raises(InvalidInputError, match="cannot be written as JSON"):
        _encoded(object())
    with pytest.raises(InvalidInputError, match="parts that thresher knows"):
        _decoded({"code": "import os"})
    with pytest.raises(InvalidInputError, match="numbers or text"):
        _decoded({"array": [1], "dtype": "O8", "shape": [1]})
    with pytest.raises(InvalidInputError, match="must name a measure"):
        _decoded({"measure": {"class": "Popen", "options": {}}})


def test_a_damaged_table_is_refused():
    code = _encoded(Counts([0, 1, 1], [0.5, 0.25, 0.75]))
    text = code["Counts"]
    damaged = text[:-8] + ("A" if text[-8] != "A" else "B") + text[-7:]
    with pytest.raises(InvalidInputError):
        _decoded({"Counts": damaged})


def test_plain_data():
    given = {"a": np.float32(0.5), 2: np.array([1, 2]), "c": (math.inf, np.bool_(True))}
    assert plain(given) == {"a": 0.5, "2": [1, 2], "c": [math.inf, True]}
    assert plain([math.nan, -math.inf, 1.0], finite=True) == [None, "-inf", 1.0]
