"""Cortes and Mohri (2004), item by item."""

from thresher.papers._cortes_mohri._comparison import figure_1, table_1
from thresher.papers._cortes_mohri._definitions import the_statistic, variances
from thresher.papers._cortes_mohri._propositions import (
    corollary,
    identities,
    proposition_1,
    proposition_2_entry,
    proposition_3,
)
from thresher.papers._cortes_mohri._real_data import real_data
from thresher.papers._cortes_mohri._theorems import theorem_1, theorem_2
from thresher.papers._cortes_mohri._two_classifiers import two_classifiers
from thresher.papers._entry import Entry, Paper

__all__ = ["CORTES_MOHRI"]

CORTES_MOHRI = Paper(
    key="cortes-mohri",
    title="Confidence Intervals for the Area under the ROC Curve",
    authors="Cortes and Mohri (2004)",
    reference="Advances in Neural Information Processing Systems 17, 305–312.",
    link="https://proceedings.neurips.cc/paper/2004",
    entries=(
        Entry("Equation (1)", the_statistic),
        Entry("Equations (2) and (3)", variances, ("Equation (2)", "Equation (3)")),
        Entry("Section 4", identities, ("Equation (4)",)),
        Entry("Proposition 1", proposition_1, ("Equation (5)",)),
        Entry("Proposition 2", proposition_2_entry),
        Entry("Proposition 3", proposition_3, ("Equation (6)",)),
        Entry("Corollary 1", corollary),
        Entry("Theorem 1", theorem_1, tuple(f"Equation ({number})" for number in range(7, 12))),
        Entry("Theorem 2", theorem_2, ("Equation (12)", "Equation (13)")),
        Entry("Figure 1", figure_1),
        Entry("Table 1", table_1),
        Entry("Our table on public data", real_data),
        Entry("Section 7", two_classifiers),
    ),
)
