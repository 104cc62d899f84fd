"""Results in MLflow: figures with interval ends as metrics, counts and report as artifacts."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from thresher._core.checks import require
from thresher._facade import Scores, Summary, summary
from thresher.integrations._logged import figures_of, files_of, is_alone, tags_of
from thresher.measures import Measure


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
