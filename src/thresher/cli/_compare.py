"""`thresher compare`: all pairs of models in a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher.cli._comparison import Resamples, check_method
from thresher.cli._errors import within
from thresher.cli._metric import AnyMetric, options_shown
from thresher.cli._options import File, Format, Level, Selection, at_each, labels_of, read_selected
from thresher.cli._output import print_rows
from thresher.cli._progress import working
from thresher.exceptions import InvalidInputError

__all__ = ["compare"]


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
    confidence_level: Level = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Compare all pairs of models: differences, intervals, adjusted p-values, dominance.

    Example: thresher compare scores.csv --metric pr_auc --seed 1
    Example: thresher compare scores.csv --metric f_beta --threshold 0.5 --option beta=2

    Parameters
    ----------
    file
        A wide file: one column of scores for each model, rows side by side. "-" reads standard input.
    margin
        Test non-inferiority: with --alternative greater, that the first of a pair is no worse by this much.
    method
        The test: delong, delong-t or venkatraman of the ROC area, score or mcnemar of metrics of the confusion matrix,
        normal, bootstrap or permutation. By default the one of the metric.
    alternative
        The direction of the tests, first model against second.
    confidence_level
        Strictly between 0 and 1.
    format
        A table to read, or json or csv for programs.
    """
    measure = metric.measure()
    check_method(method, measure)
    with working() as work:
        columns = read_selected(file, selection, work)
        if len(columns.scores) < 2:
            raise InvalidInputError(
                f"{show(columns.name, 200)} must have at least two models to compare; got {len(columns.scores)}. "
                "Hint: name their columns with --y-score, once for each."
            )
        answers: list[tuple[float | None, th.results.Comparison]] = []
        for t, part in at_each(columns):
            labels = labels_of(part, selection.pos_label)
            with within(show(columns.name, 200)), work.stage("comparing"):
                found = th.compare(
                    y_scores=columns.scores,
                    metric=measure,
                    method=method,
                    margin=margin,
                    alternative=alternative,
                    confidence_level=confidence_level,
                    n_resamples=resamples.n_resamples,
                    rng=resamples.seed,
                    sample_weight=columns.weight,
                    frequency=columns.frequency,
                    cluster=columns.cluster,
                    progress=work.report,
                    **labels,
                )
            answers.append((t, found))
    rows: list[dict[str, Any]] = [
        {
            **({} if t is None else {"t": t}),
            "a": pair.a,
            "b": pair.b,
            **options_shown(measure, format),
            f"{measure.title}_a": found.estimates[pair.a],
            f"{measure.title}_b": found.estimates[pair.b],
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
    print_rows(rows, format, title=f"{measure.described()}, {found.method}{limit}, p adjusted by Holm's method")


def _verdict(pair: Any) -> str:
    verdict = pair.dominance.verdict
    said = {"a": f"{pair.a} dominates", "b": f"{pair.b} dominates", "equal": "equal curves"}
    return said.get(verdict) or f"cross at {len(pair.dominance.crossings)} points"
