"""CSV, SVG and PNG files that the page hands out."""

from __future__ import annotations

import csv
import io
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import thresher as th
from thresher import report


def saved(seen, selector: str) -> tuple[str, bytes]:
    with seen.page.expect_download() as waiting:
        seen.page.locator(selector).click()
    download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def test_curves_as_csv_are_the_librarys(visit, digits_report, digits):
    name, content = saved(visit(digits_report), "[data-do='curves-csv']")
    assert name == "thresher-curves.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    mine = [row for row in rows if row["model"] == "tree"]
    roc, pr = digits["tree"].roc(), digits["tree"].pr()
    assert len(mine) == len(roc)
    assert [float(row["threshold"]) for row in mine] == roc.thresholds.tolist()
    assert [int(row["tp"]) for row in mine] == roc.tp.tolist()
    assert [float(row["fpr"]) for row in mine] == roc.fpr.tolist()
    assert [float(row["precision"]) for row in mine] == pr.precision.tolist()
    assert [float(row["threshold"]) for row in mine if row["on_hull"] == "1"] == roc.hull().thresholds.tolist()


def test_areas_as_csv(visit, digits_report, digits):
    _, content = saved(visit(digits_report), "[data-do='areas-csv']")
    rows = {(row["model"], row["area"]): row for row in csv.DictReader(io.StringIO(content.decode()))}
    area = digits["logistic"].pr_auc()
    row = rows["logistic", "interpolated"]
    assert (float(row["value"]), float(row["low"]), float(row["high"])) == (area.value, *area.confidence_interval())


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'quote"d, and comma'])
def test_cells_are_never_formulas(visit, tmp_path, name):
    scores = th.Scores([0, 1, 0, 1], [-2.5, 0.5, -0.5, 1.5])
    seen = visit(report({name: scores}, tmp_path / "r.html"))
    for selector in ("[data-do='curves-csv']", "[data-do='areas-csv']"):
        _, content = saved(seen, selector)
        rows = list(csv.reader(io.StringIO(content.decode())))
        for row in rows[1:]:
            assert row[0].lstrip("'").strip() == name.strip()
            for cell in row:
                # Negative numbers are numbers; any other cell that starts like a formula is quoted.
                if cell[:1] in tuple("=+-@\t\r"):
                    assert float(cell) < 0


@pytest.mark.parametrize("figure", ["roc", "pr", "histogram"])
def test_figures_as_svg_stand_alone(visit, digits_report, figure):
    name, content = saved(visit(digits_report), f"[data-chart-tool='{figure}:svg']")
    assert name == f"thresher-{figure}.svg"
    root = ET.fromstring(content)  # noqa: S314  # written by the page under test
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = content.decode()
    assert "var(" not in text
    assert "class=" not in text
    assert "script" not in text
    drawn = [node.get("stroke") for node in root.iter() if node.tag.endswith("path")]
    if figure != "histogram":
        assert "rgb(0, 104, 173)" in drawn
    assert root.get("width") == "120mm"
    words = [node.text for node in root.iter() if node.tag.endswith("text")]
    titles = {"roc": "ROC curves", "pr": "Precision-recall curves", "histogram": "Scores by class"}
    assert words[0] == f"{titles[figure]}: Finding the eights"
    # Every tick is there and nothing of the cursor.
    if figure == "roc":
        assert words.count("0.2") == 2
        assert words.count("0.8") == 2
        assert not any(node.get("visibility") == "hidden" for node in root.iter())
        assert not any(node.tag.endswith("circle") for node in root.iter())


def test_figures_as_png(visit, digits_report):
    seen = visit(digits_report)
    name, content = saved(seen, "[data-chart-tool='pr:png']")
    assert name == "thresher-pr.png"
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    # 120 mm at 300 dots an inch, whatever the window is.
    assert width == round(120 / 25.4 * 300)
    assert height > width / 2
    assert len(content) > 10_000
    assert seen.complaints == []
