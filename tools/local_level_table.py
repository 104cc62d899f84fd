"""Compute src/thresher/_inference/bands/local_level_table.py: `python tools/local_level_table.py > that file`.

Takes about ten minutes on one core.
"""

import math
import sys

import numpy as np

from thresher._inference.order_bounds import _log_rate

SIZES = (700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000, 30_000, 50_000, 100_000)
LOG_LOCAL_LEVELS = tuple(float(v) for v in np.linspace(math.log(1e-6), math.log(0.05), 14).round(6))


def main() -> None:
    """Write the module."""
    out = sys.stdout
    out.write('"""Local levels of simultaneous bounds of order statistics, computed by tools/local_level_table.py.\n\n')
    out.write(
        "Element i of row r of `LOG_RATES` is log(-log P) with P the probability that all `SIZES[r]` bounds hold\n"
    )
    out.write("at the local level exp(`LOG_LOCAL_LEVELS[i]`).\n")
    out.write('"""\n\nfrom __future__ import annotations\n\n')
    out.write("# fmt: off\n")
    out.write(f"SIZES = {SIZES}\n")
    out.write("LOG_LOCAL_LEVELS = (\n")
    for value in LOG_LOCAL_LEVELS:
        out.write(f"    {value!r},\n")
    out.write(")\nLOG_RATES = (\n")
    for size in SIZES:
        row = ", ".join(f"{_log_rate(size, value):.6f}" for value in LOG_LOCAL_LEVELS)
        half = row.find(", ", len(row) // 2) + 2
        out.write(f"    ({row[:half].strip()}\n     {row[half:]}),\n")
        out.flush()
    out.write(")\n")


if __name__ == "__main__":
    main()
