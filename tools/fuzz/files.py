"""Files of every format, damaged where their structure is: read, or refused in one sentence."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import thresher as th
from thresher.cli import main

__all__ = ["case"]

_CALLS = 6
_ROWS = 60
_WORDS = ("--y-true", "label", "--y-score", "score", "--pos-label", "yes")
_EXTREME = [b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x01\x00\x00\x00"]


def _table() -> pa.Table:
    rng = np.random.default_rng(0)
    labels = pa.array([("no", "yes")[i % 2] for i in range(_ROWS)])
    notes = pa.array([None if i % 7 == 0 else f"case {i}" * (i % 4) for i in range(_ROWS)])
    return pa.table({"label": labels.dictionary_encode(), "score": rng.random(_ROWS), "note": notes})


def _csv(delimiter: str = ",") -> bytes:
    rows = zip(*(column.to_pylist() for column in _table().columns), strict=True)
    lines = [delimiter.join(("label", "score", "note"))]
    lines += [delimiter.join(("" if cell is None else str(cell)) for cell in row) for row in rows]
    return "\n".join(lines).encode() + b"\n"


def _written(write: Callable[[str], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/x")
        return next(Path(folder).iterdir()).read_bytes()


def _ipc(path: str, framed: bool) -> None:
    with pa.OSFile(path, "wb") as sink:
        make = pa.ipc.new_file if framed else pa.ipc.new_stream
        with make(sink, _table().schema) as writer:
            writer.write_table(_table())


@cache
def _whole() -> dict[str, bytes]:
    """Return a sound file of each format, by its ending."""
    table = _table()
    labels = np.array(table.column("label").to_pylist())
    scores = th.Scores(labels, table.column("score").to_numpy(), pos_label="yes")
    records = [{name: table.column(name)[i].as_py() for name in table.column_names} for i in range(_ROWS)]
    return {
        ".csv": _csv(),
        ".tsv": _csv("\t"),
        ".csv.gz": gzip.compress(_csv(), mtime=0),
        ".jsonl": "".join(json.dumps(record) + "\n" for record in records).encode(),
        ".json": json.dumps(records).encode(),
        ".parquet": _written(lambda path: pa.parquet.write_table(table, path)),
        ".pq": _written(lambda path: pa.parquet.write_table(table, path, use_dictionary=False, compression="none")),
        ".arrow": _written(lambda path: _ipc(path, True)),
        ".ipc": _written(lambda path: _ipc(path, False)),
        ".feather": _written(lambda path: pa.feather.write_feather(table, path)),
        ".npz": _written(lambda path: np.savez(path, label=labels, score=table.column("score").to_numpy())),
        ".scores": _written(scores.save),
        ".merged.scores": _written(scores.compress(30).save),
    }


def _damaged(rng: np.random.Generator, data: bytes, ending: str) -> bytes:
    out = bytearray(data)
    for _ in range(int(rng.choice([0, 1, 1, 1, 2, 8]))):
        at = int(rng.integers(0, len(out) + 1))
        how = int(rng.integers(0, 8))
        if how == 0:
            out[at : at + 1] = bytes([int(rng.integers(0, 256))])
        elif how == 1:
            del out[at:]
        elif how == 2:
            del out[at : at + int(rng.integers(1, 64))]
        elif how == 3:
            out[at:at] = bytes(rng.integers(0, 256, int(rng.integers(1, 64)), dtype=np.uint8))
        elif how in (4, 5):  # a length, an offset or an index, where such numbers stand
            at = at // 4 * 4
            out[at : at + 4] = _EXTREME[int(rng.integers(0, len(_EXTREME)))]
        elif how == 6:
            other = int(rng.integers(0, len(out) + 1))
            out[at : at + 32] = out[other : other + 32]
        else:
            pieces = [
                b'"',
                b"\x00",
                b"\r",
                b"\r\n",
                b"\xff\xfe",
                b"," * 50,
                b"1e999",
                b"nan",
                b"9" * 40,
                b"\xef\xbb\xbf",
                b"{",
                b"]",
            ]
            out[at:at] = pieces[int(rng.integers(0, len(pieces)))]
    if ending.endswith(".scores") and rng.random() < 0.7 and len(out) > 40:
        out[-32:] = hashlib.sha256(bytes(out[:-32])).digest()  # so that the checksum does not hide the damage
    return bytes(out)


def _command(*words: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    if code not in (0, 1, 2) or "defect" in err.getvalue():
        raise AssertionError(f"{words} ended with {code}: {err.getvalue()[:500]}")


def _read(place: Path, ending: str, commands: bool) -> None:
    if ending.endswith(".scores"):
        table = th.Scores.load(place)
        if table.n_pos and table.n_neg and not -1e-9 <= table.roc_auc().value <= 1 + 1e-9:
            raise AssertionError("an area must lie in [0, 1]")
        if commands:
            _command("merge", str(place))
    elif commands:
        _command("auc", str(place), *_WORDS)
    else:
        th.scan(place, y_true="label", y_score="score", pos_label="yes")


def case(rng: np.random.Generator) -> int:
    """Read some damaged files."""
    endings = list(_whole())
    with tempfile.TemporaryDirectory() as folder:
        for k in range(_CALLS):
            ending = endings[int(rng.integers(0, len(endings)))]
            place = Path(folder) / f"x{k}{ending}"
            place.write_bytes(_damaged(rng, _whole()[ending], ending))
            with contextlib.suppress(th.ThresherError):
                _read(place, ending, commands=bool(rng.random() < 0.3))
    return _CALLS
