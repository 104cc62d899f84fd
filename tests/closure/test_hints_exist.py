"""Every hint in the source: the functions, methods, commands and options that it names are there."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import thresher as th
import thresher.sklearn
from thresher.cli._app import app

SOURCE = Path(th.__file__).parent
NAMESPACES = [th, th.metrics, th.planning, th.datasets, th.sklearn, th.measures, th.plotting, th.results, th.population]


def texts(node: ast.AST) -> str:
    """Return the text of a string or an f-string, with a mark for each inserted value."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join("\0" if isinstance(part, ast.FormattedValue) else texts(part) for part in node.values)
    return ""


def hints() -> Iterator[tuple[str, str]]:
    """Yield where each piece of code in a hint stands, and the code."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = texts(node)
            if "Hint:" not in text or "\n" in text:
                continue
            for code in re.findall(r"`([^`]+)`", text.partition("Hint:")[2]):
                if "\0" not in code:
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", code


@cache
def keywords() -> frozenset[str]:
    """Return the names of all arguments of public functions, methods and commands."""
    found = set()
    for space in NAMESPACES:
        for name in dir(space):
            one = getattr(space, name)
            members = [one, *(getattr(one, part, None) for part in dir(one) if not part.startswith("_"))]
            for member in members if inspect.isclass(one) else [one]:
                if callable(member):
                    try:
                        found |= set(inspect.signature(member).parameters)
                    except (TypeError, ValueError):
                        continue
    return frozenset(found)


def exists(code: str) -> bool | None:
    """Return whether what a piece of code names exists; None if it names nothing of this library."""
    if match := re.match(r"(?:th|thresher)\.([\w.]+)", code):
        one: object = th
        for name in match[1].rstrip(".").split("."):
            one = getattr(one, name, None)
            if one is None:
                return False
        return True
    if match := re.match(r"(?:scores|Scores|table|tuning|point)\.(\w+)", code):
        return any(hasattr(one, match[1]) for one in (th.Scores, th.results.OperatingPoint))
    if match := re.match(r"thresher ([a-z-]+)", code):
        return match[1] in {name for name in app if not name.startswith("-")}
    if match := re.match(r"(\w+)=", code):
        measures = {name for metric in th.measures.names() for name in (f"min_{metric}", f"max_{metric}")}
        return match[1] in keywords() | measures
    return None


HINTS = sorted({(code, place) for place, code in hints() if exists(code) is not None})


def test_there_are_many():
    assert len(HINTS) > 60


@pytest.mark.parametrize(("code", "place"), HINTS, ids=[f"{place}: {code}" for code, place in HINTS])
def test_what_a_hint_names_exists(code, place):
    assert exists(code), f"{place} names `{code}`"
