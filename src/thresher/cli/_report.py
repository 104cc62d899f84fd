"""`thresher report`: one HTML file for one model or several."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any

from cyclopts import Parameter

import thresher as th
from thresher._core.checks import show
from thresher._core.files import written_whole
from thresher.cli._errors import UsageError, within
from thresher.cli._metric import AnyMetric
from thresher.cli._options import Confidence, GroupedSelection, OptionalFile, Seed, refuse_inputs
from thresher.cli._output import Work, printable, working
from thresher.cli._read import ColumnNames, labels_of, read_parts
from thresher.exceptions import UndefinedMetricError


def report(
    file: OptionalFile = None,
    /,
    *,
    output: Annotated[str, Parameter(name=("--output", "-o"))] = "report.html",
    selection: GroupedSelection = GroupedSelection(),
    title: str | None = None,
    metric: AnyMetric = AnyMetric(),
    confidence_level: Confidence = 0.95,
    compare: bool = True,
    blank: Annotated[bool, Parameter(negative=())] = False,
    seed: Seed = 0,
) -> None:
    """Write one self-contained HTML file: linked curves, areas, comparisons, findings, and a methods text.

    Example: thresher report scores.csv --y-true label --y-score p1 --y-score p2 -o report.html

    With --blank and no file it writes a page that takes one: dropped on it, a CSV file is read and counted in the
    browser, and nothing leaves it.

    Parameters
    ----------
    output
        The file to write; it needs no network and can be sent to someone as it is.
    title
        The headline; the names of the models if left out.
    compare
        Compare all pairs of models by the metric, which ranks them too, if there are several.
    blank
        Write a page without data that reads a file in the browser.
    seed
        Makes a comparison by resampling repeatable.
    """
    if not output.partition("?")[0].lower().endswith((".html", ".htm")):
        raise UsageError(f"--output must end in .html; got {show(str(output), 200)}.")
    if blank:
        _write_blank(output, file)
        return
    if file is None:
        raise UsageError(
            "A report needs a file to read. Hint: thresher report scores.csv, or --blank for a page alone."
        )
    refuse_inputs(output, file)
    measure = metric.measure(spare="prevalence")
    with working() as work:
        models, groups, found = _read(file, selection, measure if compare else None, confidence_level, seed, work)
        with within("standard input" if file == "-" else show(file, 200)), work.stage("writing the report"):
            from thresher._report import page_html, report_data

            data = report_data(
                models,
                title=title,
                prevalence=metric.prevalence,
                confidence_level=confidence_level,
                comparison=found,
                groups=groups,
            )
            with written_whole(output) as path:
                path.write_text(page_html(data), encoding="utf-8", newline="\n")
    _say(data.verdict)
    sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")


def _say(verdict: Iterable[Any]) -> None:
    """Say what the report finds, a line for each finding."""
    for finding in verdict:
        whose = f"{printable(finding.model)}: " if finding.model is not None else ""
        sys.stderr.write(f"{finding.code} {finding.name}: {whose}{finding.text}\n")


def _write_blank(output: str, file: str | None) -> None:
    if file is not None:
        raise UsageError(f"--blank takes no file; got {show(file, 200)}. Hint: drop it on the page.")
    from thresher._report import blank_html

    with written_whole(output) as path:
        path.write_text(blank_html(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"wrote {printable(str(output), 4096)}\n")


_Models = dict[str, th.Scores]
_Read = tuple[_Models, dict[str, _Models] | None, "th.results.Comparison | None"]


def _read(
    file: str, selection: GroupedSelection, measure: th.measures.Measure | None, level: float, seed: int, work: Work
) -> _Read:
    """Return the models, groups and comparison of a file."""
    parts = list(read_parts(file, selection, work))
    if len(parts) > 1:
        if selection.group is not None:
            raise UsageError("--group takes one horizon in a report. Hint: give --at one value.")
        return {f"{name}, t = {t:g}": one for t, models, *_ in parts for name, one in models.items()}, None, None
    ((_, models, grouped, columns),) = parts
    groups = None if grouped is None else dict(grouped)
    if measure is None or len(models) < 2:
        return models, groups, None
    if columns is not None:
        return models, groups, _compared(columns, selection.pos_label, measure, level, seed, work)
    sys.stderr.write("note: the models are not compared: that needs their rows, and this is counted batch by batch.\n")
    return models, groups, None


def _compared(
    columns: ColumnNames, pos_label: str | None, measure: th.measures.Measure, level: float, seed: int, work: Work
) -> th.results.Comparison | None:
    """Return the comparison, or nothing where a class is missing: the page says so itself."""
    try:
        with within(show(columns.name, 200)), work.stage("comparing"):
            return th.compare(
                y_scores=columns.scores,
                metric=measure,
                confidence_level=level,
                rng=seed,
                **columns.weights(),
                progress=work.report,
                **labels_of(columns, pos_label),
            )
    except UndefinedMetricError:
        return None
