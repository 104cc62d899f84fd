"""matplotlib is loaded by the first drawing, and named when it is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import thresher as th


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("kind", ["RocCurveDisplay", "PrCurveDisplay", "LinkedDisplay"])
def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)

    class Absent:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name.split(".")[0] == "matplotlib":
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(sys, "meta_path", [Absent, *sys.meta_path])
    with pytest.raises(th.MissingDependencyError) as error:
        getattr(th.plotting, kind).from_predictions([0, 1], [1, 2])
    assert str(error.value) == (
        "A plot needs the library 'matplotlib', which is not installed. Hint: pip install 'thresher[plot]'."
    )
