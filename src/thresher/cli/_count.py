"""`thresher count`: a file of counts from a file of rows."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher._core.stores import is_address
from thresher.cli._errors import UsageError, within
from thresher.cli._options import File, GroupedSelection, refuse_inputs
from thresher.cli._output import printable, working
from thresher.cli._read import read_groups, read_models
from thresher.exceptions import InvalidInputError

MinCount = Annotated[int | None, Parameter(name="--min-count", validator=validators.Number(gte=2))]
"""The smallest count that may be shown, or nothing."""


def count(
    file: File,
    /,
    *,
    output: Annotated[str, Parameter(name=("--output", "-o"))],
    selection: GroupedSelection = GroupedSelection(),
    min_count: MinCount = None,
    max_points: Annotated[int | None, Parameter(name="--max-points", validator=validators.Number(gte=2))] = None,
) -> None:
    """Count a file of labels and scores, and write the counts to a file that adds up with those of other sites.

    Example: thresher count site-a.csv -o site-a.scores --min-count 5

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather, ORC or NPZ; a folder of them, or a pattern in quotes; "-" reads
        standard input.
    output
        A path, or an address such as s3://bucket/site.scores. It ends in .scores, for `thresher merge` and
        `Scores.load`; or in .parquet, a table of counts that SQL reads too, which holds the groups of --group.
    min_count
        Merge neighbouring scores until no row shows fewer cases of a class than this, unless it shows none.
    max_points
        Keep at most so many scores, with the exact figures of all; a million for files that are counted batch by batch.
    """
    checked_output(output)
    refuse_inputs(output, file)
    options: dict[str, Any] = {} if max_points is None else {"max_points": max_points}
    with working() as work:
        if selection.group is None:
            written: Any = _disclosed(_only(file, read_models(file, selection, work, **options)), min_count, file)
        else:
            if not holds_groups(output):
                raise UsageError(
                    f"--output must end in .parquet where --group makes several tables; got {show(str(output), 200)}."
                )
            groups = read_groups(file, selection, work, **options)
            written = {group: _disclosed(_only(file, models), min_count, file) for group, models in groups}
        write_counts(written, output)
    sys.stdout.write(f"wrote {printable(str(output))}\n")


def _only(file: str, models: Mapping[str, th.Scores]) -> th.Scores:
    """Return the one model of a file."""
    if len(models) > 1:
        listed = ", ".join(show(name, 40) for name in list(models)[:10]) + (", ..." if len(models) > 10 else "")
        raise InvalidInputError(
            f"{show(file, 200)} must have one column of scores; it has {len(models)}. "
            f"Hint: choose one with --y-score: {listed}."
        )
    return next(iter(models.values()))


def _disclosed(scores: th.Scores, min_count: int | None, file: str) -> th.Scores:
    if min_count is None:
        return scores
    with within(show(file, 200)):
        return scores.compress(min_count=min_count)


def holds_groups(output: str) -> bool:
    """Return whether a file to write holds the tables of several groups."""
    return _ending(output) == ".parquet"


def _ending(output: str) -> str:
    """Return the ending of a path or an address."""
    return PurePosixPath(output.partition("?")[0] if is_address(output) else output).suffix.lower()


def checked_output(output: str) -> None:
    """Refuse an ending that would hide what the file is."""
    if _ending(output) not in (".scores", ".parquet"):
        raise UsageError(
            f"--output must end in .scores, or in .parquet for a table that SQL reads; got {show(str(output), 200)}. "
            "Hint: for example site.scores."
        )


def write_counts(tables: th.Scores | Mapping[str, th.Scores], output: str) -> None:
    """Write counts in the form that the file's ending names; a mapping has groups, which only Parquet holds."""
    if holds_groups(output):
        th.save_counts(tables, output)
    elif isinstance(tables, th.Scores):
        tables.save(output, compressed=True)
