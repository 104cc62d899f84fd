"""`thresher curve`: the curves as numbers or as a figure, by the ending of the output file."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

import thresher as th
from thresher._core.checks import require, show
from thresher._core.files import written_whole
from thresher._decide import MetricCurve
from thresher.cli._errors import UsageError, within
from thresher.cli._metric import OptionalMetric, measure_of
from thresher.cli._options import Confidence, RowsFile, Seed, Selection, refuse_inputs
from thresher.cli._output import plain_row, printable, safe_cell, working
from thresher.cli._read import read_models
from thresher.exceptions import InvalidInputError
from thresher.measures import takes

_TABLES = (".csv", ".parquet", ".json")
_RECALL = np.linspace(0.0, 1.0, 101)
_COUNTS = ("tp", "fp")
_NUMBERS = ("threshold", *_COUNTS, "fpr", "recall", "precision", "low", "high")

CurveColumns = dict[str, NDArray[Any]]


def curve(
    file: RowsFile,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    selection: Selection = Selection(),
    metric: OptionalMetric = OptionalMetric(),
    bands: bool = True,
    simultaneous: bool = False,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
) -> None:
    """Write ROC and PR curves, convex hull, achievable curve and confidence bands to a file, or a metric's curve.

    Example: thresher curve scores.csv -o curve.csv
    Example: thresher curve scores.csv -o curve.svg --no-bands
    Example: thresher curve scores.csv -o f2.svg --metric f_beta --option beta=2

    Parameters
    ----------
    output
        Its ending says what is written: .csv, .parquet or .json for numbers, .png, .svg or .pdf for a figure. In
        numbers, the column `curve` says what a row is: `points` (one for each threshold), `hull` (its vertices),
        `achievable` (the hull in PR space, which is not straight between vertices), `roc_band` and `pr_band`. With
        --metric, a metric of the confusion matrix such as f1, it is that metric at every threshold instead.
    bands
        Add confidence bands.
    simultaneous
        Let the level hold for whole curves instead of for each point.
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


def write_table(table: CurveColumns, output: Path, *, whole: bool) -> None:
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


