"""The rooms of the house: doors, circles, and names that only measures may ask for."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("house", ROOT / "tools" / "house.py")
house = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(house)


def test_few_private_names_cross_a_wall():
    across, private = house.crossings()
    assert len(across) > 300  # it looked
    assert len(private) <= 4, "\n".join(f"{one.by} <- {one.module}.{one.name}" for one in private)


def test_few_functions_are_long_or_forked():
    """These only ever go down: who brings one below may lower its number here."""
    most = {
        "functions over 60 lines": 0,
        "complexity over 12": 1,
        "complexity over 20": 0,
        "parameters over 10": 12,
    }
    found = {what: (count, which) for what, count, which in house.table()}
    assert {what: found[what][1] for what in most if found[what][0] > most[what]} == {}


def test_a_fork_is_counted():
    source = "def f(x):\n    if x and (x > 1 or x < 0):\n        return [y for y in x]\n    return 1 if x else 2\n"
    assert house._complexity(house.ast.parse(source).body[0]) == 6


def test_nothing_imports_in_a_circle():
    assert house.cycles() == []


def test_a_circle_would_be_found(monkeypatch, tmp_path):
    folder = tmp_path / "thresher"
    folder.mkdir()
    (folder / "a.py").write_text("from thresher.b import x\n")
    (folder / "b.py").write_text("def f():\n    from thresher.a import y\n")
    monkeypatch.setattr(house, "SOURCE", folder)
    assert house.cycles() == [["thresher.a", "thresher.b"]]


def test_the_walk_stays_short():
    changes, files = house.walk()
    assert 20 < changes <= 85
    assert 10 < files <= 22


def test_nobody_outside_measures_asks_for_a_name():
    """No comparison of a metric's name, or of a title, with a literal."""
    asks = re.compile(r"""\b(?:metric|measure\.name|measure\.title)\s*(?:==|!=|in|not in)\s*[("']""")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / "src" / "thresher").rglob("*.py"))
        if "measures" not in path.parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if asks.search(line) and ">>>" not in line
    ]
    assert found == []
