"""How far the default interval depends on its simulated weights; makes docs/validation/interval-noise.md.

    python -m benchmarks.interval_noise [--streams 10] [--draws 40000] > docs/validation/interval-noise.md

For one sample of each law and size the limits are computed from several streams of weights, and compared with the
quantiles of very many simulated tables.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np

import thresher as th
from benchmarks.unkind_laws import LAWS
from thresher._inference.bootstrap import adverse
from thresher.measures._measure import Measure, _figure

SIZES = ((20, 20), (30, 270), (100, 100), (200, 800), (1000, 1000))
MEASURES: tuple[tuple[str, Measure], ...] = (
    ("PR AUC at prevalence 0.05", th.measures.PrAuc(prevalence=0.05)),
    ("partial ROC AUC, FPR 0 to 0.2", th.measures.PartialRocAuc(fpr=(0.0, 0.2))),
)
HEAD = """\
# How much the default interval depends on its random weights

The default interval of a partial area, or of a PR area at another prevalence, simulates weights of the cases from a
fixed stream; those of the ROC area and the PR area use no random numbers. Here the limits of {laws} samples,
one of each unkind distribution, come from {streams} streams. "Noise" is the standard deviation of a limit, "offset"
the mean of the limit minus the quantile of {draws:,} simulated tables (with a standard error of about {own:.1f}), both
in percent of the width of the interval: the median, and the largest of all samples and both limits. Made by
`python -m benchmarks.interval_noise`.

| metric | positives + negatives | noise, median | noise, largest | offset, median | offset, largest |
|---|---|---|---|---|---|"""


def plain(measure: Measure, scores: th.Scores, draws: int) -> np.ndarray:
    """Return the quantiles of so many simulated tables."""
    figure = _figure(measure)._replace(influence=lambda pos, neg: None)
    usual, adverse._DRAWS = adverse._DRAWS, draws
    try:
        value = measure.of(scores)
        return np.array(adverse.adverse_limits(scores.pos, scores.neg, figure, 0.95, value=value, seed=7))
    finally:
        adverse._DRAWS = usual


def cell(measure: Measure, size: tuple[int, int], streams: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Return noise and offset of the limits of all laws, in parts of the width."""
    noise, offset = [], []
    for number, law in enumerate(LAWS):
        rng = np.random.default_rng([number, *size])
        scores = th.Scores.from_pos_neg(law.draw(True, size[:1], rng), law.draw(False, size[1:], rng))
        value = measure.of(scores)
        ends = np.array(
            [
                adverse.adverse_limits(scores.pos, scores.neg, _figure(measure), 0.95, value=value, seed=seed)
                for seed in range(100, 100 + streams)
            ]
        )
        width = float(np.diff(ends).mean())
        noise.append(ends.std(axis=0, ddof=1) / width)
        offset.append(np.abs(np.clip(ends.mean(axis=0), *measure.bounds) - plain(measure, scores, draws)) / width)
    return np.array(noise), np.array(offset)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=10)
    parser.add_argument("--draws", type=int, default=40_000)
    given = parser.parse_args()
    warnings.simplefilter("ignore", th.ThresherWarning)
    # A quantile at 2.5% in parts of the width of a normal distribution.
    own = 100.0 * np.sqrt(0.025 * 0.975 / given.draws) / 0.0584 / 3.92
    print(HEAD.format(laws=len(LAWS), streams=given.streams, draws=given.draws, own=own))
    for name, measure in MEASURES:
        for size in SIZES:
            noise, offset = (100.0 * found for found in cell(measure, size, given.streams, given.draws))
            shown = (np.median(noise), noise.max(), np.median(offset), offset.max())
            print(f"| {name} | {size[0]} + {size[1]} | " + " | ".join(f"{one:.1f}" for one in shown) + " |", flush=True)


if __name__ == "__main__":
    main()
