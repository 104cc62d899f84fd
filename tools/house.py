"""Print how the house stands: walls crossed, import cycles, long functions, complex ones, long signatures, lines.

    python tools/house.py            the table that stands in docs/contributing/architecture.md
    python tools/house.py --list     with every name behind each number
    python tools/house.py --walk     how often a call changes the file on the walk that page describes

A package has one door: what its `__init__` offers (a sub-package has its own). A name that another package takes from a
file behind the door is private; so is one that begins with an underscore. Every file of `_core` is a door, because it
is the floor on which all stand, and so are `exceptions` and `typing`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "thresher"
FLOOR = ("_core", "exceptions", "typing")
LONG, COMPLEX, VERY_COMPLEX, PARAMETERS = 60, 12, 20, 10


class Import(NamedTuple):
    """One name that one module takes from another."""

    by: str
    module: str
    name: str
    at_run_time: bool


def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    return _modules(SOURCE)


@cache
def _modules(source: Path) -> dict[str, Path]:
    found = {}
    for path in source.rglob("*.py"):
        parts = path.relative_to(source.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def package(module: str) -> str:
    """Return the room of a module: the first name below `thresher`."""
    return [*module.split("."), ""][1]


def imports() -> Iterator[Import]:
    """Give every name that a module of thresher takes from another one."""
    for module, path in modules().items():
        yield from _imports_of(module, path)


@cache
def _imports_of(module: str, path: Path) -> tuple[Import, ...]:
    nodes = list(ast.walk(_parsed(path)))
    typed = {id(node) for block in nodes if _is_for_types(block) for node in ast.walk(block)}
    return tuple(
        Import(module, str(node.module), one.name, id(node) not in typed)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "thresher"
        for one in node.names
    )


def _is_for_types(node: ast.AST) -> bool:
    test = node.test if isinstance(node, ast.If) else None
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


@cache
def offered(door: str) -> set[str]:
    """Return the names that a package's `__init__` takes from its files, which are what it offers."""
    tree = _parsed(modules()[door])
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def crossings() -> tuple[list[Import], list[Import]]:
    """Return the names that cross a wall, and those among them that do not come through a door."""
    known = modules()
    doors = {name for name, path in known.items() if path.name == "__init__.py"}
    across, private = [], []
    for one in imports():
        to = package(one.module)
        if to in ("", package(one.by), *FLOOR) or package(one.by) == "":
            continue
        across.append(one)
        behind = one.module not in doors or one.name not in offered(one.module)
        if behind or one.name.startswith("_"):
            private.append(one)
    return across, private


def cycles() -> list[list[str]]:
    """Return the groups of modules that import each other at run time."""
    known = modules()
    graph: dict[str, set[str]] = {name: set() for name in known}
    for one in imports():
        if one.at_run_time:
            inner = f"{one.module}.{one.name}"
            graph[one.by].add(inner if inner in known else one.module)
    # A package stands for its door here: files inside may import siblings through it only at their own risk.
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == name:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for name in sorted(graph):
        if name not in index:
            visit(name)
    return found


def functions() -> Iterator[tuple[str, int, int, int]]:
    """Give every function: where, lines without its docstring, branches, parameters."""
    for module, path in modules().items():
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
                lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
                taken = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                count = sum(one.arg not in ("self", "cls") for one in taken)
                yield f"{module}.{node.name}", lines, _complexity(node), count


def _complexity(function: ast.AST) -> int:
    """Return McCabe's number: one more than the places where the way forks."""
    forks = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.With, ast.IfExp, ast.comprehension, ast.Assert)
    total = 1
    for node in ast.walk(function):
        total += isinstance(node, forks)
        total += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return total


def table() -> list[tuple[str, int, list[str]]]:
    """Return what is counted, how many, and which."""
    across, private = crossings()
    every, circles = list(functions()), cycles()
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in modules().values())
    return [
        ("names that cross a wall", len(across), []),
        ("of them private", len(private), [f"{one.by} <- {one.module}.{one.name}" for one in private]),
        ("import cycles", len(circles), [", ".join(group) for group in circles]),
        (f"functions over {LONG} lines", *_over((name, size) for name, size, _, _ in every)(LONG)),
        (f"complexity over {COMPLEX}", *_over((name, forks) for name, _, forks, _ in every)(COMPLEX)),
        (f"complexity over {VERY_COMPLEX}", *_over((name, forks) for name, _, forks, _ in every)(VERY_COMPLEX)),
        (f"parameters over {PARAMETERS}", *_over((name, count) for name, _, _, count in every)(PARAMETERS)),
        ("lines of Python", lines, []),
    ]


def _over(figures: Iterator[tuple[str, int]]):  # type: ignore[no-untyped-def]  # a small tool
    kept = list(figures)

    def beyond(limit: int) -> tuple[int, list[str]]:
        found = [f"{name} ({figure})" for name, figure in kept if figure > limit]
        return len(found), found

    return beyond


def walk() -> tuple[int, int]:
    """Return how often calls change the file in `Scores(y, s).pr_auc().confidence_interval()`, and how many files."""
    import numpy as np

    import thresher

    installed = Path(thresher.__file__).parent
    labels, scores = np.tile([1, 0, 1, 0, 1, 1, 0, 0], 10), np.arange(80) * 0.37 % 1
    visited: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and Path(frame.f_code.co_filename).is_relative_to(installed):
            visited.append(frame.f_code.co_filename)

    # Once before: what is imported or made at the first call is no part of the way.
    thresher.Scores(labels, scores).pr_auc().confidence_interval()
    sys.setprofile(note)
    try:
        thresher.Scores(labels, scores).pr_auc().confidence_interval()
    finally:
        sys.setprofile(None)
    return sum(one != other for one, other in pairwise(visited)), len(set(visited))


def main() -> None:
    """Print the table."""
    if "--walk" in sys.argv:
        print("changes of file {}, files {}".format(*walk()))
        return
    for what, count, which in table():
        print(f"{what:28} {count:,}")
        if "--list" in sys.argv:
            for one in which:
                print(f"    {one}")


if __name__ == "__main__":
    main()
