"""Reports within the documentation: the landing page and the tutorial show one that lives, and one that takes a file.

They are written beside the pages when the site is finished, by the library itself, and load nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sphinx.application import Sphinx

import thresher as th
from thresher import report


def digits(path: Path) -> None:
    """Write the report of the bundled example."""
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
    compared = th.compare(data.y_true, data.models)
    report(models, path, title="Which digits are an eight?", comparison=compared)


def payments(path: Path) -> None:
    """Write the report of the tutorial's payments: the same numbers as on that page."""
    rng = np.random.default_rng(2026)
    fraud = rng.random(20_000) < 0.01
    score = rng.normal(size=20_000) + 2.2 * fraud
    new = 0.8 * score + 0.6 * (rng.normal(size=20_000) + 2.2 * fraud)
    made = {"new": new, "old": score}
    models = {name: th.Scores(fraud, values) for name, values in made.items()}
    report(models, path, title="Which payments are fraud?", comparison=th.compare(fraud, made))


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the pages into the finished site."""
    if exception is not None or app.builder.format != "html":
        return
    from thresher._report.page import blank_html

    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    digits(folder / "report.html")
    payments(folder / "payments.html")
    (folder / "drop.html").write_text(blank_html(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    # Before the finished pages are looked at, which link to these.
    app.connect("build-finished", write, priority=500)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
