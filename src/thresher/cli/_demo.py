"""`thresher demo`: the whole of it on the bundled example."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.table import Table

import thresher as th
from thresher._core.checks import show
from thresher._core.files import written_whole
from thresher.cli._curve import write_curves, write_figure
from thresher.cli._output import console, printable, working
from thresher.exceptions import InvalidInputError

_ESTIMATORS = ("interpolated", "average_precision", "achievable")


def demo(*, output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("thresher-demo")) -> None:
    """Run on a bundled example: print areas and a comparison, write a report, curves, counts and a figure.

    Two models look for the digit eight among 1,797 handwritten digits. Opens nothing.

    Example: thresher demo --output results

    Parameters
    ----------
    output
        The folder for the result files; made if it does not exist.
    """
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
    terminal = console()
    first = next(iter(models.values()))
    terminal.print(
        f"{first.n_pos + first.n_neg:,} digits, {first.n_pos:,} of them an eight ({first.prevalence:.1%}).\n"
    )
    terminal.print(_areas(models))
    compared = th.compare(data.y_true, data.models)
    pair = compared.pairs[0]
    terminal.print(
        f"\nROC area, {pair.a} - {pair.b}: {pair.difference:.4f} ({pair.low:.4f} to {pair.high:.4f}), "
        f"p = {pair.pvalue:.2g}"
    )
    terminal.print(repr(pair.dominance))
    curve = models["logistic"].achievable_pr()
    point, mix = curve.at(recall=0.9), curve.mix(recall=0.9)
    high, low = (models["logistic"].roc().at(threshold=cut).threshold_text for cut in mix.thresholds)
    terminal.print(
        f"logistic at recall 0.9: precision {point.precision:.4f}, if scores of {high} or more are predicted positive, "
        f"and those from {low} on with probability {mix.probability:.2f}.\n"
    )
    with working() as work, work.stage("writing"):
        written = _write(models, compared, output)
    for path in written:
        terminal.print(f"wrote {printable(str(path), 4096)}", soft_wrap=True)


def _areas(models: dict[str, th.Scores]) -> Table:
    table = Table("area", *models, title="Areas under the curves, 95% intervals", title_justify="left")
    table.add_row("ROC", *(_with_interval(scores.roc_auc()) for scores in models.values()))
    for estimator in _ESTIMATORS:
        figures = (_with_interval(scores.pr_auc(estimator=estimator)) for scores in models.values())
        table.add_row(f"PR, {estimator.replace('_', ' ')}", *figures)
    figures = (_with_interval(scores.pr_auc(prevalence=0.001)) for scores in models.values())
    table.add_row("PR, if 1 in 1,000 were an eight", *figures)
    return table


def _with_interval(area: th.results.Estimate) -> str:
    low, high = area.confidence_interval()
    return f"{area.value:.4f} ({low:.4f} to {high:.4f})"


def _write(models: dict[str, th.Scores], compared: th.results.Comparison, folder: Path) -> list[Path]:
    from thresher._report import report

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"--output must be a folder that can be written; got {show(str(folder), 200)} ({error.strerror})."
        ) from error
    bands = {name: [scores.roc_band(), scores.pr_band()] for name, scores in models.items()}
    written = [folder / "report.html", folder / "curves.csv"]
    with written_whole(written[0]) as path:
        report(models, path, title="Which digits are an eight?", comparison=compared)
    write_curves(models, written[1], bands=bands)
    for name, scores in models.items():
        written.append(folder / f"{name}.scores")
        scores.save(written[-1])
    written.append(folder / "linked-curves.png")
    write_figure(models, written[-1])
    return written
