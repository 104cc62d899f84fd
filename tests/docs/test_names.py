"""The documentation names only what exists: public names, their keywords, commands, and pages that links lead to."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import thresher as th
from thresher.cli._app import app

ROOT = Path(__file__).parents[2]
# Written by a build, not by hand.
GENERATED = ("docs/_build/", "docs/auto_gallery/", "docs/reference/generated/", "docs/papers/")
# `scores.csv` is a file, and PRROC calls its arguments `scores.class0` and `scores.class1`.
NOT_OURS = {"csv", "txt", "tsv", "npz", "json", "parquet", "html", "class0", "class1"}
UNKNOWN = object()


def pages() -> list[Path]:
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if not str(page.relative_to(ROOT)).startswith(GENERATED)]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    """Return a page without its fenced blocks: the examples in them are run."""
    return re.sub(r"^(`{3,}|~{3,}).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def code_spans(page: Path) -> list[str]:
    return [span.strip() for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", prose(page))]


def has(owner: Any, name: str) -> bool:
    if hasattr(owner, name):
        return True
    return inspect.isclass(owner) and any(name in getattr(c, "__annotations__", {}) for c in owner.__mro__)


def attribute(owner: Any, name: str) -> Any:
    """Return what a name of an object is, or the class that its annotation promises; raise if there is no such name."""
    if isinstance(owner, ModuleType) and not hasattr(owner, name):
        return import_module(f"{owner.__name__}.{name}")
    if not has(owner, name):
        raise AttributeError(f"{getattr(owner, '__name__', owner)} has no {name!r}")
    if not inspect.isclass(owner):
        return getattr(owner, name)
    found = inspect.getattr_static(owner, name, UNKNOWN)
    if isinstance(found, classmethod | staticmethod):
        return getattr(owner, name)
    if isinstance(found, property):
        return returned(found.fget, owner)
    return found if callable(found) else UNKNOWN


def returned(function: Any, owner: Any = None) -> Any:
    """Return the class that a call gives, as far as its annotation says."""
    if inspect.isclass(function):
        return function
    try:
        kind = typing.get_type_hints(function).get("return")
    except (NameError, TypeError):  # an annotation that only a type checker can resolve
        return UNKNOWN
    if kind is typing.Self:
        kind = owner if owner is not None else getattr(function, "__self__", None)
    return kind if inspect.isclass(kind) and kind.__module__.startswith("thresher") else UNKNOWN


def check_keywords(function: Any, names: list[str]) -> None:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        return
    for name in names:
        if name not in parameters:
            raise AttributeError(f"{getattr(function, '__name__', function)} has no parameter {name!r}")


def resolve(node: ast.expr) -> Any:
    """Return what an expression is, or UNKNOWN; raise where it names something that does not exist."""
    if isinstance(node, ast.Name):
        return {"th": th, "thresher": th, "scores": th.Scores}.get(node.id, UNKNOWN)
    if isinstance(node, ast.Attribute):
        owner = resolve(node.value)
        return UNKNOWN if owner is UNKNOWN or node.attr in NOT_OURS else attribute(owner, node.attr)
    if isinstance(node, ast.Call):
        function = resolve(node.func)
        if function is UNKNOWN or not callable(function):
            return UNKNOWN
        check_keywords(function, [keyword.arg for keyword in node.keywords if keyword.arg])
        owner = resolve(node.func.value) if isinstance(node.func, ast.Attribute) else None
        return returned(function, owner if inspect.isclass(owner) else None)
    return UNKNOWN


def check_span(span: str) -> bool:
    """Check the names in a piece of code; return whether there were any of ours."""
    try:
        tree: ast.AST = ast.parse(span)
    except SyntaxError:
        # Not Python, such as a line of R beside a name of ours: what looks like a dotted name is checked alone.
        dotted = re.findall(r"(?<![\w.])(?:th|thresher|scores)(?:\.[A-Za-z_]\w*)+", span)
        return sum(check_span(name) for name in dotted) > 0
    found = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Call):
            found = resolve(node) is not UNKNOWN or found
    return found


def documented() -> Iterator[tuple[str, str]]:
    for page in pages():
        for span in code_spans(page):
            if not span.startswith("thresher ") and re.search(r"(?<![\w.])(th|thresher|scores)\.", span):
                yield named(page), span


def test_names_in_the_documentation_exist():
    wrong, checked = [], 0
    for page, span in documented():
        try:
            checked += check_span(span)
        except (AttributeError, ModuleNotFoundError) as error:
            wrong.append(f"{page}: `{span}`: {error}")
    assert not wrong, "\n".join(wrong)
    assert checked > 100


@pytest.mark.parametrize(
    "span",
    [
        "th.scors",
        "thresher.sklearn.by_groups",
        "scores.roc_aux()",
        "scores.roc_auc().valeu",
        "scores.roc().at(threshold=1).precisionn",
        "scores.partial_roc_auc(fpt=(0, 0.1))",
        "th.Population(a, b).sampel(9)",
        "th.tune(tuning).evaluate(test).pr_acu()",
        "th.Scores.from_pos_neg(a, b, weight=c)",
        "best.weights = th.nothing",
    ],
)
def test_wrong_names_are_found(span):
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        check_span(span)


def commands(page: Path) -> list[str]:
    spans = [span for span in code_spans(page) if span.startswith("thresher ")]
    lines = re.findall(r"^\s*(?:\$ )(thresher .*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [text.split()[1] for text in spans + lines]


def test_commands_in_the_documentation_exist():
    known = set(app)
    found = {(named(page), word) for page in pages() for word in commands(page)}
    found = {(page, word) for page, word in found if not word.startswith("-") and word != "COMMAND"}
    assert {word for _, word in found} >= {"auc", "report"}
    assert [(page, word) for page, word in found if word not in known] == []


def targets(page: Path) -> list[str]:
    """Return the relative links and pictures of a page."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [link for link in found if not re.match(r"[a-z]+:|#", link)]


def slug(heading: str) -> str:
    kept = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", ""))
    return kept.strip().replace(" ", "-")


def test_links_between_pages_lead_somewhere():
    wrong, checked = [], 0
    for page in pages():
        for link in targets(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve()
            where = str(target.relative_to(ROOT))
            checked += 1
            if where.startswith(GENERATED):
                continue
            if not target.exists():
                wrong.append(f"{named(page)}: {link}")
            elif anchor and target.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", prose(target), flags=re.MULTILINE)
                if anchor not in {slug(heading) for heading in headings}:
                    wrong.append(f"{named(page)}: {link} has no such heading")
    assert not wrong, "\n".join(wrong)
    assert checked > 30
