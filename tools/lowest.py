"""Print a constraint `name==bound` for every dependency that pyproject.toml declares, extras included.

tools/lowest.py [pyproject.toml]
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def bounds(project: dict[str, object]) -> dict[str, str]:
    """Return the highest lower bound of each dependency, by name."""
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    found: dict[str, str] = {}
    for requirement in (line for group in groups for line in group):
        name, bound = re.fullmatch(r"([\w-]+)(?:\[[\w,]+\])?(?:>=([\d.]+))?", requirement).groups()
        if name == project["name"]:
            continue
        if bound is None:
            raise SystemExit(f"{requirement!r} has no lower bound")
        found[name] = max(found.get(name, bound), bound, key=lambda text: [int(part) for part in text.split(".")])
    return found


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "pyproject.toml"
    with path.open("rb") as file:
        declared = tomllib.load(file)["project"]
    print("\n".join(f"{name}=={bound}" for name, bound in sorted(bounds(declared).items())))
