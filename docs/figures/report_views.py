"""Take the pictures of the report that the documentation shows, in a real browser: each state of the page once.

Run it from anywhere: `python docs/figures/report_views.py [state ...]` writes `report-<state>.webp` beside itself, and
`report-light.png` for the README. Needs playwright, Pillow and Chromium.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

import thresher as th
from thresher import report

HERE = Path(__file__).parent
MOST_BYTES = 250_000
DESK = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}


def digits(folder: Path) -> Path:
    """Write the report of the bundled example: three models on the same rows."""
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    third = 0.5 * (np.argsort(np.argsort(data.tree)) + np.argsort(np.argsort(data.logistic))) / len(data.y_true)
    models["average of both ranks"] = th.Scores(data.y_true, third)
    made = {**data.models, "average of both ranks": third}
    compared = th.compare(data.y_true, made)
    return report(models, folder / "digits.html", title="Which digits are an eight?", comparison=compared)


def sets(folder: Path) -> Path:
    """Write the report of three data sets, to two of which the models were fitted less well."""
    rng = np.random.default_rng(5)
    models, compared = {}, {}
    for name, n, shift in (("training", 2000, 2.2), ("validation", 800, 1.6), ("test", 800, 1.5)):
        y = rng.random(n) < 0.2
        shared = rng.normal(size=n)
        made = {
            "forest": shift * y + 0.6 * shared + 0.8 * rng.normal(size=n),
            "logistic": 1.3 * y + 0.6 * shared + 0.8 * rng.normal(size=n),
        }
        models[name] = {model: th.Scores(y, values) for model, values in made.items()}
        compared[name] = th.compare(y, made)
    title = "Readmission within a month"
    words = {"cases": "patients", "positive": "readmitted"}
    return report(models, folder / "sets.html", comparison=compared, title=title, **words)


def one(folder: Path) -> Path:
    """Write the report of a single model whose scores are probabilities."""
    data = th.datasets.load_digits_eight()
    return report({"logistic": th.Scores(data.y_true, data.logistic)}, folder / "one.html", title="One model")


def many(count: int) -> Callable[[Path], Path]:
    """Return what writes the report of made-up models, each a little worse than the one before."""

    def write(folder: Path) -> Path:
        rng = np.random.default_rng(0)
        y = rng.random(1500) < 0.15
        shared = rng.normal(size=y.size)
        made = {
            f"model {i + 1}": (1.8 - 0.12 * i) * y + 0.6 * shared + 0.8 * rng.normal(size=y.size) for i in range(count)
        }
        tables = {name: th.Scores(y, values) for name, values in made.items()}
        return report(tables, folder / f"models-{count}.html", comparison=th.compare(y, made), title=f"{count} models")

    return write


def rare(folder: Path) -> Path:
    """Write the report of one positive in 2,000."""
    rng = np.random.default_rng(1)
    y = rng.random(60_000) < 1 / 2000
    scores = 1 / (1 + np.exp(7.0 - 2.5 * y - 1.2 * rng.normal(size=y.size)))
    return report({"fraud": th.Scores(y, scores)}, folder / "rare.html", title="Rare events")


def whole(folder: Path) -> Path:
    """Write the report of a score of whole points."""
    rng = np.random.default_rng(2)
    y = rng.random(600) < 0.3
    points = np.clip(np.round(4 + 2.2 * y + 1.8 * rng.normal(size=y.size)), 0, 10).astype(int)
    return report({"points": th.Scores(y, points)}, folder / "integers.html", title="Whole points")


def perfect(folder: Path) -> Path:
    """Write the report of classes that do not overlap."""
    y = np.arange(80) >= 50
    return report({"perfect": th.Scores(y, np.arange(80) / 80)}, folder / "perfect.html", title="No overlap")


def flipped(folder: Path) -> Path:
    """Write the report of a score that ranks the wrong way round."""
    rng = np.random.default_rng(3)
    y = rng.random(500) < 0.4
    return report({"flipped": th.Scores(y, rng.normal(size=y.size) - 0.75 * y)}, folder / "flipped.html")


def million(folder: Path) -> Path:
    """Write the report of a million distinct scores."""
    rng = np.random.default_rng(4)
    y = rng.random(1_000_000) < 0.05
    return report({"million": th.Scores(y, rng.normal(size=y.size) + 1.4 * y)}, folder / "million.html")


def settled(page: Any) -> None:
    """Wait for two frames, after which everything asked for is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def point_at(page: Any, across: float = 0.2, up: float = 0.82) -> None:
    """Move the pointer over the ROC curve."""
    box = page.locator("[data-plot='roc'] svg.live").bounding_box()
    page.mouse.move(box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"])
    settled(page)


def layered(page: Any) -> None:
    """Switch layers on, set another prevalence and a logarithmic axis, and go to the cheapest threshold."""
    for layer in ("hull", "achievable", "unachievable", "isocost"):
        box = page.locator(f"[data-layer='{layer}']")
        box.evaluate("node => { node.checked = true; node.dispatchEvent(new Event('change')) }")
    page.locator("[data-in='balance-typed']").fill("30%")
    page.locator("[data-in='balance-typed']").press("Enter")
    page.locator("[data-chart-tool='roc:log-x']").click()
    page.locator("[data-do='use-best']").evaluate("node => node.click()")
    settled(page)


def presenting(page: Any) -> None:
    """Show one chart at a time."""
    page.locator("[data-do='present']").click()
    settled(page)


def below(page: Any, what: str = "#thr-areas0") -> None:
    """Scroll to what stands under the cockpit."""
    page.locator(what).evaluate("node => window.scrollTo(0, node.getBoundingClientRect().top + window.scrollY - 90)")
    settled(page)


class State(NamedTuple):
    """A picture: what is shown, in which browser, and what is done before it is taken."""

    write: Callable[[Path], Path]
    browser: dict[str, Any]
    act: Callable[[Any], None] = settled
    whole: bool = False


STATES = {
    "390": State(digits, PHONE),
    "768": State(digits, {"viewport": {"width": 768, "height": 1024}}),
    "1366": State(digits, DESK, point_at),
    "640": State(digits, {"viewport": {"width": 1366, "height": 640}}),
    "1920": State(digits, {"viewport": {"width": 1920, "height": 1080}}, point_at),
    "dark": State(digits, {**DESK, "color_scheme": "dark"}, layered),
    "tables": State(digits, DESK, below),
    "same": State(digits, DESK, lambda page: below(page, "#thr-same0")),
    "metrics": State(digits, DESK, lambda page: below(page, "[data-plot='metrics']")),
    "present": State(digits, DESK, presenting),
    "sets": State(sets, DESK),
    "print": State(digits, {"viewport": {"width": 680, "height": 970}}),
    "without-scripts": State(digits, {**DESK, "java_script_enabled": False}, lambda page: None),
    "1-model": State(one, DESK, point_at),
    "8-models": State(many(8), DESK, lambda page: point_at(page, 0.4, 0.6)),
    "12-models": State(many(12), DESK, lambda page: point_at(page, 0.4, 0.6)),
    "rare": State(rare, DESK),
    "integers": State(whole, DESK),
    "perfect": State(perfect, DESK),
    "flipped": State(flipped, DESK),
    "million": State(million, DESK),
}


def printed(page: Any) -> bytes:
    """Return the page in the style of print, cut into columns of a sheet's height that stand side by side."""
    page.emulate_media(media="print")
    settled(page)
    whole = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    wide, tall = whole.width, round(whole.width * 257 / 180)  # A4 without its margins
    count = -(-whole.height // tall)
    side_by_side = Image.new("RGB", (count * (wide + 12) - 12, tall), "#9a9a9a")
    for number in range(count):
        sheet = Image.new("RGB", (wide, tall), "white")
        sheet.paste(whole.crop((0, number * tall, wide, min((number + 1) * tall, whole.height))), (0, 0))
        side_by_side.paste(sheet, (number * (wide + 12), 0))
    kept = io.BytesIO()
    side_by_side.resize((side_by_side.width // 2, tall // 2), Image.Resampling.LANCZOS).save(kept, "PNG")
    return kept.getvalue()


def keep(name: str, picture: bytes) -> None:
    """Save a picture; flat areas and text need few bytes."""
    target = HERE / f"report-{name}.webp"
    Image.open(io.BytesIO(picture)).convert("RGB").save(target, "WEBP", quality=82, method=6)
    size = target.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{target.name} has {size} bytes")
    print(f"{target.name}: {size / 1000:.0f} kB", flush=True)


def take(browser: Any, name: str, state: State, folder: Path, written: dict[Any, Path]) -> None:
    """Take one picture."""
    if state.write not in written:
        written[state.write] = state.write(folder)
    context = browser.new_context(**state.browser)
    page = context.new_page()
    page.goto(written[state.write].as_uri())
    state.act(page)
    keep(name, printed(page) if name == "print" else page.screenshot(full_page=state.whole))
    context.close()


def saved_view(browser: Any, path: Path) -> None:
    """Save the picture of the view that the page itself makes for a slide."""
    page = browser.new_page(**DESK)
    page.goto(path.as_uri())
    settled(page)
    page.locator(".more summary").click()
    with page.expect_download() as caught:
        page.locator("[data-do='slide-png']").click()
    keep("view", Path(caught.value.path()).read_bytes())


def for_readme(browser: Any, path: Path) -> None:
    """Take the picture of the README once more, sharper, and as PNG with 256 colours, which every viewer shows."""
    page = browser.new_page(**DESK, device_scale_factor=1.5)
    page.goto(path.as_uri())
    point_at(page)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(HERE / "report-light.png", optimize=True)


if __name__ == "__main__":
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    wanted = sys.argv[1:] or list(STATES)
    from playwright.sync_api import sync_playwright  # not above: pytest looks for examples in this file

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        written: dict[Any, Path] = {}
        for state in wanted:
            take(browser, state, STATES[state], Path(name), written)
        if not sys.argv[1:]:
            saved_view(browser, written[digits])
            for_readme(browser, written[digits])
        browser.close()
