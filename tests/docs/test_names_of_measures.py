"""Only `measures` knows measures by their names."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_other_package_compares_the_name_of_a_measure():
    asks = re.compile(r"""\b(?:metric|measure\.name|measure\.title)\s*(?:==|!=|in|not in)\s*[("']""")
    files = [path for path in sorted((ROOT / "src" / "thresher").rglob("*.py")) if "measures" not in path.parts]
    assert len(files) > 100
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if asks.search(line) and ">>>" not in line
    ]
    assert found == []
