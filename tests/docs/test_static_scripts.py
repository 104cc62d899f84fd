"""The small scripts of the site: what is copied of a block of code, and which pages search shows first."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "docs" / "_static"
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def evaluated(script: str, expression: str) -> object:
    text = f"globalThis.window = {{}};\n{(STATIC / script).read_text()}\nconsole.log(JSON.stringify({expression}))"
    done = subprocess.run(["node", "-e", text], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("block", "copied"),
    [
        (">>> for k in range(2):\n...     print(k)\n0\n1\n>>> x\n3\n", "for k in range(2):\n    print(k)\nx"),
        ("$ thresher auc a.csv\nmodel  value\n$ echo $?\n", "thresher auc a.csv\necho $?"),
        ("import thresher as th\n\nth.scan('a.csv')\n", "import thresher as th\n\nth.scan('a.csv')"),
    ],
)
def test_prompts_and_output_are_not_copied(block, copied):
    assert evaluated("copy-button.js", f"window.codeOf({json.dumps(block)})") == copied


def test_guides_come_before_decisions():
    pages = [
        "decisions/0005-compiled-core",
        "contributing/kernels",
        "reference/scores",
        "guides/install",
        "validation/areas",
    ]
    results = json.dumps([[page, "", "", None, 15, ""] for page in pages])
    order = evaluated(
        "search-scorer.js", f"{results}.sort((a, b) => Scorer.score(b) - Scorer.score(a)).map((one) => one[0])"
    )
    assert order == ["guides/install", "reference/scores", "validation/areas", "contributing/kernels", pages[0]]
