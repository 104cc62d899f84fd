"""The files around the code: citation, templates, links between them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_citation_is_valid():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert all("name" in author or "family-names" in author for author in citation["authors"])
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= reference.keys()
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert citation["version"] == version[1]
    assert citation["license"] == "BSD-3-Clause"


FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_issue_forms_are_valid(path):
    yaml = pytest.importorskip("yaml")
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    ids = [item["id"] for item in form["body"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "AGENTS.md"])
def test_links_lead_to_files(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    missing = [target for target in targets if not (ROOT / target).exists()]
    assert not missing


def test_the_speed_in_the_readme_is_that_of_the_benchmark():
    page = (ROOT / "docs" / "benchmarks" / "peers.md").read_text(encoding="utf-8")
    row = re.search(r"^\| AUC \| 1e\+07 \| scikit-learn \|[^|]+\|[^|]+\| (\d+) \| ([\d.]+) \|", page, re.MULTILINE)
    assert row
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        f"{row[1]} times as fast as in scikit-learn on two cores, {float(row[2]):.0f} times in processor time" in readme
    )


def test_decisions_are_numbered_without_gaps():
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    numbers = [int(path.name[:4]) for path in records]
    assert numbers == list(range(1, len(records) + 1))
    for number, path in zip(numbers, records, strict=True):
        assert path.read_text(encoding="utf-8").startswith(f"# {number}. "), path.name


# A source distribution has no `.ci`.
SCRIPTS = [path for folder in ("tools", ".ci") for path in sorted((ROOT / folder).glob("*")) if path.is_file()]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_name_files_that_are_there(script):
    text = script.read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w/.])(?:tests|tools|benchmarks|docs/contributing)(?:/[a-z_]+(?:\.[a-z]+)?)+", text)
    named += [name.replace(".", "/") for name in re.findall(r"-m ((?:tools|benchmarks|papers)[a-z_.]*)", text)]
    assert [path for path in named if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()] == []


def test_a_script_that_is_not_there_would_be_noticed():
    assert (ROOT / "tools" / "fuzz").exists()
    assert not (ROOT / "tools" / "fuzz_kernels.py").exists()
