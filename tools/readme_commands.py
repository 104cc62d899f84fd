#!/usr/bin/env python3
"""Print the commands under "Two commands" in README.md, one a line, as `.ci/run` runs them.

    tools/readme_commands.py [README.md]

A command is an indented block; a block of several lines is one command, joined as a shell would read it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEADING = "## Two commands"


def commands(text: str) -> list[str]:
    """Return the indented blocks of the section, each as one line."""
    section = text.split(f"\n{HEADING}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"(?:^ {4}\S.*\n?)+", section, flags=re.MULTILINE)
    return ["; ".join(line.strip() for line in block.strip().splitlines()) for block in blocks]


if __name__ == "__main__":
    readme = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "README.md"
    print("\n".join(commands(readme.read_text(encoding="utf-8"))))
