"""Print a table of what the tests reach, package by package, from the JSON report of coverage.

tools/coverage_table.py coverage.json
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path, PurePath


def table(report: dict[str, dict[str, dict[str, dict[str, int]]]]) -> list[tuple[str, int, float, float]]:
    """Return package, lines, share of lines and share of branches reached, by package."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, file in report["files"].items():
        parts = PurePath(name).parts
        inside = parts[len(parts) - parts[::-1].index("thresher") :]
        package = inside[0] if len(inside) > 1 else "thresher"
        found = file["summary"]
        for place, key in enumerate(("num_statements", "covered_lines", "num_branches", "covered_branches")):
            counts[package][place] += found[key]
    return [
        (package, lines, hit / max(lines, 1), taken / branches if branches else 1.0)
        for package, (lines, hit, branches, taken) in sorted(counts.items())
    ]


if __name__ == "__main__":
    found = table(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("| package | lines | reached | branches reached |\n|---|---|---|---|")
    for package, lines, hit, taken in found:
        # Rounded down: 100% is said only of all.
        print(f"| `{package}` | {lines} | {int(hit * 1000) / 10:g}% | {int(taken * 1000) / 10:g}% |")
