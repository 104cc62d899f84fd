"""`thresher count`: a file of counts from a file of rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

from thresher._core.checks import show
from thresher.cli._errors import UsageError, within
from thresher.cli._options import File, Selection, read_models, refuse_inputs
from thresher.cli._output import printable
from thresher.cli._progress import working
from thresher.exceptions import InvalidInputError

__all__ = ["MinCount", "checked_output", "count"]

MinCount = Annotated[int | None, Parameter(name="--min-count", validator=validators.Number(gte=2))]
"""The smallest count that may be shown, or nothing."""


def count(
    file: File,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    selection: Selection = Selection(),  # noqa: B008  # frozen
    min_count: MinCount = None,
) -> None:
    """Count a file of labels and scores, and write the counts to a file that adds up with those of other sites.

    Example: thresher count site-a.csv -o site-a.scores --min-count 5

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; "-" reads standard input.
    output
        A file that ends in .scores, for `thresher merge` and `Scores.load`.
    min_count
        Merge neighbouring scores until no row shows fewer cases of a class than this, unless it shows none.
    """
    checked_output(output)
    refuse_inputs(output, file)
    with working() as work:
        models = read_models(file, selection, work)
        if len(models) > 1:
            listed = ", ".join(show(name, 40) for name in list(models)[:10]) + (", ..." if len(models) > 10 else "")
            raise InvalidInputError(
                f"{show(file, 200)} must have one column of scores; it has {len(models)}. "
                f"Hint: choose one with --y-score: {listed}."
            )
        scores = next(iter(models.values()))
        if min_count is not None:
            with within(show(file, 200)):
                scores = scores.disclose(min_count=min_count)
        scores.save(output)
    sys.stdout.write(f"wrote {printable(str(output))}\n")


def checked_output(output: Path) -> None:
    """Refuse an ending that would hide what the file is."""
    if output.suffix.lower() != ".scores":
        raise UsageError(f"--output must end in .scores; got {show(str(output), 200)}. Hint: for example site.scores.")