def curve_table(
    name: str, scores: th.Scores, prevalence: float | None, bands: list[th.results.CurveBand]
) -> CurveColumns:
    """Return the rows of one model; a figure that a row does not have is NaN."""
    roc, pr = scores.roc(), scores.pr(prevalence=prevalence)
    hull, achievable = roc.hull(), scores.achievable_pr(prevalence=prevalence)
    parts = [
        curve_points("points", roc, pr.precision),
        curve_points("hull", hull, achievable.precision),
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


def table_part(curve: str, **given: NDArray[Any]) -> CurveColumns:
    """Return rows of one kind; what they do not have is NaN."""
    size = next(iter(given.values())).size
    columns = {name: given[name].astype(np.float64) if name in given else np.full(size, np.nan) for name in _NUMBERS}
    return {"curve": np.full(size, curve, dtype=object), **columns}


def curve_points(curve: str, roc: Any, precision: NDArray[Any]) -> CurveColumns:
    """Return the points of a curve in ROC space, with the precision of each."""
    columns = {"threshold": roc.thresholds, "tp": roc.tp, "fp": roc.fp, "fpr": roc.fpr, "recall": roc.tpr}
    return table_part(curve, **columns, precision=precision)


def _write_json(table: CurveColumns, path: Path, whole: Sequence[str]) -> None:
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


# A metric of the confusion matrix at every threshold


@dataclass(frozen=True)
class _MetricAsked:
    """A metric without a threshold, and its options."""

    name: str
    title: str
    prevalence: float | None
    options: Mapping[str, Any]


def wanted(metric: OptionalMetric) -> _MetricAsked | None:
    """Return the metric that is asked for; None if none is."""
    if metric.metric is None:
        metric.measure()  # refuses options without it
        return None
    given = metric.given()
    if "threshold" in given:
        raise UsageError(
            "--threshold must not be given for a curve, which has every threshold. "
            "Hint: `thresher auc --metric` is the metric at one."
        )
    if "threshold" not in takes(metric.metric):
        measure_of(metric.metric, given)  # refuses names that there are not
        raise UsageError(
            f"--metric must be one of the confusion matrix for a curve, such as f1 or mcc; got {metric.metric}. "
            f"Hint: `thresher auc --metric {metric.metric}` computes it."
        )
    measure = measure_of(metric.metric, {**given, "threshold": 0.0})
    shown = [f"{name} {one:g}" for name, one in measure.shown.items() if name != "threshold"]
    title = f"{measure.title} ({', '.join(shown)})" if shown else measure.title
    return _MetricAsked(metric.metric, title, given.pop("prevalence", None), given)


def write_metric(
    models: Mapping[str, th.Scores], asked: _MetricAsked, output: Path, *, level: float | None
) -> tuple[CurveColumns, bool] | None:
    """Write a metric at every threshold: draw a figure, or return the table and whether its counts are whole."""
    curves = {
        name: scores.metric_curve(asked.name, prevalence=asked.prevalence, **asked.options)
        for name, scores in models.items()
    }
    bands = {} if level is None else {name: _band(curve, level) for name, curve in curves.items()}
    if output.suffix.lower() in FIGURES:
        write_metric_figure(curves, asked.title, output, bands=bands)
        return None
    tables = [_table(name, models[name], curve, asked.title, bands.get(name)) for name, curve in curves.items()]
    table = {key: np.concatenate([part[key] for part in tables]) for key in tables[0]}
    return table, all(scores._whole for scores in models.values())


def _band(curve: MetricCurve, level: float) -> th.results.CurveBand:
    try:
        return curve.band(confidence_level=level)
    except InvalidInputError as error:
        problem, _, _ = str(error).partition(" Hint:")
        raise InvalidInputError(f"{problem} Hint: --no-bands writes the curve alone.") from None


def _table(
    name: str, scores: th.Scores, curve: MetricCurve, title: str, band: th.results.CurveBand | None
) -> CurveColumns:
    """Return a row for each threshold, with limits at those that the band has."""
    roc, size = scores.roc(), curve.thresholds.size
    low, high = np.full((2, size), np.nan)
    if band is not None:
        place = np.searchsorted(-curve.x, -band.x)
        low[place], high[place] = band.low, band.high
    return {
        "model": np.full(size, name, dtype=object),
        "metric": np.full(size, title, dtype=object),
        "threshold": curve.x,
        "tp": roc.tp.astype(np.float64),
        "fp": roc.fp.astype(np.float64),
        "value": curve.values[0],
        "low": low,
        "high": high,
    }


FIGURES = (".png", ".svg", ".pdf")
_LONGEST_NAME = 40
# Without the hour of its making, the same data give the same file.
_METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def write_figure(
    models: Mapping[str, th.Scores],
    output: Path,
    *,
    prevalence: float | None = None,
    bands: Mapping[str, list[th.results.CurveBand]] | None = None,
) -> None:
    """Draw ROC and PR curves side by side, the same thresholds marked on both."""
    with _drawing() as matplotlib:
        shown = {_legend_name(name): scores for name, scores in models.items()}
        display = th.plotting.LinkedDisplay.from_scores(shown, prevalence=prevalence, achievable=True)
        try:
            for name, pair in (bands or {}).items():
                colour = display.roc[_legend_name(name)].line_.get_color()
                for band, axes in zip(pair, (display.ax_roc_, display.ax_pr_), strict=True):
                    axes.fill_between(band.x, band.low, band.high, color=colour, alpha=0.15, linewidth=0, zorder=1.2)
            _save(display.figure_, output)
        finally:
            matplotlib.pyplot.close(display.figure_)


def write_curve_figure(curve: th.RocCurve, output: Path, *, prevalence: float) -> None:
    """Draw a curve that needs no data."""
    with _drawing() as matplotlib:
        display = th.plotting.LinkedDisplay.from_curve(curve, prevalence=prevalence, achievable=True)
        try:
            _save(display.figure_, output)
        finally:
            matplotlib.pyplot.close(display.figure_)


def write_metric_figure(
    curves: Mapping[str, MetricCurve], title: str, output: Path, *, bands: Mapping[str, th.results.CurveBand]
) -> None:
    """Draw a metric against the threshold, with its bands."""
    with _drawing() as matplotlib:
        figure, axes = matplotlib.pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")
        try:
            for name, curve in curves.items():
                (line,) = axes.step(curve.x, curve.values[0], where="pre", label=_legend_name(name))
                if name in bands:
                    band, colour = bands[name], line.get_color()
                    axes.fill_between(band.x, band.low, band.high, step="pre", color=colour, alpha=0.15, linewidth=0)
            axes.set(xlabel="Threshold", ylabel=title)
            axes.legend()
            _save(figure, output)
        finally:
            matplotlib.pyplot.close(figure)


@contextmanager
def _drawing() -> Iterator[Any]:
    """Draw without a screen; `$` in a name is a dollar."""
    matplotlib = require("matplotlib", extra="plot", purpose="Drawing a figure")
    matplotlib.use("Agg")
    require("matplotlib.pyplot", extra="plot", purpose="Drawing a figure")
    with matplotlib.rc_context({"svg.hashsalt": "thresher", "text.parse_math": False}), warnings.catch_warnings():
        # A letter that no installed font has becomes a box; the numbers are right anyway.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield matplotlib


def _save(figure: Any, output: Path) -> None:
    ending = output.suffix.lower()
    with written_whole(output) as path:
        figure.savefig(path, format=ending[1:], dpi=120, bbox_inches="tight", metadata=_METADATA.get(ending))


def _legend_name(name: str) -> str:
    """Return a name that fits a legend; a leading underscore would hide the entry."""
    shown = printable(name, _LONGEST_NAME)
    return f" {shown}" if shown.startswith("_") else shown
