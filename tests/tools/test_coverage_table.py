from __future__ import annotations

import runpy
from pathlib import Path

table = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "coverage_table.py"))["table"]


def file(lines, hit, branches=0, taken=0):
    keys = ("num_statements", "covered_lines", "num_branches", "covered_branches")
    return {"summary": dict(zip(keys, (lines, hit, branches, taken), strict=True))}


def test_files_add_up_by_package():
    files = {
        "src/thresher/__init__.py": file(2, 2),
        "src/thresher/measures/_a.py": file(10, 9, 4, 3),
        "/x/thresher/src/thresher/measures/deep/_b.py": file(10, 10, 4, 4),
        "src/thresher/_curves/_c.py": file(0, 0),
    }
    wanted = [("_curves", 0, 0.0, 1.0), ("measures", 20, 0.95, 7 / 8), ("thresher", 2, 1.0, 1.0)]
    assert table({"files": files}) == wanted
