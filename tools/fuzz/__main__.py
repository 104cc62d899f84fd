"""Run targets for a time or a number of cases, and print totals.

    python -m tools.fuzz                                   # every target for a minute each
    python -m tools.fuzz scalars files --minutes 10
    python -m tools.fuzz kernels --seed 17 --cases 1       # one case again

A case that fails prints its target and seed and goes on, so that one run finds several; the exit code then is 1. The
seed under way stands in the file named by --at, for a case that ends the process.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

TARGETS = ("kernels", "changing", "constructors", "scalars", "files", "commands")
"""Modules beside this one, each with `case(rng)`; imported when they run, for they need different things."""


def run(target: str, first: int, *, minutes: float, cases: int | None, at: Path | None) -> dict[str, object]:
    """Run one target from a seed on."""
    case = importlib.import_module(f"tools.fuzz.{target}").case
    start, seed, calls, found = time.monotonic(), first, 0, []
    while time.monotonic() - start < 60 * minutes and (cases is None or seed - first < cases):
        if at is not None:
            at.write_text(f"{target} {seed}\n")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                calls += case(np.random.default_rng(seed))
        except KeyboardInterrupt:
            break
        except BaseException:
            sys.stderr.write(f"--- {target} {seed}\n{traceback.format_exc(limit=-6)}\n")
            found.append(seed)
        seed += 1
    minutes_taken = round((time.monotonic() - start) / 60, 2)
    return {"target": target, "seeds": seed - first, "cases": calls, "minutes": minutes_taken, "found": found}


def main() -> int:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="all of them if none is named")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at", type=Path)
    given = parser.parse_args()
    failed = False
    for target in given.targets or TARGETS:
        total = run(target, given.seed, minutes=given.minutes, cases=given.cases, at=given.at)
        failed = failed or bool(total["found"])
        print(json.dumps(total), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
