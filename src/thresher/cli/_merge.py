"""`thresher merge`: files of counts add up to the pooled answer."""

from __future__ import annotations

import glob
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show, warn
from thresher._core.files import is_folder, is_there, opened_bytes
from thresher._core.stores import is_address
from thresher._table import rate_error_bound
from thresher.cli._count import MinCount, checked_output, holds_groups, write_counts
from thresher.cli._errors import within
from thresher.cli._options import Confidence, File, Format, refuse_inputs
from thresher.cli._output import print_rows, printable, working
from thresher.exceptions import InvalidInputError, UndefinedMetricError

_AREAS = ("roc_auc", "interpolated", "average_precision")
# What the library says of a file, in the words of the command.
_WORDS = {
    "written by `Scores.save`": "written by `thresher count`",
    "read labels and scores with `Scores.from_frame`": "count a file of labels and scores with `thresher count` first",
    "write it again with `save`": "write it again",
}


def merge(
    files: Annotated[tuple[File, ...], Parameter(negative=())],
    /,
    *,
    output: Annotated[str | None, Parameter(name=("--output", "-o"))] = None,
    max_points: Annotated[int | None, Parameter(name="--max-points", validator=validators.Number(gte=2))] = None,
    min_count: MinCount = None,
    confidence_level: Confidence = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Add files of counts from several sites, and print the areas of all rows together.

    Example: thresher merge site-a.scores site-b.scores -o pooled.scores
    Example: thresher merge site-a.scores --min-count 5 -o shareable.scores

    Parameters
    ----------
    files
        Files written by `thresher count`, `thresher merge`, `Scores.save` or `th.save_counts`, or tables of counts that
        SQL made of them; folders and patterns of them, and addresses such as s3://bucket/a.scores. One is enough.
    output
        Write the sum to this path or address, which ends in .scores; or in .parquet, which keeps groups apart.
    max_points
        Keep at most so many scores of the sum, or of each group that is written, with bounds on what that changes.
    min_count
        Merge neighbouring scores of the sum until no row shows fewer cases of a class than this, unless it shows none.
    """
    if output is not None:
        checked_output(output)
        refuse_inputs(output, *files)
    with working() as work, work.stage("adding"):
        loaded = [(one, tables) for file in files for one, tables in _loaded(file)]
        pooled = _sum([(file, _all_groups(tables)) for file, tables in loaded])
        with within("the sum" if len(loaded) > 1 else show(loaded[0][0], 200)):
            pooled = _disclosed(_fewer(pooled, max_points), min_count)
        rows = [*_counts(pooled, len(loaded)), *_areas(pooled, confidence_level)]
        if output is not None:
            grouped = holds_groups(output) and any(set(tables) != {None} for _, tables in loaded)
            write_counts(_by_group(loaded, min_count, max_points) if grouped else pooled, output)
    print_rows(rows, format)
    if output is not None:
        sys.stderr.write(f"wrote {printable(str(output))}\n")


def _loaded(file: str) -> list[tuple[str, dict[Any, th.Scores]]]:
    """Return the tables of a file by group, or of the files of a folder or pattern; one table has the group None."""
    several = is_folder(file) or (not is_address(file) and not is_there(file) and glob.has_magic(file))
    if several:
        found = sorted(glob.glob(f"{file}/*" if is_folder(file) else file, recursive=True))  # noqa: PTH207  # a pattern
        named = [one for one in found if one.lower().endswith((".scores", ".parquet"))]
        if not named:
            raise InvalidInputError(f"{show(file, 200)} must have files that end in .scores or .parquet; it has none.")
        return [(one, _tables_of(one)) for one in named]
    return [(file, _tables_of(file))]


def _tables_of(file: str) -> dict[Any, th.Scores]:
    try:
        with opened_bytes(file) as (stream, _):
            start = stream.read(4)
        if start == b"PAR1":
            return th.load_counts(file)
        return {None: th.Scores.load(file)}
    except InvalidInputError as error:
        text = str(error)
        for ours, theirs in _WORDS.items():
            text = text.replace(ours, theirs)
        raise InvalidInputError(text) from None


def _all_groups(tables: Mapping[Any, th.Scores]) -> th.Scores:
    first, *others = tables.values()
    return sum(others, start=first)


def _by_group(
    loaded: Sequence[tuple[str, Mapping[Any, th.Scores]]], min_count: int | None, max_points: int | None
) -> dict[Any, th.Scores]:
    """Return the sum of every group over all files."""
    out: dict[Any, th.Scores] = {}
    for file, tables in loaded:
        for group, scores in tables.items():
            with within(f"{show(file, 200)}, group {show(group)}"):
                out[group] = out[group] + scores if group in out else scores
    with within("a group of the sum"):
        return {group: _disclosed(_fewer(scores, max_points), min_count) for group, scores in out.items()}


def _fewer(scores: th.Scores, max_points: int | None) -> th.Scores:
    """Return the table with at most so many scores, if a number is given."""
    return scores if max_points is None or len(scores) <= max_points else scores.compress(max_points)


def _disclosed(scores: th.Scores, min_count: int | None) -> th.Scores:
    """Return the table without rows of fewer cases than these, if a number is given."""
    return scores if min_count is None else scores.compress(min_count=min_count)


def _sum(tables: Sequence[tuple[str, th.Scores]]) -> th.Scores:
    """Return the sum of all files, and say what is odd about them."""
    file, pooled = tables[0]
    for i, (other, scores) in enumerate(tables[1:], start=1):
        if scores._weighted != tables[0][1]._weighted:
            kinds = ("weights", "whole counts") if tables[0][1]._weighted else ("whole counts", "weights")
            raise InvalidInputError(
                f"All files must hold whole counts, or all sums of weights; {show(file, 200)} holds {kinds[0]} and "
                f"{show(other, 200)} {kinds[1]}. Hint: count all of them with weights or none."
            )
        for earlier, table in tables[:i]:
            if earlier == other or Path(earlier).resolve() == Path(other).resolve():
                warn(f"{show(other, 200)} is given twice and counted twice.")
                break
            if table == scores:
                warn(f"{show(earlier, 200)} and {show(other, 200)} hold the same table; both are counted.")
                break
        types = {scores.thresholds.dtype, tables[0][1].thresholds.dtype}
        if len(types) > 1:
            first, second = tables[0][1].thresholds.dtype, scores.thresholds.dtype
            warn(
                f"{show(file, 200)} holds scores of type {first} and {show(other, 200)} of type {second}; numbers that "
                "were rounded to one type do not tie with those of the other."
            )
        with within(f"{show(file, 200)} and {show(other, 200)}"):
            pooled = pooled + scores
    return pooled


def _counts(pooled: th.Scores, files: int) -> list[dict[str, Any]]:
    figures = {"files": files, "positives": pooled.n_pos, "negatives": pooled.n_neg, "rows of the table": len(pooled)}
    bound = rate_error_bound(pooled)
    rows = [_row(name, value) for name, value in figures.items()]
    return [
        *rows,
        _row("tpr at any threshold", None, error_bound=bound.tpr),
        _row("fpr at any threshold", None, error_bound=bound.fpr),
    ]


def _areas(pooled: th.Scores, level: float) -> list[dict[str, Any]]:
    rows = []
    for name in _AREAS:
        try:
            area = pooled.measure(name)
        except UndefinedMetricError as error:
            sys.stderr.write(f"note: {error}\n")
            break
        try:
            low, high = area.confidence_interval(level)
        except UndefinedMetricError:
            rows.append(_row(name, area.value, error_bound=area.error_bound))
            continue
        rows.append(_row(name, area.value, low, high, area.error_bound))
    return rows


def _row(
    figure: str,
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    error_bound: float | None = None,
) -> dict[str, Any]:
    return {"metric": figure, "value": value, "low": low, "high": high, "error_bound": error_bound}
