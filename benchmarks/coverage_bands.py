"""Coverage of bands and intervals by simulation; writes the tables of docs/validation/bands.md.

    python benchmarks/coverage_bands.py [--jobs 16] > docs/validation/bands.md

`--quick` uses a twentieth of the replicates; `pointwise`, `worst`, `widths`, `envelope`, `rectangles`, `bootstrap`,
`area` make one part each. About an hour and a half on one core.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.cases import CASES
from support.coverage import RECALLS, Setting, area, pointwise, settings, simultaneous
from thresher._inference.bands.curve_band import POINTWISE_METHODS
from thresher._inference.pr import PR_INTERVAL_METHODS

SEED = 20240229


INTRODUCTION = """\
# Coverage of bands and intervals

Written by `python benchmarks/coverage_bands.py > docs/validation/bands.md`; nominal level 95%.

Cases A to D are those of Hughes-Oliver (2018): two normals, a normal and a reflected lognormal, two betas, two uniforms
that overlap by half. Skew is the number of negatives per positive. With random class counts the number of positives is
binomial and the target is the precision of the population; with fixed ones it is the number that the skew asks for. The
tests marked `slow` repeat the parts that are promised: at least 93% in every pointwise cell, but for chance, and 95%
on average, and 93% to 99.5% for the envelope.
"""


WHY_WIDER = """
In the last column are the points at which precision is below 0.999 in the population. Where it is 1 no negative stands
above the threshold, resamples agree and their band has no width, right or wrong: of `n` negatives none is seen above
with probability (1 - f)^n where a share f is, so a band that is to cover f in 93% of the samples too must reach up to
f = 1 - 0.07^(1/n). Such bands cover nothing in the rows of case B below.
"""

PARTS = ("pointwise", "worst", "widths", "envelope", "rectangles", "bootstrap", "area")
# The cells with the least coverage at any recall in the tables of all.
WORST = (Setting("B", 500, 10), Setting("B", 1000, 10), Setting("B", 500, 1))


def jobs() -> int:
    """Return how many processes may work at once."""
    return int(sys.argv[sys.argv.index("--jobs") + 1]) if "--jobs" in sys.argv else 1


def each(work: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return what a function returns for each of its calls, in order."""
    with ProcessPoolExecutor(jobs(), initializer=warnings.simplefilter, initargs=("ignore",)) as pool:
        return list(pool.map(work, *zip(*calls, strict=True)))


