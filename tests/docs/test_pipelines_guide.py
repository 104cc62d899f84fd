"""The blocks of the guide to pipelines do what the page says, where their library is installed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import warnings
from http.client import HTTPConnection
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher._read.sql import session, tables
from thresher.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "pipelines.md"
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are not part of this installation")


def block(name: str, page: Path = PAGE) -> str:
    found = re.search(rf"```python\n# {name}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture
def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    y = (rng.random(900) < 0.3).astype(int)
    score = (rng.normal(size=900) + y).round(2)
    return pd.DataFrame({"label": y, "score": score, "campaign": rng.choice(["a", "b", "c"], 900)})


@pytest.fixture
def days(rows: pd.DataFrame, tmp_path: Path) -> Path:
    """Write the folder of the graph: two days of rows."""
    for k in (14, 15):
        folder = tmp_path / f"data/scored/day=2026-11-{k}"
        folder.mkdir(parents=True)
        pq.write_table(pa.Table.from_pandas(rows.iloc[k % 2 :: 2], preserve_index=False), folder / "part-0.parquet")
    (tmp_path / "data/counts").mkdir()
    return tmp_path / "data"


@pytest.mark.optional
def test_dask(rows: pd.DataFrame) -> None:
    dask = pytest.importorskip("dask.dataframe", reason="Dask, which `.ci/optional` installs, is not installed")
    names = {"frame": dask.from_pandas(rows, npartitions=20)}
    exec(block("dask"), names)  # noqa: S102  # the page's own code
    assert names["scores"] == th.Scores(rows["label"], rows["score"])


@pytest.mark.optional
@pytest.mark.slow
def test_ray(rows: pd.DataFrame, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    paths = []
    for k, part in enumerate(np.array_split(np.arange(len(rows)), 10)):
        paths.append(str(tmp_path / f"{k}.parquet"))
        pq.write_table(pa.Table.from_pandas(rows.iloc[part], preserve_index=False), paths[-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR")
        try:
            names = {"paths": paths}
            exec(block("ray"), names)  # noqa: S102  # the page's own code
        finally:
            ray.shutdown()
    assert names["scores"] == th.Scores(rows["label"], rows["score"])


@pytest.mark.optional
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the libraries' own
def test_spark(rows: pd.DataFrame) -> None:
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, so that Spark cannot start")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    try:
        names = {"frame": spark.createDataFrame(rows)}
        exec(block("pyspark"), names)  # noqa: S102  # the page's own code
        found = {row["campaign"]: row for row in names["table"].collect()}
    finally:
        spark.stop()
    for campaign, part in rows.groupby("campaign"):
        scores = th.Scores(part["label"], part["score"])
        assert found[campaign]["auc"] == scores.roc_auc().value
        assert (found[campaign]["n_pos"], found[campaign]["n_neg"]) == (scores.n_pos, scores.n_neg)


@pytest.mark.optional
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the libraries' own
def test_spark_connect(rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    sql = pytest.importorskip("pyspark.sql")
    for part in ("grpc_status", "zstandard"):
        pytest.importorskip(part, reason="the client of Spark Connect is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, so that Spark cannot start")
    # A worker process has a main module without a file, which Spark takes for a doctest of its own and exits.
    monkeypatch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)
    spark = sql.SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    names = {"y_true": "label", "y_score": "score"}
    wanted = th.Scores(rows["label"], rows["score"])
    try:
        frame = spark.createDataFrame(rows)
        assert th.scan(frame, **names) == wanted
        assert th.scan(frame, **names, max_points=20).roc_auc().value == wanted.roc_auc().value
        found = th.scan(frame, **names, by="campaign", measures="roc_auc")
        # Scores that seldom repeat are counted by Python workers, where there are many.
        asked = []
        by_tasks = session._Spark.by_tasks
        monkeypatch.setattr(session._Spark, "by_tasks", lambda *given: asked.append(given) or by_tasks(*given))
        monkeypatch.setattr(tables, "_MOST_SENT", 0)
        apart = rows.assign(score=rows["score"] + np.arange(len(rows)) * 1e-6)
        area = th.scan(spark.createDataFrame(apart), **names, max_points=20).roc_auc().value
    finally:
        spark.stop()
    assert len(asked) == 2
    assert area == th.Scores(apart["label"], apart["score"]).roc_auc().value
    assert found.to_pydict() == th.scan(rows, **names, by="campaign", measures="roc_auc").to_pydict()


@pytest.mark.optional
@pytest.mark.filterwarnings("ignore")  # the libraries' own
def test_service(rows: pd.DataFrame) -> None:
    pytest.importorskip("fastapi", reason="FastAPI is not installed")
    uvicorn = pytest.importorskip("uvicorn")
    names: dict[str, Any] = {}
    exec(block("fastapi", PAGE.with_name("monitor-a-service.md")), names)  # noqa: S102  # the page's own code
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(names["app"], port=port, log_level="critical"))
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    try:
        while not server.started:
            time.sleep(0.01)
        connection = HTTPConnection("127.0.0.1", port, timeout=30)

        def asked(method: str, path: str) -> tuple[int, str]:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        for label, score in zip(rows["label"], rows["score"], strict=True):
            assert asked("POST", f"/outcomes?label={label}&score={score}")[0] == 200
        assert asked("POST", "/outcomes?label=1&score=nan")[0] == 422
        status, text = asked("GET", "/metrics")
    finally:
        server.should_exit = True
        running.join(timeout=10)
    assert status == 200
    assert text == th.Scores(rows["label"], rows["score"]).roc_auc().to_openmetrics(labels={"model": "fraud"})


@pytest.mark.optional
@pytest.mark.filterwarnings("ignore")  # the library's own
def test_a_registry_with_a_gate(rows: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "registry").as_uri())
    names: dict[str, Any] = {}
    exec(block("mlflow", PAGE.with_name("gate-a-pipeline.md")), names)  # noqa: S102  # the page's own code
    client = mlflow.MlflowClient()
    client.create_registered_model("fraud")
    versions = [client.create_model_version("fraud", source=str(tmp_path)).version for _ in range(3)]
    client.set_registered_model_alias("fraud", "champion", versions[0])
    y, score = rows["label"].to_numpy(), rows["score"].to_numpy()
    worse = score + np.random.default_rng(1).normal(size=score.size)
    assert not names["promote"]("fraud", versions[1], y, worse, score)
    assert client.get_model_version_by_alias("fraud", "champion").version == versions[0]
    assert client.get_model_version("fraud", versions[1]).tags["thresher.gate"] == "failed"
    assert names["promote"]("fraud", versions[2], y, score + y, score)
    assert client.get_model_version_by_alias("fraud", "champion").version == versions[2]


def test_dbt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The models and the commands of the page give what it prints; dbt's part is done by DuckDB itself."""
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    page = PAGE.read_text(encoding="utf-8")
    data = th.datasets.load_digits_eight()
    ids = np.arange(data.y_true.size)
    labels = pa.table({"id": ids, "site": np.array(["north", "south", "west"])[ids % 3], "label": data.y_true})
    seeds = {"labels": labels, "scores": pa.table({"id": ids, "new_score": data.logistic, "old_score": data.tree})}
    with duckdb.connect() as base:
        for name, table in seeds.items():
            base.register(name, table)
        models = re.findall(r"```sql\+jinja\n-- models/(\w+)\.sql\n\{\{ config[^\n]*\n(.*?)```", page, re.DOTALL)
        for name, sql in models:
            base.execute(f"CREATE VIEW {name} AS " + re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"\1", sql))
            base.execute(f"COPY {name} TO '{name}.parquet' (FORMAT parquet)")
    gate, printed = re.search(r"\$ thresher (gate scored.*)\n((?:.*[┃╇│].*\n)+)", page).groups()
    assert main(gate.split()) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        line.split() for line in printed.splitlines()
    ]
    assert main(re.search(r"\$ thresher (merge counts.*)", page)[1].split()) == 0
    assert th.Scores.load("all.scores") == th.Scores(data.y_true, data.logistic)


