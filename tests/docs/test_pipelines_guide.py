"""The blocks of the guide to pipelines do what the page says, where their library is installed."""

from __future__ import annotations

import os
import re
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "pipelines.md"
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are not part of this installation")


def block(name: str) -> str:
    found = re.search(rf"```python\n# {name}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture
def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    y = (rng.random(900) < 0.3).astype(int)
    score = (rng.normal(size=900) + y).round(2)
    return pd.DataFrame({"label": y, "score": score, "campaign": rng.choice(["a", "b", "c"], 900)})


def test_dask(rows: pd.DataFrame) -> None:
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
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
def test_spark_connect(rows: pd.DataFrame) -> None:
    sql = pytest.importorskip("pyspark.sql")
    pytest.importorskip("grpc_status", reason="the client of Spark Connect is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, so that Spark cannot start")
    spark = sql.SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    names = {"y_true": "label", "y_score": "score"}
    wanted = th.Scores(rows["label"], rows["score"])
    try:
        frame = spark.createDataFrame(rows)
        assert th.scan(frame, **names) == wanted
        assert th.scan(frame, **names, max_points=20).roc_auc().value == wanted.roc_auc().value
        found = th.scan(frame, **names, group="campaign", measures="roc_auc")
    finally:
        spark.stop()
    assert found.to_pydict() == th.scan(rows, **names, group="campaign", measures="roc_auc").to_pydict()


def test_commands(rows: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    for k in (14, 15):
        folder = tmp_path / f"scored/day=2026-11-{k}"
        folder.mkdir(parents=True)
        pq.write_table(pa.Table.from_pandas(rows.iloc[k % 2 :: 2], preserve_index=False), folder / "part-0.parquet")
    (tmp_path / "counts").mkdir()
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
