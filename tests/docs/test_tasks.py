"""A reader with a task finds the answer from the landing page in two clicks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
# The task as a reader would put it; the pages clicked on, each linked from the one before; what the last one shows.
TASKS = [
    (
        "Which threshold finds 90% of fraud with the fewest alarms, and how sure am I?",
        ["guides/choose-a-threshold.md"],
        ["min_recall=0.9", "confidence="],
    ),
    ("How good is my model, with an interval?", ["guides/evaluate-a-model.md"], ["roc_auc()", "95% interval"]),
    ("Is the new model better on the same rows?", ["guides/compare-two-models.md"], ["th.compare(", "p = "]),
    ("My test set is balanced and production is not", ["guides/class-imbalance.md"], ["prevalence=0.01"]),
    ("Several rows for each patient", ["guides/weights-and-clusters.md"], ["cluster="]),
    ("Can I read 0.3 as 30%?", ["guides/check-calibration.md"], ["calibration"]),
    ("Stop a worse model in CI", ["guides/gate-a-pipeline.md"], ["thresher gate"]),
    ("A page for my manager", ["guides/send-a-report.md"], ["thresher report scores.csv -o report.html"]),
    ("Macro-averaged AUC of ten classes, with an interval", ["guides/multiclass.md"], ["macro", "interval"]),
    ("Does the model work equally well for all groups?", ["guides/a-fairness-review.md"], ["by_group", "gap"]),
    ("Files larger than memory", ["guides/large-data.md"], ["th.scan("]),
    (
        "What is scikit-learn's roc_auc_score called?",
        ["coming-from/index.md", "coming-from/scikit-learn.md"],
        ["roc_auc_score"],
    ),
    (
        "Which interval should I report?",
        ["explanations/index.md", "explanations/which-interval.md"],
        ["DeLong", "default"],
    ),
    ("How do I compare F1 scores?", ["guides/index.md", "guides/compare-two-f1-scores.md"], ["f1"]),
    ("Which metrics are there?", ["reference/index.md", "reference/measures.md"], ["roc_auc", "mcc"]),
    ("A ROC curve for a paper", ["guides/plot-for-a-paper.md"], ["plot", "savefig"]),
    ("Do readers work better with the model?", ["guides/reader-study.md"], ["th.readers("]),
    ("Will this patient relapse within three years?", ["guides/outcomes-in-time.md"], ["Scores.at_time(", "censored"]),
    ("Two models on a table that does not fit in memory", ["guides/large-data.md"], ["th.compare_source("]),
    ("The AUC of a running service on a dashboard", ["guides/monitor-a-service.md"], ["to_openmetrics(", "fastapi"]),
    ("How many patients do I need?", ["guides/plan-a-study.md"], ["sample_size(", "power"]),
    ("Gate a dbt model", ["guides/index.md", "guides/pipelines.md"], ["dbt build", "thresher gate scored.parquet"]),
    ("Customers who joined last month have no label yet", ["guides/index.md", "guides/churn.md"], ["Scores.at_time("]),
]


def linked(page: Path) -> set[Path]:
    """Return the pages that a page links to, in its text or its table of contents."""
    text = page.read_text(encoding="utf-8")
    found = {(page.parent / name).resolve() for name in re.findall(r"\]\(([^)#]+\.md)", text)}
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        lines = [line.strip() for line in block.splitlines() if line and not line.startswith(":")]
        names = [re.sub(r"^.*<(.*)>$", r"\1", line) for line in lines]
        found |= {path.resolve() for name in names for path in page.parent.glob(f"{name}.md")}
    return found


@pytest.mark.parametrize(("task", "clicks", "shown"), TASKS, ids=[task for task, _, _ in TASKS])
def test_found_in_two_clicks(task, clicks, shown):
    assert len(clicks) <= 2
    page = DOCS / "index.md"
    for name in clicks:
        assert (DOCS / name).resolve() in linked(page), f"{page.name} does not link to {name}"
        page = DOCS / name
    text = page.read_text(encoding="utf-8")
    assert [part for part in shown if part not in text] == [], task


# The guides to start with.
GUIDES = [
    "install",
    "evaluate-a-model",
    "compare-two-models",
    "choose-a-threshold",
    "check-calibration",
    "plot-for-a-paper",
    "send-a-report",
    "multiclass",
    "a-fairness-review",
    "class-imbalance",
    "weights-and-clusters",
    "large-data",
    "gate-a-pipeline",
    "monitor-a-service",
    "plan-a-study",
    "outcomes-in-time",
    "reader-study",
]


@pytest.mark.parametrize("guide", GUIDES)
def test_guides_begin_with_code_and_end_with_what_can_go_wrong(guide):
    text = (DOCS / "guides" / f"{guide}.md").read_text(encoding="utf-8")
    assert text.count("\n```") >= 2
    assert len(text[: text.index("```")].split()) < 80, "code comes first"
    assert "\n## What can go wrong\n" in text
    assert (DOCS / "guides" / f"{guide}.md").resolve() in linked(DOCS / "index.md")


# Lists of links, of commands and of pictures.
LISTS = {"index", "by-field", "command-line", "report-states"}


@pytest.mark.parametrize("guide", sorted({path.stem for path in (DOCS / "guides").glob("*.md")} - LISTS))
def test_every_guide_says_what_can_go_wrong(guide):
    text = (DOCS / "guides" / f"{guide}.md").read_text(encoding="utf-8")
    assert "\n## What can go wrong\n" in text


@pytest.mark.parametrize("page", sorted({path.stem for path in (DOCS / "explanations").glob("*.md")} - {"index"}))
def test_every_explanation_has_a_picture(page):
    text = (DOCS / "explanations" / f"{page}.md").read_text(encoding="utf-8")
    assert re.search(r"^!\[|^<svg", text, re.MULTILINE)
    assert f"({page}.md)" in (DOCS / "explanations" / "index.md").read_text(encoding="utf-8")
