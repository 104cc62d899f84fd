"""Cortes and Mohri (2004), item by item."""

from papers.cortes_mohri.comparison import figure_1, table_1
from papers.cortes_mohri.definitions import the_statistic, variances
from papers.cortes_mohri.propositions import (
    corollary,
    identities,
    proposition_1,
    proposition_2_entry,
    proposition_3,
)
from papers.cortes_mohri.public_data import real_data
from papers.cortes_mohri.section_7 import two_classifiers
from papers.cortes_mohri.theorems import theorem_1, theorem_2
from papers.entry import Entry, Paper

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
