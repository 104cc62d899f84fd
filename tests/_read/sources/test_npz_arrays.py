from __future__ import annotations

import zipfile

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.named_columns import read_npz


def test_arrays_by_name(tmp_path):
    np.savez(tmp_path / "a.npz", label=[0, 1], score=[0.1, 0.9])
    found = read_npz(tmp_path / "a.npz", "a.npz")
    assert {name: array.tolist() for name, array in found.items()} == {"label": [0, 1], "score": [0.1, 0.9]}
    assert th.scan(tmp_path / "a.npz", y_true="label", y_score="score") == th.Scores([0, 1], [0.1, 0.9])


def test_what_is_no_plain_archive(tmp_path):
    np.savez(tmp_path / "objects.npz", label=np.array([{}, None]))
    with zipfile.ZipFile(tmp_path / "other.npz", "w") as archive:
        archive.writestr("readme.txt", "no array")
    (tmp_path / "text.npz").write_text("no archive")
    for name, reason in (("objects", "holds Python objects"), ("other", "is no array"), ("text", "is no archive")):
        with pytest.raises(th.InvalidInputError, match=rf"must be an NPZ file of plain arrays: .*{reason}"):
            read_npz(tmp_path / f"{name}.npz", name)


def test_shapes(tmp_path):
    np.savez(tmp_path / "a.npz", label=[0, 1], score=np.zeros((2, 2)), other=np.zeros(7))
    with pytest.raises(
        th.InvalidInputError, match=r"one-dimensional arrays of one length; got 'label' \(2,\), 'score'"
    ):
        th.scan(tmp_path / "a.npz", y_true="label", y_score="score")
