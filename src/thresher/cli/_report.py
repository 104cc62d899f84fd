"""`thresher report`: one HTML file for one model or several."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher._core.files import written_whole
from thresher.cli._errors import UsageError, within
from thresher.cli._options import (
    File,
    Level,
    Selection,
    Share,
    counts_only,
    models_of,
    positives,
    read_models,
    read_selected,
    refuse_inputs,
)
from thresher.cli._output import printable
from thresher.cli._progress import Work, working
from thresher.cli._read import Columns
from thresher.exceptions import UndefinedMetricError

__all__ = ["report"]


def report(
    file: File,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("report.html"),
    selection: Selection = Selection(),  # noqa: B008  # frozen
    title: str | None = None,
    prevalence: Share = None,
    confidence_level: Level = 0.95,
    compare: bool = True,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 0,
) -> None:
    """Write one self-contained HTML file: linked curves, areas, comparisons, findings, and a methods text.

    Example: thresher report scores.csv --y-true label --y-score p1 --y-score p2 -o report.html

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; "-" reads standard input.
    output
        The file to write; it needs no network and can be sent to somebody as it is.
    title
        The headline; the names of the models if left out.
    prevalence
        The share of positives where the models will be used.
    confidence_level
        Strictly between 0 and 1.
    compare
        Compare all pairs of models, if there are several.
    seed
        Makes a comparison by resampling repeatable.
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--output must end in .html; got {show(str(output), 200)}.")
    refuse_inputs(output, file)
    with working() as work:
        found = None
        if counts_only(file):
            models = read_models(file, selection, work)
            if compare and len(models) > 1:
                sys.stderr.write(
                    "note: the models are not compared: that needs their rows, and this is counted batch by batch.\n"
                )
        else:
            columns = read_selected(file, selection, work)
            models = dict(models_of(columns, selection.pos_label, work))
            if compare and len(models) > 1:
                found = _compared(columns, selection.pos_label, confidence_level, seed, work)
        with within("standard input" if file == "-" else show(file, 200)), work.stage("writing the report"):
            from thresher._report import report as write

            with written_whole(output) as path:
                write(
                    models,
                    path,
                    title=title,
                    prevalence=prevalence,
                    confidence_level=confidence_level,
                    comparison=found,
                )
    sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")


def _compared(columns: Columns, pos_label: str | None, level: float, seed: int, work: Work) -> th.Comparison | None:
    """Return the comparison, or nothing where a class is missing: the page says so itself."""
    try:
        with within(show(columns.name, 200)), work.stage("comparing"):
            return th.compare(
                positives(columns, pos_label),
                columns.scores,
                confidence_level=level,
                rng=seed,
                sample_weight=columns.weight,
                frequency=columns.frequency,
                groups=columns.cluster,
                progress=work.report,
            )
    except UndefinedMetricError:
        return None
