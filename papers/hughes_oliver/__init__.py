"""Hughes-Oliver (2018), item by item."""

from papers.entry import Entry, Paper
from papers.hughes_oliver.asymptotics import conditions, consistency, equation_8, equation_9, section_3_1
from papers.hughes_oliver.cases import (
    case_a,
    case_b,
    case_c,
    case_d,
    case_e,
    case_f,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
)
from papers.hughes_oliver.definitions import (
    curve_definitions,
    point_estimators,
    slope_of_precision,
    table_1,
    theorem_1a,
)
from papers.hughes_oliver.limits import p1, p2, p3, quantiles, section_1, triplets
from papers.hughes_oliver.reference_curves import figure_1, figure_2, p4, p5, p6, p7
from papers.hughes_oliver.sampling import figure_7, figure_8, figure_9, figure_10, figure_11

__all__ = ["HUGHES_OLIVER"]

HUGHES_OLIVER = Paper(
    key="hughes-oliver",
    title="Population and Empirical PR Curves for Assessment of Ranking Algorithms",
    authors="Hughes-Oliver (2018)",
    reference="arXiv:1810.08635.",
    link="https://arxiv.org/abs/1810.08635",
    entries=(
        Entry("Section 1", section_1),
        Entry("Table 1", table_1),
        Entry("Equations (1) and (2)", triplets, ("Equation (1)", "Equation (2)")),
        Entry("Equations (3), (4) and (5)", curve_definitions, ("Equation (3)", "Equation (4)", "Equation (5)")),
        Entry("Section 2.2", quantiles),
        Entry("P1", p1),
        Entry("P2", p2),
        Entry("Equations (10) and (11)", slope_of_precision, ("Equation (10)", "Equation (11)")),
        Entry("P3", p3),
        Entry("P4", p4),
        Entry("P5", p5),
        Entry("Figure 1", figure_1),
        Entry("P6", p6),
        Entry("Figure 2", figure_2),
        Entry("P7", p7),
        Entry("Case A", case_a, ("Case A*",)),
        Entry("Case B", case_b),
        Entry("Figure 3", figure_3),
        Entry("Case C", case_c),
        Entry("Figure 4", figure_4),
        Entry("Case D", case_d),
        Entry("Case E", case_e),
        Entry("Figure 5", figure_5),
        Entry("Case F", case_f),
        Entry("Figure 6", figure_6),
        Entry("Section 3.1, PR* and PR0", point_estimators),
        Entry("Section 3.1, PR-hat", section_3_1),
        Entry("Theorem 1, conditions", conditions, ("Equation (6)", "Equation (7)", "Theorem 1")),
        Entry("Theorem 1(A)", theorem_1a),
        Entry("Equation (8)", equation_8),
        Entry("Equation (9)", equation_9),
        Entry("Abstract", consistency),
        Entry("Figure 7", figure_7),
        Entry("Figure 8", figure_8),
        Entry("Figure 9", figure_9),
        Entry("Figure 10", figure_10),
        Entry("Figure 11", figure_11),
    ),
)
