"""Files by their addresses, tried with those of this machine and of fsspec's memory."""

from __future__ import annotations

import io
import socket
import traceback

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.dataset as ds
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher._core.stores import is_address
from thresher._read.sources.open_source import _pace
from thresher._read.sources.remote_files import are_addresses, is_local, remote_dataset
from thresher.cli import main


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    y = (rng.random(500) < 0.3).astype(np.int8)
    return y, rng.normal(size=500) + y


def test_what_is_an_address():
    assert all(map(is_address, ("s3://bucket/a", "gs://b", "https://host/a.parquet", "file:///a", "memory://a")))
    assert not any(map(is_address, ("a.parquet", "/a", "C:\\a", "a//b", None, 7)))
    assert all(map(are_addresses, ("s3://a", ["s3://a", "s3://b"], ("gs://a",))))
    assert not any(map(are_addresses, ([], "a", ["s3://a", "b"], [1], None)))


def test_files_of_this_machine(tmp_path, rows):
    y, s = rows
    for part in range(2):
        (tmp_path / f"part={part}").mkdir()
        pq.write_table(pa.table({"y_true": y[part::2], "y_score": s[part::2]}), tmp_path / f"part={part}" / "a.parquet")
    (tmp_path / "_temporary").mkdir()
    pq.write_table(pa.table({"y_true": y, "y_score": s}), tmp_path / "_temporary" / "a.parquet")
    address = tmp_path.as_uri()
    assert th.scan(address) == th.Scores(y, s)
    assert th.scan(address, by="part")[1] == th.Scores(y[1::2], s[1::2])
    assert th.scan(f"{address}/part=0/a.parquet") == th.Scores(y[::2], s[::2])
    assert th.scan(f"{address}/part=*/*.parquet") == th.scan(f"{address}/**/a.parquet") == th.Scores(y, s)
    assert th.scan(f"{address}/part=1/*") == th.Scores(y[1::2], s[1::2])
    assert th.scan([f"{address}/part=0", f"{address}/part=1/a.parquet"]) == th.Scores(y, s)
    assert th.scan(f"{address}/_temporary/*.parquet") == th.Scores(y, s)  # which was spelled out
    for part in range(2):
        (tmp_path / "text").mkdir(exist_ok=True)
        csv.write_csv(pa.table({"y_true": y[part::2], "y_score": s[part::2]}), tmp_path / "text" / f"{part}.csv")
    assert th.scan(f"{address}/text") == th.Scores(y, s)


def test_through_fsspec(rows):
    fsspec = pytest.importorskip("fsspec")
    y, s = rows
    with fsspec.open("memory://scores/a.parquet", "wb") as file:
        pq.write_table(pa.table({"y_true": y, "y_score": s}), file)
    found = remote_dataset("memory://scores/a.parquet")
    assert not is_local(found)
    assert _pace(found)["batch_readahead"] > 4
    assert "fragment_scan_options" not in _pace(found)
    assert th.scan("memory://scores/a.parquet") == th.Scores(y, s)


def test_local_files_are_not_read_ahead(tmp_path, rows):
    pq.write_table(pa.table({"y_true": rows[0], "y_score": rows[1]}), tmp_path / "a.parquet")
    assert "fragment_scan_options" in _pace(ds.dataset(tmp_path / "a.parquet"))


def test_files_of_two_stores(tmp_path):
    pytest.importorskip("fsspec")
    with pytest.raises(th.InvalidInputError, match=r"must lie in one store; got 'file:.*' and 'memory://a'"):
        th.scan([(tmp_path / "a.parquet").as_uri(), "memory://a"])


