"""The committed script and style are what their sources give, and small."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "js"
ASSETS = ROOT / "src" / "thresher" / "_report" / "_assets"


def test_the_bundle_is_small_and_cannot_close_its_element():
    script = (ASSETS / "report.js").read_text(encoding="utf-8")
    style = (ASSETS / "report.css").read_text(encoding="utf-8")
    assert len(script.encode()) <= 180_000
    assert "</script" not in script.lower()
    assert "<!--" not in script
    assert "</style" not in style.lower()
    for word in ("eval(", "new Function", "document.write", "fetch(", "XMLHttpRequest", "WebSocket"):
        assert word not in script


def test_the_sources_never_turn_text_into_markup():
    for path in sorted((SOURCES / "src").glob("*.ts")):
        text = path.read_text(encoding="utf-8")
        for word in (".html(", "innerHTML", "outerHTML", "insertAdjacentHTML", "setHTML", "srcdoc"):
            assert word not in text, path.name


def test_every_module_in_the_bundle_has_its_licence_beside_it():
    text = (ASSETS / "LICENSES.txt").read_text(encoding="utf-8")
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    for name in ("d3-scale", "d3-shape", "d3-axis", "d3-selection"):
        assert f"== {name} {package['dependencies'][name]} (ISC)" in text
    assert text.count("Permission to use, copy, modify, and/or distribute this software") == text.count("== ")


def test_versions_are_exact():
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    for versions in (package["dependencies"], package["devDependencies"]):
        assert all(version[0].isdigit() for version in versions.values())


def _installed(folder: Path) -> None:
    """Bring the tools into a copy of the sources, from a folder that has them or from the registry."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are needed to rebuild the bundle")
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("node_modules"))
    if (SOURCES / "node_modules" / "esbuild").exists():
        (folder / "node_modules").symlink_to(SOURCES / "node_modules")
        return
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        pytest.skip(f"npm could not install the build tools: {done.stderr.strip()[-200:]}")


@pytest.mark.package
def test_a_rebuild_gives_the_committed_files(tmp_path):
    folder = tmp_path / "js"
    _installed(folder)
    subprocess.run(["npm", "run", "-s", "check"], cwd=folder, check=True, capture_output=True, timeout=300)
    subprocess.run(
        ["node", "build.mjs", str(tmp_path / "out")], cwd=folder, check=True, capture_output=True, timeout=300
    )
    for name in ("report.js", "report.css", "LICENSES.txt"):
        assert (tmp_path / "out" / name).read_bytes() == (ASSETS / name).read_bytes(), name
