"""Davis and Goadrich (2006), item by item."""

from papers.davis_goadrich.areas import figure_6, figure_7, table_1
from papers.davis_goadrich.curves import figure_1, figure_3, figure_4, figure_5
from papers.davis_goadrich.protocol import candidate_thresholds, coin, tuning_set, wilcoxon
from papers.davis_goadrich.theorems import corollary_3_1, figure_2, theorem_3_1, theorem_3_2
from papers.entry import Entry, Paper

__all__ = ["DAVIS_GOADRICH"]

DAVIS_GOADRICH = Paper(
    key="davis-goadrich",
    title="The Relationship Between Precision-Recall and ROC Curves",
    authors="Davis and Goadrich (2006)",
    reference="Proceedings of the 23rd International Conference on Machine Learning, 233–240.",
    link="https://doi.org/10.1145/1143844.1143874",
    entries=(
        Entry("Figure 1", figure_1),
        Entry("Figure 2", figure_2),
        Entry("Theorem 3.1", theorem_3_1),
        Entry("Theorem 3.2", theorem_3_2),
        Entry("Figure 3", figure_3),
        Entry("Figure 4", figure_4),
        Entry("Corollary 3.1", corollary_3_1),
        Entry("Figure 5", figure_5),
        Entry("Section 3, candidate thresholds", candidate_thresholds),
        Entry("Section 3, tuning set", tuning_set),
        Entry("Section 4, the coin", coin),
        Entry("Table 1", table_1),
        Entry("Section 4, AUC-ROC", wilcoxon),
        Entry("Figure 6", figure_6),
        Entry("Figure 7", figure_7),
    ),
)
