"""Each script of the gallery runs by itself and draws something that can be read."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import pytest

from support.thorough import dear

matplotlib = pytest.importorskip("matplotlib")
GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
SCRIPTS = sorted(GALLERY.glob("plot_*.py"))


@pytest.fixture
def figures():
    """Give a function that runs a script without a window and returns its figures; they are closed afterwards."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def run(script):
        runpy.run_path(str(script))
        drawn = [plt.figure(number) for number in plt.get_fignums()]
        for figure in drawn:
            figure.canvas.draw()
        return drawn

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.use("Agg")
        plt.close("all")  # what other tests of this process left open
        yield run
        plt.close("all")


def test_there_are_scripts():
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize("script", dear(SCRIPTS, 4), ids=lambda path: path.stem)
def test_runs(script, figures):
    drawn = figures(script)
    assert drawn
    for ax in (ax for figure in drawn for ax in figure.axes):
        assert ax.get_xlabel(), "an axis without a name"
        assert ax.has_data()
        covered = overlaps(ax)
        assert not covered


def overlaps(ax) -> list[tuple[str, str]]:
    """Return the texts, and the legend, that cover each other."""
    boxes = [(text.get_text(), text.get_window_extent()) for text in ax.texts if text.get_text()]
    if ax.get_legend() is not None:
        boxes.append(("the legend", ax.get_legend().get_window_extent()))
    return [
        (name, other) for i, (name, box) in enumerate(boxes) for other, second in boxes[i + 1 :] if box.overlaps(second)
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_begins_with_a_title_and_words(script):
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
    title, rule, empty, *words = text.splitlines()
    assert rule == "=" * len(title)
    assert not empty
    assert len(" ".join(words)) > 80
