"""Draw the picture of the README: two models, the same thresholds in ROC and in PR space.

Run it from anywhere; it writes `linked-curves.png` beside itself.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import thresher as th

# One threshold where precision is high, one at the knee, and one that looks fine on the left only.
THRESHOLDS = {"logistic": [0.5, 0.2, 0.1], "tree": [0.92, 0.06, 0.003]}
DPI = 140  # 1,400 pixels across


def draw() -> th.plotting.LinkedDisplay:
    """Draw both models side by side."""
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    return th.plotting.LinkedDisplay.from_scores(models, thresholds=THRESHOLDS)


if __name__ == "__main__":
    target = Path(__file__).with_name("linked-curves.png")
    draw().figure_.savefig(target, dpi=DPI)
    print(f"{target.name}: {target.stat().st_size / 1000:.0f} kB")
