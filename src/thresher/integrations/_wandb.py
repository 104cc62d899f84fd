"""Results in Weights & Biases: figures with interval ends in the history, counts and report as an artifact."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thresher._core.checks import require
from thresher._facade import Scores, Summary, summary
from thresher.exceptions import InvalidInputError
from thresher.integrations._logged import figures_of, files_of, is_alone, tags_of
from thresher.measures import Measure


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
