"""`thresher gate`: may the new model replace the old one? An exit code for a pipeline, and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher._core.digits import beside_interval, count_text
from thresher._core.files import is_file
from thresher.cli._errors import within
from thresher.cli._metric import AnyMetric, Resamples, check_method
from thresher.cli._options import File, Level, Selection
from thresher.cli._output import GATE_FAILED, Work, plain_row, print_rows, working
from thresher.cli._read import (
    ColumnNames,
    choose,
    is_counts,
    is_streamed,
    models_of,
    positives,
    read_models,
    read_selected,
)
from thresher.exceptions import InvalidInputError

_OPTIONS = ("--y-score", "--against-y-score")
_SHOWN = ("metric", "new", "base", "difference", "low", "high", "margin", "paired", "method", "verdict")


def gate(
    file: File,
    /,
    *,
    against: Annotated[File, Parameter(name="--against")],
    selection: Selection = Selection(),
    against_y_score: Annotated[str | None, Parameter(name="--against-y-score")] = None,
    metric: AnyMetric = AnyMetric(),
    margin: Annotated[float, Parameter(validator=validators.Number(gte=0))] = 0.0,
    method: str | None = None,
    resamples: Resamples = Resamples(),
    confidence_level: Level = 0.95,
    id: str | None = None,
    format: Literal["table", "json", "markdown"] = "table",  # the option's name
) -> int:
    """Exit with code 3 unless the new model is shown to be no worse than the base by more than a margin.

    Example: thresher gate new.csv --against base.csv --metric pr_auc --margin 0.01

    Parameters
    ----------
    file
        Labels and scores of the new model, or a file of counts.
    against
        Labels and scores of the base: a file with columns of the same names. Where its labels are the same row by
        row, both models are compared on the same rows; otherwise as independent samples.
    against_y_score
        The column of the base's scores, where it has another name; --against may be the same file then.
    margin
        By how much the new model may be worse.
    method
        The test behind the interval, as in `thresher compare`. By default the one of the metric.
    confidence_level
        Of the two-sided interval of the difference.
    id
        A column that names each row once, in both files: rows with the same value are the same case, in whatever order.
    format
        A table to read, markdown for a pull request, or json for programs.
    """
    measure = metric.measure()
    check_method(method, measure)
    base_selection = selection if against_y_score is None else replace(selection, y_score=(against_y_score,))
    asked: dict[str, Any] = {
        "metric": measure,
        "margin": margin,
        "method": method,
        "confidence_level": confidence_level,
        "n_resamples": resamples.n_resamples,
        "rng": resamples.seed,
    }
    with working() as work:
        selections = selection, base_selection
        notes: list[str] = []
        if id is not None or (file == against and is_streamed(file) and not is_counts(file)):
            found = _by_passes(file, against, selections, id, asked, work)
        elif any(is_counts(one) or (is_streamed(one) and not is_file(one)) for one in (file, against)):
            found, notes = _of_counts(file, against, selections, asked, work)
        else:
            new = _one_model(file, selection, work, "--y-score")
            base = _one_model(against, base_selection, work, "--against-y-score")
            with within(f"{show(new.name, 200)} against {show(base.name, 200)}"), work.stage("comparing"):
                found, notes = _judged(new, base, selection.pos_label, asked)
    _print(found, format)
    for note in notes:
        sys.stderr.write(f"{note}\n")
    if not found.passed:
        sys.stderr.write(f"gate {found.verdict}: {found._sentence()}\n")
    return 0 if found.passed else GATE_FAILED


def _by_passes(
    file: str, against: str, selections: tuple[Selection, Selection], key: str | None, asked: dict[str, Any], work: Work
) -> th.results.Gate:
    """Return the answer for the same rows of one file that is not loaded, or of two that a key pairs."""
    also = () if key is None else (key,)  # the key is no score
    chosen, other = (choose(one, how, *also) for one, how in zip((file, against), selections, strict=True))
    names = _only(file, chosen.pop("y_score"), "--y-score"), _only(against, other["y_score"], "--against-y-score")
    asked = {name: one for name, one in asked.items() if name not in ("n_resamples", "rng")}
    with within(f"{show(file, 200)} against {show(against, 200)}"), work.stage("comparing"):
        return th.gate(
            names[0],
            names[1],
            source=file if file == against else {"new": file, "base": against},
            id=key,
            **chosen,
            **asked,
        )


def _of_counts(
    file: str, against: str, selections: tuple[Selection, Selection], asked: dict[str, Any], work: Work
) -> tuple[th.results.Gate, list[str]]:
    """Return the answer for files that are counted, or counts already: as of independent samples."""
    tables = []
    for one, selection, option in zip((file, against), selections, _OPTIONS, strict=True):
        models = read_models(one, selection, work)
        tables.append(models[_only(one, list(models), option)])
    with within(f"{show(file, 200)} against {show(against, 200)}"), work.stage("comparing"):
        found = th.gate(tables[0], tables[1], **asked)
    note = (
        "Counts do not say which rows are the same, so the models are taken for independent samples. If they are the "
        "same rows, --id pairs them, in files of rows: the answer is then sharper."
    )
    return found, [note]


def _only(file: str, models: Sequence[str], option: str) -> str:
    """Return the one model of a file."""
    if len(models) != 1:
        raise InvalidInputError(
            f"{show(file, 200)} must have the scores of one model; got {len(models)}: "
            f"{', '.join(map(show, models))}. Hint: name one with {option}."
        )
    return models[0]


def _one_model(file: str, selection: Selection, work: Work, option: str) -> ColumnNames:
    columns = read_selected(file, selection, work)
    _only(columns.name, list(columns.scores), option)
    return columns


def _judged(
    new: ColumnNames, base: ColumnNames, pos_label: str | None, asked: dict[str, Any]
) -> tuple[th.results.Gate, list[str]]:
    """Return the answer, on the same rows where they are the same."""
    labels, others = positives(new, pos_label), positives(base, pos_label)
    (new_scores,), (base_scores,) = new.scores.values(), base.scores.values()
    weights = new.weights()
    if np.array_equal(labels, others) and all(_same(one, base.weights()[name]) for name, one in weights.items()):
        return th.gate(new_scores, base_scores, y_true=labels, **asked, **weights), []
    notes = []
    if labels.size == others.size and labels.sum() == others.sum():
        notes.append(
            "The files have as many rows of each class, but their labels are in another order, so they are taken for "
            "independent samples. If they are the same rows, sort both by the same key: the answer is then sharper."
        )
    ((_, a),), ((_, b),) = models_of(new, pos_label), models_of(base, pos_label)
    return th.gate(a, b, **asked), notes


def _same(a: Any, b: Any) -> bool:
    return (a is None) == (b is None) and (a is None or np.array_equal(a, b))


def _print(found: th.results.Gate, form: str) -> None:
    if form == "json":
        sys.stdout.write(json.dumps(plain_row(found.to_dict()), indent=2) + "\n")
    elif form == "markdown":
        sign = {"passed": "passed", "failed": "**failed**", "undecided": "**undecided**"}[found.verdict]
        rows = f"{count_text(found.n_pos)} positives, {count_text(found.n_neg)} negatives"
        rows += (
            " (the same rows)"
            if found.paired
            else f"; base {count_text(found.base_n_pos)} and {count_text(found.base_n_neg)}"
        )
        new, base, *_ = beside_interval(found.low, found.high, found.new, found.base)
        difference, low, high = beside_interval(found.low, found.high, found.difference, sign="+")
        sys.stdout.write(
            f"### Gate {sign}\n\n{found._sentence()}.\n\n"
            f"| metric | new | base | difference | {found.confidence_level * 100:g}% interval | margin |\n"
            "| --- | ---: | ---: | ---: | ---: | ---: |\n"
            f"| {found.measure.described()} | {new} | {base} | {difference} "
            f"| {low} to {high} | {found.margin:g} |\n\n{rows}. By {found.method}, thresher {found.version}.\n"
        )
    else:
        facts = found.to_dict()
        row = {name: facts[name] for name in _SHOWN}
        print_rows([{**row, "metric": found.measure.described()}], "table")