def test_messages(tmp_path):
    with pytest.raises(th.InvalidInputError, match=r"must name a file or a folder that exists; 'file:.*absent'"):
        th.scan((tmp_path / "absent").as_uri())
    with pytest.raises(th.InvalidInputError, match=r"must match at least one file; got 'file:.*/\*.parquet'"):
        th.scan(f"{tmp_path.as_uri()}/*.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(th.InvalidInputError, match=r"must hold files to read; 'file:.*empty' has none"):
        th.scan((tmp_path / "empty").as_uri())
    (tmp_path / "broken.parquet").write_bytes(b"no Parquet")
    (tmp_path / "403").mkdir()
    (tmp_path / "403" / "broken.parquet").write_bytes(b"no Parquet")  # no status of a server
    for name in ("broken.parquet", "403/broken.parquet"):
        with pytest.raises(th.InvalidInputError, match=r"broken.parquet' cannot be read: .* Hint: check the address"):
            th.scan((tmp_path / name).as_uri())
    with pytest.raises(
        th.InvalidInputError, match=r"must be an address that pyarrow or fsspec can open; got 'nope://a'"
    ):
        th.scan("nope://a")
    with pytest.raises(th.InvalidInputError, match=r"must be addresses, or files of this machine, not both"):
        th.scan([str(tmp_path / "broken.parquet"), "s3://bucket/b"])
    with pytest.raises(th.InvalidInputError, match=r"must name each file once"):
        th.scan([(tmp_path / "broken.parquet").as_uri()] * 2)
    (tmp_path / "other.csv").write_text("y_true,y_score\n")
    with pytest.raises(th.InvalidInputError, match=r"files of one form, .*; got parquet, text\."):
        th.scan(f"{tmp_path.as_uri()}/*")
    (tmp_path / "t" / "_delta_log").mkdir(parents=True)
    with pytest.raises(th.InvalidInputError, match="is a Delta table, whose log says which"):
        th.scan((tmp_path / "t").as_uri())


@pytest.fixture
def store(monkeypatch):
    """Start an object store on this machine; give its address and a function that puts a table there."""
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")  # no machine of a cloud is asked for credentials
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    client = boto3.client("s3", endpoint_url=f"http://{host}:{port}")
    client.create_bucket(Bucket="bucket")

    def put(key, table):
        body = io.BytesIO()
        (csv.write_csv if key.endswith(".csv") else pq.write_table)(table, body)
        client.put_object(Bucket="bucket", Key=key, Body=body.getvalue())

    yield f"{host}:{port}", put
    server.stop()


@pytest.mark.optional  # moto
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the libraries' own
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_object_store(store, rows, monkeypatch, tmp_path, capsys):
    place, put = store
    y, s = rows
    wanted = th.Scores(y, s)
    for part in range(2):
        put(f"scored/day={part}/a.parquet", pa.table({"y_true": y[part::2], "y_score": s[part::2]}))
    put("scored/_temporary/a.parquet", pa.table({"y_true": y, "y_score": s}))
    put("text/a.csv", pa.table({"y_true": y, "y_score": s}))
    asked = f"?endpoint_override={place}&scheme=http"
    assert th.scan(f"s3://bucket/scored{asked}") == wanted
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{place}")
    for address in ("scored", "scored/", "scored/day=*/*.parquet", "text", "text/a.csv"):
        assert th.scan(f"s3://bucket/{address}") == wanted, address
    assert th.scan([f"s3://bucket/scored/day={part}/a.parquet" for part in range(2)]) == wanted
    assert th.scan("s3://bucket/scored", by="day")[1] == th.Scores(y[1::2], s[1::2])
    with pytest.raises(th.InvalidInputError, match=r"'s3://bucket/absent' does not, or may not be seen"):
        th.scan("s3://bucket/absent")
    assert main(["count", "s3://bucket/scored", "-o", str(tmp_path / "a.scores")]) == 0
    assert th.Scores.load(tmp_path / "a.scores") == wanted
    assert main(["auc", "s3://bucket/scored/day=*/*.parquet", "--group", "day"]) == 0
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "absent"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "absent"))
    with pytest.raises(th.InvalidInputError, match=r"ACCESS_DENIED.* Hint: credentials come from"):
        th.scan("s3://bucket/scored")


@pytest.mark.optional  # gcp-storage-emulator
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the emulator's own
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore:pkg_resources is deprecated")  # which some releases of setuptools say to it
def test_googles_store(rows):
    emulator = pytest.importorskip("gcp_storage_emulator.server", reason="gcp-storage-emulator is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = emulator.create_server("127.0.0.1", port, in_memory=True, default_bucket="bucket")
    server.start()
    try:
        options = f"?endpoint_override=127.0.0.1:{port}&scheme=http"
        files, _ = pa.fs.FileSystem.from_uri(f"gs://anonymous@bucket/{options}")
        y, s = rows
        for part in range(2):
            with files.open_output_stream(f"bucket/scored/day={part}/a.parquet") as file:
                pq.write_table(pa.table({"y_true": y[part::2], "y_score": s[part::2]}), file)
        for address in ("scored", "scored/day=*/*.parquet"):
            assert th.scan(f"gs://anonymous@bucket/{address}{options}") == th.Scores(y, s), address
        assert th.scan(f"gs://anonymous@bucket/scored{options}", by="day")[1] == th.Scores(y[1::2], s[1::2])
        with pytest.raises(th.InvalidInputError, match="does not, or may not be seen"):
            th.scan(f"gs://anonymous@bucket/absent{options}")
    finally:
        server.stop()
    with pytest.raises(th.InvalidInputError, match=r"cannot be read: .* Hint: name a server that can be reached: `gs:"):
        th.scan(f"gs://anonymous@bucket/scored{options}&retry_limit_seconds=1")


@pytest.mark.parametrize(
    "source", ["no://KEY:s3cr3t@b/a.parquet", ["no://KEY:s3cr3t@b/a", "no://b/c"], "no://KEY:@b/a?x=1&sig=s3cr3t"]
)
def test_a_secret_in_an_address_is_not_told(source):
    with pytest.raises(th.InvalidInputError, match=r"\*\*\*") as caught:
        th.scan(source, y_true="y", y_score="s")
    assert "s3cr3t" not in "".join(traceback.format_exception(caught.value))
