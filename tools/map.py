"""Write AGENTS.md: every source file with the first line of its docstring, folder by folder, top layer first.

    tools/map.py            write it
    tools/map.py --check    say whether it is current, and change nothing

The words above the map are kept; a file without a docstring is an error.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = "<!-- tools/map.py writes what follows -->\n"


def line_of(path: Path) -> str:
    """Return what a file says it is, in its first line."""
    if path.suffix == ".py":
        source = path.read_text(encoding="utf-8")
        # What a file says is nearly always its beginning; to read all of it takes a second or two for all files.
        start, _, rest = source.partition('"""')
        text = rest.partition('"""')[0] if not start else ast.get_docstring(ast.parse(source)) or ""
    else:  # the comment at the top, below the line that names a script's interpreter
        rows = [row for row in path.read_text(encoding="utf-8").splitlines() if not row.startswith("#!")]
        mark = "//" if path.suffix in {".cpp", ".hpp", ".cu"} else "#"
        comment = takewhile(lambda row: row.startswith(mark), rows)
        text = " ".join(row.lstrip("#/ ") for row in comment).replace(". ", ".\n")
        if not text and path.with_suffix(".hpp").exists():
            text = f"What `{path.stem}.hpp` declares."
    if not text.strip():
        raise SystemExit(f"{path.relative_to(ROOT)} does not say what it is: give it a docstring")
    return text.strip().splitlines()[0]


def layers() -> list[str]:
    """Return the packages in the order of the layers, highest first, as pyproject.toml has it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (rows,) = (contract["layers"] for contract in contracts if contract["id"] == "layers")
    return [name.strip(" ()") for row in rows for name in row.replace("|", ":").split(":")]


def source_map() -> str:
    """Return the map: one line a file."""
    package = ROOT / "src" / "thresher"
    order = {name: place for place, name in enumerate(layers())}
    parts = []

    def section(title: str, files: list[Path], top: Path) -> None:
        lines = [f"* `{path.relative_to(top).as_posix()}`: {line_of(path)}" for path in sorted(files)]
        parts.append(f"### {title}\n\n" + "\n".join(lines) + "\n")

    section("src/thresher", [path for path in package.glob("*.py") if path.stem not in order], package)
    folders = [path for path in package.iterdir() if (path / "__init__.py").exists()]
    for folder in sorted(folders, key=lambda path: (order.get(path.name, -1), path.name)):
        section(f"src/thresher/{folder.name}", sources(folder), folder)
    for name in ("exceptions", "typing"):
        if (package / f"{name}.py").exists():
            parts[-1] += f"\n### src/thresher/{name}.py\n\n* {line_of(package / f'{name}.py')}\n"
    for title in ("src/_thresher_command", "tests/support", "tools", ".ci", "benchmarks"):
        if (ROOT / title).is_dir():  # the source distribution has no `.ci`
            section(title, sources(ROOT / title), ROOT / title)
    return "\n".join(parts)


def sources(folder: Path) -> list[Path]:
    """Return the source files below a folder; an empty `__init__.py` only makes a package."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix in {".py", ".cpp", ".hpp", ".cu", ""}]
    return [path for path in found if path.name != "__init__.py" or path.stat().st_size > 0]


def whole() -> str:
    """Return AGENTS.md as it should be."""
    head = (ROOT / "AGENTS.md").read_text(encoding="utf-8").partition(MARK)[0]
    return head + MARK + "\n" + source_map()


if __name__ == "__main__":
    current = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    wanted = whole()
    if "--check" in sys.argv[1:]:
        sys.exit(None if current == wanted else "AGENTS.md is not current. Run tools/map.py.")
    (ROOT / "AGENTS.md").write_text(wanted, encoding="utf-8")
