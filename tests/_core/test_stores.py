"""Tables, reports and rows to and from a server of Amazon's protocol, of this machine."""

from __future__ import annotations

import gzip
import os
import re

import numpy as np
import pytest

import thresher as th
from thresher._core.stores import is_address

pa = pytest.importorskip("pyarrow")
pytestmark = pytest.mark.optional  # moto, boto3


@pytest.fixture(scope="module")
def bucket():
    """Give the start of an address of a bucket, with how the store is found in it."""
    server = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    running = server.ThreadedMotoServer(port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    kept = {name: os.environ.get(name) for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")}
    os.environ |= {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    boto3.client("s3", endpoint_url=f"http://{host}:{port}").create_bucket(Bucket="scores")
    yield lambda path: f"s3://scores/{path}?endpoint_override={host}:{port}&scheme=http"
    running.stop()
    for name, value in kept.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.3
    return y, rng.normal(size=2000) + y


def test_tables(bucket, rows):
    scores = th.Scores(*rows)
    scores.save(bucket("site.scores"))
    assert th.Scores.load(bucket("site.scores")) == scores
    th.save_counts({"a": scores, "b": scores}, bucket("counts/monday.parquet"))
    th.save_counts({"a": scores}, bucket("counts/tuesday.parquet"))
    assert th.load_counts(bucket("counts/monday.parquet"), group="b") == scores
    assert th.load_counts(bucket("counts")) == {"a": scores + scores, "b": scores}
    assert th.load_counts(bucket("counts/*day.parquet")) == th.load_counts(bucket("counts"))
    sketch = th.Sketch(100)
    sketch.update(*rows)
    sketch.save(bucket("sketch.scores"))
    assert th.Sketch.load(bucket("sketch.scores"), 100).to_scores() == sketch.to_scores()


def test_commands(bucket, rows, tmp_path, monkeypatch):
    from thresher.cli import main

    monkeypatch.chdir(tmp_path)
    text = "label,risk\n" + "".join(f"{int(y)},{s!r}\n" for y, s in zip(rows[0], rows[1].tolist(), strict=True))
    (tmp_path / "rows.csv").write_text(text)
    assert main(["count", "rows.csv", "-o", bucket("a.scores")]) == 0
    assert main(["merge", bucket("a.scores"), bucket("a.scores"), "-o", bucket("sum.parquet")]) == 0
    assert th.load_counts(bucket("sum.parquet"))[None].n_pos == 2 * int(rows[0].sum())
    assert main(["report", "rows.csv", "-o", bucket("page.html")]) == 0


def test_packed_text(bucket, rows, tmp_path):
    from thresher._core.stores import put_file

    lines = "".join(f"{int(y)},{s!r}\n" for y, s in zip(rows[0], rows[1].tolist(), strict=True))
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(f"y_true,y_score\n{lines}".encode()))
    put_file(tmp_path / "rows.csv.gz", bucket("rows.csv.gz"))
    assert th.scan(bucket("rows.csv.gz")) == th.Scores(*rows)


def test_what_is_not_there_and_what_may_not_be_written(bucket, rows):
    with pytest.raises(th.InvalidInputError, match=r"Cannot read 's3://scores/absent\.scores"):
        th.Scores.load(bucket("absent.scores"))
    with pytest.raises(th.InvalidInputError, match="Cannot write 's3://none/") as caught:
        th.Scores(*rows).save(bucket("a.scores").replace("scores/", "none/", 1))
    assert re.search("Hint: ", str(caught.value))


def test_what_is_an_address():
    assert is_address("s3://bucket/a")
    assert not is_address("C:/a")
