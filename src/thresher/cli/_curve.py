"""`thresher curve`: the curves as numbers or as a figure, by the ending of the output file."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
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
from thresher.cli._options import Level, Selection, Share, read_models
from thresher.cli._output import plain_row, printable, safe_cell
from thresher.cli._progress import working

__all__ = ["curve", "curve_table", "write_curves"]

_TABLES = (".csv", ".parquet", ".json")
_RECALL = np.linspace(0.0, 1.0, 101)
_COUNTS = ("tp", "fp")

Columns = dict[str, NDArray[Any]]


def curve(
    file: str,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    selection: Selection = Selection(),  # noqa: B008  # frozen
    prevalence: Share = None,
    bands: bool = True,
    simultaneous: bool = False,
    confidence_level: Level = 0.95,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 0,
) -> None:
    """Write ROC and PR curves, convex hull, achievable curve and confidence bands to a file.

    Example: thresher curve scores.csv -o curve.csv
    Example: thresher curve scores.csv -o curve.svg --no-bands

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; "-" reads standard input.
    output
        Its ending says what is written: .csv, .parquet or .json for numbers, .png, .svg or .pdf for a figure. In
        numbers, the column `curve` says what a row is: `points` (one for each threshold), `hull` (its vertices),
        `achievable` (the hull in PR space, which is not straight between vertices), `roc_band` and `pr_band`.
    prevalence
        The share of positives where the classifier will be used; precision refers to it.
    bands
        Add confidence bands.
    simultaneous
        Let the level hold for whole curves instead of for each point.
    confidence_level
        Strictly between 0 and 1.
    seed
        Makes simultaneous bands repeatable.
    """
    ending = output.suffix.lower()
    if ending not in (*_TABLES, *FIGURES):
        raise UsageError(
            f"--output must end in one of {', '.join((*_TABLES, *FIGURES))}; got {show(str(output), 200)}."
        )
    with working() as work:
        models = read_models(file, selection, work)
        with within(show(file, 200)), work.stage("drawing"):
            found: dict[str, list[th.CurveBand]] = {}
            if bands:
                for name, scores in models.items():
                    options = {"confidence_level": confidence_level, "simultaneous": simultaneous, "rng": seed}
                    found[name] = [scores.roc_band(**options), scores.pr_band(prevalence=prevalence, **options)]
            if ending in FIGURES:
                write_figure(models, output, prevalence=prevalence, bands=found)
            else:
                write_curves(models, output, prevalence=prevalence, bands=found)
    sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")


def write_curves(
    models: Mapping[str, th.Scores],
    output: Path,
    *,
    prevalence: float | None = None,
    bands: Mapping[str, list[th.CurveBand]] | None = None,
) -> None:
    """Write the curves of all models as one table; the ending says in which form."""
    tables = [curve_table(name, scores, prevalence, (bands or {}).get(name, [])) for name, scores in models.items()]
    table = {key: np.concatenate([part[key] for part in tables]) for key in tables[0]}
    with written_whole(output) as path:
        if output.suffix.lower() == ".json":
            _write_json(table, path)
            return
        if output.suffix.lower() == ".csv":
            for key in ("model", "curve"):
                table[key] = np.array([safe_cell(name) for name in table[key].tolist()], dtype=object)
        duckdb = require("duckdb", extra="cli", purpose="Writing curves")
        with duckdb.connect() as connection:
            connection.register("curves", table)
            relation = connection.table("curves")  # NaN becomes an empty cell, as is meant here
            if not any(scores.weighted for scores in models.values()):
                relation = relation.project("* REPLACE (CAST(tp AS BIGINT) AS tp, CAST(fp AS BIGINT) AS fp)")
            write = relation.write_csv if output.suffix.lower() == ".csv" else relation.write_parquet
            write(str(path))


def curve_table(name: str, scores: th.Scores, prevalence: float | None, bands: list[th.CurveBand]) -> Columns:
    """Return the rows of one model; a figure that a row does not have is NaN."""
    roc, pr = scores.roc(), scores.pr(prevalence=prevalence)
    hull, achievable = roc.hull(), scores.achievable_pr(prevalence=prevalence)
    parts = [
        _part("points", roc.thresholds, roc.tp, roc.fp, roc.fpr, roc.tpr, pr.precision),
        _part("hull", hull.thresholds, hull.tp, hull.fp, hull.fpr, hull.tpr, achievable.precision),
        _part("achievable", recall=_RECALL, precision=achievable.interpolate(_RECALL)),
    ]
    for band in bands:
        ends = {"low": band.low, "high": band.high}
        if band.curve == "roc":
            parts.append(_part("roc_band", fpr=band.x, recall=band.value, **ends))
        else:
            parts.append(_part("pr_band", recall=band.x, precision=band.value, **ends))
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    return {"model": np.full(table["curve"].size, name, dtype=object), **table}


def _part(
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


def _write_json(table: Columns, path: Path) -> None:
    """Write one object a row, without the figures that it does not have."""
    keys = list(table)
    with path.open("w", encoding="utf-8") as file:
        lead = "["
        for values in zip(*(column.tolist() for column in table.values()), strict=True):
            row = {key: value for key, value in zip(keys, values, strict=True) if value == value}
            whole = {key: int(row[key]) for key in _COUNTS if key in row and row[key].is_integer()}
            file.write(f"{lead}\n{json.dumps(plain_row({**row, **whole}), ensure_ascii=False)}")
            lead = ","
        file.write("\n]\n")
