"""What Weights & Biases is told, recorded by a stand-in with the documented calls of its library."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import thresher as th
from thresher.integrations import log_to_wandb

SCORES = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])


class Artifact:
    def __init__(self, name, type, description=None, metadata=None):
        self.name, self.type, self.metadata, self.files = name, type, metadata, {}

    def add_file(self, local_path, name=None, is_tmp=False):
        self.files[name] = Path(local_path).read_bytes()


class Run:
    id = "r1"

    def __init__(self):
        self.logged, self.artifacts = [], []

    def log(self, data, step=None, commit=None):
        self.logged.append((data, step))

    def log_artifact(self, artifact_or_path, name=None, type=None, aliases=None):
        self.artifacts.append(artifact_or_path)


@pytest.fixture
def wandb(monkeypatch):
    fake = SimpleNamespace(run=None, Artifact=Artifact)
    monkeypatch.setitem(sys.modules, "wandb", fake)
    return fake


def test_figures_and_files(wandb, tmp_path):
    run = Run()
    log_to_wandb(SCORES, run=run, step=4)
    ((figures, step),) = run.logged
    low, high = SCORES.pr_auc().confidence_interval()
    assert step == 4
    assert (figures["pr_auc"], figures["pr_auc_low"], figures["pr_auc_high"]) == (SCORES.pr_auc().value, low, high)
    assert figures["n_pos"] == 3
    (artifact,) = run.artifacts
    assert (artifact.name, artifact.type) == ("thresher-r1", "evaluation")
    assert artifact.metadata == {"thresher.version": th.__version__, "thresher.confidence_level": "0.95"}
    assert set(artifact.files) == {"model.scores", "report.html", "summary.json"}
    (tmp_path / "model.scores").write_bytes(artifact.files["model.scores"])
    assert th.Scores.load(tmp_path / "model.scores") == SCORES


def test_the_active_run_is_taken(wandb):
    wandb.run = Run()
    log_to_wandb({"a": SCORES, "b": SCORES}, report=False, counts=False, artifact_name="mine")
    assert {"a/roc_auc", "b/roc_auc_low"} <= set(wandb.run.logged[0][0])
    assert wandb.run.artifacts[0].name == "mine"
    assert set(wandb.run.artifacts[0].files) == {"summary.json"}


def test_without_a_run(wandb):
    with pytest.raises(th.InvalidInputError, match=r"wandb\.init\(\)"):
        log_to_wandb(SCORES)


def test_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(th.MissingDependencyError, match=r"thresher\[trackers\]"):
        log_to_wandb(SCORES)
