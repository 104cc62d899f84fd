"""Lower bounds of widths: the laws behind them have the figures that the library gives them, and the page is theirs."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.unkind_laws import LAWS, hopeless
from benchmarks.width_bound import ALONE, LEVEL, TOGETHER, Cell, highest_low, least_width, lowest_high
from benchmarks.width_laws import Points, figure
from benchmarks.width_table import HEAD, rows_of, text

import thresher as th

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "areas.md"
MANY = 10**6
FIGURES = {
    ("roc", 0.0): lambda scores: scores.roc_auc().value,
    ("pr", 0.1): lambda scores: scores.pr_auc(prevalence=0.1).value,
    ("fpr", 0.2): lambda scores: scores.partial_roc_auc(fpr=(0, 0.2)).value / 0.2,
    ("tpr", 0.8): lambda scores: scores.partial_roc_auc(tpr=(0.8, 1)).value / 0.2,
}
by_kind = pytest.mark.parametrize("measure", FIGURES, ids=lambda measure: measure[0])


def law(pos, neg):
    """Return a population with these shares of each class at three scores, the highest first."""
    return th.Scores.from_counts(
        [3, 2, 1, 0], pos=np.rint(MANY * np.array(pos)).astype(int), neg=np.rint(MANY * np.array(neg)).astype(int)
    )


def named(name):
    return next(law for law in LAWS if law.name == name)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 1000), (30, 20), (1000, 12)])
@by_kind
def test_ends_are_figures_of_laws_that_most_samples_do_not_show(measure, n_pos, n_neg):
    q, s = (1 - (1 - LEVEL) ** (1 / size) for size in (n_pos, n_neg))
    of = FIGURES[measure]
    hidden, loud = law((0, 1 - q, 0, q), (0, 0, 1, 0)), law((0, 1, 0, 0), (s, 0, 1 - s, 0))
    assert highest_low(*measure, n_pos, n_neg, 0.1) == pytest.approx(min(of(hidden), of(loud)), abs=1e-5)
    easy, quiet = law((q, 0, 0, 1 - q), (0, 1, 0, 0)), law((0, 0, 1, 0), (0, 1 - s, 0, s))
    expected = of(easy) if measure[0] == "pr" else max(of(easy), of(quiet))
    assert max(lowest_high(*measure, n_pos, n_neg, 0.1), 0.0) == pytest.approx(expected, abs=1e-5)


@by_kind
def test_figures_of_shares_are_those_of_the_library(measure):
    rng = np.random.default_rng(3)
    pos, neg = rng.integers(0, 40, (2, 30))
    found = FIGURES[measure](th.Scores.from_counts(np.arange(30)[::-1], pos=pos, neg=neg))
    assert figure(measure, 0.1, pos / pos.sum(), neg / neg.sum()) == pytest.approx(found, rel=1e-9)


@by_kind
def test_points_have_the_figures_of_their_law_with_hidden_cases_and_of_the_best_of_several(measure):
    normal, n = named("normal 0.85"), 60_000
    rng = np.random.default_rng(5)
    points = Points.of(normal)

    def drawn(k, best, hidden=0):
        pos, neg = (normal.draw(side, (k, n), rng) for side in (True, False))
        pos, neg = (pos.max(0), neg.min(0)) if best else (pos.min(0), neg.max(0))
        return FIGURES[measure](th.Scores.from_pos_neg(np.append(pos[hidden:], np.full(hidden, -99.0)), neg))

    assert points.value(measure, 0.1) == pytest.approx(drawn(1, True), abs=0.006)
    for best in (True, False):
        found = points.value(measure, 0.1, points.of_several(3, best=best))
        assert found == pytest.approx(drawn(3, best), abs=0.006)
    assert points.value(measure, 0.1, hopeless=0.1) == pytest.approx(drawn(1, True, n // 10), abs=0.006)


def test_a_perfect_ranking_needs_what_its_hidden_cases_take():
    # All in order: limits reach down to 1 - 7 %^(1/m), but for a few samples in a thousand.
    cell = Cell(hopeless(1e-9, 40.0), ("roc", 0.0), 10, 0.01)
    n_pos, _, chance = cell.totals
    for promise in (TOGETHER, ALONE):
        reach = float(chance @ (1 - promise.miss ** (1 / n_pos)))
        assert reach * 0.98 < least_width(cell, promise, simulated=False) <= reach


def test_intervals_that_keep_the_promise_are_no_shorter():
    # A binomial share: Clopper and Pearson's interval is monotone, and errs in at most 2.5 % on either side.
    cell = Cell(hopeless(0.2, 40.0), ("roc", 0.0), 30, 0.01)
    rng = np.random.default_rng(6)
    widths = []
    for n_pos in rng.binomial(3000, 0.01, 400).tolist():
        lost = rng.binomial(n_pos, 0.2)
        low, high = th.proportion_interval(n_pos - lost, n_pos, method="clopper-pearson")
        widths.append(high - low)
    together, alone = (least_width(cell, promise) for promise in (TOGETHER, ALONE))
    assert together < alone < np.mean(widths)
    # The bound is worth something: more than half of what is needed.
    assert alone > 0.5 * np.mean(widths)


def test_the_page_has_the_bounds_and_counts_them():
    page = PAGE.read_text()
    rows = rows_of(page)
    shown = [line.split("|")[8:10] for line in page[page.index(HEAD) :].splitlines()[2 : 2 + len(rows)]]
    bounds = np.array([[float(cell.split(",")[0]) for cell in line] for line in shown])
    marked = np.array([[cell.strip().endswith(("proven", "twice")) for cell in line] for line in shown])
    widths, defaults = (np.array([getattr(row, name) for row in rows]) for name in ("width", "default"))
    assert (marked == (bounds > 2.02 * widths[:, None])).all()
    # What the default does stands above what any needs.
    assert (bounds[:, 0] < defaults).all()
    proven, alone = marked[:, 0].sum(), (marked[:, 1] & ~marked[:, 0]).sum()
    assert f"\n{proven} of the {len(rows)} rows are proven so" in page
    assert f"In the other {len(rows) - proven} rows it is open" in page
    assert f"in {alone} of these rows" in page


@pytest.mark.slow
def test_a_row_of_the_page_again():
    page = PAGE.read_text()
    rows = rows_of(page)
    # The quickest to compute.
    row = next(i for i, row in enumerate(rows) if row.law == "binary test 1.5" and row.measure == ("pr", 0.01))
    shown, again = (
        [float(cell.split(",")[0]) for cell in line.split("|")[8:10]]
        for line in (page[page.index(HEAD) :].splitlines()[2 + row], text([rows[row]]).splitlines()[4])
    )
    assert again == pytest.approx(shown, rel=0.01)
