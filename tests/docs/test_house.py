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
    assert len(private) < 20, "\n".join(f"{one.by} <- {one.module}.{one.name}" for one in private)


def test_nothing_imports_in_a_circle():
    assert house.cycles() == []


def test_a_circle_would_be_found(monkeypatch, tmp_path):
    folder = tmp_path / "thresher"
    folder.mkdir()
    (folder / "a.py").write_text("from thresher.b import x\n")
    (folder / "b.py").write_text("def f():\n    from thresher.a import y\n")
    monkeypatch.setattr(house, "SOURCE", folder)
    assert house.cycles() == [["thresher.a", "thresher.b"]]


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
