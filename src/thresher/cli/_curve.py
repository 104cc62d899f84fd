"""`thresher curve`: the curves as numbers or as a figure, by the ending of the output file."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter, validators
from numpy.typing import NDArray

import thresher as th
from thresher._core.checks import show
from thresher._core.files import written_whole
from thresher._core.optional import require
from thresher.cli._errors import UsageError, within
from thresher.cli._figure import FIGURES, write_figure
from thresher.cli._metric import OptionalMetric
from thresher.cli._metric_curve import wanted, write_metric
from thresher.cli._options import File, Level, Selection, read_models, refuse_inputs
from thresher.cli._output import plain_row, printable, safe_cell
from thresher.cli._progress import working

__all__ = ["checked_ending", "curve", "curve_table", "table_part", "write_curves", "write_table"]

_TABLES = (".csv", ".parquet", ".json")
_RECALL = np.linspace(0.0, 1.0, 101)
_COUNTS = ("tp", "fp")

Columns = dict[str, NDArray[Any]]


def curve(
    file: File,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    selection: Selection = Selection(),
    metric: OptionalMetric = OptionalMetric(),
    bands: bool = True,
    simultaneous: bool = False,
    confidence_level: Level = 0.95,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 0,
) -> None:
    """Write ROC and PR curves, convex hull, achievable curve and confidence bands to a file, or a metric's curve.

    Example: thresher curve scores.csv -o curve.csv
    Example: thresher curve scores.csv -o curve.svg --no-bands
    Example: thresher curve scores.csv -o f2.svg --metric f_beta --option beta=2

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather, ORC or NPZ; "-" reads standard input.
    output
        Its ending says what is written: .csv, .parquet or .json for numbers, .png, .svg or .pdf for a figure. In
        numbers, the column `curve` says what a row is: `points` (one for each threshold), `hull` (its vertices),
        `achievable` (the hull in PR space, which is not straight between vertices), `roc_band` and `pr_band`. With
        --metric, a metric of the confusion matrix such as f1, it is that metric at every threshold instead.
    bands
        Add confidence bands.
    simultaneous
        Let the level hold for whole curves instead of for each point.
    confidence_level
        Strictly between 0 and 1.
    seed
        Makes simultaneous bands repeatable.
    """
    ending = checked_ending(output)
    refuse_inputs(output, file)
    asked, prevalence = wanted(metric), metric.prevalence
    if asked is not None and simultaneous:
        raise UsageError("--simultaneous must not be given with --metric, whose band is pointwise. Hint: leave it out.")
    with working() as work:
        models = read_models(file, selection, work)
        with within(show(file, 200)), work.stage("drawing"):
            if asked is not None:
                table = write_metric(models, asked, output, level=confidence_level if bands else None)
                if table is not None:
                    write_table(table[0], output, whole=table[1])
                sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")
                return
            found: dict[str, list[th.results.CurveBand]] = {}
            if bands:
                found = {
                    name: _bands(scores, prevalence, confidence_level, simultaneous, seed)
                    for name, scores in models.items()
                }
            if ending in FIGURES:
                write_figure(models, output, prevalence=prevalence, bands=found)
            else:
                write_curves(models, output, prevalence=prevalence, bands=found)
    sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")


def _bands(
    scores: th.Scores, prevalence: float | None, level: float, simultaneous: bool, seed: int
) -> list[th.results.CurveBand]:
    return [
        scores.roc_band(confidence_level=level, simultaneous=simultaneous, rng=seed),
        scores.pr_band(confidence_level=level, simultaneous=simultaneous, rng=seed, prevalence=prevalence),
    ]


def checked_ending(output: Path) -> str:
    """Return the ending of a file for curves."""
    ending = output.suffix.lower()
    if ending not in (*_TABLES, *FIGURES):
        raise UsageError(
            f"--output must end in one of {', '.join((*_TABLES, *FIGURES))}; got {show(str(output), 200)}."
        )
    return ending


def write_curves(
    models: Mapping[str, th.Scores],
    output: Path,
    *,
    prevalence: float | None = None,
    bands: Mapping[str, list[th.results.CurveBand]] | None = None,
) -> None:
    """Write the curves of all models as one table; the ending says in which form."""
    tables = [curve_table(name, scores, prevalence, (bands or {}).get(name, [])) for name, scores in models.items()]
    table = {key: np.concatenate([part[key] for part in tables]) for key in tables[0]}
    write_table(table, output, whole=all(scores._whole for scores in models.values()))


def write_table(table: Columns, output: Path, *, whole: bool) -> None:
    """Write columns to a file by its ending; with `whole`, true and false positives are integers."""
    ending = output.suffix.lower()
    with written_whole(output) as path:
        if ending == ".json":
            _write_json(table, path, _COUNTS if whole else ())
            return
        if ending == ".csv":
            cells = {name: safe_cell(name) for name in set(table["model"].tolist())}
            table["model"] = np.array([cells[name] for name in table["model"].tolist()], dtype=object)
        duckdb = require("duckdb", extra="cli", purpose="Writing curves")
        with duckdb.connect() as connection:
            connection.register("curves", table)
            relation = connection.table("curves")  # NaN becomes an empty cell, as is meant here
            if whole:
                relation = relation.project("* REPLACE (CAST(tp AS BIGINT) AS tp, CAST(fp AS BIGINT) AS fp)")
            (relation.write_csv if ending == ".csv" else relation.write_parquet)(str(path))


def curve_table(name: str, scores: th.Scores, prevalence: float | None, bands: list[th.results.CurveBand]) -> Columns:
    """Return the rows of one model; a figure that a row does not have is NaN."""
    roc, pr = scores.roc(), scores.pr(prevalence=prevalence)
    hull, achievable = roc.hull(), scores.achievable_pr(prevalence=prevalence)
    parts = [
        table_part("points", roc.thresholds, roc.tp, roc.fp, roc.fpr, roc.tpr, pr.precision),
        table_part("hull", hull.thresholds, hull.tp, hull.fp, hull.fpr, hull.tpr, achievable.precision),
        table_part("achievable", recall=_RECALL, precision=achievable.interpolate(_RECALL)),
    ]
    for band in bands:
        ends = {"low": band.low, "high": band.high}
        if band.curve == "roc":
            parts.append(table_part("roc_band", fpr=band.x, recall=band.value, **ends))
        else:
            parts.append(table_part("pr_band", recall=band.x, precision=band.value, **ends))
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    return {"model": np.full(table["curve"].size, name, dtype=object), **table}


def table_part(
    curve: str,
    threshold: NDArray[Any] | None = None,
    tp: NDArray[Any] | None = None,
    fp: NDArray[Any] | None = None,
    fpr: NDArray[Any] | None = None,
    recall: NDArray[Any] | None = None,
    precision: NDArray[Any] | None = None,
    low: NDArray[Any] | None = None,
    high: NDArray[Any] | None = None,
) -> Columns:
    """Return rows of one kind; what they do not have is NaN."""
    given = {
        "threshold": threshold,
        "tp": tp,
        "fp": fp,
        "fpr": fpr,
        "recall": recall,
        "precision": precision,
        "low": low,
        "high": high,
    }
    size = next(column.size for column in given.values() if column is not None)
    nothing = np.full(size, np.nan)
    columns = {key: nothing if column is None else column.astype(np.float64) for key, column in given.items()}
    return {"curve": np.full(size, curve, dtype=object), **columns}


def _write_json(table: Columns, path: Path, whole: Sequence[str]) -> None:
    """Write one object a row, without the figures that it does not have."""
    keys = list(table)
    with path.open("w", encoding="utf-8") as file:
        lead = "["
        for values in zip(*(column.tolist() for column in table.values()), strict=True):
            row = {key: value for key, value in zip(keys, values, strict=True) if value == value}
            row |= {key: int(row[key]) for key in whole if key in row}
            file.write(f"{lead}\n{json.dumps(plain_row(row))}")
            lead = ","
        file.write("\n]\n")
