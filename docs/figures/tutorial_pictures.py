"""Draw the pictures of the tutorial from the data on its page.

Run it from anywhere; it writes `tutorial-*.webp` beside itself. Needs matplotlib and Pillow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

import thresher as th

HERE = Path(__file__).parent


def keep(figure: Any, name: str) -> None:
    """Save a picture that is sharp and small."""
    figure.savefig(HERE / f"tutorial-{name}.webp", dpi=130, pil_kwargs={"quality": 85, "method": 6})
    plt.close(figure)


if __name__ == "__main__":
    rng = np.random.default_rng(2026)
    fraud = rng.random(20_000) < 0.01
    score = rng.normal(size=20_000) + 2.2 * fraud
    new = 0.8 * score + 0.6 * (rng.normal(size=20_000) + 2.2 * fraud)
    scores = th.Scores(fraud, score)

    keep(th.plotting.LinkedDisplay.from_scores({"payments": scores}, thresholds=[1.0, 2.0, 3.0]).figure_, "areas")

    figure, ax = plt.subplots(figsize=(5.5, 5.0), layout="constrained")
    balanced = th.Scores.from_pos_neg(score[fraud], score[~fraud][:200])
    th.plotting.PrCurveDisplay.from_scores(balanced, name="as sampled", ax=ax, unachievable=False)
    th.plotting.PrCurveDisplay.from_scores(
        balanced, name="one in a hundred", ax=ax, prevalence=0.01, unachievable=False
    )
    keep(figure, "balance")

    figure, axes = plt.subplots(1, 2, figsize=(10.0, 5.0), layout="constrained")
    models = {"new": th.Scores(fraud, new), "old": scores}
    th.plotting.RocCurveDisplay.from_scores(models, ax=axes[0], band=True)
    th.plotting.PrCurveDisplay.from_scores(models, ax=axes[1], band=True, unachievable=False)
    keep(figure, "models")
