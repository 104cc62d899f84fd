"""What a frame of dragging costs the report's script, and what its page weighs: eight models of a million rows.

Run `python -m benchmarks.report_frames [rows]`. In Chromium a pointer drags the threshold through the score histogram
and along the ROC curve, and the class balance along its slider; the time is what scripts took of the processor, by the
browser's own account (its trace), for each animation frame.
Needs playwright.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import thresher as th
from thresher import report

_MODELS = 8
_STEPS = 120
# Where a pointer is put down, and how high in it.
_PLACES = {
    "threshold in the histogram": ("[data-plot='histogram'] svg.live", 0.5),
    "threshold along the ROC curve": ("[data-plot='roc'] svg.live", 0.3),
    "class balance": ("[data-in='balance']", 0.5),
}
# Whatever runs the page's script: what it calls is inside of these, so each is counted once, at the top.
_SCRIPT = {"FireAnimationFrame", "EventDispatch", "FunctionCall", "TimerFire"}


def write(folder: Path, rows: int, count: int) -> Path:
    """Write the report of made-up models on the same rows, one in twenty positive."""
    rng = np.random.default_rng(0)
    y = rng.random(rows) < 0.05
    shared = rng.normal(size=rows)
    models = {
        f"model {i + 1}": th.Scores(y, (1.8 - 0.1 * i) * y + 0.6 * shared + 0.8 * rng.normal(size=rows))
        for i in range(count)
    }
    return report(models, folder / f"models-{count}.html")


def dragged(driver: Any, path: Path, place: str) -> list[float]:
    """Return the milliseconds of script in each frame while something is dragged."""
    selector, high = _PLACES[place]
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(path.as_uri())
    box = page.locator(selector).first.bounding_box()
    middle = box["y"] + high * box["height"]
    page.mouse.move(box["x"] + 0.2 * box["width"], middle)
    page.mouse.down()
    for warm in range(10):
        page.mouse.move(box["x"] + (0.2 + 0.01 * warm) * box["width"], middle)
    session = page.context.new_cdp_session(page)
    session.send("Tracing.start", {"transferMode": "ReturnAsStream", "categories": "devtools.timeline,toplevel"})
    for step in range(_STEPS):
        page.mouse.move(box["x"] + (0.3 + 0.5 * step / _STEPS) * box["width"], middle)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ended: list[Any] = []
    session.once(
        "Tracing.tracingComplete", lambda told: ended.append(told)
    )  # a bound method of a list has no attributes
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    stream, text = ended[0]["stream"], []
    while True:
        part = session.send("IO.read", {"handle": stream, "size": 1_000_000})
        text.append(part["data"])
        if part.get("eof"):
            break
    page.mouse.up()
    browser.close()
    return frames(json.loads("".join(text))["traceEvents"])


def frames(events: list[dict[str, Any]]) -> list[float]:
    """Return the milliseconds of script between one animation frame's end and the next one's."""
    spans = sorted(
        (event["ts"], event["ts"] + event["dur"], event.get("tdur", event["dur"]), event["name"])
        for event in events
        if event.get("ph") == "X" and event["name"] in _SCRIPT
    )
    found, total, until = [], 0.0, 0.0
    for start, stop, spent, name in spans:
        if start >= until:
            total += spent
            until = stop
        if name == "FireAnimationFrame":
            found.append(total / 1000.0)
            total = 0.0
    return [spent for spent in found if spent > 0.2]  # frames in which nothing was to be done are not of interest


def main() -> None:
    """Print weights and times."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        alone, all_of_them = write(Path(name), rows, 1), write(Path(name), rows, _MODELS)
        print(f"page of one model of {rows:,} rows: {alone.stat().st_size / 1e6:.2f} MB")
        print(f"page of {_MODELS} models of {rows:,} rows: {all_of_them.stat().st_size / 1e6:.2f} MB")
        for path, count in ((alone, 1), (all_of_them, _MODELS)):
            for place in _PLACES:
                spent = np.array(dragged(driver, path, place))
                median, most = np.median(spent), np.quantile(spent, 0.95)
                late = int((spent > 16.0).sum())
                print(
                    f"{count} models, {place}, {spent.size} frames: {median:.1f} ms median, {most:.1f} ms 95th "
                    f"percentile, {spent.max():.1f} ms at most, {late} above 16 ms"
                )


if __name__ == "__main__":
    main()
