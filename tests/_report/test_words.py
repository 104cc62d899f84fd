"""Numbers and names as readers see them."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from thresher._report.words import (
    clean,
    difference,
    lift,
    listed,
    number,
    percent,
    pvalue,
    rate,
    short,
    signed,
    small,
    threshold,
)


@pytest.mark.parametrize(
    "value, text",
    [
        (0.5, "0.500"),
        (1, "1.000"),
        (0.0145, "0.015"),
        (0.00187, "0.0019"),
        (1 - 0.00187, "0.9981"),
        (0.99999, "0.999990"),
        (1 - 1e-12, ">0.99999999"),
        (1e-9, "<0.00000001"),
        (0, "0.000"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_rates_have_two_digits_of_what_they_lack(value, text):
    assert rate(value) == text


@pytest.mark.parametrize("value", [0.3525, 0.0145, 1.8e-3, 0.25, 1 / 3, 4.5e-5, 1e-6, 0.0100001])
def test_a_rate_its_complement_and_its_percentage_are_one_number(value):
    shown = float(rate(value))
    assert float(rate(1 - value)) == pytest.approx(1 - shown, abs=1e-12)
    assert float(percent(value).rstrip("%")) == pytest.approx(100 * shown, rel=1e-12)


BUNDLE = """
import { build } from "esbuild";
const out = await build({ entryPoints: ["src/format.ts"], bundle: true, format: "esm", write: false });
const url = "data:text/javascript;base64," + Buffer.from(out.outputFiles[0].text).toString("base64");
const { rate, percent, count } = await import(url);
const values = JSON.parse(process.argv[1]);
const told = values.map((v) => v <= 1 ? [rate(v), rate(v, 4), percent(v), count(v)] : [count(v)]);
console.log(JSON.stringify(told));
"""


@pytest.mark.optional
def test_the_page_writes_numbers_as_the_library_does():
    js = Path(__file__).parents[2] / "js"
    if shutil.which("node") is None or not (js / "node_modules" / "esbuild").exists():
        pytest.skip("node and the modules of js/ are needed: `npm install` in js/")
    rng = np.random.default_rng(0)
    halves = (np.arange(1, 400) / 800).tolist()
    small = (10.0 ** -rng.uniform(0, 9, 400)).tolist()
    values = [*halves, *small, *(1 - np.array(small)).tolist(), *(10.0 ** rng.uniform(0, 6, 300)).tolist(), 0.0, 1.0]
    values += [0.5, 1.5, 100.5, 99.95, 0.3525, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.999, 0.9999]
    command = ["node", "--input-type=module", "-e", BUNDLE, json.dumps(values)]
    done = subprocess.run(command, cwd=js, capture_output=True, text=True, timeout=60, check=True)
    for value, told in zip(values, json.loads(done.stdout), strict=True):
        here = [rate(value), rate(value, 4), percent(value), number(value)] if value <= 1 else [number(value)]
        assert told == here, value


@pytest.mark.parametrize(
    "value, text", [(0.0968, "9.7%"), (0.5, "50%"), (0.1234, "12.3%"), (0.00012, "0.012%"), (0, "0%")]
)
def test_percentages(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    "value, text",
    [(math.inf, "∞"), (-math.inf, "−∞"), (-0.25, "−0.25"), (0.1234567, "0.1234567"), (3.0, "3"), (1e-12, "1e−12")],
)
def test_thresholds(value, text):
    assert threshold(value) == text


def test_counts_and_lists():
    assert (number(1234567), number(3.0), number(0.25)) == ("1,234,567", "3", "0.25")
    assert [number(v) for v in (0.7, 0.029, 7.346, 12.34, 312.4, 6917.4, 0.0)] == [
        "0.7", "0.029", "7.35", "12.3", "312", "6,917", "0",
    ]  # fmt: skip
    assert (listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])) == (
        "",
        "a",
        "a and b",
        "a, b and c",
    )


def test_names_keep_both_ends():
    assert short("short") == "short"
    assert short("abcdefghij", 7) == "abcd…ij"
    assert len(short("x" * 10_000)) == 32


def test_names_become_text_that_can_be_written():
    assert clean("a\nb\x00c\ud800") == "a b c?"
    assert clean("שלום 👩‍🔬") == "שלום 👩‍🔬"


def test_limits_of_counts_have_few_digits():
    assert [difference(value, limit=True) for value in (63.3, -5.13, 0.619, 0.029, 0.0, 9.96)] == [
        "+63", "−5.1", "+0.6", "+0.029", "0", "+10",
    ]  # fmt: skip
    assert (difference(-11.3), difference(259)) == ("−11.3", "+259")
    assert [lift(value) for value in (4.6, 3, 15.83, 51, 1234.5)] == ["4.60", "3.00", "15.8", "51.0", "1,235"]
    assert (small(4.3e-5), small(0.0008), small(0.02)) == ("0.00004", "0.0008", "0.02")


def test_differences_and_p_values():
    assert (signed(-0.01234), signed(0.5)) == ("−0.0123", "+0.5000")
    assert (pvalue(0.0341), pvalue(3e-17), pvalue(1.0)) == ("= 0.034", "< 0.0001", "= 1")
