"""Coverage of bands and intervals by simulation; writes the tables of docs/validation/bands.md.

    python benchmarks/coverage_bands.py > docs/validation/bands.md

`--quick` uses a twentieth of the replicates.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.coverage import RECALLS, Setting, area, pointwise, settings, simultaneous
from thresher.inference._pr_asymptotic import PR_INTERVAL_METHODS

SEED = 20240229


def main() -> None:
    part = 20 if "--quick" in sys.argv else 1
    start = time.process_time()
    print("# Coverage of bands and intervals\n")
    print("Written by `python benchmarks/coverage_bands.py > docs/validation/bands.md`; nominal level 95 %.")
    print(
        "Cases A to D are those of Hughes-Oliver (2018): two normals, a normal and a reflected lognormal, two betas, two"
    )
    print(
        "uniforms that overlap by half. Skew is the number of negatives per positive. With a random design the number of"
    )
    print(
        "positives is binomial and the target is the population's precision; with a fixed design it is the number that the"
    )
    print("skew asks for. The tests marked `slow` repeat the parts that are promised.\n")
    pointwise_tables(1000 // part)
    envelope_tables(400 // part)
    rectangle_table(100 // part)
    area_table(1000 // part)
    print(f"Processor time: {(time.process_time() - start) / 60:.0f} minutes on one core.")


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
    print(
        f"PR, fixed class counts, {replicates} replicates; in brackets the mean width, which is what the guarantee costs.\n"
    )
    print("| case | n | skew | equal-local-level | dkw |")
    print("|---|---|---|---|---|")
    for i, setting in enumerate(settings((1, 10), ("fixed",))):
        two = [simultaneous(setting, replicates, SEED + 300 + i, how) for how in ("equal-local-level", "dkw")]
        row = " | ".join(f"{100 * hit:.0f} ({width:.2f})" for hit, width in two)
        print(f"| {setting.case} | {setting.n} | {setting.skew} | {row} |", flush=True)
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
