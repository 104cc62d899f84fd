"""What MLflow reads back from a run in a local folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th

pytestmark = [
    pytest.mark.optional,  # mlflow
    # MLflow 3 announces changes of its own on import and use; they are not ours.
    pytest.mark.filterwarnings("ignore:::mlflow"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
pytest.importorskip("mlflow", reason="mlflow, which `.ci/optional` installs, is not installed")

DATA = th.datasets.load_digits_eight()
MODELS = {"tree": th.Scores(DATA.y_true, DATA.tree), "a|b": th.Scores(DATA.y_true, DATA.logistic)}


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    # MLflow 3 asks for a word before it writes to a plain folder.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow

    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    yield mlflow
    mlflow.set_tracking_uri(before)


def test_a_stored_run_is_read_back(mlflow, tmp_path):
    from thresher.integrations import log_to_mlflow

    with mlflow.start_run() as run:
        found = log_to_mlflow(MODELS, confidence_level=0.9, prefix="test/")
    client = mlflow.MlflowClient()
    stored = client.get_run(run.info.run_id)
    for name, word in (("tree", "tree"), ("a|b", "a_b")):
        for area in (MODELS[name].roc_auc(), MODELS[name].pr_auc()):
            low, high = area.confidence_interval(0.9)
            for end, value in (("", area.value), ("_low", low), ("_high", high)):
                assert stored.data.metrics[f"test/{word}/{area.metric}{end}"] == value
        assert stored.data.metrics[f"test/{word}/n_pos"] == MODELS[name].n_pos
    assert stored.data.tags["thresher.version"] == th.__version__
    assert stored.data.tags["thresher.confidence_level"] == "0.9"
    files = {one.path for one in client.list_artifacts(run.info.run_id, "thresher")}
    assert files == {f"thresher/{name}" for name in ("tree.scores", "a_b.scores", "report.html", "summary.json")}
    folder = Path(client.download_artifacts(run.info.run_id, "thresher", str(tmp_path)))
    assert th.Scores.load(folder / "a_b.scores") == MODELS["a|b"]
    stored_summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert stored_summary["models"] == found.to_dict()["models"]
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_run_that_is_named_gets_figures_only(mlflow):
    from thresher.integrations import log_to_mlflow

    client = mlflow.MlflowClient()
    run = client.create_run("0").info.run_id
    log_to_mlflow(MODELS["tree"], metrics=["brier"], counts=False, report=False, step=3, run_id=run)
    assert mlflow.active_run() is None
    stored = client.get_metric_history(run, "brier")
    assert [(one.value, one.step) for one in stored] == [(MODELS["tree"].measure("brier").value, 3)]
    assert [one.path for one in client.list_artifacts(run, "thresher")] == ["thresher/summary.json"]