def main() -> None:
    part = 20 if "--quick" in sys.argv else 1
    # Each part has seeds of its own, so that parts can be made one by one.
    wanted = {name for name in PARTS if name in sys.argv} or set(PARTS)
    if "pointwise" in wanted:
        print(INTRODUCTION)
        pointwise_tables(2000 // part)
    if "worst" in wanted:
        worst_table(4000 // part)
    if "widths" in wanted:
        width_table(200 // part)
    if "envelope" in wanted:
        envelope_tables(400 // part)
    if "rectangles" in wanted:
        rectangle_table(100 // part)
    if "bootstrap" in wanted:
        bootstrap_table(300 // part)
    if "area" in wanted:
        area_table(1000 // part)


def pointwise_tables(replicates: int) -> None:
    for design in ("random", "fixed"):
        print(f"## Pointwise, method `binomial-beta`, {design} class counts\n")
        print(f"Coverage of precision in percent at each recall, {replicates} replicates a cell.\n")
        cells = settings((1, 4, 10), (design,))
        found = each(pointwise, [(setting, replicates, SEED + i) for i, setting in enumerate(cells)])
        _pointwise_rows(cells, found)
        all_ = np.array([hits for hits, _ in found])
        print(f"\nLeast {100 * all_.min():.1f}, mean {100 * all_.mean():.1f}.\n")


def worst_table(replicates: int) -> None:
    print(f"## The worst of these cells again\n\nOther samples, {replicates} replicates a cell.\n")
    found = each(pointwise, [(setting, replicates, SEED + 700 + i) for i, setting in enumerate(WORST)])
    _pointwise_rows(list(WORST), found, design=True)
    print(f"\nLeast {100 * min(hits.min() for hits, _ in found):.1f}.\n")


def _pointwise_rows(cells: list[Setting], found: list[Any], *, design: bool = False) -> None:
    print("| case | n | skew | " + " | ".join(f"{x:.1f}" for x in RECALLS) + " | mean width |")
    print("|---|---|---|" + "---|" * (RECALLS.size + 1))
    for setting, (hits, width) in zip(cells, found, strict=True):
        row = " | ".join(f"{100 * hit:.1f}" for hit in hits)
        kind = f", {setting.design}" if design else ""
        print(f"| {setting.case}{kind} | {setting.n} | {setting.skew} | {row} | {width.mean():.3f} |")


def width_table(replicates: int) -> None:
    """Compare the widths with those of the named methods at every recall at which they cover 94%."""
    print("## Beside the methods that have names\n")
    print(
        f"Random class counts, n = 500, the points of the tables above, {replicates} replicates ({replicates // 2} of\n"
        "`bootstrap`): where a method covers 94%, how much wider the default is.\n"
    )
    cells = [setting for setting in settings((1, 4, 10)) if setting.n == 500]
    own = each(pointwise, [(setting, replicates, SEED + 800 + i) for i, setting in enumerate(cells)])
    print("| method | covers 94% at | wider, median | most | more than twice | of those where precision < 0.999 |")
    print("|---|---|---|---|---|---|")
    for method in POINTWISE_METHODS[1:]:
        count = replicates // 2 if method == "bootstrap" else replicates
        found = each(pointwise, [(setting, count, SEED + 800 + i, method) for i, setting in enumerate(cells)])
        ratios, open_ = [], 0
        for setting, (_, wide), (hits, width) in zip(cells, own, found, strict=True):
            # Below this precision some negative of the population stands above the threshold.
            seen = CASES[setting.case].pr(RECALLS, setting.skew) < 1.0 - 1e-3
            for k in np.flatnonzero(hits >= 0.94):
                ratios.append(wide[k] / max(width[k], 1e-300))
                open_ += bool(seen[k] and ratios[-1] > 2.0)
        if ratios:
            print(
                f"| {method} | {len(ratios)} of {len(cells) * RECALLS.size} | {np.median(ratios):.2f} | "
                f"{_shown(max(ratios))} | {sum(ratio > 2.0 for ratio in ratios)} | {open_} |"
            )
        else:
            print(f"| {method} | 0 of {len(cells) * RECALLS.size} | | | | |")
    print(WHY_WIDER)


def _shown(ratio: float) -> str:
    return "no width" if ratio > 1e6 else f"{ratio:.2f}"


def envelope_tables(replicates: int) -> None:
    print("## Simultaneous, method `envelope`\n")
    print(
        f"Share of replicates in which the whole curve between 0.05 and 0.95 (37 points) lies in the band; {replicates}"
    )
    print("replicates for PR and half as many for ROC, 1000 draws each. In brackets the mean width.\n")
    print("| case | n | skew | PR, random | PR, fixed | ROC |")
    print("|---|---|---|---|---|---|")
    cells = settings((1, 10))
    calls = []
    for i, setting in enumerate(cells):
        fixed = Setting(setting.case, setting.n, setting.skew, "fixed")
        calls += [
            (setting, replicates, SEED + i, "envelope", "pr"),
            (fixed, replicates, SEED + 100 + i, "envelope", "pr"),
            (fixed, replicates // 2, SEED + 200 + i, "envelope", "roc"),
        ]
    found = each(simultaneous, calls)
    for i, setting in enumerate(cells):
        row = " | ".join(f"{100 * hit:.1f} ({width:.2f})" for hit, width in found[3 * i : 3 * i + 3])
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |")
    shares = [hit for hit, _ in found]
    print(f"\nLeast {100 * min(shares):.1f}, most {100 * max(shares):.1f}, mean {100 * np.mean(shares):.1f}.\n")
    worst = [calls[i] for i in np.argsort(shares, kind="stable")[:8]]
    again = 5 * replicates
    print(f"The eight worst again, other samples, {again} replicates:\n")
    print("| curve | case | n | skew | covers | mean width |\n|---|---|---|---|---|---|")
    rows = each(simultaneous, [(call[0], again, SEED + 900 + i, *call[3:]) for i, call in enumerate(worst)])
    for (setting, *_, curve), (hit, width) in zip(worst, rows, strict=True):
        kind = curve.upper() + (f", {setting.design}" if curve == "pr" else "")
        print(f"| {kind} | {setting.case} | {setting.n} | {setting.skew} | {100 * hit:.1f} | {width:.2f} |")
    print()


def rectangle_table(replicates: int) -> None:
    print("## Simultaneous, with a guarantee for every sample size\n")
    print(f"PR, fixed class counts, {replicates} replicates; in brackets the mean width, the price of the guarantee.\n")
    print("| case | n | skew | equal-local-level | dkw |")
    print("|---|---|---|---|---|")
    cells = settings((1, 10), ("fixed",))
    both = ("equal-local-level", "dkw")
    calls = [(setting, replicates, SEED + 300 + i, how) for i, setting in enumerate(cells) for how in both]
    found = each(simultaneous, calls)
    for i, setting in enumerate(cells):
        row = " | ".join(f"{100 * hit:.0f} ({width:.2f})" for hit, width in found[2 * i : 2 * i + 2])
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |")
    print()


def bootstrap_table(replicates: int) -> None:
    print("## Method `bootstrap`, for comparison\n")
    print(
        f"PR, random class counts, {replicates} replicates, 1000 resamples each: coverage in percent at each recall,\n"
        "and of the whole curve (37 points; in brackets the mean width). Where few negatives stand above the\n"
        "threshold resamples hardly differ, and the band does not cover; there the method warns.\n"
    )
    print("| case | n | skew | " + " | ".join(f"{x:.1f}" for x in RECALLS) + " | mean width | whole curve |")
    print("|---|---|---|" + "---|" * (RECALLS.size + 2))
    cells = [setting for setting in settings((1, 10)) if setting.n == 500]
    points = each(pointwise, [(setting, replicates, SEED + 500 + i, "bootstrap") for i, setting in enumerate(cells)])
    curves = each(simultaneous, [(setting, replicates, SEED + 600 + i, "bootstrap") for i, setting in enumerate(cells)])
    for setting, (hits, width), (whole, reach) in zip(cells, points, curves, strict=True):
        row = " | ".join(f"{100 * hit:.1f}" for hit in hits)
        end = f"{width.mean():.3f} | {100 * whole:.1f} ({reach:.2f})"
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} | {end} |")
    print()


def area_table(replicates: int) -> None:
    print("## Area under the PR curve\n")
    print(f"Coverage in percent of the interpolated area's interval, random class counts, {replicates} replicates.\n")
    print("| case | n | skew | " + " | ".join(PR_INTERVAL_METHODS) + " |")
    print("|---|---|---|" + "---|" * len(PR_INTERVAL_METHODS))
    cells = [setting for setting in settings((1, 10)) if setting.n == 500]
    count = len(PR_INTERVAL_METHODS)
    each_how = [(i, setting, how) for i, setting in enumerate(cells) for how in PR_INTERVAL_METHODS]
    found = each(area, [(setting, replicates, SEED + 400 + i, how) for i, setting, how in each_how])
    for i, setting in enumerate(cells):
        row = " | ".join(f"{100 * hit:.1f}" for hit in found[count * i : count * (i + 1)])
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |")
    print()


if __name__ == "__main__":
    main()
