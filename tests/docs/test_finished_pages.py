"""The check of finished pages that ends a build of the documentation."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXTENSION = Path(__file__).parents[2] / "docs" / "_ext" / "finished_pages.py"
faults = runpy.run_path(str(EXTENSION))["faults"]


@pytest.fixture
def site(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "style.css").write_text("p { background: url(paper.png) }")
    (tmp_path / "left.html").write_text('<a href="gone.html">from an older build</a>')
    (tmp_path / "other.html").write_text('<h2 id="here">Here</h2>')

    def write(body: str) -> list[str]:
        (tmp_path / "index.html").write_text(f'<link rel="stylesheet" href="_static/style.css?v=1">{body}')
        return faults(tmp_path, ["index", "other"])

    return write


def test_good_pages(site):
    body = '<a href="other.html#here">x</a> <a href="#">top</a> <a href="https://doi.org/10.1145/1143844.1143874">y</a>'
    assert site(body) == []


def test_what_is_loaded_from_elsewhere(site):
    assert site('<script src="https://cdn.example/x.js"></script>') == ["index.html loads https://cdn.example/x.js"]
    assert site('<img srcset="other.html 1x, //cdn.example/a.png 2x">') == ["index.html loads //cdn.example/a.png"]


def test_styles_are_looked_at(site, tmp_path):
    (tmp_path / "_static" / "font.css").write_text('@import "https://fonts.example/a.css";')
    assert site("") == ["_static/font.css loads https://fonts.example/a.css"]


@pytest.mark.parametrize("address", ["missing.html", "other.html#there", "#nowhere"])
def test_links_that_lead_nowhere(site, address):
    assert site(f'<a href="{address}">x</a>') == [f"index.html links to {address}"]
