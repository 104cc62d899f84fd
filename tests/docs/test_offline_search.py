"""The words that search shows where nothing can be fetched."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXTENSION = Path(__file__).parents[2] / "docs" / "_ext" / "offline_search.py"


def test_words_of_the_main_part_alone():
    pytest.importorskip("sphinx", reason="the documentation's builder, of the `docs` extra, is not installed")
    words_of = runpy.run_path(str(EXTENSION))["words_of"]
    page = (
        "<nav>menu</nav><main role='main'><article><h1>Ties<a class='headerlink' href='#x'>#</a></h1>"
        "<p>Equal <b>scores</b>"
        "<br> are one &amp; the same.</p><script>no()</script><img alt='x'></article></main><footer>made by</footer>"
    )
    assert words_of(page) == "Ties Equal scores are one & the same."
