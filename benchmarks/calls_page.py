"""The page of the results of `python -m benchmarks`: nothing on it is written by hand."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs/benchmarks/calls.json"
PAGE = ROOT / "docs/benchmarks/calls.md"
MANY = 100
"""Counts from which on a call is listed by name."""
# Why a call may take long, by what its name holds; the first that fits.
WHY = (
    ("permutation", "2,000 exchanges of the models' scores, and 2,000 resamples for the standard error"),
    ("bootstrap(", "2,000 resamples of the rows"),
    ("compare(", "2,000 resamples of the rows, or 2,000 tests of a threshold"),
    ("compare_unpaired(", "2,000 resamples of the rows"),
    ("gate(", "2,000 resamples of the rows"),
    ("confidence_interval", "2,000 resamples of the rows"),
    ("standard_error", "2,000 resamples of the rows"),
    (".band", "resamples of a whole curve"),
    ("optimism", "resamples, each with its own threshold"),
    ("interval", "resamples, or a profile of the likelihood"),
    ("calibration.test", "999 simulated sets of labels"),
    ("logistic", "a profile likelihood: fits for each end of the interval"),
    ("to_", "text or objects for every point of a curve"),
)


def why(name: str) -> str:
    """Return why a call may take long."""
    return next((reason for part, reason in WHY if part in name), "")


def page(found: dict[str, Any]) -> str:
    """Return the page."""
    sizes = sorted(map(int, found["count"]))
    seconds = {
        name: {int(n): one for n, one in cell.items() if isinstance(one, float)}
        for name, cell in found["seconds"].items()
    }
    middle = 100_000 if 100_000 in sizes else sizes[-1]
    lines = [
        "# Every call",
        "",
        f"`python -m benchmarks{found.get('options', '')}` times public calls, found by introspection, against one",
        "count of the same rows (`th.Scores(y, s)` with its columns), by processor time, and writes this page.",
        "",
        f"Commit {found['commit']}, {found['date']}, {found['machine']}.",
        "",
        "| rows | one count, ms |",
        "|---:|---:|",
        *(f"| {n:,} | {1e3 * found['count'][str(n)]:.3g} |" for n in sizes),
        "",
    ]
    if found.get("beside"):
        lines += [
            "## Beside a peer",
            "",
            "| work | rows | peer | peer, ms | thresher, ms | peer / thresher |",
            "|---|---:|---|---:|---:|---:|",
        ]
        lines += [
            f"| {one['work']} | {one['rows']:,} | {one['peer']} | {1e3 * one['theirs']:.3g} | "
            f"{1e3 * one['ours']:.3g} | {one['theirs'] / one['ours']:.3g} |"
            for one in found["beside"]
        ]
        lines.append("")
    long = sorted(
        ((cell[middle] / found["count"][str(middle)], name) for name, cell in seconds.items() if middle in cell),
        reverse=True,
    )
    slow = [(counts, name) for counts, name in long if counts > MANY]
    lines += [
        f"## Above {MANY} counts at {middle:,} rows",
        "",
        f"{len(slow)} of the {len(long)} calls that were timed.",
        "",
        "| call | counts | seconds | why |",
        "|---|---:|---:|---|",
        *(f"| `{name}` | {counts:,.0f} | {seconds[name][middle]:.3g} | {why(name)} |" for counts, name in slow),
        "",
    ]
    grown = sorted(_fast_growing(seconds, sizes), reverse=True)
    if grown:
        lines += [
            "## Growing faster than n log n",
            "",
            "| call | from, rows | to, rows | times n log n |",
            "|---|---:|---:|---:|",
            *(f"| `{name}` | {a:,} | {b:,} | {times:.2g} |" for times, name, a, b in grown),
            "",
        ]
    return "\n".join(lines)


def _fast_growing(seconds: dict[str, dict[int, float]], sizes: list[int]) -> list[tuple[float, str, int, int]]:
    """Return calls of at least a hundredth of a second that grow by more than 1.5 times n log n between two sizes."""
    out = []
    for name, cell in seconds.items():
        for a, b in pairwise(sizes):
            if a >= 10_000 and a in cell and b in cell and cell[a] >= 0.01:
                times = cell[b] / cell[a] / (b * math.log(b) / (a * math.log(a)))
                if times > 1.5:
                    out.append((times, name, a, b))
    return out


def write() -> None:
    """Write the page from the results."""
    PAGE.write_text(page(json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    write()
