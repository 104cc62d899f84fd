"""Tests of a metric of the confusion matrix between two models at a fixed threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells import Matrix, Pairing, compare_paired, mcnemar
from thresher._cells import compare_unpaired as compare_tables
from thresher._compare.multiplicity import OmnibusTest, wald_omnibus
from thresher._compare.pair_tests import ComparisonTerms, PairTest
from thresher._compare.paired_rows import PairedRows, row_influences
from thresher._core.checks import warn
from thresher._inference.rates import tango
from thresher._inference.sampling import Influence, cluster_codes, sampling_of
from thresher._table import Counts, cell_sample, is_at_least
from thresher.measures import Confusion
from thresher.typing import FloatArray


def paired_cells(
    rows: PairedRows, question: ComparisonTerms, values: FloatArray, tables: Sequence[Counts]
) -> tuple[list[PairTest], OmnibusTest]:
    """Test all pairs of models: the difference over the larger of its own and its pooled standard error."""
    measure = _confusion(question)
    called = [is_at_least(scores, measure.threshold) for scores in rows.scores]
    weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight.astype(np.float64)
    code = None if rows.cluster is None else cluster_codes(rows.cluster, rows.positive.size)[1]
    sums: list[NDArray[Any]] = []
    squares: list[NDArray[Any] | None] = []
    clusters: list[NDArray[Any] | None] = []
    for i, j in combinations(range(values.size), 2):
        place = 4 * ~rows.positive + 2 * ~called[i] + ~called[j]  # both, only a, only b, neither of each class
        sums.append(np.bincount(place, weight, 8))
        squares.append(None if rows.weight is None else np.bincount(place, weight**2, 8))
        each = None if code is None else np.bincount(8 * code + place, weight, 8 * (int(code.max()) + 1))
        clusters.append(None if each is None else each.reshape(-1, 2, 4))
    added = [_added(rows, measure, tables, pair) for pair in combinations(range(values.size), 2)]
    return tested_cells(rows.names, question, values, sums, squares, clusters, added)


def tested_cells(
    names: Sequence[str],
    question: ComparisonTerms,
    values: FloatArray,
    sums: Sequence[NDArray[Any]],
    squares: Sequence[NDArray[Any] | None],
    clusters: Sequence[NDArray[Any] | None],
    added: Sequence[float] | None,
) -> tuple[list[PairTest], OmnibusTest]:
    """Test all pairs of models by their cells: both called, only a, only b, neither, of positives and of negatives.

    `squares` are the sums of squared weights in each cell, `clusters` the cells of each cluster,
    `added` what estimated weights add to the variance of each pair.
    """
    measure = _confusion(question)
    figures = []
    variances = np.zeros((values.size, values.size))
    for k, (i, j) in enumerate(combinations(range(values.size), 2)):
        pos, neg = Pairing(*sums[k][:4]), Pairing(*sums[k][4:])
        difference = float(values[i] - values[j])
        if question.method == "mcnemar":
            figures.append(_mcnemar(measure, pos, neg, difference, question))
            variances[i, j] = variances[j, i] = figures[-1].standard_error ** 2
            continue
        squared = squares[k]
        found = compare_paired(
            measure.cells,
            pos,
            neg,
            squares=None if squared is None else (Pairing(*squared[:4]), Pairing(*squared[4:])),
            clusters=clusters[k],
            prevalence=measure.known_prevalence,
        )
        variance = float(np.fmax(found.variance_own, found.variance_pooled)) + (0.0 if added is None else added[k])
        figures.append(_figures(difference, variance, found.df, question, (names[i], names[j])))
        variances[i, j] = variances[j, i] = variance
    return figures, wald_omnibus(values, variances, question.method, pvalues=[one.pvalue for one in figures])


def _added(rows: PairedRows, measure: Confusion, tables: Sequence[Counts], pair: tuple[int, int]) -> float:
    """Return what estimated weights add to the variance of the difference; nothing at a kink, which is cautious."""
    if rows.outcomes is None:
        return 0.0
    two = rows.models(pair)
    if any(measure.influence(tables[one]) is None for one in pair):
        return 0.0
    a, b = row_influences(two, measure, [tables[one] for one in pair])
    return two.sampling.added(Influence(a.pos - b.pos, a.neg - b.neg, a.odds - b.odds))


def _confusion(question: ComparisonTerms) -> Confusion:
    if not isinstance(question.measure, Confusion):
        raise AssertionError("tests of cells are for metrics of the confusion matrix")
    return question.measure


def _figures(
    difference: float, variance: float, df: float, question: ComparisonTerms, names: tuple[str, str]
) -> PairTest:
    reach = question.measure.reach
    if math.isnan(difference) or math.isinf(difference):  # said once for all methods
        return PairTest(difference, -reach, reach, math.nan, df, math.nan, math.nan)
    if math.isnan(variance):
        warn(
            f"{question.measure.title!r} has no standard error for {names[0]!r} and {names[1]!r} at these counts, so "
            "the test says nothing. Hint: use method='bootstrap'."
        )
        return PairTest(difference, -reach, reach, math.nan, df, math.nan, math.nan)
    test = question.test(difference, variance, df)
    return PairTest(difference, test.low, test.high, test.statistic, df, math.sqrt(variance), test.pvalue)


def _mcnemar(measure: Confusion, pos: Pairing, neg: Pairing, difference: float, question: ComparisonTerms) -> PairTest:
    """Return McNemar's mid-p test of a rate within one class, with Tango's score limits of the difference."""
    side = pos if measure.cells.needs == "P" else neg
    only_a, only_b = (round(float(one)) for one in (side.only_a, side.only_b))
    total = round(float(sum(side)))
    if difference * (only_a - only_b) < 0.0:  # a rate of what is not predicted positive
        only_a, only_b = only_b, only_a
    low, high = tango(only_a, only_b, total, question.confidence_level)
    error = math.sqrt(max((only_a + only_b) - (only_a - only_b) ** 2 / total, 0.0)) / total
    z = (only_a - only_b) / math.sqrt(only_a + only_b) if only_a + only_b else 0.0
    return PairTest(difference, low, high, z, math.inf, error, mcnemar(only_a, only_b))


def unpaired_cells(
    a: Counts, b: Counts, question: ComparisonTerms, difference: float, names: tuple[str, str]
) -> PairTest:
    """Test two independent samples; the interval joins the limits of both."""
    measure = _confusion(question)
    tables, squares, limits = [], [], []
    for table in (a, b):
        cells = measure.matrix(table)
        sample = cell_sample(table, measure.threshold)
        tables.append(cells)
        squares.append(cells if sample is None or sample.squares is None else Matrix(*sample.squares))
        low, high = measure.estimate(table).confidence_interval(question.confidence_level)
        limits.append((np.asarray(low), np.asarray(high)))
    found = compare_tables(
        measure.cells,
        tables[0],
        tables[1],
        limits[0],
        limits[1],
        squares=(squares[0], squares[1]),
        prevalence=measure.known_prevalence,
        tail=(1.0 - question.confidence_level) / 2.0,
    )
    variance = float(np.fmax(found.variance_own, found.variance_pooled))
    for table in (a, b):
        influence = measure.influence(table)
        variance += 0.0 if influence is None else sampling_of(table).added(influence)
    figures = _figures(difference, variance, math.inf, question, names)
    reach = measure.reach
    return figures._replace(low=max(float(found.low), -reach), high=min(float(found.high), reach))
