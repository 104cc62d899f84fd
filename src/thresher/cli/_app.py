"""The list of commands."""

from __future__ import annotations

from cyclopts import App

import thresher
from thresher.cli._auc import auc
from thresher.cli._auccalculator import auccalculator
from thresher.cli._compare import compare
from thresher.cli._demo import demo
from thresher.cli._from_errors import from_errors
from thresher.cli._papers import papers
from thresher.cli._threshold import threshold

__all__ = ["app"]

app = App(
    name="thresher",
    help="ROC and precision-recall curves done right.",
    version=thresher.__version__,
    help_format="plaintext",
)
app.command(demo)
app.command(auc)
app.command(compare)
app.command(threshold)
app.command(from_errors)
app.command(auccalculator)
app.command(papers)
