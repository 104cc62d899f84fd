"""Every public name has a docstring with an example and a place in the reference."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import thresher

DOCS = Path(__file__).parents[2] / "docs"
MODULES = [
    "thresher",
    "thresher.config",
    "thresher.datasets",
    "thresher.exceptions",
    "thresher.integrations",
    "thresher.measures",
    "thresher.metrics",
    "thresher.planning",
    "thresher.plotting",
    "thresher.population",
    "thresher.queries",
    "thresher.results",
    "thresher.sklearn",
    "thresher.typing",
]

# What a `Measure` answers to the library, for those who write a new one; users call the names and objects.
MEASURE_PROTOCOL = {
    name for name in vars(thresher.measures.Measure) if not name.startswith("_")
} | {"band_ends", "of_rows", "of_blocks"}  # fmt: skip

# What a `Distribution` answers to the curves, for those who write a new one; users call cdf, sf, ppf, isf, pdf and
# support.
LAW_PROTOCOL = {
    "atoms", "breaks", "cdf_at", "draw", "end_mass", "ge_at", "isf_points", "leaves", "map", "mass_at", "pdf_at",
    "ppf_points", "rough_points", "sf_at", "tail",
}  # fmt: skip


def public_names() -> Iterator[tuple[str, str, object]]:
    """Give module, name and object of all that `__all__` lists, modules themselves left out."""
    for path in MODULES:
        module = importlib.import_module(path)
        for name in module.__all__:
            found = getattr(module, name)
            if not isinstance(found, ModuleType):
                yield path, name, found


def public_methods() -> Iterator[tuple[type, str, object]]:
    """Give class, name and function of the public methods that are written in thresher."""
    seen = set()
    for _, _, found in public_names():
        if not inspect.isclass(found) or found in seen:
            continue
        seen.add(found)
        for name in dir(found):
            if name.startswith("_"):
                continue
            owner = next(base for base in found.__mro__ if name in vars(base))
            function = inspect.getattr_static(found, name)
            function = getattr(function, "__func__", function)
            if owner.__module__.startswith("thresher") and inspect.isfunction(function):
                yield found, name, function


NAMES = list(public_names())
METHODS = [
    (owner, name, function)
    for owner, name, function in public_methods()
    if not (issubclass(owner, thresher.population.Distribution) and name in LAW_PROTOCOL)
    and not (issubclass(owner, thresher.measures.Measure) and name in MEASURE_PROTOCOL)
]
OBJECTS = {
    f"{path}.{name}": found
    for path, name, found in NAMES
    if (inspect.isclass(found) or inspect.isfunction(found)) and path != "thresher.typing"  # aliases, explained there
}


def has_example(found: object) -> bool:
    text = inspect.getdoc(found) or ""
    return re.search(r"^Examples\n-+\n.*>>> ", text, re.MULTILINE | re.DOTALL) is not None


def pages() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "reference").glob("*.md")))


def listed() -> set[str]:
    """Return the full names that the reference has a page or an entry for."""
    found = set(re.findall(r"^```\{py:data\} (\S+)", pages(), re.MULTILINE))
    for module, table in re.findall(r"\.\. currentmodule:: (\S+)\n\n\.\. autosummary::\n(.*?)```", pages(), re.DOTALL):
        found |= {f"{module}.{name}" for name in re.findall(r"^   ([\w.]+)$", table, re.MULTILINE)}
    return found


def test_everything_public_has_an_example():
    assert len(OBJECTS) > 150  # it looked
    assert [name for name, found in OBJECTS.items() if not has_example(found)] == [], "write an Examples section"


def test_every_method_has_an_example():
    assert len(METHODS) > 400
    without = [f"{owner.__name__}.{name}" for owner, name, function in METHODS if not has_example(function)]
    assert without == [], "write an Examples section"


def test_public_attributes_say_what_they_are():
    silent = [
        f"{owner.__name__}.{name}"
        for _, _, owner in NAMES
        if inspect.isclass(owner)
        for name in dir(owner)
        if not name.startswith("_")
        and isinstance(found := inspect.getattr_static(owner, name), property)
        and not inspect.getdoc(found)
    ]
    assert not silent


def test_every_name_has_a_place():
    places = listed()
    by_object = {id(found): f"{path}.{name}" for path, name, found in NAMES if f"{path}.{name}" in places}
    # What can be reached from `thresher` too needs one place only.
    missing = [
        f"{path}.{name}" for path, name, found in NAMES if f"{path}.{name}" not in places and id(found) not in by_object
    ]
    assert not missing, f"add to a table under docs/reference: {missing}"


def test_every_place_has_a_name():
    known = {f"{path}.{name}" for path, name, _ in NAMES}
    assert listed() <= known


def test_all_modules_are_looked_at():
    public = {name for name in thresher.__all__ if isinstance(getattr(thresher, name), ModuleType)}
    assert public <= {path.removeprefix("thresher.") for path in MODULES}
