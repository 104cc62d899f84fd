from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled

KINDS = [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.int64, np.uint64, np.bool_]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", [None, [1, 2, 3, 4], [0.5, 1.25, 1e-9, 3.0]])
def test_round_trip(tmp_path, kind, weight):
    values = np.array([0, 1, 1, 0], dtype=kind)
    if kind is np.longdouble:
        values[1] = np.nextafter(values[1], np.longdouble(2))
    scores = th.Scores([0, 1, 0, 1], values, sample_weight=weight)
    scores.save(tmp_path / "a.scores")
    again = th.Scores.load(tmp_path / "a.scores")
    assert again == scores
    assert (again.thresholds.dtype, again.pos.dtype) == (scores.thresholds.dtype, scores.pos.dtype)
    assert type(again) is th.Scores


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=labelled())
def test_round_trip_of_any_scores(tmp_path, data):
    scores = th.Scores(*data)
    scores.save(tmp_path / "any.scores")
    assert th.Scores.load(tmp_path / "any.scores") == scores


def test_compressed_round_trip(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(500) < 0.3
    small = th.Scores(y, rng.normal(size=500) + y).compress(40)
    small.save(tmp_path / "c.scores")
    again = th.Scores.load(tmp_path / "c.scores")
    assert again == small
    assert again.roc_auc().error_bound == small.roc_auc().error_bound > 0


def known_tables():
    y, s = np.array([1, 0, 1, 0, 1, 0], dtype=bool), np.array([6.0, 5, 4, 3, 3, 1])
    weight = np.array([0.5, 1.0, 2.0, 0.25, 1.5, 3.0])
    sums = {"pos": [0.5, 2.0], "neg": [1.0, 0.0], "pos_squares": [0.25, 3.0], "neg_squares": [0.5, 0.0]}
    return {
        "counts": (th.Scores(y, s), None, None),
        "extended": (th.Scores(y, s.astype(np.longdouble)), None, None),
        "weights": (th.Scores(y, s, sample_weight=weight), (3, 3), ((0.5, 2.0), (0.25, 3.0))),
        "sums": (th.Scores.from_counts([2, 1], **sums), None, None),
        "groups": (th.Scores(y, s, cluster=["a", "b", "a", "ü", "ü", "c"]), None, None),
        "numbered groups": (th.Scores(y, s, sample_weight=weight, cluster=[7, 7, -2, 3, 3, 3]), (3, 3), None),
    }


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("name", known_tables())
def test_what_is_known_of_the_rows_comes_back(tmp_path, name, compressed):
    table, rows, spans = known_tables()[name]
    table.save(tmp_path / "a.scores", compressed=compressed)
    again = th.Scores.load(tmp_path / "a.scores")
    assert again == table
    if table._weight_squares is not None:
        assert again._pos_squares.tolist() == table._pos_squares.tolist()
        assert again._weight_squares.rows == rows
        assert spans is None or again._weight_squares.spans == spans
    if table._clusters is not None:
        assert again._clusters.labels.tolist() == table._clusters.labels.tolist()
        for mine, theirs in zip(again._clusters, table._clusters, strict=True):
            assert np.array_equal(mine, theirs)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "good.scores"
    th.Scores([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.8]).save(path)
    return path


def test_every_truncation_and_every_flipped_byte_is_noticed(saved):
    data = saved.read_bytes()
    for length in range(len(data)):
        saved.write_bytes(data[:length])
        with pytest.raises(th.InvalidInputError):
            th.Scores.load(saved)
    for place in range(len(data)):
        saved.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        with pytest.raises(th.InvalidInputError):
            th.Scores.load(saved)
    saved.write_bytes(data + b"\0")
    with pytest.raises(th.InvalidInputError):
        th.Scores.load(saved)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(max_size=200))
def test_noise_is_refused(tmp_path, noise):
    path = tmp_path / "noise"
    path.write_bytes(b"thresher scores\n" + noise)
    with pytest.raises(th.InvalidInputError):
        th.Scores.load(path)


def forged(path, header, arrays):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = b"thresher scores\n" + len(text).to_bytes(4, "little") + text + b"".join(a.tobytes() for a in arrays)
    path.write_bytes(body + hashlib.sha256(body).digest())


def arrays(scores="<f8", rows=2):
    return [["scores", scores, rows], ["pos", "<i8", 2], ["neg", "<i8", 2]]


GOOD = {"version": 1, "packed": False, "arrays": arrays()}


