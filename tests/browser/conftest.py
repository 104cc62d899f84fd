"""A real Chromium for the tests of the report; without one they are skipped with the reason."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import thresher as th
from support.shared_reports import compute_once
from thresher import report

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
SIZE = {"width": 1240, "height": 1400}
WHERE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items):
    """Mark what stands in this folder: it needs a browser."""
    folder = str(Path(__file__).parent) + os.sep
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker(pytest.mark.optional)


def chromium() -> str | None:
    """Return the browser's path: that of CHROMIUM, or the first one installed."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for path in map(shutil.which, WHERE) if path), None)


@pytest.fixture(scope="module", autouse=True)
def _computed_once():
    with pytest.MonkeyPatch.context() as patch:
        compute_once(patch)
        yield


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is needed to drive a browser")
    path = chromium()
    if path is None:
        pytest.skip("no Chromium was found; install Debian's `chromium` or name one in CHROMIUM")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def digits() -> dict[str, th.Scores]:
    data = th.datasets.load_digits_eight()
    return {name: th.Scores(data.y_true, values) for name, values in data.models.items()}


@pytest.fixture(scope="session")
def digits_report(digits, tmp_path_factory) -> Path:
    data = th.datasets.load_digits_eight()
    path = tmp_path_factory.mktemp("report") / "digits.html"
    report(digits, path, comparison=th.compare(data.y_true, data.models), title="Finding the eights")
    return path


class Visit:
    """A page with everything it asked for and complained about."""

    def __init__(self, page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.heard = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda message: self.complaints.append(message.text) if message.type != "log" else None,
            "pageerror": lambda error: self.complaints.append(str(error)),
            "dialog": lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()),
        }
        for event, handler in self.heard.items():
            page.on(event, handler)

    def leave(self) -> None:
        """Leave the page as a new one is: empty, silent, on a screen, the pointer in the corner."""
        for event, handler in self.heard.items():
            self.page.remove_listener(event, handler)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.emulate_media(media="null")
        self.page.goto("about:blank")

    def open(self, path: Path):
        self.page.goto(path.as_uri())
        self.settle()
        return self

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def out(self, name: str) -> str:
        return self.page.locator(f"[data-out='{name}']").first.text_content()

    def point(self, plot: str) -> tuple[float, float]:
        """Where the cursor stands in a plane: the numbers themselves, not their pixels."""
        svg = self.page.locator(f"[data-plot='{plot}'] svg.live")
        return float(svg.get_attribute("data-u")), float(svg.get_attribute("data-v"))

    def type(self, field: str, text: str) -> None:
        box = self.page.locator(f"[data-in='{field}']")
        box.fill(text)
        box.press("Enter")
        self.settle()

    def layer(self, name: str, on: bool) -> None:
        """Switch a layer of the figures, which stand in a menu."""
        box = self.page.locator(f"[data-layer='{name}']")
        box.evaluate("(node, on) => { node.checked = on; node.dispatchEvent(new Event('change')) }", on)
        self.settle()

    def hover(self, plot: str, across: float, up: float) -> None:
        """Move the pointer to a share of the figure's width and height, from its lower left corner."""
        svg = self.page.locator(f"[data-plot='{plot}'] svg.live")
        svg.scroll_into_view_if_needed()
        box = svg.bounding_box()
        self.page.mouse.move(box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"])
        self.settle()


@pytest.fixture(scope="session")
def pages(browser):
    """The pages that tests take in turn, by their options: a window of its own takes longer than most tests."""
    kept = {}
    yield kept
    for page in kept.values():
        page.context.close()


@pytest.fixture
def visit(browser, pages):
    visits, others = {}, []

    def open_page(path: Path | None = None, viewport: dict[str, int] = SIZE, **options) -> Visit:
        kind = repr(sorted(options.items()))
        if kind in visits:  # beside another one
            others.append(browser.new_context(viewport=viewport, **options))
            fresh = Visit(others[-1].new_page())
        else:
            if kind not in pages:
                pages[kind] = browser.new_context(**options).new_page()
            pages[kind].set_viewport_size(viewport)
            fresh = visits[kind] = Visit(pages[kind])
        return fresh if path is None else fresh.open(path)

    yield open_page
    for context in others:
        context.close()
    for one in visits.values():
        one.leave()


@pytest.fixture
def complaints():
    """Give what axe-core finds on a page that was opened with `bypass_csp=True`."""
    if not AXE.exists():
        pytest.skip("axe-core is needed: `npm install` in js/")

    def look(seen) -> list[tuple[str, list[str]]]:
        seen.page.add_script_tag(path=AXE)
        found = seen.page.evaluate("axe.run(document)")["violations"]
        return [(one["id"], [node["html"][:100] for node in one["nodes"][:4]]) for one in found]

    return look
