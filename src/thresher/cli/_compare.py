"""`thresher compare`: all pairs of models in a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher.cli._errors import UsageError, within
from thresher.cli._options import File, Format, Level, Selection, Share, positives, read_selected
from thresher.cli._output import print_rows
from thresher.cli._progress import working
from thresher.exceptions import InvalidInputError

__all__ = ["compare"]


def compare(
    file: File,
    /,
    *,
    selection: Selection = Selection(),  # noqa: B008  # frozen
    metric: str = "roc_auc",
    fpr: Annotated[tuple[float, float] | None, Parameter(name="--fpr")] = None,
    tpr: Annotated[tuple[float, float] | None, Parameter(name="--tpr")] = None,
    prevalence: Share = None,
    method: Literal["delong", "delong-t", "normal", "bootstrap", "permutation", "venkatraman"] | None = None,
    margin: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    n_resamples: Annotated[int, Parameter(validator=validators.Number(gte=1))] = 2000,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 0,
    confidence_level: Level = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Compare all pairs of models: differences, intervals, adjusted p-values, dominance.

    Example: thresher compare scores.csv --metric pr_auc --seed 1

    Parameters
    ----------
    file
        A wide file: one column of scores for each model, rows side by side. "-" reads standard input.
    metric
        What is compared: any name of th.measures.names(), such as roc_auc, pr_auc or average_precision.
    fpr, tpr
        Two rates: the part of the area under the ROC curve between them, with --metric partial_roc_auc.
    prevalence
        The share of positives to which precision refers.
    margin
        Test non-inferiority: with --alternative greater, that the first of a pair is no worse by this much.
    method
        The test; by default DeLong's for the ROC area and the bootstrap for the others.
    alternative
        The direction of the tests, first model against second.
    n_resamples
        For the bootstrap and permutations.
    seed
        Makes them repeatable.
    confidence_level
        Strictly between 0 and 1.
    format
        A table to read, or json or csv for programs.
    """
    try:
        measure = th.measures.as_measure(metric, argument="--metric", fpr=fpr, tpr=tpr, prevalence=prevalence)
    except InvalidInputError as error:
        raise UsageError(str(error)) from None
    if method is not None and method.removesuffix("-t") not in measure.tests:
        raise UsageError(f"--method {method} has no test of {metric}. Hint: use --method bootstrap.")
    with working() as work:
        columns = read_selected(file, selection, work)
        if len(columns.scores) < 2:
            raise InvalidInputError(
                f"{show(columns.name, 200)} must have at least two models to compare; got {len(columns.scores)}. "
                "Hint: name their columns with --y-score, once for each."
            )
        positive = positives(columns, selection.pos_label)
        with within(show(columns.name, 200)), work.stage("comparing"):
            found = th.compare(
                positive,
                columns.scores,
                metric=measure,
                method=method,
                margin=margin,
                alternative=alternative,
                confidence_level=confidence_level,
                n_resamples=n_resamples,
                rng=seed,
                sample_weight=columns.weight,
                frequency=columns.frequency,
                groups=columns.cluster,
                progress=work.report,
            )
    rows: list[dict[str, Any]] = [
        {
            "a": pair.a,
            "b": pair.b,
            f"{measure.title}_a": found.estimates[pair.a],
            f"{measure.title}_b": found.estimates[pair.b],
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "p": pair.pvalue,
            "p_adjusted": pair.pvalue_adjusted,
            "dominance": _verdict(pair),
        }
        for pair in found.pairs
    ]
    limit = "" if margin is None else f", margin {margin:g}"
    print_rows(rows, format, title=f"{measure.title}, {found.method}{limit}, p adjusted by Holm's method")


def _verdict(pair: Any) -> str:
    verdict = pair.dominance.verdict
    said = {"a": f"{pair.a} dominates", "b": f"{pair.b} dominates", "equal": "equal curves"}
    return said.get(verdict) or f"cross at {len(pair.dominance.crossings)} points"
