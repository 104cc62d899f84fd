"""Write `src/thresher/_core/gauss_legendre.py`: the 40-point Gauss-Legendre rule on [0, 1].

The rules of NumPy and SciPy carry weights good to about 1e-12, which would show in the variance of the AUC at a fixed
number of errors. Here nodes and weights are found with 60 digits and rounded once.

Run `python tools/gauss_legendre.py` (needs mpmath); the file it writes is kept in the repository.
"""

from __future__ import annotations

from pathlib import Path

import mpmath as mp

POINTS = 40
TARGET = Path(__file__).resolve().parents[1] / "src" / "thresher" / "inference" / "_gauss_legendre.py"
HEAD = '''"""The {points}-point Gauss-Legendre rule on [0, 1], each number the double nearest to its 60-digit value.

Written by `tools/gauss_legendre.py`; do not edit. Element i of `WEIGHTS` belongs to element i of `NODES`; nodes ascend.
"""

import numpy as np

__all__ = ["NODES", "WEIGHTS"]

'''


def rule(points: int) -> list[tuple[mp.mpf, mp.mpf]]:
    """Return (node, weight) pairs on [0, 1] with 60 digits, nodes ascending."""
    pairs = []
    for i in range(1, points + 1):
        x = mp.cos(mp.pi * (i - mp.mpf(1) / 4) / (points + mp.mpf(1) / 2))
        for _ in range(12):
            before, value = mp.mpf(1), x
            for j in range(2, points + 1):
                before, value = value, ((2 * j - 1) * x * value - (j - 1) * before) / j
            slope = points * (x * value - before) / (x * x - 1)
            x -= value / slope
        pairs.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return sorted(pairs)


def main() -> None:
    """Write the module."""
    mp.mp.dps = 60
    pairs = rule(POINTS)
    text = HEAD.format(points=POINTS)
    for name, column in (("NODES", 0), ("WEIGHTS", 1)):
        text += f"{name} = np.array(\n    [\n"
        text += "".join(f"        {float(pair[column])!r},\n" for pair in pairs)
        text += "    ]\n)\n"
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
