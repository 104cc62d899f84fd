"""Columns out of dataframes, by name."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import thresher as th
from thresher._core import frames
from thresher._core.frames import columns_of

DATA = {"y": [0, 1, 1], "s": [0.1, 0.7, 0.4]}


class Stream:
    """Something that only speaks Arrow."""

    def __init__(self) -> None:
        self.table = pa.table(DATA)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda data: Stream()])
def test_named_columns(make):
    found = columns_of(make(DATA), y_true="y", y_score="s", sample_weight=None)
    assert list(found) == ["y_true", "y_score", "sample_weight"]
    assert found["sample_weight"] is None
    assert [list(map(float, found[name].to_pylist() if hasattr(found[name], "to_pylist") else found[name]))
            for name in ("y_true", "y_score")] == [[0.0, 1.0, 1.0], [0.1, 0.7, 0.4]]  # fmt: skip


def test_columns_that_are_not_there():
    with pytest.raises(th.InvalidInputError) as caught:
        columns_of(pd.DataFrame(DATA), y_true="label")
    assert str(caught.value) == "`y_true` must name a column; got 'label'. Hint: the columns are 'y', 's'."


def test_what_is_no_frame_in_memory():
    with pytest.raises(th.InvalidTypeError, match=r"got a lazy polars\S+LazyFrame\. Hint: call `\.collect\(\)`"):
        columns_of(pl.DataFrame(DATA).lazy(), y_true="y")
    with pytest.raises(th.InvalidTypeError, match="`frame` must be a dataframe; got dict"):
        columns_of(DATA, y_true="y")


def test_a_stream_without_a_library_to_read_it(monkeypatch):
    class Nothing:
        @staticmethod
        def from_arrow(frame, backend):
            raise ModuleNotFoundError(backend)

    monkeypatch.setattr(frames.nw, "DataFrame", Nothing)
    with pytest.raises(th.MissingDependencyError, match="Reading a Stream needs one of the libraries"):
        frames._from_arrow_stream(Stream())
