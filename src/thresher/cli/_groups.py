"""`thresher groups`: a metric in every segment with its interval, and the gaps between segments."""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import thresher as th
from thresher._core.checks import show
from thresher._core.json_state import plain
from thresher.cli._errors import UsageError, within
from thresher.cli._metric import AnyMetric, options_shown
from thresher.cli._options import Confidence, File, GroupedSelection, Resamplings, Seed
from thresher.cli._output import print_rows, working
from thresher.cli._read import labels_of, read_selected


def groups(
    file: File,
    /,
    *,
    selection: GroupedSelection = GroupedSelection(),
    metric: AnyMetric = AnyMetric(),
    reference: str | None = None,
    adjust: Literal["none", "bonferroni"] = "none",
    fairness: bool = False,
    n_resamples: Resamplings = 2000,
    seed: Seed = 0,
    confidence_level: Confidence = 0.95,
    format: Literal["table", "json"] = "table",  # the option's name
) -> None:
    """Print a metric of every group with its interval, and the gaps between groups with theirs.

    Example: thresher groups scores.csv --group site --metric roc_auc --reference north
    Example: thresher groups scores.csv --group sex --metric recall --threshold 0.3 --fairness

    Parameters
    ----------
    file
        Labels, scores and a column of groups.
    reference
        The group against which the others stand; all pairs by default.
    adjust
        bonferroni: the level holds for the intervals of all groups together.
    fairness
        Print fairness criteria at --threshold too: demographic parity, equal opportunity, equalised odds and
        predictive parity.
    n_resamples
        For gaps that are tested by the bootstrap.
    seed
        Makes them repeatable.
    format
        Tables to read, or json for programs.
    """
    if selection.group is None:
        raise UsageError("--group must name the column of groups; got none. Hint: for example --group site.")
    measure = metric.measure()
    if fairness and measure.cut is None:
        raise UsageError(
            "--fairness must come with a metric at a threshold; got none. Hint: --metric recall --threshold 0.5."
        )
    criteria: list[dict[str, Any]] = []
    segments: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    with working() as work:
        columns = read_selected(file, selection, work)
        labels = labels_of(columns, selection.pos_label)
        for name, scores in columns.scores.items():
            with within(f"{show(columns.name, 200)}, model {show(name)}"), work.stage(f"groups of {show(name)}"):
                keys = [str(key) for key in columns.group]  # type: ignore[union-attr]  # it was asked for
                found = th.by_group(
                    y_score=scores,
                    by=keys,
                    metric=measure,
                    **columns.weights(),
                    **labels,
                )
                each = found.intervals(confidence_level, adjust=adjust, rng=seed)
                between = found.gaps(reference, confidence_level=confidence_level, n_resamples=n_resamples, rng=seed)
                if fairness:
                    found_fair = found.fairness(confidence_level=confidence_level, rng=seed)
                    criteria += [{"model": name, **_shown(one)} for one in found_fair]
            segments += [{"model": name, **one.to_dict()} for one in each]
            gaps += [{"model": name, **one.to_dict()} for one in between]
    if format == "json":
        about = {**options_shown(measure, format), "confidence_level": confidence_level, "adjust": adjust}
        parts = {"groups": segments, "gaps": gaps, **({"fairness": criteria} if fairness else {})}
        document = plain({**about, **parts}, finite=True)
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
        return
    print_rows(segments, "table", title=f"{measure.described()} by {selection.group}")
    print_rows(gaps, "table", title="\nGaps, p adjusted by Holm's method")
    if fairness:
        print_rows(criteria, "table", title="\nFairness: largest gaps and smallest ratios between groups")


def _shown(one: th.results.FairnessCriterion) -> dict[str, Any]:
    left_out = ("confidence_level", "metrics")
    return {name: cell for name, cell in one.to_dict().items() if name not in left_out}
