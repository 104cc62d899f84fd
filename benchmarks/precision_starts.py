"""How often a guaranteed precision is found, with one start of the walk and with several; prints a table.

    python -m benchmarks.precision_starts [--samples 200]

Its table is in docs/validation/guarantees.md.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

import thresher as th
from thresher._decide import guarantee

CELLS = (
    (stats.cauchy, 3.0, 100, 300, 0.5, 0.9),
    (stats.cauchy, 3.0, 400, 1200, 0.5, 0.9),
    (stats.cauchy, 2.0, 200, 600, 0.5, 0.95),
    (stats.norm, 1.5, 100, 300, 0.6, 0.9),
    (stats.norm, 1.5, 400, 400, 0.6, 0.9),
    (stats.norm, 1.5, 400, 400, 0.8, 0.95),
    (stats.norm, 1.5, 50, 450, 0.5, 0.9),
    (stats.norm, 1.5, 20, 400, 0.3, 0.9),
)


def cell(number: int, starts: dict[float, float], samples: int) -> str:
    """Return how often a threshold is found, the mean recall (0 if none is), and how often precision is too low."""
    law, shift, n_pos, n_neg, precision, confidence = CELLS[number]
    rng = np.random.default_rng(number)
    found = broken = 0
    recall = 0.0
    guarantee._STARTS = starts
    for _ in range(samples):
        scores = th.Scores.from_pos_neg(
            law.rvs(size=n_pos, random_state=rng) + shift, law.rvs(size=n_neg, random_state=rng)
        )
        try:
            point = scores.choose_threshold(maximize="recall", min_precision=precision, confidence=confidence)
        except th.UndefinedMetricError:
            continue
        tp, fp = n_pos * law.sf(point.threshold - shift), n_neg * law.sf(point.threshold)
        found, recall, broken = found + 1, recall + point.recall, broken + (tp < precision * (tp + fp))
    return f"{found / samples:.3f} | {recall / samples:.2f} | {broken / samples:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    samples = parser.parse_args().samples
    starts = guarantee._STARTS
    print("| scores | cases | min_precision | allowed | found | recall | breaks | one start: found | recall | breaks |")
    print("|" + "---|" * 10)
    for number, (law, shift, n_pos, n_neg, precision, confidence) in enumerate(CELLS):
        several, one = (cell(number, used, samples) for used in (starts, {}))
        head = f"{law.name} shifted {shift:g} | {n_pos} + {n_neg} | {precision:g} | {1 - confidence:.2f}"
        print(f"| {head} | {several} | {one} |", flush=True)


if __name__ == "__main__":
    main()
