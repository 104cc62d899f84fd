"""The list of commands."""

from __future__ import annotations

from cyclopts import App

import thresher
from thresher.cli._auccalculator import auccalculator
from thresher.cli._demo import demo

__all__ = ["app"]

app = App(
    name="thresher",
    help="ROC and precision-recall curves done right.",
    version=thresher.__version__,
    help_format="plaintext",
)
app.command(demo)
app.command(auccalculator)
