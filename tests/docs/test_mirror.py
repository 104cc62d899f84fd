"""Every module has a test file of its name; those still without one are listed here, and the list only shrinks.

A module in which no function does anything (names imported from elsewhere, constants, a protocol) needs none.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "thresher"

# Tested through others so far. A module that gets a test file leaves this list; a new module never joins it.
WITHOUT: set[str] = set()


def expected(module: Path) -> Path:
    """Return where the tests of a module belong: the same folder under `tests`, without a leading underscore."""
    return ROOT / "tests" / module.parent / f"test_{module.stem.lstrip('_')}.py"


def does_something(source: str) -> bool:
    """Return whether a function has more of a body than a docstring or an ellipsis."""
    functions = (
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return any(
        not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for function in functions
        for part in function.body
    )


@cache
def modules() -> list[Path]:
    found = (path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
    return sorted(path.relative_to(SOURCE) for path in found if does_something(path.read_text()))


def test_what_needs_no_test_file():
    for quiet in ("A = 1", "from a import b", "class P:\n    def f(self): ...", 'class E(Exception):\n    """Told."""'):
        assert not does_something(quiet)
    for busy in (
        "def f(): return 1",
        "class C:\n    def f(self):\n        'x'\n        pass",
        "async def f(): await g()",
    ):
        assert does_something(busy)


def test_every_other_module_has_a_test_file_of_its_name():
    missing = {module.as_posix() for module in modules() if not expected(module).exists()}
    assert sorted(missing - WITHOUT) == [], "write these modules' tests in files of their names"


def test_the_list_of_exceptions_shrinks():
    there = {module.as_posix() for module in modules()}
    done = {name for name in WITHOUT if name not in there or expected(Path(name)).exists()}
    assert sorted(done) == [], "these have a test file by now, or are gone: take them off the list"
