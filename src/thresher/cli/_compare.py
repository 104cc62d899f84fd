"""`thresher compare`: all pairs of models in a file."""

from __future__ import annotations

import math
from collections.abc import Sized
from typing import Annotated, Any, Literal

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher._core.digits import beside_interval
from thresher.cli._errors import within
from thresher.cli._metric import AnyMetric, Resamples, check_method, options_shown
from thresher.cli._options import Confidence, File, Format, Selection
from thresher.cli._output import Work, print_rows, working
from thresher.cli._read import at_each, choose, is_streamed, labels_of, read_selected
from thresher.exceptions import InvalidInputError

_OF_LOADED_ROWS = ("bootstrap", "permutation", "venkatraman")


def compare(
    file: File,
    /,
    *,
    selection: Selection = Selection(),
    metric: AnyMetric = AnyMetric(),
    method: str | None = None,
    margin: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    resamples: Resamples = Resamples(),
    confidence_level: Confidence = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Compare all pairs of models: differences, intervals, adjusted p-values, dominance.

    Example: thresher compare scores.csv --metric pr_auc --seed 1
    Example: thresher compare scores.csv --metric f_beta --threshold 0.5 --option beta=2

    Parameters
    ----------
    file
        A wide file: one column of scores for each model, rows side by side. "-" reads standard input. Large files,
        folders and patterns are read twice, batch by batch, and never loaded.
    margin
        Test non-inferiority: with --alternative greater, that the first of a pair is no worse by this much.
    method
        The test: delong, delong-t or venkatraman of the ROC area, score or mcnemar of metrics of the confusion matrix,
        normal, bootstrap or permutation. By default the one of the metric. Files that are not loaded are compared by
        batches of their rows where the metric has no formula.
    alternative
        The direction of the tests, first model against second.
    """
    measure = metric.measure()
    check_method(method, measure)
    asked: dict[str, Any] = {
        "metric": measure,
        "method": method,
        "margin": margin,
        "alternative": alternative,
        "confidence_level": confidence_level,
    }
    with working() as work:
        streamed = is_streamed(file) and selection.model_column is None and not selection.horizons()
        if streamed and method not in _OF_LOADED_ROWS:
            answers = [(None, _by_passes(file, selection, asked, work))]
        else:
            how = asked | {"n_resamples": resamples.n_resamples, "rng": resamples.seed}
            answers = _of_rows(file, selection, how, work)
    found = answers[0][1]
    rows: list[dict[str, Any]] = [
        {
            **({} if t is None else {"t": t}),
            "a": pair.a,
            "b": pair.b,
            **options_shown(measure, format),
            f"{measure.title}_a": found.estimates.by_name[pair.a],
            f"{measure.title}_b": found.estimates.by_name[pair.b],
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "p": pair.pvalue,
            "p_adjusted": pair.pvalue_adjusted,
            "dominance": _verdict(pair),
        }
        for t, found in answers
        for pair in found.pairs
    ]
    limit = "" if margin is None else f", margin {margin:g}"
    title = f"{measure.described()}, {found.method}{limit}, p adjusted by Holm's method"
    print_rows(rows, format, title=title, narrow=[_narrow(row) for row in rows])


def _of_rows(file: str, selection: Selection, asked: dict[str, Any], work: Work) -> list[tuple[Any, Any]]:
    """Compare the models of a file whose rows are loaded, at each horizon of an outcome in time."""
    columns = read_selected(file, selection, work)
    _check_models(columns.name, columns.scores)
    answers = []
    for t, part in at_each(columns):
        labels = labels_of(part, selection.pos_label)
        with within(show(columns.name, 200)), work.stage("comparing"):
            found = th.compare(
                y_scores=columns.scores,
                **columns.weights(),
                progress=work.report,
                **labels,
                **asked,
            )
        answers.append((t, found))
    return answers


def _by_passes(file: str, selection: Selection, asked: dict[str, Any], work: Work) -> Any:
    """Compare the models of files that are read batch by batch, more than once."""
    chosen = choose(file, selection)
    _check_models(file, chosen["y_score"])
    with within(show(file, 200)), work.stage("comparing"):
        return th.compare_source(file, progress=work.report, **chosen, **asked)


def _check_models(file: str, models: Sized) -> None:
    if len(models) < 2:
        raise InvalidInputError(
            f"{show(file, 200)} must have at least two models to compare; got {len(models)}. "
            "Hint: name their columns with --y-score, once for each."
        )


def _verdict(pair: Any) -> str:
    verdict = pair.dominance.verdict
    said = {"a": f"{pair.a} dominates", "b": f"{pair.b} dominates", "equal": "equal curves"}
    times = len(pair.dominance.crossings)
    return said.get(verdict) or ("cross once" if times == 1 else f"cross {times} times")


def _narrow(row: dict[str, Any]) -> dict[str, Any]:
    """Return what a reader needs most, for a window of 80 columns."""
    low, high = (float("nan") if row[end] is None else row[end] for end in ("low", "high"))
    above = row["dominance"].removesuffix(" dominates") if row["dominance"].endswith(" dominates") else ""
    difference, low_text, high_text = beside_interval(low, high, row["difference"], sign="+")
    return {
        **({"t": row["t"]} if "t" in row else {}),
        "models": f"{row['a']} - {row['b']}",
        "difference": difference,
        "interval": "" if math.isnan(low) else f"{low_text} to {high_text}",
        "p_adjusted": row["p_adjusted"],
        "dominates": above or "neither",
    }
