"""Results in MLflow and in Weights & Biases: metrics with interval ends, counts and report as files."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from thresher._core.checks import require
from thresher._core.json_state import plain
from thresher._core.presented import installed_version
from thresher._facade import Scores, Summary, summary
from thresher._report import report as write_report
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure


def figures_of(found: Summary, *, prefix: str, alone: bool) -> dict[str, float]:
    """Return every figure by its name with its options; those of several models stand below the model's name.

    A figure that has no interval is logged without ends: a tracker has no word for "unknown".
    """
    figures: dict[str, float] = {}
    words = _words(found.estimates)
    for model, estimates in found.estimates.items():
        below = prefix if alone else f"{prefix}{words[model]}/"
        counts = estimates[0].counts
        row = {"n_pos": counts.n_pos, "n_neg": counts.n_neg, "prevalence": counts.prevalence}
        for one in estimates:
            facts, key = one.to_dict(found.confidence_level), _key(one.measure)
            row |= {key: facts["value"], f"{key}_low": facts["low"], f"{key}_high": facts["high"]}
        figures |= {f"{below}{_word(key)}": float(cell) for key, cell in row.items() if cell is not None}
    return figures


def _key(measure: Measure) -> str:
    """Return the name of a measure with its options, such as "f1_threshold_0.4"."""
    given = {name: one for name, one in measure.shown.items() if name in measure.options}
    parts = [f"{name}_{'_'.join(map(str, one)) if isinstance(one, tuple) else one}" for name, one in given.items()]
    return "_".join([measure.title, *parts])


def tags_of(found: Summary) -> dict[str, str]:
    """Return what every figure was made with."""
    return {"thresher.version": installed_version(), "thresher.confidence_level": f"{found.confidence_level:g}"}


def files_of(found: Summary, folder: Path, *, counts: bool, report: bool) -> list[Path]:
    """Write the files of a run into a folder and return them."""
    words = _words(found.estimates)
    models = {name: estimates[0].counts for name, estimates in found.estimates.items()}
    files = [folder / "summary.json"]
    document = {"thresher": installed_version(), **plain(found.to_dict(), finite=True)}
    files[0].write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if counts:
        for name, scores in models.items():
            files.append(folder / f"{words[name]}.scores")
            scores.save(files[-1])
    if report:
        files.append(folder / "report.html")
        write_report(models, files[-1], confidence_level=found.confidence_level)
    return files


def is_alone(models: object) -> bool:
    """Return whether one model was given without a name."""
    return isinstance(models, Scores)


def _words(names: Iterable[str]) -> dict[str, str]:
    """Return a word for each name; names that would become the same word are numbered."""
    words: dict[str, str] = {}
    for name in names:
        word, number = _word(name), 2
        while word in words.values():
            word, number = f"{_word(name)}-{number}", number + 1
        words[name] = word
    return words


def _word(name: str) -> str:
    """Return a name that every tracker and file system takes."""
    return re.sub(r"[^\w. -]", "_", name, flags=re.ASCII).strip(". ") or "model"


def log_to_mlflow(
    models: Mapping[str, Scores] | Scores,
    *,
    metrics: Sequence[str | Measure] = ("roc_auc", "pr_auc"),
    confidence_level: float = 0.95,
    counts: bool = True,
    report: bool = True,
    prefix: str = "",
    artifact_path: str = "thresher",
    step: int | None = None,
    run_id: str | None = None,
) -> Summary:
    """Log metrics with interval limits, the counts and the report to a run of MLflow.

    Parameters
    ----------
    models : Scores, or mapping of str to Scores
        One model, or several by name.
    metrics : sequence of str or Measure, default=("roc_auc", "pr_auc")
        The figures. Each becomes three metrics, such as ``pr_auc``, ``pr_auc_low`` and ``pr_auc_high``; of several
        models they stand below the name, as in ``new/pr_auc``. ``n_pos``, ``n_neg`` and ``prevalence`` stand beside.
    confidence_level : float, default=0.95
        Of the intervals.
    counts : bool, default=True
        Whether to keep the counts as files, from which every curve and figure can be made again: ``Scores.load``.
    report : bool, default=True
        Whether to keep the report, one HTML file that MLflow shows in place.
    prefix : str, default=""
        What the names of metrics begin with, such as "test/".
    artifact_path : str, default="thresher"
        The folder of the files within the run.
    step : int, optional
        The step of the metrics.
    run_id : str, optional
        The run; the active one by default, and a new one where none is active, as MLflow does.

    Returns
    -------
    Summary
        What was logged.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.integrations import log_to_mlflow
    >>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> with mlflow.start_run():  # doctest: +SKIP
    ...     log_to_mlflow(scores)
    """
    mlflow = require("mlflow", extra="trackers", purpose="Logging to MLflow")
    found = summary(models, metrics=metrics, confidence_level=confidence_level)
    mlflow.log_metrics(figures_of(found, prefix=prefix, alone=is_alone(models)), step=step, run_id=run_id)
    run = run_id or mlflow.active_run().info.run_id
    client = mlflow.MlflowClient()
    for key, text in tags_of(found).items():
        client.set_tag(run, key, text)
    with tempfile.TemporaryDirectory() as folder:
        for path in files_of(found, Path(folder), counts=counts, report=report):
            client.log_artifact(run, str(path), artifact_path)
    return found


def log_to_wandb(
    models: Mapping[str, Scores] | Scores,
    *,
    run: Any = None,
    metrics: Sequence[str | Measure] = ("roc_auc", "pr_auc"),
    confidence_level: float = 0.95,
    counts: bool = True,
    report: bool = True,
    prefix: str = "",
    artifact_name: str | None = None,
    step: int | None = None,
) -> Summary:
    """Log metrics with interval limits, the counts and the report to a run of Weights & Biases.

    Parameters
    ----------
    models : Scores, or mapping of str to Scores
        One model, or several by name.
    run : wandb.Run, optional
        The run; the one that `wandb.init` made by default.
    metrics, confidence_level, counts, report, prefix
        As in `log_to_mlflow`.
    artifact_name : str, optional
        The name of the artifact that holds the files; ``thresher-`` and the run's id by default.
    step : int, optional
        The step of the figures.

    Returns
    -------
    Summary
        What was logged.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.integrations import log_to_wandb
    >>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> with wandb.init(project="fraud") as run:  # doctest: +SKIP
    ...     log_to_wandb(scores, run=run)
    """
    wandb = require("wandb", extra="trackers", purpose="Logging to Weights & Biases")
    active = wandb.run if run is None else run
    if active is None:
        raise InvalidInputError("`run` must be a run of W&B; none is active. Hint: call `wandb.init()` first.")
    found = summary(models, metrics=metrics, confidence_level=confidence_level)
    active.log(figures_of(found, prefix=prefix, alone=is_alone(models)), step=step)
    name = f"thresher-{active.id}" if artifact_name is None else artifact_name
    artifact = wandb.Artifact(name=name, type="evaluation", metadata=tags_of(found))
    with tempfile.TemporaryDirectory() as folder:
        for path in files_of(found, Path(folder), counts=counts, report=report):
            artifact.add_file(local_path=str(path), name=path.name)
        active.log_artifact(artifact)
    return found