def test_commands(rows: pd.DataFrame, days: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(days)
    lines = [
        line.partition(" #")[0].split()
        for line in re.findall(r"^thresher (?:count|merge).*", PAGE.read_text("utf-8"), re.M)
    ]
    count, merge = (line[1:] for line in lines[:2])
    for k in (14, 15):
        assert main([word.replace("-15", f"-{k}") for word in count]) == 0
    found = [word for word in merge if "*" not in word]
    assert main([found[0], *map(str, sorted(Path("counts").glob("2026-11-*.scores"))), *found[1:]]) == 0
    assert th.Scores.load("november.scores") == th.Scores(rows["label"], rows["score"])


class Noted:
    """Stands for Airflow's classes: notes what it is given, and in which order tasks come."""

    made: list[dict[str, object]]

    def __init__(self, *arguments: object, **options: object) -> None:
        self.options = options
        self.made.append(options)

    def __enter__(self) -> Noted:
        return self

    def __exit__(self, *_: object) -> None: ...

    def __rshift__(self, after: Noted) -> None:
        assert self.made.index(self.options) < self.made.index(after.options)


def test_the_graph_for_airflow_runs_commands_that_work(
    rows: pd.DataFrame, days: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    Noted.made = []
    for module, name in (("airflow.providers.standard.operators.bash", "BashOperator"), ("airflow.sdk", "DAG")):
        stub = ModuleType(module)
        setattr(stub, name, Noted)
        monkeypatch.setitem(sys.modules, module, stub)
        for k in range(1, module.count(".") + 1):
            parent = module.rsplit(".", k)[0]
            monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    exec(block("airflow").replace("/data/auc", str(days)), {})  # noqa: S102  # the page's own code
    graph, *tasks = Noted.made
    assert [task["task_id"] for task in tasks] == ["count", "merge"]
    command, cwd = "thresher() { (IFS='\t'; echo \"$*\"); }; ", graph["default_args"]["cwd"]
    for day in ("2026-11-14", "2026-11-15"):
        for task in tasks:
            line = task["bash_command"].replace("{{ macros.ds_add(ds, -1) }}", day)
            assert "{{" not in line
            # As Airflow runs it: where its graph says, and not where the tests are.
            ran = subprocess.run(["bash", "-c", command + line], cwd=cwd, capture_output=True, text=True, check=True)
            monkeypatch.chdir(cwd)
            assert [main(words.split("\t")) for words in ran.stdout.splitlines()] == [0], line
    assert th.Scores.load(days / "all.scores") == th.Scores(rows["label"], rows["score"])


@pytest.mark.optional
@pytest.mark.slow
def test_airflow(rows: pd.DataFrame, days: Path, tmp_path: Path) -> None:
    airflow = shutil.which("airflow")
    if airflow is None:
        pytest.skip("Airflow is not installed")
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags/auc.py").write_text(block("airflow").replace("/data/auc", str(days)), encoding="utf-8")
    found = Path(sys.executable).parent
    home = {
        "AIRFLOW_HOME": str(tmp_path),
        "AIRFLOW__CORE__DAGS_FOLDER": str(tmp_path / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "PATH": f"{found}{os.pathsep}{os.environ['PATH']}",
    }
    for words in (["db", "migrate"], ["dags", "test", "auc", "2026-11-15"], ["dags", "test", "auc", "2026-11-16"]):
        done = subprocess.run([airflow, *words], env={**os.environ, **home}, cwd=tmp_path, capture_output=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert th.Scores.load(days / "all.scores") == th.Scores(rows["label"], rows["score"])