@pytest.mark.parametrize(
    ("header", "scores", "pos", "neg"),
    [
        (GOOD, [1.0, 2.0], [1, 1], [1, 1]),
        (GOOD, [2.0, 2.0], [1, 1], [1, 1]),
        (GOOD, [2.0, np.nan], [1, 1], [1, 1]),
        (GOOD, [2.0, 1.0], [1, -1], [1, 1]),
        (GOOD, [2.0, 1.0], [1, 0], [1, 0]),
        (GOOD | {"arrays": arrays("|O8")}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays(["<f8"])}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays("<f4")}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays(rows=2**62)}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays(rows=1)}, [2.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays(rows=-1)}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays(rows=True)}, [2.0], [1, 1], [1, 1]),
        (GOOD | {"arrays": arrays()[:2]}, [2.0, 1.0], [1, 1], []),
        (GOOD | {"arrays": []}, [], [], []),
        (GOOD | {"packed": "yes"}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"packed": True}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"figures": "many"}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"squares": None}, [2.0, 1.0], [1, 1], [1, 1]),
        (GOOD | {"outcome": [0, 1]}, [2.0, 1.0], [1, 1], [1, 1]),
        (b"[" * 4000, [2.0, 1.0], [1, 1], [1, 1]),
        (b"\xff\xfe", [2.0, 1.0], [1, 1], [1, 1]),
        ({"version": 1}, [2.0, 1.0], [1, 1], [1, 1]),
    ],
)
def test_hostile_files_with_a_right_checksum(tmp_path, header, scores, pos, neg):
    path = tmp_path / "forged.scores"
    forged(path, header, [np.array(scores, "<f8"), np.array(pos, "<i8"), np.array(neg, "<i8")])
    with pytest.raises(th.InvalidInputError):
        th.Scores.load(path)


def damaged_entry(path, column, value):
    """Save rows in clusters, and write something else into the first entry of a column of the list of clusters."""
    th.Scores([1, 0, 1, 0], [4.0, 3, 2, 2], cluster=["a", "b", "a", "c"]).save(path)
    data = bytearray(path.read_bytes()[:-32])
    start = 20 + int.from_bytes(data[16:20], "little")
    header = json.loads(data[20:start])
    at = start
    for name, kind, size in header["arrays"]:
        if name == f"cluster {column}":
            break
        at += size * np.dtype(kind).itemsize
    assert size == 4
    was = np.frombuffer(data, kind, 1, at).item()
    data[at : at + 8] = np.array(value, kind).tobytes()
    path.write_bytes(bytes(data) + hashlib.sha256(data).digest())
    return was


@pytest.mark.parametrize(
    ("column", "right", "wrong"),
    [
        ("code", 0, (-1, 3)),  # three clusters
        ("cell", 0, (-1, 3, 1)),  # three rows; the second holds another case
        ("rows", 1, (0, -1)),
        ("weight", 1.0, (0.0, -1.0, np.nan, np.inf, 1.5)),
    ],
)
def test_clusters_that_cannot_belong_to_the_table(tmp_path, column, right, wrong):
    path = tmp_path / "forged.scores"
    assert damaged_entry(path, column, right) == right
    assert th.Scores.load(path) == th.Scores([1, 0, 1, 0], [4.0, 3, 2, 2], cluster=["a", "b", "a", "c"])
    for value in wrong:
        damaged_entry(path, column, value)
        with pytest.raises(th.InvalidInputError, match="holds a table that no scores can have"):
            th.Scores.load(path)


def test_a_file_of_no_rows_is_damaged(tmp_path):
    path = tmp_path / "empty.scores"
    forged(path, GOOD | {"arrays": [[name, kind, 0] for name, kind, _ in arrays()]}, [])
    with pytest.raises(th.InvalidInputError, match="is damaged or cut short"):
        th.Scores.load(path)


def test_messages(tmp_path, saved):
    foreign = tmp_path / "labels.csv"
    foreign.write_text("label,score\n0,1\n")
    cut = tmp_path / "cut.scores"
    cut.write_bytes(saved.read_bytes()[:-7])
    newer = tmp_path / "newer.scores"
    forged(newer, GOOD | {"version": 9}, [])
    cases = {
        foreign: "must be a file written by `Scores.save`; it starts with b'label,score\\n0,1\\n'. "
        "Hint: read labels and scores with `Scores.from_frame`.",
        cut: "is damaged or cut short. Hint: copy it again from its source.",
        newer: "must be of format version 1; got 9. Hint: upgrade thresher.",
    }
    for path, message in cases.items():
        with pytest.raises(th.InvalidInputError) as caught:
            th.Scores.load(path)
        assert str(caught.value) == f"{str(path)!r} {message}"
    absent = tmp_path / "absent.scores"
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores.load(absent)
    assert str(caught.value) == f"Cannot read {str(absent)!r}: No such file or directory."
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores([0, 1], [0, 1]).save(tmp_path / "no" / "folder.scores")
    assert str(caught.value) == (
        f"Cannot write {str(tmp_path / 'no' / 'folder.scores')!r}: No such file or directory. "
        f"Hint: make the folder {str(tmp_path / 'no')!r} first."
    )


@pytest.mark.parametrize("call", [th.Scores.load, th.Scores([0, 1], [0, 1]).save])
@pytest.mark.parametrize(("path", "shown"), [(3, "3 of type int"), (None, "None of type NoneType")])
def test_paths_that_are_none(call, path, shown):
    with pytest.raises(th.InvalidTypeError) as caught:
        call(path)
    assert str(caught.value) == (f"`path` must be the name of a file; got {shown}. Hint: for example 'site.scores'.")


def test_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "kept.scores"
    th.Scores([0, 1], [0, 1]).save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(th.InvalidInputError, match="No space left on device"):
        th.Scores([0, 1, 1], [0, 1, 2]).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["kept.scores"]
