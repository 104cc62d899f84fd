"""Coverage of bands and intervals by simulation; writes the tables of docs/validation/bands.md.

    python benchmarks/coverage_bands.py > docs/validation/bands.md

`--quick` uses a twentieth of the replicates; `pointwise`, `envelope`, `rectangles`, `bootstrap`, `area` make one part
each. About a quarter of an hour on one core.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.coverage import RECALLS, Setting, area, pointwise, settings, simultaneous
from thresher._inference.pr.asymptotic import PR_INTERVAL_METHODS

SEED = 20240229


INTRODUCTION = """\
# Coverage of bands and intervals

Written by `python benchmarks/coverage_bands.py > docs/validation/bands.md`; nominal level 95 %.

Cases A to D are those of Hughes-Oliver (2018): two normals, a normal and a reflected lognormal, two betas, two uniforms
that overlap by half. Skew is the number of negatives per positive. With random class counts the number of positives is
binomial and the target is the precision of the population; with fixed ones it is the number that the skew asks for. The
tests marked `slow` repeat the parts that are promised: at least 90 % in every pointwise cell and 93 % on average, and
93 % to 99.5 % for the envelope.
"""


def main() -> None:
    part = 20 if "--quick" in sys.argv else 1
    # Each part has seeds of its own, so that parts can be made one by one.
    wanted = {name for name in ("pointwise", "envelope", "rectangles", "bootstrap", "area") if name in sys.argv}
    if not wanted or "pointwise" in wanted:
        print(INTRODUCTION)
        pointwise_tables(1000 // part)
    if not wanted or "envelope" in wanted:
        envelope_tables(400 // part)
    if not wanted or "rectangles" in wanted:
        rectangle_table(100 // part)
    if not wanted or "bootstrap" in wanted:
        bootstrap_table(300 // part)
    if not wanted or "area" in wanted:
        area_table(1000 // part)


def pointwise_tables(replicates: int) -> None:
    for design in ("random", "fixed"):
        print(f"## Pointwise, method `binomial-beta`, {design} class counts\n")
        print(f"Coverage of precision in percent at each recall, {replicates} replicates a cell.\n")
        print("| case | n | skew | " + " | ".join(f"{x:.1f}" for x in RECALLS) + " | mean width |")
        print("|---|---|---|" + "---|" * (RECALLS.size + 1))
        cells = []
        for i, setting in enumerate(settings((1, 4, 10), (design,))):
            hits, width = pointwise(setting, replicates, SEED + i)
            cells.append(hits)
            row = " | ".join(f"{100 * hit:.1f}" for hit in hits)
            print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} | {width.mean():.3f} |", flush=True)
        all_ = np.array(cells)
        print(f"\nLeast {100 * all_.min():.1f}, mean {100 * all_.mean():.1f}.\n")


def envelope_tables(replicates: int) -> None:
    print("## Simultaneous, method `envelope`\n")
    print(
        f"Share of replicates in which the whole curve between 0.05 and 0.95 (37 points) lies in the band; {replicates}"
    )
    print("replicates for PR and half as many for ROC, 1000 draws each. In brackets the mean width.\n")
    print("| case | n | skew | PR, random | PR, fixed | ROC |")
    print("|---|---|---|---|---|---|")
    found = []
    for i, setting in enumerate(settings((1, 10))):
        fixed = Setting(setting.case, setting.n, setting.skew, "fixed")
        three = [
            simultaneous(setting, replicates, SEED + i),
            simultaneous(fixed, replicates, SEED + 100 + i),
            simultaneous(fixed, replicates // 2, SEED + 200 + i, curve="roc"),
        ]
        found.extend(hit for hit, _ in three)
        row = " | ".join(f"{100 * hit:.1f} ({width:.2f})" for hit, width in three)
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |", flush=True)
    print(f"\nLeast {100 * min(found):.1f}, most {100 * max(found):.1f}, mean {100 * np.mean(found):.1f}.\n")


def rectangle_table(replicates: int) -> None:
    print("## Simultaneous, with a guarantee for every sample size\n")
    print(f"PR, fixed class counts, {replicates} replicates; in brackets the mean width, the price of the guarantee.\n")
    print("| case | n | skew | equal-local-level | dkw |")
    print("|---|---|---|---|---|")
    for i, setting in enumerate(settings((1, 10), ("fixed",))):
        two = [simultaneous(setting, replicates, SEED + 300 + i, how) for how in ("equal-local-level", "dkw")]
        row = " | ".join(f"{100 * hit:.0f} ({width:.2f})" for hit, width in two)
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |", flush=True)
    print()


def bootstrap_table(replicates: int) -> None:
    print("## Method `bootstrap`, for comparison\n")
    print(
        f"PR, random class counts, {replicates} replicates: coverage in percent at each recall, and of the whole curve"
    )
    print("(37 points, 1000 resamples, in brackets the mean width). It falls short where few negatives stand above.\n")
    print("| case | n | skew | " + " | ".join(f"{x:.1f}" for x in RECALLS) + " | mean width | whole curve |")
    print("|---|---|---|" + "---|" * (RECALLS.size + 2))
    for i, setting in enumerate(s for s in settings((1, 10)) if s.n == 500):
        hits, width = pointwise(setting, replicates, SEED + 500 + i, "bootstrap")
        whole, reach = simultaneous(setting, replicates, SEED + 600 + i, "bootstrap")
        row = " | ".join(f"{100 * hit:.1f}" for hit in hits)
        end = f"{width.mean():.3f} | {100 * whole:.1f} ({reach:.2f})"
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} | {end} |", flush=True)
    print()


def area_table(replicates: int) -> None:
    print("## Area under the PR curve\n")
    print(f"Coverage in percent of the interpolated area's interval, random class counts, {replicates} replicates.\n")
    print("| case | n | skew | " + " | ".join(PR_INTERVAL_METHODS) + " |")
    print("|---|---|---|" + "---|" * len(PR_INTERVAL_METHODS))
    for i, setting in enumerate(s for s in settings((1, 10)) if s.n == 500):
        row = " | ".join(f"{100 * area(setting, replicates, SEED + 400 + i, how):.1f}" for how in PR_INTERVAL_METHODS)
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |", flush=True)
    print()


if __name__ == "__main__":
    main()
