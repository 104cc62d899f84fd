from __future__ import annotations

import runpy
from pathlib import Path

import pytest

bounds = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "lowest.py"))["bounds"]


def test_bounds_of_every_group_and_the_highest_of_several():
    project = {
        "name": "thing",
        "dependencies": ["numpy>=2.0", "some-thing>=1.10"],
        "optional-dependencies": {"a": ["some-thing[x,y]>=1.9", "other>=3"], "all": ["thing[a]"]},
    }
    assert bounds(project) == {"numpy": "2.0", "some-thing": "1.10", "other": "3"}


def test_a_dependency_without_a_bound_is_refused():
    with pytest.raises(SystemExit, match="'numpy' has no lower bound"):
        bounds({"name": "thing", "dependencies": ["numpy"], "optional-dependencies": {}})
