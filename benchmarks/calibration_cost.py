"""What calibration costs beside the area under the ROC curve, from rows on; makes docs/benchmarks/calibration.md.

    python -m benchmarks.calibration_cost > docs/benchmarks/calibration.md

Both count the same rows first. They take turns in one process, and the best of several rounds counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import thresher as th

_ROWS, _ROUNDS = 10_000_000, 9

_HEAD = """\
# Calibration beside the AUC

`python -m benchmarks.calibration_cost > docs/benchmarks/calibration.md`: ten million rows, from labels and scores on,
best of nine rounds in turns. *AUC* counts the rows and takes the area under the ROC curve. *Calibration* counts them
and takes the calibration curve (isotonic regression, in blocks) and the decomposition of the Brier score. *Decision
curve* adds one of 1,000 points to that, *every value* asks the calibration curve for its value at each distinct score,
an array as long as the table. The figures are times over that of the AUC; a tenth is within what they vary by.

Processor time of one thread, which hardly depends on what else the machine does:

| scores | distinct scores | AUC, s | calibration | and decision curve | and every value |
|---|---:|---:|---:|---:|---:|"""


def columns(rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels, and probabilities of them that are a little too high: in three forms."""
    scores = rng.beta(1.0, 3.0, _ROWS)
    labels = rng.random(_ROWS) < scores**1.2
    return labels, {"float64": scores, "float32": scores.astype(np.float32), "four digits": scores.round(4)}


def race(calls: list[Callable[[], object]]) -> list[float]:
    best = [float("inf")] * len(calls)
    for _ in range(_ROUNDS):
        for i, call in enumerate(calls):
            start = time.process_time()
            out = call()
            best[i] = min(best[i], time.process_time() - start)
            del out
    return best


def main() -> None:
    labels, forms = columns(np.random.default_rng(0))
    points = np.linspace(0.0005, 0.9995, 1000)

    def calibrated(scores, *, decide=False):
        table = th.Scores(labels, scores)
        found = table.calibration()
        return found.curve, found.decomposition(), table.decision_curve(points) if decide else None

    print(_HEAD)
    for name, scores in forms.items():
        with th.config.num_threads(1):
            auc, *others = race(
                [
                    lambda s=scores: th.Scores(labels, s).roc_auc().value,
                    lambda s=scores: calibrated(s),
                    lambda s=scores: calibrated(s, decide=True),
                    lambda s=scores: calibrated(s)[0].calibrated,
                ]
            )
        ratios = " | ".join(f"{one / auc:.2f}" for one in others)
        print(f"| {name} | {np.unique(scores).size:,} | {auc:.3f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
