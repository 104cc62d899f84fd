"""`thresher demo`: the whole of it on the bundled example."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import thresher as th
from thresher._core.optional import require
from thresher.exceptions import InvalidInputError

__all__ = ["demo"]

_ESTIMATORS = ("interpolated", "average_precision", "achievable")


def demo(*, output: Path = Path("thresher-demo")) -> None:
    """Run on a bundled example: print the areas, write curves, counts and a figure.

    Two models look for the digit eight among 1,797 handwritten digits. Opens nothing.

    Example: thresher demo --output results

    Parameters
    ----------
    output
        The folder for the result files; made if it does not exist.
    """
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
    console = Console(highlight=False, soft_wrap=True)
    first = next(iter(models.values()))
    console.print(f"{first.n_pos + first.n_neg:,} digits, {first.n_pos:,} of them an eight ({first.prevalence:.1%}).\n")
    console.print(_areas(models))
    verdict = th.dominates(models["logistic"], models["tree"])
    console.print(f"\nlogistic (a) against tree (b): {verdict!r}")
    point = models["logistic"].achievable_pr().at(recall=0.9)
    console.print(f"logistic at recall 0.9: {point!r}\n")
    for path in _write(models, output):
        console.print(f"wrote {path}")


def _areas(models: dict[str, th.Scores]) -> Table:
    table = Table("area", *models, title="Areas under the curves", title_justify="left")
    table.add_row("ROC", *(f"{scores.roc_auc().value:.4f}" for scores in models.values()))
    for estimator in _ESTIMATORS:
        values = (scores.pr_auc(estimator=estimator).value for scores in models.values())
        table.add_row(f"PR, {estimator.replace('_', ' ')}", *(f"{value:.4f}" for value in values))
    table.add_row(
        "PR, if 1 in 1,000 were an eight", *(f"{s.pr_auc(prevalence=0.001).value:.4f}" for s in models.values())
    )
    return table


def _write(models: dict[str, th.Scores], folder: Path) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        curves = folder / "curves.csv"
        _write_curves(models, curves)
        written = [curves]
        for name, scores in models.items():
            path = folder / f"{name}.scores"
            scores.save(path)
            written.append(path)
        figure = folder / "linked-curves.png"
        _draw(models, figure)
        written.append(figure)
    except OSError as error:
        raise InvalidInputError(
            f"`--output` must be a folder that can be written; got {str(folder)!r} ({error.strerror})."
        ) from error
    return written


def _write_curves(models: dict[str, th.Scores], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model", "threshold", "tp", "fp", "fpr", "recall", "precision"])
        for name, scores in models.items():
            roc, pr = scores.roc(), scores.pr()
            columns: tuple[Any, ...] = (roc.thresholds, roc.tp, roc.fp, roc.fpr, pr.recall, pr.precision)
            for row in zip(*(column.tolist() for column in columns), strict=True):
                writer.writerow([name, *row])


def _draw(models: dict[str, th.Scores], path: Path) -> None:
    require("matplotlib", extra="plot", purpose="Drawing a figure").use("Agg")
    display = th.LinkedDisplay.from_scores(models)
    display.plot()
    display.figure_.savefig(path, dpi=120, bbox_inches="tight")
