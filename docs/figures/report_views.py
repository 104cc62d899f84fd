"""Take the pictures of the report that the documentation shows, in a real browser.

Run it from anywhere; it writes `report-*.png` beside itself. Needs playwright, Pillow and Chromium.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import thresher as th
from thresher import report

HERE = Path(__file__).parent
MOST_BYTES = 250_000


def write(folder: Path) -> Path:
    """Write the report of the bundled example."""
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    compared = th.compare(data.y_true, data.models)
    return report(models, folder / "eights.html", title="Which digits are an eight?", comparison=compared)


def keep(name: str, picture: bytes) -> None:
    """Save a picture with 256 colours, which is enough for flat areas and text."""
    target = HERE / f"report-{name}.png"
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    size = target.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{target.name} has {size} bytes")
    print(f"{target.name}: {size / 1000:.0f} kB")


def settled(page: Any) -> None:
    """Wait for two frames, after which everything asked for is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def scroll_to(page: Any, selector: str) -> None:
    """Bring an element to the top."""
    page.locator(selector).evaluate(
        "node => window.scrollTo(0, node.getBoundingClientRect().top + window.scrollY - 30)"
    )
    settled(page)


def point_at(page: Any, plot: str, across: float, up: float) -> None:
    """Move the pointer over a figure."""
    box = page.locator(f"[data-plot='{plot}'] svg.live").bounding_box()
    page.mouse.move(box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"])
    settled(page)


def write_eight(folder: Path) -> Path:
    """Write the report of eight made-up models, each a little worse than the one before."""
    rng = np.random.default_rng(0)
    y = rng.random(1500) < 0.15
    shared = rng.normal(size=y.size)
    made = {f"model {i + 1}": (1.8 - 0.12 * i) * y + 0.6 * shared + 0.8 * rng.normal(size=y.size) for i in range(8)}
    tables = {name: th.Scores(y, values) for name, values in made.items()}
    return report(tables, folder / "eight.html", comparison=th.compare(y, made))


def take(browser: Any, path: Path, models: Path) -> None:
    """Take all views."""
    wide = {"viewport": {"width": 1366, "height": 768}, "device_scale_factor": 1.5}

    page = browser.new_page(**wide)
    page.goto(path.as_uri())
    point_at(page, "roc", 0.2, 0.82)
    keep("light", page.screenshot())

    page = browser.new_page(**wide, color_scheme="dark")
    page.goto(path.as_uri())
    for layer in ("hull", "achievable", "unachievable", "isocost"):
        box = page.locator(f"[data-layer='{layer}']")
        box.evaluate("node => { node.checked = true; node.dispatchEvent(new Event('change')) }")
    page.locator("[data-in='balance-typed']").fill("30%")
    page.locator("[data-in='balance-typed']").press("Enter")
    page.locator("[data-chart-tool='roc:log-x']").click()
    page.locator("[data-do='use-best']").evaluate("node => node.click()")
    settled(page)
    keep("dark", page.screenshot())

    page = browser.new_page(**wide)
    page.goto(path.as_uri())
    scroll_to(page, "#thr-areas")
    keep("tables", page.screenshot())

    page = browser.new_page(**wide)
    page.goto(models.as_uri())
    point_at(page, "roc", 0.4, 0.6)
    keep("models", page.screenshot())

    page = browser.new_page(viewport={"width": 390, "height": 1500}, device_scale_factor=2)
    page.goto(path.as_uri())
    settled(page)
    keep("narrow", page.screenshot())

    page = browser.new_context(java_script_enabled=False, **wide).new_page()
    page.goto(path.as_uri())
    keep("without-scripts", page.screenshot())


if __name__ == "__main__":
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, write(Path(folder)), write_eight(Path(folder)))
        browser.close()
