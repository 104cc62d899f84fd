"""What is released: the wheel's contents, and a source distribution whose tests pass where it is unpacked.

Run by `pytest -m package`. It builds once, by `python -m build`; THRESHER_DIST names a folder where that was done.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.package


@pytest.fixture(scope="session")
def dist(tmp_path_factory) -> Path:
    """A folder with the source distribution and the wheel that was built from it."""
    if "THRESHER_DIST" in os.environ:
        return Path(os.environ["THRESHER_DIST"])
    pytest.importorskip("build", reason="the package is built by `build`")
    folder = tmp_path_factory.mktemp("dist")
    env = {**os.environ, "THRESHER_REQUIRE_NATIVE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, ROOT], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(scope="session")
def unpacked(dist, tmp_path_factory) -> Path:
    """The source distribution, unpacked."""
    (archive,) = dist.glob("thresher-*.tar.gz")
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(archive) as source:
        source.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


def wheel_names(dist: Path) -> list[PurePosixPath]:
    (wheel,) = dist.glob("thresher-*.whl")
    return [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]


def test_the_wheel_holds_the_package_and_nothing_else(dist):
    names = wheel_names(dist)
    (info,) = {name.parts[0] for name in names if name.parts[0].endswith(".dist-info")}
    assert {name.parts[0] for name in names} == {"thresher", "_thresher_command", info}
    kinds = {name.suffix for name in names if name.parts[0] != info}
    assert kinds <= {".py", ".pyi", ".typed", ".so", ".pyd", ".csv", ".css", ".js", ".html", ".txt", ".cu"}
    for kind in (".py", ".cu"):  # kernels for devices are compiled there
        ours = {path.relative_to(ROOT / "src") for path in (ROOT / "src").rglob(f"*{kind}")}
        assert {Path(name) for name in names if name.suffix == kind} == ours
    assert not [name for name in names if "tests" in name.parts or name.name.startswith(("test_", "conftest"))]


def test_the_wheel_has_types_kernels_and_licences(dist):
    names = {str(name) for name in wheel_names(dist)}
    assert "thresher/py.typed" in names
    assert [name for name in names if name.startswith("thresher/_core/native/_kernels.") and not name.endswith(".pyi")]
    licences = {name.partition(".dist-info/licenses/")[2] for name in names if "/licenses/" in name}
    bundled = {path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("LICENSES.txt")}
    assert licences == {"LICENSE"} | bundled
    assert len(bundled) == 1


def test_the_source_has_what_its_tests_and_documentation_need(unpacked):
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode != 0:
        pytest.skip("this is no clone, so that there is no list of files")
    wanted = {name for name in tracked.stdout.splitlines() if not name.startswith(".ci/")}
    held = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert wanted - held == set()
    assert held - wanted == {"PKG-INFO"}


def reading(root: Path) -> list[Path]:
    """Return the tests that read the reference data."""
    found = sorted((root / "tests").rglob("test_*.py"))
    return [path for path in found if re.search(r"support\.golden|[\"/]reference", path.read_text(encoding="utf-8"))]


def test_the_unpacked_source_passes_its_tests(unpacked, dist, tmp_path):
    """With the wheel, not with what is installed here. `.ci/run` has run every test already; these read files."""
    (wheel,) = dist.glob("thresher-*.whl")
    site = tmp_path / "site"
    shutil.unpack_archive(wheel, site, "zip")
    # An editable install would come first; what is tested here is the wheel.
    start = (
        "import sys; sys.meta_path = [f for f in sys.meta_path if 'Redirecting' not in type(f).__name__]; "
        "sys.path.insert(0, sys.argv.pop(1)); import pytest, thresher; "
        "assert thresher.__file__.startswith(sys.path[0]), thresher.__file__; sys.exit(pytest.main(sys.argv[1:]))"
    )
    # THRESHER_SOURCE_TESTS=tests runs every one.
    words = os.environ.get("THRESHER_SOURCE_TESTS", "").split() or [unpacked / "tests" / "docs", *reading(unpacked)]
    ran = subprocess.run(
        [sys.executable, "-c", start, site, "-n0", "-q", "-p", "no:cacheprovider", *words],
        cwd=unpacked,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
