"""How often intervals of a difference at the same recall, precision or number of alerts hold the truth.

Run `python -m benchmarks.same_point [samples]`: two models on the same rows, from unkind distributions, whose true
difference is found on a million rows of each class. Only samples in which the report shows an interval count.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher._compare.paired_rows import read_rows
from thresher._compare.same_point import Place, place_of, same_point
from thresher._report.model_pairs import enough

_SIZES = ((40, 400), (100, 900), (500, 4500))
_PLACES = (Place("recall", 0.9), Place("recall", 0.5), Place("alerts", 0.05), Place("precision", 0.5))
_SHIFTS = ((1.5, 1.5), (2.0, 1.0))
_KINDS = ("normal", "wide positives", "t with 3 df", "5% hopeless", "ties of half a sd")
_CORRELATION = 0.5


def drawn(
    rng: np.random.Generator, kind: str, shifts: tuple[float, float], n_pos: int, n_neg: int
) -> tuple[NDArray[np.bool_], list[NDArray[np.float64]]]:
    """Return labels and the scores of both models."""
    y = np.arange(n_pos + n_neg) < n_pos
    noise = rng.normal(size=(2, y.size))
    noise[1] = _CORRELATION * noise[0] + np.sqrt(1.0 - _CORRELATION**2) * noise[1]
    out = []
    for shift, own in zip(shifts, noise, strict=True):
        error = own / np.sqrt(rng.chisquare(3, size=y.size) / 3) if kind.startswith("t with") else own
        error = np.where(y, 2.0 * error, error) if kind == "wide positives" else error
        shown = shift * (y & (rng.random(y.size) >= (0.05 if "hopeless" in kind else 0.0)))
        scores = shown + error
        out.append(np.round(2.0 * scores) / 2.0 if kind.startswith("ties") else scores)
    return y, out


def coverage(kind: str, shifts: tuple[float, float], sizes: tuple[int, int], samples: int) -> dict[Place, list[int]]:
    """Return for each place how many intervals were shown, and how many of them hold the truth."""
    rng = np.random.default_rng(0)
    share = sizes[0] / sum(sizes)
    y, many = drawn(rng, kind, shifts, 1_000_000, 1_000_000)
    tables = [th.Scores(y, scores) for scores in many]
    truth = {}
    for place in _PLACES:
        a, b = (place_of(table, place, share).answer for table in tables)
        truth[place] = b - a
    out = {place: [0, 0] for place in _PLACES}
    for _ in range(samples):
        y, scores = drawn(rng, kind, shifts, *sizes)
        rows = read_rows(y, {"a": scores[0], "b": scores[1]})
        pair = [rows.counts(0), rows.counts(1)]
        for place in _PLACES:
            if np.isnan(truth[place]) or not all(enough(place, table, place_of(table, place)) for table in pair):
                continue
            found = same_point(rows, pair, place, 0)[1]
            if found is not None:
                out[place][0] += 1
                out[place][1] += found.low <= truth[place] <= found.high
    return out


def main(samples: int) -> None:
    """Print a table, the worst cells first."""
    rows = []
    for kind in _KINDS:
        for shifts in _SHIFTS:
            for sizes in _SIZES:
                for place, (shown, held) in coverage(kind, shifts, sizes, samples).items():
                    if shown >= samples / 2:
                        rows.append((100.0 * held / shown, kind, shifts, sizes, place, shown))
    print(
        "| holds, % | distribution | shifts | positives + negatives | the same | intervals |\n|---|---|---|---|---|---|"
    )
    for held, kind, shifts, sizes, place, shown in sorted(rows, key=lambda row: row[0]):
        print(
            f"| {held:.1f} | {kind} | {shifts[0]:g} and {shifts[1]:g} | {sizes[0]} + {sizes[1]} | "
            f"{place.kind} {place.level:g} | {shown} |"
        )
    print(f"\nmean {np.mean([row[0] for row in rows]):.1f}, cells {len(rows)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
