"""Batches that another thread fetches, and the error for a column that is not there."""

from __future__ import annotations

import threading

import pytest

from thresher._read.sources.source import Source, ahead, no_column


def test_batches_come_in_order_from_another_thread():
    names = []

    def batches():
        for i in range(50):
            names.append(threading.current_thread().name)
            yield i

    assert list(ahead(batches(), depth=2)) == list(range(50))
    assert set(names) == {"thresher-read"}
    assert list(ahead(iter([]))) == []


def test_no_more_wait_than_asked_for():
    fetched = []

    def batches():
        for i in range(100):
            fetched.append(i)
            yield i

    reading = ahead(batches(), depth=3)
    for expected in range(10):
        assert next(reading) == expected
        assert len(fetched) <= expected + 1 + 3 + 1  # taken, waiting, and the one in hand
    reading.close()
    assert len(fetched) < 100


def test_errors_of_the_thread_are_raised_here():
    def batches():
        yield 1
        raise KeyError("gone")

    reading = ahead(batches())
    assert next(reading) == 1
    with pytest.raises(KeyError, match="gone"):
        next(reading)


@pytest.mark.parametrize("taken", [0, 1, 5])
def test_the_thread_ends_when_nobody_reads_on(taken):
    reading = ahead(iter(range(1000)), depth=1)
    for _ in range(taken):
        next(reading)
    reading.close()
    assert not any(thread.name == "thresher-read" and thread.is_alive() for thread in threading.enumerate())


def test_columns_that_are_not_there():
    assert str(no_column("y_true", "b", ["a"])) == "`y_true` must name a column; got 'b'. Hint: the columns are 'a'."
    assert str(no_column("by", "a", ["a", "a"], repeated=True, file="x.csv")) == (
        "`by` must name one column of 'x.csv'; 'a' is the name of several. Hint: rename one of them."
    )
    assert str(no_column("y_true", "b", [str(i) for i in range(21)])).endswith("'18', '19', ....")


def test_a_source_knows_little_by_default():
    source = Source(lambda: iter([1, 2]))
    assert (list(source.batches()), list(source.batches())) == ([1, 2], [1, 2])
    assert (source.rows, source.score_types, source.overlap, source.where()) == (None, {}, False, "")
